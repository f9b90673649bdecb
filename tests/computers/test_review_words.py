"""The text of a review in progress, and of a match without a mistake."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from bot.computers.domain.reviews import Review, ReviewedMove
from bot.computers.ui import review as reviews
from bot.computers.ui.review import no_moments
from bot.domain.ids import MatchId
from bot.i18n import Languages


@pytest.mark.parametrize(("own", "praised"), [(0, False), (1, False), (4, False), (5, True)])
def test_praise_is_for_enough_moves_of_ones_own(own: int, praised: bool) -> None:
    said = no_moments(own, Languages().known()["en"])
    assert said.startswith("No move gave much away.")
    assert ("Well played!" in said) is praised


async def test_how_far_a_review_is_is_said_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, edits, memory = [0], [], reviews._Waiting()
    plies = 300
    entry = ReviewedMove("a1", 0.5, 0.5, is_close=False)

    async def pause(_: float) -> bool:
        looks[0] += 1
        return True

    async def review(*_: Any) -> Review:
        return Review(MatchId("m"), plies, (entry,) * min(looks[0], plies - 1))

    async def answer(*_: Any, **__: Any) -> None:
        edits.append(looks[0])

    monkeypatch.setattr(reviews, "answer", answer)
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
    await reviews._show_when_done(context, match, Review(MatchId("m"), plies))
    assert 0 < len(edits) <= 30
    assert all(later - earlier >= 3 for earlier, later in pairwise(edits))
    assert not memory.pages
