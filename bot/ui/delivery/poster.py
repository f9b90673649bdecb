"""Posts, edits, deletes, reads and finds messages of ours on Discord.

Every refusal becomes an error of the outbox: try again, gone, refused. Error codes:
https://docs.discord.com/developers/topics/opcodes-and-status-codes

The answer to a post may be lost, and Discord forgets a nonce in some minutes. So what may have been
posted is looked for where it would be: by the custom ids of its controls, or by its words.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar, cast

import aiohttp
import discord

from bot.domain.game_state import known_turn
from bot.domain.ids import ChannelId, GuildId, MessageId, RoleId, UserId
from bot.domain.match import Match, Venue
from bot.i18n import Language, Languages
from bot.logs import logger
from bot.posts.notices import NoticeKind
from bot.posts.sending import (
    DirectRefused,
    Gone,
    Notice,
    Posted,
    Recipient,
    Refused,
    Retry,
)
from bot.services.preferences import PreferenceService
from bot.ui.pages import board_page, match_text, notice_text
from bot.ui.pages.components import Control, File, controls_in
from bot.ui.rest import (
    END_OF_WORDS,
    FAILURES,
    Garbled,
    checked,
    delete_message,
    edit_message,
    is_discords,
    message,
    post,
    printed,
)

_log = logger(__name__)
T = TypeVar("T")

# ---- what the answers of Discord mean ------------------------------------------------------------

_GONE = {10003: "channel", 10004: "server", 10008: "message"}
_OLD_EDITS = 30046
_NO_DIRECT = frozenset({50007, 50278})
"""The person takes none from us, or no longer shares a server with us."""
_DIRECT_TOO_FAST = 40003
_TOO_MUCH = frozenset({40005, 50035, 50045})
_MODERATED = frozenset({200000, 200001, 240000})
"""Filters of the server: words in a message, in a title, links that do harm."""
_FIRST_PAUSE = 15.0
_LONGEST_PAUSE = 600.0
_LONGEST_SAID = 3600.0


class RestCalls:
    """The requests of a process, none of which is made while Discord turns all of them away.

    An answer 429 that does not come from Discord itself, but from the network before it, concerns
    every request from this address, and going on with asking makes it last longer. It may be a
    hiccup or last for an hour, so nothing is asked for as long as the answer says, else for
    :data:`_FIRST_PAUSE` seconds, and twice as long each time it comes again.
    ``clock`` gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = 0.0
        self._refused = 0

    async def ask(self, question: Callable[[], Awaitable[T]]) -> T:
        """Ask Discord, and make an error of the outbox of every refusal."""
        left = self._until - self._clock()
        if left > 0:
            raise Retry(left)
        try:
            answer = await question()
        except discord.RateLimited as error:
            raise Retry(error.retry_after) from error
        except discord.HTTPException as error:
            if _is_ban(error):
                raise Retry(self._paused(error)) from error
            self._refused = 0
            raise _meaning(error) from error
        except aiohttp.ClientConnectorError as error:
            raise Retry from error
        except FAILURES as error:
            raise Retry(sent=True) from error
        except (LookupError, TypeError, ValueError, AttributeError, RuntimeError) as error:
            # The library stumbles over answers it does not expect, and over its own closed session.
            # So do we: over a page of a proxy, or JSON of another shape.
            _log.warning("a request to Discord broke off", error=repr(error))
            raise Retry(sent=True) from error
        self._refused = 0
        return answer

    def _paused(self, error: discord.HTTPException) -> float:
        """Begin a pause, unless a request made at the same time has; the seconds left of it."""
        now = self._clock()
        if now >= self._until:
            wait = _seconds_said(error) or min(_FIRST_PAUSE * 2**self._refused, _LONGEST_PAUSE)
            self._refused += 1
            self._until = now + wait
            _log.warning("Discord turns all requests away", seconds=round(wait))
        return self._until - now


def _is_ban(error: discord.HTTPException) -> bool:
    """Whether an answer turns away all requests from here, not this one alone."""
    headers = error.response.headers
    from_discord = headers.get("Via") and headers.get("Content-Type") == "application/json"
    return error.status == 429 and not from_discord


def _seconds_said(error: discord.HTTPException) -> float | None:
    """The seconds to wait that the answer itself says."""
    try:
        said = float(error.response.headers.get("Retry-After", ""))
    except ValueError:
        return None
    return min(said, _LONGEST_SAID) if said > 0 else None


class TooMuch(Refused):
    """The post is too long or its file too big."""


class Moderated(Refused):
    """A filter of the server does not let these words through."""


def _meaning(error: discord.HTTPException) -> Exception:
    """The error of the outbox for an answer of Discord."""
    if error.code in _GONE:
        return Gone(_GONE[error.code])
    if error.code in _TOO_MUCH or error.status == 413:
        return TooMuch(f"refused_too_much_{error.code}")
    if error.status not in (401, 429) and not is_discords(error):
        return Retry(sent=True)
    if error.code in _MODERATED:
        return Moderated(f"refused_{error.status}_{error.code}")
    if error.code in _NO_DIRECT:
        return DirectRefused(f"refused_{error.status}_{error.code}")
    if error.code == _DIRECT_TOO_FAST:
        return Retry(60.0)
    if error.code == _OLD_EDITS:
        return Retry(20.0)
    if error.status == 429:
        return Retry(_seconds_said(error))
    if error.status >= 500:
        return Retry(sent=True)
    if error.status == 401:
        return Retry(60.0)
    if error.status == 404:
        return Gone(f"unknown_{error.code}")
    return Refused(f"refused_{error.status}_{error.code}")


# ---- how a message is known again ----------------------------------------------------------------

Json = dict[str, Any]
_MOMENT = re.compile(r" ?<t:\d{1,15}:\w>")
_SKEW = timedelta(minutes=1)
"""By how much Discord's clock may differ from ours."""


def has_control(message: Json, control: Control) -> bool:
    """Whether a message has a button that stands for this."""
    return control in controls_in(message.get("components") or ())


def is_line(message: Json, said: str | re.Pattern[str], *, place: str = "") -> bool:
    """Whether a message begins with what was ``said`` and ends with the ``place``, if that is told.

    It may name other moments of time. Takes patterns that know of none, and of printed words.
    """
    text = printed(_MOMENT.sub("", str(message.get("content", ""))))
    if not text.endswith(place.lstrip()):
        return False
    if isinstance(said, str):
        said = re.compile(re.escape(printed(_MOMENT.sub("", said))) + END_OF_WORDS)
    return said.match(text) is not None


def posted_since(thing: Mapping[str, Any], since: datetime) -> bool:
    """Whether a message or a thread was made after an instant."""
    return discord.utils.snowflake_time(int(thing["id"])) >= since - _SKEW


def posted_at(message: Json) -> Posted:
    """Where a message is, as Discord describes it."""
    return Posted(ChannelId(int(message["channel_id"])), MessageId(int(message["id"])))


def has_words(message: Json, said: str) -> bool:
    """Whether a page without containers says this."""
    return printed(said) in words_of(message)


def words_of(message: Json) -> str:
    """All words of a page without containers."""
    return "\n".join(str(each.get("content", "")) for each in message.get("components") or ())


_LATEST = 50
_PAGE = 100
_PAGES = 10
"""Pages of messages among which one is looked for that may have been posted."""


_ARCHIVED = 50083


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that Discord has made, or has made before under the same nonce."""

    posted: Posted
    components: list[Any]


class DiscordPoster:
    """Posts, edits, deletes, reads and finds messages through a connected client."""

    def __init__(
        self, client: discord.Client, languages: Languages, preferences: PreferenceService
    ) -> None:
        self._client = client
        self._languages = languages
        self._preferences = preferences
        self._calls = RestCalls()

    # ---- what may have been posted -----------------------------------------------------------

    async def find_offer(self, match: Match, to: Recipient, *, since: datetime) -> Posted | None:
        """Look for an offer of ours; in a lobby nobody can withdraw it."""
        known = [Control(action, match.id) for action in ("withdraw", "decline")]
        return await self.find(
            to, since, lambda each: any(has_control(each, control) for control in known)
        )

    async def find_board(
        self, match: Match, to: Recipient, *, version: int, since: datetime, but: Posted | None
    ) -> Posted | None:
        """Look for a board of ours."""

        def is_it(message: Json) -> bool:
            shown = board_page.version_shown(message.get("components") or (), match)
            is_meant = shown is not None and version <= shown <= match.version
            return is_meant and posted_at(message) != but

        return await self.find(to, since, is_it)

    async def find_notice(self, notice: Notice, to: Recipient, since: datetime) -> Posted | None:
        """Look for a notice; of calls for a move the first of those that are over by now."""
        match, user = notice.match, notice.person
        if match is None or not notice.kind.is_call:
            return await self._find_notice(notice, to, since)
        language, place = await self.language_for(match, to), place_told(match, to)
        said = notice_text.any_call(match, user, language)
        present: list[str] = []
        if known_turn(match) is not None and match.players[known_turn(match) or 0] == user:
            calls = (NoticeKind.TURN, NoticeKind.TAKEBACK_AGREED)
            present = [notice_text.line(match, user, kind, language) for kind in calls]
        found = (
            posted_at(each)
            for each in reversed(await self.since(to, since))
            if is_line(each, said, place=place) and not any(is_line(each, now) for now in present)
        )
        return next((each for each in found if each not in notice.known), None)

    async def _find_notice(self, notice: Notice, to: Recipient, since: datetime) -> Posted | None:
        """Look for a notice, which names its person: by its words, and by what it asks."""
        match, language = notice.match, await self.language_for(notice.match, to)
        asked = notice_text.request_of(match, notice.kind)
        said, place = notice_text.words(notice, language), place_told(match, to)

        def is_it(message: Json) -> bool:
            if posted_at(message) in notice.known:
                return False
            if asked is None or match is None:
                return is_line(message, said, place=place)
            agree = board_page.agreement(match, asked)
            return has_control(message, agree) and has_words(message, said)

        return await self.find(to, since, is_it)

    async def find_digest(self, user_id: UserId, *, since: datetime) -> Posted | None:
        """Look for a digest among the direct messages."""
        to = Recipient(user_id=user_id)
        begun = notice_text.digest_titles(await self.language_for(None, to))
        return await self.find(to, since, lambda each: any(is_line(each, one) for one in begun))

    async def find(
        self, to: Recipient, since: datetime | None, is_it: Callable[[Json], bool]
    ) -> Posted | None:
        """The newest message of this kind that an attempt since then may have posted, if any."""
        found = [] if since is None else await self.since(to, since)
        return next((posted_at(each) for each in found if is_it(each)), None)

    # ---- what stands in a place --------------------------------------------------------------

    def posted_at(self, posted: Posted) -> datetime:
        """When a message was posted, which its id tells."""
        return discord.utils.snowflake_time(posted.message_id)

    async def see(self, posted: Posted) -> Any:
        """A message that is there, as Discord gives it."""
        http = self._client.http

        async def look() -> Any:
            return checked(await http.get_message(posted.channel_id, posted.message_id))

        return await self._calls.ask(look)

    async def latest(self, to: Recipient) -> list[Any]:
        """The latest messages of ours in a place, the newest first, as Discord gives them."""

        async def look() -> list[Any]:
            return self._ours(await self._client.http.logs_from(await self._where(to), _LATEST))

        return await self._calls.ask(look)

    async def since(self, to: Recipient, at: datetime) -> list[Any]:
        """The messages of ours posted in a place since an instant, the newest first.

        Of very many only the first are looked through: what is looked for was posted soon.
        """

        async def look() -> list[Any]:
            where = await self._where(to)
            after = discord.utils.time_snowflake(at - _SKEW)
            found: list[Any] = []
            for _ in range(_PAGES):
                page = await self._client.http.logs_from(where, _PAGE, after=after)
                found += self._ours(page)
                if len(page) < _PAGE:
                    break
                after = max(int(each["id"]) for each in page)
            return sorted(found, key=lambda each: -int(each["id"]))

        return await self._calls.ask(look)

    def _ours(self, found: Any) -> list[Any]:
        if not isinstance(found, list):
            raise Garbled("no list in an answer")
        own = None if self._client.user is None else self._client.user.id
        return [each for each in found if int(each["author"]["id"]) == own]

    async def _where(self, to: Recipient) -> ChannelId:
        if to.channel_id is not None:
            return to.channel_id
        assert to.user_id is not None  # noqa: S101 - one of the two is always there
        return ChannelId((await self._client.create_dm(discord.Object(to.user_id))).id)

    # ---- who reads it ------------------------------------------------------------------------

    async def language_of(self, guild_id: GuildId | None) -> Language:
        """The language chosen for the server, else Discord's; the default in direct messages."""
        if guild_id is None:
            return self._languages.default
        guild = self._client.get_guild(guild_id)
        default = self._languages.default
        usual = default if guild is None else self._languages.of(guild.preferred_locale)
        return self._languages.chosen((await self._preferences.server(guild_id)).language, usual)

    async def _language(self, match: Match) -> Language:
        """The language of what everybody sees of a match: the one chosen, or the server's."""
        usual = await self.language_of(match.origin.guild_id)
        return self._languages.chosen(match.language, usual)

    async def language_for(self, match: Match | None, to: Recipient) -> Language:
        """The language of a person in direct messages, and of the match or server elsewhere."""
        usual = self._languages.default if match is None else await self._language(match)
        if to.channel_id is not None or to.user_id is None:
            return usual
        chosen = await self._preferences.of(to.user_id)
        return self._languages.chosen(chosen.language or chosen.locale, usual)

    # ---- what is posted ----------------------------------------------------------------------

    async def erase(self, posted: Posted) -> None:
        """Delete a message of ours, which needs no permission."""
        http = self._client.http
        await self._calls.ask(lambda: delete_message(http, posted.channel_id, posted.message_id))

    async def post(
        self,
        to: Recipient,
        what: list[Any] | str,
        *,
        nonce: str,
        files: Sequence[File] = (),
        pings: tuple[UserId, ...] = (),
        roles: tuple[RoleId, ...] = (),
    ) -> Posted:
        """Post components, silently unless they call a player; or a line of words, which wakes."""
        silent = not (pings or isinstance(what, str))
        sent = await self.send(
            to, what, nonce=nonce, files=files, pings=pings, roles=roles, silent=silent
        )
        return sent.posted

    async def components_of(self, posted: Posted) -> list[Any]:
        """The components of a message that this process did not post, as they can be sent again."""
        data = await self.see(posted)
        return [_sendable(component) for component in data.get("components", [])]

    async def send(
        self,
        to: Recipient,
        what: list[Any] | str,
        *,
        nonce: str,
        files: Sequence[File] = (),
        pings: tuple[UserId, ...] = (),
        roles: tuple[RoleId, ...] = (),
        silent: bool,
    ) -> Sent:
        """Post components or a line of words."""
        written = message(
            content=what if isinstance(what, str) else None,
            components=None if isinstance(what, str) else what,
            files=[file.open() for file in files] or None,
            nonce=nonce,
            pings=pings,
            roles=roles,
            silent=silent,
        )

        async def send() -> Sent:
            where = await self._where(to)
            data = await post(self._client.http, where, written)
            posted = Posted(where, MessageId(int(data["id"])))
            return Sent(posted, cast(list[Any], data.get("components") or []))

        return await self._calls.ask(send)

    async def edit_page(
        self, posted: Posted, components: list[Any], files: Sequence[File] | None = None
    ) -> None:
        """Put components in the place of those of a message, and ``files`` in that of its files."""

        async def edit() -> None:
            opened = None if files is None else [file.open() for file in files]
            written = message(components=components, files=opened)
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


def place_told(match: Match | None, to: Recipient) -> str:
    """The end of a line that a player reads elsewhere than where the match is played."""
    if match is None:
        return ""
    is_here = to.channel_id == (match.home_id or match.origin.channel_id)
    return "" if is_here or match.venue is Venue.DIRECT else f" {match_text.place(match)}"


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
