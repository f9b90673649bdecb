"""Reference players for measuring engines: at random, one ply ahead, alpha-beta, and plain UCT.

The one-ply player takes the best evaluation after its move, or a win if there is one. Plain
alpha-beta is Knuth and Moore 1975 with iterative deepening: all legal moves at every depth in the
board's order, at the root the best so far first, and the evaluation where the depth ends; no table,
no reductions, no captures beyond. Plain UCT is Kocsis and Szepesvári 2006: UCB1, one random game a
node, as the board plays it (:meth:`~engines.board.Board.playout`), and no other knowledge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from random import Random
from time import process_time
from typing import Any, Generic, TypeVar

from engines.api import PROVED_DEPTH, Candidate
from engines.board import SURE, WIN, Board, ScoredBoard

S = TypeVar("S")
M = TypeVar("M")


class AtRandom(Generic[S, M]):
    """Any legal move."""

    def __init__(self, board: Board[S, M]) -> None:
        self._board = board

    def candidates(
        self,
        position: Any,
        nodes: int,  # noqa: ARG002
        rng: Random,
        *,
        compare: bool = False,  # noqa: ARG002
    ) -> list[Candidate]:
        """All legal moves in random order, all worth the same."""
        state = self._board.start(position)
        named = [self._board.named(state, move) for move in self._board.moves(state)]
        rng.shuffle(named)
        return [Candidate(move, 1 / self._board.players, (move,)) for move in named]


class OnePly(Generic[S, M]):
    """The best evaluation after one move, by a judge of the states that moves lead to."""

    def __init__(self, board: Board[S, M], judge: Callable[[S, Random], Sequence[float]]) -> None:
        """``judge`` returns the value of a state that is not over for each player."""
        self._board = board
        self._judge = judge

    def candidates(
        self,
        position: Any,
        nodes: int,  # noqa: ARG002
        rng: Random,
        *,
        compare: bool = False,  # noqa: ARG002
    ) -> list[Candidate]:
        """All legal moves, the best one first."""
        board = self._board
        state = board.start(position)
        mover = board.mover(state)
        found: list[Candidate] = []
        for move in board.moves(state):
            after = board.play(state, move)
            rewards = board.rewards(after)
            value = (self._judge(after, rng) if rewards is None else rewards)[mover]
            name = board.named(state, move)
            found.append(Candidate(name, value, (name,), rewards is not None))
        found.sort(key=lambda each: -each.value)
        return found


class _BudgetSpent(Exception):
    """All nodes are used up."""


class PlainAlphaBeta(Generic[S, M]):
    """Plain alpha-beta; a node is an examined state."""

    def __init__(self, board: ScoredBoard[S, M]) -> None:
        self._board = board
        self._left = 0

    def candidates(
        self,
        position: Any,
        nodes: int,
        rng: Random,
        *,
        compare: bool = False,  # noqa: ARG002
    ) -> list[Candidate]:
        """All legal moves, the best one first; the values of the others are bounds."""
        board = self._board
        state = board.start(position)
        past = frozenset(board.past(position))
        moves = list(board.moves(state))
        rng.shuffle(moves)
        scores = dict.fromkeys(moves, 0)
        self._left = nodes
        for depth in range(1, PROVED_DEPTH):
            found: dict[M, int] = {}
            try:
                alpha = -WIN
                for move in moves:
                    after = board.play(state, move)
                    score = 0 if board.key(after) in past else -self._score(after, depth, alpha)
                    found[move] = score if score > alpha else min(score, alpha - 1)
                    alpha = max(alpha, score)
            except _BudgetSpent:
                if found:  # of a half-searched depth the first moves count, the best before
                    scores = {move: min(scores[move], alpha - 1) for move in moves} | found
                break
            scores = found
            moves.sort(key=lambda move: -scores[move])
            if abs(alpha) >= SURE or len(moves) == 1:
                break
        moves.sort(key=lambda move: -scores[move])
        named = [(board.named(state, move), board.value(scores[move])) for move in moves]
        return [Candidate(name, value, (name,)) for name, value in named]

    def _score(self, state: S, depth: int, alpha: int) -> int:
        """The value of a state after a move at the root, for the side on move there."""
        return self._search(state, depth - 1, -WIN, -alpha, 1)

    def _search(self, state: S, depth: int, alpha: int, beta: int, ply: int) -> int:
        board = self._board
        rewards = board.rewards(state)
        if rewards is not None:
            reward = rewards[board.mover(state)]
            return 0 if reward == 0.5 else WIN - ply if reward > 0.5 else ply - WIN
        if self._left <= 0:
            raise _BudgetSpent
        self._left -= 1
        if depth == 0:
            return board.score(state)
        for move in board.order(state, board.moves(state)):
            after = board.play(state, move)
            alpha = max(alpha, -self._search(after, depth - 1, -beta, -alpha, ply + 1))
            if alpha >= beta:
                break
        return alpha


class _Node(Generic[S, M]):
    __slots__ = ("children", "left", "state", "totals", "visits")

    def __init__(self, state: S, players: int, left: list[M]) -> None:
        self.state = state
        self.left = left
        self.children: list[tuple[M, _Node[S, M]]] = []
        self.visits = 0
        self.totals = [0.0] * players


class Uct(Generic[S, M]):
    """Plain UCT."""

    def __init__(self, board: Board[S, M], boldness: float = 0.7) -> None:
        self._board = board
        self._boldness = boldness

    def candidates(
        self,
        position: Any,
        nodes: int,
        rng: Random,
        *,
        compare: bool = False,  # noqa: ARG002
    ) -> list[Candidate]:
        """The tried moves, the most visited first."""
        board = self._board
        root = self._node(board.start(position), rng)
        for _ in range(nodes):
            self._visit(root, rng)
        return self._answer(root)

    def best(self, position: Any, seconds: float, rng: Random) -> Any:
        """The most visited move after this many seconds of this process's CPU time.

        Measured with the clock, so that another run may give another move.
        """
        root = self._node(self._board.start(position), rng)
        end = process_time() + seconds
        while process_time() < end or not root.children:
            self._visit(root, rng)
        return self._answer(root)[0].move

    def _answer(self, root: _Node[S, M]) -> list[Candidate]:
        board = self._board
        mover = board.mover(root.state)
        found = sorted(root.children, key=lambda each: -each[1].visits)
        return [
            Candidate(
                move := board.named(root.state, each), child.totals[mover] / child.visits, (move,)
            )
            for each, child in found
        ]

    def _node(self, state: S, rng: Random) -> _Node[S, M]:
        over = self._board.rewards(state) is not None
        left = [] if over else list(self._board.moves(state))
        rng.shuffle(left)
        return _Node(state, self._board.players, left)

    def _visit(self, root: _Node[S, M], rng: Random) -> None:
        board = self._board
        path = [root]
        node = root
        while not node.left and node.children:
            mover = board.mover(node.state)
            total = log(node.visits)
            node = max(
                (child for _, child in node.children),
                key=lambda child: (
                    child.totals[mover] / child.visits + self._boldness * sqrt(total / child.visits)
                ),
            )
            path.append(node)
        if node.left:
            move = node.left.pop()
            child = self._node(board.play(node.state, move), rng)
            node.children.append((move, child))
            path.append(child)
            node = child
        rewards = board.playout(node.state, rng)
        for node in path:
            node.visits += 1
            for player, reward in enumerate(rewards):
                node.totals[player] += reward
