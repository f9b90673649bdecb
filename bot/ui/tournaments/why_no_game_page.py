"""Why? where no game was played: a round without a game, a forfeit, a result that was decided."""

from __future__ import annotations

from bot.domain.tournaments.crosstable import Kind
from bot.domain.tournaments.facts import How
from bot.domain.tournaments.formats.knockout import members
from bot.domain.tournaments.setup import FormatKey, Unfinished
from bot.domain.tournaments.tournament import Entrant, EntrantStatus, PlayedGame
from bot.i18n import Language
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Page, Reply, button, rows, text
from bot.ui.tournaments.words import EventText, fitting


def why_no_game_page(event: EventText, number: int, entrant: int) -> Reply:
    """Why a player has no game in a round."""
    t = event.t
    title = event.say("Why no opponent?")
    player, name = t.entrants[entrant - 1], event.who(entrant)
    kind = t.rounds[number - 1].byes[entrant]
    if t.setup.format is FormatKey.ROUND_ROBIN:
        lines = [
            event.say(
                "The division has an odd number of players, so each sits out one round, in the"
                " order of the Berger table."
            )
        ]
    elif kind.is_requested:
        lines = [*_not_there(player, number, kind, event.language, name)]
    elif t.setup.format is FormatKey.KNOCKOUT:
        lines = [
            event.say(
                "The bracket has more places than players, so the best seeds go on without a game."
            ),
            event.say("{player} is seed {seed}.", player=name, seed=members(t).index(entrant) + 1),
        ]
    else:
        lines = [
            event.say(
                "The players don't fill all tables of four, so some sit out, those first who have"
                " sat out least often. It's worth 1¾ points, what a place is worth on average."
            )
        ]
    said = [event.heading(title), name, *lines]
    back = button(Control("tpairs", t.id, 0, str(number)), event.say("Pairings"))
    return Reply(title, Page(text(fitting(said)), *rows([back])))


def _not_there(
    player: Entrant, number: int, kind: Kind, language: Language, name: str
) -> list[str]:
    """Who was not to be paired, and what that is worth."""
    if number < player.since:
        why = language.say("{player} joined after this round was paired.", player=name)
    elif number in player.byes:
        why = language.say("{player} asked for a bye in this round.", player=name)
    elif kind is Kind.HALF_BYE:
        why = language.say(
            "The rules didn't allow a pairing of all players, so one sat out: the lowest in the"
            " standings that made a pairing of the others possible."
        )
    else:
        why = language.say("{player} had left before this round was paired.", player=name)
    worth = (
        language.say("It's worth half a point.")
        if kind is Kind.HALF_BYE
        else language.say("It's worth nothing.")
    )
    return [why, worth]


def decided_lines(event: EventText, played: PlayedGame) -> list[str]:
    """How a game that has a result came to it, if not by being played."""
    if played.points is None or (played.how is How.PLAYED and not played.lost_on_time):
        return []
    heading = event.say("The result")
    return [f"**{heading}**", *_decided(event, played)]


def _decided(event: EventText, played: PlayedGame) -> list[str]:
    t, points = event.t, played.points or ()
    lost = [each for each, mine in zip(played.game.players, points, strict=True) if not mine]
    entrants = [t.entrants[each - 1] for each in lost]
    names = event.listed(event.who(each) for each in lost)
    late = event.listed(event.who(each) for each in played.lost_on_time)
    excluded = [each for each in entrants if each.standing is EntrantStatus.EXCLUDED]
    if played.how is How.DIRECTOR and excluded:
        said = event.say(
            "A director excluded {players}. That forfeits every game that isn't over.",
            players=event.listed(event.who(each.number) for each in excluded),
        )
    elif played.how is How.DIRECTOR:
        said = event.say("A director decided it. The log has the reason.")
    elif played.how in (How.TIME, How.PLAYED):
        said = event.say("Time ran out for {players}.", players=late)
    elif played.how is How.UNFINISHED and t.setup.format is FormatKey.ARENA:
        said = event.say("It wasn't over when the arena ended, so it doesn't count.")
    elif played.how is How.UNFINISHED and t.setup.unfinished is Unfinished.SCORE:
        said = event.say(
            "It wasn't over on its last day, {date}, so the score on the board decided.",
            date=timestamp(played.until, "D"),
        )
    elif played.how is How.UNFINISHED and played.is_table and lost:
        said = event.say(
            "It wasn't over on its last day, {date}. {players} had left the table, so the other"
            " players share the points.",
            date=timestamp(played.until, "D"),
            players=names,
        )
    elif played.how is How.UNFINISHED:
        said = event.say(
            "It wasn't over on its last day, {date}. By the rules of this event the points are"
            " shared.",
            date=timestamp(played.until, "D"),
        )
    elif played.has_begun:
        said = event.say("{players} didn't make a first move in time.", players=late)
    else:
        said = event.say("{players} had left before the game began.", players=names)
    return [said, *_left_before(event, played)]


def _left_before(event: EventText, played: PlayedGame) -> list[str]:
    """Players who had left the table when a clock or a player who did not come ended the game."""
    resigned, excluded = list[str](), list[str]()
    if not played.is_table or played.how not in (How.TIME, How.NO_SHOW):
        return []
    for seat, number in enumerate(played.game.players):
        if seat in played.late or played.points is None or played.points[seat]:
            continue
        is_out = event.t.entrants[number - 1].standing is EntrantStatus.EXCLUDED
        (excluded if is_out else resigned).append(event.who(number))
    said = []
    if resigned:
        players = event.listed(resigned)
        said.append(event.say("Resigned before that: {players}.", players=players))
    if excluded:
        players = event.listed(excluded)
        said.append(event.say("Excluded before that: {players}.", players=players))
    return said
