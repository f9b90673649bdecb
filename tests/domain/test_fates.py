"""What becomes of each post of a match, by what the post is and how the match stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.domain.ids import ChannelId, MessageId
from bot.domain.match import Match, MatchStatus
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

_ASKED = Request(RequestKind.DRAW, (0,), version=7)


def _running(match: Match) -> Match:
    return replace(match, ply=4, position_since=5, version=8, requests=(_ASKED,))


def _fresh(match: Match) -> Match:
    return replace(match, ply=0, position_since=5, version=8)


def _over(match: Match) -> Match:
    return replace(_running(match), status=MatchStatus.FINISHED)


def _agreed(match: Match) -> Match:
    return replace(_running(match), requests=(replace(_ASKED, agreed=(0, 1)),))


def _offered(match: Match) -> Match:
    return replace(match, status=MatchStatus.OFFERED, players=(match.players[0], None))


@pytest.mark.parametrize(
    ("kind", "version", "becomes", "wanted"),
    [
        ("board", 5, _over, None),
        ("offer", 1, _over, None),
        ("line", 5, _running, None),
        ("started", 5, _fresh, None),
        ("started", 5, _running, "goes"),
        ("untold", 5, _running, None),
        ("untold", 4, _running, "goes"),
        ("departed", 5, _running, "goes"),
        ("word", 1, _offered, None),
        ("word", 1, _running, None),
        ("word", 7, _over, "goes"),
        ("draw", 7, _running, None),
        ("draw", 7, _agreed, RequestNews.ACCEPTED),
        ("draw", 7, _over, "goes"),
        ("draw", 6, _running, RequestNews.OVER),
        ("draw", 4, _running, "goes"),
        ("draw", 0, _running, None),
        ("draw", 0, _over, "goes"),
    ],
)
def test_what_becomes_of_a_post(
    kind: str, version: int, becomes: Callable[[Match], Match], wanted: Fate
) -> None:
    post = StandingPost(kind, 1, Posted(ChannelId(1), MessageId(2)), version)
    assert fate(post, becomes(started())) == wanted


@pytest.mark.parametrize("news", [each for each in RequestNews if each is not RequestNews.ASKED])
def test_what_an_older_version_has_planned_for_a_request_is_still_said(news: RequestNews) -> None:
    planned = Delivery(DeliveryKind.CLOSE, 3, 1, RequestNotice(RequestKind.DRAW, news))
    payload = {**planned.payload(), "notice": f"closed_{news.value}"}
    assert delivery_of("close", payload) == planned
