"""The ladder of a game: each level against the one below, and the top against the references.

A step is admitted when the upper level scores at least 60 % with 90 % confidence, by a test after
each pair of games (:class:`engines.statistics.SequentialTest`) that ends the pairing once it is
decided. The same test decides which of the top and plain UCT with ten times its CPU time is better.
The match with the one-ply player is played to its last game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engines.catalog import engine_for
from engines.match import Tally, play_match, record
from engines.statistics import SequentialTest, wilson
from games.api import Game

_UCT, _ONE_PLY = "uctx10", "oneply"


def measure(
    game: Game[Any, Any],
    results: Path,
    *,
    games: int,
    seed: int,
    plies: int,
    levels: tuple[int, int | None] = (2, None),
    references: bool = False,
) -> Iterator[str]:
    """Play the ladder of these levels, None for the top; returns a table, a line a pairing.

    Records and tables go to the folder ``results``.
    """
    results.mkdir(parents=True, exist_ok=True)
    top = len(engine_for(game).levels)
    lowest, highest = levels[0], min(top, levels[1] or top)
    pairings = [(str(level), str(level - 1)) for level in range(lowest, highest + 1)]
    if references:
        pairings += [(str(top), name) for name in (_UCT, _ONE_PLY)]
    options = "_".join(f"{name}-{value}" for name, value in game.options.items())
    stem = f"{game.info.key}_{options}".rstrip("_")
    yield "| pairing | games | won-drawn-lost | score | 95 % interval | admitted | CPU a game |"
    yield "|---|---|---|---|---|---|---|"
    for names in pairings:
        tally = Tally()
        sequential = (
            SequentialTest(*SequentialTest.BETTER) if names[1] == _UCT else SequentialTest()
        )
        may_stop = names[1] != _ONE_PLY
        file = results / f"{stem}_{names[0]}_{names[1]}.jsonl"
        with file.open("w", encoding="utf-8") as written:
            for played in play_match(game, names, games=games, seed=seed, plies=plies):
                tally.add(played)
                sequential.add(played.score)
                written.write(record(game, names, played) + "\n")
                written.flush()
                if may_stop and tally.games % 2 == 0 and (sequential.is_won or sequential.is_lost):
                    break
        yield row(names, tally, sequential)
        _keep(results / f"{stem}.json", names, tally, seed, plies)


def row(names: tuple[str, str], tally: Tally, sequential: SequentialTest) -> str:
    """A pairing as a line of a table."""
    interval = wilson(tally.score, tally.games)
    losses = tally.games - tally.wins - tally.draws
    admitted = "yes" if sequential.is_won else "no" if sequential.is_lost else "not yet"
    seconds = "/".join(f"{each / tally.games:.2f} s" for each in tally.seconds)
    return (
        f"| {names[0]} v {names[1]} | {tally.games} | {tally.wins}-{tally.draws}-{losses} "
        f"| {tally.score / tally.games:.0%} | {interval.low:.0%} to {interval.high:.0%} "
        f"| {admitted} | {seconds} |"
    )


def _keep(file: Path, names: tuple[str, str], tally: Tally, seed: int, plies: int) -> None:
    """Put the pairing into the game's file of results, in place of an older one."""
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    known[" v ".join(names)] = {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "score": tally.score,
        "seed": seed,
        "plies": plies,
        "seconds": [round(each, 2) for each in tally.seconds],
    }
    file.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
