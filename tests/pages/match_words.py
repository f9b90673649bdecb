"""Texts about matches, their players and their clocks in one line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from bot.domain import play, stalled
from bot.domain.clock import TimeControl, pause
from bot.domain.clock_text import read_clock
from bot.domain.events import CommandContext
from bot.domain.game_state import board_view
from bot.domain.ids import TournamentId
from bot.domain.managed import decide
from bot.domain.match import Ending, Match, MatchStatus, Result, TournamentGame
from bot.domain.requests import Request, RequestKind
from bot.i18n import Languages
from bot.posts.notices import NoticeKind, RequestNews, RequestNotice
from bot.posts.sending import News
from bot.ui.pages import notice_text
from bot.ui.pages.clock_text import clock_line, clock_words, time_left
from bot.ui.pages.components import Page, text
from bot.ui.pages.match_list import lines, seen_line
from bot.ui.pages.match_text import last_moves, left, turn
from bot.ui.pages.notice_text import line
from tests.domain.people import played, set_up, started
from tests.support.kit import ANN, BOB, CYD, DAN, START
from tests.support.not_none import not_none

EN, DE = (Languages().known()[each] for each in ("en", "de"))
HOUR = TimeControl(timedelta(hours=1), per_move=True)
CLOCKS = (
    *("none", "1d", "1d12h", "10m+0", "30m+30s", "7d+1d", "7d+1d max 14d", "2d no weekends"),
    *("7d+1d max 14d, no vacations", "3d, automatic vacation"),
)


def _page(said: Iterable[str]) -> Page:
    return Page(text("\n".join(said)))


def _over(match: Match, *winners: int) -> Match:
    scores = tuple(float(number in winners) for number in range(len(match.players)))
    result = Result(Ending.RESIGNATION, "resignation", scores, winners)
    return replace(match, status=MatchStatus.FINISHED, result=result)


def _flagged(match: Match) -> Match:
    return not_none(play.flag(match, CommandContext(not_none(match.deadline)))).match


def _in_lists() -> Iterable[str]:
    two, four = started(game="quax"), started(BOB, CYD, DAN, game="pythagoras")
    for match in (two, four):
        aborted = replace(match, status=MatchStatus.ABORTED)
        for shown in (match, _over(match, 1), _over(match), aborted):
            yield seen_line(shown, EN)
        for reader in match.players[:2]:
            yield from lines((match,), not_none(reader), EN)
    yield seen_line(_over(four, 0, 2), EN)
    running = played(started(game="quax", clock=HOUR), "b2")
    stopped = replace(running, times=pause(HOUR, not_none(running.times), START))
    wished = (Request(RequestKind.PAUSE, (0,), 1, None, None),)
    yield from lines((stopped, replace(running, requests=wished)), BOB.user_id, EN)
    alone = _flagged(started(game="quax", clock=HOUR))
    never_begun = _flagged(set_up(game="quax", clock=HOUR).match)
    for match in (never_begun, alone):
        yield seen_line(match, EN)
        yield not_none(board_view(match).result).message
        for reader in match.players:
            yield from lines((match,), not_none(reader), EN)


def _of_turns() -> Iterable[str]:
    for recent, ply, game in (
        (("c3", "d4e5"), 12, "quax"),
        (("Lb1", "swap", "--"), 3, "quux"),
    ):
        match: Any = SimpleNamespace(recent=recent, ply=ply, game=game)
        # A line is not broken between a move and its number.
        yield from (last_moves(match, each).replace("\u00a0", "~") for each in (EN, DE))
    four = started(BOB, CYD, DAN, game="pythagoras")
    gone = replace(four, retired=(1,), moved_by=1, last_move="1a1", ply=2)
    yield line(gone, not_none(gone.players[2]), NoticeKind.TURN, EN)
    yield from (left(each, EN) or "(nobody left)" for each in (gone, four, _over(gone, 0)))


def _of_ends() -> Iterable[str]:
    two = played(started(game="quax", clock=HOUR), "b2")
    yield turn(_flagged(two), EN)
    yield turn(stalled.abort(two, CommandContext(two.updated_at), ANN).match, EN)
    yield turn(_flagged(set_up(game="quax", clock=HOUR).match), EN)
    four = started(BOB, CYD, DAN, game="pythagoras")
    for match, places in ((two, (2, 1)), (four, (4, 1, 2, 2))):
        for rated in (False, True):
            facts = CommandContext(match.updated_at)
            given = decide(replace(match, rated=rated), facts, places, "late", counts=False)
            yield turn(given.match, EN)


def _of_clocks() -> Iterable[str]:
    for clock in CLOCKS:
        yield f"{clock}: {clock_words(read_clock(clock), EN)} | {clock_line(read_clock(clock), EN)}"
    match = played(started(game="quax", clock=TimeControl(timedelta(hours=2))), "b2 a1")
    event = TournamentGame(
        TournamentId("abcdefghij"), "1.1", takebacks=False, no_show=timedelta(hours=1)
    )
    stopped = pause(not_none(match.clock), not_none(match.times), START + timedelta(minutes=30))
    for shown in (
        match,
        replace(match, ply=1, tournament=event),
        replace(match, tournament=event),
        replace(match, times=stopped),
        played(started(game="quax", clock=HOUR), "b2"),
        started(game="quax"),
    ):
        yield time_left(shown, EN) or "(no clock)"


def _of_notices() -> Iterable[str]:
    """The notices to a player of a match, in their words."""
    match = replace(played(started(game="quax", clock=HOUR), "b2"), verdict="late", departed=(0,))
    for kind in NoticeKind:
        if kind not in (NoticeKind.FOLLOWED, NoticeKind.TEST):
            reader = ANN if kind.value.startswith("declined") else BOB
            yield f"{kind.value}: {line(match, reader.user_id, kind, EN)}"
    yield line(match, BOB.user_id, NoticeKind.DECLINED, EN)
    for wish in RequestKind:
        asked = replace(match, requests=(Request(wish, (0,), 1, None, None),))
        yield line(asked, BOB.user_id, RequestNotice(wish, RequestNews.ASKED), EN)
        for news in (RequestNews.DECLINED, RequestNews.WITHDRAWN, RequestNews.LAPSED):
            yield line(match, BOB.user_id, RequestNotice(wish, news), EN)


def _of_digests() -> Iterable[str]:
    match = played(started(game="quax", clock=HOUR), "b2")
    asked = replace(match, requests=(Request(RequestKind.TAKEBACK, (0,), 1, None, None),))
    ends: dict[NoticeKind, Match] = {
        NoticeKind.STARTED: match,
        NoticeKind.DECLINED: replace(match, status=MatchStatus.DECLINED),
        NoticeKind.OVER: replace(_over(match, 0), retired=(1,)),
    }
    news = tuple(News(each, 1, kind) for kind, each in ends.items())
    news += (News(replace(match, status=MatchStatus.WITHDRAWN), 1, NoticeKind.DECLINED),)
    news += (News(match, 1, NoticeKind.OVER),)
    for waiting, wanted, told in (((match,), (), ()), ((asked,), (asked,), news), ((), (), news)):
        yield notice_text.digest(BOB.user_id, waiting, wanted, told, EN)


async def pages() -> dict[str, Page]:
    return {
        "in lists": _page(_in_lists()),
        "of turns": _page(_of_turns()),
        "of ends": _page(_of_ends()),
        "of clocks": _page(_of_clocks()),
        "of digests": _page(_of_digests()),
        "of notices": _page(_of_notices()),
    }
