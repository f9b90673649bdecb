"""The outbox's messages on Discord: offers, boards and notices.

A board is posted silently and mentions nobody. The notice after it is a line of plain text for the
one player it concerns: a silent message wakes no phone, and a page of components reads badly in a
push notification. A call is deleted when the next board is there, so one message a move remains.

Every post carries a nonce, which Discord is asked to enforce: the same post again within some
minutes gives the message that exists.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

import discord
from cachetools import LRUCache

from bot.domain.computers import is_computer
from bot.domain.ids import ChannelId, GuildId, MessageId, UserId
from bot.domain.match import Match, MatchStatus, Venue
from bot.domain.vacation import UserVacation
from bot.i18n import Language, Languages, Sentences
from bot.logs import logger
from bot.posts.notices import NoticeKind, RequestNews, asks
from bot.posts.sending import (
    DirectRefused,
    Gone,
    News,
    Notice,
    Posted,
    Recipient,
    Refused,
    Retry,
    VacationNews,
)
from bot.services.preferences import PreferenceService
from bot.ui.delivery.match_threads import MatchThreads, thread_name
from bot.ui.delivery.poster import DiscordPoster, Moderated, TooMuch, place_told
from bot.ui.pages import board_page, clock_text, match_text, notice_text
from bot.ui.pages.components import Page, rows, text
from bot.ui.pages.display_names import NameBook, escape
from bot.ui.pages.offer_page import card_board, offer_page
from bot.ui.pages.reader import Reader
from bot.ui.rest import lacks_files_alone, may_post

_log = logger(__name__)

T = TypeVar("T")
_REMEMBERED = 2000
"""Boards that this process has posted: to retire one that it knows spares a request a move."""
_THREAD_CREATED = 18


Occasion = Callable[[Match, Language, int], Awaitable[str]]
"""Names the tournament and the round of a match, in so many characters; else ''."""


class DiscordMessenger(DiscordPoster):
    """Posts and edits through a connected client."""

    def __init__(
        self,
        client: discord.Client,
        reader: Reader,
        languages: Languages,
        preferences: PreferenceService,
        occasion: Occasion,
    ) -> None:
        super().__init__(client, languages, preferences)
        self._occasion = occasion
        self._reader = reader
        self._boards: LRUCache[int, list[Any]] = LRUCache(_REMEMBERED)
        self._threads = MatchThreads(client, self._calls)

    # ---- the words of the outbox -------------------------------------------------------------

    async def show_offer(
        self,
        match: Match,
        to: Recipient,
        posted: Posted | None = None,
        *,
        nonce: str = "",
        pings: tuple[UserId, ...] = (),
    ) -> Posted:
        """Have an offer show what is true now: edit it where it is ``posted``, or post it.

        Of the people it names those to ping hear of it, and nobody else.
        """
        reader = await self.reader_for(match, to)
        over = match.rated and match.status is MatchStatus.FINISHED
        gains = await self._reader.gains(match) if over else ()

        async def show(drawn: bool) -> Posted:
            board = await card_board(match, reader) if drawn else None
            mine = to.user_id if match.venue is Venue.DIRECT else None
            page = offer_page(match, reader.language, viewer=mine, gains=gains, board=board)
            files = () if board is None else (board.file,)
            if posted is None:
                return await self.post(to, page.components, nonce=nonce, files=files, pings=pings)
            await self.edit_page(posted, page.components, files)
            return posted

        return await self._with_picture(match, to, show)

    async def make_thread(
        self, match: Match, offer: Posted | None, *, may_exist: bool = False
    ) -> ChannelId:
        """Make the match's thread and bring its players in."""
        name = await self._thread_name(match, await self._language(match))
        thread, is_alone = await self._threads.make(match, offer, name, may_exist=may_exist)
        chosen = await self._preferences.server(match.origin.guild_id)
        is_home = match.tournament is not None or chosen.lobby == match.origin.channel_id
        if is_alone and is_home:
            await self._unannounced(match.origin.channel_id, thread)
        return thread

    async def _unannounced(self, channel: ChannelId, thread: ChannelId) -> None:
        """Delete the line by which Discord tells of a thread, where a lobby is to be seen."""
        try:
            for each in await self.latest(Recipient(channel_id=channel)):
                about = each.get("message_reference") or {}
                if each["type"] == _THREAD_CREATED and about.get("channel_id") == str(thread):
                    await self.erase(Posted(channel, MessageId(int(each["id"]))))
        except (Gone, Refused, Retry) as trouble:
            _log.info("the line about a thread stays", error=type(trouble).__name__)

    async def show_board(
        self,
        match: Match,
        to: Recipient,
        posted: Posted | None = None,
        *,
        nonce: str = "",
        pings: tuple[UserId, ...] = (),
        vacations: tuple[UserVacation, ...] = (),
    ) -> Posted:
        """Have a board show what is true now; in letters if it cannot be drawn.

        Edit it where it is ``posted``, and rename the thread around it; or post it, silently unless
        it calls a player. In direct messages it names the tournament and the round, as the name of
        a thread does elsewhere.
        """
        reader, occasion = await self.reader_for(match, to), ""
        if to.channel_id is None:
            occasion = await self._occasion(match, reader.language, 80)

        async def write(drawn: bool, reader: Reader, occasion: str) -> Posted:
            lead = self._above_board(match, to, occasion, reader.language)
            reply = await board_page.board(
                match, reader, drawn=drawn, lead=lead, vacations=vacations
            )
            assert reply.page is not None  # noqa: S101 - a board is always a page
            components, files = reply.page.components, reply.files
            if posted is not None:
                self._boards.pop(posted.message_id, None)
                await self.edit_page(posted, components, files)
                return posted
            sent = await self.send(
                to, components, nonce=nonce, files=files, pings=pings, silent=not pings
            )
            # Tried again, Discord answers with what was posted first: perhaps an earlier version.
            if board_page.version_shown(sent.components, match) == match.version:
                self._boards[sent.posted.message_id] = components
            return sent.posted

        async def show(drawn: bool) -> Posted:
            try:
                return await write(drawn, reader, occasion)
            except Moderated:
                # Names of people and events are the only words on it that are not ours.
                return await write(drawn, replace(reader, names=NameBook()), "")

        around = contextlib.nullcontext() if posted is None else self._renamed(match)
        async with around:
            shown = await self._with_picture(match, to, show)
        await self._threads.keep_open(match, shown.channel_id)
        return shown

    def _above_board(self, match: Match, to: Recipient, occasion: str, language: Language) -> str:
        """The small print above a board: its ``occasion``, and what it has to do without."""
        said = Sentences(language)
        if occasion:
            said.append(escape(occasion, longest=120))
        if self._lacks_files(match, to):
            said.say("No picture here: Parlour needs the permission Attach Files.")
        is_at_offer = match.home_id in (None, match.origin.channel_id)
        if match.venue is Venue.THREAD and is_at_offer and match.ply == 0:
            said.say(
                "This match is played here because no thread could be made: the server has had its"
                " threads for this hour, or doesn't allow them."
            )
        return "\n".join(f"-# {each}" for each in said)

    @contextlib.asynccontextmanager
    async def _renamed(self, match: Match) -> AsyncIterator[None]:
        """Rename the thread of a match, and have it open meanwhile, even if it was archived."""
        thread, was_closed = match.home_id, False
        if match.venue is not Venue.THREAD or thread == match.origin.channel_id:
            thread = None
        if thread is not None:
            name = await self._thread_name(match, await self._language(match))
            with contextlib.suppress(Refused):
                was_closed = await self._threads.open_under(thread, name)
        try:
            yield
        finally:
            if was_closed and thread is not None:
                with contextlib.suppress(Gone, Refused, Retry):
                    await self._threads.close(thread)

    async def _with_picture(
        self, match: Match, to: Recipient, post: Callable[[bool], Awaitable[T]]
    ) -> T:
        """Post something with its picture, or without where that is too much or not permitted."""
        if self._lacks_files(match, to):
            return await post(False)
        try:
            return await post(True)
        except TooMuch:
            return await post(False)
        except DirectRefused:
            raise
        except Refused as refused:
            channel, guild = to.channel_id, match.origin.guild_id
            if channel is None or not may_post(self._client, guild, channel):
                raise
            try:
                return await post(False)
            except Refused:
                raise refused from None

    def _lacks_files(self, match: Match, to: Recipient) -> bool:
        """Whether it is known that a picture would be refused where words are not."""
        channel, guild = to.channel_id, match.origin.guild_id
        return channel is not None and lacks_files_alone(self._client, guild, channel)

    def around(self, match: Match) -> ChannelId | None:
        """The channel where a match was offered, if it is played in a thread or elsewhere."""
        channel = match.origin.channel_id
        if match.venue is Venue.DIRECT or match.home_id in (None, channel):
            return None
        return channel if may_post(self._client, match.origin.guild_id, channel) else None

    async def outdate_board(self, match: Match, posted: Posted) -> None:
        """Say on a board, in place of the player to move, that it is out of date."""
        components = self._boards.get(posted.message_id)
        if components is None:
            components = await self.components_of(posted)
        language = await self._language(match)
        said = language.say(
            "This board is out of date: Parlour can't post the new one here. See it with /board."
        )
        await self.edit_page(posted, board_page.outdated(components, f"**{said}**"))

    async def close_request(
        self, match: Match, posted: Posted, player: int | None, how: RequestNews
    ) -> None:
        """Put how a request ended in the place of its buttons."""
        is_here = posted.channel_id in (match.home_id, match.origin.channel_id)
        user = None if player is None else match.players[player]
        to = Recipient(channel_id=posted.channel_id)
        if user is not None and (match.venue is Venue.DIRECT or not is_here):
            to = Recipient(user_id=user)
        language = await self.language_for(match, to)
        said = notice_text.ended(how, language)
        components = board_page.retired(await self.components_of(posted))
        # An attempt that was cut short may have said it.
        kept = [
            {**each, "content": notice_text.asked(each["content"])} if "content" in each else each
            for each in components
            if each.get("content") != said
        ]
        await self.edit_page(posted, [*kept, text(said)])

    async def retire_board(self, posted: Posted) -> None:
        """Take the buttons off an old board and leave the rest as it was."""
        components = self._boards.pop(posted.message_id, None)
        if components is None:
            components = await self.components_of(posted)
        await self.edit_page(posted, board_page.retired(components))

    async def notify(self, notice: Notice, to: Recipient, *, silent: bool = False) -> Posted | None:
        """Mention one person in a line of text, with buttons where an answer is wanted."""
        match, kind = notice.match, notice.kind
        language, asked = await self.language_for(match, to), notice_text.request_of(match, kind)
        if asks(kind) and asked is None:
            return None
        if notice.since is not None:
            with contextlib.suppress(Gone, Refused):
                found = await self._find_notice(notice, to, notice.since)
                if found is not None:
                    return found
        said, buttons = notice_text.words(notice, language), []
        if match is not None:
            # A board above the line tells the deadline, also after that has moved.
            is_under_board = to.channel_id == (match.home_id or match.origin.channel_id)
            if isinstance(kind, VacationNews) or (kind.is_call and not is_under_board):
                until = clock_text.deadline_words(self._reader.credited(match), language)
                said = f"{said} {until}".rstrip()
            if notice.blocked is not None:
                unposted = language.say("Parlour can't post the board there: see it with /board.")
                said = f"{said} {unposted}"
            said += place_told(match, to)
            if asked is not None:
                buttons = board_page.answers(match, asked, language)
            elif kind is NoticeKind.DEPARTED:
                buttons = board_page.ways_out(match, language)
        page = Page(text(said), *rows(buttons)).components if buttons else said
        pings = () if silent else (notice.person,)
        return (await self.send(to, page, nonce=notice.nonce, pings=pings, silent=silent)).posted

    async def reader_for(self, match: Match, to: Recipient) -> Reader:
        """The reader of a match: one person in direct messages, and everybody elsewhere."""
        reader = replace(self._reader, language=await self.language_for(match, to))
        if to.channel_id is None and to.user_id is not None:
            return reader.chosen_by(to.user_id, await self._preferences.of(to.user_id))
        return reader.in_theme((await self._preferences.server(match.origin.guild_id)).theme)

    async def reader_of(self, guild_id: GuildId) -> Reader:
        """The reader of what everybody in a server sees."""
        chosen, language = (
            await self._preferences.server(guild_id),
            await self.language_of(guild_id),
        )
        return replace(self._reader.in_theme(chosen.theme), language=language)

    async def digest(
        self,
        user_id: UserId,
        matches: tuple[Match, ...],
        *,
        asked: tuple[Match, ...] = (),
        news: tuple[News, ...] = (),
        nonce: str,
    ) -> None:
        """Tell a person in a direct message what waits for them and what has happened."""
        to = Recipient(user_id=user_id)
        language = await self.language_for(None, to)
        said = notice_text.digest(user_id, matches, asked, news, language)
        await self.post(to, said, nonce=nonce)

    # ---- how it is done ----------------------------------------------------------------------

    async def _thread_name(self, match: Match, language: Language) -> str:
        players = [player for player in match.players if player is not None]
        names = [
            await self._reader.names.name(player, language)
            for player in sorted(players, key=is_computer)
        ]
        occasion = await self._occasion(match, language, 24)
        return thread_name(match_text.game_name(match), names, occasion)
