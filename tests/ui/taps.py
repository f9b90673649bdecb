"""How many taps a move takes, counted from the board in sight.

``python -m tests.ui.taps`` prints it for every game and size: the most and the mean over all legal
moves of positions from whole games, by the buttons under a board, by the menus of lessons, plans
and the analysis board, and how many characters it takes to type one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any

from bot.domain.game_state import game_of
from bot.ui.play.move_picker import Menu, MovePick, menu, question_after
from games import catalog
from games.api import ChoiceOption, Game


def sizes() -> list[tuple[str, str]]:
    """Every game with every value of the option it names first, '' where it has none."""
    found = []
    for key, kind in catalog.GAMES.items():
        if not kind.info.options:
            found.append((key, ""))
            continue
        option = kind.info.options[0]
        if isinstance(option, ChoiceOption):
            found += [(key, choice.key) for choice in option.choices]
        else:
            found += [(key, str(size)) for size in sorted(option.suggested)]
    return found


def sized(key: str, size: str) -> Game[Any, Any]:
    """A game with that value of its first option, and else as it is by default."""
    info = catalog.GAMES[key].info
    return game_of(key, info.resolve({info.options[0].key: size} if size else {}))


def positions(game: Game[Any, Any], *, most: int) -> Iterator[Any]:
    """Up to so many positions of each of a sample of the game and a random one, spread evenly."""
    lines = [sample.moves.split() for sample in game.info.samples if _is_of(game, sample.options)]
    rng = Random(11)
    for line in [*lines[:1], None]:
        position = game.initial(rng)
        played = [position]
        while len(played) < 150 and (moves := list(game.legal_moves(position))):
            if line is not None and len(played) > len(line):
                break
            move = (
                rng.choice(moves) if line is None else game.parse(position, line[len(played) - 1])
            )
            position = game.play(position, move)
            played.append(position)
        running = [each for each in played if game.outcome(each) is None]
        yield from running[:: -(-len(running) // most)]


def _is_of(game: Game[Any, Any], options: Any) -> bool:
    return dict(game.info.resolve(options)) == dict(game.options)


def taps(
    game: Game[Any, Any],
    position: Any,
    ask: Callable[[Game[Any, Any], Any, MovePick], Menu] = question_after,
) -> dict[str, int]:
    """The fewest taps for every legal move, with the board's button and without the preview's."""
    found: dict[str, int] = {}
    seen: set[MovePick] = set()
    numbers = count()
    waiting = [(1, next(numbers), MovePick())]
    while waiting:
        tapped, _, way = heappop(waiting)
        asked = ask(game, position, way)
        if asked.move is not None:
            found.setdefault(asked.move, tapped)
        elif asked.way not in seen:
            seen.add(asked.way)
            for choice in (*asked.choices, *asked.specials):
                heappush(waiting, (tapped + 1, next(numbers), asked.way.then(choice.value)))
    return found


def _table() -> Iterator[str]:
    ways = (("buttons", question_after), ("menus", menu))
    yield "game         size  " + "".join(f"{name:>8} most mean" for name, _ in ways) + "  typed"
    for key, size in sizes():
        game = sized(key, size)
        line, longest = f"{key:12} {size:>4}  ", 0
        for _, ask in ways:
            counted = [taps(game, at, ask) for at in positions(game, most=12)]
            each = [tapped for found in counted for tapped in found.values()]
            line += f"{max(each):13} {sum(each) / len(each):4.1f}"
            longest = max(len(move) for found in counted for move in found)
        yield f"{line}  {longest:5}"
    yield "The preview is one more; a typed move is one message, and its answer goes."


if __name__ == "__main__":
    for line in _table():
        sys.stdout.write(f"{line}\n")
