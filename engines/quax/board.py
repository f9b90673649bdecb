"""Quax for the search: sets of cells, immediate wins and forced answers, predictions.

A move is a number: the bit of the cell for a drop, the block's bit moved up by :data:`RISING` or
:data:`FALLING` bits for a link. Links in a block where the mover has a third stone join nothing
(QX-10), so no search looks at them: a drop instead is at least as good.

Forced moves are found exactly. A drop wins immediately where it touches groups of both sides, a
link where it joins them. If the opponent threatens that once, there is one answer: the cell itself,
or the link across. If they threaten it twice, the game is lost.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from engines.puct import PolicyBoard, Prediction
from engines.quax.fill import Fill, Filled, filler
from games.quax.board import Board, Drop, Link, Move, board
from games.quax.position import Position

RISING, FALLING = 256, 512
_REWARDS = ((1.0, 0.0), (0.0, 1.0))
_STANDS = 10
"""A chain that needs no more stones is worth so many, less its missing links."""


class State(NamedTuple):
    """Stones of both colours, links of both kinds, the side to move; ``winner`` is -1 before."""

    black: int
    red: int
    rising: int
    falling: int
    mover: int
    winner: int


@dataclass(frozen=True, slots=True)
class Threats:
    """The moves that would win immediately: cells to drop on, blocks to link in."""

    drops: int
    rising: int
    falling: int

    def __bool__(self) -> bool:
        return bool(self.drops | self.rising | self.falling)

    def moves(self) -> list[int]:
        """The same as moves."""
        found = list(Board.bits(self.drops))
        found += [bit << RISING for bit in Board.bits(self.rising)]
        return found + [bit << FALLING for bit in Board.bits(self.falling)]


class QuaxBoard(PolicyBoard[State, int]):
    """Quax on a board of one size, without the swap, which the engine decides by itself."""

    boldness = 0.6
    unit = 15.0

    def __init__(self, size: int, copies: int = 64) -> None:
        self._plain = board(size)
        self.width = size
        near, far = self._plain.sides[0]
        low, high = self._plain.sides[1]
        self._inner = self._plain.all & ~(near | far | low | high)
        self._fill: Fill = filler(size, copies)
        self._one_fill: Fill = filler(size, 1)
        self._same = {bit: bit for bit in self._plain.drops}
        """The same number object for a cell everywhere: a large tree has it a million times."""

    def start(self, position: Position) -> State:
        """The board and the side to move; players are numbered as seats."""
        return State(
            position.black,
            position.red,
            position.rising,
            position.falling,
            position.mover,
            -1 if position.winner is None else position.winner,
        )

    def mover(self, state: State) -> int:
        """The seat on turn."""
        return state.mover

    def rewards(self, state: State) -> tuple[float, ...] | None:
        """The whole win for the side with the chain."""
        return None if state.winner < 0 else _REWARDS[state.winner]

    def key(self, state: State) -> Hashable:
        """The state itself."""
        return state

    def named(self, state: State, move: int) -> Move:  # noqa: ARG002
        """The drop or the link."""
        if move >> FALLING:
            return self._plain.falling[move >> FALLING]
        return self._plain.rising[move >> RISING] if move >> RISING else self._plain.drops[move]

    def number(self, move: Drop | Link) -> int:
        """The number of a drop or a link."""
        if isinstance(move, Drop):
            return self._plain.bit(move.cell)
        return self._plain.block(move) << (RISING if move.is_rising else FALLING)

    def where(self, move: int) -> Sequence[tuple[int, int]]:
        """The cell, or the block's lower left one."""
        bit = move >> FALLING or move >> RISING or move
        place = bit.bit_length() - 1
        return [(place % self._plain.stride, place // self._plain.stride)]

    def standings(self, state: State) -> Sequence[float]:
        """The moves that each chain still needs, its stones that touch, and those off the rim."""
        return [self._standing(state, seat) for seat in (0, 1)]

    def _standing(self, state: State, seat: int) -> int:
        plain, spread, up = self._plain, self._plain.spread, self._plain.stride
        black, red, rising, falling, _, _ = state
        own, enemies = (red, black) if seat else (black, red)
        open_to = plain.all & ~enemies
        # Across a diagonal stones are as good as joined until the opponent has cut there.
        free = (
            plain.all & (rising | ~(falling | enemies >> 1 & enemies >> up)),
            plain.all & (falling | ~(rising | enemies & enemies >> up + 1)),
        )
        first, last = plain.sides[seat]
        reached = self._flood(first & own, own, *free)
        missing = 0
        while not reached & last:
            step = spread(reached, open_to, *free) | first & open_to
            wider = self._flood(step, own | step, *free)
            if wider == reached:
                missing = 2 * plain.size
                break
            reached, missing = wider, missing + 1
        if not missing:
            missing = -_STANDS
            reached = self._flood(first & own, own, rising, falling)
            while not reached & last:
                reached = self._flood(spread(reached, own, *free), own, rising, falling)
                missing += 1
        beside = own << 1 | own >> 1 | own << up | own >> up
        beside |= own << up + 1 | own >> up + 1 | own << up - 1 | own >> up - 1
        return 2 * (own & beside).bit_count() + (own & self._inner).bit_count() - 10 * missing

    def moves(self, state: State) -> list[int]:
        """All drops, and the links that can join anything."""
        rising, falling = self._links(state, state.mover, useful=True)
        empty = self._plain.all & ~(state.black | state.red)
        found = list(map(self._same.__getitem__, Board.bits(empty)))
        found += [bit << RISING for bit in Board.bits(rising)]
        found += [bit << FALLING for bit in Board.bits(falling)]
        return found or self._useless(state)

    def _useless(self, state: State) -> list[int]:
        """The links that join nothing, for a side that has no other move."""
        rising, falling = self._links(state, state.mover, useful=False)
        found = [bit << RISING for bit in Board.bits(rising)]
        return found + [bit << FALLING for bit in Board.bits(falling)]

    def _links(self, state: State, seat: int, *, useful: bool) -> tuple[int, int]:
        """The blocks in which ``seat`` may place a rising and a falling link (QX-8)."""
        own = state.red if seat else state.black
        free = self._plain.all & ~(state.rising | state.falling)
        up = self._plain.stride
        rises = own & own >> up + 1
        falls = own >> 1 & own >> up
        if not useful:
            return rises & free, falls & free
        return rises & free & ~(own >> 1 | own >> up), falls & free & ~(own | own >> up + 1)

    def play(self, state: State, move: int) -> State:
        """The state after the move."""
        black, red, rising, falling, mover, _ = state
        if move >> FALLING:
            falling |= move >> FALLING
        elif move >> RISING:
            rising |= move >> RISING
        elif mover:
            red |= move
        else:
            black |= move
        won = self._plain.joins(mover, red if mover else black, rising, falling)
        return State(black, red, rising, falling, 1 - mover, mover if won else -1)

    def _flood(self, group: int, stones: int, rising: int, falling: int) -> int:
        spread = self._plain.spread
        while (wider := spread(group, stones, rising, falling)) != group:
            group = wider
        return group

    def threats(self, state: State, seat: int) -> Threats:
        """The immediate wins of ``seat`` if it were on move."""
        plain = self._plain
        up = plain.stride
        stones = state.red if seat else state.black
        first, last = plain.sides[seat]
        near = self._flood(stones & first, stones, state.rising, state.falling)
        far = self._flood(stones & last, stones, state.rising, state.falling)
        beside_near = near << 1 | near >> 1 | near << up | near >> up | first
        beside_far = far << 1 | far >> 1 | far << up | far >> up | last
        empty = plain.all & ~(state.black | state.red)
        rising = falling = 0
        if near and far:
            rising, falling = self._links(state, seat, useful=False)
            rising &= near & far >> up + 1 | far & near >> up + 1
            falling &= near >> up & far >> 1 | far >> up & near >> 1
        return Threats(beside_near & beside_far & empty, rising, falling)

    def forced(self, state: State) -> tuple[bool | None, list[int]]:
        """Whether the side on move is sure to win or to lose, if that is plain, and its moves.

        A win comes with one move that makes it; a single answer to a threat is the only move.
        """
        wins = self.threats(state, state.mover)
        if wins:
            return True, wins.moves()[:1]
        dangers = self.threats(state, 1 - state.mover)
        if not dangers:
            return None, self.moves(state)
        rising, falling = self._links(state, state.mover, useful=False)
        answers = list(Board.bits(dangers.drops))
        answers += [bit << FALLING for bit in Board.bits(dangers.rising & falling)]
        answers += [bit << RISING for bit in Board.bits(dangers.falling & rising)]
        if len(dangers.moves()) > 1 or not answers:
            return False, self.moves(state)
        return None, answers

    def predict(self, state: State, rng: Random) -> Prediction[int]:
        """Forced results, else those of the filled boards."""
        value, moves = self.forced(state)
        if value is not None:
            priors = [1.0] if value else _even(moves)
            return Prediction(float(value), moves, priors, is_proved=True)
        return self._filled(state, moves, rng)

    def playout(self, state: State, rng: Random) -> tuple[float, ...]:
        """The rewards of one board filled at random (:mod:`engines.quax.fill`).

        Only linked crossings are decided, as in a game of random moves.
        """
        black, red, rising, falling, _, winner = state
        if winner >= 0:
            return _REWARDS[winner]
        up = self._plain.stride
        for_black = rising & black & black >> up + 1 | falling & black >> 1 & black >> up
        wins = self._one_fill.wins(black, red, rising | falling, for_black, rng)
        return _REWARDS[1 - wins]

    def _filled(self, state: State, moves: Sequence[int], rng: Random) -> Prediction[int]:
        copies = self._fill.copies
        up = self._plain.stride
        black, red = state.black, state.red
        black_rising, black_falling = black & black >> up + 1, black >> 1 & black >> up
        red_rising, red_falling = red & red >> up + 1, red >> 1 & red >> up
        links_of_black = state.rising & black_rising | state.falling & black_falling
        links = state.rising | state.falling
        blacks, reds = black_rising | black_falling, red_rising | red_falling
        for_black = links_of_black | blacks & ~reds
        decided = links | blacks ^ reds
        contested = blacks & reds & ~links
        filled = self._fill.fill(black, red, decided, for_black, rng, with_links=bool(contested))
        share = filled.wins / copies
        if len(moves) == 1:
            return Prediction(1 - share if state.mover else share, moves, (1.0,))
        wanted = [self._urgency(filled, move, contested, copies) for move in moves]
        whole = sum(wanted)
        order = sorted(range(len(moves)), key=wanted.__getitem__, reverse=True)
        return Prediction(
            1 - share if state.mover else share,
            [moves[number] for number in order],
            array("d", [wanted[number] / whole for number in order]),
        )

    @staticmethod
    def _urgency(filled: Filled, move: int, contested: int, copies: int) -> float:
        """The importance of a move: Black's gain by it equals Red's by preventing it."""
        block = move >> FALLING or move >> RISING
        if block:
            if not block & contested:
                return 0.0005
            place = block.bit_length() - 1
            count, wins = filled.links[place], filled.links_with_black[place]
        else:
            place = move.bit_length() - 1
            count, wins = filled.black[place], filled.with_black[place]
        with_it = (wins + 0.5) / (count + 1)
        without = (filled.wins - wins + 0.5) / (copies - count + 1)
        gain = with_it - without
        return gain * gain + 0.0005 if gain > 0 else 0.0005


def _even(moves: Sequence[int]) -> list[float]:
    return [1 / len(moves)] * len(moves)
