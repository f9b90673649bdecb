"""The strongest proof: nothing of discord.py is touched, only name service and trust are ours.

The client asks https://discord.com and wss://gateway.discord.gg; a resolver answers every name
with this machine, and the client trusts a certificate that was made for the test.
"""

from __future__ import annotations

import socket
import ssl

import aiohttp
import discord
import trustme
from aiohttp.abc import AbstractResolver, ResolveResult

from playground.person import Person
from playground.server import Playground
from tests.playground.conftest import Bot, run
from tests.support.discord_spec import SpecObserver

NAMES = ("discord.com", "gateway.discord.gg", "cdn.discordapp.com")


class Here(AbstractResolver):
    """Every name is this machine, at one port."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked: set[str] = set()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked.add(host)
        return [
            ResolveResult(
                hostname=host,
                host="127.0.0.1",
                port=self.port,
                family=socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
        ]

    async def close(self) -> None:
        """Nothing is held."""


async def test_an_untouched_client_finds_the_playground_in_discords_place(
    observer: SpecObserver,
) -> None:
    authority = trustme.CA()
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(*NAMES).configure_cert(serving)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    async with Playground(tls=serving, observer=observer) as playground:
        names = Here(playground.port)
        bot = Bot(connector=aiohttp.TCPConnector(resolver=names, ssl=trusting))
        assert discord.http.Route.BASE == "https://discord.com/api/v10"

        @bot.tree.command(description="Load")
        async def load(interaction: discord.Interaction, file: discord.Attachment) -> None:
            await interaction.response.send_message((await file.read()).decode())

        person = await _person(playground, trusting)
        async with run(bot, playground.token), person:
            file = await person.upload("game.txt", b"a1 b2")
            nonce = await person.slash("load", person.channel("games"), file=file)
            assert (await person.wait_answer(nonce))["content"] == "a1 b2"
        assert names.asked == set(NAMES)
        assert playground.problems == []
    assert observer.problems == []


async def _person(playground: Playground, trusting: ssl.SSLContext) -> Person:
    # The page is asked by its loopback address, for which the certificate was not made.
    loose = ssl.create_default_context()
    loose.check_hostname = False
    loose.verify_mode = ssl.CERT_NONE
    session = aiohttp.ClientSession(playground.address, connector=aiohttp.TCPConnector(ssl=loose))
    person = Person(playground.address, playground.world.home.owner_id, "Ada", session)
    await person.open()
    return person
