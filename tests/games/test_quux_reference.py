"""Quux against a second implementation, and its images.

Many more games against the second implementation are in ``test_referees.py``.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from games.past import Past
from games.playout import result_line
from games.quux import Move, Pass, Place, Position, Quux, Shift, Swap
from games.quux.board import LETTERS, RANK_OF, SIZES
from tests.referees.quux import Quux as Referee

pytestmark = pytest.mark.long

OPTIONS: list[dict[str, Any]] = [
    {},
    {"supply": "paired", "pie": "on"},
    {"supply": "any", "path": "jump"},
    {"path": "jump"},
    {"size": 3},
    {"size": 3, "supply": "paired", "path": "jump"},
    {"size": 5},
    {"size": 6, "supply": "any", "pie": "on"},
]
EXAMPLE_2 = "M,lMs,l,m/lMs,LmS,L,lS/Ls,S,Ms,mS/Lm,l,LmS,Ms W 000 000 m"


# The second implementation


def shuffling(rng: Random, game: Quux, position: Position, moves: list[Move]) -> Move:
    """A move, often one back to a board of the past, as games that end in a draw have them."""
    if position.past and rng.random() < 0.8:
        back = [m for m in moves if game.play(position, m).piles in position.past]
        if back:
            return rng.choice(back)
    return rng.choice(moves)


def test_the_second_implementation_agrees_about_draws() -> None:
    """Games on the smallest board from full piles on, where repetitions are common."""
    game, rng = Quux({"size": 3, "supply": "paired"}), Random(20)
    reasons: Counter[str] = Counter()
    for _ in range(120):
        position, other = game.initial(rng), Referee(size="3", supply="paired")
        while not (outcome := game.outcome(position)):
            moves = game.legal_moves(position)
            # A player who would end the game by a chain looks for another move first.
            quiet = [m for m in moves if not game.outcome(game.play(position, m))] or moves
            move = shuffling(rng, game, position, quiet)
            other.play(game.notation(position, move))
            position = game.play(position, move)
        assert other.result() == result_line(game, position)
        reasons[outcome.reason] += 1
    assert reasons["repetition"]


# Properties


def line(game: Quux, seed: int) -> list[tuple[Position, Move | None]]:
    """The positions of a random game with the move played in each."""
    rng = Random(seed)
    position = game.initial(rng)
    found: list[tuple[Position, Move | None]] = []
    while moves := game.legal_moves(position):
        move = rng.choice(moves)
        found.append((position, move))
        position = game.play(position, move)
    return [*found, (position, None)]


def mirrored(position: Position, name: str) -> Position:
    """The position seen in a mirror, or over the diagonal with the colours exchanged."""
    size = position.size

    def board(piles: tuple[str, ...]) -> tuple[str, ...]:
        rows = [piles[start : start + size] for start in range(0, size * size, size)]
        if name == "left-right":
            rows = [row[::-1] for row in rows]
        elif name == "top-bottom":
            rows = rows[::-1]
        else:
            rows = [tuple(p.swapcase() for p in column) for column in zip(*rows, strict=True)]
        return tuple(pile for row in rows for pile in row)

    exchange = name == "diagonal"
    return Position(
        board(position.piles),
        position.hands[::-1] if exchange else position.hands,
        1 - position.mover if exchange else position.mover,
        position.is_movement,
        position.passes,
        position.swapped,
        Past(map(board, position.past)),
    )


def mirrored_cell(cell: str, size: int, name: str) -> str:
    file, rank = ord(cell[0]) - ord("a"), int(cell[1]) - 1
    if name == "left-right":
        file = size - 1 - file
    elif name == "top-bottom":
        rank = size - 1 - rank
    else:
        file, rank = rank, file
    return f"{chr(ord('a') + file)}{rank + 1}"


def mirrored_move(move: Move, size: int, name: str) -> Move:
    match move:
        case Place(kind, cell):
            return Place(kind, mirrored_cell(cell, size, name))
        case Shift(kind, start, target):
            start, target = (mirrored_cell(cell, size, name) for cell in (start, target))
            return Shift(kind, start, target)
        case Pass() | Swap():
            return move


@pytest.mark.parametrize("name", ["left-right", "top-bottom", "diagonal"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_mirror_images_have_mirrored_moves_and_the_same_result(
    options: dict[str, Any], name: str
) -> None:
    # The swap alone tells White's first placement from Black's.
    game = Quux({**options, "pie": "off"})
    for seed in range(4):
        for position, move in line(game, seed):
            image = mirrored(position, name)
            moves = {mirrored_move(m, position.size, name) for m in game.legal_moves(position)}
            assert set(game.legal_moves(image)) == moves
            here, there = game.outcome(position), game.outcome(image)
            if here is None or there is None:
                assert here is there
                assert move is not None
                after = game.play(position, move)
                other = game.play(image, mirrored_move(move, position.size, name))
                assert other == mirrored(after, name)
            else:
                scores = there.scores[::-1] if name == "diagonal" else there.scores
                assert (here.reason, here.scores) == (there.reason, scores)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_no_piece_is_lost_or_made(options: dict[str, Any]) -> None:
    game = Quux(options)
    for seed in range(6):
        counts: Counter[str] | None = None
        for position, _ in line(game, seed):
            on_board = Counter("".join(position.piles))
            trios = position.board.trios
            for seat, letters in enumerate(LETTERS):
                for which, letter in enumerate(letters):
                    whole = on_board[letter] + position.hands[seat][which]
                    assert whole <= trios if position.is_movement else whole == trios
            if position.is_movement:
                assert counts in (None, on_board)
                counts = on_board
            for pile in position.piles:
                sizes = [RANK_OF[letter] for letter in pile]
                assert sizes == sorted(set(sizes), reverse=True)


@pytest.mark.parametrize("options", OPTIONS[:4], ids=str)
def test_the_list_of_moves_holds_what_the_plain_rules_let_through(options: dict[str, Any]) -> None:
    """Every placement and movement that can be written at all, against the refusals."""
    game = Quux(options)
    cells = game.initial(Random(0)).board.cells
    everything: list[Move] = [Place(size, cell) for size in SIZES for cell in cells]
    everything += [
        Shift(size, start, target) for size in SIZES for start in cells for target in cells
    ]
    everything += [Pass(), Swap()]
    for seed in range(3):
        for position, _ in line(game, seed):
            allowed = {move for move in everything if game.why_illegal(position, move) is None}
            assert set(game.legal_moves(position)) == allowed


def test_at_most_one_side_ever_has_a_chain() -> None:
    game = Quux({"path": "jump"})
    for seed in range(200):
        position = line(game, seed)[-1][0]
        board = position.board
        assert not (board.chain(0, position.piles) and board.chain(1, position.piles))
