"""The interface of a game for searches: states, moves and their values.

Rules belong to ``games``. A :class:`Board` is either :class:`RulesBoard`, which uses them and fits
every game, or an engine's own board that gives the same answers much faster. Tests over random play
compare the latter with the rules.

States are values: a move makes a new one. Players are numbered as in :mod:`games.api`: they are
people, so that a swap of the pie rule is a move like any other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Any, Generic, TypeVar

from games.api import Game

S = TypeVar("S")
M = TypeVar("M")

WIN = 1_000_000
"""The score of a won position; a win in ``n`` plies scores ``n`` less."""
SURE = WIN - 1_000
"""From this score on a win is certain, not an estimate."""


class Board(ABC, Generic[S, M]):
    """One game under one set of options, for searches."""

    players: int = 2
    unit: float = 1.0
    width: int = 0
    """The width of the board in cells; 0 where distances are not known."""
    longest_playout: int = 300
    """The number of random moves after which a game counts as even.

    Some games can only end by repetition, which a board need not see.
    """

    @abstractmethod
    def start(self, position: Any) -> S:
        """The state of a position of the game."""

    @abstractmethod
    def mover(self, state: S) -> int:
        """The player on move."""

    @abstractmethod
    def moves(self, state: S) -> Sequence[M]:
        """The legal moves of a state that is not over, in an order that depends on it alone.

        Moves that can never be better than another one may be left out.
        """

    @abstractmethod
    def play(self, state: S, move: M) -> S:
        """The state after a legal move."""

    @abstractmethod
    def rewards(self, state: S) -> tuple[float, ...] | None:
        """Each player's share of the win once the game is over, None before."""

    @abstractmethod
    def key(self, state: S) -> Hashable:
        """The part of a state that determines its value."""

    @abstractmethod
    def named(self, state: S, move: M) -> Any:
        """The move in the game's form."""

    def forced(self, state: S) -> tuple[bool | None, Sequence[M]]:
        """Whether the player on move surely wins or loses, if plain, and the moves.

        That is a win with this move, or a loss to the next one. A win comes with one move that
        makes it. Moves that lose to the next one may be left out. The state is not over.
        """
        return None, self.moves(state)

    def efforts(self, state: S, moves: Sequence[M]) -> tuple[int, int]:  # noqa: ARG002
        """A guess at the work of a proof that the player on move wins, and that they lose."""
        return 1, len(moves)

    def past(self, position: Any) -> Sequence[Hashable]:  # noqa: ARG002
        """The keys of earlier positions that may recur."""
        return ()

    def priors(self, state: S, moves: Sequence[M], rng: Random) -> Sequence[float]:  # noqa: ARG002
        """The quality of each move before any search; the numbers add up to 1."""
        return [1 / len(moves)] * len(moves)

    def standings(self, state: S) -> Sequence[float]:  # noqa: ARG002
        """The progress of each player's own plans, from a look at a state that is not over.

        A lead of :attr:`unit` is a clear advantage.
        """
        return (0.0,) * self.players

    def where(self, move: M) -> Sequence[tuple[int, int]]:  # noqa: ARG002
        """The file and the rank of each cell from which a piece moves, the target last."""
        return ()

    def takes(self, state: S, move: M) -> bool:  # noqa: ARG002
        """Whether the move takes something from the opponent, which every player sees."""
        return False

    def sights(self, state: S) -> Sequence[tuple[int, int]]:  # noqa: ARG002
        """The file and the rank of each cell near which the player on move would like to play."""
        return ()

    def side(self, key: Hashable, player: int) -> Hashable:  # noqa: ARG002
        """The player's own pieces in a state with that key."""
        return key

    def foreseen(
        self,
        state: S,  # noqa: ARG002
        moves: Sequence[M],  # noqa: ARG002
        nodes: int,  # noqa: ARG002
    ) -> Mapping[M, tuple[float, ...]]:
        """The rewards after those moves whose end can be computed with this many nodes."""
        return {}

    def playout(self, state: S, rng: Random) -> tuple[float, ...]:
        """The rewards of a random game from here, even ones if it goes on too long."""
        for _ in range(self.longest_playout):
            if (found := self.rewards(state)) is not None:
                return found
            moves = self.moves(state)
            state = self.play(state, moves[int(rng.random() * len(moves))])
        return self.rewards(state) or (1 / self.players,) * self.players


class ScoredBoard(Board[S, M]):
    """A board for two with an evaluation, for alpha-beta search. Players move in turn."""

    unit: int = 100

    @abstractmethod
    def score(self, state: S) -> int:
        """The score of the player on move in a state that is not over.

        0 is even; :attr:`unit` is a clear advantage. Mirrored positions have the same score.
        """

    def loud(self, state: S, after: M | None = None) -> Sequence[M]:  # noqa: ARG002
        """Moves that a quiet estimate must not stop before, such as captures.

        After a loud move, the answers to it may be enough.
        """
        return ()

    def is_loud(self, state: S, move: M) -> bool:  # noqa: ARG002
        """Whether the move is one of the loud ones."""
        return False

    def idle(self, state: S) -> S | None:  # noqa: ARG002
        """The state after a null move, None where that would hardly ever be good."""
        return None

    def judge(self, state: S, rng: Random) -> Sequence[float]:  # noqa: ARG002
        """The score as a value for each player."""
        value = self.value(self.score(state))
        return (1 - value, value) if self.mover(state) else (value, 1 - value)

    def takes(self, state: S, move: M) -> bool:
        """Whether it is a loud one."""
        return self.is_loud(state, move)

    def order(self, state: S, moves: Sequence[M]) -> list[M]:  # noqa: ARG002
        """The moves, likely good ones first."""
        return list(moves)

    def quiet_from(self, depth: int) -> int:  # noqa: ARG002
        """The number of moves after which the rest are searched less deeply at first."""
        return 6

    def value(self, score: int) -> float:
        """The value of a score: 0.5 for an even one."""
        if abs(score) >= SURE:
            return 1.0 if score > 0 else 0.0
        return 0.5 + 0.499 * score / (abs(score) + self.unit)


class RulesBoard(Board[Any, Any]):
    """Any game by its rules alone, through :mod:`games.api`."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game
        self.players = len(game.seats)

    def start(self, position: Any) -> Any:
        """The position itself."""
        return position

    def mover(self, state: Any) -> int:
        """The player in the seat on turn."""
        seat = self._game.to_move(state)
        if seat is None:
            raise ValueError("the game is over")
        return self._game.seating(state)[seat]

    def moves(self, state: Any) -> Sequence[Any]:
        """All legal moves."""
        return list(self._game.legal_moves(state))

    def play(self, state: Any, move: Any) -> Any:
        """The position after the move."""
        return self._game.play(state, move)

    def rewards(self, state: Any) -> tuple[float, ...] | None:
        """An even share of the win for each winner, or for all without a winner."""
        outcome = self._game.outcome(state)
        if outcome is None:
            return None
        winners = outcome.winners or range(self.players)
        seating = self._game.seating(state)
        found = [0.0] * self.players
        for seat in winners:
            found[seating[seat]] = 1 / len(winners)
        return tuple(found)

    def key(self, state: Any) -> Hashable:
        """The position itself, which is hashable."""
        position: Hashable = state
        return position

    def named(self, state: Any, move: Any) -> Any:  # noqa: ARG002
        """The move itself."""
        return move
