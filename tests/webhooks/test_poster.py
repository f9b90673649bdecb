"""Requests to addresses of strangers: to the checked number alone, and never for long."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import trustme
from aiohttp import web

from bot.webhooks import delivery as webhook_poster
from bot.webhooks.delivery import HttpsPoster
from bot.webhooks.services import WebhookFailed

pytestmark = pytest.mark.slow

URL = "https://results.example.org/hook?a=b"
AUTHORITY = trustme.CA()
Seen = list[tuple[str, str, str, bytes]]


def _trusted() -> ssl.SSLContext:
    context = ssl.create_default_context()
    AUTHORITY.configure_trust(context)
    return context


@asynccontextmanager
async def _server(
    answer: Callable[[web.Request], web.StreamResponse] | None = None,
    *,
    address: str = "127.0.0.1",
    name: str = "results.example.org",
    slow: float = 0,
) -> AsyncIterator[tuple[int, Seen]]:
    """A server with a certificate of that name: its port, and what it was asked."""
    seen: Seen = []

    async def handle(request: web.Request) -> web.StreamResponse:
        seen.append((request.method, request.host, request.path_qs, await request.read()))
        await asyncio.sleep(slow)
        return web.Response() if answer is None else answer(request)

    application = web.Application()
    application.router.add_route("*", "/{tail:.*}", handle)
    runner = web.AppRunner(application)
    await runner.setup()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    AUTHORITY.issue_cert(name).configure_cert(context)
    site = web.TCPSite(runner, address, 0, ssl_context=context)
    await site.start()
    try:
        yield runner.addresses[0][1], seen
    finally:
        await runner.cleanup()


class _Names:
    """A server of names that gives one answer after another, and counts how often it is asked."""

    def __init__(self, *answers: list[tuple[str, int]]) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def __call__(self, host: str, port: int) -> list[tuple[str, int]]:
        assert (host, port) == ("results.example.org", 443)
        self.asked += 1
        return self.answers[min(self.asked, len(self.answers)) - 1]


def _poster(names: _Names, *allowed: str) -> HttpsPoster:
    return HttpsPoster(is_allowed=lambda n: n in allowed, look_up=names, trusted=_trusted())


async def test_a_body_arrives_under_the_name_of_the_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    async with _server() as (port, seen):
        poster = _poster(_Names([("127.0.0.1", port)]), "127.0.0.1")
        await poster.post(URL, {"Parlour-Delivery": "1"}, b"{}")
    assert seen == [("POST", "results.example.org", "/hook?a=b", b"{}")]


async def test_a_name_that_changes_its_answer_after_the_check_changes_nothing() -> None:
    async with _server() as (port, seen), _server(address="127.0.0.2") as (other, inside):
        names = _Names([("127.0.0.1", port)], [("127.0.0.2", other)])
        poster = _poster(names, "127.0.0.1")
        await poster.post(URL, {}, b"{}")
        assert names.asked == 1
        assert len(seen) == 1
        with pytest.raises(WebhookFailed, match="private"):
            await poster.post(URL, {}, b"{}")
    assert len(seen) == 1
    assert not inside


async def test_one_forbidden_number_among_others_is_enough_to_refuse() -> None:
    async with _server() as (port, seen):
        for answer in ([("127.0.0.1", port), ("127.0.0.2", port)], []):
            with pytest.raises(WebhookFailed, match="private"):
                await _poster(_Names(answer), "127.0.0.1").post(URL, {}, b"{}")
        # As it is outside of tests: nothing here is of the open Internet.
        poster = HttpsPoster(look_up=_Names([("127.0.0.1", port)]), trusted=_trusted())
        with pytest.raises(WebhookFailed, match="private"):
            await poster.post(URL, {}, b"{}")
    assert not seen


async def test_the_numbers_of_a_name_are_those_of_the_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, int]] = []

    def found(host: str, port: int, **_: object) -> list[object]:
        asked.append((host, port))
        kinds = (socket.SOCK_STREAM, 6, "")
        return [
            (socket.AF_INET, *kinds, ("8.8.8.8", port)),
            (socket.AF_INET6, *kinds, ("fe80::1%eth0", port, 0, 2)),
        ]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    with pytest.raises(WebhookFailed, match="private"):
        await HttpsPoster().post(URL, {}, b"{}")
    assert asked == [("results.example.org", 443)]


@pytest.mark.parametrize(
    "url",
    [
        *("https://127.0.0.1/", "https://[::1]/", "http://results.example.org/"),
        *("https://results.example.org:8443/", "https://a@results.example.org/"),
    ],
)
async def test_an_address_that_would_not_be_taken_is_not_sent_to(url: str) -> None:
    names = _Names([("127.0.0.1", 1)])
    with pytest.raises(WebhookFailed, match="address"):
        await _poster(names, "127.0.0.1").post(url, {}, b"{}")
    assert not names.asked


async def test_no_redirect_is_followed_and_only_a_success_is_one() -> None:
    def elsewhere(request: web.Request) -> web.StreamResponse:
        return web.Response(status=307, headers={"Location": "https://results.example.org/in"})

    async with _server(elsewhere) as (port, seen):
        with pytest.raises(WebhookFailed, match="307"):
            await _poster(_Names([("127.0.0.1", port)]), "127.0.0.1").post(URL, {}, b"{}")
    assert len(seen) == 1


async def test_another_certificate_is_not_trusted() -> None:
    async with _server(name="other.example.org") as (port, seen):
        with pytest.raises(WebhookFailed, match="certificate"):
            await _poster(_Names([("127.0.0.1", port)]), "127.0.0.1").post(URL, {}, b"{}")
    assert not seen


async def test_a_slow_or_endless_answer_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(request: web.Request) -> web.StreamResponse:
        return web.Response(body=b"x" * 50_000_000)

    async with _server(endless) as (port, _):
        await _poster(_Names([("127.0.0.1", port)]), "127.0.0.1").post(URL, {}, b"{}")
    monkeypatch.setattr(webhook_poster, "_SECONDS", 0.2)
    async with _server(slow=1) as (port, _):
        with pytest.raises(WebhookFailed, match="timeout"):
            await _poster(_Names([("127.0.0.1", port)]), "127.0.0.1").post(URL, {}, b"{}")
