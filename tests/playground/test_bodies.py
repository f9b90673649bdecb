"""A body that cannot be read is refused, by the bot's API as by the page's."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import aiohttp
import pytest
from yarl import URL

from playground.server import Playground
from tests.playground.conftest import channel_id
from tests.support.discord_spec import SpecObserver

FORM = "multipart/form-data; boundary=x"
PART = b'--x\r\nContent-Disposition: form-data; name="payload_json"\r\n'
BROKEN = {
    "a form without a boundary": ("multipart/form-data", PART + b"\r\n{}\r\n--x--\r\n"),
    "a boundary that is too long": (f"{FORM}{'x' * 80}", b"--x--\r\n"),
    "an empty form": (FORM, b""),
    "a form without a part": (FORM, b"nothing"),
    "a form that breaks off": (FORM, PART + b'\r\n{"content"'),
    "a part with a line that is no header": (FORM, b"--x\r\nnonsense\r\n\r\n{}\r\n--x--\r\n"),
    "a part with an endless header": (FORM, b"--x\r\nA: " + b"b" * 20_000),
    "a part that is a broken form": (
        FORM,
        b"--x\r\nContent-Type: multipart/mixed\r\n\r\n{}\r\n--x--\r\n",
    ),
    "a part with broken JSON": (FORM, PART + b"\r\n{\r\n--x--\r\n"),
    "broken JSON": ("application/json", b"{"),
    "JSON in no known letters": ("application/json", b"\xff\xfe{"),
    "JSON without end": ("application/json", b"[" * 100_000),
    "JSON of another kind": ("application/json", b"[1]"),
    "text": ("text/plain", b'{"content": "hello"}'),
    "a web form": ("application/x-www-form-urlencoded", b"content=hello"),
}


@pytest.fixture(autouse=True)
def _wrong_on_purpose(observer: SpecObserver) -> None:
    observer.check_requests = False


async def sent(playground: Playground, side: str, headers: dict[str, str], body: bytes) -> Any:
    """Status and JSON of an attempt to send a message."""
    who = {
        "/page/api": f"person {playground.world.home.owner_id}",
        "/api/v10": f"Bot {playground.token}",
    }[side]
    address = f"{playground.address}{side}/channels/{channel_id(playground)}/messages"
    async with (
        aiohttp.ClientSession() as session,
        session.post(
            address, data=io.BytesIO(body), headers={"Authorization": who, **headers}
        ) as answer,
    ):
        return answer.status, await answer.json(content_type=None)


@pytest.mark.parametrize("side", ["/page/api", "/api/v10"])
@pytest.mark.parametrize("broken", BROKEN)
async def test_a_broken_body_is_a_400_in_json(
    broken: str, side: str, playground: Playground
) -> None:
    kind, body = BROKEN[broken]
    status, answer = await sent(playground, side, {"Content-Type": kind}, body)
    assert (status, answer["code"] in {50035, 50109}) == (400, True)
    assert answer["message"]


@pytest.mark.parametrize("side", ["/page/api", "/api/v10"])
async def test_a_body_that_is_not_compressed_as_it_says_is_a_400(
    side: str, playground: Playground
) -> None:
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    status, answer = await sent(playground, side, headers, b"no gzip")
    assert (status, answer["code"]) == (400, 50109)


@pytest.mark.parametrize("side", ["/page/api", "/api/v10"])
@pytest.mark.parametrize("kind", ["application/json", FORM])
async def test_a_body_that_is_too_large_is_a_413(
    kind: str, side: str, playground: Playground
) -> None:
    body = PART + b"\r\n" + b"x" * (playground.limits.request_bytes + 2 * 1024 * 1024)
    status, answer = await sent(playground, side, {"Content-Type": kind}, body)
    assert (status, answer["code"]) == (413, 40005)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/channels/{games}/permissions/{ada}", {"type": [0], "allow": "0", "deny": "0"}),
        ("POST", "/channels/{games}/threads", {"name": "a", "auto_archive_duration": [60]}),
    ],
)
async def test_a_list_in_place_of_a_number_is_a_400(
    method: str, path: str, body: dict[str, Any], playground: Playground
) -> None:
    ada = playground.world.home.owner_id
    address = f"{playground.address}/page/api{path.format(games=channel_id(playground), ada=ada)}"
    async with (
        aiohttp.ClientSession() as session,
        session.request(
            method, address, json=body, headers={"Authorization": f"person {ada}"}
        ) as answer,
    ):
        assert answer.status == 400


@pytest.mark.parametrize("side", ["/page/api", "/api/v10"])
async def test_a_client_that_dies_while_it_sends_is_no_error(
    side: str, playground: Playground
) -> None:
    address = URL(playground.address)
    assert address.host is not None
    _, writer = await asyncio.open_connection(address.host, address.port)
    path = f"{side}/channels/{channel_id(playground)}/messages"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {address.authority}\r\nContent-Type: {FORM}\r\n"
        f"Authorization: Bot {playground.token}\r\nContent-Length: 10000\r\n\r\n"
    )
    writer.write(head.encode() + PART + b"\r\n{")
    await writer.drain()
    await asyncio.sleep(0.1)
    writer.transport.abort()
    await asyncio.sleep(0.1)
    assert (await sent(playground, side, {"Content-Type": FORM}, b""))[0] == 400
