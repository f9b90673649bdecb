"""Tree search for a table of more than two: Monte Carlo with one value a player (max^n).

After Luckhart and Irani 1986 and, for Monte Carlo, Nijssen and Winands 2013: each player picks what
is best for that player alone, and a playout is backed up for all. What is proved goes up too: a
node whose children are all over, or one child in which its mover has the whole win.
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


class _Node(Generic[S, M]):
    """A state in the tree; ``totals`` sums the rewards of its visits, one number a player."""

    __slots__ = ("children", "mover", "moves", "priors", "proved", "state", "totals", "visits")

    def __init__(self, state: S, players: int) -> None:
        self.state = state
        self.mover = -1
        self.visits = 0
        self.totals = [0.0] * players
        self.proved: tuple[float, ...] | None = None
        self.moves: Sequence[M] = ()
        self.priors: Sequence[float] = ()
        self.children: list[_Node[S, M]] = []


class MaxN(Generic[S, M]):
    """Searches of one board; nothing is kept from one to the next."""

    def __init__(self, board: Board[S, M], boldness: float = 1.2) -> None:
        """``boldness`` says how much untried moves count against what is known of others."""
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
            if root.proved is not None:
                break
            self._visit(root, rng)
        return self._answer(root)

    def _look_ahead(self, root: _Node[S, M], nodes: int) -> None:
        """Prove what the board knows of the moves at once."""
        board = self._board
        known = board.foreseen(root.state, root.moves, nodes) if root.moves else {}
        if not known:
            return
        order = sorted(range(len(root.moves)), key=lambda n: root.moves[n] not in known)
        root.moves = [root.moves[n] for n in order]
        root.priors = [root.priors[n] for n in order]
        for move in root.moves[: len(known)]:
            child: _Node[S, M] = _Node(board.play(root.state, move), board.players)
            child.proved = known[move]
            root.children.append(child)
        self._settle(root)

    def _value(self, node: _Node[S, M], rng: Random) -> Sequence[float]:
        board = self._board
        rewards = board.rewards(node.state)
        if rewards is not None:
            node.proved = rewards
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
        while node.proved is None:
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
            rewards = node.proved
        for node in reversed(path):
            if node.proved is None and node.children:
                self._settle(node)
            node.visits += 1
            for player, reward in enumerate(rewards):
                node.totals[player] += reward

    @staticmethod
    def _settle(node: _Node[S, M]) -> None:
        """Prove a node by its children, if they prove it."""
        best: tuple[float, ...] | None = None
        for child in node.children:
            found = child.proved
            if found is not None and (best is None or found[node.mover] > best[node.mover]):
                best = found
        if best is None:
            return
        all_known = len(node.children) == len(node.moves) and all(
            child.proved is not None for child in node.children
        )
        if best[node.mover] == 1.0 or all_known:
            node.proved = best

    def _select(self, node: _Node[S, M]) -> int:
        mover, priors, children = node.mover, node.priors, node.children
        weight = self._boldness * sqrt(node.visits + 1)
        count = len(children)
        chosen, bound = 0, -9.0
        if count < len(node.moves):
            mean = node.totals[mover] / node.visits if node.visits else 0.5
            chosen, bound = count, mean + weight * priors[count]
        for place, child in enumerate(children):
            proved = child.proved
            mean = child.totals[mover] / child.visits if proved is None else proved[mover]
            score = mean + weight * priors[place] / (1 + child.visits)
            if score > bound:
                chosen, bound = place, score
        return chosen

    def _answer(self, root: _Node[S, M]) -> list[Candidate]:
        board, mover = self._board, root.mover
        found: list[tuple[tuple[float, ...], Candidate]] = []
        for number, move in enumerate(root.moves):
            line = [board.named(root.state, move)]
            if number >= len(root.children):
                candidate = Candidate(line[0], 0.0, tuple(line))
                found.append(((1.0, 0.0, 0.0, number), candidate))
                continue
            child = root.children[number]
            proved = child.proved
            value = proved[mover] if proved else child.totals[mover] / child.visits
            while child.children and len(line) < 10:
                place = max(
                    range(len(child.children)), key=lambda n: (child.children[n].visits, -n)
                )
                line.append(board.named(child.state, child.moves[place]))
                child = child.children[place]
            won = proved is not None and value == 1.0
            lost = proved is not None and value == 0.0
            key = (-1.0 if won else 1.0 if lost else 0.0, -root.children[number].visits, -value)
            candidate = Candidate(line[0], value, tuple(line), proved is not None)
            found.append(((*key, number), candidate))
        found.sort(key=lambda each: each[0])
        return [candidate for _, candidate in found]
