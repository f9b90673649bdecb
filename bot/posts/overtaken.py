"""What waits to be sent of a match and is overtaken by now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.game_state import waits_for
from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus
from bot.posts.fates import ABOUT_PAUSES, is_past, turn_is_over
from bot.posts.sending import AnyNotice, DeliveryKind, MatchClaim, NoticeKind

_WITH_RESULT = (DeliveryKind.OFFER, DeliveryKind.THREAD)


def is_overtaken(claim: MatchClaim, later: Sequence[MatchClaim]) -> bool:
    """Whether a delivery is no longer needed; ``later`` are those of its match after it.

    Only the newest board and the newest state of an offer are worth showing. A turn is over when a
    move has been played or taken back, a request when it has been answered.
    """
    delivery, match = claim.delivery, claim.match
    notice = delivery.notice
    goes = notice in (NoticeKind.CHALLENGED, NoticeKind.UNTOLD)
    goes = goes or (notice in ABOUT_PAUSES and not claim.may_exist)
    if notice is not None and (notice.is_call or goes):
        return is_past(notice, delivery.seen_by, delivery.version, match)
    if notice is not None and notice.is_question:
        return all(each.version != delivery.version for each in match.requests)
    if delivery.kind is DeliveryKind.OFFER:
        return match.status is not MatchStatus.OFFERED
    if delivery.kind is DeliveryKind.CARD:
        return match.status is not MatchStatus.RUNNING
    if delivery.kind in (DeliveryKind.REMINDERS, DeliveryKind.REMINDER):
        return turn_is_over(delivery.version, match)
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
    if notice in ABOUT_PAUSES:
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
    A batch goes up to and with the first delivery whose result later ones need, and has one board
    for each audience, because the next one replaces it, or is to edit it.
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
        if claim.delivery.kind is DeliveryKind.REDRAW and claim.delivery.audience in boards:
            break
        chosen.append(replace(claim, overtaken=overtaken))
        if claim.delivery.kind in _WITH_RESULT:
            break
    return tuple(chosen), tuple(dropped)
