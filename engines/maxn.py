"""Tree search for a table of more than two: Monte Carlo with one value a player (max^n).

After Luckhart and Irani 1986 and, for Monte Carlo, Nijssen and Winands 2013: each player picks the
best move for that player alone, and a playout is backed up for all. Certainties go up too, as
bounds (Cazenave and Saffidine 2010): each player's least reward against any play of the others, and
the greatest one. Between moves of equal value a player's choice counts as unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import Any, Generic, TypeVar

from engines.api import Candidate
from engines.board import Board

S = TypeVar("S")
M = TypeVar("M")

_ALIKE = 1e-9


class _Node(Generic[S, M]):
    """A state in the tree; ``totals`` sums the rewards of its visits, one number a player.

    Each player's reward lies between ``least`` and ``most``.
    """

    __slots__ = (
        "children",
        "least",
        "most",
        "mover",
        "moves",
        "priors",
        "state",
        "totals",
        "visits",
    )

    def __init__(self, state: S, players: int) -> None:
        self.state = state
        self.mover = -1
        self.visits = 0
        self.totals = [0.0] * players
        self.least: tuple[float, ...] = (0.0,) * players
        self.most: tuple[float, ...] = (1.0,) * players
        self.moves: Sequence[M] = ()
        self.priors: Sequence[float] = ()
        self.children: list[_Node[S, M]] = []

    def is_settled(self) -> bool:
        """Whether each player's reward is certain."""
        return self.least == self.most

    def worth(self, player: int) -> float:
        """The player's reward if it is certain, else the mean of the visits."""
        least = self.least[player]
        return least if least == self.most[player] else self.totals[player] / self.visits


class MaxN(Generic[S, M]):
    """Searches of one board; no data is kept from one to the next."""

    def __init__(self, board: Board[S, M], boldness: float = 1.2) -> None:
        """``boldness`` weighs untried moves against known values."""
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
        """All legal moves, the best one first."""
        board = self._board
        root: _Node[S, M] = _Node(board.start(position), board.players)
        self._value(root, rng)
        self._look_ahead(root, nodes)
        for _ in range(nodes):
            if root.is_settled():
                break
            self._visit(root, rng)
        return self._answer(root)

    def _look_ahead(self, root: _Node[S, M], nodes: int) -> None:
        """Prove the moves whose results the board knows immediately."""
        board = self._board
        known = board.foreseen(root.state, root.moves, nodes) if root.moves else {}
        if not known:
            return
        order = sorted(range(len(root.moves)), key=lambda n: root.moves[n] not in known)
        root.moves = [root.moves[n] for n in order]
        root.priors = [root.priors[n] for n in order]
        for move in root.moves[: len(known)]:
            child: _Node[S, M] = _Node(board.play(root.state, move), board.players)
            child.least = child.most = known[move]
            root.children.append(child)
        self._settle(root)

    def _value(self, node: _Node[S, M], rng: Random) -> Sequence[float]:
        board = self._board
        rewards = board.rewards(node.state)
        if rewards is not None:
            node.least = node.most = rewards
            return rewards
        node.mover = board.mover(node.state)
        moves = list(board.moves(node.state))
        rng.shuffle(moves)
        priors = board.priors(node.state, moves, rng)
        order = sorted(range(len(moves)), key=lambda number: -priors[number])
        node.moves = [moves[number] for number in order]
        node.priors = [priors[number] for number in order]
        return board.playout(node.state, rng)

    def _visit(self, root: _Node[S, M], rng: Random) -> None:
        path = [root]
        node = root
        while not node.is_settled():
            place = self._select(node)
            if place == len(node.children):
                child: _Node[S, M] = _Node(
                    self._board.play(node.state, node.moves[place]), self._board.players
                )
                node.children.append(child)
                path.append(child)
                rewards = self._value(child, rng)
                break
            node = node.children[place]
            path.append(node)
        else:
            rewards = node.least
        is_news = path[-1].is_settled()
        for node in reversed(path):
            if node.children and is_news:
                is_news = self._settle(node)
            node.visits += 1
            for player, reward in enumerate(rewards):
                node.totals[player] += reward

    @staticmethod
    def _settle(node: _Node[S, M]) -> bool:
        """Compute the bounds of a node from those of its children; returns whether they changed."""
        children, before = node.children, (node.least, node.most)
        least, most = list(node.least), list(node.most)
        least[node.mover] = max(child.least[node.mover] for child in children)
        if len(children) == len(node.moves):
            for player in range(len(least)):
                most[player] = max(child.most[player] for child in children)
                if player != node.mover:
                    least[player] = min(child.least[player] for child in children)
        left = 1.0 - sum(least)
        # Thirds do not add up to 1 to the last digit.
        highs = [min(high, low + left) for low, high in zip(least, most, strict=True)]
        node.most = tuple(
            low if high - low < _ALIKE else high for low, high in zip(least, highs, strict=True)
        )
        node.least = tuple(least)
        return before != (node.least, node.most)

    def _select(self, node: _Node[S, M]) -> int:
        mover, priors, children = node.mover, node.priors, node.children
        weight = self._boldness * sqrt(node.visits + 1)
        count = len(children)
        chosen, bound = 0, -9.0
        if count < len(node.moves):
            mean = node.totals[mover] / node.visits if node.visits else 0.5
            chosen, bound = count, mean + weight * priors[count]
        for place, child in enumerate(children):
            score = child.worth(mover) + weight * priors[place] / (1 + child.visits)
            if score > bound:
                chosen, bound = place, score
        return chosen

    def _answer(self, root: _Node[S, M]) -> list[Candidate]:
        board, mover = self._board, root.mover
        found: list[tuple[tuple[float, ...], Candidate]] = []
        for number, move in enumerate(root.moves):
            line = [board.named(root.state, move)]
            if number >= len(root.children):
                candidate = Candidate(line[0], 0.0, tuple(line), is_guess=True)
                found.append(((1.0, 0.0, 0.0, number), candidate))
                continue
            child = root.children[number]
            value = child.worth(mover)
            here = child
            while here.children and len(line) < 10:
                place = max(range(len(here.children)), key=lambda n: (here.children[n].visits, -n))
                line.append(board.named(here.state, here.moves[place]))
                here = here.children[place]
            is_proved = child.least[mover] == child.most[mover]
            is_best = is_proved and root.is_settled() and value == root.least[mover]
            candidate = Candidate(line[0], value, tuple(line), is_proved)
            rank = -1.0 if is_best else 1.0 if candidate.is_lost else 0.0
            key = (rank, -child.visits, -value)
            found.append(((*key, number), candidate))
        found.sort(key=lambda each: each[0])
        return [candidate for _, candidate in found]
