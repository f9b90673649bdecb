"""How a viewer wants a position shown: theme, names, language, size, side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from games.view import Text

__all__ = ["Style", "english"]


def english(text: Text) -> str:
    """The English sentence of a text, its placeholders filled in."""
    return text.message.format(**dict(text.params)) if text.params else text.message


@dataclass(frozen=True, slots=True)
class Style:
    """How to show a position; a picture is the same for equal views and equal styles.

    ``theme`` is a key of :data:`renderers.themes.THEMES`; ``names`` has one entry a player, as
    :attr:`games.view.SeatView.player` numbers them, in any script and of any length. ``translate``
    puts a text into the language of ``locale``; it does not take part in comparisons, the locale
    stands for it. ``larger`` asks for a page of one and a half times the size, ``flipped`` for the
    board seen from the other side.
    """

    theme: str = "dark"
    names: tuple[str, ...] = ()
    locale: str = "en"
    translate: Callable[[Text], str] = field(default=english, compare=False, repr=False)
    larger: bool = False
    flipped: bool = False

    def say(self, message: str, **params: str | int) -> str:
        """A sentence of ours in the viewer's language."""
        return self.translate(Text(message, tuple(params.items())))
