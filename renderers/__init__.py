"""From the public view of a game to a picture and to words.

:func:`render` makes a PNG with its alt text, :func:`describe` puts the whole position into words,
:func:`text_board` writes it as a board of letters, :func:`replay` shows a whole game as an
animation, :func:`steps` as pictures to step through, :func:`rating_graph` draws a player's rating
over time. For tournaments, :func:`draw_table`, :func:`draw_crosstable` and :func:`draw_bracket`
show a page each. All are pure functions of frozen data and of :class:`Style`, and may run in any
thread.
"""

from renderers.bracket import draw_bracket
from renderers.crosstable import draw_crosstable
from renderers.graph import rating_graph
from renderers.picture import Picture, render
from renderers.replay import Replay, Views, replay
from renderers.steps import PictureLayer, SharedLayers, Steps, steps
from renderers.style import Style
from renderers.tables import draw_table
from renderers.text_board import text_board
from renderers.themes import THEMES
from renderers.words import describe

__all__ = [
    "THEMES",
    "Picture",
    "PictureLayer",
    "Replay",
    "SharedLayers",
    "Steps",
    "Style",
    "Views",
    "describe",
    "draw_bracket",
    "draw_crosstable",
    "draw_table",
    "rating_graph",
    "render",
    "replay",
    "steps",
    "text_board",
]
