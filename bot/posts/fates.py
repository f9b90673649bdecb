"""What becomes of the posts of a match, as a function of each and of the match as it is now."""

from __future__ import annotations

from typing import Literal

from bot.domain.events import Change, EventKind
from bot.domain.match import Match, MatchStatus
from bot.domain.requests import Request, RequestKind
from bot.posts.sending import AnyNotice, NoticeKind, RequestNews, StandingPost

Fate = RequestNews | Literal["goes"] | None
"""It goes, or says how its request ended, or stays as it is."""
ABOUT_PAUSES = (NoticeKind.PAUSED, NoticeKind.RESUMED)
_REQUESTS = frozenset(wish.value for wish in RequestKind)


def turn_is_over(version: int, match: Match) -> bool:
    """Whether the turn at a version of a match is over."""
    return match.status is not MatchStatus.RUNNING or version < match.position_since


def is_past(notice: AnyNotice, version: int, match: Match) -> bool:
    """Whether a word of what has happened is no longer so, in a match as it is now.

    How a request has ended is worth reading late, and goes with the next turn that is over.
    """
    if notice is NoticeKind.CHALLENGED:
        return match.status is not MatchStatus.OFFERED
    if notice in ABOUT_PAUSES:
        is_so = match.is_paused is (notice is NoticeKind.PAUSED)
        return not is_so or turn_is_over(version, match)
    if notice is NoticeKind.NUDGED:
        return turn_is_over(version, match)
    return match.status is not MatchStatus.RUNNING


def fate(post: StandingPost, match: Match, by: Change | None = None) -> Fate:
    """What becomes of a post in a match as it is now, ``by`` the change that has just come, if any.

    A word goes with its turn, or when the clock is stopped or runs again; a line that names a
    deadline goes with that deadline.
    """
    before = match if by is None or by.before is None else by.before
    is_over = match.status is not MatchStatus.RUNNING
    turned = turn_is_over(before.position_since, match)
    if post.kind in _REQUESTS and post.version and not is_over:
        request, gone = (_of_version(each, post.version) for each in (match, before))
        if request is not None:
            return RequestNews.ACCEPTED if post.audience in request.agreed else None
        if gone is not None and by is not None:
            return how_ended(gone, by)
        return "goes" if turn_is_over(post.version, match) else RequestNews.OVER
    match post.kind:
        case "offer" | "board":
            goes = False
        case "line":
            goes = not turned and before.deadline not in (None, match.deadline)
        case "word" if match.status is MatchStatus.OFFERED:
            goes = match.players[post.audience] is not None
        case "started":
            has_left = before.players[post.audience] != match.players[post.audience]
            goes = is_over or match.ply > 0 or has_left
        case "departed":
            goes = is_over or not match.departed
        case "untold":
            goes = turn_is_over(post.version, match)
        case _:
            goes = turned or before.is_paused is not match.is_paused
    return "goes" if goes else None


def _of_version(match: Match, version: int) -> Request | None:
    return next((each for each in match.requests if each.version == version), None)


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
