"""A match played through from its events: all its positions, and the maker of each move.

A history only ever grows. An event that takes moves back has their number (``undone``), and
:func:`moves_of`, which reads moves from events, leaves them out. The position after it is not
stored for this purpose: the game plays the remaining moves from the start.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from bot.domain.events import Event, EventKind
from bot.domain.game_state import GameState, game_state_of, in_match, keep, player_at
from bot.domain.match import RECENT, Match
from games.api import Game, Seat
from games.view import BoardView


@dataclass(frozen=True, slots=True)
class Playthrough:
    """The positions of a match in order, one more than its moves.

    ``notations`` are the moves in canonical notation; ``seats`` their makers. A *ply* counts the
    moves played: ply 0 is the position at the start.
    """

    match: Match
    table: GameState
    positions: tuple[Hashable, ...]
    moves: tuple[Any, ...]
    notations: tuple[str, ...]
    seats: tuple[Seat, ...]

    @property
    def plies(self) -> int:
        """The number of moves played."""
        return len(self.notations)

    def mover(self, ply: int) -> int:
        """The player index that made the move at this ply."""
        return self.table.game.seating(self.positions[ply])[self.seats[ply]]

    def at(self, ply: int) -> GameState:
        """The table at this ply."""
        return replace(self.table, position=self.positions[ply])

    def view(self, ply: int) -> BoardView:
        """The public view at this ply, its last move marked."""
        game = self.table.game
        view = game.view(self.positions[ply], None)
        if ply > 0:
            last = game.marks(self.positions[ply - 1], self.moves[ply - 1])
            recent = self.notations[max(0, ply - RECENT) : ply]
            view = view.with_marks(last, game.earlier_marks(self.positions[ply], recent))
        return in_match(view, self.match) if ply == self.plies else view


def moves_of(events: Iterable[Event]) -> tuple[str, ...]:
    """All moves of a match in canonical notation, with those played for absent players.

    Moves that were taken back are left out.
    """
    return tuple(words for _, words in _made(events))


def makers(events: Iterable[Event]) -> tuple[int | None, ...]:
    """The maker of each move by player index; None for a move played for an absent player."""
    return tuple(maker for maker, _ in _made(events))


def _made(events: Iterable[Event]) -> list[tuple[int | None, str]]:
    made: list[tuple[int | None, str]] = []
    for event in events:
        undone = event.payload.get("undone")
        if isinstance(undone, int):
            del made[max(len(made) - undone, 0) :]
        if event.kind is EventKind.MOVED:
            made.append((event.player, str(event.payload["move"])))
        played = event.payload.get("then") or event.payload.get("moves")
        if isinstance(played, list):
            made.extend((None, str(move)) for move in played)
    return made


def start_of(events: Iterable[Event]) -> str:
    """The position at the start, in the text of its game."""
    start = next(event for event in events if event.kind is EventKind.STARTED)
    return str(start.payload["state"])


def play_through(match: Match, events: Iterable[Event]) -> Playthrough:
    """Play a match through again.

    Raises :exc:`~bot.errors.UserError` (``not_started``, ``game_gone``, ``rules_changed``). It
    reads and plays every move, so run it in a worker thread for a long match.
    """
    events = tuple(events)
    table = game_state_of(match)
    return played_from(match, table.game, table.game.decode(start_of(events)), moves_of(events))


def played_from(
    match: Match, game: Game[Any, Any], start: Hashable, notations: tuple[str, ...]
) -> Playthrough:
    """Moves played one after another from a position."""
    positions: list[Any] = [start]
    moves: list[Any] = []
    seats: list[Seat] = []
    for notation in notations:
        before = positions[-1]
        seat = game.to_move(before)
        assert seat is not None  # noqa: S101 - a move was played here
        move = game.parse(before, notation)
        positions.append(game.play(before, move))
        moves.append(move)
        seats.append(seat)
    table = GameState(game, positions[-1])
    return Playthrough(match, table, tuple(positions), tuple(moves), notations, tuple(seats))


# ---- taken back ----------------------------------------------------------------------------------


def own_last(events: Iterable[Event], player: int) -> int | None:
    """The ply before the last move of a player's own; None if they made none.

    A move that was played for an absent player is not theirs.
    """
    made = makers(events)
    return next((ply for ply in range(len(made) - 1, -1, -1) if made[ply] == player), None)


def rewound(match: Match, events: Iterable[Event], ply: int) -> tuple[GameState, dict[str, Any]]:
    """The table after the first ``ply`` moves, and the change of the head that goes with it."""
    events = tuple(events)
    game = game_state_of(match).game
    moves = moves_of(events)[:ply]
    before, state = "", start_of(events)
    position = game.decode(state)
    moved_by: int | None = None
    for number, text in enumerate(moves, 1):
        seat = game.to_move(position)
        assert seat is not None  # noqa: S101 - a move was played here
        if number == ply:
            before = state if number == 1 else game.encode(position)
            moved_by = player_at(GameState(game, position), seat)
        position = game.play(position, game.parse(position, text))
    if moves:
        state = game.encode(position)
    keep(game, state, position)
    return GameState(game, position), {
        "state": state,
        "previous_state": before,
        "last_move": moves[-1] if moves else "",
        "moved_by": moved_by,
        "recent": moves[-RECENT:],
        "ply": ply,
        "position_since": match.version + 1,
    }
