"""From the public view of a game to a picture and to words.

:func:`render` makes a PNG with its alt text, :func:`describe` tells the whole position in words,
:func:`text_board` writes it as a board of letters, :func:`replay` shows a whole game as a moving
picture. All are pure functions of :class:`games.view.BoardView` and :class:`Style`, and may run in
any thread.
"""

from renderers.picture import Picture, render
from renderers.replay import Replay, replay
from renderers.style import Style
from renderers.text_board import text_board
from renderers.themes import THEMES
from renderers.words import describe

__all__ = ["THEMES", "Picture", "Replay", "Style", "describe", "render", "replay", "text_board"]
