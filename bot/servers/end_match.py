"""``/server end-match``: a way out of a stuck match, with a result or without one.

The choices stand in the page itself, as the chosen lines of its menus. **End match** opens a form
for the reason, which ends the match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import app_commands

from bot.domain.game_state import board_view
from bot.domain.ids import GuildId, is_match_id
from bot.domain.managed import check_endable
from bot.domain.match import Match
from bot.errors import UserError
from bot.i18n import Language
from bot.servers.log import arranger, player_names
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import (
    find_match,
    fitting_matches,
    match_here,
    one_named,
)
from bot.ui.interaction.registry import Click, on_form, on_menu, one_field, opens_form
from bot.ui.interaction.slash import LONGEST, command, suggests
from bot.ui.pages import components as ui
from bot.ui.pages import match_list, match_text
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.display_names import clean
from bot.ui.settings.server_panel import SERVER
from games.view import Text

_NONE = "none"
_DRAW = "draw"
_PLACES = "places"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a match is to end.

    ``how`` is ``none``, ``draw``, ``places`` or the player index of the winner; ``places`` are
    those chosen so far, by player index. ``counts``: the result may change ratings.
    """

    how: str = _NONE
    places: tuple[tuple[int, int], ...] = ()
    counts: bool = True

    def places_in(self, match: Match) -> tuple[int, ...] | None:
        """The place of each player index from 1, None for no result. Raises ``places_wrong``.

        A player who has left is behind all others.
        """
        count = len(match.players)
        if self.how == _NONE:
            return None
        if self.how == _DRAW:
            return tuple(count + 1 if index in match.retired else 1 for index in range(count))
        if self.how != _PLACES:
            return tuple(1 if str(index) == self.how else 2 for index in range(count))
        given = dict(self.places)
        still = [index for index in range(count) if index not in match.retired]
        if not all(index in given for index in still):
            raise UserError("places_wrong")
        return tuple(given[index] if index in still else count + 1 for index in range(count))


def read_verdict(components: Iterable[Mapping[str, Any]], match: Match) -> Verdict:
    """The choices on a page, from its components as Discord writes them."""
    verdict = Verdict()
    for control, chosen in ui.chosen_in(components):
        if len(chosen) == 1:
            verdict = with_choice(verdict, control, chosen[0], match)
    return verdict


def with_choice(verdict: Verdict, control: Control, value: str, match: Match) -> Verdict:
    """The verdict after a choice in one of the menus. Raises ``out_of_date``."""
    seats = range(len(match.players))
    if control.action == "endhow" and value in _ways(match):
        return replace(verdict, how=value)
    if control.action == "endcount" and value in ("yes", "no"):
        return replace(verdict, counts=value == "yes")
    if control.action == "endplace":
        known = {str(index): index for index in seats}
        places = {str(number + 1): number + 1 for number in seats}
        if control.arg in known and value in places:
            others = tuple(each for each in verdict.places if each[0] != known[control.arg])
            return replace(verdict, places=(*others, (known[control.arg], places[value])))
    raise UserError("out_of_date")


def _ways(match: Match) -> tuple[str, ...]:
    if len(match.players) > 2:
        return _NONE, _DRAW, _PLACES
    return (_NONE, _DRAW, *(str(index) for index in range(len(match.players))))


def end_match_page(
    match: Match,
    verdict: Verdict,
    names: Sequence[str],
    picture: ui.Picture | None,
    language: Language,
    *,
    lead: str = "",
    may_count: bool = True,
) -> Reply:
    """The page; ``names`` are those of the players, without markup, ``lead`` what went wrong.

    Without ``may_count`` its reader plays in the match, and no result counts for ratings.
    """
    title = language.say(
        "End {match}", match=f"{match_text.game_name(match)} · {' – '.join(names)}"
    )
    told = language.say(
        "All players are told how it ended and why. Nothing ends before you've given a reason."
    )
    items: list[ui.Part] = [
        ui.text(ui.heading(title, match_text.turn(match, language), told, lead=lead))
    ]
    items += [*ui.pictured(picture), _hows(match, verdict, names, language)]
    if verdict.how == _PLACES:
        items += [
            _place(match, index, verdict, name, language)
            for index, name in enumerate(names)
            if index not in match.retired
        ]
    if match.rated and may_count and verdict.how != _NONE:
        items.append(_counted(match, verdict, language))
    end = ui.button(Control("endwhy", match.id), language.say("End match"), ui.DANGER)
    items += ui.rows([end])
    return Reply(lead or title, Page(*items))


def _hows(match: Match, verdict: Verdict, names: Sequence[str], language: Language) -> ui.Part:
    lines = {
        _NONE: language.say("No result (match aborted)"),
        _DRAW: language.say("A draw"),
        _PLACES: language.say("A place for each player"),
        **{
            str(index): language.say("{player} wins", player=name)
            for index, name in enumerate(names)
        },
    }
    options = [(way, lines[way]) for way in _ways(match)]
    return ui.choice_menu(Control("endhow", match.id), language.say("Result"), options, verdict.how)


def _place(match: Match, index: int, verdict: Verdict, name: str, language: Language) -> ui.Part:
    places = range(1, len(match.players) + 1)
    lines = [
        (str(each), language.say("{player}: place {place}", player=name, place=each))
        for each in places
    ]
    prompt = language.say("{player}: which place?", player=name)
    chosen = str(dict(verdict.places).get(index, ""))
    return ui.choice_menu(Control("endplace", match.id, arg=str(index)), prompt, lines, chosen)


def _counted(match: Match, verdict: Verdict, language: Language) -> ui.Part:
    note = language.say("If each player has made two moves")
    lines: list[ui.Line] = [
        ("yes", language.say("Ratings: the result counts"), note),
        ("no", language.say("Ratings: nothing changes")),
    ]
    chosen = "yes" if verdict.counts else "no"
    return ui.choice_menu(Control("endcount", match.id), language.say("Ratings"), lines, chosen)


_LOOKED_AT = 4 * ui.CHOICES


@command(
    "end-match",
    Text.of("End or decide a stuck match; its players are told why"),
    group=SERVER,
    fields={"match": Text.of("Which match? Players or game (default: the one here)")},
)
async def end_match(
    context: InteractionContext, match: app_commands.Range[str, 0, LONGEST] = ""
) -> Reply:
    """``/server end-match``: the page."""
    guild_id = await arranger(context)
    if match.strip():
        found = await _named(context, guild_id, match.strip())
    else:
        here = await match_here(context)
        if here is None:
            raise UserError("match_wanted")
        found = here
    check_endable(found)
    return await _page(context, found, Verdict())


@on_menu("endhow", "endplace", "endcount")
async def choose_ending(context: InteractionContext, click: Click) -> Reply:
    """A choice on the page."""
    match = await _of_server(context, click.match)
    verdict = read_verdict(context.parts(), match)
    return await _page(context, match, with_choice(verdict, click, click.value, match))


@opens_form("endwhy", "ended")
def reason_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form for the reason."""
    language = context.language
    return one_field(
        Control("ended", control.match),
        language.say("End match"),
        language.say("Why?"),
        longest=LONGEST,
        hint=language.say("The players will read it, and it stays in the server's log"),
    )


@on_form("ended")
async def ended(context: InteractionContext, click: Click) -> Reply:
    """The reason: end the match as the page says."""
    match = await _of_server(context, click.match)
    verdict, why = read_verdict(context.parts(), match), clean(click.text, longest=LONGEST)
    service, language = context.services.matches, context.language
    try:
        places = verdict.places_in(match)
    except UserError as error:
        return await _page(context, match, verdict, lead=context.why(error))
    if places is None:
        answer = await service.end(context.actor, match.id, why)
    else:
        answer = await service.decide(
            context.actor, match.id, places, why, counts=verdict.counts or not match.rated
        )
    label = await match_list.with_players(answer.match, context.presenter.names, language)
    if places is None:
        return Reply(
            language.say(
                "You ended {match} without a result. Its players read your reason.", match=label
            )
        )
    said = language.say("You decided {match}. Its players read your reason.", match=label)
    said = f"{said} {match_text.winners(answer.match, language)}"
    if len(answer.match.players) > 2:
        said = f"{said} {match_text.places(answer.match, language)}"
    return Reply(said)


async def _page(
    context: InteractionContext, match: Match, verdict: Verdict, *, lead: str = ""
) -> Reply:
    presenter, language = context.presenter, context.language
    try:
        picture = await presenter.picture(match, board_view(match), language)
    except UserError:  # its rules are not known any more
        picture = None
    names = await player_names(context, match)
    may_count = match.index_of(context.user_id) is None
    return end_match_page(match, verdict, names, picture, language, lead=lead, may_count=may_count)


async def _of_server(context: InteractionContext, match_id: str) -> Match:
    guild_id = await arranger(context)
    found = await find_match(context, match_id)
    if found.origin.guild_id != guild_id:
        raise UserError("no_such_match")
    check_endable(found)
    return found


async def _named(context: InteractionContext, guild_id: GuildId, typed: str) -> Match:
    """The running match of this server that a text names, by its id or its players."""
    if is_match_id(typed.lower()):
        found = await find_match(context, typed.lower())
        if found.origin.guild_id == guild_id:
            return found
    running = await context.services.matches.running_in_server(guild_id, _LOOKED_AT)
    return one_named(running, await fitting_matches(context, running, typed))


@suggests("end-match", "match", group="server")
async def suggest_running(
    context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[ui.Suggestion]:
    """The running matches of the server that fit what has been typed."""
    guild_id = await arranger(context)
    running = await context.services.matches.running_in_server(guild_id, _LOOKED_AT)
    return (await fitting_matches(context, running, typed))[: ui.CHOICES]
