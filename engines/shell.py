"""The line protocol of :mod:`games.shell` with an engine that answers in it.

Besides the commands there:

``go level=N seed=S``, ``go nodes=N seed=S``
    The engine's move, in canonical notation. It is not played: use ``play`` for that. ``seed`` is 0
    unless given; the same seed gives the same move.
``analyse nodes=N seed=S``
    The best moves, at most eight, each as ``MOVE VALUE pv LINE``, with ``|`` between them. The
    value is the expectation of the player on move, from 0 to 1; ``win``, ``draw`` or ``loss`` comes
    after it where that is proved. A line may be cut short.
``levels``
    The number of levels.
"""

from __future__ import annotations

from typing import Any

from engines.api import AnalysedMove, Level
from engines.catalog import engine_for
from engines.engine import Engine
from games.shell import CommandError, Shell

_MOST_NODES = 10_000_000
_MOST_SHOWN = 8


class EngineShell(Shell):
    """One game at a time, and an engine to ask about it."""

    def __init__(self) -> None:
        super().__init__()
        self._engine: Engine | None = None
        self._commands |= {"go": self._go, "analyse": self._analyse, "levels": self._levels}

    def _go(self, rest: str) -> str:
        engine, position = self._asked()
        given = _numbers(rest, ("level", "nodes", "seed"))
        if ("level" in given) == ("nodes" in given):
            raise CommandError("usage", "go level=N seed=S, or go nodes=N seed=S")
        try:
            level = (
                engine.level(given["level"])
                if "level" in given
                else Level(len(engine.levels), max(1, given["nodes"]))
            )
        except ValueError as error:
            raise CommandError("usage", str(error)) from None
        move = engine.choose(position, level, given.get("seed", 0))
        return engine.game.notation(position, move)

    def _analyse(self, rest: str) -> str:
        engine, position = self._asked()
        given = _numbers(rest, ("nodes", "seed"))
        if "nodes" not in given:
            raise CommandError("usage", "analyse nodes=N seed=S")
        found = engine.analyse(position, max(1, given["nodes"]), given.get("seed", 0))
        return " | ".join(map(_told, found[:_MOST_SHOWN]))

    def _levels(self, rest: str) -> str:
        self._alone(rest)
        return str(len(self._engine_here().levels))

    def _asked(self) -> tuple[Engine, Any]:
        """The engine, and the position, which must not be over."""
        position = self._here.position
        engine = self._engine_here()
        if engine.game.outcome(position) is not None:
            raise CommandError("game_over", "there is no move to make")
        return engine, position

    def _engine_here(self) -> Engine:
        game = self._here.game
        if self._engine is None or self._engine.game is not game:
            self._engine = engine_for(game)
        return self._engine


def _told(move: AnalysedMove) -> str:
    proof = f" {move.proof}" if move.proof else ""
    return f"{move.move} {move.value:.3f}{proof} pv {' '.join(move.line)}"


def _numbers(text: str, names: tuple[str, ...]) -> dict[str, int]:
    """The numbers of ``name=N`` words, each name at most once."""
    found: dict[str, int] = {}
    for word in text.split():
        name, _, value = word.partition("=")
        fits = value.isascii() and value.isdigit() and len(value) < 12
        if name not in names or name in found or not fits or int(value) > _MOST_NODES:
            wanted = " ".join(f"{each}=N" for each in names)
            raise CommandError("usage", f"{wanted}, each once, at most {_MOST_NODES}")
        found[name] = int(value)
    return found
