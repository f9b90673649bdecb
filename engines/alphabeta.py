"""Alpha-beta search: iterative deepening, principal variations, a table of positions seen.

After Knuth and Moore 1975 and Marsland 1983 (principal variation search). Moves are tried in the
order of the table's move, the board's own order, two killer moves a ply and the history of cutoffs;
late quiet moves are searched one ply less at first. Where the board allows it, a position in which
a null move is good enough is not searched to the whole depth (Beal 1989). Where the depth ends,
loud moves go on until the position is quiet.

A position that occurred before, in the game or on the way from it, counts as a draw.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Any, Generic, TypeVar

from engines.api import PROVED_DEPTH, Candidate
from engines.board import SURE, WIN, ScoredBoard

S = TypeVar("S")
M = TypeVar("M", bound=Hashable)

_EXACT, _AT_LEAST, _AT_MOST = 0, 1, 2
_LARGEST_TABLE = 200_000
_LOUD_PLIES = 12


class _BudgetSpent(Exception):
    """All nodes are used up."""


class AlphaBeta(Generic[S, M]):
    """Searches of one board; no data is kept from one to the next."""

    def __init__(self, board: ScoredBoard[S, M], *, deepest: int = PROVED_DEPTH) -> None:
        self._board = board
        self._deepest = deepest

    def candidates(
        self, position: Any, nodes: int, rng: Random, *, compare: bool = False
    ) -> list[Candidate]:
        """All legal moves, the best one first; see :class:`engines.api.Search`."""
        return _Run(
            self._board, position, nodes, rng, compare=compare, deepest=self._deepest
        ).candidates()


class _Run(Generic[S, M]):
    """One search from one position."""

    def __init__(
        self,
        board: ScoredBoard[S, M],
        position: Any,
        nodes: int,
        rng: Random,
        *,
        compare: bool,
        deepest: int,
    ) -> None:
        self._board = board
        self._root = board.start(position)
        self._left = nodes
        self._compare = compare
        self._deepest = deepest
        self._table: dict[Hashable, tuple[int, int, int, M | None]] = {}
        self._killers: list[list[M]] = [[] for _ in range(2 * PROVED_DEPTH + 2)]
        self._history: dict[M, int] = {}
        self._path: set[Hashable] = set(board.past(position))
        self._path.add(board.key(self._root))
        moves = board.order(self._root, board.moves(self._root))
        # Among equals the seed decides, which varies openings.
        places = {move: rng.random() for move in moves}
        self._moves = sorted(moves, key=places.__getitem__)
        self._scores: dict[M, int] = {}

    def candidates(self) -> list[Candidate]:
        board, root = self._board, self._root
        order = self._moves
        self._scores = dict.fromkeys(order, 0)
        for depth in range(1, self._deepest + 1):
            found: dict[M, int] = {}
            try:
                self._search_root(order, depth, found)
            except _BudgetSpent:
                # The results of a half-searched depth about its first moves still count, as those
                # were the best before.
                if found and (depth == 1 or not self._compare):
                    self._scores = self._merged(order, found)
                break
            self._scores = found
            order = sorted(order, key=lambda move: -self._scores[move])
            best = self._scores[order[0]]
            if abs(best) >= SURE and WIN - abs(best) <= depth:
                break
            if len(order) == 1 and depth >= 2:
                break
            if all(abs(score) >= SURE for score in self._scores.values()):
                break
        order = sorted(order, key=lambda move: -self._scores[move])
        return [self._candidate(root, move, self._scores[move], board) for move in order]

    def _merged(self, order: Sequence[M], found: dict[M, int]) -> dict[M, int]:
        best = max(found.values())
        rest = [move for move in order if move not in found]
        if len(found) == 1 and rest and best < self._scores[order[0]] - self._board.unit // 4:
            return self._scores  # the best move became worse, and no other was searched
        return found | {move: min(self._scores[move], best - 1) for move in rest}

    def _candidate(self, root: S, move: M, score: int, board: ScoredBoard[S, M]) -> Candidate:
        is_proved = abs(score) >= SURE
        return Candidate(
            board.named(root, move), board.value(score), self._line(root, move), is_proved
        )

    def _line(self, state: S, move: M | None) -> tuple[Any, ...]:
        line: list[Any] = []
        seen: set[Hashable] = set()
        while move is not None and len(line) < 10:
            line.append(self._board.named(state, move))
            state = self._board.play(state, move)
            key = self._board.key(state)
            if self._board.rewards(state) is not None or key in seen:
                break
            seen.add(key)
            entry = self._table.get(key)
            move = entry[3] if entry else None
        return tuple(line)

    def _search_root(self, order: Sequence[M], depth: int, found: dict[M, int]) -> None:
        alpha = -WIN
        for number, move in enumerate(order):
            state = self._board.play(self._root, move)
            if number == 0 or self._compare:
                score = -self._search(state, depth - 1, -WIN, WIN, 1)
            else:
                score = -self._search(state, depth - 1, -alpha - 1, -alpha, 1)
                if score > alpha:
                    score = -self._search(state, depth - 1, -WIN, -alpha, 1)
            if score > alpha or self._compare:
                found[move] = score
            else:  # only known to be no better: it must not tie with the best one, nor seem won
                found[move] = min(score, alpha - 1, SURE - 1)
            alpha = max(alpha, score)

    def _search(
        self, state: S, depth: int, alpha: int, beta: int, ply: int, *, may_idle: bool = True
    ) -> int:
        board = self._board
        rewards = board.rewards(state)
        if rewards is not None:
            reward = rewards[board.mover(state)]
            return 0 if reward == 0.5 else WIN - ply if reward > 0.5 else ply - WIN
        if self._left <= 0:
            raise _BudgetSpent
        self._left -= 1
        key = board.key(state)
        if key in self._path:
            return 0
        if depth <= 0:
            return self._quiesce(state, alpha, beta, ply, _LOUD_PLIES)
        entry = self._table.get(key)
        preferred: M | None = None
        if entry is not None:
            known, kind, score, preferred = entry
            if abs(score) >= SURE:
                score += -ply if score > 0 else ply
            if known >= depth and (
                kind == _EXACT
                or (kind == _AT_LEAST and score >= beta)
                or (kind == _AT_MOST and score <= alpha)
            ):
                return score
        if may_idle and depth > 1 and beta - alpha == 1 and -SURE < beta < SURE:
            best = self._idle(state, depth, beta, ply)
            if beta <= best < SURE:
                return best
        self._path.add(key)
        try:
            best, move = self._try_all(state, depth, alpha, beta, ply, preferred=preferred)
        finally:
            self._path.discard(key)
        kind = _AT_LEAST if best >= beta else _EXACT if best > alpha else _AT_MOST
        stored = best + (ply if best > 0 else -ply) if abs(best) >= SURE else best
        if len(self._table) >= _LARGEST_TABLE:
            self._table.clear()
        self._table[key] = (depth, kind, stored, move)
        return best

    def _idle(self, state: S, depth: int, beta: int, ply: int) -> int:
        """The value of a null move, which most moves improve on; less than beta if not tried."""
        idle = self._board.idle(state)
        if idle is None or self._board.score(state) < beta:
            return beta - 1
        return -self._search(idle, depth - 3, -beta, 1 - beta, ply + 1, may_idle=False)

    def _try_all(
        self, state: S, depth: int, alpha: int, beta: int, ply: int, *, preferred: M | None
    ) -> tuple[int, M | None]:
        board = self._board
        best, best_move = -WIN, None
        late = board.quiet_from(depth)
        killers = self._killers[ply]
        for number, move in enumerate(self._ordered(state, ply, preferred)):
            after = board.play(state, move)
            if number == 0:
                score = -self._search(after, depth - 1, -beta, -alpha, ply + 1)
            else:
                less = 2 if depth >= 3 and number >= late and move not in killers else 1
                score = -self._search(after, depth - less, -alpha - 1, -alpha, ply + 1)
                if score > alpha and (less > 1 or score < beta):
                    score = -self._search(after, depth - 1, -beta, -alpha, ply + 1)
            if score > best:
                best, best_move = score, move
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        if move not in killers:
                            killers.insert(0, move)
                            del killers[2:]
                        self._history[move] = self._history.get(move, 0) + depth * depth
                        break
        return best, best_move

    def _ordered(self, state: S, ply: int, preferred: M | None) -> list[M]:
        board = self._board
        moves = board.order(state, board.moves(state))
        killers, history = self._killers[ply], self._history
        if history:
            rank = {move: number for number, move in enumerate(moves)}

            def urgency(move: M) -> tuple[int, int, int]:
                if move == preferred:
                    return 0, 0, 0
                if board.is_loud(state, move):
                    return 1, 0, rank[move]
                if move in killers:
                    return 2, 0, rank[move]
                return 3, -history.get(move, 0), rank[move]

            moves.sort(key=urgency)
        elif preferred in moves:
            moves.remove(preferred)
            moves.insert(0, preferred)
        return moves

    def _quiesce(
        self, state: S, alpha: int, beta: int, ply: int, left: int, *, last: M | None = None
    ) -> int:
        board = self._board
        best = board.score(state)
        if best >= beta or left == 0:
            return best
        alpha = max(alpha, best)
        for move in board.loud(state, last):
            after = board.play(state, move)
            rewards = board.rewards(after)
            if rewards is not None:
                reward = rewards[board.mover(state)]
                score = 0 if reward == 0.5 else WIN - ply - 1 if reward > 0.5 else ply + 1 - WIN
            else:
                if self._left <= 0:
                    raise _BudgetSpent
                self._left -= 1
                score = -self._quiesce(after, -beta, -alpha, ply + 1, left - 1, last=move)
            if score > best:
                best = score
                alpha = max(alpha, score)
                if score >= beta:
                    break
        return best
