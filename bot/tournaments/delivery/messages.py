"""Tournaments' messages on Discord: the home message, notices to people, the champion.

The home message stays in its channel and is edited in place. News reaches people by a mention in a
thread on it, so that the channel stays clear; players who chose direct messages, and all players of
an event that is played there, get direct messages. Where a thread can't be made they are mentioned
in the channel.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord
from cachetools import LRUCache

from bot.clock import Clock
from bot.domain.ids import ChannelId, UserId
from bot.domain.match import Match, MatchStatus, Venue
from bot.domain.preferences import NoticeWay, Preferences
from bot.i18n import Language
from bot.logs import logger
from bot.posts.sending import (
    Gone,
    Posted,
    Recipient,
    Refused,
    Retry,
)
from bot.services.preferences import PreferenceService
from bot.store import Store
from bot.store.errors import StoreUnavailable
from bot.tournaments.delivery.server_calendar import ServerCalendar
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.notices import PODIUM_AGAIN, MessageKind
from bot.tournaments.posts import Message, invited_by
from bot.tournaments.services.views import EventView
from bot.tournaments.store import reading
from bot.tournaments.ui.home_page import finished_page, home_page
from bot.tournaments.ui.message_pages import STAYS, notice_text
from bot.tournaments.ui.tables import Sheet, drawn, home_sheet
from bot.tournaments.ui.words import EventText, round_name
from bot.ui.delivery.match_threads import MatchThreads
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.delivery.poster import RestCalls, has_control, has_words, posted_at, words_of
from bot.ui.pages import board_page, match_text
from bot.ui.pages.components import Control, Page, Picture, rows, text
from bot.ui.pages.display_names import clean
from bot.ui.pages.reader import Reader
from bot.ui.rest import may_post

_log = logger(__name__)

_DISCREET = frozenset({MessageKind.BLOCKED_PAIRS})
"""Messages that others must not read."""
_REMEMBERED = 2000


def _threads_of(view: EventView, entrant: int) -> list[ChannelId]:
    """The threads of an entrant's running matches."""
    links = [view.matches.get(each.game.id) for each in view.tournament.of_entrant(entrant)]
    return [
        each.channel_id
        for each in links
        if each is not None
        and each.status is MatchStatus.RUNNING
        and each.channel_id is not None
        and each.channel_id != view.home.channel_id
    ]


def _fit_for(to: Recipient, message: Message) -> Message:
    """The message for its readers: a block is shown to its two players alone."""
    is_private = to.channel_id is None
    return message if is_private or message.kind not in _DISCREET else replace(message, detail="")


class DiscordTournaments:
    """Posts and edits messages of tournaments, through the outbox's messenger.

    Raises :exc:`~bot.posts.sending.Retry`, :exc:`~bot.posts.sending.Gone` (HOME: the message or its
    channel is gone) and :exc:`~bot.posts.sending.Refused`, and no other expected errors.
    """

    def __init__(
        self,
        client: discord.Client,
        messenger: DiscordMessenger,
        reader: Reader,
        preferences: PreferenceService,
        clock: Clock,
    ) -> None:
        self._client = client
        self._messenger = messenger
        self._reader = reader
        self._preferences = preferences
        self._calls = RestCalls()
        self._threads = MatchThreads(client, self._calls)
        self._calendar = ServerCalendar(client, self._calls, clock.now)
        self._tables: LRUCache[int, str] = LRUCache(_REMEMBERED)
        """The shown table of each home message, by its id, as far as this process has drawn it."""

    async def announce(self, message: Message, view: EventView) -> Posted | None:
        """Send or edit a message; returns its place, None if there was nothing to send."""
        if message.kind is MessageKind.HOME:
            posted = await self._home(message, view)
            await self._calendar.keep(view, await self._messenger.language_of(view.home.guild_id))
            return posted
        if message.kind is MessageKind.FINISHED:
            return await self._finished(message, view)
        if message.kind.about.for_directors:
            return await self._to_directors(message, view)
        if message.kind is MessageKind.INVITED:
            return await self._invite(message, view)
        if message.user_id is None:
            return await self._say(message, view, self._channel(view))
        if message.kind is MessageKind.ANSWERED:
            return await self._close_challenge(message, view, message.user_id)
        if message.user_id < 0:
            return None
        person = message.user_id
        message = await self._changed_places(message, view, person)
        return await self._tell(message, view, person)

    async def _invite(self, message: Message, view: EventView) -> Posted | None:
        """Mention all people of a list in one message; or send one person a direct message."""
        if message.user_id is not None:
            is_direct = await self._way_of(message.user_id, view) is NoticeWay.DIRECT
            return await self._tell(message, view, message.user_id) if is_direct else None
        people = invited_by(message, view.tournament)
        if message.may_exist:
            join, to = Control("tjoin", view.tournament.id), self._channel(view)
            posted = await self._latest(
                to,
                lambda x: (
                    has_control(x, join) and all(f"<@{each}>" in words_of(x) for each in people)
                ),
            )
            if posted is not None:
                return posted
        ways = {each: await self._way_of(each, view) for each in people}
        pings = tuple(each for each, way in ways.items() if way is NoticeWay.MENTION)
        return await self._say(message, view, self._channel(view), pings=pings)

    async def _way_of(self, person: UserId, view: EventView) -> NoticeWay:
        """The way to invite a person; not at all if they blocked the director."""
        chosen = await self._chosen_by(person)
        try:
            blocked = await self._preferences.blocked_by(person)
        except StoreUnavailable as error:
            raise Retry from error
        director = None if view.event is None else view.event.user_id
        if chosen.present_way is NoticeWay.NOTHING or director in blocked:
            return NoticeWay.NOTHING
        return NoticeWay.DIRECT if self._directly(chosen, view) else NoticeWay.MENTION

    async def _chosen_by(self, user_id: UserId) -> Preferences:
        try:
            return await self._preferences.surely_of(user_id)
        except StoreUnavailable as error:
            raise Retry from error

    async def look(self, posted: Posted) -> None:
        """Check whether a home message still exists."""
        await self._messenger.see(posted)

    async def put_away(self, older: Posted) -> None:
        """Delete a home message that a newer one has replaced, or at least remove its buttons."""
        try:
            await self._messenger.erase(older)
        except Gone:
            return
        except Refused as refused:
            _log.info("an older home message stays", error=type(refused).__name__)
            with contextlib.suppress(Gone, Refused):
                left = board_page.retired(await self._messenger.components_of(older))
                await self._messenger.edit_page(older, left)

    # ---- the home message --------------------------------------------------------------------

    async def _home(self, message: Message, view: EventView) -> Posted:
        event = await self._text(view)
        reader, sheet, picture = await self._pictured(event)
        t = view.tournament
        over = sum(each.is_over for each in t.games.values())
        shows = (reader.theme, t.status, len(t.rounds), over)
        table = "" if sheet is None else f"{shows}\n{sheet.letters}\n{sheet.labels}"
        page = home_page(event, picture).components
        files = () if picture is None else (picture.file,)
        shown, to = message.shown, self._channel(view)
        if shown is None and message.may_exist:
            rules = Control("trules", t.id)
            shown = await self._latest(
                to, lambda x: has_control(x, rules) and posted_at(x) != message.replaces
            )
        if shown is not None:
            same = self._tables.get(shown.message_id) == table
            await self._messenger.edit_page(shown, page, None if same else files)
        else:
            shown = await self._messenger.post(to, page, nonce=message.nonce, files=files)
        self._tables[shown.message_id] = table
        return shown

    async def _pictured(self, event: EventText) -> tuple[Reader, Sheet | None, Picture | None]:
        """The table of an event, in the theme of its server, and the picture of it."""
        chosen = await self._preferences.server(event.view.home.guild_id)
        reader = self._reader.in_theme(chosen.theme)
        sheet = await home_sheet(reader, event)
        picture = None if sheet is None else await drawn(reader, sheet, event.language)
        return reader, sheet, picture

    async def _latest(
        self, to: Recipient, is_it: Callable[[dict[str, Any]], bool]
    ) -> Posted | None:
        """The place of the latest message of a kind, which an earlier attempt may have posted."""
        found = await self._messenger.latest(to)
        return next((posted_at(each) for each in found if is_it(each)), None)

    async def _finished(self, message: Message, view: EventView) -> Posted | None:
        """The champion's announcement, once, and the role for it; or the same as an edit."""
        to, shown, is_again = self._channel(view), message.shown, message.detail == PODIUM_AGAIN
        if shown is None and (is_again or message.may_exist):
            files_button, rules = (
                Control(each, view.tournament.id) for each in ("tfiles", "trules")
            )
            shown = await self._latest(
                to, lambda x: has_control(x, files_button) and not has_control(x, rules)
            )
        if shown is not None and not is_again:
            return shown
        if shown is None and is_again:
            return None
        event = await self._text(view)
        _, _, picture = await self._pictured(event)
        components: list[Any] = [*finished_page(event, picture).components]
        files = () if picture is None else (picture.file,)
        if shown is not None:
            with contextlib.suppress(Gone, Refused):
                await self._messenger.edit_page(shown, components, files)
            return None
        trouble = await self._award(view, event.language)
        if trouble:
            components.append(text(f"-# {trouble}"))
        return await self._messenger.post(to, components, nonce=message.nonce, files=files)

    async def _award(self, view: EventView, language: Language) -> str:
        """Give the winners the role of the set-up; returns the text if that can't be done."""
        t = view.tournament
        role = t.setup.winner_role
        if role is None:
            return ""
        refused = False
        for number in view.champion:
            user_id = t.entrants[number - 1].user_id
            if user_id is None or user_id < 0:
                continue
            given = partial(self._client.http.add_role, view.home.guild_id, user_id, role)
            try:
                await self._calls.ask(given)
            except (Gone, Refused) as trouble:
                _log.info("a winner's role was refused", error=type(trouble).__name__)
                refused = True
        if not refused:
            return ""
        return language.say(
            "Parlour couldn't give {role}: it needs Manage Roles and a role above that one.",
            role=f"<@&{role}>",
        )

    # ---- substitutes ----------------------------------------------------------------------------

    async def _changed_places(self, message: Message, view: EventView, person: UserId) -> Message:
        """Bring substitutes into the threads of their matches, and remove the players who left.

        Without Manage Threads, players who left are told that they can leave by themselves.
        """
        threads = _threads_of(view, message.entrant)
        if message.kind is MessageKind.ENTERED:
            for thread in threads:
                await self._threads.bring_in(thread, person)
        if message.kind is not MessageKind.REPLACED or not threads:
            return message
        # Whether Parlour may remove people from threads, as far as is known.
        guild = self._client.get_guild(view.home.guild_id)
        channel = None if guild is None else guild.get_channel(view.home.channel_id)
        me = None if guild is None else guild.me
        if channel and me and channel.permissions_for(me).manage_threads:
            out = [await self._threads.take_out(thread, person) for thread in threads]
            if all(out):
                return message
        return replace(message, detail=STAYS)

    # ---- challenges --------------------------------------------------------------------------

    async def _close_challenge(
        self, message: Message, view: EventView, user_id: UserId
    ) -> Posted | None:
        """Report on the message of a challenge how it ended, and remove its buttons.

        If its place is not noted, it is searched for by its buttons and the mention at its begin,
        since a substitute may have one too; if the player's data was erased, by a mention of no
        entrant. If it is gone, the player is told only about an expired challenge, which was not
        their own act.
        """
        asked = Control("tanswer", view.tournament.id, int(message.detail), "yes")
        there = tuple(f"<@{each.user_id}>" for each in view.tournament.entrants)

        def is_theirs(found: dict[str, Any]) -> bool:
            said = words_of(found)
            mine = said.startswith(f"<@{user_id}>") if user_id > 0 else not said.startswith(there)
            return mine and has_control(found, asked)

        async def close(to: Recipient, posted: Posted | None) -> Posted | None:
            try:
                posted = posted or await self._latest(to, is_theirs)
                if posted is not None:
                    event = await self._text(view, to)
                    page = Page(text(notice_text(message, event)[0]))
                    await self._messenger.edit_page(posted, page.components)
            except (Gone, Refused) as trouble:
                _log.info("a challenge is not closed", error=type(trouble).__name__)
                return None
            return posted

        if message.shown is not None:
            # The player alone reads it unless it is in the server.
            guild, place = self._client.get_guild(view.home.guild_id), message.shown.channel_id
            is_there = guild is not None and guild.get_channel_or_thread(place) is not None
            alone = Recipient(user_id=user_id)
            to = Recipient(channel_id=place) if is_there or user_id < 0 else alone
            if closed := await close(to, message.shown):
                return closed
        thread = await self._thread(view)
        places = [*([] if thread is None else [Recipient(thread)]), self._channel(view)]
        if user_id > 0 and self._directly(await self._chosen_by(user_id), view):
            places.insert(0, Recipient(user_id=user_id))
        for to in places:
            if closed := await close(to, None):
                return closed
        if isinstance(view.fact, f.Declined) and view.fact.by_time and user_id > 0:
            return await self._tell(message, view, user_id)
        return None

    async def _text(self, view: EventView, to: Recipient | None = None) -> EventText:
        """An event in the language of a reader, or of its server."""
        if to is not None and to.channel_id is None:
            return EventText(view, await self._messenger.language_for(None, to))
        return EventText(view, await self._messenger.language_of(view.home.guild_id))

    # ---- notices -----------------------------------------------------------------------------

    async def _tell(self, message: Message, view: EventView, user_id: UserId) -> Posted | None:
        """Notify one person, in the way they chose; directly if the server has no place for it."""
        chosen = await self._chosen_by(user_id)
        if chosen.present_way is NoticeWay.NOTHING and message.kind is not MessageKind.CHALLENGED:
            return None
        ways = [
            partial(self._say, message, view, Recipient(user_id=user_id)),
            partial(self._tell_in_server, message, view, user_id),
        ]
        is_direct = message.kind in _DISCREET or self._directly(chosen, view)
        return await self._somehow(ways if is_direct else ways[::-1])

    async def _somehow(
        self, ways: Sequence[Callable[[], Awaitable[Posted | None]]]
    ) -> Posted | None:
        """The first of some ways that Discord accepts; raises the error of the last one."""
        for way in ways[:-1]:
            try:
                return await way()
            except (Gone, Refused) as trouble:
                _log.info("a tournament message goes elsewhere", error=type(trouble).__name__)
        return await ways[-1]()

    async def _tell_in_server(self, message: Message, view: EventView, user_id: UserId) -> Posted:
        """Notify one person in the thread of the home message, or in its channel."""
        thread = await self._thread(view)
        if thread is not None:
            to = Recipient(thread, user_id)
            try:
                return await self._say(_fit_for(to, message), view, to)
            except Gone:
                _log.info("the thread of a tournament is gone")
        to = replace(self._channel(view), user_id=user_id)
        return await self._say(_fit_for(to, message), view, to)

    async def _to_directors(self, message: Message, view: EventView) -> Posted | None:
        """Notify a director, or the managers of the server where no director is left.

        If the home channel is gone too, it goes to another channel of the server: a person who can
        act must read it.
        """
        places, ways = [self._channel(view)], list[Callable[[], Awaitable[Posted | None]]]()
        if message.user_id is not None:
            ways.append(partial(self._tell, message, view, message.user_id))
            places = [Recipient(user_id=message.user_id)]
        places += await self._other_places(view)
        ways += [partial(self._say, _fit_for(to, message), view, to) for to in places]
        return await self._somehow(ways)

    async def _other_places(self, view: EventView) -> list[Recipient]:
        """Channels of a server in which its managers look for news from bots."""
        guild = self._client.get_guild(view.home.guild_id)
        if guild is None:
            return []
        lobby = (await self._preferences.server(view.home.guild_id)).lobby
        known = (guild.public_updates_channel, guild.system_channel)
        ids = [*(ChannelId(each.id) for each in known if each is not None), lobby]
        return [
            Recipient(channel_id=each)
            for each in dict.fromkeys(ids)
            if each is not None and may_post(self._client, view.home.guild_id, each)
        ]

    def _directly(self, chosen: Preferences, view: EventView) -> bool:
        way = chosen.present_way
        is_played_there = view.tournament.setup.venue is Venue.DIRECT
        return is_played_there or way in (NoticeWay.DIRECT, NoticeWay.DIGEST)

    async def _thread(self, view: EventView) -> ChannelId | None:
        """The thread on the home message, made when first needed; None if it can't be made."""
        if view.home.message_id is None:
            return None
        home = Posted(view.home.channel_id, view.home.message_id)
        name = clean(view.tournament.setup.name, longest=80)
        try:
            return await self._threads.on_message(home, name)
        except (Gone, Refused) as trouble:
            _log.info("a tournament has no thread", error=type(trouble).__name__)
            return None

    async def _say(
        self, message: Message, view: EventView, to: Recipient, *, pings: tuple[UserId, ...] = ()
    ) -> Posted:
        """A line of words with buttons, once; ``pings`` are people beside its reader."""
        said, buttons = notice_text(message, await self._text(view, to))
        if message.may_exist:
            posted = await self._latest(to, lambda x: has_words(x, said))
            if posted is not None:
                return posted
        page = Page(text(said), *rows(buttons)).components
        pings = pings if message.user_id is None else (message.user_id,)
        return await self._messenger.post(to, page, nonce=message.nonce, pings=pings)

    # ---- places and ways --------------------------------------------------------------------

    def _channel(self, view: EventView) -> Recipient:
        return Recipient(channel_id=view.home.channel_id)


async def occasion(store: Store, match: Match, language: Language, longest: int) -> str:
    """The tournament of a match, its name cut to ``longest``, and the round; else ''."""
    played = match.tournament
    if played is None:
        return ""
    try:
        found = await store.read(reading.occasion, played.tournament_id, played.game)
    except StoreUnavailable as error:
        raise Retry from error
    if found is None:
        return ""
    setup, number = found
    name = match_text.cut(clean(setup.name, longest=80), longest)
    if not setup.format.facts.has_rounds:
        return name
    return f"{name} · {round_name(setup, number, language)}"
