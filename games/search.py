"""Exhaustive search: the result of best play, as far as a question needs it, by the rules alone.

It neither guesses nor cuts corners, so it is for small boards and short endings: puzzles, solved
boards, tests. Positions reached in several ways are examined once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from games.api import Game, Seat
from games.view import Text


class TooMuchError(ValueError):
    """A search needs more positions than allowed."""


class Search:
    """Answers about positions of one game from the point of view of one seat.

    All others are assumed to play together against it. :meth:`wins_within` raises
    :exc:`TooMuchError` if it needs more than ``most`` positions.
    """

    def __init__(self, game: Game[Any, Any], seat: Seat, most: int | None = None) -> None:
        self._game = game
        self._seat = seat
        self._most = most
        self._within: dict[tuple[Hashable, int], bool] = {}
        self._length: dict[Hashable, int | None] = {}

    def wins_within(self, position: Hashable, own: int) -> bool:
        """Whether the seat can force a win with at most ``own`` moves of its own.

        Moves of others do not count, however many they make in between or after the last of them.
        """
        game, seat = self._game, self._seat
        outcome = game.outcome(position)
        if outcome is not None:
            return seat in outcome.winners
        is_own = game.to_move(position) == seat
        if is_own and own == 0:
            return False
        key = (position, own)
        if key not in self._within:
            if self._most is not None and len(self._within) >= self._most:
                raise TooMuchError("too many positions to look at")
            after = (
                self.wins_within(game.play(position, move), own - is_own)
                for move in game.legal_moves(position)
            )
            self._within[key] = any(after) if is_own else all(after)
        return self._within[key]

    def length(self, position: Hashable) -> int | None:
        """The number of plies to the seat's win with best play of all, None if it does not win.

        It examines the whole game, which must not be able to go on for ever.
        """
        game, seat = self._game, self._seat
        outcome = game.outcome(position)
        if outcome is not None:
            return 0 if seat in outcome.winners else None
        if position not in self._length:
            after = [self.length(game.play(position, move)) for move in game.legal_moves(position)]
            wins = [plies for plies in after if plies is not None]
            if game.to_move(position) == seat:
                found = 1 + min(wins) if wins else None
            else:
                found = 1 + max(wins) if len(wins) == len(after) else None
            self._length[position] = found
        return self._length[position]


@dataclass(frozen=True, slots=True)
class Refutation:
    """Why a move does not reach a goal: ``words``, and the other side's answer to it.

    ``answer`` is in canonical notation, None for any move.
    """

    answer: str | None
    words: Text


class Goal(Protocol):
    """The aim of a search."""

    def moves(self, game: Game[Any, Any], position: Any) -> frozenset[str]:
        """All legal moves that reach it, in canonical notation."""
        ...

    def refutation(self, game: Game[Any, Any], position: Any, move: Any) -> Refutation | None:
        """The other side's answer to a legal move that misses the goal, None if it need not act."""
        ...


def _mover(game: Game[Any, Any], position: Any) -> Seat:
    seat = game.to_move(position)
    if seat is None:
        raise ValueError("the game is over")
    return seat


def _opponent(game: Game[Any, Any], position: Any) -> Seat:
    """The seat that is not on turn, at a table of two."""
    mover = _mover(game, position)
    if len(game.seats) != 2:
        raise ValueError("more than one opponent")
    return Seat(1 - mover)


def _after(game: Game[Any, Any], position: Any) -> dict[str, Any]:
    """Each legal move with the position after it."""
    return {
        game.notation(position, move): game.play(position, move)
        for move in game.legal_moves(position)
    }


def _and_wins(answer: str) -> Refutation:
    return Refutation(answer, Text.of("Your opponent answers {move} and wins.", move=answer))


def _answers(game: Game[Any, Any], position: Any, move: Any) -> Iterator[tuple[str, Any]]:
    """Another player's answers to a move, each with the position after it."""
    seat, then = game.to_move(position), game.play(position, move)
    return iter(() if game.to_move(then) == seat else _after(game, then).items())


@dataclass(frozen=True, slots=True)
class ForcedWin:
    """A move that wins against any play, in at most ``within`` own moves.

    A shared win counts. ``within`` None asks whether it wins at all, for games that cannot go on
    for ever. ``most`` bounds the search as in :class:`Search`.
    """

    within: int | None = None
    most: int | None = None

    def moves(self, game: Game[Any, Any], position: Any) -> frozenset[str]:
        """All legal moves that reach it, in canonical notation."""
        search = Search(game, _mover(game, position), self.most)
        after = _after(game, position).items()
        if self.within is None:
            return frozenset(move for move, then in after if search.length(then) is not None)
        left = self.within - 1
        return frozenset(move for move, then in after if search.wins_within(then, left))

    def refutation(self, game: Game[Any, Any], position: Any, move: Any) -> Refutation | None:
        """The other side's answer to a legal move that misses the goal, None if it need not act.

        Where an immediate win was missed, it acts if the next move does not win either.
        """
        seat = _mover(game, position)
        search = Search(game, seat)
        left = max(1, (self.within or 1) - 1)
        answers = dict(_answers(game, position, move))
        for answer, then in answers.items():
            outcome = game.outcome(then)
            if outcome is not None and outcome.winners and seat not in outcome.winners:
                return _and_wins(answer)
        averting = [
            answer for answer, then in answers.items() if not self._is_won(search, then, left)
        ]
        if not averting:
            return None
        if len(averting) == len(answers):
            words = Text.of("Whatever your opponent answers, the win is gone.")
            return Refutation(None, words)
        words = Text.of("Your opponent answers {move}, and the win is gone.", move=averting[0])
        return Refutation(averting[0], words)

    def _is_won(self, search: Search, position: Any, own: int) -> bool:
        if self.within is None:
            return search.length(position) is not None
        return search.wins_within(position, own)


@dataclass(frozen=True, slots=True)
class LongestDefence:
    """Of moves that all lose, one that loses last. For two seats and a game that must end."""

    def moves(self, game: Game[Any, Any], position: Any) -> frozenset[str]:
        """All legal moves that reach it, in canonical notation; none if not every move loses."""
        search = Search(game, _opponent(game, position))
        lengths = {move: search.length(then) for move, then in _after(game, position).items()}
        known = {move: plies for move, plies in lengths.items() if plies is not None}
        if len(known) < len(lengths):
            return frozenset()
        longest = max(known.values())
        return frozenset(move for move, plies in known.items() if plies == longest)

    def refutation(self, game: Game[Any, Any], position: Any, move: Any) -> Refutation | None:
        """The other side's answer to a legal move that misses the goal, None if it need not act."""
        search = Search(game, _opponent(game, position))
        lengths = {answer: search.length(then) for answer, then in _answers(game, position, move)}
        known = {answer: plies for answer, plies in lengths.items() if plies is not None}
        if not known:
            return None
        soonest = min(known, key=known.__getitem__)
        words = Text.of("Your opponent answers {move} and wins sooner.", move=soonest)
        return Refutation(soonest, words)


@dataclass(frozen=True, slots=True)
class OnlyDefence:
    """A move after which the other of two seats cannot force a win in its next ``threat`` moves."""

    threat: int = 1

    def moves(self, game: Game[Any, Any], position: Any) -> frozenset[str]:
        """All legal moves that reach it, in canonical notation."""
        search = Search(game, _opponent(game, position))
        return frozenset(
            move
            for move, then in _after(game, position).items()
            if not search.wins_within(then, self.threat)
        )

    def refutation(self, game: Game[Any, Any], position: Any, move: Any) -> Refutation | None:
        """The other side's answer to a legal move that misses the goal, None if it need not act."""
        search = Search(game, _opponent(game, position))
        for answer, then in _answers(game, position, move):
            if search.wins_within(then, self.threat - 1):
                return _and_wins(answer)
        return None


@dataclass(frozen=True, slots=True)
class MostPoints:
    """A move that begins a turn with the highest score for the colour on turn at its end.

    A turn may have several own moves; all of them are tried. With ``lead`` the score of the best
    other colour is subtracted.
    """

    lead: bool = False

    def moves(self, game: Game[Any, Any], position: Any) -> frozenset[str]:
        """All legal moves that reach it, in canonical notation."""
        seat = _mover(game, position)
        colour = game.view(position, None).to_move
        best = {
            move: self._best(game, then, seat, colour or 0)
            for move, then in _after(game, position).items()
        }
        most = max(best.values())
        return frozenset(move for move, points in best.items() if points == most)

    def refutation(self, game: Game[Any, Any], position: Any, move: Any) -> Refutation | None:  # noqa: ARG002
        """None: no answer of the other side explains missed points."""
        return None

    def _best(self, game: Game[Any, Any], position: Any, seat: Seat, colour: int) -> int:
        view = game.view(position, None)
        if view.to_move == colour and game.to_move(position) == seat:
            return max(
                self._best(game, then, seat, colour) for then in _after(game, position).values()
            )
        scores = [each.score or 0 for each in view.colours]
        own = scores.pop(colour)
        return own - max(scores) if self.lead else own
