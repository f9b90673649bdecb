"""The fate of each message of a match, sent or still to be sent, as the match is now."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from bot.domain.events import Change, EventKind
from bot.domain.game_state import waits_for
from bot.domain.ids import ChannelId, MessageId, UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.requests import Request, RequestKind
from bot.posts.sending import (
    AnyNotice,
    DeliveryKind,
    Ending,
    Fate,
    MatchClaim,
    NoticeKind,
    Posted,
    RequestNews,
    StandingPost,
)

_REQUESTS = frozenset(wish.value for wish in RequestKind)


def turn_is_over(version: int, match: Match) -> bool:
    """Whether the turn at a version of a match is over."""
    return match.status is not MatchStatus.RUNNING or version < match.position_since


def marked(post: StandingPost, change: Change) -> StandingPost:
    """A post after a change, which may have ended what it says; only the change tells how."""
    before, match = change.before, change.match
    if before is None or post.ended not in (None, "said"):
        return post
    ended: Ending | None = post.ended
    match post.kind:
        case "board":
            goes = "undone" in change.event.payload
        case "reminder":
            goes = before.deadline != match.deadline
        case "started":
            goes = before.players[post.audience] != match.players[post.audience]
        case _:
            goes = post.ended == "said" and before.is_paused is not match.is_paused
            request = _asked(post, before)
            if request is not None and _asked(post, match) is None:
                ended = how_ended(request, change)
    return replace(post, ended="goes" if goes else ended)


def fates(posts: Sequence[StandingPost], match: Match) -> dict[StandingPost, Fate]:
    """The fates of the posts that do not stay as they are."""
    newest = {each.place: each for each in sorted(posts, key=lambda each: each.posted.message_id)}
    found = {each: _fate(each, newest[each.place], match) for each in posts}
    return {post: end for post, end in found.items() if end is not None}


def _fate(post: StandingPost, newest: StandingPost, match: Match) -> Fate | None:
    """The fate of a post, whose place the ``newest`` has taken if it is another; None if it stays.

    An old board goes where the new one shows the same position, or its move was taken back, so that
    a channel has one board a move; else it loses its buttons.
    """
    ended, turned = post.ended == "goes", turn_is_over(post.version, match)
    is_over = match.status is not MatchStatus.RUNNING
    if post.kind == "board":
        if post is newest:
            return None
        is_here = post.posted.channel_id == newest.posted.channel_id
        return "goes" if is_here and (ended or not turned) else "retires"
    if ended or post is not newest:
        return "goes"
    match post.kind:
        case "offer":
            goes = False
        case "challenged":
            has_seat = match.players[post.audience] is not None
            goes = has_seat or match.status is not MatchStatus.OFFERED
        case "paused" | "resumed" | "nudged":
            goes = turned or match.is_paused is not (post.kind == "paused")
        case "started":
            goes = is_over or match.ply > 0
        case "departed":
            goes = is_over or not match.departed
        case kind if kind in _REQUESTS and not is_over and post.ended != "said":
            return _of_request(post, match)
        case _:
            goes = turned
    return "goes" if goes else None


def _of_request(post: StandingPost, match: Match) -> Fate | None:
    """The fate of a post that asks for something and does not say yet how that ended."""
    request = _asked(post, match)
    if request is not None:
        return RequestNews.ACCEPTED if post.audience in request.agreed else None
    if isinstance(post.ended, RequestNews):
        return post.ended
    return "goes" if turn_is_over(post.version, match) else RequestNews.OVER


def _asked(post: StandingPost, match: Match) -> Request | None:
    """The open request that a post asks about."""
    mine = (each for each in match.requests if each.version == post.version)
    return next(mine, None) if post.kind in _REQUESTS else None


def how_ended(request: Request, change: Change) -> RequestNews:
    """How a request that is gone after a change has ended."""
    event = change.event
    if request.expires_at is not None and request.expires_at <= event.at:
        return RequestNews.LAPSED
    if event.kind is EventKind.MOVED:
        return RequestNews.BY_MOVE
    if event.kind is EventKind.SUBSTITUTED:
        return RequestNews.WITHDRAWN
    how = {
        EventKind.AGREED: RequestNews.ACCEPTED,
        EventKind.DRAW_ACCEPTED: RequestNews.ACCEPTED,
        EventKind.REFUSED: RequestNews.DECLINED,
        EventKind.DRAW_DECLINED: RequestNews.DECLINED,
        EventKind.RETRACTED: RequestNews.WITHDRAWN,
    }.get(event.kind)
    wish = RequestKind(event.payload.get("wish", RequestKind.DRAW.value))
    return RequestNews.OVER if how is None or wish is not request.wish else how


# ---- messages still to be sent -----------------------------------------------------------------

_NOWHERE = Posted(ChannelId(0), MessageId(0))


Shown = tuple[DeliveryKind, int | None]
"""A kind of delivery and its audience."""


def shown_by(claim: MatchClaim) -> Shown:
    """Of deliveries with the same only the last matters, where they show a state."""
    return claim.delivery.kind, claim.delivery.audience


def is_overtaken(claim: MatchClaim, later: Set[Shown]) -> bool:
    """Whether a delivery is no longer needed; ``later`` is what those after it show.

    Only the newest board and the newest state of an offer are worth showing, and no message that
    would be past at once, but for news: that a match has started, or how a request has ended.
    """
    kind, match, notice = claim.delivery.kind, claim.match, claim.delivery.notice
    if kind in (DeliveryKind.NOTICE, DeliveryKind.REMINDER):
        post = claim.post(_NOWHERE)
        if post is None or post.kind in ("started", "word"):
            return False
        # To tell it once more finds it.
        is_found = claim.may_exist and notice is not None and not notice.is_call
        return post in fates([post], match) and not is_found
    return kind is not DeliveryKind.REDRAW and shown_by(claim) in later


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


def choose(
    pending: Sequence[MatchClaim], resting: Sequence[MatchClaim]
) -> tuple[tuple[MatchClaim, ...], tuple[int, ...]]:
    """Of everything of a match in order: what to make now, and the ids of what to drop.

    What rests waits for its hour. What is overtaken is dropped unless something may have come of
    it, which is to be looked for. A batch has one board for each audience: of two that were posted
    unnoticed the first would take the second for its own.
    """
    dropped: list[int] = []
    kept: list[MatchClaim] = []
    later: set[Shown] = set()
    asleep = {each.id for each in resting}
    for claim in sorted((*pending, *resting), key=lambda each: -each.id):
        overtaken = is_overtaken(claim, later)
        if overtaken and not leaves_something(claim):
            dropped.append(claim.id)
        elif claim.id not in asleep:
            kept.append(replace(claim, overtaken=overtaken))
        if claim.id not in asleep:
            later.add(shown_by(claim))
    chosen: list[MatchClaim] = []
    boards: set[Shown] = set()
    for claim in reversed(kept):
        if shown_by(claim) in boards:
            break
        if claim.delivery.kind is DeliveryKind.BOARD:
            boards.add(shown_by(claim))
        chosen.append(claim)
    return tuple(chosen), tuple(dropped)
