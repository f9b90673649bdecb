"""From the public view of a game to a picture and to words.

:func:`render` makes a PNG with its alt text, :func:`describe` tells the whole position in words,
:func:`text_board` writes it as a board of letters. All three are pure functions of a
:class:`games.view.BoardView` and a :class:`Style`, from any thread.
"""

from renderers.picture import Picture, render
from renderers.style import Style
from renderers.text_board import text_board
from renderers.themes import THEMES
from renderers.words import describe

__all__ = ["THEMES", "Picture", "Style", "describe", "render", "text_board"]
