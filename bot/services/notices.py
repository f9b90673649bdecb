"""Telling players what they are to know: once, in the way they chose, not in their quiet hours.

What is told follows from the match (:mod:`bot.posts.deliveries`), how from the player. It is
decided when the notice is sent and not when it is written, so that a choice counts from the moment
it is made, and making a move does not wait for the choices of another player.

Players are also told what they have done although Discord did not take the answer. An event is what
an interaction has caused, and stands in the match's history under its id. So it is enough to write
down that its player has not been told; what to say follows from the event, at their next
interaction, whichever process that comes to. Hardly ever is an answer owed, so what is owed is read
once a minute and not for every interaction: a read costs 0.4 ms, a twentieth of a move. Another
process than the one that owes may so tell a player a minute late.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol

from cachetools import TTLCache

from bot.clock import Clock
from bot.domain.computers import is_computer
from bot.domain.ids import ChannelId, InteractionId, UserId
from bot.domain.match import Match, Venue
from bot.domain.preferences import NoticeWay, Preferences
from bot.errors import UserError
from bot.logs import logger
from bot.posts.deliveries import ends_by_board
from bot.posts.outgoing import QUIET, PutOff
from bot.posts.sending import (
    DirectRefused,
    Gone,
    News,
    Notice,
    NoticeKind,
    Posted,
    Recipient,
    Refused,
    RequestNews,
    RequestNotice,
    Retry,
    asks,
)
from bot.services.match_changes import Answer
from bot.services.matches import MatchService
from bot.services.preferences import PreferenceService
from bot.services.rate_limits import CROWDED, ServerShares
from bot.store import Store, notices
from bot.store.errors import StoreUnavailable

_log = logger(__name__)


def place_of(match: Match, user_id: UserId) -> Recipient:
    """Where a match is played, as a person sees it."""
    if match.venue is Venue.DIRECT:
        return Recipient(user_id=user_id)
    return Recipient(match.home_id or match.origin.channel_id, user_id)


def waited_for(match: Match) -> tuple[tuple[int, UserId], ...]:
    """The named opponents who have not answered an offer yet, with their player indices."""
    return tuple(
        (number, guest)
        for number, (guest, player) in enumerate(zip(match.invited, match.players, strict=True))
        if guest is not None and player is None and guest > 0 and not is_computer(guest)
    )


_SAID_BY_THE_REQUEST = (RequestNews.WITHDRAWN, RequestNews.LAPSED)
"""How a request has ended, which its own message says where the match is played."""


def _reads_there(match: Match, chosen: Preferences) -> bool:
    """Whether a person reads news of a match where it is played, with all others."""
    return chosen.present_way is NoticeWay.MENTION and match.venue is not Venue.DIRECT


def _is_called_by_board(match: Match, chosen: Preferences, at: datetime) -> bool:
    """Whether the last board, posted ``at`` an instant, tells a person that a match is over.

    Players who had quiet hours then are told after them.
    """
    is_awake = chosen.quiet_until(at) is None
    return ends_by_board(match) and _reads_there(match, chosen) and is_awake


NoticeOutcome = Posted | PutOff | Literal[NoticeWay.DIGEST] | None
"""What came of a notice: the message; when to try again; that the next digest is to tell it; None
if it is not to be told."""


def places_of(match: Match, person: UserId, chosen: Preferences) -> tuple[Recipient, ...]:
    """The places in which a person reads news of a match: the first that works."""
    there = place_of(match, person)
    if chosen.present_way in (NoticeWay.DIRECT, NoticeWay.DIGEST):
        return tuple(dict.fromkeys((Recipient(user_id=person), there)))
    return (there,)


async def first_found(
    places: Iterable[Recipient], look: Callable[[Recipient], Awaitable[Posted | None]]
) -> Posted | None:
    """The first message found in some places, as far as Discord lets them be read."""
    for place in places:
        with contextlib.suppress(Gone, Refused):
            found = await look(place)
            if found is not None:
                return found
    return None


class Messenger(Protocol):
    """Discord, as far as people are told something.

    A ``nonce`` of at most 25 characters names a post for good: the same post tried again has the
    same nonce, and Discord answers with the message that it made the first time. Raised are
    :exc:`~bot.posts.sending.Retry`, :exc:`~bot.posts.sending.Gone` and
    :exc:`~bot.posts.sending.Refused`; :exc:`~bot.posts.sending.DirectRefused` where it was to be a
    direct message and none may be sent.
    """

    async def notify(self, notice: Notice, to: Recipient, *, silent: bool = False) -> Posted | None:
        """Tell a person something; None if what it asks is over. Nobody is woken if ``silent``."""
        ...

    async def find_notice(self, notice: Notice, to: Recipient, since: datetime) -> Posted | None:
        """Such a message, posted since an instant; of a call for a move one made by now."""
        ...

    async def digest(
        self,
        user_id: UserId,
        matches: tuple[Match, ...],
        *,
        asked: tuple[Match, ...] = (),
        news: tuple[News, ...] = (),
        nonce: str,
    ) -> None:
        """Tell a person directly of all matches that wait for their move.

        And of those that wait for their answer to what is ``asked``, and of what has happened.
        """
        ...

    async def find_digest(self, user_id: UserId, *, since: datetime) -> Posted | None:
        """Such a digest, posted since an instant, if it is there already."""
        ...

    def posted_at(self, posted: Posted) -> datetime:
        """When a message was posted, as Discord says."""
        ...

    def around(self, match: Match) -> ChannelId | None:
        """The channel around the thread of a match, where its players can be called instead.

        None if there is none, or nothing can be posted there either, as far as is known.
        """
        ...

    async def erase(self, posted: Posted) -> None:
        """Delete a message."""
        ...


class Notices:
    """How notices reach people; ``shares`` says how many messages a server may have.

    What asks how a person wants to be told raises :exc:`~bot.posts.sending.Retry` where that
    cannot be read.
    """

    def __init__(
        self,
        messenger: Messenger,
        clock: Clock,
        preferences: PreferenceService,
        shares: ServerShares,
    ) -> None:
        self.messenger = messenger
        self._clock = clock
        self._preferences = preferences
        self._shares = shares

    async def tell(self, notice: Notice, *, board: Posted | None = None) -> NoticeOutcome:
        """Tell a person something in the way they chose.

        ``board`` shows its event where the match is played; without one, that was posted just now.
        Where posting is ``blocked`` in the place of the match, for that reason, what is to be said
        there is said in the channel around it, and refused if there is none.

        Raises what the messenger raises.
        """
        match, kind, blocked = notice.match, notice.kind, notice.blocked
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
        is_said = isinstance(kind, RequestNotice) and kind.news in _SAID_BY_THE_REQUEST
        if blocked is None and _reads_there(match, chosen) and is_said:
            return None
        if blocked is None and kind is NoticeKind.OVER:
            now = self._clock.now()
            shown_at = now if board is None else self.messenger.posted_at(board)
            if _is_called_by_board(match, chosen, shown_at):
                return None
        wait = chosen.quiet_until(self._clock.now())
        if wait is not None:
            return PutOff(wait, QUIET, certain=True)
        told = None
        if chosen.present_way is NoticeWay.DIRECT and match.venue is not Venue.DIRECT:
            told = await self.tell_in(notice, (Recipient(user_id=notice.person),))
        return await self._there(match, notice) if told is None else told

    async def _there(
        self, match: Match, notice: Notice, *, silent: bool = False
    ) -> Posted | PutOff | None:
        """Tell a person where the match is played, if its server may have a message now.

        Everybody there may read it.
        """
        place = place_of(match, notice.person)
        if notice.blocked is not None:
            around = self.messenger.around(match)
            if around is None:
                raise Refused(notice.blocked)
            place = Recipient(around, notice.person)
        if place.channel_id is not None:
            due = self._shares.take(match.origin.guild_id, notice.nonce)
            if due is not None:
                return PutOff(due, CROWDED, certain=True)
        return await self.messenger.notify(notice, place, silent=silent)

    async def test(self, person: UserId, place: Recipient, *, nonce: str) -> Posted | None:
        """Tell a person that this is how they are told.

        Raises :exc:`~bot.posts.sending.DirectRefused`, which is remembered, and its like.
        """
        try:
            return await self.messenger.notify(Notice(None, person, NoticeKind.TEST, nonce), place)
        except DirectRefused:
            await self.refused(person)
            raise

    async def take_away(self, posted: Posted) -> None:
        """Delete a message, if that can be done."""
        with contextlib.suppress(Gone, Refused, Retry):
            await self.messenger.erase(posted)

    async def called_by_board(self, match: Match, players: tuple[int, ...]) -> tuple[UserId, ...]:
        """Those of some players that the last board of a match is to mention."""
        called = []
        for person in (match.players[each] for each in players):
            if person is None or person < 0 or is_computer(person):
                continue
            chosen = await self.chosen_by(person)
            if _is_called_by_board(match, chosen, self._clock.now()):
                called.append(person)
        return tuple(called)

    async def called_by_offer(self, match: Match, to: Recipient) -> tuple[UserId, ...]:
        """The named opponents that the message of an offer mentions.

        The others are told in their own way, if they want it.
        """
        called = []
        for _, person in waited_for(match):
            chosen = await self.chosen_by(person)
            wants = chosen.present_way is NoticeWay.MENTION
            if match.venue is Venue.DIRECT:
                is_told_there = wants or chosen.present_way is NoticeWay.DIRECT
                wants = person == to.user_id and is_told_there
            if wants and chosen.quiet_until(self._clock.now()) is None:
                called.append(person)
        return tuple(called)

    async def found(self, notice: Notice, match: Match, since: datetime | None) -> Posted | None:
        """What an attempt since then may have posted; of a call for a move one made by now."""
        if since is None:
            return None
        return await first_found(
            places_of(match, notice.person, await self.chosen_by(notice.person)),
            lambda place: self.messenger.find_notice(notice, place, since),
        )

    async def chosen_by(self, person: UserId) -> Preferences:
        """The choices of a person.

        Raises :exc:`~bot.posts.sending.Retry` where that cannot be read: nobody is to be woken
        by guess.
        """
        try:
            return await self._preferences.surely_of(person)
        except StoreUnavailable as error:
            raise Retry from error

    async def tell_in(self, notice: Notice, places: Iterable[Recipient]) -> Posted | None:
        """Tell a person something in the first of some places that takes it."""
        for place in places:
            try:
                return await self.messenger.notify(notice, place)
            except DirectRefused:
                await self.refused(notice.person)
            except (Gone, Refused) as error:
                _log.info("not said", channel=place.channel_id, reason=error.reason)
        return None

    async def refused(self, person: UserId, *, by_digest: bool = False) -> None:
        """Remember that direct messages do not reach a person, so as not to try each time.

        For readers of a digest only that of the digest counts: it then calls them in each match
        that waits for them, and without it they would not hear of those that wait already.
        """
        # Where that cannot be saved now, the next notice finds it out again.
        with contextlib.suppress(UserError):
            await self._preferences.direct_refused(person, by_digest=by_digest)


# ---- answers that Discord did not take -----------------------------------------------------------

_REMEMBERED = timedelta(days=2)
"""How long it is of use to be told what one has done."""
_READ = timedelta(seconds=60)
"""How long what was read of all that is owed is good for."""
_TOLD, _SOON = 1000, 2 * _READ.total_seconds()
"""Answers just given, and the seconds for which they are known: what was read before it was noted
that they were given may still call them owed."""


@dataclass(frozen=True, slots=True)
class LostAnswer:
    """What a person has done by an interaction and has not been told."""

    interaction_id: InteractionId
    answer: Answer


class LostAnswers:
    """Remembers what people are still to be told. Without the store nothing is remembered."""

    def __init__(self, store: Store, matches: MatchService, clock: Clock) -> None:
        self._store = store
        self._matches = matches
        self._clock = clock
        self._owed: tuple[tuple[UserId, InteractionId], ...] = ()
        self._read_at: datetime | None = None
        self._told: TTLCache[InteractionId, bool] = TTLCache(_TOLD, _SOON)

    async def owe(self, interaction_id: InteractionId) -> None:
        """Note that the person has not been told what this interaction has caused, if anything."""
        now = self._clock.now()
        try:
            await self._store.write(notices.owe, interaction_id, now, now - _REMEMBERED)
            self._read_at = None
        except StoreUnavailable as error:
            _log.warning("an answer that is owed could not be noted", reason=error.reason)

    async def of(self, user_id: UserId) -> tuple[LostAnswer, ...]:
        """What a person has done and has not been told, as far as that can be found out now."""
        found = []
        with contextlib.suppress(StoreUnavailable, UserError):
            await self._read()
            if self._of(user_id) and self._read_at != self._clock.now():
                # Another process may have told them since it was read.
                self._read_at = None
                await self._read()
            for interaction_id in self._of(user_id):
                done = await self._matches.done(interaction_id)
                if done is not None and interaction_id not in self._told:
                    found.append(LostAnswer(interaction_id, done))
        return tuple(found)

    def _of(self, user_id: UserId) -> tuple[InteractionId, ...]:
        """What a person was owed when it was read, but for what they have been told here since."""
        mine = (each for person, each in self._owed if person == user_id)
        return tuple(each for each in mine if each not in self._told)

    async def _read(self) -> None:
        now = self._clock.now()
        if self._read_at is None or abs(now - self._read_at) >= _READ:
            self._read_at = now
            try:
                self._owed = await self._store.read(notices.all_owed)
            except StoreUnavailable:
                self._read_at = None
                raise

    async def told(self, interaction_id: InteractionId) -> None:
        """The person has been told; if that cannot be noted, they are told once more."""
        self._told[interaction_id] = True
        try:
            await self._store.write(notices.answer_told, interaction_id)
        except StoreUnavailable as error:
            self._told.pop(interaction_id, None)
            _log.warning("an answer that was given could not be noted", reason=error.reason)
