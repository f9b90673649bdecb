"""The games that Parlour knows, by key. A new game adds one line to :data:`GAMES`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.api import Game, OptionValue
from games.errors import OptionError
from games.pux import Pux
from games.pythagoras import Pythagoras
from games.quax import Quax
from games.quux import Quux
from games.ziggurat import Ziggurat

__all__ = ["GAMES", "create"]

GAMES: dict[str, type[Game[Any, Any]]] = {
    "quax": Quax,
    "quux": Quux,
    "ziggurat": Ziggurat,
    "pux": Pux,
    "pythagoras": Pythagoras,
}


def create(key: str, options: Mapping[str, OptionValue] | None = None) -> Game[Any, Any]:
    """The game of that key under these options; :exc:`OptionError` if there is none such."""
    try:
        kind = GAMES[key]
    except KeyError:
        raise OptionError("game_unknown", game=key[:40], allowed=", ".join(GAMES)) from None
    return kind(options)
