"""The viewer's choices for a picture: theme, names, language, size, side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from games.view import Text


@dataclass(frozen=True, slots=True)
class Style:
    """The choices for showing a position; equal views and equal styles make the same picture.

    ``theme`` is a key of :data:`renderers.themes.THEMES`; ``names`` has one entry a player, as
    :attr:`games.view.SeatView.player` numbers them, in any script and of any length. ``translate``
    puts a text into the language of ``locale``; comparisons use only the locale. ``mine`` is the
    player whose side of the board is the viewer's, numbered like the names; None for no side.
    ``larger`` asks for a page of one and a half times the size, ``flipped`` for the board seen from
    the other side. ``letters`` puts a letter in place of the mark on pieces and sides: that of the
    text boards.
    """

    theme: str = "dark"
    names: tuple[str, ...] = ()
    locale: str = "en"
    translate: Callable[[Text], str] = field(default=Text.english, compare=False, repr=False)
    larger: bool = False
    flipped: bool = False
    mine: int | None = None
    letters: bool = False

    def say(self, message: str, **params: str | int) -> str:
        """A sentence in the viewer's language."""
        return self.translate(Text.of(message, **params))

    def plural(self, one: str, many: str, *, by: str = "n", **params: str | int) -> str:
        """A sentence whose words depend on the number ``by``, in the viewer's language."""
        return self.translate(Text.plural(one, many, by=by, **params))
