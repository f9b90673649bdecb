"""Words for the states of a match and for players without a name."""

from __future__ import annotations

from bot.domain.computers import is_computer, level_of, number_made_up, number_of
from bot.domain.ids import UserId
from bot.domain.match import MatchStatus
from games.view import Text

STATUSES: dict[MatchStatus, Text] = {
    MatchStatus.OFFERED: Text.of("it's open"),
    MatchStatus.RUNNING: Text.of("the match has started"),
    MatchStatus.FINISHED: Text.of("the match is over"),
    MatchStatus.ABORTED: Text.of("the match was aborted"),
    MatchStatus.DECLINED: Text.of("it was declined"),
    MatchStatus.WITHDRAWN: Text.of("it was withdrawn"),
    MatchStatus.EXPIRED: Text.of("it has expired"),
}
"""The state of a match, for the middle of a sentence."""


def nameless(user_id: UserId) -> Text:
    """The text for a player without a name.

    A computer is called a computer, with its level; a person without a known name ``Player 1234``,
    by the last digits of their id.
    """
    if is_computer(user_id):
        level, number = level_of(user_id), number_of(user_id) + 1
        if number == 1:
            return Text.of("Computer, level {level}", level=level)
        return Text.of("Computer {number}, level {level}", number=number, level=level)
    number_in_rehearsal = number_made_up(user_id)
    if number_in_rehearsal is not None:
        return Text.of("Player {number}", number=number_in_rehearsal)
    return Text.of("Player {number}", number=f"{abs(user_id) % 10_000:04}")
