"""Deliveries of a match that later events have made unnecessary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.game_state import waits_for
from bot.domain.ids import ChannelId, MessageId, UserId
from bot.domain.match import Match, MatchStatus
from bot.posts.fates import fates
from bot.posts.sending import AnyNotice, DeliveryKind, MatchClaim, NoticeKind, Posted

_NOWHERE = Posted(ChannelId(0), MessageId(0))


def is_overtaken(claim: MatchClaim, later: Sequence[MatchClaim]) -> bool:
    """Whether a delivery is no longer needed; ``later`` are those of its match after it.

    Only the newest board and the newest state of an offer are worth showing, and no message that
    would be past at once, but for news: that a match has started, or how a request has ended.
    """
    delivery, match, notice = claim.delivery, claim.match, claim.delivery.notice
    if delivery.kind in (DeliveryKind.NOTICE, DeliveryKind.REMINDER):
        post = claim.post(_NOWHERE)
        if post is None or post.kind in ("started", "word"):
            return False
        # To tell it once more finds it.
        is_found = claim.may_exist and notice is not None and not notice.is_call
        return post in fates([post], match) and not is_found
    if delivery.kind is DeliveryKind.OFFER:
        return match.status is not MatchStatus.OFFERED
    if delivery.kind is DeliveryKind.CARD:
        return match.status is not MatchStatus.RUNNING
    if delivery.kind not in (DeliveryKind.BOARD, DeliveryKind.OFFER_UPDATE, DeliveryKind.TIDY):
        return False
    return any(
        newer.delivery.kind is delivery.kind and newer.delivery.audience == delivery.audience
        for newer in later
    )


_FINAL = frozenset(
    {
        NoticeKind.FOLLOWED,
        NoticeKind.OVER,
        NoticeKind.DECLINED,
        NoticeKind.DECLINED_NOT_NOW,
        NoticeKind.DECLINED_SOMETHING_ELSE,
    }
)
"""What stays worth telling, whatever has become of the match since."""


def is_news(match: Match, notice: AnyNotice, user_id: UserId) -> bool:
    """Whether what a player was not told at once is worth telling late, as the match is now."""
    if notice in _FINAL:
        return True
    if match.status is not MatchStatus.RUNNING:
        return False
    if notice in (NoticeKind.PAUSED, NoticeKind.RESUMED):
        return match.is_paused is (notice is NoticeKind.PAUSED)
    # Of a match that waits for their move they hear anyway.
    return notice is not NoticeKind.STARTED or not waits_for(match, user_id)


def leaves_something(claim: MatchClaim) -> bool:
    """Whether there may be a message of a delivery that goes or changes once it is overtaken.

    That is every post with buttons that stay live, or that goes with its turn. What asks for an
    answer stays as it is in any case.
    """
    kind, notice = claim.delivery.kind, claim.delivery.notice
    goes = kind in (DeliveryKind.OFFER, DeliveryKind.BOARD, DeliveryKind.REMINDER)
    return claim.may_exist and (goes or (notice is not None and notice.is_call))


def choose(pending: Sequence[MatchClaim]) -> tuple[tuple[MatchClaim, ...], tuple[int, ...]]:
    """Of everything pending for a match in order: what to make now, and the ids of what to drop.

    What is overtaken is dropped unless something may have come of it, which is to be looked for.
    A batch goes up to the thread in which the rest is posted, and has one board for each audience:
    of two that were posted unnoticed the first would take the second for its own.
    """
    chosen: list[MatchClaim] = []
    dropped: list[int] = []
    boards: set[int | None] = set()
    for number, claim in enumerate(pending):
        overtaken = is_overtaken(claim, pending[number + 1 :])
        if overtaken and not leaves_something(claim):
            dropped.append(claim.id)
            continue
        if claim.delivery.kind is DeliveryKind.BOARD:
            if claim.delivery.audience in boards:
                break
            boards.add(claim.delivery.audience)
        chosen.append(replace(claim, overtaken=overtaken))
        if claim.delivery.kind is DeliveryKind.THREAD:
            break
    return tuple(chosen), tuple(dropped)
