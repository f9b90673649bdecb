"""What a person's finished matches come to: by side, the last ten, streaks, one opponent."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from bot.domain.game_state import game_of, game_state_of
from bot.domain.ids import UserId
from bot.domain.match import Match
from bot.errors import UserError
from bot.i18n import Language
from bot.services.ratings import Win
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import moment
from games import catalog

LAST = 10


class ResultMark(Enum):
    """How a match ended for one of its players; the value is its mark in a row of results."""

    WON = "🟩"
    DRAWN = "⬜"
    LOST = "🟥"


def score(match: Match, user_id: UserId, other: UserId | None = None) -> ResultMark | None:
    """How a match ended for a person, against one ``other`` where more have played.

    None if it has no result.
    """
    result = match.result
    if result is None:
        return None
    won = match.index_of(user_id) in result.winners
    if other is not None and won == (match.index_of(other) in result.winners):
        return ResultMark.DRAWN
    if won:
        return ResultMark.WON
    beaten = bool(result.winners) if other is None else True
    return ResultMark.LOST if beaten else ResultMark.DRAWN


def tally(scores: Sequence[ResultMark], language: Language) -> str:
    """``6 won, 1 drawn, 3 lost``."""
    return language.say(
        "{won} won, {drawn} drawn, {lost} lost",
        won=scores.count(ResultMark.WON),
        drawn=scores.count(ResultMark.DRAWN),
        lost=scores.count(ResultMark.LOST),
    )


def streak(scores: Sequence[ResultMark]) -> int:
    """How many of the last matches in a row were won; ``scores`` begin with the last."""
    lost = (number for number, each in enumerate(scores) if each is not ResultMark.WON)
    return next(lost, len(scores))


def longest_streak(scores: Sequence[ResultMark]) -> int:
    """The most matches in a row that were won."""
    best = now = 0
    for each in scores:
        now = now + 1 if each is ResultMark.WON else 0
        best = max(best, now)
    return best


def by_side(matches: Sequence[Match], user_id: UserId, game: str) -> dict[int, list[ResultMark]]:
    """The results in a game by the seat in which the person ended it; of two-sided games alone."""
    found: dict[int, list[ResultMark]] = {}
    for match in matches:
        came = score(match, user_id)
        if match.game != game or came is None or len(match.players) != 2:
            continue
        try:
            table = game_state_of(match)
        except UserError:
            continue  # its rules are gone
        seating = table.game.seating(table.position)
        player = match.index_of(user_id)
        if player is not None and player in seating:
            found.setdefault(seating.index(player), []).append(came)
    return dict(sorted(found.items()))


def card_lines(
    matches: Sequence[Match], user_id: UserId, game: str | None, language: Language
) -> list[str]:
    """The lines of a profile about finished matches, the last of which comes first."""
    scores = [came for each in matches if (came := score(each, user_id)) is not None]
    if not scores:
        return []
    last = scores[:LAST]
    marks = "".join(each.value for each in reversed(last))
    lines = [
        language.plural(
            "Last match: {marks}", "Last {count}: {marks}", by="count", count=len(last), marks=marks
        )
        + f" · {tally(last, language)}"
    ]
    longest = longest_streak(scores)
    if longest > 1:
        lines.append(
            language.say(
                "Wins in a row: {now} now, {most} at best", now=streak(scores), most=longest
            )
        )
    if game in catalog.GAMES:
        info = catalog.GAMES[game].info
        seats = game_of(game, info.resolve({})).seats
        for seat, results in by_side(matches, user_id, game).items():
            lines.append(f"{info.name}, {language(seats[seat].name)}: {tally(results, language)}")
    return lines


def win_lines(wins: Sequence[Win], language: Language) -> list[str]:
    """The best wins, one a line."""
    return [
        language.say(
            "{game}: beat {player} ({points}) {time}",
            game=catalog.GAMES[win.game].info.name,
            player=match_text.mention(win.other, language),
            points=win.points,
            time=moment(win.at),
        )
        for win in wins
        if win.game in catalog.GAMES
    ]
