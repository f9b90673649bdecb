"""What becomes of each post of a match, by what the post is and how the match stands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.ids import ChannelId, MessageId
from bot.domain.match import MatchStatus
from bot.domain.requests import Request, RequestKind
from bot.posts.fates import Fate, fate
from bot.posts.sending import (
    Delivery,
    DeliveryKind,
    Posted,
    RequestNews,
    RequestNotice,
    StandingPost,
)
from bot.store.outgoing import delivery_of
from tests.domain.people import started
from tests.kit import ANN

_ASKED = Request(RequestKind.DRAW, (0,), version=7)
_FRESH = {"ply": 0, "position_since": 5, "version": 8}
_RUNNING = {**_FRESH, "ply": 4, "requests": (_ASKED,)}
_AGREED = {**_RUNNING, "requests": (_ASKED.with_agreement_of(1),)}
_OVER = {**_RUNNING, "status": MatchStatus.FINISHED}
_OFFERED = {"status": MatchStatus.OFFERED, "players": (ANN.user_id, None)}


@pytest.mark.parametrize(
    ("kind", "version", "head", "wanted"),
    [
        ("board", 5, _OVER, None),
        ("offer", 1, _OVER, None),
        ("line", 5, _RUNNING, None),
        ("started", 5, _FRESH, None),
        ("started", 5, _RUNNING, "goes"),
        ("untold", 5, _RUNNING, None),
        ("untold", 4, _RUNNING, "goes"),
        ("departed", 5, _RUNNING, "goes"),
        ("word", 1, _OFFERED, None),
        ("word", 1, _RUNNING, None),
        ("word", 7, _OVER, "goes"),
        ("draw", 7, _RUNNING, None),
        ("draw", 7, _AGREED, RequestNews.ACCEPTED),
        ("draw", 7, _OVER, "goes"),
        ("draw", 6, _RUNNING, RequestNews.OVER),
        ("draw", 4, _RUNNING, "goes"),
        ("draw", 0, _RUNNING, None),
        ("draw", 0, _OVER, "goes"),
    ],
)
def test_what_becomes_of_a_post(
    kind: str, version: int, head: dict[str, Any], wanted: Fate
) -> None:
    post = StandingPost(kind, 1, Posted(ChannelId(1), MessageId(2)), version)
    assert fate(post, replace(started(), **head)) == wanted


@pytest.mark.parametrize("news", [each for each in RequestNews if each is not RequestNews.ASKED])
def test_what_an_older_version_has_planned_for_a_request_is_still_said(news: RequestNews) -> None:
    planned = Delivery(DeliveryKind.CLOSE, 3, 1, RequestNotice(RequestKind.DRAW, news))
    payload = {**planned.payload(), "notice": f"closed_{news.value}"}
    assert delivery_of("close", payload) == planned
