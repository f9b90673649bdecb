"""The lines that tell players something: whose turn it is, what others ask for, what came of it."""

from __future__ import annotations

import re

from bot.domain.game_state import player_on_turn
from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.requests import Request, RequestKind, find
from bot.domain.stalled import ANSWER
from bot.domain.untold_turns import AT_MOST
from bot.i18n import Language
from bot.posts.sending import (
    AnyNotice,
    Notice,
    NoticeKind,
    Reminder,
    RequestNews,
    RequestNotice,
    VacationNews,
    asks,
)
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import timestamp
from games.view import Text

_BECOME_OF: dict[RequestKind, dict[RequestNews, tuple[Text, Text]]] = {
    RequestKind.DRAW: {
        RequestNews.DECLINED: (
            Text.of("{player}, the draw offer in {game} was declined."),
            Text.of("the draw offer was declined"),
        ),
        RequestNews.WITHDRAWN: (
            Text.of("{player}, the draw offer in {game} was withdrawn."),
            Text.of("the draw offer was withdrawn"),
        ),
        RequestNews.LAPSED: (
            Text.of("{player}, the draw offer in {game} has expired."),
            Text.of("the draw offer has expired"),
        ),
    },
    RequestKind.TAKEBACK: {
        RequestNews.DECLINED: (
            Text.of("{player}, the takeback request in {game} was declined."),
            Text.of("the takeback was declined"),
        ),
        RequestNews.WITHDRAWN: (
            Text.of("{player}, the takeback request in {game} was withdrawn."),
            Text.of("the takeback request was withdrawn"),
        ),
        RequestNews.LAPSED: (
            Text.of("{player}, the takeback request in {game} has expired."),
            Text.of("the takeback request has expired"),
        ),
    },
    RequestKind.PAUSE: {
        RequestNews.DECLINED: (
            Text.of("{player}, the pause request in {game} was declined."),
            Text.of("the pause was declined"),
        ),
        RequestNews.WITHDRAWN: (
            Text.of("{player}, the pause request in {game} was withdrawn."),
            Text.of("the pause request was withdrawn"),
        ),
        RequestNews.LAPSED: (
            Text.of("{player}, the pause request in {game} has expired."),
            Text.of("the pause request has expired"),
        ),
    },
    RequestKind.ABORT: {
        RequestNews.DECLINED: (
            Text.of("{player}, the request to abort your {game} match was declined."),
            Text.of("the request to abort was declined"),
        ),
        RequestNews.WITHDRAWN: (
            Text.of("{player}, the request to abort your {game} match was withdrawn."),
            Text.of("the request to abort was withdrawn"),
        ),
        RequestNews.LAPSED: (
            Text.of("{player}, the request to abort your {game} match has expired."),
            Text.of("the request to abort has expired"),
        ),
    },
}
_BECOME: dict[AnyNotice, tuple[Text, Text]] = {
    RequestNotice(wish, news): said
    for wish, become in _BECOME_OF.items()
    for news, said in become.items()
}
"""What has become of something that was asked for: in a line, and in the line of a digest."""


_ENDED: dict[RequestNews, Text] = {
    RequestNews.ACCEPTED: Text.of("Accepted."),
    RequestNews.DECLINED: Text.of("Declined."),
    RequestNews.WITHDRAWN: Text.of("Withdrawn."),
    RequestNews.LAPSED: Text.of("Expired."),
    RequestNews.BY_MOVE: Text.of("Declined by the next move."),
    RequestNews.OVER: Text.of("No longer open."),
}
IN_A_DIGEST: dict[AnyNotice, Text] = {
    **{notice: said for notice, (_, said) in _BECOME.items()},
    NoticeKind.STARTED: Text.of("the match has started"),
    NoticeKind.DECLINED: Text.of("the offer was declined"),
    NoticeKind.DECLINED_NOT_NOW: Text.of("the offer was declined: not now"),
    NoticeKind.DECLINED_SOMETHING_ELSE: Text.of("the offer was declined: rather something else"),
    NoticeKind.DEPARTED: Text.of("another player has left the server"),
    NoticeKind.NUDGED: Text.of("your opponent is waiting for your move"),
    NoticeKind.UNTOLD: Text.of("the player to move doesn't receive Parlour's messages"),
    NoticeKind.PAUSED: Text.of("paused"),
    NoticeKind.RESUMED: Text.of("the pause is over"),
}
"""What has happened, in the line of a digest; calls and questions have lists of their own there."""


_UNTIL = "\n-# "
"""Before the line that says until when a request can be answered."""


def asked(content: str) -> str:
    """What a request asked, without until when: that is past once it has ended."""
    return content.partition(_UNTIL)[0]


def ended(how: RequestNews, language: Language) -> str:
    """How a request ended, in the place of its buttons."""
    return f"**{language(_ENDED[how])}**"


def request_of(match: Match | None, notice: AnyNotice | Reminder | VacationNews) -> Request | None:
    """The request that a notice asks about, None if it asks nothing or that is over."""
    if match is not None and isinstance(notice, RequestNotice) and asks(notice):
        return find(match.requests, notice.wish)
    return None


def _question(match: Match, user: UserId, request: Request, language: Language) -> str:
    """What a player asks for, and until when it can be answered."""
    player, game = match_text.mention(user, language), match_text.game_name(match)
    other = match_text.mention(match.players[request.asker], language)
    if request.wish is RequestKind.DRAW:
        said = language.say(
            "{player}, {other} offers a draw in {game}.", player=player, other=other, game=game
        )
    elif request.wish is RequestKind.ABORT:
        said = language.say(
            "{player}, {other} asks to abort your {game} match. It would have no result.",
            player=player,
            other=other,
            game=game,
        )
    elif request.wish is RequestKind.PAUSE:
        said = language.say(
            "{player}, {other} asks for a pause in {game}. The clock would stop until a player"
            " resumes the match or makes the next move.",
            player=player,
            other=other,
            game=game,
        )
    else:
        said = _takeback(match, player, other, request, language)
    if request.expires_at is None:
        return said
    until = language.say(
        "Open until the next move, or until {time}.", time=timestamp(request.expires_at, "f")
    )
    return f"{said}{_UNTIL}{until}"


def _takeback(match: Match, player: str, other: str, request: Request, language: Language) -> str:
    undone = match.ply - (request.ply or 0)
    move = match.recent[-undone] if undone <= len(match.recent) else f"#{(request.ply or 0) + 1}"
    move = match_text.move_words(match.game, move, language)
    if undone == 1:
        return language.say(
            "{player}, {other} asks to take back {move} in {game}.",
            player=player,
            other=other,
            move=move,
            game=match_text.game_name(match),
        )
    return language.plural(
        "{player}, {other} asks to take back {move} in {game} and everything after it ({count}"
        " move).",
        "{player}, {other} asks to take back {move} in {game} and everything after it ({count}"
        " moves).",
        by="count",
        player=player,
        other=other,
        move=move,
        game=match_text.game_name(match),
        count=undone,
    )


def _your_move(player: str, game: str, language: Language) -> str:
    return language.say("{player}, your move in {game}.", player=player, game=game)


def _answer_to(player: str, game: str, other: str, move: str, language: Language) -> str:
    return language.say(
        "{player}, your move in {game}: {other} played {move}.",
        player=player,
        game=game,
        other=other,
        move=move,
    )


def _after_leaving(player: str, game: str, other: str, language: Language) -> str:
    return language.say(
        "{player}, your move in {game}: {other} has left the match.",
        player=player,
        game=game,
        other=other,
    )


def _again(player: str, game: str, move: str, language: Language) -> str:
    return language.say(
        "{player}, your move in {game}: you played {move}, and it's your turn again.",
        player=player,
        game=game,
        move=move,
    )


def _taken_back(player: str, game: str, language: Language) -> str:
    return language.say(
        "{player}, your move in {game} was taken back. It's your turn again.",
        player=player,
        game=game,
    )


_ANYTHING = "\0"
"""Stands for a part of a line that is not known; in none that people read."""


def any_call(match: Match, user: UserId, language: Language) -> re.Pattern[str]:
    """What a line says that calls a player for a move, whichever, without moments of time."""
    player, game = match_text.mention(user, language), match_text.game_name(match)
    said = (
        _your_move(player, game, language),
        _answer_to(player, game, _ANYTHING, _ANYTHING, language),
        _again(player, game, _ANYTHING, language),
        _after_leaving(player, game, _ANYTHING, language),
        _taken_back(player, game, language),
    )
    ways = "|".join(re.escape(each).replace(_ANYTHING, ".+?") for each in said)
    return re.compile(rf"(?:{ways})(?!\S)")


def words(notice: Notice, language: Language) -> str:
    """The line that tells a person something."""
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
            return language.say(
                "{player}, your move in {game} is due {time}.",
                player=player,
                game=match_text.game_name(match),
                time=timestamp(deadline),
            )
        case kind:
            return line(match, notice.person, kind, language)


def line(match: Match, user: UserId, notice: AnyNotice, language: Language) -> str:
    """The line that tells a player something."""
    request = request_of(match, notice)
    if request is not None:
        return _question(match, user, request, language)
    become = _BECOME.get(notice)
    player = match_text.mention(user, language)
    if become is not None:
        return language(become[0].filled({"game": match_text.game_name(match), "player": player}))
    game = match_text.game_name(match)
    mover = match.players[match.moved_by] if match.moved_by is not None else None
    match notice:
        case NoticeKind.TURN if match.last_move and match.moved_by in match.retired:
            # What was played for a player who has left is not their move.
            return _after_leaving(player, game, match_text.mention(mover, language), language)
        case NoticeKind.CHALLENGED:
            host = match_text.mention(match.players[match.offered_by], language)
            return language.say(
                "{player}, {host} would like to play {game} with you.",
                player=player,
                host=host,
                game=game,
            )
        case NoticeKind.TURN if match.last_move and mover not in (None, user):
            other = match_text.mention(mover, language)
            spoken = match_text.spoken(match.game, match.last_move)
            if spoken is not None:
                told = language(spoken.told.filled({"player": other}))
                return f"{_your_move(player, game, language)} {told}"
            return _answer_to(player, game, other, match.last_move, language)
        case NoticeKind.TURN if match.last_move and mover == user:
            return _again(player, game, match.last_move, language)
        case NoticeKind.TURN:
            return _your_move(player, game, language)
        case NoticeKind.DEPARTED:
            return language.say(
                "{player}, {others} left the server where you play {game}. Claim the match, abort"
                " it, or wait.",
                player=player,
                others=match_text.mentions(
                    tuple(match.players[each] for each in match.departed), language
                ),
                game=game,
            )
        case NoticeKind.NUDGED:
            return language.say(
                "{player}, your opponent in {game} is waiting for your move. If nothing happens"
                " within {days} days, they can claim the match.",
                player=player,
                game=game,
                days=ANSWER.days,
            )
        case NoticeKind.UNTOLD:
            return _untold(match, player, language)
        case NoticeKind.STARTED:
            return language.say(
                "{player}, your {game} match has started.", player=player, game=game
            )
        case NoticeKind.DECLINED if match.status is MatchStatus.EXPIRED:
            return _expired(match, user, language)
        case NoticeKind.DECLINED if match.status is MatchStatus.WITHDRAWN:
            if user == match.players[match.offered_by]:
                return language.say(
                    "{player}, a manager of the server withdrew your {game} offer.",
                    player=player,
                    game=game,
                )
            return language.say(
                "{player}, the {game} offer where you had a seat was withdrawn.",
                player=player,
                game=game,
            )
        case NoticeKind.DECLINED_NOT_NOW:
            return language.say(
                "{player}, your {game} offer was declined: not now.", player=player, game=game
            )
        case NoticeKind.DECLINED_SOMETHING_ELSE:
            return language.say(
                "{player}, your {game} offer was declined: your opponent would rather play"
                " something else, or under other terms.",
                player=player,
                game=game,
            )
        case NoticeKind.DECLINED if user != match.players[match.offered_by]:
            return language.say(
                "{player}, the {game} offer where you had a seat was declined.",
                player=player,
                game=game,
            )
        case NoticeKind.DECLINED:
            return language.say(
                "{player}, your {game} offer was declined.", player=player, game=game
            )
        case NoticeKind.TAKEBACK_AGREED:
            return _taken_back(player, game, language)
        case NoticeKind.PAUSED:
            return language.say(
                "{player}, the clock in {game} is stopped.", player=player, game=game
            )
        case NoticeKind.RESUMED:
            return language.say(
                "{player}, the pause in {game} is over. The clock is running.",
                player=player,
                game=game,
            )
        case NoticeKind.OVER if match.status is MatchStatus.RUNNING:
            return language.say(
                "{player}, your time in {game} has run out. The others play on.",
                player=player,
                game=game,
            )
        case _:
            return language.say(
                "{player}, your {game} match is over. {outcome}",
                player=player,
                game=game,
                outcome=match_text.turn(match, language),
            )


def _untold(match: Match, player: str, language: Language) -> str:
    """That the player on turn knows nothing of it, and what follows."""
    turn = player_on_turn(match)
    other = match_text.mention(None if turn is None else match.players[turn], language)
    said = language.say(
        "{player}, Parlour can't send {other} direct messages, so {other} doesn't know that it's"
        " their move in {game}.",
        player=player,
        other=other,
        game=match_text.game_name(match),
    )
    if match.deadline is None:
        return said
    then = language.say(
        "The clock is stopped until they do. After {days} days the match is aborted, and nobody"
        " loses.",
        days=AT_MOST.days,
    )
    return f"{said} {then}"


def _expired(match: Match, user: UserId, language: Language) -> str:
    player, game = match_text.mention(user, language), match_text.game_name(match)
    if user == match.players[match.offered_by]:
        return language.say(
            "{player}, your {game} offer has expired. Make a new one with /play.",
            player=player,
            game=game,
        )
    return language.say(
        "{player}, the {game} offer where you had a seat has expired.", player=player, game=game
    )
