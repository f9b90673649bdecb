"""Notices: sent once, in the way that a player chose, and not in quiet hours.

Notices follow from the match (:mod:`bot.posts.deliveries`), their way from the player's settings.
That is decided when the notice is sent, so that a changed setting counts at once, and a move
doesn't wait for the settings of another player.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.clock import Clock
from bot.domain.computers import is_computer
from bot.domain.ids import UserId
from bot.domain.match import Match, Venue
from bot.domain.preferences import NoticeWay, Preferences
from bot.errors import UserError
from bot.logs import logger
from bot.posts.deliveries import ends_by_board
from bot.posts.notices import NoticeKind, RequestNews, RequestNotice, asks
from bot.posts.outgoing import QUIET, PutOff
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
from bot.services.rate_limits import CROWDED, ServerShares
from bot.store.errors import StoreUnavailable
from bot.ui.delivery.messenger import DiscordMessenger

_log = logger(__name__)


def place_of(match: Match, user_id: UserId) -> Recipient:
    """Where a match is played, as a player sees it."""
    if match.venue is Venue.DIRECT:
        return Recipient(user_id=user_id)
    return Recipient(match.home_id or match.origin.channel_id, user_id)


def places_of(match: Match | None, person: UserId, chosen: Preferences) -> tuple[Recipient, ...]:
    """The places in which a person hears of a match, or of something else, in order."""
    places = []
    if chosen.present_way in (NoticeWay.DIRECT, NoticeWay.DIGEST):
        places.append(Recipient(user_id=person))
    if match is not None:
        places.append(place_of(match, person))
    return tuple(dict.fromkeys(places))


def waited_for(match: Match) -> tuple[tuple[int, UserId], ...]:
    """The named opponents who have not answered an offer, with their player indices."""
    return tuple(
        (number, guest)
        for number, (guest, player) in enumerate(zip(match.invited, match.players, strict=True))
        if guest is not None and player is None and guest > 0 and not is_computer(guest)
    )


def _reads_there(match: Match, chosen: Preferences) -> bool:
    """Whether a player reads notices where the match is played."""
    return chosen.present_way is NoticeWay.MENTION and match.venue is not Venue.DIRECT


def _is_called_by_board(match: Match, chosen: Preferences, at: datetime) -> bool:
    """Whether the last board, posted ``at`` an instant, mentions a player at the end of a match.

    Players who had quiet hours then are told after them.
    """
    is_awake = chosen.quiet_until(at) is None
    return ends_by_board(match) and _reads_there(match, chosen) and is_awake


def quiet(chosen: Preferences, now: datetime) -> PutOff | None:
    """The outcome of what would wake a person in their quiet hours; None outside of them."""
    until = chosen.quiet_until(now)
    return None if until is None else PutOff(until, QUIET, certain=True)


NoticeOutcome = Posted | PutOff | Literal[NoticeWay.DIGEST] | None
"""The message; when to try again; that the next digest has it; None if it is not told."""


async def first_found(
    places: Iterable[Recipient], look: Callable[[Recipient], Awaitable[Posted | None]]
) -> Posted | None:
    """The first result in some places, as far as Discord allows."""
    for place in places:
        with contextlib.suppress(Gone, Refused):
            found = await look(place)
            if found is not None:
                return found
    return None


@dataclass(eq=False)
class Notices:
    """Sends notices; ``shares`` limits the messages of a server.

    Raises :exc:`~bot.posts.sending.Retry` where settings can't be read.
    """

    messenger: DiscordMessenger
    clock: Clock
    preferences: PreferenceService
    shares: ServerShares

    async def tell(self, notice: Notice, *, board: Posted | None = None) -> NoticeOutcome:
        """Notify a player in the way they chose.

        ``board`` shows the event where the match is played; None: it was posted just now. Raises
        :exc:`~bot.posts.sending.Retry`, :exc:`~bot.posts.sending.Gone` and
        :exc:`~bot.posts.sending.Refused`.
        """
        match, kind, now = notice.match, notice.kind, self.clock.now()
        assert match is not None  # noqa: S101 - this is of a match
        chosen = await self.chosen_by(notice.person)
        if chosen.present_way in (NoticeWay.NOTHING, NoticeWay.DIGEST):
            if asks(kind):
                # This wants an answer, for which it has the buttons.
                return await self._there(match, notice, silent=True)
            # A digest lists what waits for a move or an answer by itself.
            is_listed = kind.is_call or kind is NoticeKind.CHALLENGED
            is_news = chosen.present_way is NoticeWay.DIGEST and not is_listed
            return NoticeWay.DIGEST if is_news else None
        if notice.blocked is None and _reads_there(match, chosen):
            shown_at = now if board is None else self.messenger.posted_at(board)
            by_board = kind is NoticeKind.OVER and _is_called_by_board(match, chosen, shown_at)
            # Withdrawn or lapsed, it is said by the message of the request itself.
            said = (RequestNews.WITHDRAWN, RequestNews.LAPSED)
            if by_board or (isinstance(kind, RequestNotice) and kind.news in said):
                return None
        wait = quiet(chosen, now)
        if wait is not None:
            return wait
        elsewhere = places_of(match, notice.person, chosen)[:-1]
        return await self.tell_in(notice, elsewhere) or await self._there(match, notice)

    async def _there(
        self, match: Match, notice: Notice, *, silent: bool = False
    ) -> Posted | PutOff | None:
        """Notify a player where the match is played, if its server may have a message now.

        Where posting is blocked there the notice goes to the channel around it, and is refused if
        there is none.
        """
        place = place_of(match, notice.person)
        if notice.blocked is not None:
            around = self.messenger.around(match)
            if around is None:
                raise Refused(notice.blocked)
            place = Recipient(around, notice.person)
        if place.channel_id is not None:
            due = self.shares.take(match.origin.guild_id, notice.nonce)
            if due is not None:
                return PutOff(due, CROWDED, certain=True)
        return await self.messenger.notify(notice, place, silent=silent)

    async def test(self, person: UserId, place: Recipient, *, nonce: str) -> Posted | None:
        """Send a test notice.

        Raises :exc:`~bot.posts.sending.DirectRefused`, which is noted, and its like.
        """
        try:
            return await self.messenger.notify(Notice(None, person, NoticeKind.TEST, nonce), place)
        except DirectRefused:
            await self.refused(person)
            raise

    async def take_away(self, posted: Posted) -> None:
        """Delete a message, if possible."""
        with contextlib.suppress(Gone, Refused, Retry):
            await self.messenger.erase(posted)

    async def called_by_board(self, match: Match, players: tuple[int, ...]) -> tuple[UserId, ...]:
        """The players that the last board of a match mentions."""
        called = []
        for person in (match.players[each] for each in players):
            if person is None or person < 0 or is_computer(person):
                continue
            chosen = await self.chosen_by(person)
            if _is_called_by_board(match, chosen, self.clock.now()):
                called.append(person)
        return tuple(called)

    async def called_by_offer(self, match: Match, to: Recipient) -> tuple[UserId, ...]:
        """The named opponents that the message of an offer mentions.

        The others are notified in their own way.
        """
        called = []
        for _, person in waited_for(match):
            chosen = await self.chosen_by(person)
            wants = chosen.present_way is NoticeWay.MENTION
            if match.venue is Venue.DIRECT:
                is_told_there = wants or chosen.present_way is NoticeWay.DIRECT
                wants = person == to.user_id and is_told_there
            if wants and chosen.quiet_until(self.clock.now()) is None:
                called.append(person)
        return tuple(called)

    async def found(self, notice: Notice) -> Posted | None:
        """The message that an earlier attempt may have posted, also a call for the present move."""
        match, since = notice.match, notice.since
        if since is None:
            return None
        return await first_found(
            places_of(match, notice.person, await self.chosen_by(notice.person)),
            lambda place: self.messenger.find_notice(notice, place, since),
        )

    async def chosen_by(self, person: UserId) -> Preferences:
        """The settings of a player; raises :exc:`~bot.posts.sending.Retry` if unavailable."""
        try:
            return await self.preferences.surely_of(person)
        except StoreUnavailable as error:
            raise Retry from error

    async def tell_in(self, notice: Notice, places: Iterable[Recipient]) -> Posted | None:
        """Notify a player in the first place that takes it."""
        for place in places:
            try:
                return await self.messenger.notify(notice, place)
            except DirectRefused:
                await self.refused(notice.person)
            except (Gone, Refused) as error:
                _log.info("not said", channel=place.channel_id, reason=error.reason)
        return None

    async def refused(self, person: UserId, *, by_digest: bool = False) -> None:
        """Note that direct messages don't reach a player, so as not to try each time.

        For readers of a digest only the digest counts: they are mentioned in matches then.
        """
        # Where that cannot be saved now, the next notice finds it out again.
        with contextlib.suppress(UserError):
            await self.preferences.direct_refused(person, by_digest=by_digest)
