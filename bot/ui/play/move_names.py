"""Moves typed with the words of a language: the name of a piece, or of a swap or a pass."""

from __future__ import annotations

import unicodedata

from bot.domain.game_state import GameState
from bot.i18n import Language
from bot.ui.play.move_picker_page import LONGEST_MOVE
from games import catalog
from games.notation import plain
from games.view import Text


def read_move(table: GameState, typed: str, language: Language) -> str:
    """The notation of a move as a person wrote it. Raises :exc:`games.errors.MoveError`."""
    game = table.game
    move = game.parse(table.position, as_written(game.info.key, typed, language))
    return game.notation(table.position, move)


def as_written(game: str, typed: str, language: Language) -> str:
    """What was typed, in the notation of the game.

    ``Queen a1`` becomes ``Q a1``. The words may be those of the reader's language or English ones,
    in any case. Everything else stays as it is, cut where it is longer than any move; what is no
    move, the game refuses.
    """
    typed = typed[: LONGEST_MOVE + 1]
    kind = catalog.GAMES.get(game)
    if kind is None:
        return typed
    folded = _folded(typed)
    for move, spoken in kind.info.spoken.items():
        if folded in _names(spoken.label, language):
            return move
    names = [
        (name, letter)
        for letter, piece in kind.info.pieces.items()
        for name in _names(piece, language)
    ]
    for name, letter in sorted(names, key=lambda each: -len(each[0])):
        if folded.startswith(name):
            return f"{letter} {folded.removeprefix(name).strip()}"
    return typed


def _names(text: Text, language: Language) -> set[str]:
    return {_folded(language(text)), _folded(text.english())}


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", plain(text)).casefold()
