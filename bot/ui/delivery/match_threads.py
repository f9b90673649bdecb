"""Threads in which matches are played: made, found again after a crash, archived in good time.

The kind of a thread follows from its channel: an announcement channel has announcement threads and
no others. In a channel of any other kind than these two a thread cannot be made without a post.

Documentation: https://docs.discord.com/developers/topics/threads
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import discord

from bot.domain.ids import ChannelId, UserId
from bot.domain.match import Match
from bot.logs import logger
from bot.posts.sending import Gone, Posted, Refused, Retry
from bot.ui.delivery.poster import Moderated, RestCalls, posted_since
from bot.ui.pages import match_text
from bot.ui.pages.display_names import clean

_log = logger(__name__)

_WEEK: Literal[10080] = 10080
"""Minutes until an idle thread is archived; sending opens it again."""
_THREE_DAYS = 4320
"""The same once its match is over: nobody can press anything in a thread that is archived, and a
rematch that was offered there can be accepted for two days."""
_LONGEST = 100
"""Characters of a thread's name."""
_NAME = 24
_BETWEEN, _AGAINST = " · ", " – "
_THREAD_EXISTS = 160004
_UNKNOWN_MESSAGE = 10008
_KINDS: Mapping[int, Literal[10, 11]] = {
    discord.ChannelType.text.value: 11,
    discord.ChannelType.news.value: 10,
}
"""The kind of thread that everybody who sees a channel may join, by the kind of channel."""


def thread_name(game: str, players: Sequence[str], occasion: str) -> str:
    """``Quax · Anna – Ben · Spring Cup · Round 2``, the players' names as long as there is room."""
    for longest in range(_NAME, 0, -1):
        against = _AGAINST.join(clean(each, longest=longest) for each in players)
        name = _BETWEEN.join(each for each in (game, against, occasion) if each)
        if len(name) <= _LONGEST:
            break
    return name[:_LONGEST]


def _is_given(name: str) -> bool:
    """Whether :func:`thread_name` gave this name."""
    return _BETWEEN in name and _AGAINST in name


class MatchThreads:
    """Makes threads through a connected client."""

    def __init__(self, client: discord.Client, calls: RestCalls) -> None:
        self._client = client
        self._calls = calls

    async def make(
        self, match: Match, offer: Posted | None, name: str, *, may_exist: bool
    ) -> tuple[ChannelId, bool]:
        """A thread with the players of a match, and whether it hangs on no message.

        The offer has none, or it was deleted. Where a filter of the server does not like the
        ``name``, of which the names of people and events are not ours, it is that of the game.
        """
        try:
            thread, is_alone = await self._made_for(match, offer, name, may_exist=may_exist)
        except Moderated:
            name = match_text.game_name(match)
            thread, is_alone = await self._made_for(match, offer, name, may_exist=may_exist)
        for player in match.players:
            if player is not None and player > 0:
                await self.bring_in(thread, player)
        return thread, is_alone

    async def _made_for(
        self, match: Match, offer: Posted | None, name: str, *, may_exist: bool
    ) -> tuple[ChannelId, bool]:
        made = None if offer is None else await self.on_message(offer, name)
        if made is not None:
            return made, False
        return await self._alone(match, name, may_exist=may_exist), True

    async def on_message(self, offer: Posted, name: str) -> ChannelId | None:
        """The thread on the message of an offer, which has at most one; None without the message.

        Raises what says to try again or that it will not be done.
        """
        http = self._client.http

        async def make() -> ChannelId | None:
            try:
                made = await http.start_thread_with_message(
                    offer.channel_id, offer.message_id, name=name, auto_archive_duration=_WEEK
                )
            except discord.HTTPException as error:
                if error.code == _UNKNOWN_MESSAGE:
                    return None
                if error.code != _THREAD_EXISTS:
                    raise
                return ChannelId(offer.message_id)
            return ChannelId(int(made["id"]))

        return await self._calls.ask(make)

    async def _alone(self, match: Match, name: str, *, may_exist: bool) -> ChannelId:
        """A thread in the channel of an offer, without a message to hang it on.

        One that an earlier attempt has made is looked for if it ``may_exist``.
        """
        channel = match.origin.channel_id

        async def make() -> ChannelId:
            kind = await self._kind(match)
            found = await self._made(match, name) if may_exist else None
            if found is not None:
                return found
            made = await self._client.http.start_thread_without_message(
                channel, name=name, auto_archive_duration=_WEEK, type=kind
            )
            return ChannelId(int(made["id"]))

        return await self._calls.ask(make)

    async def _kind(self, match: Match) -> Literal[10, 11]:
        """The kind of a thread in the channel of an offer."""
        channel = match.origin.channel_id
        guild = self._client.get_guild(match.origin.guild_id or 0)
        known = None if guild is None else guild.get_channel_or_thread(channel)
        if known is not None:
            found: int = known.type.value
        else:
            found = (await self._client.http.get_channel(channel))["type"]
        if found not in _KINDS:
            raise Refused(f"refused_no_threads_in_kind_{found}")
        return _KINDS[found]

    async def _made(self, match: Match, name: str) -> ChannelId | None:
        """The thread that an earlier attempt made, if any.

        Nobody has written in it, for its board comes first.
        """
        if match.origin.guild_id is None:
            return None
        own = None if self._client.user is None else self._client.user.id
        found = await self._client.http.get_active_threads(match.origin.guild_id)
        for each in found["threads"]:
            thread = int(each["id"])
            if (
                each["name"] == name
                and int(each["owner_id"]) == own
                and int(each["parent_id"]) == match.origin.channel_id
                and not each.get("message_count")
                and posted_since(each, match.created_at)
            ):
                return ChannelId(thread)
        return None

    async def bring_in(self, thread: ChannelId, player: UserId) -> None:
        """Put the thread into a player's list; it can be played without."""
        await self._if_possible(self._client.http.add_user_to_thread, thread, player)

    async def take_out(self, thread: ChannelId, player: UserId) -> bool:
        """Take the thread out of the list of a player who has stopped playing there; whether it is.

        Discord asks for Manage Threads, which Parlour can do without.
        """
        return await self._if_possible(self._client.http.remove_user_from_thread, thread, player)

    async def _if_possible(self, request: Callable[..., Any], *args: Any, **more: Any) -> bool:
        """Make a request whose failure is only logged; whether it succeeded."""
        try:
            await self._calls.ask(lambda: request(*args, **more))
        except (Gone, Refused, Retry) as trouble:
            _log.info("a thread stays as it is", error=type(trouble).__name__)
            return False
        return True

    async def open_under(self, thread: ChannelId, name: str) -> bool:
        """Open a thread that is to be edited, give one of ours its ``name``; whether it was closed.

        A name that people gave a thread stays.
        """
        http, own = self._client.http, self._client.user

        async def open_it() -> bool:
            found: Mapping[str, Any] = await http.get_channel(thread)
            known = found.get("thread_metadata")
            if known is None:
                return False
            changes: dict[str, Any] = {"archived": False} if known["archived"] else {}
            is_ours = own is not None and int(found["owner_id"]) == own.id
            if is_ours and name != found["name"] and _is_given(str(found["name"])):
                changes["name"] = name
            if changes:
                await http.edit_channel(thread, **changes)
            return bool(known["archived"])

        return await self._calls.ask(open_it)

    async def close(self, thread: ChannelId) -> None:
        """Archive a thread."""
        http = self._client.http
        await self._calls.ask(lambda: http.edit_channel(thread, archived=True))

    async def keep_open(self, match: Match, where: ChannelId) -> None:
        """Let a thread of ours be archived sooner after its match is over, not while one runs."""
        guild, own = self._client.get_guild(match.origin.guild_id or 0), self._client.user
        thread = None if guild is None else guild.get_thread(where)
        minutes = _THREE_DAYS if match.status.is_final else _WEEK
        if (
            own is None
            or thread is None
            or thread.owner_id != own.id
            or thread.auto_archive_duration == minutes
        ):
            return
        edit = self._client.http.edit_channel
        await self._if_possible(edit, where, auto_archive_duration=minutes)
