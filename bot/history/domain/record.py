"""The content of a record, independent of its format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from random import Random
from typing import Any

from bot.domain.clock_text import write_clock
from bot.domain.events import Event, EventKind
from bot.domain.game_state import game_state_of
from bot.domain.match import Ending, Match, MatchStatus
from games import catalog
from games.api import Game, OptionValue

SITE = "Parlour"
"""The place of matches, for records."""
_STARTS = 8


class Conclusion(Enum):
    """The kind of end of the recorded play."""

    GAME = "game"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    TIME = "time"
    ADJUDICATION = "adjudication"
    ABORTED = "aborted"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class Person:
    """A player: a name to show, and an id that is the same in every record, if any."""

    name: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Resignation:
    """A player index that left, by resigning or out of time, and the number of moves before."""

    player: int
    after: int


@dataclass(frozen=True, slots=True)
class Tried:
    """A tried move in canonical notation; ``after`` is the number of the position before it."""

    after: int
    move: str


@dataclass(frozen=True, slots=True)
class Record:
    """A match as a file has it.

    ``players`` and ``scores`` are by player index, index 0 begins; ``scores`` is empty where there
    is no result. ``start`` is the position at the start in the text of
    :meth:`games.api.Game.encode`, empty where a game always starts from the same. ``moves`` are in
    canonical notation, one entry a move; ``reason`` is a code of the game's reasons if
    ``conclusion`` is GAME, else empty. ``started`` and ``ended`` are aware and whole seconds.
    ``clock`` is the canonical text of the clock, empty where there was none. ``event`` is the
    tournament's name and ``round`` the match's place in it, as PGN has them; both are empty outside
    of one. ``tried`` are the moves of variations, in the order of the text.
    """

    game: str
    options: Mapping[str, OptionValue] = field(hash=False)
    rules_version: int
    players: tuple[Person, ...]
    moves: tuple[str, ...]
    conclusion: Conclusion
    reason: str = ""
    scores: tuple[float, ...] = ()
    winners: tuple[int, ...] = ()
    resignations: tuple[Resignation, ...] = ()
    start: str = ""
    match: str = ""
    site: str = SITE
    started: datetime | None = None
    ended: datetime | None = None
    clock: str = ""
    event: str = ""
    round: str = ""
    tried: tuple[Tried, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """The moves that a player made in one turn."""

    player: int
    moves: tuple[str, ...]

    @property
    def text(self) -> str:
        """The turn in records: its moves joined by commas."""
        return ",".join(self.moves)


def record_of(match: Match, events: Iterable[Event], people: Sequence[Person]) -> Record:
    """The record of a match that has started, running or over.

    ``people`` are its players by player index. Raises :exc:`~bot.errors.UserError`
    (``not_started``, ``game_gone``, ``rules_changed``).
    """
    table = game_state_of(match)
    moves: list[str] = []
    resignations: list[Resignation] = []
    start = ""
    started: datetime | None = None
    for event in events:
        payload: Mapping[str, Any] = event.payload
        if "undone" in payload:
            del moves[len(moves) - payload["undone"] :]
            # A player who has left is not back: the play goes on without them.
            resignations = [
                Resignation(each.player, min(each.after, len(moves))) for each in resignations
            ]
        if event.kind is EventKind.STARTED:
            start, started = str(payload["state"]), event.at
        elif event.kind is EventKind.MOVED:
            moves += [payload["move"], *payload.get("then", ())]
        elif _leaves(event, match) and event.player is not None:
            resignations.append(Resignation(event.player, len(moves)))
            moves += payload.get("moves", ())
    result = match.result
    scores: tuple[float, ...] = ()
    if result is not None:
        seats = table.game.seating(table.position)
        scores = tuple(result.scores[seats.index(player)] for player in range(len(seats)))
    return Record(
        game=match.game,
        options=match.options,
        rules_version=match.rules_version,
        players=tuple(people),
        moves=tuple(moves),
        conclusion=_conclusion(match),
        reason=result.reason if result is not None and result.ending is Ending.GAME else "",
        scores=scores,
        winners=result.winners if result is not None else (),
        resignations=tuple(resignations),
        start="" if start == usual_start(table.game) else start,
        match=match.id,
        started=None if started is None else started.replace(microsecond=0),
        ended=match.updated_at.replace(microsecond=0) if match.status.is_final else None,
        clock="" if match.clock is None else write_clock(match.clock),
    )


def _leaves(event: Event, match: Match) -> bool:
    """Whether a player left the match; no player leaves an aborted one."""
    if event.kind is EventKind.FLAGGED:
        return event.player in match.retired
    return event.kind in (EventKind.RESIGNED, EventKind.CLAIMED)


def _conclusion(match: Match) -> Conclusion:
    if match.status is MatchStatus.ABORTED:
        return Conclusion.ABORTED
    return Conclusion.UNFINISHED if match.result is None else Conclusion(match.result.ending.value)


def usual_start(game: Game[Any, Any]) -> str | None:
    """The position from which a game always starts, None if its set-up is drawn by lot."""
    found = {game.encode(game.initial(Random(seed))) for seed in range(_STARTS)}  # noqa: S311
    return found.pop() if len(found) == 1 else None


def turns(record: Record) -> tuple[tuple[RecordedTurn, ...], tuple[int, ...]]:
    """The turns of a record in order, and the player indices by seat at the end.

    A turn is the sequence of moves that one player makes with one colour.
    """
    game = catalog.create(record.game, record.options)
    start = record.start or usual_start(game)
    position = game.decode(start or "")
    found: list[RecordedTurn] = []
    before: tuple[int, str] | None = None
    for text in record.moves:
        mover = on_turn(game, position)
        if mover is None:
            raise ValueError(f"{text} comes after the end of the game")
        if mover == before:
            found[-1] = RecordedTurn(mover[0], (*found[-1].moves, text))
        else:
            found.append(RecordedTurn(mover[0], (text,)))
        before = mover
        position = game.play(position, game.parse(position, text))
    return tuple(found), tuple(game.seating(position))


def on_turn(game: Game[Any, Any], position: Any) -> tuple[int, str] | None:
    """The player index and the colour that are on turn, None after the end."""
    seat = game.to_move(position)
    return None if seat is None else (game.seating(position)[seat], game.turn(position))


def rounds(found: Iterable[RecordedTurn], order: Sequence[int]) -> list[list[RecordedTurn | None]]:
    """Turns in rounds of one column a player, in this order of player indices.

    Within a round the columns follow one another in time; a player without a turn in it has None.
    Read round by round and column by column, the turns are in the order in which they were played.
    """
    made: list[list[RecordedTurn | None]] = []
    last = len(order)
    for turn in found:
        column = order.index(turn.player)
        if column <= last or not made:
            made.append([None] * len(order))
        made[-1][column] = turn
        last = column
    return made


def ranks(scores: Sequence[float], winners: Iterable[int]) -> tuple[int, ...]:
    """The rank of each player: 0 for the last, equal numbers for equal ranks."""
    won = set(winners)
    standing = [(player in won, score) for player, score in enumerate(scores)]
    levels = sorted(set(standing))
    return tuple(levels.index(each) for each in standing)
