"""Reviews: what is kept of each move, the moments that decided, and who stood better when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.hints import Found, FoundMove
from bot.domain.ids import MatchId
from bot.domain.reviews import (
    Review,
    ReviewedMove,
    chances,
    moments,
    puzzle_in,
    read_moves,
    reviewed,
    write_moves,
)

FOUND = Found(
    (
        FoundMove("a1", 0.8, ("a1", "b2")),
        FoundMove("b1", 0.5, ("b1",)),
        FoundMove("c1", 0.1, ("c1",), "loss"),
    )
)


def test_what_is_kept_of_a_move() -> None:
    assert reviewed(FOUND, "a1") == ReviewedMove("a1", 0.8, 0.8, ("a1", "b2"))
    assert reviewed(FOUND, "b1").loss == 0.8 - 0.5
    # Of a move that the search left out nothing is known, so it is called no mistake.
    assert reviewed(FOUND, "c3").loss == 0
    kept = tuple(reviewed(FOUND, move) for move in ("a1", "b1", "c1"))
    assert read_moves(write_moves(kept)) == kept


def test_the_moments_are_the_three_greatest_losses_in_order() -> None:
    losses = (0.0, 0.3, 0.05, 0.5, 0.2, 0.1, 0.3)
    review = Review(MatchId("m"), 7, tuple(ReviewedMove("a1", 0.9, 0.9 - loss) for loss in losses))
    assert moments(review) == (1, 3, 6)
    harmless = Review(MatchId("m"), 1, (ReviewedMove("a1", 0.9, 0.85),))
    assert moments(harmless) == ()


def test_a_puzzle_is_the_worst_of_the_moments_with_only_one_right_move_ones_own_first() -> None:
    losses = (0.3, 0.5, 0.4, 0.05)
    open_review = Review(MatchId("m"), 4, tuple(ReviewedMove("a1", 1, 1 - each) for each in losses))
    assert puzzle_in(open_review) is None
    only = tuple(replace(each, is_only=ply != 1) for ply, each in enumerate(open_review.moves))
    review = replace(open_review, moves=only)
    assert puzzle_in(review) == 2
    assert puzzle_in(review, (0, 3)) == 0
    assert puzzle_in(review, (1, 3)) == 2


@pytest.mark.parametrize(
    ("proofs", "is_only"),
    [
        (("win", "loss", "draw"), True),
        (("draw", "loss", "loss"), True),
        (("win", "win", "loss"), False),
        (("win", None, "loss"), False),
        ((None, "loss", "loss"), False),
        (("loss", "loss", "loss"), False),
    ],
)
def test_one_move_is_the_only_one_if_it_is_proved_to_be_better_than_all_others(
    proofs: tuple[str | None, ...], is_only: bool
) -> None:
    found = Found(
        tuple(FoundMove(move, 0.5, (), proof) for move, proof in zip("abc", proofs, strict=True))
    )
    kept = reviewed(found, "b")
    assert kept.is_only is is_only
    assert read_moves(write_moves((kept,))) == (kept,)


def test_what_was_kept_before_puzzles_were_proved_makes_none() -> None:
    assert read_moves('[["a1",1.0,0.2,["a1"],"win"]]') == (
        ReviewedMove("a1", 1.0, 0.2, ("a1",), "win"),
    )


def test_chances_are_those_of_the_first_player() -> None:
    moves = (ReviewedMove("a1", 0.6, 0.6), ReviewedMove("b1", 0.7, 0.2))
    review = Review(MatchId("m"), 2, moves)
    of_each = [[round(each, 2) for each in chances(review, (0, 1), player)] for player in (0, 1)]
    assert [round(1 - each, 2) for each in of_each[1]] == of_each[0]
    assert of_each[0] == [
        0.6,
        0.3,
        0.8,
    ]
    assert chances(Review(MatchId("m"), 2), (), 0) == ()


def test_a_review_is_done_when_every_move_has_been_looked_at() -> None:
    move = ReviewedMove("a1", 0.5, 0.5)
    assert not Review(MatchId("m"), 2, (move,)).is_done
    assert Review(MatchId("m"), 2, (move, move)).is_done
