"""What one player may ask of the others: for each kind of request its own rules, and its words.

What all kinds have in common is in :mod:`bot.domain.request_rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.domain.events import CommandContext, Event, EventKind, JsonValue
from bot.domain.game_state import game_state_of
from bot.domain.match import Ending, Match, MatchStatus
from bot.domain.match_clock import credited, paused, rewound_times, stood_payload, until_payload
from bot.domain.play import ended_by_players
from bot.domain.playthrough import own_last, rewound
from bot.domain.requests import Request, RequestKind
from bot.errors import UserError
from games.view import Text

Granted = tuple[dict[str, JsonValue], dict[str, Any]]
"""What the last agreement writes: its payload, and the changes of the head."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """A kind of request.

    ``check_terms`` refuses it where the offer or the tournament of the match excludes it, ``check``
    where it is impossible for a player now; for a takeback, it returns how many moves would remain.
    """

    grant: Callable[[Match, CommandContext, Request, Sequence[Event]], Granted]
    check_terms: Callable[[Match], None] = lambda _match: None
    check: Callable[[Match, int, Sequence[Event]], int | None] = lambda *_: None
    command: Text
    """Describes its slash command."""
    board: Text
    """Under the board, while it is open."""
    question: Text | None = None
    """To the other players; None where the words depend on the match."""
    done: Mapping[EventKind, Text]
    """To the player who has just asked, agreed, declined or withdrawn it."""
    declined: tuple[Text, Text]
    """To those who hear of it: in a line, and in the line of a digest."""
    withdrawn: tuple[Text, Text]
    lapsed: tuple[Text, Text]


def _not_in_tournaments(code: str) -> Callable[[Match], None]:
    def check(match: Match) -> None:
        if match.tournament is not None:
            raise UserError(code)

    return check


def _check_draw(match: Match, _player: int, _past: Sequence[Event]) -> None:
    info = game_state_of(match).game.info
    if not info.allows_draw_offer:
        raise UserError("no_draws", game=info.name)


def _draw(match: Match, _act: CommandContext, _asked: Request, _past: Sequence[Event]) -> Granted:
    result = ended_by_players(game_state_of(match), Ending.AGREEMENT, ())
    return {}, {"status": MatchStatus.FINISHED, "result": result}


_DRAW = Wish(
    check=_check_draw,
    grant=_draw,
    command=Text.of("Offer a draw, or accept one"),
    board=Text.of("{player} offers a draw."),
    question=Text.of("{player}, {other} offers a draw in {game}."),
    done={
        EventKind.ASKED: Text.of("You offered a draw."),
        EventKind.AGREED: Text.of("You accepted the draw."),
        EventKind.REFUSED: Text.of("You declined the draw."),
        EventKind.RETRACTED: Text.of("You withdrew your draw offer."),
    },
    declined=(
        Text.of("{player}, the draw offer in {game} was declined."),
        Text.of("the draw offer was declined"),
    ),
    withdrawn=(
        Text.of("{player}, the draw offer in {game} was withdrawn."),
        Text.of("the draw offer was withdrawn"),
    ),
    lapsed=(
        Text.of("{player}, the draw offer in {game} has expired."),
        Text.of("the draw offer has expired"),
    ),
)


def _takebacks_allowed(match: Match) -> None:
    if not match.takebacks:
        raise UserError("no_takebacks")
    if match.tournament is not None and not match.tournament.takebacks:
        raise UserError("tournament_no_takebacks")


def _check_takeback(_match: Match, player: int, past: Sequence[Event]) -> int:
    ply = own_last(past, player)
    if ply is None:
        raise UserError("nothing_to_take_back")
    return ply


def _take_back(match: Match, act: CommandContext, asked: Request, past: Sequence[Event]) -> Granted:
    ply = asked.ply or 0
    table, changes = rewound(match, past, ply)
    changes |= {"requests": ()} | rewound_times(match, act, table)
    payload = {"undone": match.ply - ply, "state": changes["state"], **stood_payload(match, act)}
    return payload | until_payload(act, changes.get("times"), match.players), changes


_TAKEBACK = Wish(
    check_terms=_takebacks_allowed,
    check=_check_takeback,
    grant=_take_back,
    command=Text.of("Ask to take back your last move"),
    board=Text.of("{player} asks to take a move back."),
    done={
        EventKind.ASKED: Text.of("You asked to take back your last move."),
        EventKind.AGREED: Text.of("You accepted the takeback."),
        EventKind.REFUSED: Text.of("You declined the takeback."),
        EventKind.RETRACTED: Text.of("You withdrew your takeback request."),
    },
    declined=(
        Text.of("{player}, the takeback request in {game} was declined."),
        Text.of("the takeback was declined"),
    ),
    withdrawn=(
        Text.of("{player}, the takeback request in {game} was withdrawn."),
        Text.of("the takeback request was withdrawn"),
    ),
    lapsed=(
        Text.of("{player}, the takeback request in {game} has expired."),
        Text.of("the takeback request has expired"),
    ),
)


def _check_pause(match: Match, _player: int, _past: Sequence[Event]) -> None:
    if match.clock is None or match.times is None:
        raise UserError("no_clock")
    if match.times.is_paused:
        raise UserError("paused_already")
    if match.times.running is None:
        raise UserError("computer_on_turn")


def _pause(match: Match, act: CommandContext, _asked: Request, _past: Sequence[Event]) -> Granted:
    return stood_payload(match, act), {"times": paused(match, act)}


_PAUSE = Wish(
    check_terms=_not_in_tournaments("tournament_no_pause"),
    check=_check_pause,
    grant=_pause,
    command=Text.of("Ask for a pause, or accept one"),
    board=Text.of("{player} asks for a pause."),
    question=Text.of(
        "{player}, {other} asks for a pause in {game}. The clock would stop until a player resumes"
        " the match or makes the next move."
    ),
    done={
        EventKind.ASKED: Text.of(
            "You asked for a pause. The clock runs on until all players accept."
        ),
        EventKind.AGREED: Text.of("You accepted the pause."),
        EventKind.REFUSED: Text.of("You declined the pause."),
        EventKind.RETRACTED: Text.of("You withdrew your pause request."),
    },
    declined=(
        Text.of("{player}, the pause request in {game} was declined."),
        Text.of("the pause was declined"),
    ),
    withdrawn=(
        Text.of("{player}, the pause request in {game} was withdrawn."),
        Text.of("the pause request was withdrawn"),
    ),
    lapsed=(
        Text.of("{player}, the pause request in {game} has expired."),
        Text.of("the pause request has expired"),
    ),
)


def _abort(match: Match, act: CommandContext, _asked: Request, _past: Sequence[Event]) -> Granted:
    times = credited(match, act.stopped_spans).times
    return stood_payload(match, act), {"status": MatchStatus.ABORTED, "times": times}


_ABORT = Wish(
    check_terms=_not_in_tournaments("tournament_no_abort"),
    grant=_abort,
    command=Text.of("End a match without a result; after its second move all players must agree"),
    board=Text.of("{player} asks to abort the match."),
    question=Text.of("{player}, {other} asks to abort your {game} match. It would have no result."),
    done={
        EventKind.ASKED: Text.of(
            "You asked to abort the match. It goes on until all players accept."
        ),
        EventKind.AGREED: Text.of("You accepted. The match was aborted and has no result."),
        EventKind.REFUSED: Text.of("You declined. The match goes on."),
        EventKind.RETRACTED: Text.of("You withdrew your request to abort."),
    },
    declined=(
        Text.of("{player}, the request to abort your {game} match was declined."),
        Text.of("the request to abort was declined"),
    ),
    withdrawn=(
        Text.of("{player}, the request to abort your {game} match was withdrawn."),
        Text.of("the request to abort was withdrawn"),
    ),
    lapsed=(
        Text.of("{player}, the request to abort your {game} match has expired."),
        Text.of("the request to abort has expired"),
    ),
)


WISHES: dict[RequestKind, Wish] = {
    RequestKind.DRAW: _DRAW,
    RequestKind.TAKEBACK: _TAKEBACK,
    RequestKind.PAUSE: _PAUSE,
    RequestKind.ABORT: _ABORT,
}
