"""Letters that stand for the colours of a board."""

from __future__ import annotations

import unicodedata

from games.view import BoardView
from renderers.style import Style

_SPARE_LETTERS = "XOVAHKTZ"


def letters_of(view: BoardView, style: Style) -> tuple[str, ...]:
    """One letter a colour: the first of its word, or another if that is taken or too wide."""
    letters: list[str] = []
    for colour in view.colours:
        first = style.translate(colour.name)[:1].upper()
        narrow = len(first) == 1 and unicodedata.east_asian_width(first) not in "WF"
        if not narrow or not first.isalpha() or first in letters:
            first = next(letter for letter in _SPARE_LETTERS if letter not in letters)
        letters.append(first)
    return tuple(letters)
