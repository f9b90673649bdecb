"""Edits answers once the board or offer that follows is posted, or can't be.

An act is answered at once, and its board or offer is posted meanwhile. If Discord refuses the post,
the answer is edited: it says so, why, and what helps
(:class:`~bot.ui.interaction.obstacles.Obstacles`). If the board is posted,
the answer to the act that began its match links to it. An answer that adds nothing to what is
posted is deleted, so that typed moves leave no pile of answers; so are panels and hints of a
position that has passed. Answers can be edited for fifteen minutes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import discord
from cachetools import TTLCache

from bot.domain.events import EventKind
from bot.domain.game_state import known_turn
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match, Venue
from bot.domain.requests import RequestKind
from bot.i18n import Language
from bot.logs import logger
from bot.services.blocked import Blocked
from bot.services.match_changes import Answer
from bot.services.untold_turns import UntoldTurns
from bot.store.records import RefusedDelivery
from bot.ui import rest
from bot.ui.interaction.obstacles import Obstacles
from bot.ui.pages import match_text
from bot.ui.pages.components import Page, Reply, text
from bot.ui.rest import FAILURES, Background
from games.view import Text

_log = logger(__name__)

_UPDATE = discord.InteractionResponseType.deferred_message_update
_WORDS = 10
"""The type of a text component."""
_SECOND_CLICK = 10.0
"""Seconds before the answer to a click is deleted: a second click must still find its page."""
_MOST = 2000
_LONGEST = 600.0
"""Seconds for which an answer is remembered."""
_GIVEN = 30.0
"""Seconds to wait for a pending answer."""
HAS_STARTED = Text.of("The match has started. Its board is on the way.")
_BEGINS_A_TURN = frozenset({EventKind.MOVED.value, EventKind.STARTED.value})
_IS_POSTED = _BEGINS_A_TURN | {
    EventKind.OFFERED.value,
    EventKind.RESIGNED.value,
    EventKind.ABORTED.value,
    EventKind.CLAIMED.value,
    EventKind.RESUMED.value,
    *(f"{wish.value}_{EventKind.AGREED.value}" for wish in RequestKind),
    *(f"{wish.value}_{EventKind.REFUSED.value}" for wish in RequestKind),
}
"""Acts that a post in the same place shows by itself: a board, or an answered request."""


@dataclass(slots=True)
class _Watch:
    """An answer that may have to be edited."""

    interaction: discord.Interaction[Any]
    user_id: UserId
    match_id: MatchId
    version: int
    code: str
    fades: bool
    language: Language
    reply: Reply | None = None
    given: asyncio.Event = field(default_factory=asyncio.Event)
    is_settled: bool = False


@dataclass(frozen=True, slots=True)
class _Open:
    """A private page on which to act in a running match, by its newest interaction.

    ``request`` is the version of the request that can be withdrawn there, 0 for a page about the
    position at ``version``.
    """

    interaction: discord.Interaction[Any]
    match_id: MatchId
    version: int
    request: int

    def is_past(self, match: Match) -> bool:
        """Whether nothing is left to do on the page."""
        if match.status.is_final:
            return True
        if not self.request:
            return self.version < match.position_since
        is_known = self.request <= match.version
        return is_known and all(each.version != self.request for each in match.requests)


@dataclass(frozen=True, slots=True)
class _Came:
    """The latest outcome of posting about a match."""

    match: Match
    is_posted: bool
    parked: RefusedDelivery | None = None


class AnswerLifecycle:
    """Remembers recent answers until what follows is posted or refused."""

    def __init__(
        self,
        blocked: Blocked,
        untold_turns: UntoldTurns,
        obstacles: Obstacles,
        background: Background,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._blocked = blocked
        self._unreached = untold_turns
        self._obstacles = obstacles
        self._background = background
        self._watched: TTLCache[int, _Watch] = TTLCache(_MOST, _LONGEST, clock)
        self._came: TTLCache[MatchId, _Came] = TTLCache(_MOST, _LONGEST, clock)
        self._open: TTLCache[int, _Open] = TTLCache(_MOST, _LONGEST, clock)
        self._staying: TTLCache[tuple[UserId, int | None], discord.Interaction[Any]]
        self._staying = TTLCache(_MOST, _LONGEST, clock)

    def watch(
        self,
        interaction: discord.Interaction[Any],
        user_id: UserId,
        language: Language,
        done: Answer,
    ) -> None:
        """Note an act whose board, offer or request is being posted, or is there already."""
        watch = self._watched[interaction.id] = _Watch(
            interaction,
            user_id,
            done.match.id,
            done.match.version,
            done.code,
            done.code in _IS_POSTED and _leads_home(done, interaction.channel_id),
            language,
        )
        came = self._came.get(done.match.id)
        if came is not None and watch.version <= came.match.version:
            self._settle(watch, came)

    def clicked(self, interaction: discord.Interaction[Any]) -> None:
        """Forget the page of a click: its answer takes the place of the page.

        Called before the act, since the board may be posted before the act is answered.
        """
        self._open.pop(_page_of(interaction), None)

    def opened(
        self,
        interaction: discord.Interaction[Any],
        match: Match,
        request: int = 0,
    ) -> None:
        """Note a page on which to act in a running match.

        ``request`` is the version of the request that can be withdrawn there.
        """
        page = _Open(interaction, match.id, match.version, request)
        self._open[_page_of(interaction)] = page

    def read_once(self, interaction: discord.Interaction[Any]) -> None:
        """Delete an answer that is of no use once it has been read."""
        self._background.start(self._leave(interaction))

    async def _leave(self, interaction: discord.Interaction[Any]) -> None:
        is_typed = interaction.type is discord.InteractionType.application_command
        if is_typed or await self._background.pause(_SECOND_CLICK):
            await _take_back(interaction)

    def _put_away(self, match: Match) -> None:
        """Delete the pages of a match on which nothing is left to do."""
        for page_id, page in list(self._open.items()):
            if page.match_id == match.id and page.is_past(match):
                self._open.pop(page_id, None)
                self._background.start(_take_back(page.interaction))

    def answered(self, interaction_id: int, reply: Reply, *, update: bool) -> None:
        """Note the answer; ``update`` says that it replaces a page."""
        watch = self._watched.get(interaction_id)
        if watch is None:
            return
        if update and reply.page is None:
            reply = Reply(reply.plain, Page(text(reply.plain)))
        watch.reply = reply
        watch.given.set()

    def posted(self, match: Match) -> None:
        """Everything about a match has been posted."""
        self._learn(_Came(match, is_posted=True))

    def refused(self, match: Match, parked: RefusedDelivery | None) -> None:
        """Discord refuses a post about a match, or takes long."""
        self._learn(_Came(match, is_posted=False, parked=parked))

    def _learn(self, came: _Came) -> None:
        match = came.match
        self._came[match.id] = came
        self._put_away(match)
        for watch in list(self._watched.values()):
            if watch.match_id == match.id and watch.version <= match.version:
                self._settle(watch, came)

    def _settle(self, watch: _Watch, came: _Came) -> None:
        """Delete or edit an answer, by the outcome of the post that it waits for."""
        began = watch.code == EventKind.STARTED.value and came.match.venue is Venue.THREAD
        if watch.is_settled or (began and came.is_posted and came.match.home_id is None):
            return
        watch.is_settled = True
        parked = came.parked
        # Where another player's own board is refused, theirs stands, and a message tells them.
        is_theirs = parked is None or not parked.is_direct or parked.user_id == watch.user_id
        if came.is_posted or not is_theirs:
            if began and came.match.home_id != watch.interaction.channel_id:
                self._background.start(self._link(watch, came.match))
            elif watch.fades:
                self._background.start(self._fade(watch))
            else:
                self._watched.pop(watch.interaction.id, None)
        else:
            self._background.start(self._tell(watch, came.match, parked))

    async def _fade(self, watch: _Watch) -> None:
        """Delete an answer; one with buttons stays until the next one here."""
        reply = await self._given(watch)
        if reply is None:
            return
        page, place = reply.page, (watch.user_id, watch.interaction.channel_id)
        earlier = self._staying.pop(place, None)
        if earlier is not None:
            await _take_back(earlier)
        if page is not None and any(each["type"] != _WORDS for each in page.components):
            self._staying[place] = watch.interaction
            return
        await self._leave(watch.interaction)

    async def _link(self, watch: _Watch, match: Match) -> None:
        """Put a link to the board of a match that began into the answer; delete it in time."""
        reply = await self._given(watch)
        place = whereabouts(match, watch.interaction.channel_id, watch.language)
        waited = f"{watch.language(HAS_STARTED)} {place}".rstrip()
        if reply is None or not reply.plain.startswith(waited):
            return
        there = watch.language.say("The match has started: {board}", board=match_text.place(match))
        said = there + reply.plain.removeprefix(waited)
        if reply.page is None:
            written = rest.message(content=said)
        elif all(each["type"] == _WORDS for each in reply.page.components):
            written = rest.message(components=[text(said)])
        else:
            return
        try:
            await rest.edit_answer(watch.interaction, written)
        except FAILURES as error:
            _log.info("an answer got no link to its board", error=type(error).__name__)
            return
        if watch.fades and await self._background.pause(_SECOND_CLICK):
            await _take_back(watch.interaction)

    async def _given(self, watch: _Watch) -> Reply | None:
        """The answer, perhaps given only after the post; None if still pending. Ends the watch."""
        await self._background.expect(watch.given, _GIVEN)
        self._watched.pop(watch.interaction.id, None)
        return watch.reply

    async def _tell(self, watch: _Watch, match: Match, parked: RefusedDelivery | None) -> None:
        reply = await self._given(watch)
        if reply is None:
            return
        said = self._words(watch, match, parked)
        if reply.page is None:
            written = rest.message(content=f"{reply.plain}\n\n{said}")
        else:
            written = rest.message(components=[*reply.page.components, text(said)])
        try:
            await rest.edit_answer(watch.interaction, written)
        except FAILURES as error:
            _log.info("a player could not be told about a refusal", error=type(error).__name__)
            return
        turn = self._blocked.turn(match)
        # The answer to something earlier tells nothing of this turn.
        if turn is not None and turn.user_id == watch.user_id and turn.since <= watch.version:
            await self._unreached.reached(turn)

    def _words(self, watch: _Watch, match: Match, parked: RefusedDelivery | None) -> str:
        language = watch.language
        if parked is not None and parked.is_offer:
            lead = language.say("The offer couldn't be posted.")
        else:
            lead = language.say("The new board couldn't be posted.")
        turn = self._blocked.turn(match)
        others = None if turn is None or turn.user_id == watch.user_id else turn
        said = [f"**{lead}**", self._obstacles.words(match, parked, others, language)]
        player = known_turn(match)
        next_one = None if player is None else match.players[player]
        if watch.code in _BEGINS_A_TURN and turn is None and next_one not in (None, watch.user_id):
            name = match_text.mention(next_one, language)
            said.append(language.say("{player} was told another way.", player=name))
        return " ".join(each for each in said if each)


def whereabouts(match: Match, channel_id: int | None, language: Language) -> str:
    """The place of a match that has just started, if the player acted in another channel."""
    if match.venue is Venue.DIRECT or channel_id == match.origin.channel_id:
        return ""
    there = f"<#{match.origin.channel_id}>"
    return language.say("It's in {channel}; /matches links to it.", channel=there)


def _page_of(interaction: discord.Interaction[Any]) -> int:
    """The interaction that opened the private page which this one edits."""
    message = interaction.message
    if message is None or interaction.response.type is not _UPDATE:
        return interaction.id
    opened = message.interaction_metadata
    return interaction.id if opened is None else opened.id


async def _take_back(interaction: discord.Interaction[Any]) -> None:
    try:
        await rest.delete_answer(interaction)
    except discord.NotFound:
        pass  # its reader has put it away already
    except FAILURES as error:
        _log.info("an answer could not be taken back", error=type(error).__name__)


def _leads_home(done: Answer, channel_id: int | None) -> bool:
    """Whether the board is posted in this channel, or in a thread just opened in it."""
    match = done.match
    begins = (EventKind.STARTED.value, EventKind.OFFERED.value)
    if done.code in begins and channel_id == match.origin.channel_id:
        return True
    return match.venue is Venue.DIRECT or channel_id == (match.home_id or match.origin.channel_id)
