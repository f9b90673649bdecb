"""Digests: one direct message a day about all matches that wait for somebody, if any do.

Whom Discord lets no digest through to is mentioned in each of these matches instead, as they would
have been without a digest. Where it lets no direct message through at all, their settings say so.
"""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Protocol

from bot.domain.ids import UserId
from bot.domain.match import Match
from bot.domain.preferences import NoticeWay
from bot.domain.quiet import next_at_hour
from bot.domain.table import player_on_turn
from bot.errors import UserError
from bot.services.notices import Notices, place_of
from bot.services.people_store import PeopleStore
from bot.services.ports import Clock, Store, StoreUnavailable
from bot.services.sending import (
    BY_NONCE,
    DirectRefused,
    Gone,
    Messenger,
    NoticeKind,
    Posted,
    Recipient,
    Refused,
    Retry,
)

__all__ = ["DigestStore", "sweep_digests", "waits_for"]

log = logging.getLogger(__name__)

_BATCH = 50


class DigestStore(Store, PeopleStore, Protocol):
    """Matches, and what people have chosen."""


def waits_for(match: Match, user_id: UserId) -> bool:
    """Whether a match waits for a person's move."""
    try:
        player = player_on_turn(match)
    except UserError:
        return False
    return player is not None and match.players[player] == user_id


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
    waiting = tuple(each for each in await store.active_of(user_id) if waits_for(each, user_id))
    if waiting and now > was + BY_NONCE:
        posted = await _posted(messenger, user_id, was)
        if posted is not None:
            await store.digest_done(user_id, was, then)
            return False
    wait = chosen.quiet_until(now)
    if wait is not None:
        await store.digest_done(user_id, was, wait)
        return False
    sent = False
    if waiting:
        sent = await _send(store, messenger, notices, now, user_id, was, waiting)
    await store.digest_done(user_id, was, then)
    return sent


async def _send(  # noqa: PLR0917 - one person's share of the sweep
    store: DigestStore,
    messenger: Messenger,
    notices: Notices,
    now: datetime,
    user_id: UserId,
    was: datetime,
    waiting: tuple[Match, ...],
) -> bool:
    """Send a digest, or mention its person where it was refused; returns whether it was sent."""
    hour = f"{int(was.timestamp()) // 3600:x}"
    try:
        await messenger.digest(user_id, waiting, nonce=f"d{user_id:x}.{hour}")
    except (Gone, Refused) as error:
        log.info("no digest: %s", error.reason)
        since = was if now > was + BY_NONCE else None
        for match in waiting:
            nonce = f"{match.id}d{hour}"
            await _mention(store, messenger, match, user_id, nonce=nonce, since=since)
        if isinstance(error, DirectRefused):
            # Noted last: this takes the digest from what is due, with mentions yet to be made.
            await notices.refused(user_id)
        return False
    return True


async def _mention(
    store: DigestStore,
    messenger: Messenger,
    match: Match,
    user_id: UserId,
    *,
    nonce: str,
    since: datetime | None,
) -> None:
    """Mention somebody in a match that waits for them, unless that was done ``since`` then."""
    player = match.index_of(user_id)
    place = place_of(match, user_id)
    if player is None or place == Recipient(user_id=user_id):
        # A match in direct messages has nowhere else to be.
        return
    try:
        posted = await messenger.notify(
            match, player, NoticeKind.TURN, place, nonce=nonce, since=since
        )
    except (Gone, Refused) as error:
        log.info("match %s: no mention instead of a digest: %s", match.id, error.reason)
        return
    if posted is not None:
        await store.replace_line(match, player, posted)


async def _posted(messenger: Messenger, user_id: UserId, since: datetime) -> Posted | None:
    """The digest that a process sent before it died; raises what says to try again."""
    try:
        return await messenger.find_digest(user_id, since=since)
    except (Gone, Refused):
        return None
