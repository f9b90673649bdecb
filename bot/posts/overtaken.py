"""What a change of a match overtakes: posts that are not to stay, and what waits to be sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.domain.events import Change, EventKind
from bot.domain.game_state import waits_for
from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus, Venue
from bot.domain.requests import Request, RequestKind
from bot.posts.sending import DeliveryKind, MatchClaim, NoticeKind

_WITH_RESULT = (DeliveryKind.OFFER, DeliveryKind.THREAD)
_ABOUT_PAUSES = (NoticeKind.PAUSED, NoticeKind.RESUMED)


def is_past(notice: NoticeKind, version: int, match: Match) -> bool:
    """Whether what a notice has said that goes by itself is over, in a match as it is now.

    How a request has ended is worth reading late, and goes with the next turn that is over.
    """
    if notice is NoticeKind.CHALLENGED:
        return match.status is not MatchStatus.OFFERED
    is_over = match.status is not MatchStatus.RUNNING
    if notice is NoticeKind.STARTED:
        return bool(match.ply) or is_over
    if notice is NoticeKind.DEPARTED:
        return not match.departed or is_over
    if notice in _ABOUT_PAUSES:
        is_so = match.is_paused is (notice is NoticeKind.PAUSED)
        return not is_so or turn_is_over(version, match)
    if notice in (NoticeKind.UNTOLD, NoticeKind.NUDGED):
        return turn_is_over(version, match)
    return is_over


def turn_is_over(version: int, match: Match) -> bool:
    """Whether the turn at a version of a match is over."""
    return match.status is not MatchStatus.RUNNING or version < match.position_since


def is_overtaken(claim: MatchClaim, later: Sequence[MatchClaim]) -> bool:
    """Whether a delivery is no longer needed; ``later`` are those of its match after it.

    Only the newest board and the newest state of an offer are worth showing. A turn is over when a
    move has been played or taken back, a request when it has been answered.
    """
    delivery, match = claim.delivery, claim.match
    if delivery.kind is DeliveryKind.CLOSE:
        return False
    notice = delivery.notice
    if notice is not None and (notice.is_call or notice is NoticeKind.UNTOLD):
        return turn_is_over(delivery.version, match)
    if notice is NoticeKind.CHALLENGED and delivery.audience is not None:
        has_seat = match.players[delivery.audience] is not None
        return has_seat or is_past(notice, delivery.version, match)
    if notice in _ABOUT_PAUSES and not claim.may_exist:
        return is_past(notice, delivery.version, match)
    if notice is not None and notice.is_question:
        return all(each.version != delivery.version for each in match.requests)
    if delivery.kind is DeliveryKind.OFFER:
        return match.status is not MatchStatus.OFFERED
    if delivery.kind is DeliveryKind.CARD:
        return match.status is not MatchStatus.RUNNING
    if delivery.kind in (DeliveryKind.REMINDERS, DeliveryKind.REMINDER):
        return turn_is_over(delivery.version, match)
    if delivery.kind not in (DeliveryKind.BOARD, DeliveryKind.OFFER_UPDATE):
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


def is_news(match: Match, notice: NoticeKind, user_id: UserId) -> bool:
    """Whether what a player was not told at once is worth telling late, as the match is now."""
    if notice in _FINAL:
        return True
    if match.status is not MatchStatus.RUNNING:
        return False
    if notice in _ABOUT_PAUSES:
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


# ---- posts --------------------------------------------------------------------------------------


ENDED = "ended"
"""As what all requests are known that say by now how they ended, whatever was asked for."""
REMINDED = "reminded"
"""As what the line is known that calls a player, once it has reminded them of a deadline."""


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

    Requests say how they ended, unless the result says it; the word that a match has started goes
    with its first move. What has been told of pauses and answers goes with the turn, and so do the
    requests that were answered in it.
    """
    event, before, match = change.event, change.before, change.match
    if before is not None and before.status is MatchStatus.OFFERED:
        if match.status is not MatchStatus.OFFERED:
            yield Closing("word", DeliveryKind.ERASE)
        elif event.kind is EventKind.JOINED:
            yield Closing("word", DeliveryKind.ERASE, audience=event.player)
    if before is None or before.status is not MatchStatus.RUNNING:
        return
    if event.kind is EventKind.SUBSTITUTED:
        yield Closing("started", DeliveryKind.ERASE, audience=event.player)
    if before.ply == 0 and (match.ply or match.status is not MatchStatus.RUNNING):
        yield Closing("started", DeliveryKind.ERASE)
    is_over = turn_is_over(before.position_since, match)
    if is_over or match.is_paused is not before.is_paused:
        yield Closing("word", DeliveryKind.ERASE)
        yield Closing(ENDED, DeliveryKind.ERASE)
    if not is_over and before.deadline not in (None, match.deadline):
        # The board no longer shows the deadline that it names.
        yield Closing(REMINDED, DeliveryKind.ERASE)
    if match.venue is Venue.DIRECT and is_over:
        yield Closing("untold", DeliveryKind.ERASE)
    if before.departed and is_past(NoticeKind.DEPARTED, before.version, match):
        yield Closing("departed", DeliveryKind.ERASE)
    kept = {each.version: each for each in match.requests}
    for request in before.requests:
        post = request.wish.value
        if match.status is not MatchStatus.RUNNING:
            yield Closing(post, DeliveryKind.ERASE)
        elif request.version not in kept:
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
