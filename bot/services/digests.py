"""Digests: one direct message a day about a person's matches, if there is anything to say.

It lists the matches that wait for their move, those that wait for their answer, and tells what has
happened since: what the notices of the day would have told (:mod:`bot.services.notices`). Where
Discord lets no digest through, its reader is mentioned in each of these matches instead, as they
would have been without a digest. Where it lets no direct message through at all, their settings say
so.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.domain.game_state import player_on_turn
from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.preferences import NoticeWay
from bot.domain.quiet_hours import next_at_hour
from bot.errors import UserError
from bot.services.blocked_store import BlockedStore
from bot.services.notices import Notices, place_of
from bot.services.people_store import PeopleStore
from bot.services.ports import Clock, Store, StoreUnavailable
from bot.services.sending import (
    BY_NONCE,
    DirectRefused,
    Gone,
    Messenger,
    News,
    NoticeKind,
    Posted,
    Recipient,
    Refused,
    Retry,
)

log = logging.getLogger(__name__)

_BATCH = 50


class DigestStore(Store, PeopleStore, BlockedStore, Protocol):
    """Matches, what people have chosen, and of which turns they could not be told."""


def waits_for(match: Match, user_id: UserId) -> bool:
    """Whether a match waits for a person's move."""
    try:
        player = player_on_turn(match)
    except UserError:
        return False
    return player is not None and match.players[player] == user_id


def asks(match: Match, user_id: UserId) -> bool:
    """Whether a match waits for a person's answer: to an offer, or to what another player wants."""
    player = match.index_of(user_id)
    if match.status is MatchStatus.OFFERED:
        return player is None and user_id in match.invited
    if player is None or player in match.retired:
        return False
    return any(player not in request.agreed for request in match.requests)


_NUMBER = {notice: number for number, notice in enumerate(NoticeKind)}
_FINAL = frozenset({NoticeKind.OVER, NoticeKind.DECLINED})
"""What stays worth telling, whatever has become of the match since."""


def _is_news(each: News, user_id: UserId) -> bool:
    """Whether something is still worth telling, as the match is now."""
    match, notice = each.match, each.notice
    if notice in _FINAL:
        return True
    if match.status is not MatchStatus.RUNNING:
        return False
    if notice in (NoticeKind.PAUSED, NoticeKind.RESUMED):
        return match.is_paused is (notice is NoticeKind.PAUSED)
    # Of a match that waits for their move the digest speaks anyway.
    return notice is not NoticeKind.STARTED or not waits_for(match, user_id)


@dataclass(frozen=True, slots=True)
class _Digest:
    """What a digest says; ``read`` are all news that it makes old, also those it leaves out."""

    waiting: tuple[Match, ...]
    asked: tuple[Match, ...]
    news: tuple[News, ...]
    read: tuple[News, ...]

    def __bool__(self) -> bool:
        return bool(self.waiting or self.asked or self.news)


async def _written(store: DigestStore, user_id: UserId, due_at: datetime) -> _Digest:
    """What the digest that is due then says."""
    active = await store.active_of(user_id)
    waiting = tuple(each for each in active if waits_for(each, user_id))
    # Of those that wait for a move it is said as well what is asked there.
    asked = tuple(each for each in active if each not in waiting and asks(each, user_id))
    read = await store.news_for(user_id, due_at)
    latest = {(each.match.id, each.notice): each for each in read if _is_news(each, user_id)}
    return _Digest(waiting, asked, tuple(latest.values()), read)


async def sweep_digests(
    store: DigestStore, messenger: Messenger, notices: Notices, clock: Clock
) -> int:
    """Send every digest whose time has come; returns how many were sent.

    A digest is sent first and then noted as sent, under a name by which Discord knows it again
    should the process die between the two, or another process be at it as well. Discord forgets
    such names in minutes; one that is later than that is looked for before it is sent.
    """
    sent = 0
    patience = notices.patience
    try:
        found = await store.digests_due(clock.now(), _BATCH + len(patience))
        for user_id, was in patience.ready(found, clock.now(), _BATCH):
            try:
                sent += await _digest(store, messenger, notices, clock.now(), user_id, was)
            except Retry as error:
                patience.put_off((user_id, was), clock.now(), error)
    except StoreUnavailable:
        return sent
    return sent


async def _digest(  # noqa: PLR0917 - one person's share of the sweep
    store: DigestStore,
    messenger: Messenger,
    notices: Notices,
    now: datetime,
    user_id: UserId,
    was: datetime,
) -> bool:
    """Send somebody's digest if it is to be; raises what says to try again."""
    chosen = await notices.chosen_by(user_id)
    if chosen.present_way is not NoticeWay.DIGEST:
        await store.digest_done(user_id, was, None)
        return False
    then = next_at_hour(chosen.digest_hour, chosen.zone, now)
    digest = await _written(store, user_id, was)
    if digest and now > was + BY_NONCE:
        posted = await _posted(messenger, user_id, was)
        if posted is not None:
            await store.digest_done(user_id, was, then, digest.read)
            return False
    wait = chosen.quiet_until(now)
    if wait is not None:
        await store.digest_done(user_id, was, wait)
        return False
    sent = False
    if digest:
        sent = await _send(store, messenger, notices, now, user_id, was, digest)
    await store.digest_done(user_id, was, then, digest.read)
    return sent


async def _send(  # noqa: PLR0917 - one person's share of the sweep
    store: DigestStore,
    messenger: Messenger,
    notices: Notices,
    now: datetime,
    user_id: UserId,
    was: datetime,
    digest: _Digest,
) -> bool:
    """Send a digest, or mention its person where it was refused; returns whether it was sent."""
    hour = f"{int(was.timestamp()) // 3600:x}"
    try:
        await messenger.digest(
            user_id,
            digest.waiting,
            asked=digest.asked,
            news=digest.news,
            nonce=f"d{user_id:x}.{hour}",
        )
    except (Gone, Refused) as error:
        log.info("no digest: %s", error.reason)
        since = was if now > was + BY_NONCE else None
        told = [(each, NoticeKind.TURN, f"{each.id}d{hour}") for each in digest.waiting]
        for new in digest.news:
            nonce = f"{new.match.id}e{new.version:x}.{_NUMBER[new.notice]:x}"
            told.append((new.match, new.notice, nonce))
        for match, notice, nonce in told:
            await _mention(store, messenger, match, user_id, notice, nonce=nonce, since=since)
        if isinstance(error, DirectRefused):
            # Noted last: this takes the digest from what is due, with mentions yet to be made.
            await notices.refused(user_id)
        return False
    for match in digest.waiting:
        player = match.index_of(user_id)
        if player is not None:
            await store.reached(match.id, player, now)
    return True


async def _mention(
    store: DigestStore,
    messenger: Messenger,
    match: Match,
    user_id: UserId,
    notice: NoticeKind,
    *,
    nonce: str,
    since: datetime | None,
) -> None:
    """Mention a player in a match of theirs, unless that was done ``since`` then."""
    player = match.index_of(user_id)
    place = place_of(match, user_id)
    if player is None or place == Recipient(user_id=user_id):
        # A match in direct messages has nowhere else to be.
        return
    try:
        posted = await messenger.notify(match, player, notice, place, nonce=nonce, since=since)
    except (Gone, Refused) as error:
        log.info("match %s: no mention instead of a digest: %s", match.id, error.reason)
        return
    if posted is not None and notice.is_call:
        await store.replace_line(match, player, posted)


async def _posted(messenger: Messenger, user_id: UserId, since: datetime) -> Posted | None:
    """The digest that a process sent before it died; raises what says to try again."""
    try:
        return await messenger.find_digest(user_id, since=since)
    except (Gone, Refused):
        return None
