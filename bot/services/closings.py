"""What becomes of posts that a change of a match overtakes: questions, calls, words of a start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.domain.change import Change
from bot.domain.events import EventKind
from bot.domain.match import MatchStatus, Venue
from bot.domain.requests import Request, RequestKind
from bot.services.pending import turn_is_over
from bot.services.sending import DeliveryKind, NoticeKind


@dataclass(frozen=True, slots=True)
class Closing:
    """A post that a change overtakes: as what it is remembered, and what becomes of it.

    Only those of one player where ``audience`` is set.
    """

    post: str
    kind: DeliveryKind
    notice: NoticeKind | None = None
    audience: int | None = None


def closings(change: Change) -> Iterator[Closing]:
    """The posts that are not to stay as they are after a change.

    Requests say how they ended; the word that a match has started goes with its first move.
    """
    event, before, match = change.event, change.before, change.match
    if before is None or before.status is not MatchStatus.RUNNING:
        return
    if event.kind is EventKind.SUBSTITUTED:
        yield Closing("started", DeliveryKind.ERASE, audience=event.player)
    if before.ply == 0 and (match.ply or match.status is not MatchStatus.RUNNING):
        yield Closing("started", DeliveryKind.ERASE)
    if match.venue is Venue.DIRECT and turn_is_over(before.position_since, match):
        yield Closing("untold", DeliveryKind.ERASE)
    kept = {each.version: each for each in match.requests}
    for request in before.requests:
        post = request.wish.value
        if request.version not in kept:
            yield Closing(post, DeliveryKind.CLOSE, how_ended(request, change))
        elif event.player in set(kept[request.version].agreed) - set(request.agreed):
            how = NoticeKind.CLOSED_ACCEPTED
            yield Closing(post, DeliveryKind.CLOSE, how, event.player)


def how_ended(request: Request, change: Change) -> NoticeKind:
    """How a request that is gone after a change has ended."""
    event = change.event
    if request.expires_at is not None and request.expires_at <= event.at:
        return NoticeKind.CLOSED_LAPSED
    if event.kind is EventKind.MOVED:
        return NoticeKind.CLOSED_BY_MOVE
    if event.kind is EventKind.SUBSTITUTED:
        return NoticeKind.CLOSED_WITHDRAWN
    how = {
        EventKind.AGREED: NoticeKind.CLOSED_ACCEPTED,
        EventKind.DRAW_ACCEPTED: NoticeKind.CLOSED_ACCEPTED,
        EventKind.REFUSED: NoticeKind.CLOSED_DECLINED,
        EventKind.DRAW_DECLINED: NoticeKind.CLOSED_DECLINED,
        EventKind.RETRACTED: NoticeKind.CLOSED_WITHDRAWN,
    }.get(event.kind)
    wish = RequestKind(event.payload.get("wish", RequestKind.DRAW.value))
    return NoticeKind.CLOSED_OVER if how is None or wish is not request.wish else how
