"""Codes into sentences, for every message in Discord.

Sentences for codes of a game are in its :attr:`games.api.GameInfo.refusals`, all others in
:mod:`bot.i18n.refusals`. A placeholder that an error does not fill becomes empty.
"""

from __future__ import annotations

from bot.domain.computers import is_computer, level_of, number_made_up, number_of
from bot.domain.ids import UserId
from bot.domain.match import MatchStatus
from bot.errors import UserError
from bot.i18n.refusals import REFUSALS
from games import catalog
from games.errors import AmbiguousMove, GameError
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


def refusal(error: UserError | GameError, game: str | None = None) -> Text:
    """The sentence for a refusal; ``game`` is the key of the game concerned, if any.

    A code without a sentence is a bug in the code that raises it, and raises :exc:`KeyError`.
    """
    if isinstance(error, AmbiguousMove):
        return REFUSALS["ambiguous"].filled(
            {"text": error.text[:40], "candidates": ", ".join(error.candidates[:10])}
        )
    sentence = None
    if isinstance(error, GameError) and game in catalog.GAMES:
        sentence = catalog.GAMES[game].info.refusals.get(error.code)
    if sentence is None:
        sentence = REFUSALS[error.code]
    return sentence.filled(error.params)
