"""The outbox's messages on Discord.

One message a thing: an offer, a board, a notice. A board is posted silently and mentions nobody;
the notice that follows it is a line of plain text for the one player it concerns, because a silent
message wakes no phone and a page of components reads badly in a push notification. What calls for a
move is deleted when the next board is there, so that one message a move remains.

Every post carries a nonce, which Discord is asked to enforce: the same post again within some
minutes gives the message that exists.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

import discord

from bot.domain.ids import ChannelId, GuildId, MessageId, UserId
from bot.domain.match import Match, Venue
from bot.domain.vacation import Vacation
from bot.i18n import Language, Languages
from bot.logs import logger
from bot.services.preferences import PreferenceService
from bot.services.sending import (
    DirectRefused,
    Gone,
    NoticeKind,
    Posted,
    Recipient,
    Refused,
    Retry,
)
from bot.ui import boards, clocks, lists, notices, words
from bot.ui.answers import Page
from bot.ui.asking_discord import Moderated, RestCalls, TooMuch
from bot.ui.finding import is_line, line_below_board, posted_since, version_shown
from bot.ui.match_threads import MatchThreads
from bot.ui.names import Unnamed, clean
from bot.ui.obstacles import lacks_files_alone, may_post
from bot.ui.offers import guests, offer_page
from bot.ui.parts import rows, text
from bot.ui.scene import Stage
from bot.ui.wire import edit_message, message, post

__all__ = ["DiscordMessenger"]

_log = logger(__name__)

_ARCHIVED = 50083
_THREAD_CREATED = 18
_LATEST = 50
"""Messages among which one is looked for that may have been posted."""
_ONCE_A_BOARD = frozenset(
    {NoticeKind.TURN, NoticeKind.TAKEBACK_AGREED, NoticeKind.STARTED, NoticeKind.OVER}
)
"""What is told at most once below a board, so that it can be known again there."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A message that Discord has made, or has made before under the same nonce."""

    posted: Posted
    components: list[Any]


class DiscordMessenger:
    """Posts and edits through a connected client."""

    def __init__(
        self,
        client: discord.Client,
        stage: Stage,
        languages: Languages,
        preferences: PreferenceService,
        *,
        remember: int = 2000,
    ) -> None:
        self._client = client
        self._stage = stage
        self._languages = languages
        self._preferences = preferences
        self._remember = remember
        self._boards: OrderedDict[int, list[Any]] = OrderedDict()
        self._calls = RestCalls()
        self._threads = MatchThreads(client, self._calls)

    # ---- the words of the outbox -------------------------------------------------------------

    async def post_offer(self, match: Match, to: Recipient, *, nonce: str) -> Posted:
        """Post an offer; the people it names are mentioned, and nobody else."""
        page = offer_page(match, await self._language(match)).components
        wanted = guests(match)
        sent = await self._send(to, page, nonce=nonce, pings=wanted, silent=not wanted)
        return sent.posted

    async def update_offer(self, match: Match, posted: Posted) -> None:
        """Show what has become of an offer."""
        await self._edit(posted, offer_page(match, await self._language(match)).components)

    async def make_thread(
        self, match: Match, offer: Posted | None, *, may_exist: bool = False
    ) -> ChannelId:
        """Make the match's thread and bring its players in."""
        name = await self._thread_name(match, await self._language(match))
        try:
            thread, is_alone = await self._made_thread(match, offer, name, may_exist=may_exist)
        except Moderated:
            # Names of people are the only words in it that are not ours.
            name = words.game_name(match)
            thread, is_alone = await self._made_thread(match, offer, name, may_exist=may_exist)
        for player in match.players:
            if player is not None:
                await self._threads.bring_in(thread, player)
        chosen = await self._preferences.server(match.origin.guild_id)
        if is_alone and chosen.lobby == match.origin.channel_id:
            await self._unannounced(match.origin.channel_id, thread)
        return thread

    async def _made_thread(
        self, match: Match, offer: Posted | None, name: str, *, may_exist: bool
    ) -> tuple[ChannelId, bool]:
        """The thread, and whether it hangs on no message: there is none, or it was deleted."""
        made = None if offer is None else await self._threads.on_message(offer, name)
        if made is not None:
            return made, False
        return await self._threads.alone(match, name, may_exist=may_exist), True

    async def _unannounced(self, channel: ChannelId, thread: ChannelId) -> None:
        """Delete the line by which Discord tells of a thread, where a lobby is to be seen."""
        try:
            for each in await self.latest(Recipient(channel_id=channel)):
                about = each.get("message_reference") or {}
                if each["type"] == _THREAD_CREATED and about.get("channel_id") == str(thread):
                    await self.erase(Posted(channel, MessageId(int(each["id"]))))
        except (Gone, Refused, Retry) as trouble:
            _log.info("the line about a thread stays", error=type(trouble).__name__)

    async def post_board(self, match: Match, to: Recipient, *, nonce: str) -> Posted:
        """Post the board, silently; in letters if the picture is not to be had or too big."""
        language = await self._language(match)
        stage = self._stage.seen_by((await self._preferences.server(match.origin.guild_id)).theme)

        async def send(seen: Stage, *, drawn: bool, lead: str = "") -> tuple[_Sent, list[Any]]:
            reply = await boards.board(match, seen, language, drawn=drawn, lead=lead)
            assert reply.page is not None  # noqa: S101 - a board is always a page
            components, files = reply.page.components, [file.open() for file in reply.files]
            return await self._send(to, components, nonce=nonce, files=files or None), components

        try:
            lead = ""
            if self._lacks_files(match, to):
                needed = language.say("No picture here: Parlour needs the permission Attach Files.")
                lead = f"-# {needed}"
            sent, components = await send(stage, drawn=not lead, lead=lead)
        except TooMuch:
            sent, components = await send(stage, drawn=False)
        except Moderated:
            # Names of people are the only words on it that are not ours.
            sent, components = await send(replace(stage, names=Unnamed()), drawn=True)
        except DirectRefused:
            raise
        except Refused as refused:
            if not self._may_be_files(match, to):
                raise
            try:
                sent, components = await send(stage, drawn=False)
            except Refused:
                raise refused from None
        if _shows(sent, match):
            self._boards[sent.posted.message_id] = components
        while len(self._boards) > self._remember:
            self._boards.popitem(last=False)
        await self._threads.keep_open(match, sent.posted.channel_id)
        return sent.posted

    def _lacks_files(self, match: Match, to: Recipient) -> bool:
        """Whether it is known that a picture would be refused where words are not."""
        channel, guild = to.channel_id, match.origin.guild_id
        return channel is not None and lacks_files_alone(self._client, guild, channel)

    def _may_be_files(self, match: Match, to: Recipient) -> bool:
        """Whether it may be for its picture that a board was refused."""
        channel, guild = to.channel_id, match.origin.guild_id
        return channel is not None and may_post(self._client, guild, channel)

    def around(self, match: Match) -> ChannelId | None:
        """The channel where a match was offered, if it is played in a thread or elsewhere."""
        channel = match.origin.channel_id
        if match.venue is Venue.DIRECT or match.home_id in (None, channel):
            return None
        return channel if may_post(self._client, match.origin.guild_id, channel) else None

    async def find_board(
        self, match: Match, to: Recipient, *, since: int, but: Posted | None
    ) -> Posted | None:
        """Look for a board of ours among the latest messages."""
        for each in await self.latest(to):
            posted = _posted(each)
            shown = version_shown(each.get("components") or (), match)
            if posted != but and shown is not None and since <= shown <= match.version:
                return posted
        return None

    async def _find_notice(self, match: Match, said: str, to: Recipient) -> Posted | None:
        """Look for a line that belongs to the present board."""
        place = f" {words.place(match)}" if _is_elsewhere(match, to) else ""
        try:
            found = line_below_board(await self.latest(to), match, said, place)
        except (Gone, Refused):
            return None
        return None if found is None else _posted(found)

    async def outdate_board(self, match: Match, posted: Posted) -> None:
        """Say in the place of who is to move that a board is out of date; its buttons stay."""
        components = self._boards.get(posted.message_id)
        if components is None:
            components = await self._components(posted)
        language = await self._language(match)
        said = language.say(
            "This board is out of date: Parlour can't post the new one here. See it with /board."
        )
        await self._edit(posted, boards.outdated(components, f"**{said}**"))

    async def retire_board(self, match: Match, posted: Posted) -> None:  # noqa: ARG002
        """Take the buttons off an old board and leave the rest as it was."""
        components = self._boards.pop(posted.message_id, None)
        if components is None:
            components = await self._components(posted)
        await self._edit(posted, boards.retired(components))

    async def notify(
        self,
        match: Match,
        player: int,
        notice: NoticeKind,
        to: Recipient,
        *,
        nonce: str,
        silent: bool = False,
        may_exist: bool = False,
        blocked: str | None = None,
    ) -> Posted | None:
        """Mention one player in a line of text, with buttons where an answer is wanted."""
        user = match.players[player]
        if user is None:
            return None
        language = await self._read_by(match, user, to)
        asked = notices.request_of(match, notice)
        if notice.is_question and asked is None:
            return None
        said = notices.line(match, user, notice, language)
        if may_exist and notice in _ONCE_A_BOARD:
            found = await self._find_notice(match, said, to)
            if found is not None:
                return found
        if notice.is_call:
            until = clocks.deadline_words(self._stage.credited(match), language)
            said = f"{said} {until}".rstrip()
        if blocked is not None:
            unposted = language.say("Parlour can't post the board there: see it with /board.")
            said = f"{said} {unposted}"
        if _is_elsewhere(match, to):
            said = f"{said} {words.place(match)}"
        pings = () if silent else (user,)
        if asked is not None:
            answers = boards.answers(match, asked, language)
            page = Page(text(said), *rows(answers)).components
            sent = await self._send(to, page, nonce=nonce, pings=pings, silent=silent)
        else:
            sent = await self._send(to, said, nonce=nonce, pings=pings, silent=silent)
        return sent.posted

    async def remind(
        self, match: Match, player: int, deadline: datetime, to: Recipient, *, nonce: str
    ) -> Posted:
        """Mention one player in a line of text with the deadline."""
        user = match.players[player]
        assert user is not None  # noqa: S101 - whoever is on turn is somebody
        said = await self._reminder(match, user, deadline, to)
        return (await self._send(to, said, nonce=nonce, pings=(user,), silent=False)).posted

    async def find_reminder(
        self, match: Match, player: int, deadline: datetime, to: Recipient, *, since: datetime
    ) -> Posted | None:
        """Look for a reminder among the latest messages."""
        user = match.players[player]
        assert user is not None  # noqa: S101 - whoever is on turn is somebody
        said = await self._reminder(match, user, deadline, to)
        return await self._find_line(to, said, since=since)

    async def _reminder(self, match: Match, user: UserId, deadline: datetime, to: Recipient) -> str:
        """The line that reminds somebody of a deadline."""
        language = await self._read_by(match, user, to)
        said = language.say(
            "{player}, your move in {game} is due {time}.",
            player=words.mention(user, language),
            game=words.game_name(match),
            time=f"<t:{int(deadline.timestamp())}:R>",
        )
        return f"{said} {words.place(match)}" if _is_elsewhere(match, to) else said

    async def _find_line(
        self, to: Recipient, said: str, *, since: datetime, begins: bool = False
    ) -> Posted | None:
        """The line that says something, or begins with it, if it was posted since then."""
        for each in await self.latest(to):
            if posted_since(each, since) and is_line(each, said, begins=begins):
                return _posted(each)
        return None

    async def tell_of_vacation(
        self,
        user_id: UserId,
        match: Match | None,
        vacation: Vacation,
        to: Recipient,
        *,
        is_over: bool,
        nonce: str,
    ) -> Posted:
        """Mention somebody in a line about their vacation."""
        usual = self._languages.default if match is None else await self._language(match)
        is_direct = to.channel_id is None
        language = await self._own_language(user_id, usual) if is_direct else usual
        player = words.mention(user_id, language)
        if is_over:
            said = language.say(
                "{player}, your vacation is over, and your clocks run again.", player=player
            )
        else:
            said = language.say(
                "{player}, your time ran out, so your vacation has begun by itself. It lasts until"
                " {time}, or until a day after your next move. See /vacation.",
                player=player,
                time=clocks.moment(vacation.ends_at, "f"),
            )
        if match is not None:
            until = clocks.deadline_words(self._stage.credited(match), language)
            said = f"{said} {until}".rstrip()
        if match is not None and _is_elsewhere(match, to):
            said = f"{said} {words.place(match)}"
        return (await self._send(to, said, nonce=nonce, pings=(user_id,), silent=False)).posted

    async def _read_by(self, match: Match, user: UserId, to: Recipient) -> Language:
        """The language for a person in direct messages, and for everybody elsewhere."""
        usual = await self._language(match)
        return usual if to.channel_id is not None else await self._own_language(user, usual)

    async def _own_language(self, user: UserId, usual: Language) -> Language:
        """The language that a person has chosen, else that of their Discord, if it is known."""
        chosen = await self._preferences.of(user)
        return self._languages.chosen(chosen.language or chosen.locale, usual)

    async def digest(self, user_id: UserId, matches: tuple[Match, ...], *, nonce: str) -> None:
        """List the matches that wait for a person, in a direct message."""
        language = await self._own_language(user_id, self._languages.default)
        lines = lists.lines(matches, user_id, language, longest=1800)
        said = "\n".join([_digest_title(language), *lines])
        await self._send(Recipient(user_id=user_id), said, nonce=nonce, silent=False)

    async def find_digest(self, user_id: UserId, *, since: datetime) -> Posted | None:
        """Look for a digest among the latest direct messages."""
        title = _digest_title(await self._own_language(user_id, self._languages.default))
        to = Recipient(user_id=user_id)
        return await self._find_line(to, title, since=since, begins=True)

    async def erase(self, posted: Posted) -> None:
        """Delete a message of ours, which needs no permission."""
        http = self._client.http
        await self._calls.ask(lambda: http.delete_message(posted.channel_id, posted.message_id))

    # ---- pages of other kinds ----------------------------------------------------------------

    async def post_page(self, channel: ChannelId, page: list[Any], *, nonce: str) -> Posted:
        """Post components, silently."""
        return (await self._send(Recipient(channel_id=channel), page, nonce=nonce)).posted

    async def edit_page(self, posted: Posted, page: list[Any]) -> None:
        """Put components in the place of those of a message."""
        await self._edit(posted, page)

    async def see(self, posted: Posted) -> None:
        """Look whether a message is there."""
        http = self._client.http
        await self._calls.ask(lambda: http.get_message(posted.channel_id, posted.message_id))

    async def latest(self, to: Recipient) -> list[Any]:
        """The latest messages of ours in a place, the newest first, as Discord gives them."""
        own = None if self._client.user is None else self._client.user.id

        async def look() -> list[Any]:
            found = await self._client.http.logs_from(await self._where(to), _LATEST)
            return [each for each in found if int(each["author"]["id"]) == own]

        return await self._calls.ask(look)

    async def _language(self, match: Match) -> Language:
        """The language of what everybody sees of a match."""
        return await self.language_of(match.origin.guild_id)

    async def language_of(self, guild_id: GuildId | None) -> Language:
        """The language chosen for the server, else Discord's; the default in direct messages."""
        if guild_id is None:
            return self._languages.default
        guild = self._client.get_guild(guild_id)
        default = self._languages.default
        usual = default if guild is None else self._languages.of(guild.preferred_locale)
        return self._languages.chosen((await self._preferences.server(guild_id)).language, usual)

    # ---- how it is done ----------------------------------------------------------------------

    async def _thread_name(self, match: Match, language: Language) -> str:
        names = [
            clean(await self._stage.names.name(player, language), longest=24)
            for player in match.players
            if player is not None
        ]
        return words.cut(f"{words.game_name(match)} · {' – '.join(names)}", 100)

    async def _components(self, posted: Posted) -> list[Any]:
        """The components of a message that this process did not post, as they can be sent again."""
        data = await self._calls.ask(
            lambda: self._client.http.get_message(posted.channel_id, posted.message_id)
        )
        return [_sendable(component) for component in data.get("components", [])]

    async def _send(
        self,
        to: Recipient,
        what: list[Any] | str,
        *,
        nonce: str,
        files: list[discord.File] | None = None,
        pings: tuple[UserId, ...] = (),
        silent: bool = True,
    ) -> _Sent:
        """Post components or a line of words."""
        written = message(
            content=what if isinstance(what, str) else None,
            components=None if isinstance(what, str) else what,
            files=files,
            nonce=nonce,
            pings=pings,
            silent=silent,
        )

        async def send() -> _Sent:
            where = await self._where(to)
            data = await post(self._client.http, where, written)
            posted = Posted(where, MessageId(int(data["id"])))
            return _Sent(posted, cast(list[Any], data.get("components") or []))

        return await self._calls.ask(send)

    async def _where(self, to: Recipient) -> ChannelId:
        if to.channel_id is not None:
            return to.channel_id
        assert to.user_id is not None  # noqa: S101 - one of the two is always there
        return ChannelId((await self._client.create_dm(discord.Object(to.user_id))).id)

    async def _edit(self, posted: Posted, components: list[Any]) -> None:
        written = message(components=components)

        async def edit() -> None:
            await edit_message(self._client.http, posted.channel_id, posted.message_id, written)

        async def open_and_edit() -> None:
            try:
                await edit()
            except discord.HTTPException as error:
                if error.code != _ARCHIVED:
                    raise
                await self._client.http.edit_channel(posted.channel_id, archived=False)
                await edit()

        await self._calls.ask(open_and_edit)


def _shows(sent: _Sent, match: Match) -> bool:
    """Whether a message is the board of this very version.

    When a post is tried again, Discord answers with what was posted first, and the match may have
    gone on since.
    """
    foot = boards.foot(match)
    return any(
        foot in part.get("content", "")
        for component in sent.components
        for part in component.get("components", ())
    )


def _posted(message: Any) -> Posted:
    """Where a message is, as Discord describes it."""
    return Posted(ChannelId(int(message["channel_id"])), MessageId(int(message["id"])))


def _is_elsewhere(match: Match, to: Recipient) -> bool:
    """Whether a player reads of a match in another place than where it is played."""
    home = match.home_id or match.origin.channel_id
    return match.venue is not Venue.DIRECT and to.channel_id != home


def _digest_title(language: Language) -> str:
    return f"### {language.say('These matches wait for your move')}"


def _sendable(component: Any) -> Any:
    """A component of a message as it can be sent again: files by name, not by address."""
    if isinstance(component, list):
        return [_sendable(part) for part in component]
    if not isinstance(component, dict):
        return component
    kept = {key: _sendable(value) for key, value in component.items()}
    media = component.get("media")
    if isinstance(media, dict) and media.get("attachment_id"):
        name = str(media.get("url", "")).partition("?")[0].rpartition("/")[2]
        kept["media"] = {"url": f"attachment://{name}"}
    return kept
