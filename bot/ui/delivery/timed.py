"""Messages at an hour of their own: reminders, digests, and notices of vacations.

*Reminders* come before a deadline, at the hours that the player has chosen. A row of the outbox
first looks for the next one, is then due at its hour, and leads to the one after it. A deadline may
move meanwhile, so it is judged once more then. A turn and a number of hours have one reminder.

*A digest* is one direct message a day, if there is anything to say: the matches that wait for a
move, those that wait for an answer, and what the notices of the day would have told. Where Discord
refuses it, its reader is mentioned in each of these matches instead. News of matches in direct
messages become notices again, and news of followed matches are kept: for the next digest, or else
for the next interaction (:attr:`bot.store.records.Blockages.unread`). Each digest plans the next.

*A vacation* is told when it has begun by itself, and when it is over. Readers of mentions are
mentioned in the most pressing match that waits for them, if one does: else their next turn calls.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.domain.game_state import known_turn, waits_for
from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus, Venue
from bot.domain.preferences import NoticeWay, Preferences
from bot.domain.quiet_hours import next_at_hour, reminder_times
from bot.logs import logger
from bot.posts.deliveries import JUST_TOLD, is_news
from bot.posts.notices import NOTICES, NoticeKind, RequestNews, RequestNotice, asks
from bot.posts.outgoing import (
    DIGEST,
    VACATION,
    Claim,
    Done,
    Handler,
    Outcome,
    Outgoing,
    PutOff,
    id_in,
    next_digest,
    vacation_message,
)
from bot.posts.sending import (
    Delivery,
    DeliveryKind,
    DirectRefused,
    Gone,
    MatchClaim,
    MatchDone,
    News,
    Notice,
    Posted,
    Recipient,
    Refused,
    Reminder,
    StandingPost,
    VacationNews,
)
from bot.services.presence import credited
from bot.store import Store, blocked, match_feed, outgoing, transactions, vacations
from bot.store import notices as stored_notices
from bot.store.errors import StoreUnavailable
from bot.ui.delivery.notices import Notices, place_of, places_of, quiet

_log = logger(__name__)


@dataclass(eq=False)
class _AtTheirHour(Handler):
    """Tells people something at an hour of their own."""

    store: Store
    notices: Notices
    clock: Clock


# ---- reminders -----------------------------------------------------------------------------------

_STOPPED = timedelta(hours=1)
"""The time until a clock is looked at again that is stopped, or whose deadline has passed but to
which an outage may yet be given back."""


class Reminders(_AtTheirHour):
    """Gives reminders, one after another."""

    kinds = frozenset({DeliveryKind.REMINDER.value})

    async def plan_anew(self, user_id: UserId) -> None:
        """Look for the next one in all turns of a player who has just chosen differently."""
        try:
            for match in await self.store.read(transactions.active_of, user_id):
                player = known_turn(match)
                if player is not None and match.players[player] == user_id:
                    await self.store.write(outgoing.plan, self._next(match, player))
        except StoreUnavailable as error:
            _log.warning("no reminders planned", reason=error.reason)

    def _next(self, match: Match, player: int) -> Outgoing:
        reminder = Delivery(DeliveryKind.REMINDER, match.position_since, player)
        return reminder.message(match.id, self.clock.now())

    async def make(self, claim: Claim) -> Outcome:
        """Give a reminder if it is to be given, or look for the next one of its turn."""
        assert isinstance(claim, MatchClaim)  # noqa: S101 - the store loads matches with them
        now, match, player = self.clock.now(), claim.match, claim.delivery.audience
        person = None if player is None else match.players[player]
        if player is None or person is None or person < 0:
            return Done()
        if match.set_aside_at is not None:
            return self._later(claim)
        if claim.overtaken or known_turn(match) != player:
            # A reminder of a turn that is over is past and goes, even if it may have been given.
            return MatchDone(posted=await self._posted(claim, person, claim.due_at))
        match, hours = await credited(self.store, match, now), claim.delivery.hours
        chosen = await self.notices.chosen_by(person)
        if hours is None:
            return await self._planned(claim, match, chosen)
        if match.deadline is None or match.deadline <= now:
            return self._later(claim)
        later = Done(then=(self._next(match, player),))
        rests = match.times is not None and (match.times.since or now) > now
        if rests or hours not in _hours(chosen):
            return later
        posted = await self._posted(claim, person, match.deadline)
        if posted is None:
            # An outage may have moved the deadline.
            is_early = bool(_coming(match.deadline, (hours,), chosen, now))
            if is_early or chosen.quiet_until(now) is not None:
                return later
            notice = _notice(claim, match, person, match.deadline)
            posted = await self.notices.tell_in(notice, places_of(match, person, chosen))
        return MatchDone(posted=posted, then=later.then)

    async def _planned(self, claim: MatchClaim, match: Match, chosen: Preferences) -> Done:
        """The next reminder of a turn, none before this was due, nor just after it was told."""
        if match.deadline is None:
            return Done()
        turn = await self.store.read(stored_notices.turn_of, match.id, match.position_since)
        told_at = chosen.quiet_until(turn.began) or turn.began
        earliest = max(claim.due_at, told_at + JUST_TOLD)
        if match.times is not None and match.times.since is not None:
            # None comes while the clock is stopped because they are on vacation.
            earliest = max(earliest, match.times.since)
        for hours, at in _coming(match.deadline, _hours(chosen), chosen, earliest):
            if hours not in turn.given:
                reminder = replace(claim.delivery, version=match.position_since, hours=hours)
                return Done(then=(reminder.message(match.id, at),))
        return Done()

    def _later(self, claim: MatchClaim) -> Outcome:
        """Look again in a while, or as soon as there is another deadline."""
        at = self.clock.now() + _STOPPED
        if claim.may_exist:
            return PutOff(at, "stopped", certain=True)
        return Done(then=(claim.delivery.message(claim.match.id, at),))

    async def _posted(self, claim: MatchClaim, person: UserId, deadline: datetime) -> Posted | None:
        """The reminder that an earlier attempt may have posted."""
        if claim.delivery.hours is None:
            return None
        notice = _notice(claim, claim.match, person, deadline)
        return await self.notices.found(replace(notice, since=claim.tried_at))


def _notice(claim: MatchClaim, match: Match, person: UserId, deadline: datetime) -> Notice:
    nonce = f"{match.id}h{claim.delivery.version:x}.{claim.delivery.hours or 0:x}"
    return Notice(match, person, Reminder(deadline), nonce)


def _coming(
    deadline: datetime, hours: tuple[int, ...], chosen: Preferences, after: datetime
) -> tuple[tuple[int, datetime], ...]:
    """The reminders of a deadline that come after an instant, at so many hours before it."""
    return reminder_times(deadline, hours, after, quiet=chosen.quiet, zone=chosen.zone)


def _hours(chosen: Preferences) -> tuple[int, ...]:
    """Before a deadline by how many hours a player is reminded."""
    return () if chosen.present_way is NoticeWay.NOTHING else chosen.reminders


# ---- digests -------------------------------------------------------------------------------------


def questions(match: Match, user_id: UserId) -> tuple[News, ...]:
    """What a match waits for a person's answer to: an offer, or what another player wants."""
    player = match.index_of(user_id)
    if match.status is MatchStatus.OFFERED:
        is_named = player is None and user_id in match.invited
        return (News(match, match.version, NoticeKind.CHALLENGED),) if is_named else ()
    if player is None or player in match.retired:
        return ()
    return tuple(
        News(match, request.version, RequestNotice(request.wish, RequestNews.ASKED))
        for request in match.requests
        if player not in request.agreed
    )


_NUMBER = {notice: number for number, notice in enumerate(NOTICES.values())}


@dataclass(frozen=True, slots=True)
class _Digest:
    """The content of a digest; ``read`` are all news that it makes old, shown or not."""

    waiting: tuple[Match, ...]
    asked: tuple[Match, ...]
    news: tuple[News, ...]
    read: tuple[News, ...]

    def __bool__(self) -> bool:
        return bool(self.waiting or self.asked or self.news)


class Digests(_AtTheirHour):
    """Sends digests."""

    kinds = frozenset({DIGEST})

    async def make(self, claim: Claim) -> Outcome:
        """Send a digest if its reader still wants one and there is anything to say."""
        user, now = UserId(int(id_in(claim.key))), self.clock.now()
        chosen = await self.notices.chosen_by(user)
        if chosen.present_way is not NoticeWay.DIGEST:
            return Done()
        tomorrow = next_digest(user, next_at_hour(chosen.digest_hour, chosen.zone, now))
        digest = await self._written(user, claim.begun_at)
        if not (digest and await self._was_sent(user, claim)):
            wait = quiet(chosen, now)
            if wait is not None:
                return wait
            if digest:
                digest = await self._send(user, digest, claim)
        await self.store.write(stored_notices.news_told, user, digest.read)
        return Done(then=(tomorrow,))

    async def _written(self, user_id: UserId, until: datetime) -> _Digest:
        """The content of a digest that was begun then."""
        active = await self.store.read(transactions.active_of, user_id)
        waiting = tuple(each for each in active if waits_for(each, user_id))
        # Of those that wait for a move it is said as well what is asked there.
        asked = tuple(each for each in active if each not in waiting and questions(each, user_id))
        read = await self.store.read(stored_notices.news_for, user_id, until)
        latest = {
            (each.match.id, each.notice): each
            for each in read
            if is_news(each.match, each.notice, user_id)
        }
        return _Digest(waiting, asked, tuple(latest.values()), read)

    async def _was_sent(self, user_id: UserId, claim: Claim) -> bool:
        if claim.tried_at is None:
            return False
        try:
            found = await self.notices.messenger.find_digest(user_id, since=claim.tried_at)
        except (Gone, Refused):
            return False
        return found is not None

    async def _send(self, user_id: UserId, digest: _Digest, claim: Claim) -> _Digest:
        """Send a digest, or tell its reader otherwise where it was refused; the told part."""
        number = f"{claim.id:x}"
        try:
            await self.notices.messenger.digest(
                user_id,
                digest.waiting,
                asked=digest.asked,
                news=digest.news,
                nonce=f"d{user_id:x}.{number}"[:25],
            )
        except (Gone, Refused) as error:
            _log.info("no digest", reason=error.reason)
            direct = tuple(each for each in digest.news if each.match.venue is Venue.DIRECT)
            await self.store.write(stored_notices.hand_back, user_id, direct, self.clock.now())
            waits = [News(each, each.version, NoticeKind.TURN) for each in digest.waiting]
            waits += [new for each in digest.asked for new in questions(each, user_id)]
            for new in waits:
                nonce = f"{new.match.id}d{number}.{_NUMBER[new.notice]:x}"
                await self._mention(user_id, new, nonce, claim)
            for new in digest.news:
                nonce = f"{new.match.id}e{new.version:x}.{_NUMBER[new.notice]:x}"
                await self._mention(user_id, new, nonce, claim)
            if isinstance(error, DirectRefused):
                # Noted last: this takes the digest from what is due, with mentions yet to be made.
                await self.notices.refused(user_id, by_digest=True)
            kept = {*direct, *(each for each in digest.read if each.notice is NoticeKind.FOLLOWED)}
            return replace(digest, read=tuple(each for each in digest.read if each not in kept))
        now = self.clock.now()
        for match in digest.waiting:
            player = match.index_of(user_id)
            if player is not None:
                await self.store.write(blocked.reached, match.id, player, now)
        return digest

    async def _mention(self, user_id: UserId, new: News, nonce: str, claim: Claim) -> None:
        """Mention a player in a match of theirs.

        A match in direct messages has nowhere else to be, and its board is there.
        """
        match, is_offer = new.match, new.notice is NoticeKind.CHALLENGED
        player = match.invited.index(user_id) if is_offer else match.index_of(user_id)
        if player is None or match.venue is Venue.DIRECT:
            return
        notice = Notice(match, user_id, new.notice, nonce, claim.tried_at)
        try:
            posted = await self.notices.messenger.notify(notice, place_of(match, user_id))
        except (Gone, Refused) as error:
            _log.info("no mention instead of a digest", match=match.id, reason=error.reason)
            return
        if posted is not None and new.notice.is_call:
            await self.store.write(match_feed.replace_line, match, player, posted)
        elif posted is not None and (is_offer or asks(new.notice)):
            post = StandingPost(str(new.notice.post), player, posted, new.version)
            await self.store.write(match_feed.keep_post, match, post)


# ---- vacations -----------------------------------------------------------------------------------


class VacationWords(_AtTheirHour):
    """Tells people of their vacations."""

    kinds = frozenset({VACATION})

    async def make(self, claim: Claim) -> Outcome:
        """Tell a person that a vacation of theirs has begun or is over, if they are to be told."""
        now, user = self.clock.now(), UserId(int(id_in(claim.key)))
        rows = await self.store.read(vacations.vacations_of, user)
        kept = next((each for each in rows if str(each.number) == claim.slot), None)
        if kept is None:
            return Done()
        is_over = kept.vacation.ends_at <= now
        then = () if is_over else (vacation_message(user, kept.number, kept.vacation.ends_at),)
        chosen = await self.notices.chosen_by(user)
        wants = chosen.present_way is not NoticeWay.NOTHING
        if not (wants and (is_over or kept.vacation.by_itself)):
            return Done(then=then)
        wait = quiet(chosen, now)
        if wait is not None:
            return wait
        # Of two vacations of which one begins where the other ends only the last one is told.
        lasting = await self.store.read(vacations.lasting_vacations, (user,), now)
        if not (is_over and lasting):
            nonce = f"v{user:x}.{kept.number:x}{'o' if is_over else 'b'}"[:25]
            news = VacationNews(None if is_over else kept.vacation.ends_at)
            await self._say(Notice(None, user, news, nonce, claim.tried_at), chosen)
        return Done(then=then)

    async def _say(self, notice: Notice, chosen: Preferences) -> None:
        """Tell them directly or in a match of theirs, wherever Discord lets it through."""
        user, since = notice.person, notice.since
        matches = await self.store.read(transactions.active_of, user)
        if since is not None and await self._was_told(notice, matches, since):
            return
        match = _pressing(matches, user)
        notice = replace(notice, match=match, since=None)
        posted = await self.notices.tell_in(notice, places_of(match, user, chosen))
        if match is not None and posted is not None:
            home = place_of(match, user).channel_id
            if home in (None, posted.channel_id):
                await self._stands(match, user, posted)

    async def _was_told(self, notice: Notice, matches: tuple[Match, ...], since: datetime) -> bool:
        """Whether an earlier attempt has told them, directly or in any match of theirs.

        In a match it stands until their move there.
        """
        user = notice.person
        places: dict[Recipient, Match | None] = {Recipient(user_id=user): None}
        places |= {place_of(each, user): each for each in matches if each.state}
        for place, match in places.items():
            posted = None
            with contextlib.suppress(Gone, Refused):
                of_it = replace(notice, match=match)
                posted = await self.notices.messenger.find_notice(of_it, place, since)
            if posted is not None:
                if match is not None:
                    await self._stands(match, user, posted)
                return True
        return False

    async def _stands(self, match: Match, user: UserId, posted: Posted) -> None:
        """Have the line stand in the place of the one that called its person there before."""
        player = match.index_of(user)
        if player is not None:
            await self.store.write(match_feed.replace_line, match, player, posted)


def _pressing(matches: tuple[Match, ...], user_id: UserId) -> Match | None:
    """Of a person's running matches that which waits for them, by the first deadline; or none."""

    def rank(match: Match) -> tuple[bool, float]:
        at = match.deadline
        return at is None, 0.0 if at is None else at.timestamp()

    waiting = (match for match in matches if waits_for(match, user_id))
    return min(waiting, key=rank, default=None)
