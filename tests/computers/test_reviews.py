"""Reviews: what is kept of each move, the moments that decided, and who stood better when."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from bot.computers.domain.hints import Found, FoundMove
from bot.computers.domain.reviews import (
    Review,
    ReviewedMove,
    accuracy,
    chances,
    moments,
    next_look,
    percent,
    puzzle_in,
    read_moves,
    reviewed,
    settled,
    write_moves,
)
from bot.computers.ui import review as review_pages
from bot.domain.ids import MatchId
from bot.history.domain.playback import sample_line
from bot.i18n import Languages
from games import catalog
from games.api import SampleGame
from games.view import Text

FOUND = Found(
    (
        FoundMove("a1", 0.8, ("a1", "b2")),
        FoundMove("b1", 0.5, ("b1",)),
        FoundMove("c1", 0.1, ("c1",), "loss"),
    )
)


def test_what_is_kept_of_a_move() -> None:
    assert reviewed(FOUND, "a1") == ReviewedMove("a1", 0.8, 0.8, ("a1", "b2"), is_close=False)
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
    kept = reviewed(found, "b", is_close=True)
    assert kept.is_only is is_only
    assert read_moves(write_moves((kept,))) == (kept,)


def test_what_was_kept_before_puzzles_were_proved_makes_none() -> None:
    old = read_moves([["a1", 1.0, 0.2, ["a1"], "win"]])
    assert old == (ReviewedMove("a1", 1.0, 0.2, ("a1",), "win"),)
    assert Review(MatchId("m"), 1, old).is_done, "what was looked at whole needs no second look"


def test_what_is_not_proved_is_never_worth_all_or_nothing() -> None:
    sure = Found((FoundMove("a1", 0.9999), FoundMove("b1", 0.0001)))
    kept = reviewed(sure, "b1")
    assert 0 < kept.played < kept.value < 1
    assert (percent(kept.played), percent(kept.value)) == (1, 99)
    assert (percent(0.0), percent(0.5), percent(1.0)) == (0, 50, 100)


def test_the_moments_and_what_followed_them_are_looked_at_again_within_bounds() -> None:
    looked = tuple(ReviewedMove("a1", 0.9, 0.9 - 0.1 * (n % 3), is_close=False) for n in range(30))
    review = Review(MatchId("m"), 30, looked)
    again: list[int] = []
    while (look := next_look(review)) is not None:
        assert look.closely
        again.append(look.ply)
        # What it finds there is that nothing was given away.
        entry = ReviewedMove("a1", 0.9, 0.9)
        moves = (*review.moves[: look.ply], entry, *review.moves[look.ply + 1 :])
        review = replace(review, moves=moves)
    assert len(again) == len(set(again)) == 8
    assert review.is_done


def test_the_accuracy_is_the_mean_of_what_each_move_is_worth() -> None:
    moves = tuple(ReviewedMove("a1", 0.9, 0.9 - loss) for loss in (0, 0.1, 0.9))
    review = Review(MatchId("m"), 3, moves)
    assert accuracy(review, ()) is None
    assert accuracy(review, (0,)) == pytest.approx(100, abs=0.01)
    # The formula's own worth of ten percent of the win.
    assert accuracy(review, (1,)) == pytest.approx(63.58, abs=0.01)
    assert accuracy(review, (0, 1)) == pytest.approx((100 + 63.58) / 2, abs=0.01)
    assert accuracy(review, (2,)) == 0


def test_a_win_that_is_proved_later_was_one_before() -> None:
    game = catalog.GAMES["quax"].info
    sample = SampleGame(
        Text.of("A game"), (Text.of("A"), Text.of("B")), "a1 a2 b1 b2 c1", {"size": 3, "pie": "off"}
    )
    played = sample_line(game, sample, "s0")
    entries = (
        ReviewedMove("c3", 0.6, 0.5, is_close=False),
        ReviewedMove("b1", 0.5, 0.5, is_close=False),
        # Called even, with another move as the best; the next position is lost.
        ReviewedMove("c2", 0.55, 0.3, is_close=False),
        ReviewedMove("b2", 0.0, 0.0, proof="loss", is_close=False),
        ReviewedMove("c2", 0.7, 0.4, is_close=False),
    )
    found = settled(Review(MatchId("m"), 5, entries), played).moves
    assert [(each.best, each.value, each.played) for each in found[2:]] == [
        ("b1", 1.0, 1.0),
        ("b2", 0.0, 0.0),
        ("c1", 1.0, 1.0),
    ]
    assert found[2].proof == found[4].proof == "win"
    assert found[1].loss == 0, "the other move is not known to be better"
    graph = chances(Review(MatchId("m"), 5, found), (0, 1, 0, 1, 0), 0)
    assert graph[2:] == (1, 1, 1, 1)


def test_chances_are_those_of_the_first_player() -> None:
    moves = (ReviewedMove("a1", 0.6, 0.6), ReviewedMove("b1", 0.7, 0.2))
    review = Review(MatchId("m"), 2, moves)
    of_each = [[round(each, 2) for each in chances(review, (0, 1), player)] for player in (0, 1)]
    assert [round(1 - each, 2) for each in of_each[1]] == of_each[0]
    assert of_each[0] == [0.6, 0.3, 0.8]
    assert chances(Review(MatchId("m"), 2), (), 0) == ()


@pytest.mark.parametrize(("own", "praised"), [(0, False), (1, False), (4, False), (5, True)])
def test_praise_is_for_enough_moves_of_ones_own(own: int, praised: bool) -> None:
    said = review_pages.no_moments(own, Languages().known()["en"])
    assert said.startswith("No move gave much away.")
    assert ("Well played!" in said) is praised


async def test_how_far_a_review_is_is_said_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, edits, memory = [0], [], review_pages._Waiting()
    plies = 300
    entry = ReviewedMove("a1", 0.5, 0.5, is_close=False)

    async def pause(_: float) -> bool:
        looks[0] += 1
        return True

    async def review(*_: Any) -> Review:
        return Review(MatchId("m"), plies, (entry,) * min(looks[0], plies - 1))

    async def answer(*_: Any, **__: Any) -> None:
        edits.append(looks[0])

    monkeypatch.setattr(review_pages, "answer", answer)
    services = SimpleNamespace(
        memory=lambda _: memory,
        background=SimpleNamespace(pause=pause),
        of=lambda _: SimpleNamespace(review=review),
    )
    context: Any = SimpleNamespace(
        services=services,
        user_id=1,
        id=1,
        actor=None,
        interaction=None,
        language=Languages().known()["en"],
    )
    match: Any = SimpleNamespace(id=MatchId("m"))
    await review_pages._show_when_done(context, match, Review(MatchId("m"), plies))
    assert 0 < len(edits) <= 30
    assert all(later - earlier >= 3 for earlier, later in pairwise(edits))
    assert not memory.pages
