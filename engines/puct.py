"""Tree search for two by predicted values: PUCT, with proved results passed up the tree.

After Rosin 2011 and Silver et al. 2017 for the choice of a child, and Winands, Björnsson and Saito
2008 for the solver. A leaf is valued once by the board's :meth:`PolicyBoard.predict`, which also
gives the prior of each move. A node is a leaf that was valued.

A node keeps its moves in the order of their priors; only those visited and the next one after them
can have the largest bound, so that a visit is cheap for any number of moves.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any, Generic, TypeVar

from engines.api import Candidate
from engines.board import Board

S = TypeVar("S")
M = TypeVar("M")


@dataclass(slots=True)
class Prediction(Generic[M]):
    """A board's prediction for a state that is not over.

    ``value`` is for the player on move; ``moves`` are all that need consideration, the most
    promising first, with ``priors`` that add up to 1. ``is_proved`` says that the value, 1 or 0, is
    certain; then one move that shows it is enough.
    """

    value: float
    moves: Sequence[M]
    priors: Sequence[float]
    is_proved: bool = False


class PolicyBoard(Board[S, M]):
    """A board for two that predicts values and moves."""

    boldness: float = 1.0
    """The weight of priors against seen values."""

    @abstractmethod
    def predict(self, state: S, rng: Random) -> Prediction[M]:
        """The value and the moves of a state that is not over."""


class PlayoutBoard(PolicyBoard[S, M]):
    """Any board for two, with random games in place of predictions."""

    boldness = 1.2

    def __init__(self, board: Board[S, M]) -> None:
        self._board = board
        self.players = board.players

    def start(self, position: Any) -> S:
        """As the board."""
        return self._board.start(position)

    def mover(self, state: S) -> int:
        """As the board."""
        return self._board.mover(state)

    def moves(self, state: S) -> Sequence[M]:
        """As the board."""
        return self._board.moves(state)

    def play(self, state: S, move: M) -> S:
        """As the board."""
        return self._board.play(state, move)

    def rewards(self, state: S) -> tuple[float, ...] | None:
        """As the board."""
        return self._board.rewards(state)

    def key(self, state: S) -> Hashable:
        """As the board."""
        return self._board.key(state)

    def named(self, state: S, move: M) -> Any:
        """As the board."""
        return self._board.named(state, move)

    def predict(self, state: S, rng: Random) -> Prediction[M]:
        """The result of one random game, and all moves in the board's order."""
        board = self._board
        value = board.playout(state, rng)[board.mover(state)]
        moves = list(board.moves(state))
        rng.shuffle(moves)
        priors = board.priors(state, moves, rng)
        order = sorted(range(len(moves)), key=lambda number: -priors[number])
        return Prediction(value, [moves[n] for n in order], [priors[n] for n in order])


class _Node(Generic[S, M]):
    """A state in the tree. ``total`` sums the values of its visits for the player on move."""

    __slots__ = (
        "children",
        "is_open",
        "mover",
        "moves",
        "priors",
        "proved",
        "state",
        "total",
        "visits",
    )

    def __init__(self, state: S, mover: int) -> None:
        self.state = state
        self.mover = mover
        self.visits = 0
        self.total = 0.0
        self.proved: float | None = None
        self.moves: Sequence[M] = ()
        self.priors: Sequence[float] = ()
        self.children: list[_Node[S, M]] = []
        self.is_open = False


class Puct(Generic[S, M]):
    """Searches of one board; no data is kept from one to the next."""

    def __init__(self, board: PolicyBoard[S, M]) -> None:
        self._board = board

    def candidates(
        self,
        position: Any,
        nodes: int,
        rng: Random,
        *,
        compare: bool = False,  # noqa: ARG002
    ) -> list[Candidate]:
        """All moves that need consideration, the best one first."""
        board = self._board
        state = board.start(position)
        root: _Node[S, M] = _Node(state, board.mover(state))
        self._value(root, rng)
        for _ in range(nodes - 1):
            if root.proved is not None and (root.proved == 1.0 or root.children):
                break
            self._visit(root, rng)
        while root.proved is not None and not root.children:
            self._expand(root)  # its proof must at least be shown
        return self._answer(root)

    def _value(self, node: _Node[S, M], rng: Random) -> float:
        """Value a new node; the result is for its own player on move."""
        board = self._board
        rewards = board.rewards(node.state)
        node.visits = 1
        if rewards is not None:
            value = node.proved = rewards[node.mover]
        else:
            found = board.predict(node.state, rng)
            value, node.moves, node.priors = found.value, found.moves, found.priors
            node.is_open = True
            if found.is_proved:
                node.proved = value
        node.total = value
        return value

    def _expand(self, node: _Node[S, M]) -> _Node[S, M]:
        board = self._board
        state = board.play(node.state, node.moves[len(node.children)])
        over = board.rewards(state) is not None
        child: _Node[S, M] = _Node(state, node.mover if over else board.mover(state))
        node.children.append(child)
        return child

    def _visit(self, root: _Node[S, M], rng: Random) -> None:
        path = [root]
        node = root
        value = 0.0
        while True:
            place = self._select(node)
            if place == len(node.children):
                node = self._expand(node)
                path.append(node)
                value = self._value(node, rng)
                break
            node = node.children[place]
            path.append(node)
            if node.proved is not None:
                value = node.proved
                node.visits += 1
                node.total += value
                break
        mover = node.mover
        for parent in reversed(path[:-1]):
            same = value if parent.mover == mover else 1 - value
            self._settle(parent)
            if parent.proved is not None:
                same = parent.proved
            parent.visits += 1
            parent.total += same
            value, mover = same, parent.mover

    def _settle(self, node: _Node[S, M]) -> None:
        """Prove a node by its children, if they prove it."""
        best = 0.0
        for child in node.children:
            if child.proved is None:
                if best == 1.0:
                    break
                best = -1.0
                continue
            own = child.proved if child.mover == node.mover else 1 - child.proved
            if own == 1.0:
                node.proved = 1.0
                return
            if best >= 0:
                best = max(best, own)
        if best >= 0 and len(node.children) == len(node.moves):
            node.proved = best

    def _select(self, node: _Node[S, M]) -> int:
        """The index of the move to the child with the largest bound."""
        children, priors = node.children, node.priors
        weight = self._board.boldness * sqrt(node.visits)
        count = len(children)
        # An untried move counts as a little worse than the position as a whole.
        chosen, bound = count, -9.0
        if count < len(node.moves):
            bound = node.total / node.visits - 0.05 + weight * priors[count]
        for place, child in enumerate(children):
            mean = child.total / child.visits
            if child.proved is not None:
                mean = child.proved
            if child.mover != node.mover:
                mean = 1 - mean
            if child.proved is not None and mean == 0.0:
                if bound == -9.0:
                    chosen = place
                continue
            score = mean + weight * priors[place] / (1 + child.visits)
            if score > bound:
                chosen, bound = place, score
        return chosen

    def _answer(self, root: _Node[S, M]) -> list[Candidate]:
        found: list[tuple[tuple[float, ...], Candidate]] = []
        for number in range(len(root.moves)):
            if number < len(root.children):
                child = root.children[number]
                mean = child.total / child.visits if child.visits else 1 - root.total / root.visits
                value = child.proved if child.proved is not None else mean
                if child.mover != root.mover:
                    value = 1 - value
                visits, is_proved = child.visits, child.proved is not None
                if root.proved is not None and not child.visits:
                    value, is_proved = root.proved, True
            else:
                value, visits, is_proved = 0.0, 0, False
                value = max(0.0, root.total / root.visits - 0.1)
                if root.proved == 0.0:
                    is_proved, value = True, 0.0
            is_guess = not visits and not is_proved
            certain = (1.0 if value == 1.0 else -1.0 if value == 0.0 else 0.0) if is_proved else 0.0
            line = self._line(root, number)
            candidate = Candidate(line[0], value, line, is_proved, is_guess)
            found.append(((-certain, -visits, -value, number), candidate))
        found.sort(key=lambda each: each[0])
        return [candidate for _, candidate in found]

    def _line(self, root: _Node[S, M], number: int) -> tuple[Any, ...]:
        board = self._board
        line = [board.named(root.state, root.moves[number])]
        if number >= len(root.children):
            return tuple(line)
        node = root.children[number]
        while node.children and len(line) < 10:
            here = node
            place = max(
                range(len(here.children)),
                key=lambda n: (_wins_for(here, here.children[n]), here.children[n].visits, -n),
            )
            line.append(board.named(here.state, here.moves[place]))
            node = here.children[place]
        return tuple(line)


def _wins_for(parent: _Node[S, M], child: _Node[S, M]) -> bool:
    if child.proved is None:
        return False
    return (child.proved if child.mover == parent.mover else 1 - child.proved) == 1.0
