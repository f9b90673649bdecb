"""What a digest says: a direct message of a few lines about a person's matches."""

from __future__ import annotations

from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus
from bot.i18n import Language
from bot.posts.sending import AnyNotice, News, NoticeKind
from bot.ui.pages import match_list, match_text
from bot.ui.pages.notice_text import IN_A_DIGEST
from games.view import Text

_LONGEST = 1900
_NEWS_LONGEST = 900
"""As much is kept for news, however many matches wait."""
_ASKED_LONGEST = 400

_WAITING = Text.of("These matches are waiting for your move")
_ASKED = Text.of("These are waiting for your answer")
_NEWS = Text.of("What has happened")


def titles(language: Language) -> tuple[str, ...]:
    """How a digest may begin, so that it can be known again."""
    return tuple(f"### {language(title)}" for title in (_WAITING, _ASKED, _NEWS))


def digest_text(
    user_id: UserId,
    waiting: tuple[Match, ...],
    asked: tuple[Match, ...],
    news: tuple[News, ...],
    language: Language,
) -> str:
    """The whole message, without the parts for which there is nothing to say."""
    happened = _fitting([_line(each, user_id, language) for each in news], language)
    wanted = match_list.lines(asked, user_id, language, longest=_ASKED_LONGEST) if asked else []
    taken = sum(len(line) + 1 for line in (*happened, *wanted, *titles(language)))
    moves = (
        match_list.lines(waiting, user_id, language, longest=_LONGEST - taken) if waiting else []
    )
    parts = zip(titles(language), (moves, wanted, happened), strict=True)
    return "\n".join(line for title, lines in parts if lines for line in (title, *lines))


def _fitting(lines: list[str], language: Language) -> list[str]:
    """As many lines as there is room for, and how many are left out."""
    found: list[str] = []
    room = _NEWS_LONGEST
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        found.append(line)
    if len(found) < len(lines):
        found.append(language.say("And {count} more.", count=len(lines) - len(found)))
    return found


def _line(news: News, user_id: UserId, language: Language) -> str:
    match = news.match
    about = match_list.about(match, user_id, language)
    happened = _happened(match, news.notice, language)
    return f"{about} · {happened} · {match_list.place_words(match, language)}"


def _happened(match: Match, notice: AnyNotice, language: Language) -> str:
    if notice is NoticeKind.OVER and match.status is MatchStatus.RUNNING:
        return language.say("your time has run out, and the others play on")
    if notice is NoticeKind.DECLINED and match.status is MatchStatus.WITHDRAWN:
        return language.say("the offer was withdrawn")
    said = IN_A_DIGEST.get(notice)
    return match_text.turn(match, language) if said is None else language(said)
