"""The library's client with Parlour's guards, and the handlers of its events.

Every event is parsed behind a guard, since an unreadable one would end the library.
:mod:`bot.connection.connection` connects the client and keeps it connected.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, Collection
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord

from bot import failpoints, metrics
from bot.clock import Clock, DiscordClock
from bot.connection.connection import HOPELESS, Connection, Unmendable
from bot.connection.gateway import Lost, Timeouts, check_envelope
from bot.connection.services import SessionStarts
from bot.domain.ids import GuildId
from bot.i18n import Languages
from bot.logs import bug_id, logger
from bot.services.blocked import Blocked
from bot.services.presence import Presence
from bot.services.rate_limits import DiscordShare
from bot.store.errors import StoreUnavailable
from bot.store.presence import hashed, shard_scopes
from bot.ui.command_sync import CatalogueTranslator
from bot.ui.interaction.slash import Tree
from bot.ui.private_parts import (
    drop_guilds,
    end_of_limit,
    forget_guild,
    guard_parsers,
    has_logged_in,
    reopen,
)
from bot.ui.rest import end_in_time, in_words
from bot.ui.router import Router

_log = logger(__name__)

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # Voice is not used.
INTENTS = discord.Intents(guilds=True)
"""Servers and channels; nothing that Discord considers private."""
_LONGEST_LIMIT = 30.0
"""Seconds of a rate limit that the library waits for; the outbox retries after longer ones."""
_OF_THE_TREE = (discord.InteractionType.application_command, discord.InteractionType.autocomplete)
"""Interactions that the library hands to the command tree itself."""
_WITHOUT_TOKEN = ("/interactions/", "/webhooks/")
"""A refusal of these says nothing about the bot's token; the global limit does not count them."""
_SILENCE = 120.0
"""Seconds of silence after which the library ends; Parlour does so long before."""
_MAY_OPEN = {
    "CHANNEL_UPDATE": "guild_id",
    "GUILD_MEMBER_UPDATE": "guild_id",
    "GUILD_ROLE_DELETE": "guild_id",
    "GUILD_ROLE_UPDATE": "guild_id",
    "GUILD_UPDATE": "id",
    "THREAD_LIST_SYNC": "guild_id",
    "THREAD_UPDATE": "guild_id",
}
"""Events that may change our permissions, and their key of the server."""


class ParlourClient(discord.AutoShardedClient):
    """The client with our guards.

    ``begun`` is awaited after each login. ``first_ready`` is set when events first flow on every
    shard, a few seconds after the last server, since Discord doesn't say which one is the last.
    With ``divided``, shards come and go, as processes divide them among themselves. ``time`` reads
    the time from every response.
    """

    def __init__(
        self,
        languages: Languages,
        starts: SessionStarts,
        clock: Clock,
        *,
        shard_count: int | None = None,
        shard_ids: tuple[int, ...] | None = None,
        guild_ready_timeout: float = 2.0,
        timeouts: Timeouts | None = None,
        divided: bool = False,
    ) -> None:
        options: dict[str, Any] = {}
        if shard_ids is not None:
            options["shard_ids"] = list(shard_ids)
        super().__init__(
            intents=INTENTS,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            max_ratelimit_timeout=_LONGEST_LIMIT,
            guild_ready_timeout=guild_ready_timeout,
            heartbeat_timeout=_SILENCE,
            http_trace=self._trace(),
            shard_count=shard_count,
            **options,
        )
        end_in_time(self.http)
        self.tree = Tree(self, fallback_to_global=True)
        self.router: Router | None = None
        self.begun: Callable[[], Awaitable[None]] | None = None
        self.presence: Presence | None = None
        self.blocked: Blocked | None = None
        self.welcome: Callable[[discord.Guild], object] | None = None
        self.time: DiscordClock | None = None
        self.share = DiscordShare() if divided else None
        self.first_ready = asyncio.Event()
        self.malformed = 0
        self._lost_shards: set[int] = set()
        self._known_shards: set[int] = set()
        """Shards whose servers are all known."""
        self._languages = languages
        self.connection = Connection(
            self, starts, clock, lost=self._lost, timeouts=timeouts, divided=divided
        )
        guard_parsers(self, self._parse)

    async def setup_hook(self) -> None:
        """After each login: translations, then ``begun``."""
        await self.tree.set_translator(CatalogueTranslator(self._languages))
        if self.begun is not None:
            await self.begun()

    async def connect(self, *, reconnect: bool = True) -> None:  # noqa: ARG002 - the library's
        """Stay connected until :meth:`close`. Raises :exc:`Unmendable`."""
        await self.connection.run()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:  # noqa: ARG002 - the library's
        """Count an IDENTIFY."""
        await self.connection.starts.spend(shard_id or 0)

    async def close(self) -> None:
        """Close the connection; without a login there is none, and the library would fail."""
        if has_logged_in(self):
            await self.connection.close()
            await super().close()

    def _trace(self) -> aiohttp.TraceConfig:
        """A hook on each request: its turn, its trace, and the headers of its answer."""
        trace = aiohttp.TraceConfig()

        async def asked(
            _session: aiohttp.ClientSession,
            context: SimpleNamespace,
            start: aiohttp.TraceRequestStartParams,
        ) -> None:
            if self.share is not None and not _is_exempt(start.url.path):
                await asyncio.sleep(self.share.wait())
            route = metrics.route(start.url.path)
            context.span = metrics.part_begun(f"discord {start.method} {route}")
            if self.time is not None:
                context.asked = self.time.seconds()

        async def arrived(
            _session: aiohttp.ClientSession,
            context: SimpleNamespace,
            end: aiohttp.TraceRequestEndParams,
        ) -> None:
            path, status = end.url.path, end.response.status
            if context.span is not None:
                context.span.set_attribute("http.response.status_code", status)
                context.span.end()
            metrics.DISCORD_ANSWERS.labels(end.method, str(status)).inc()
            if status == 429:
                metrics.rate_limited(path, end.response.headers.get("Retry-After"))
            if self.time is not None and end.response.content_type == "application/json":
                self.time.hear(end.response.headers.get("Date"), context.asked)
            if status == 401 and not _is_exempt(path):
                self.connection.token_doubted.set()
            if end.method == "POST" and path.endswith("/messages"):
                failpoints.hit("c7")

        async def failed(
            _session: aiohttp.ClientSession,
            context: SimpleNamespace,
            _error: aiohttp.TraceRequestExceptionParams,
        ) -> None:
            if context.span is not None:
                context.span.end()

        trace.on_request_start.append(asked)
        trace.on_request_exception.append(failed)
        trace.on_request_end.append(arrived)
        return trace

    def _parse(self, name: str, parse: Callable[[Any], Any], data: Any) -> Any:
        """Parse an event; an unreadable one is counted and skipped.

        Without READY there is no session, so an unreadable READY ends the connection.
        """
        try:
            if name == "READY":
                self._forget_unnamed(data)
            elif name == "INTERACTION_CREATE":
                check_envelope(data)
            parsed = parse(data)
            if name in _MAY_OPEN:
                self._note_change(name, data)
        except Exception as error:
            if name == "READY":
                raise
            self.malformed += 1
            found = data.get("id") if isinstance(data, dict) else None
            _log.warning("an event could not be read", event_name=name, id=found, error=repr(error))
            return None
        return parsed

    def _note_change(self, name: str, data: Any) -> None:
        """Note a change in a server; for members, only a change of our own."""
        if name == "GUILD_MEMBER_UPDATE" and int(data["user"]["id"]) != self._own_id:
            return
        if self.blocked is not None:
            self.blocked.moved(GuildId(int(data[_MAY_OPEN[name]])))

    @property
    def _own_id(self) -> int | None:
        return None if self.user is None else self.user.id

    def _forget_unnamed(self, ready: Any) -> None:
        """Forget the servers that a new session of a shard does not name.

        They removed Parlour while the old session was lost, and the library would keep them.
        """
        named = {int(each["id"]) for each in ready["guilds"]}
        shard = ready["shard"][0]
        for guild in [each for each in self.guilds if each.shard_id == shard]:
            if guild.id not in named:
                forget_guild(self, guild.id)

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Start the listeners of an event; commands go to the tree."""
        if event != "interaction" or args[0].type not in _OF_THE_TREE:
            super().dispatch(event, *args, **kwargs)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Route components and forms; commands go through the tree."""
        if self.router is not None:
            await self.router.route(interaction)

    @property
    def is_connected(self) -> bool:
        """Whether events flow on every shard of this process."""
        is_ready = self.first_ready.is_set() or not self.connection.shards
        return (
            is_ready
            and self.connection.is_open
            and len(self.open_shards) == len(self.connection.shards)
        )

    @property
    def open_shards(self) -> frozenset[int]:
        """The shards of this process on which people can use Parlour."""
        open_now = (each.id for each in self.connection.shards if each.is_open)
        return frozenset(open_now) & self._known_shards - self._lost_shards

    @property
    def leads(self) -> bool:
        """Whether this process does the tasks done once for all servers.

        The process with the first shard does; where shards are numbered by hand, each does.
        """
        return not self.connection.is_divided or any(
            each.id == 0 for each in self.connection.shards
        )

    @property
    def is_at_work(self) -> bool:
        """Whether people can use all shards of this process, or some if processes divide them."""
        return bool(self.open_shards) if self.connection.is_divided else self.is_connected

    def shards_connected(self) -> dict[int, bool]:
        """Whether events flow, for each shard of this process."""
        found = self.open_shards
        return {each.id: each.id in found for each in self.connection.shards}

    def knows(self, guild_id: GuildId | None) -> bool:
        """Whether a server is on a shard of this process whose servers are known."""
        total = self.connection.total
        return total > 0 and hashed(guild_id) % total in self._known_shards

    def reaches(self, guild_id: GuildId | None) -> bool:
        """Whether this process sends messages for a server; any process sends those without one."""
        return not self.connection.is_divided or guild_id is None or self.knows(guild_id)

    def leave_shards(self, shard_ids: Collection[int]) -> None:
        """Forget shards that another process serves now, and their servers."""
        self._known_shards.difference_update(shard_ids)
        self._lost_shards.difference_update(shard_ids)
        drop_guilds(self, [each for each in self.guilds if each.shard_id in shard_ids])

    def _lost(self, shard_id: int, lost: Lost) -> None:
        """Note that a connection has ended; a new one is being made."""
        self._lost_shards.add(shard_id)
        self.malformed += lost.is_unreadable

    async def on_shard_resumed(self, shard_id: int) -> None:
        """The session goes on; its servers are known."""
        if shard_id in self._known_shards:
            self._lost_shards.discard(shard_id)
            await self._back()
        else:
            await self.on_shard_ready(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """A session has begun, and its servers are known.

        It only sets flags, as it comes again when a session was lost.
        """
        if not any(each.id == shard_id for each in self.connection.shards):
            return
        self._lost_shards.discard(shard_id)
        self._known_shards.add(shard_id)
        guilds = [each for each in self.guilds if each.shard_id == shard_id]
        if self.presence is not None:
            # Before any wait, so that no heartbeat comes first.
            (scope,) = shard_scopes((shard_id,), self.connection.total)
            with contextlib.suppress(StoreUnavailable):
                await self.presence.named([GuildId(each.id) for each in guilds], scope)
        for guild in guilds:
            if guild.unavailable:
                await self.on_guild_unavailable(guild)
            else:
                await self.on_guild_available(guild)
        if all(each.id in self._known_shards for each in self.connection.shards):
            self.first_ready.set()
            await self.connection.starts.ready()
        await self._back()

    async def _back(self) -> None:
        if self.blocked is not None:
            with contextlib.suppress(StoreUnavailable):
                await self.blocked.connected()

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """A server is unavailable for now."""
        if self.presence is not None:
            self.presence.left(GuildId(guild.id))

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is available again."""
        if self.presence is not None:
            with contextlib.suppress(StoreUnavailable):
                await self.presence.came_back(GuildId(guild.id))
        if self.blocked is not None:
            self.blocked.moved(GuildId(guild.id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Parlour was removed from a server: no actions there until it is added again."""
        await self.on_guild_unavailable(guild)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Parlour was added to a server, for the first time or again: post the first steps."""
        await self.on_guild_available(guild)
        if self.welcome is not None:
            self.welcome(guild)

    async def on_error(self, event_method: str, /, *_args: object, **_kwargs: object) -> None:
        """An exception in an event handler."""
        _log.exception("a bug in an event handler", bug=bug_id(), handler=event_method)


def _is_exempt(path: str) -> bool:
    return any(each in path for each in _WITHOUT_TOKEN)


async def stay_connected(
    client: discord.Client,
    token: str,
    stop: asyncio.Event,
    *,
    timeouts: Timeouts | None = None,
    final: tuple[type[Exception], ...] = (),
) -> None:
    """Log in and stay connected until ``stop``. Raises :exc:`Unmendable` and the ``final`` errors.

    It retries the login; after that :class:`~bot.connection.connection.Connection` reconnects.
    """
    timeouts = timeouts or Timeouts()
    failed = 0
    while not stop.is_set():
        try:
            await client.login(token)
            if failed:
                _log.info("logged in to Discord", attempts=failed + 1)
            failed = 0
            await client.connect()
        except discord.LoginFailure as error:
            raise Unmendable(HOPELESS[4004]) from error
        except Exception as error:
            if isinstance(error, (Unmendable, *final)):
                raise
            trouble: Exception = error
        else:
            trouble = RuntimeError("the connection ended")
        if stop.is_set():
            return
        most = min(timeouts.longest, timeouts.first * 2.0 ** min(failed + 1, 30))
        wait = random.uniform(most / 2, most)  # noqa: S311 - jitter
        failed += 1
        if failed & (failed - 1) == 0:
            _log.warning("no login to Discord", why=in_words(trouble), attempts=failed)
        await reopen(client)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await stop.wait()


async def free_requests(
    client: discord.Client, *, longest: float = 2 * _LONGEST_LIMIT, look: float = 5.0
) -> None:
    """Watch the library's wait for a global rate limit, for ever.

    Every request waits for an event of the library then. The request that met the limit sets it in
    the end, unless it was cancelled; then all would wait for ever. The library waits for no limit
    longer than ours, so one that lasts ``longest`` seconds is over.
    """
    loop = asyncio.get_running_loop()
    since: float | None = None
    while True:
        await asyncio.sleep(look)
        is_over = end_of_limit(client)
        if is_over is None or is_over.is_set():
            since = None
        elif since is None:
            since = loop.time()
        elif loop.time() - since >= longest:
            _log.warning("requests were stuck behind a rate limit that is over; they go on")
            is_over.set()
            since = None
