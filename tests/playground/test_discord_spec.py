"""The validator itself: it finds what is wrong, says where, and lets through what is right."""

from __future__ import annotations

from typing import Any

import pytest

from playground.wire import Json
from tests.support.discord_spec import SpecObserver

ROW: Json = {
    "type": 1,
    "components": [{"type": 2, "style": 1, "label": "B", "custom_id": "b"}],
}
SEND = ("POST", "/channels/1/messages")
CALLBACK = ("POST", "/interactions/1/x/callback")
COMMANDS = ("PUT", "/applications/1/commands")


def command(**more: Any) -> Json:
    return {"type": 1, "name": "play", "description": "d", **more}


@pytest.mark.parametrize(
    ("place", "body"),
    [
        (SEND, {"content": "x", "tts": False, "components": [ROW]}),
        (SEND, {"attachments": [{"id": 0, "filename": "a.png"}]}),
        (SEND, {"embeds": [{"title": "t", "flags": 0}]}),
        (("PATCH", "/channels/1/messages/2"), {"content": "x", "tts": False}),
        (CALLBACK, {"type": 4, "data": {"content": "x", "components": [ROW]}}),
        (CALLBACK, {"type": 7, "data": {"content": "x", "tts": False}}),
        (COMMANDS, [command(nsfw=False)]),
    ],
)
def test_what_discord_takes_passes(
    place: tuple[str, str], body: Any, observer: SpecObserver
) -> None:
    observer.request(*place, body)
    assert observer.problems == []
    assert sum(observer.checked.values()) == 1


@pytest.mark.parametrize(
    ("place", "body", "told"),
    [
        (SEND, {"content": "x" * 4001}, "content"),
        (SEND, {"componets": [ROW]}, "no key 'componets'"),
        (SEND, {"components": [ROW | {"components": ROW["components"] * 6}]}, "components.0"),
        (SEND, {"components": [{"type": 1, "components": [{"type": 2, "style": 1, "lable": "B"}]}]},
         "components.0.components.0"),
        (CALLBACK, {"type": 4, "data": {"components": [{"type": 17, "components": [
            {"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "x" * 101}]}]}]}},
         "data.components.0.components.0.components.0.custom_id"),
        (CALLBACK, {"type": 8, "data": {"choices": [{"name": "a", "value": "a"}] * 26}},
         "data.choices"),
        (CALLBACK, {"type": 9, "data": {"custom_id": "m", "components": [ROW]}}, "lacks title"),
        (COMMANDS, [command(options=[{"type": 3, "name": "a"}])], "0.options.0: lacks description"),
        (COMMANDS, [command(optoins=[])], "0: Discord knows no key 'optoins'"),
    ],
)  # fmt: skip
def test_what_discord_would_not_take_is_found_and_its_place_told(
    place: tuple[str, str], body: Any, told: str, observer: SpecObserver
) -> None:
    observer.request(*place, body)
    assert any(told in each for each in observer.problems), observer.problems


def test_answers_are_checked_by_their_status(observer: SpecObserver) -> None:
    path = "/channels/1"
    observer.response("GET", path, 404, {"code": 10003, "message": "Unknown Channel"})
    observer.response("DELETE", "/channels/1/messages/2", 204, None)
    observer.response(
        "GET", path, 429, {"message": "m", "retry_after": 1.0, "global": False, "code": 0}
    )
    assert observer.problems == []
    observer.response("GET", path, 404, {"message": "Unknown Channel"})
    observer.response("GET", path, 200, {"id": 5})
    observer.response("DELETE", "/channels/1/messages/2", 204, {"a": 1})
    observer.response("GET", path, 302, None)
    assert len(observer.problems) >= 4


def test_events_are_checked_where_the_description_knows_them(observer: SpecObserver) -> None:
    observer.event("MESSAGE_CREATE", {"id": "1"})
    assert any("lacks author" in each for each in observer.problems)


def test_an_address_that_discord_lacks_is_a_problem(observer: SpecObserver) -> None:
    observer.request("GET", "/moon", None)
    assert observer.problems == ["GET /moon: Discord has no such operation"]
