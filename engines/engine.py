"""A computer opponent: a search, the levels at which it plays, its resignations and its draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import log
from random import Random
from typing import Any

from engines.api import PROVED_DEPTH, AnalysedMove, Candidate, Level, Search
from engines.beginner import Beginner
from engines.board import Board
from engines.pie import is_cut, swap_of
from engines.verdicts import ShortProofs
from games.api import Game

_HOPELESS = 0.03
"""Below this value a player of some strength resigns."""
_LOSING = 0.2
"""Below this value a draw is welcome at any time."""
_EVEN = 0.04
"""The distance from even within which a draw is fair."""
_LONG = 60
"""The number of plies before which no engine offers a draw."""
_PROOF_NODES = 6_000
_FOR_PROOFS = 20
"""The states of short proofs for each node of the search, and their limit."""
_OPENINGS = 6
"""The number of first moves that are compared where a swap may follow."""
_REVIEW_PROOFS = 60_000
_FROM_THE_END = 4
"""The states that a review spends on short proofs: later positions get more."""
_CLOSER = 4
_CLOSER_OF_REVIEW = 10
"""A closer look has a quarter of the top level's nodes, but at most a tenth of a review's,"""
_CLOSER_PROOFS = 3_000
"""and this many states for short proofs."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The action of an engine on move.

    If it ``resigns``, the move is the one that it would have played.
    """

    move: Any
    resigns: bool = False
    offers_draw: bool = False


class Engine:
    """Plays one game under one set of options. No data is kept from one move to the next.

    All answers depend on the position, the level and the seed alone. A position that is over has no
    moves to choose from: :exc:`ValueError`.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        board: Board[Any, Any],
        search: Search,
        levels: Sequence[Level],
        one_ply: Search,
        *,
        review: int,
        board_of: Callable[[Any], Board[Any, Any]] | None = None,
    ) -> None:
        """``one_ply`` looks one move ahead with the same knowledge; only measurements use it.

        ``review`` are the nodes for the moves of a whole game. ``board_of`` makes the board for a
        position that may be of another size than the options.
        """
        self.game = game
        self.board = board
        self.levels = tuple(levels)
        self.one_ply = one_ply
        self._search = search
        self._review = review
        self._board_of = board_of or (lambda _: board)

    def level(self, number: int) -> Level:
        """The level of that number, counted from 1; :exc:`ValueError` if there is none."""
        if not 1 <= number <= len(self.levels):
            raise ValueError(f"levels go from 1 to {len(self.levels)}")
        return self.levels[number - 1]

    def choose(self, position: Any, level: Level, seed: int) -> Any:
        """The move that the engine plays."""
        return self.decide(position, level, seed).move

    def decide(self, position: Any, level: Level, seed: int, *, plies: int = 0) -> Decision:
        """The move, with resignation and draw offer, by one search.

        ``plies`` is the length of the match so far.
        """
        move, value = self._decided(position, level, self._rng(position, seed))
        if value is None:
            return Decision(move)
        return Decision(
            move,
            resigns=self._gives_up(position, level, value),
            offers_draw=self._is_drawish(value, plies),
        )

    def _decided(self, position: Any, level: Level, rng: Random) -> tuple[Any, float | None]:
        """The move, and the value of the position if the search has computed it."""
        moves = self._moves(position)
        if len(moves) == 1:
            return moves[0], None
        swap = swap_of(self.game, position)
        if swap is None:
            if is_cut(self.game, position):
                return self._even_opening(position, level, rng), None
            return self._pick(position, moves, level, rng)
        rest = [move for move in moves if move != swap]
        best = self._candidates(position, rest, level, rng, compare=False)[0]
        return (swap, 1 - best.value) if best.value < 0.5 else (best.move, best.value)

    def value(self, position: Any, level: Level, seed: int) -> float:
        """The expectation of the player on move, from 0 to 1."""
        moves = self._moves(position)
        rng = self._rng(position, seed)
        return self._candidates(position, moves, level, rng, compare=False)[0].value

    def _gives_up(self, position: Any, level: Level, value: float) -> bool:
        """Whether the engine resigns with this expectation.

        Only at a table of two, and never on the two lowest levels: a beginner who wins against them
        should see the win on the board.
        """
        if len(self.game.seats) != 2 or level.number <= 2:
            return False
        return value <= _HOPELESS and swap_of(self.game, position) is None

    def _is_drawish(self, value: float, plies: int) -> bool:
        return plies >= _LONG and self._knows_draws() and abs(value - 0.5) <= _EVEN / 2

    def accepts_draw(
        self, position: Any, level: Level, seed: int, *, plies: int, on_move: bool = True
    ) -> bool:
        """Whether the engine, on move or not, accepts a draw that was offered to it.

        It does when it is losing, and in an even position of a long match.
        """
        if not self._knows_draws():
            return False
        value = self.value(position, level, seed)
        if not on_move:
            value = 1 - value
        return value < _LOSING or (plies >= _LONG and value <= 0.5 + _EVEN)

    def analyse(self, position: Any, nodes: int, seed: int = 0) -> tuple[AnalysedMove, ...]:
        """The verdict on a position: all legal moves with values and lines, the best one first.

        Short proofs come first (:mod:`engines.verdicts`), then a search with this many nodes. The
        soonest win is the best winning move, the latest loss the best losing one.
        """
        proofs = min(_PROOF_NODES, _FOR_PROOFS * nodes)
        return self._verdict(position, nodes, seed, proofs=proofs)

    def review(
        self,
        position: Any,
        played: str,
        seed: int,
        *,
        ply: int,
        plies: int,
        closely: bool = False,
        failed: int = 0,
    ) -> tuple[AnalysedMove, ...]:
        """The verdict on a position of a game of so many ``plies`` in which a move was ``played``.

        It has all moves, but of those without a look only the played one is valued. Positions share
        the budget of a game, so a long one takes no longer; important ones get a second look,
        ``closely``. After an attempt that ``failed``, it spends a quarter.
        """
        left = max(1, plies - ply)
        proofs = (
            _REVIEW_PROOFS / (left + _FROM_THE_END) / log((plies + _FROM_THE_END) / _FROM_THE_END)
        )
        top = self.levels[-1].nodes
        nodes = min(top, self._review // max(1, plies))
        if closely:
            nodes = min(top // _CLOSER, self._review // _CLOSER_OF_REVIEW)
            proofs = max(proofs, _CLOSER_PROOFS)
        nodes, states = nodes >> 2 * failed, min(_PROOF_NODES, int(proofs)) >> 2 * failed
        return self._verdict(position, max(1, nodes), seed, proofs=states, played=played)

    def _verdict(
        self, position: Any, nodes: int, seed: int, *, proofs: int, played: str | None = None
    ) -> tuple[AnalysedMove, ...]:
        swap = swap_of(self.game, position)
        moves = [move for move in self._moves(position) if move != swap]
        sought = None if played is None else self.game.parse(position, played)
        if sought in moves:  # The move in question is proved first.
            moves = [sought, *(move for move in moves if move != sought)]
        found = self._proofs(position, moves, proofs)
        if len(found) < len(moves):
            rng = self._rng(position, seed)
            level = replace(self.levels[-1], nodes=nodes)
            searched = self._candidates(position, moves, level, rng, compare=True)
            for each in searched:
                if not each.is_guess:
                    found.setdefault(each.move, each)
            left = [move for move in moves if move not in found]
            best = max(found.values(), key=_merit, default=searched[0]).value
            wanted = [move for move in left if played is None or move == sought]
            found |= {
                move: self._valued(position, move, best, nodes // (4 * len(wanted)))
                if move in wanted
                else Candidate(move, best, (move,))
                for move in left
            }
        verdicts = sorted(found.values(), key=_merit, reverse=True)
        if is_cut(self.game, position):
            verdicts = sorted(map(_offered, verdicts), key=lambda each: -each.value)
        if swap is not None:
            exchanged = _swapped(swap, verdicts[0])
            is_better = exchanged.value > verdicts[0].value
            verdicts = [exchanged, *verdicts] if is_better else [*verdicts, exchanged]
            verdicts.sort(key=_merit, reverse=True)
        if played is not None:
            verdicts[1:] = [replace(each, line=each.line[:1]) for each in verdicts[1:]]
        return tuple(self._told(position, each) for each in verdicts)

    def _proofs(self, position: Any, moves: Sequence[Any], states: int) -> dict[Any, Candidate]:
        """The moves that are proved to win or to lose within a few moves."""
        board = self._board_of(position)
        proofs = ShortProofs(board, board.past(position), states)
        after = [board.start(self.game.play(position, move)) for move in moves]
        mover = board.mover(board.start(position))
        found: dict[Any, Candidate] = {}
        for move, proof in zip(moves, proofs.find(after, mover), strict=True):
            if proof is not None:
                is_won = proof.player == mover
                found[move] = Candidate(
                    move,
                    float(is_won),
                    (move, *proof.line),
                    is_proved=True,
                    within=proof.own + is_won,
                )
        return found

    def _valued(self, position: Any, move: Any, best: float, nodes: int) -> Candidate:
        """A move that the search has left out, which is no better than the best of the others.

        Its value comes from the next player's; with more than one opponent that is not known, and
        the move counts as good as the best.
        """
        value, after = best, self.game.play(position, move)
        if self.board.players == 2 and self.game.outcome(after) is None:
            value = self.value(after, replace(self.levels[-1], nodes=max(1, nodes)), 0)
            if self.game.to_move(after) != self.game.to_move(position):
                value = 1 - value
        return Candidate(move, min(value, best), (move,))

    def _told(self, position: Any, candidate: Candidate) -> AnalysedMove:
        line: list[str] = []
        here = position
        for move in candidate.line:
            if self.game.why_illegal(here, move) is not None:
                break
            line.append(self.game.notation(here, move))
            here = self.game.play(here, move)
        proof = None
        if candidate.is_proved:
            proof = "win" if candidate.is_won else "loss" if candidate.is_lost else "draw"
        return AnalysedMove(line[0], candidate.value, tuple(line), proof, candidate.within)

    def _moves(self, position: Any) -> list[Any]:
        moves = list(self.game.legal_moves(position))
        if not moves:
            raise ValueError("the game is over")
        return moves

    def _rng(self, position: Any, seed: int) -> Random:
        # A text seeds the same generator everywhere; other values would be hashed.
        return Random(f"{seed} {self.game.info.key} {self.game.encode(position)}")

    def _candidates(
        self, position: Any, moves: Sequence[Any], level: Level, rng: Random, *, compare: bool
    ) -> list[Candidate]:
        """The search's result for these moves at that level."""
        allowed = set(moves)
        search = self._search
        if level.oversights is not None:
            search = Beginner(self._board_of(position), level.oversights, level.margin)
        found = search.candidates(position, level.nodes, rng, compare=compare)
        return [each for each in found if each.move in allowed]

    def _pick(
        self, position: Any, moves: Sequence[Any], level: Level, rng: Random
    ) -> tuple[Any, float | None]:
        slips = rng.random() < level.slips
        compare = slips or level.margin > 0
        found = self._candidates(position, moves, level, rng, compare=compare)
        best = found[0].value
        if found[0].is_won:
            return found[0].move, best
        found = [each for each in found if not each.is_lost] or found[:1]
        if slips:
            return found[int(rng.random() * len(found))].move, best
        if level.margin <= 0 or level.oversights is not None:
            return found[0].move, best
        top = max(each.value for each in found)
        close = [each for each in found if top - each.value < level.margin]
        weights = [(1 - (top - each.value) / level.margin) ** 2 for each in close]
        return _weighed(close, weights, rng).move, best

    def _even_opening(self, position: Any, level: Level, rng: Random) -> Any:
        """A first move, one of a few at random, that leaves the other player the hardest choice."""
        moves = self._moves(position)
        rng.shuffle(moves)
        chosen = moves[:_OPENINGS]
        share = replace(level, nodes=max(1, level.nodes // len(chosen)))
        distances: list[float] = []
        for move in chosen:
            after = self.game.play(position, move)
            swap = swap_of(self.game, after)
            rest = [reply for reply in self._moves(after) if reply != swap]
            found = self._candidates(after, rest, share, rng, compare=False)
            distances.append(abs(found[0].value - 0.5))
        return chosen[distances.index(min(distances))]

    def _knows_draws(self) -> bool:
        return self.game.info.allows_draw_offer and len(self.game.seats) == 2


def _merit(each: Candidate) -> tuple[float, ...]:
    """A larger number means a better move; the search's results keep their order."""
    within = PROVED_DEPTH if each.within is None else each.within
    return (1, -within) if each.is_won else (-1, within) if each.is_lost else (0,)


def _offered(each: Candidate) -> Candidate:
    """A move that the opponent may answer with a swap: they take the better side."""
    return replace(each, value=min(each.value, 1 - each.value), line=each.line[:1], within=None)


def _swapped(swap: Any, best: Candidate) -> Candidate:
    """The swap: the opponent then gets the value of the best other move."""
    return Candidate(swap, 1 - best.value, (swap,), is_proved=best.is_won or best.is_lost)


def _weighed(found: Sequence[Candidate], weights: Sequence[float], rng: Random) -> Candidate:
    """One of them, each with a chance by its weight."""
    left = rng.random() * sum(weights)
    for each, weight in zip(found, weights, strict=True):
        left -= weight
        if left < 0:
            return each
    return found[-1]
