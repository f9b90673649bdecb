"""The fate of each post of a match, by its kind and the match's state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.ids import ChannelId, MessageId
from bot.domain.match import MatchStatus
from bot.domain.requests import Request, RequestKind
from bot.posts.deliveries import fates
from bot.posts.notices import RequestNews
from bot.posts.sending import Fate, Posted, StandingPost
from tests.domain.people import started
from tests.support.kit import ANN

_ASKED = Request(RequestKind.DRAW, (0,), version=7)
_FRESH: dict[str, Any] = {"ply": 0, "position_since": 5, "version": 8}
_RUNNING: dict[str, Any] = {**_FRESH, "ply": 4, "requests": (_ASKED,)}
_AGREED: dict[str, Any] = {**_RUNNING, "requests": (_ASKED.with_agreement_of(1),)}
_OVER: dict[str, Any] = {**_RUNNING, "status": MatchStatus.FINISHED}
_OFFERED: dict[str, Any] = {"status": MatchStatus.OFFERED, "players": (ANN.user_id, None)}


def _post(kind: str, version: int) -> StandingPost:
    return StandingPost(kind, 1, Posted(ChannelId(1), MessageId(2)), version)


@pytest.mark.parametrize(
    ("kind", "version", "head", "wanted"),
    [
        ("board", 5, _OVER, None),
        ("offer", 1, _OVER, None),
        ("line", 5, _RUNNING, None),
        ("line", 4, _RUNNING, "goes"),
        ("started", 5, _FRESH, None),
        ("started", 5, _RUNNING, "goes"),
        ("untold", 5, _RUNNING, None),
        ("untold", 4, _RUNNING, "goes"),
        ("departed", 5, _RUNNING, "goes"),
        ("challenged", 1, _OFFERED, None),
        ("challenged", 1, _RUNNING, "goes"),
        ("paused", 5, _RUNNING, "goes"),
        ("resumed", 5, _RUNNING, None),
        ("resumed", 4, _RUNNING, "goes"),
        ("word", 5, _RUNNING, None),
        ("word", 4, _RUNNING, "goes"),
        ("reminder", 5, _RUNNING, None),
        ("word", 7, _OVER, "goes"),
        ("draw", 7, _RUNNING, None),
        ("draw", 7, _AGREED, RequestNews.ACCEPTED),
        ("draw", 7, _OVER, "goes"),
        ("draw", 6, _RUNNING, RequestNews.OVER),
        ("draw", 4, _RUNNING, "goes"),
    ],
)
def test_what_becomes_of_a_post(
    kind: str, version: int, head: dict[str, Any], wanted: Fate | None
) -> None:
    match = replace(started(), **head)
    post = _post(kind, version)
    assert fates([post], match).get(post) == wanted
    newer = replace(post, posted=Posted(ChannelId(1), MessageId(3)))
    taken = fates([newer, post], match)[post]
    assert taken == "goes" or (kind, taken) == ("board", "retires")


@pytest.mark.parametrize(
    ("version", "channel", "ended", "wanted"),
    [
        (4, 1, None, "retires"),
        (5, 1, None, "goes"),
        (5, 2, None, "retires"),
        (4, 1, "goes", "goes"),
    ],
)
def test_a_board_goes_beside_the_next(version: int, channel: int, ended: Any, wanted: Fate) -> None:
    old = replace(_post("board", version), ended=ended)
    new = replace(_post("board", 8), posted=Posted(ChannelId(channel), MessageId(3)))
    assert fates([old, new], replace(started(), **_RUNNING)) == {old: wanted}


@pytest.mark.parametrize(("ended", "wanted"), [("said", None), (RequestNews.BY_MOVE, "by_move")])
def test_how_a_request_ended_is_said_once(ended: Any, wanted: str | None) -> None:
    post = replace(_post("draw", 5), ended=ended)
    found = fates([post], replace(started(), **_RUNNING)).get(post)
    assert found == (wanted and RequestNews(wanted))
