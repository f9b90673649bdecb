"""The lines of notices: turns, requests, and what came of them."""

from __future__ import annotations

import re

from bot.domain.game_state import player_on_turn
from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.requests import Request, find
from bot.domain.stalled import ANSWER
from bot.domain.untold_turns import AT_MOST
from bot.domain.wishes import WISHES
from bot.i18n import Language
from bot.posts.notices import AnyNotice, NoticeKind, RequestNews, RequestNotice, asks
from bot.posts.sending import News, Notice, Reminder, VacationNews
from bot.ui.pages import match_list, match_text
from bot.ui.pages.clock_text import timestamp
from bot.ui.rest import END_OF_WORDS, printed
from games.view import Text

_ENDED: dict[RequestNews, Text] = {
    RequestNews.ACCEPTED: Text.of("Accepted."),
    RequestNews.DECLINED: Text.of("Declined."),
    RequestNews.WITHDRAWN: Text.of("Withdrawn."),
    RequestNews.LAPSED: Text.of("Expired."),
    RequestNews.BY_MOVE: Text.of("Declined by the next move."),
    RequestNews.OVER: Text.of("No longer open."),
}

_UNTIL = "\n-# "
"""Before the line that says until when a request is open."""


def asked(content: str) -> str:
    """A request without the line that says until when it is open."""
    return content.partition(_UNTIL)[0]


def ended(how: RequestNews, language: Language) -> str:
    """The end of a request, in the place of its buttons."""
    return f"**{language(_ENDED[how])}**"


def request_of(match: Match | None, notice: AnyNotice | Reminder | VacationNews) -> Request | None:
    """The open request that a notice asks about, if any."""
    if match is not None and isinstance(notice, RequestNotice) and asks(notice):
        return find(match.requests, notice.wish)
    return None


def _question(match: Match, user: UserId, request: Request, language: Language) -> str:
    """The request of another player, and until when it can be answered."""
    asked = WISHES[request.wish].question or _takeback(match, request, language)
    asker = match_text.mention(match.players[request.asker], language)
    said = _filled(asked, match, user, language, other=asker)
    if request.expires_at is None:
        return said
    until = language.say(
        "Open until the next move, or until {time}.", time=timestamp(request.expires_at, "f")
    )
    return f"{said}{_UNTIL}{until}"


def _takeback(match: Match, request: Request, language: Language) -> Text:
    undone = match.ply - (request.ply or 0)
    move = match.recent[-undone] if undone <= len(match.recent) else f"#{(request.ply or 0) + 1}"
    move = match_text.move_words(match.game, move, language)
    if undone == 1:
        return Text.of("{player}, {other} asks to take back {move} in {game}.", move=move)
    return Text.plural(
        "{player}, {other} asks to take back {move} in {game} and everything after it ({count}"
        " move).",
        "{player}, {other} asks to take back {move} in {game} and everything after it ({count}"
        " moves).",
        by="count",
        move=move,
        count=undone,
    )


def _filled(
    text: Text, match: Match, user: UserId, language: Language, **more: str | int | tuple[str, ...]
) -> str:
    """A sentence to a player about a match, with its other places filled with ``more``."""
    player, game = match_text.mention(user, language), match_text.game_name(match)
    return language(text.filled({**dict(text.params), "player": player, "game": game, **more}))


_YOUR_MOVE = Text.of("{player}, your move in {game}.")
_ANSWER_TO = Text.of("{player}, your move in {game}: {other} played {move}.")
_AFTER_LEAVING = Text.of("{player}, your move in {game}: {other} has left the match.")
_AGAIN = Text.of("{player}, your move in {game}: you played {move}, and it's your turn again.")
_ALWAYS = tuple(each.said for each in NoticeKind if each.is_call and each.said is not None)
_CALLS = (_YOUR_MOVE, _ANSWER_TO, _AFTER_LEAVING, _AGAIN, *_ALWAYS)
_ANYTHING = "\0"
"""Stands for a part of a line that is not known; in none that people read."""


def any_call(match: Match, user: UserId, language: Language) -> re.Pattern[str]:
    """Matches any line that calls a player for a move, whatever the time."""
    said = (
        _filled(each, match, user, language, other=_ANYTHING, move=_ANYTHING) for each in _CALLS
    )
    ways = "|".join(re.escape(printed(each)).replace(_ANYTHING, ".+?") for each in said)
    return re.compile(f"(?:{ways}){END_OF_WORDS}")


_REMINDER = Text.of("{player}, your move in {game} is due {time}.")


def words(notice: Notice, language: Language) -> str:
    """The line of a notice, also of one that is not about a match."""
    match, player = notice.match, match_text.mention(notice.person, language)
    match notice.kind:
        case VacationNews(until=until):
            if until is None:
                return language.say(
                    "{player}, your vacation is over, and your clocks are running again.",
                    player=player,
                )
            return language.say(
                "{player}, your time ran out, so your vacation has started by itself. It lasts"
                " until {time}, or until a day after your next move. See /vacation.",
                player=player,
                time=timestamp(until, "f"),
            )
        case kind if match is None:
            return language.say(
                "{player}, this is a test. This is how Parlour tells you when it's your turn.",
                player=player,
            )
        case Reminder(deadline=deadline):
            return _filled(_REMINDER, match, notice.person, language, time=timestamp(deadline))
        case kind:
            return line(match, notice.person, kind, language)


def line(match: Match, user: UserId, notice: AnyNotice, language: Language) -> str:
    """The line of a notice."""
    request = request_of(match, notice)
    if request is not None:
        return _question(match, user, request, language)
    if notice is NoticeKind.TURN:
        return _turn(match, user, language)
    if notice is NoticeKind.UNTOLD:
        return _untold(match, user, language)
    return _filled(
        notice.said or _sentence(match, user, notice),
        match,
        user,
        language,
        host=match_text.mention(match.players[match.offered_by], language),
        others=tuple(match_text.mention(match.players[each], language) for each in match.departed),
        days=ANSWER.days,
        outcome=match_text.turn(match, language) if match.status.is_final else "",
    )


def _turn(match: Match, user: UserId, language: Language) -> str:
    mover = match.players[match.moved_by] if match.moved_by is not None else None
    other, move = match_text.mention(mover, language), match.last_move
    spoken = match_text.spoken(match.game, move)
    call, more = _YOUR_MOVE, ""
    if move and match.moved_by in match.retired:
        # A move played for a player who has left is not their own.
        call = _AFTER_LEAVING
    elif move and mover == user:
        call = _AGAIN
    elif move and mover is not None and spoken is not None:
        more = " " + language(spoken.told.filled({"player": other}))
    elif move and mover is not None:
        call = _ANSWER_TO
    return _filled(call, match, user, language, other=other, move=move) + more


def _untold(match: Match, user: UserId, language: Language) -> str:
    """Says that the player on turn doesn't know it, and the consequences."""
    on_turn = player_on_turn(match)
    other = match_text.mention(None if on_turn is None else match.players[on_turn], language)
    text = Text.of(
        "{player}, Parlour can't send {other} direct messages, so {other} doesn't know that it's"
        " their move in {game}."
    )
    said = _filled(text, match, user, language, other=other)
    if match.deadline is None:
        return said
    then = language.say(
        "The clock is stopped until they do. After {days} days the match is aborted, and nobody"
        " loses.",
        days=AT_MOST.days,
    )
    return f"{said} {then}"


_OFFER_GONE: dict[MatchStatus, tuple[Text, Text]] = {
    MatchStatus.EXPIRED: (
        Text.of("{player}, your {game} offer has expired. Make a new one with /play."),
        Text.of("{player}, the {game} offer where you had a seat has expired."),
    ),
    MatchStatus.WITHDRAWN: (
        Text.of("{player}, a manager of the server withdrew your {game} offer."),
        Text.of("{player}, the {game} offer where you had a seat was withdrawn."),
    ),
}
_OFFER_DECLINED = (
    Text.of("{player}, your {game} offer was declined."),
    Text.of("{player}, the {game} offer where you had a seat was declined."),
)
"""The end of an offer: for its maker, and for a player who had a seat."""


def _sentence(match: Match, user: UserId, notice: AnyNotice) -> Text:
    """The sentence for a notice that depends on the match: an offer is gone, the match is over."""
    if notice is NoticeKind.DECLINED:
        mine, others = _OFFER_GONE.get(match.status, _OFFER_DECLINED)
        return mine if user == match.players[match.offered_by] else others
    if notice is NoticeKind.OVER and match.status is MatchStatus.RUNNING:
        return Text.of("{player}, your time in {game} has run out. The others play on.")
    return Text.of("{player}, your {game} match is over. {outcome}")


# ---- digests -------------------------------------------------------------------------------------

_DIGEST_LONGEST = 1900
_NEWS_LONGEST = 900
"""As much is kept for news, however many matches wait."""
_ASKED_LONGEST = 400

_WAITING = Text.of("These matches are waiting for your move")
_ANSWERS = Text.of("These are waiting for your answer")
_NEWS = Text.of("What has happened")


def digest_titles(language: Language) -> tuple[str, ...]:
    """The possible beginnings of a digest, by which it is known again."""
    return tuple(f"### {language(title)}" for title in (_WAITING, _ANSWERS, _NEWS))


def digest(
    user_id: UserId,
    waiting: tuple[Match, ...],
    asked: tuple[Match, ...],
    news: tuple[News, ...],
    language: Language,
) -> str:
    """The whole message, without the parts for which there is nothing to say."""
    happened = match_list.fitting(
        [_news_line(each, user_id, language) for each in news], _NEWS_LONGEST, language
    )
    wanted = match_list.lines(asked, user_id, language, longest=_ASKED_LONGEST) if asked else []
    taken = sum(len(line) + 1 for line in (*happened, *wanted, *digest_titles(language)))
    moves = (
        match_list.lines(waiting, user_id, language, longest=_DIGEST_LONGEST - taken)
        if waiting
        else []
    )
    parts = zip(digest_titles(language), (moves, wanted, happened), strict=True)
    return "\n".join(line for title, lines in parts if lines for line in (title, *lines))


def _news_line(news: News, user_id: UserId, language: Language) -> str:
    match, notice = news.match, news.notice
    if notice is NoticeKind.OVER and match.status is MatchStatus.RUNNING:
        happened = language.say("your time has run out, and the others play on")
    elif notice is NoticeKind.DECLINED and match.status is MatchStatus.WITHDRAWN:
        happened = language.say("the offer was withdrawn")
    else:
        brief = notice.brief
        happened = match_text.turn(match, language) if brief is None else language(brief)
    about = match_list.about(match, user_id, language)
    return f"{about} · {happened} · {match_list.place_words(match, language)}"
