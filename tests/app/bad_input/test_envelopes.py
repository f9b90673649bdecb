"""Interactions whose envelopes are not as Discord describes them: answered or left out, no bugs."""

from __future__ import annotations

import asyncio
import copy
import io
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from typing import Any

import discord
import pytest

from bot.connection.gateway import check_envelope
from bot.services.rate_limits import Cooldowns
from bot.ui.interaction import handler, responses
from bot.ui.pages.components import Reply
from playground.world.model import InteractionType
from tests.app.bad_input.conftest import BUTTON, GONE, ODD, Still, envelope_of
from tests.support.hosted import Json

pytestmark = pytest.mark.xdist_group("bad_envelopes")


def _paths(part: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every part."""
    if path:
        yield path
    inner = (
        part.items()
        if isinstance(part, dict)
        else enumerate(part)
        if isinstance(part, list)
        else ()
    )
    for key, value in inner:
        yield from _paths(value, (*path, key))


def _with(envelope: Json, path: tuple[str | int, ...], value: object) -> Json:
    """The envelope with another value in that place."""
    changed = copy.deepcopy(envelope)
    part: Any = changed
    for key in path[:-1]:
        part = part[key]
    if value is GONE:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return changed


async def _command(still: Still) -> Json:
    data = await still.command("open", {})
    data["options"] = [{"type": 11, "name": "file", "value": "77"}]
    url = "http://127.0.0.1:9/x.txt"
    file = {"id": "77", "filename": "x.txt", "size": 0, "url": url, "proxy_url": url}
    data["resolved"] = {"attachments": {"77": {**file, "content_type": "text/plain"}}}
    return await envelope_of(still, InteractionType.COMMAND, data)


async def _typing(still: Still) -> Json:
    envelope = await envelope_of(
        still, InteractionType.COMMAND, await still.command("move", {"move": "c"})
    )
    envelope["data"]["options"][0]["focused"] = True
    return {**envelope, "type": InteractionType.AUTOCOMPLETE.value}


async def _button(still: Still) -> Json:
    data = {"component_type": BUTTON, "custom_id": f"p1:{still.id}:0:text:"}
    return await envelope_of(still, InteractionType.COMPONENT, data, still.board)


async def _opener(still: Still) -> Json:
    envelope = await _button(still)
    envelope["data"]["custom_id"] = f"p1:{still.id}:0:type:"
    return envelope


async def _form(still: Still) -> Json:
    field = {"type": 4, "custom_id": "move", "value": "zz"}
    data = {
        "custom_id": f"p1:{still.id}:2:typed:",
        "components": [{"type": 18, "id": 1, "component": field}],
    }
    return await envelope_of(still, InteractionType.MODAL, data, still.board)


_LEAST: Json = {"id": "1", "token": "x"}


@pytest.mark.parametrize(
    "part",
    [
        {"locale": 7},
        {"attachment_size_limit": "x"},
        {"token": "\ud800"},
        {"message": {"flags": "x"}},
        {"user": {"id": "2", "username": {"id": "x"}}},
        {"member": {"nick": 7, "user": {"id": "2", "username": "x"}}},
        {"data": {"resolved": {"users": {"2": {"id": "2", "global_name": ["x"]}}}}},
    ],
    ids=lambda part: next(iter(part)),
)
def test_what_the_library_passes_on_is_of_its_kind(part: Json) -> None:
    check_envelope(_LEAST)
    with pytest.raises((TypeError, ValueError)):
        check_envelope(_LEAST | part)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("made", [_command, _typing, _button, _opener, _form])
async def test_no_part_of_an_envelope_is_taken_on_trust(
    still: Still,
    made: Callable[[Still], Awaitable[Json]],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    written: io.StringIO,
) -> None:
    """Each part in turn is missing, or something else. Discord is told nothing."""
    client = still.table.bot.client
    envelope = await made(still)
    before = await still.table.history()
    answers: list[str] = []

    async def taken(*_given: object, **_named: object) -> responses.Taken:
        return responses.Taken.NOW

    async def note(_interaction: object, reply: Reply, **_named: object) -> bool:
        answers.append(reply.plain)
        return True

    async def suggested(*_given: object, **_named: object) -> None:
        return None

    monkeypatch.setattr(handler, "acknowledge", taken)
    monkeypatch.setattr(handler, "answer_first", taken)
    monkeypatch.setattr(handler, "answer", note)
    monkeypatch.setattr(discord.InteractionResponse, "autocomplete", suggested)
    monkeypatch.setattr(Cooldowns, "take", lambda *_given: True)
    monkeypatch.setattr(handler, "age", lambda *_given: timedelta())
    parse = client._connection.parsers["INTERACTION_CREATE"]
    others = asyncio.all_tasks()
    for path in _paths(envelope):
        # What stands around the data is the same for all; one of the kinds comes with a message.
        if (
            path[0] != "data"
            and made is not _command
            and not (path[0] == "message" and made is _button)
        ):
            continue
        for value in (*ODD, GONE):
            parse(_with(envelope, path, value))
        while begun := asyncio.all_tasks() - others:
            await asyncio.wait(begun)
    assert "Traceback" not in written.getvalue()
    assert not [each for each in caplog.records if each.levelname == "ERROR"]
    assert not [each for each in answers if "Something went wrong" in each]
    assert answers or made is _typing or made is _opener
    assert await still.table.history() == before
