"""docs/playing.md and docs/organising.md: their commands and numbers are the program's."""

from __future__ import annotations

import re
from pathlib import Path

import discord
import pytest
from discord import app_commands

from bot.domain import clock, clock_text, offers, preferences, quiet_hours, stalled, untold_turns
from bot.domain.ratings.rated import MOVES_EACH
from bot.follows import store as follows
from bot.lobby import store as lobbies
from bot.lobby.ui import ON_PAGE
from bot.posts import deliveries
from bot.services import pairing, presence
from bot.settings import Settings
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.slash import Tree, build

DOCS = Path(__file__).parents[2] / "docs"


def _said(page: str) -> str:
    return " ".join((DOCS / page).read_text(encoding="utf-8").split())


SAID = _said("playing.md")
NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def _commands() -> dict[str, set[str]]:
    """The names of all commands, with the fields of each."""
    tree = Tree(discord.Client(intents=discord.Intents.none()))
    build(tree, InteractionHandler.__new__(InteractionHandler))
    return {
        each.qualified_name: (
            {field.name for field in each.parameters}
            if isinstance(each, app_commands.Command)
            else set()
        )
        for each in tree.walk_commands()
    }


def test_every_command_on_the_page_exists_with_its_fields() -> None:
    known = _commands()
    both = SAID + _said("organising.md")
    named = [each.group(1) for each in re.finditer(r"`/([a-z][^`]*)`", both)]
    assert len(named) > 60
    for line in named:
        words = re.split(r"[ :]", line)
        name = next(
            (each for each in (" ".join(words[:2]), words[0]) if each in known), f"none: /{line}"
        )
        assert name in known, line
        fields = set(re.findall(r"([a-z_]+):", line))
        assert fields <= known[name], line


SETTINGS = Settings(_env_file=None)


@pytest.mark.parametrize(
    "promise",
    [
        f"expires after {NUMBERS[SETTINGS.offer_hours // 24]} days",
        f"from {NUMBERS[clock_text.SHORTEST_OFFER.seconds // 60]} minutes to thirty days",
        f"up to {NUMBERS[offers.MOST_MATCHES]} matches",
        f"newest {NUMBERS[ON_PAGE]} open offers",
        f"at most {clock.LONGEST_MOVE.days} days",
        f"at most {clock.LONGEST_INCREMENT.days} days",
        f"up to {NUMBERS[presence.GRACE.seconds]} seconds late",
        f"vacation days each year: {SETTINGS.vacation_days},",
        f"follow {follows.MOST} matches and {follows.MOST} players",
        f"at least {NUMBERS[MOVES_EACH]} moves for each player",
        f"at most {NUMBERS[SETTINGS.rated_with_one]} rated matches",
        f"in {NUMBERS[pairing.RATED_WITHIN.days]} days",
        f"up to {NUMBERS[preferences.MOST_REMINDERS]}, at the hours you choose",
        f"at most {NUMBERS[SETTINGS.open_offers]} open offers",
        f"{SETTINGS.running_matches} running matches",
        f"at most {NUMBERS[SETTINGS.offers_to_one]} times a day",
        f"do {NUMBERS[SETTINGS.commands_burst]} things at once",
        f"have {NUMBERS[SETTINGS.computer_matches]} matches against the computer",
        f"{NUMBERS[SETTINGS.computer_moves]} of your moves a minute",
        f"{SETTINGS.server_matches} running matches",
        f"{NUMBERS[SETTINGS.server_tournaments]} tournaments",
        f"{SETTINGS.server_threads} new threads an hour",
        f"{SETTINGS.server_messages} messages a minute",
        f"told for {untold_turns.AT_MOST.days} days",
        f"nothing has happened for {NUMBERS[stalled.SILENT.days]} days",
        f"{NUMBERS[stalled.ANSWER.days]} more days",
    ],
)
def test_a_number_on_the_page_is_that_of_the_program(promise: str) -> None:
    assert promise in SAID


def test_the_times_that_the_page_gives_in_words_are_those_of_the_program() -> None:
    assert lobbies.CALL_GAP == deliveries.JUST_TOLD == clock.DAY / 48
    assert (clock.SHORTEST.seconds, clock.LONGEST.days) == (60, 365)
    assert clock_text.LONGEST_OFFER.days == 30
    assert quiet_hours.SOON_AFTER == clock.DAY / 12
    assert quiet_hours.BEFORE == clock.DAY / 96
