"""Reviews: what is kept of each move, the moments that decided, and who stood better when."""

from __future__ import annotations

from bot.domain.hints import Found, FoundMove
from bot.domain.ids import MatchId
from bot.domain.reviews import (
    Review,
    ReviewedMove,
    chances,
    moments,
    read_moves,
    reviewed,
    worst,
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
    # A move that the search left out is no better than the worst one that it knows.
    assert reviewed(FOUND, "c3").played == 0.1
    kept = tuple(reviewed(FOUND, move) for move in ("a1", "b1", "c1"))
    assert read_moves(write_moves(kept)) == kept


def test_the_moments_are_the_three_greatest_losses_in_order() -> None:
    losses = (0.0, 0.3, 0.05, 0.5, 0.2, 0.1, 0.3)
    review = Review(MatchId("m"), 7, tuple(ReviewedMove("a1", 0.9, 0.9 - loss) for loss in losses))
    assert moments(review) == (1, 3, 6)
    assert worst(review) == 3
    assert worst(review, (0, 2, 4, 6)) == 6
    assert worst(review, (0, 2)) == 3
    harmless = Review(MatchId("m"), 1, (ReviewedMove("a1", 0.9, 0.85),))
    assert moments(harmless) == ()
    assert worst(harmless) is None


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
