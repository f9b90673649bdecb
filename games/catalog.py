"""The games that Parlour knows, by key, and their lessons: its own, then installed ones.

A new game of Parlour's own adds a line to :data:`GAMES` and, once there is a lesson, one to
:data:`LESSONS`. :mod:`games.installed` finds games in packages of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.api import Game, OptionValue
from games.errors import OptionError
from games.installed import installed_games
from games.lesson import Lesson
from games.pux import Pux
from games.pux.lesson import LESSON as PUX_LESSON
from games.pythagoras import Pythagoras
from games.pythagoras.lesson import LESSON as PYTHAGORAS_LESSON
from games.quax import Quax
from games.quax.lesson import LESSON as QUAX_LESSON
from games.quux import Quux
from games.quux.lesson import LESSON as QUUX_LESSON
from games.ziggurat import Ziggurat
from games.ziggurat.lesson import LESSON as ZIGGURAT_LESSON

GAMES: dict[str, type[Game[Any, Any]]] = {
    "quax": Quax,
    "quux": Quux,
    "ziggurat": Ziggurat,
    "pux": Pux,
    "pythagoras": Pythagoras,
}

LESSONS: dict[str, Lesson] = {
    "quax": QUAX_LESSON,
    "quux": QUUX_LESSON,
    "ziggurat": ZIGGURAT_LESSON,
    "pux": PUX_LESSON,
    "pythagoras": PYTHAGORAS_LESSON,
}

_INSTALLED, LEFT_OUT = installed_games(GAMES)
"""Games of other packages, and those of them that cannot be offered."""
GAMES.update((key, game.kind) for key, game in _INSTALLED.items())
LESSONS.update((key, game.lesson) for key, game in _INSTALLED.items() if game.lesson)
LOCALES = tuple(game.locales for game in _INSTALLED.values())
"""Folders with possible translations of installed games."""


def create(key: str, options: Mapping[str, OptionValue] | None = None) -> Game[Any, Any]:
    """The game of that key under these options; :exc:`OptionError` for an unknown one."""
    try:
        kind = GAMES[key]
    except KeyError:
        raise OptionError("game_unknown", game=key[:40], allowed=", ".join(GAMES)) from None
    return kind(options)
