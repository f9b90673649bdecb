"""The engine process: a question a line comes in, an answer a line goes out, both JSON.

It is the only part of the bot that loads the engines, so their time, memory and faults stay out of
the bot. It knows no match, no person and no database. Run as ``python -m
bot.computers.thinking.worker``; it ends with its standard input.

In are the fields of :class:`bot.computers.domain.questions.Question`. Out: ``{"move", "resigns",
"offers_draw"}`` for a move in canonical notation, ``{"accepts"}`` for a draw, ``{"moves"}`` for an
analysis or a review, each with ``move``, ``value``, ``line``, ``proof`` and ``within``;
``{"error"}`` where there is no answer.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any

from engines.api import Level
from engines.catalog import engine_for
from engines.engine import Engine
from games import catalog

try:
    import resource
except ImportError:  # a system without such limits
    resource = None  # type: ignore[assignment]

_DRAWS = {"draw": False, "draw on turn": True}
_REVIEWS = {"review": False, "moment": True}
_TRIED_ONCE = 1
"""A question that has failed more often gets a smaller budget each time."""


def answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a question. Raises :exc:`ValueError` for an invalid one."""
    engine = _engine(asked["game"], json.dumps(asked["options"], sort_keys=True))
    position = engine.game.decode(asked["state"])
    level = _level(engine, asked["level"], asked["attempt"])
    seed, plies = asked["seed"], asked["plies"]
    if asked["about"] == "analysis":
        found = engine.analyse(position, level.nodes, seed)
        return {"moves": [asdict(each) for each in found]}
    if asked["about"] in _REVIEWS:
        found = engine.review(
            position,
            asked["played"],
            seed,
            ply=plies,
            plies=asked["of"],
            closely=_REVIEWS[asked["about"]],
            failed=max(0, asked["attempt"] - _TRIED_ONCE),
        )
        return {"moves": [asdict(each) for each in found]}
    if asked["about"] in _DRAWS:
        on_move = _DRAWS[asked["about"]]
        accepts = engine.accepts_draw(position, level, seed, plies=plies, on_move=on_move)
        return {"accepts": accepts}
    decided = engine.decide(position, level, seed, plies=plies)
    # A value from a brief search is no reason to resign.
    is_sure = level.nodes == engine.level(level.number).nodes
    return {
        "move": engine.game.notation(position, decided.move),
        "resigns": is_sure and decided.resigns,
        "offers_draw": is_sure and decided.offers_draw,
    }


def _level(engine: Engine, number: int, attempt: int) -> Level:
    """The level of that number, with a smaller budget after failures on this host."""
    level = engine.level(min(number, len(engine.levels)))
    failed = max(0, attempt - _TRIED_ONCE)
    return replace(level, nodes=max(1, level.nodes >> 2 * failed)) if failed else level


@lru_cache(maxsize=4)
def _engine(game: str, options: str) -> Engine:
    return engine_for(catalog.create(game, json.loads(options)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer questions until the last one."""
    parser = argparse.ArgumentParser(prog="python -m bot.computers.thinking.worker")
    parser.add_argument("--memory", type=int, default=0, help="MiB this process may use (no limit)")
    parser.add_argument("--nice", type=int, default=0, help="how far to step back for others (0)")
    chosen = parser.parse_args(arguments)
    _step_back(chosen.nice)
    _limit_memory(chosen.memory)
    for line in sys.stdin:
        try:
            said = answer(json.loads(line))
        except MemoryError:
            return 1  # The state left behind by a bug cannot be relied on.
        except Exception as error:
            said = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()
    return 0


def _step_back(by: int) -> None:
    """Run only when the processor is otherwise idle, and yield it at once.

    Not every system has a scheduler for idle time; elsewhere a low priority has to do.
    """
    with contextlib.suppress(AttributeError, OSError):
        os.nice(by)
    if by:
        with contextlib.suppress(AttributeError, OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _limit_memory(mebibytes: int) -> None:
    if mebibytes and resource is not None:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        sys.exit(main())
