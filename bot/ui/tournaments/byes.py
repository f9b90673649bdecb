"""What a round without a game is, in words: of a player, and to the player."""

from __future__ import annotations

from bot.domain.tournaments.crosstable import Kind
from bot.domain.tournaments.setup import FormatKey
from bot.i18n import Language
from games.view import Text

_BYES = {
    Kind.PAIRING_BYE: Text.of("no opponent this round, a full point"),
    Kind.FULL_BYE: Text.of("no opponent this round, a full point"),
    Kind.HALF_BYE: Text.of("a bye, half a point"),
    Kind.ZERO_BYE: Text.of("doesn't play this round"),
}
_LEFT_OVER = {
    FormatKey.KNOCKOUT: Text.of("goes on without a game"),
    FormatKey.TABLES: Text.of("sits out this round for 1¾ points"),
}


def bye_words(form: FormatKey, kind: Kind, language: Language) -> str:
    """What a round without a game is, behind the name of a player; '' where that says nothing."""
    if form is FormatKey.ROUND_ROBIN:
        return language.say("doesn't play this round")
    if kind is Kind.PAIRING_BYE and form in _LEFT_OVER:
        return language(_LEFT_OVER[form])
    return language(_BYES[kind]) if kind in _BYES else ""


_OWN_BYES = {
    Kind.PAIRING_BYE: Text.of("you have no opponent this round and get a full point."),
    Kind.FULL_BYE: Text.of("you have no opponent this round and get a full point."),
    Kind.HALF_BYE: Text.of("you have a bye and get half a point."),
    Kind.ZERO_BYE: Text.of("you don't play this round."),
}
_OWN_LEFT_OVER = {
    FormatKey.KNOCKOUT: Text.of("you go on without a game."),
    FormatKey.TABLES: Text.of("you sit out this round and get 1¾ points."),
}


def own_bye_words(form: FormatKey, kind: Kind, language: Language) -> str:
    """The same, said to the player, to stand behind a colon."""
    if form is FormatKey.ROUND_ROBIN:
        return language(_OWN_BYES[Kind.ZERO_BYE])
    if kind is Kind.PAIRING_BYE and form in _OWN_LEFT_OVER:
        return language(_OWN_LEFT_OVER[form])
    return language(_OWN_BYES[kind]) if kind in _OWN_BYES else ""
