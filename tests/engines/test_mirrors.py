"""Positions that are each other's mirror image are worth the same."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engines.maxn import MaxN
from engines.pux.board import PuxBoard
from engines.pythagoras.habits import PractisedBoard
from engines.pythagoras.outlook import JudgedBoard
from engines.quax.board import QuaxBoard
from engines.quux.board import QuuxBoard
from engines.ziggurat.board import ZigguratBoard
from games import catalog
from games.pythagoras.position import Position as Pythagoras
from games.quax.board import board as quax_board
from games.ziggurat.position import Position as Ziggurat


def positions(key: str, options: dict[str, str], count: int) -> Iterator[Any]:
    """Positions of random games that are not over."""
    game, rng = catalog.create(key, options), Random(key)
    while count:
        position = game.initial(rng)
        for _ in range(rng.randrange(4, 40)):
            if game.outcome(position):
                break
            position = game.play(position, rng.choice(list(game.legal_moves(position))))
        if game.outcome(position) is None:
            count -= 1
            yield game, position


def flipped(ranks: str, cells: str) -> str:
    """The ranks of a text from the last file to the first."""
    return "/".join(
        cells.join(reversed(rank.split(cells) if cells else rank)) for rank in ranks.split("/")
    )


def test_ziggurat_from_right_to_left_and_from_north_to_south() -> None:
    board = ZigguratBoard()
    for game, position in positions("ziggurat", {}, 40):
        bare = game.decode(game.position_text(position))
        ranks, side, reserve, exited = game.position_text(bare).split()
        mirror = game.decode(f"{flipped(ranks, ',')} {side} {reserve} {exited}")
        score = board.score(board.start(bare))
        assert board.score(board.start(mirror)) == score
        piles = tuple(pile.swapcase() for pile in bare.piles)
        turned = Ziggurat(
            tuple(pile for start in range(30, -1, -6) for pile in piles[start : start + 6]),
            1 - bare.mover,
            (bare.reserves[1], bare.reserves[0]),
            (bare.exited[1], bare.exited[0]),
        )
        assert board.score(board.start(turned)) == score


def test_pux_from_right_to_left_and_from_top_to_bottom() -> None:
    board = PuxBoard()
    for game, position in positions("pux", {}, 30):
        ranks, side, marks = game.position_text(position).split()
        mirror = game.decode(f"{flipped(ranks, '')} {side} {marks}")
        score = board.score(board.start(position))
        assert board.score(board.start(mirror)) == score
        names = str.maketrans("wxWX", "xwXW")
        ranks = "/".join(reversed(ranks.translate(names).split("/")))
        both = "".join(sorted(marks.translate(names)))
        other = game.decode(f"{ranks} {side.translate(names)} {both}")
        assert board.score(board.start(other)) == score


@pytest.mark.parametrize("supply", ["own", "paired"])
def test_quux_from_right_to_left_and_across_the_diagonal(supply: str) -> None:
    for game, position in positions("quux", {"supply": supply}, 40):
        board = QuuxBoard(game, 4)
        ranks, side, white, black, phase = game.position_text(position).split()
        mirror = game.decode(f"{flipped(ranks, ',')} {side} {white} {black} {phase}")
        score = board.score(board.start(position))
        assert board.score(board.start(mirror)) == score
        # Across the diagonal the two sides change their goals, so they change their colours too.
        state = board.start(position)
        turned = type(position)(
            tuple(
                position.piles[file * 4 + rank].swapcase() for rank in range(4) for file in range(4)
            ),
            (position.hands[1], position.hands[0]),
            1 - position.mover,
            position.is_movement,
        )
        assert board.score(board.start(turned)) == board.score(state)


def test_quax_across_the_diagonal() -> None:
    board, plain = QuaxBoard(7), quax_board(7)

    def turned(cells: int) -> int:
        places = (cell for cell in plain.cells if cells & plain.bit(cell))
        return sum(plain.bit(type(cell)(cell.rank, cell.file)) for cell in places)

    compared = 0
    for _, position in positions("quax", {"size": "7", "pie": "off"}, 12):
        other = type(position)(
            7,
            turned(position.red),
            turned(position.black),
            turned(position.rising),
            turned(position.falling),
            1 - position.mover,
        )
        here, there = board.start(position), board.start(other)
        for seat in (0, 1):
            mine, theirs = board.threats(here, seat), board.threats(there, 1 - seat)
            assert turned(mine.drops) == theirs.drops
            assert turned(mine.rising) == theirs.rising
            assert turned(mine.falling) == theirs.falling
        # Predictions draw boards at random: 30 times 64 of them are sure to within 0.06.
        rng = Random(1)
        one = [board.predict(here, rng) for _ in range(30)]
        two = [board.predict(there, rng) for _ in range(30)]
        assert one[0].is_proved == two[0].is_proved
        means = [sum(each.value for each in found) / 30 for found in (one, two)]
        assert means[0] == pytest.approx(means[1], abs=0.06)
        compared += 1
    assert compared == 12


@pytest.mark.long
@pytest.mark.parametrize("board", [PractisedBoard(2), PractisedBoard(4), JudgedBoard()])
def test_pythagoras_with_its_colours_changed_round(board: PractisedBoard) -> None:
    """No side of its board is like another: three grids stand in a row (P1), fed from below.

    But the colours take turns in a ring, and nothing else tells them apart.
    """
    seats = board.players
    search = MaxN(board)

    def on(values: tuple[int, ...], by: int) -> tuple[int, ...]:
        return values[-3 * by :] + values[: -3 * by]

    for game, position in positions("pythagoras", {"seats": str(seats)}, 12):
        here = board.start(position)
        for by in (1, 2, 3):
            turned = Pythagoras(
                on(position.pyramids, by),
                on(position.pits, by),
                (position.mover + by) % 4,
                position.owes,
                tuple(None if each is None else (each + by) % 4 for each in position.bonuses),
            )
            there = board.start(turned)
            assert board.mover(there) == (board.mover(here) + by) % seats
            one, two = board.playout(here, Random(by)), board.playout(there, Random(by))
            assert tuple(two[(seat + by) % seats] for seat in range(seats)) == one
            assert search.candidates(turned, 20, Random(3)) == search.candidates(
                position, 20, Random(3)
            ), game.encode(position)
