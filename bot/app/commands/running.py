"""Commands that run Parlour, or a part of it, and those that ask how it is."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from argparse import Namespace

import aiohttp
import discord

from bot import metrics
from bot.app import doctor
from bot.app.commands import tell
from bot.app.health import is_healthy
from bot.app.life import Bot, stop_on_signals
from bot.app.playground.child import PlaygroundChild, point_at
from bot.app.playground.event import hold_event
from bot.app.starting import OutputFailed
from bot.app.wiring import create_bot, no_store, thinking_alone
from bot.computers.thinking.pool import WorkerPool
from bot.settings import Settings, SettingsWrong
from bot.store import Store, open_store
from bot.tasks import cancel

_GARBAGE = 20_000
"""New objects after which the garbage collector runs."""


async def run(given: Namespace, settings: Settings) -> int:
    """Run the bot until told to stop; without a token in the playground."""
    token, now = settings.discord_token(), getattr(given, "now", False)
    if settings.traces is not None:
        _begin_traces(settings.traces)
    stop = asyncio.Event()
    stop_on_signals(stop)
    # The database first: a second process is refused before it disturbs anything.
    url = settings.database_url()
    async with await open_store(url, data=settings.data, catches_up=True) as store:
        _settle_memory()
        if token is not None:
            await create_bot(settings, store=store, by_hand=now).run(token, stop)
            return 0
        if settings.playground is not None and settings.playground_token is not None:
            token = settings.playground_token.get_secret_value()
            await _play(settings, store, settings.playground, token, stop, now=now)
            return 0
        async with PlaygroundChild(
            port=settings.playground_port, state=settings.data / "playground.db"
        ) as playground:
            ended = asyncio.create_task(playground.ended())
            ended.add_done_callback(lambda _: stop.set())
            event = asyncio.create_task(_hold_event(settings, playground.address))
            try:
                await _play(settings, store, playground.address, playground.token, stop, now=now)
            finally:
                await cancel([ended, event])
        tell("Parlour has ended. Start it again to go on where you were.")
    return 0


def _begin_traces(address: str) -> None:
    try:
        metrics.begin_traces(address)
    except ImportError as error:
        msg = "PARLOUR_TRACES needs OpenTelemetry, which is not installed. Run: make traces"
        raise SettingsWrong(msg) from error


def _settle_memory() -> None:
    """Have the garbage collector skip all present objects, which are modules and classes.

    They live as long as the process. A full collection would examine all of them again and again,
    which blocks the event loop for a tenth of a second on a slow machine, in the middle of moves. A
    move makes some thousands of objects and hardly any cycles, so it is also enough to collect
    garbage every few moves.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GARBAGE, 20, 20)


async def _play(
    settings: Settings,
    store: Store,
    address: str,
    token: str,
    stop: asyncio.Event,
    *,
    now: bool,
) -> None:
    """Run in the playground at this address until told to stop."""
    point_at(address)
    # It has one server and announces it immediately: the page need not wait for more.
    bot = create_bot(settings, store=store, guild_ready_timeout=0.5, by_hand=now)
    bot.sync_always = True
    if settings.playground is None:
        bot.client.connection.left = None  # it has just started and knows no session
    has_event = settings.playground is None and settings.playground_event
    greeting = asyncio.create_task(_greet(bot, address, has_event=has_event))
    try:
        await bot.run(token, stop)
    finally:
        greeting.cancel()


async def _hold_event(settings: Settings, address: str) -> None:
    """Hold an event in the playground for newcomers."""
    if settings.playground_event:
        await hold_event(address)


async def _greet(bot: Bot, address: str, *, has_event: bool) -> None:
    """Print the address and the first commands, once there is a player to play with."""
    await bot.found.wait()
    with contextlib.suppress(BrokenPipeError, OutputFailed):
        tell(
            "No DISCORD_TOKEN is set, so this is the playground, a Discord of your own on this"
            f" machine.\nOpen {address} in two browser windows, be a different person"
            " in each, and type /play."
            + ("\nIn #games you can join an arena that three scripts play." if has_event else "")
            + "\nCtrl-C ends it; what you have played is kept."
        )


async def sync(_: Namespace, settings: Settings) -> int:
    """Tell Discord the commands."""
    token = settings.discord_token()
    if token is None:
        tell("There is no DISCORD_TOKEN, and the playground is told the commands at every start.")
        return 1
    bot = create_bot(settings, store=no_store())
    try:
        async with bot.client:
            await bot.client.login(token)
            await bot.sync(only_if_changed=False)
    except (discord.DiscordException, aiohttp.ClientError) as error:
        tell(f"Discord could not be told: {error}. For what to do, run: parlour doctor")
        return 1
    tell("Discord knows the commands now.")
    return 0


async def examine(_: Namespace, settings: Settings) -> int:
    """Check everything, and say how to fix each problem."""
    findings = await doctor.examine(settings)
    for finding in findings:
        tell(str(finding))
    return 0 if all(finding.is_well for finding in findings) else 1


async def think(_: Namespace, settings: Settings) -> int:
    """Only compute moves for computer opponents, beside bots on PostgreSQL, until stopped."""
    url = settings.database_url()
    if url.startswith("sqlite"):
        tell(
            "Workers of their own need PostgreSQL, which PARLOUR_DATABASE names. With SQLite the"
            " bot has its workers beside it: PARLOUR_WORKERS says how many."
        )
        return 1
    stop = asyncio.Event()
    stop_on_signals(stop)
    async with await open_store(url, catches_up=True) as store:
        thinker = WorkerPool(max(1, settings.workers), memory=settings.worker_memory)
        computers = thinking_alone(settings, store, thinker.think)
        at_work = asyncio.create_task(computers.run())
        at_work.add_done_callback(lambda _: stop.set())
        try:
            await stop.wait()
        finally:
            await cancel([at_work])
            await thinker.close()
    return 0


async def ask_health(_: Namespace, settings: Settings) -> int:
    """Ask the running bot whether it is healthy."""
    if settings.health_port is None:
        tell("PARLOUR_HEALTH_PORT is not set, so there is nothing to ask.")
        return 1
    well, said = await asyncio.to_thread(
        is_healthy, settings.health_port, address=str(settings.health_address)
    )
    tell(said)
    return 0 if well else 1
