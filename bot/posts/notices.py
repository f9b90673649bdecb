"""The kinds of notices to a player about a match, each with its words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from bot.domain.keyed import Keyed
from bot.domain.requests import RequestKind
from bot.domain.wishes import WISHES
from games.view import Text

_LINE = "line"


@dataclass(frozen=True, slots=True)
class Told:
    """A kind of notice, by its stored ``key``."""

    key: str
    said: Text | None = None
    """Its line; None where that depends on the match."""
    brief: Text | None = None
    """Its words in a digest, where those are always the same."""
    post: str | None = None
    """As what its message is remembered until it is past; None where it just stays."""
    is_word: bool = False
    """Whether its message takes the place of the last such word to the same player."""
    is_final: bool = False
    """Whether it stays worth telling, whatever becomes of the match."""


def _word(key: str, said: Text, brief: Text | None = None) -> Told:
    """A word of what has just happened, of which a player has one at a time."""
    return Told(key, said, brief, post=key, is_word=True)


class NoticeKind(Keyed):
    """The kinds of news for a player. Words that vary are in ``ui/pages/notice_text.py``."""

    about: Told
    TURN = Told("turn", post=_LINE)
    """It is your turn."""
    STARTED = Told(
        "started",
        Text.of("{player}, your {game} match has started."),
        Text.of("the match has started"),
        post="started",
    )
    """Another player took the last seat, and another one begins."""
    CHALLENGED = _word(
        "challenged", Text.of("{player}, {host} would like to play {game} with you.")
    )
    """Another player offers you a match; for those that the offer itself does not mention."""
    DECLINED = Told("declined", brief=Text.of("the offer was declined"), is_final=True)
    """The offer in which you have a seat was declined, or another player withdrew it."""
    DECLINED_NOT_NOW = Told(
        "declined_not_now",
        Text.of("{player}, your {game} offer was declined: not now."),
        Text.of("the offer was declined: not now"),
        is_final=True,
    )
    """Your offer was declined for now; so for all that begin like this, to its maker alone."""
    DECLINED_SOMETHING_ELSE = Told(
        "declined_something_else",
        Text.of(
            "{player}, your {game} offer was declined: your opponent would rather play something"
            " else, or under other terms."
        ),
        Text.of("the offer was declined: rather something else"),
        is_final=True,
    )
    TAKEBACK_AGREED = Told(
        "takeback_agreed",
        Text.of("{player}, your move in {game} was taken back. It's your turn again."),
        post=_LINE,
    )
    """Your moves are taken back, and it is your turn; told to the player who had asked."""
    PAUSED = _word(
        "paused", Text.of("{player}, the clock in {game} is stopped."), Text.of("paused")
    )
    """All have agreed, and the clock is stopped; told to all but the player who agreed last."""
    RESUMED = _word(
        "resumed",
        Text.of("{player}, the pause in {game} is over. The clock is running."),
        Text.of("the pause is over"),
    )
    """Another player ended the pause."""
    OVER = Told("over", is_final=True)
    """The match has ended, by another player's act or by the clock; or, while others play on, for
    this player alone."""
    DEPARTED = Told(
        "departed",
        Text.of(
            "{player}, {others} left the server where you play {game}. Claim the match, abort it,"
            " or wait."
        ),
        Text.of("another player has left the server"),
        post="departed",
    )
    """Another player has left the server; told to all others."""
    FOLLOWED = Told("followed", is_final=True)
    """A match that its reader follows has gone on or is over; told in digests alone."""
    NUDGED = _word(
        "nudged",
        Text.of(
            "{player}, your opponent in {game} is waiting for your move. If nothing happens within"
            " {days} days, they can claim the match."
        ),
        Text.of("your opponent is waiting for your move"),
    )
    """Another player waits for your move, and may claim the match if you stay silent."""
    UNTOLD = Told(
        "untold",
        brief=Text.of("the player to move doesn't receive Parlour's messages"),
        post="untold",
    )
    """The player on turn takes no direct messages, where the match is played; told to all others.
    It holds until the turn is over."""
    TEST = Told("test")
    """This is how you are told; of no match."""

    @property
    def is_call(self) -> bool:
        """Whether it calls for a move; what it says is over with the turn."""
        return self.post == _LINE

    @property
    def post(self) -> str | None:
        """As what its message is remembered until it is past; None where it just stays."""
        return self.about.post

    @property
    def said(self) -> Text | None:
        """Its line; None where that depends on the match."""
        return self.about.said

    @property
    def brief(self) -> Text | None:
        """Its words in a digest, where those are always the same."""
        return self.about.brief


PLACES = {"reminder": _LINE, **{each.value: "word" for each in NoticeKind if each.about.is_word}}
"""Posts that take the place of others: a player has one word of what has just happened at a time,
and a reminder comes in the place of the call."""


class RequestNews(Enum):
    """News of a request: it was made, or has ended in some way."""

    ASKED = "asked"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    """Another player declined; told to those who had asked for it or agreed."""
    WITHDRAWN = "withdrawn"
    """The player who asked has withdrawn it; told to all others."""
    LAPSED = "lapsed"
    """The time for an answer is over; told to everybody."""
    BY_MOVE = "by_move"
    """The next move declined it."""
    OVER = "over"
    """The match is over, or its asker has left."""


@dataclass(frozen=True, slots=True)
class RequestNotice:
    """News of a request for a player."""

    wish: RequestKind
    news: RequestNews

    is_call: ClassVar = False

    @property
    def value(self) -> str:
        """Its name in the store."""
        return f"{self.wish.value}_{self.news.value}"

    @property
    def post(self) -> str:
        """As what its message is remembered until it is overtaken."""
        return self.wish.value if asks(self) else "word"

    @property
    def said(self) -> Text | None:
        """The end of the request in a line, where others are told of it."""
        return self._words[0]

    @property
    def brief(self) -> Text | None:
        """The same in a digest."""
        return self._words[1]

    @property
    def _words(self) -> tuple[Text | None, Text | None]:
        wish = WISHES[self.wish]
        match self.news:
            case RequestNews.DECLINED:
                return wish.declined
            case RequestNews.WITHDRAWN:
                return wish.withdrawn
            case RequestNews.LAPSED:
                return wish.lapsed
        return None, None


def asks(notice: object) -> bool:
    """Whether a notice wants an answer to what a player asks for."""
    return isinstance(notice, RequestNotice) and notice.news is RequestNews.ASKED


AnyNotice = NoticeKind | RequestNotice
"""News for a player, of any kind."""
_TOLD = (
    *NoticeKind,
    *(RequestNotice(wish, news) for wish in RequestKind for news in RequestNews),
)
NOTICES: dict[str, AnyNotice] = {
    **{f"closed_{each.value}": RequestNotice(RequestKind.DRAW, each) for each in RequestNews},
    **{each.value: each for each in _TOLD},
}
"""Notices by their names in the store. Older rows don't say which request it is that has closed."""
