"""Games without people: random games, move counts, recorded playthroughs."""

from __future__ import annotations

import difflib
import re
import zlib
from collections.abc import Hashable, Mapping
from random import Random
from typing import Any, TypeVar

from games import catalog
from games.api import Game, OptionValue, Outcome, Playout
from games.errors import GameError

P = TypeVar("P", bound=Hashable)
M = TypeVar("M", bound=Hashable)


def random_game(game: Game[P, M], rng: Random) -> Playout[M]:
    """A whole game from the start, each move drawn with equal chances from the legal ones.

    This is :meth:`games.api.Game.random_game`, which a game may do faster than move by move.
    """
    return game.random_game(rng)


def perft(game: Game[P, M], position: P, depth: int) -> int:
    """The number of sequences of exactly ``depth`` moves; games that end earlier do not count.

    Positions reached in several ways are counted once and remembered, so that memory grows with the
    number of different positions up to ``depth`` - 1.
    """
    return _count(game, position, depth, {})


def divide(game: Game[P, M], position: P, depth: int) -> dict[str, int]:
    """:func:`perft` of depth ``depth`` - 1 after each legal move, by the move's notation.

    Sorted by notation, so that two lists can be compared. ``depth`` is at least 1.
    """
    seen: dict[tuple[P, int], int] = {}
    found = {
        game.notation(position, move): _count(game, game.play(position, move), depth - 1, seen)
        for move in game.legal_moves(position)
    }
    return dict(sorted(found.items()))


def _count(game: Game[P, M], position: P, depth: int, seen: dict[tuple[P, int], int]) -> int:
    if depth == 0:
        return 1
    moves = list(game.legal_moves(position))
    if depth == 1:
        return len(moves)
    total = seen.get((position, depth))
    if total is None:
        total = sum(_count(game, game.play(position, move), depth - 1, seen) for move in moves)
        seen[position, depth] = total
    return total


# Recorded playthroughs


_FORM = "Playthrough 1"
"""The format of a record; the number rises when it changes."""
_HEAD = re.compile(
    rf"{_FORM}\ngame (\S+) rules [0-9]+\noptions((?: \S+=\S+)*)\n"
    r"seed ([0-9]{1,9})\nplies (all|[0-9]{1,9})\n"
)


def record(
    key: str, options: Mapping[str, OptionValue], *, seed: int, plies: int | None = None
) -> str:
    """A random game as a text to read and compare, the same each time.

    A line for each ply holds its number, the colour on turn, the number of legal moves, a checksum
    of all of them in order, the move, and the whole position before it. ``plies`` cuts the game
    short.
    """
    rng = Random(seed)
    game = catalog.create(key, options)
    position = game.initial(rng)
    lines = [
        _FORM,
        f"game {key} rules {game.info.rules_version}",
        " ".join(["options", *(f"{name}={value}" for name, value in game.options.items())]),
        f"seed {seed}",
        f"plies {'all' if plies is None else plies}",
        "",
    ]
    count = 0
    while count != plies and (moves := list(game.legal_moves(position))):
        count += 1
        texts = [game.notation(position, move) for move in moves]
        check = zlib.crc32(" ".join(texts).encode())
        chosen = rng.randrange(len(moves))
        lines.append(
            f"{count:>3} {game.turn(position)} {len(moves):>3} {check:08x} "
            f"{texts[chosen]:<8} {game.encode(position)}"
        )
        position = game.play(position, moves[chosen])
    lines += ["", f"position {game.encode(position)}", f"result {result_line(game, position)}"]
    outcome = game.outcome(position)
    if outcome is not None and outcome.path:
        lines.append(" ".join(["path", *outcome.path]))
    return "\n".join(lines) + "\n"


def record_again(text: str) -> str:
    """The record with the head of an older record. :exc:`GameError` if it is none."""
    head = _HEAD.match(text)
    if head is None:
        raise GameError("record_form")
    key, chosen, seed, plies = head.groups()
    options = dict(part.split("=", 1) for part in chosen.split())
    limit = None if plies == "all" else int(plies)
    return record(key, options, seed=int(seed), plies=limit)


def replay(text: str) -> list[str]:
    """The differences of a record from today's game, as lines of a diff; empty if they agree."""
    today = record_again(text)
    return list(
        difflib.unified_diff(text.splitlines(), today.splitlines(), "recorded", "today", "", "", 1)
    )


def result_line(game: Game[Any, Any], position: Hashable) -> str:
    """``none``, or the reason's code and a score a seat."""
    outcome: Outcome | None = game.outcome(position)
    if outcome is None:
        return "none"
    return " ".join([outcome.reason, *(f"{score:g}" for score in outcome.scores)])
