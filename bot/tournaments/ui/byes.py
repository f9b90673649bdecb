"""A round without a game, in words: of a player, and to the player."""

from __future__ import annotations

from bot.i18n import Language
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.setup import FormatKey
from games.view import Text

_FULL = (
    Text.of("no opponent this round, a full point"),
    Text.of("you have no opponent this round and get a full point."),
)
_BYES: dict[Kind | FormatKey, tuple[Text, Text]] = {
    Kind.PAIRING_BYE: _FULL,
    Kind.FULL_BYE: _FULL,
    Kind.HALF_BYE: (
        Text.of("a bye, half a point"),
        Text.of("you have a bye and get half a point."),
    ),
    Kind.ZERO_BYE: (Text.of("doesn't play this round"), Text.of("you don't play this round.")),
    FormatKey.KNOCKOUT: (Text.of("goes on without a game"), Text.of("you go on without a game.")),
    FormatKey.TABLES: (
        Text.of("sits out this round for 1¾ points"),
        Text.of("you sit out this round and get 1¾ points."),
    ),
}
"""Words about a player and to the player; by format for players left over by the pairing."""


def bye_words(form: FormatKey, kind: Kind, language: Language, *, own: bool = False) -> str:
    """A round without a game, behind a player's name or, to the player (``own``), a colon."""
    if form is FormatKey.ROUND_ROBIN:
        kind = Kind.ZERO_BYE
    by_format = kind is Kind.PAIRING_BYE and form in _BYES
    return language(_BYES[form if by_format else kind][own])
