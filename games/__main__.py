"""``python -m games``: the rules for people and programs, without a chat."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from games import catalog
from games.api import ChoiceOption
from games.errors import GameError
from games.playout import divide, perft, random_game, record, record_again, replay
from games.shell import serve


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0 done, 1 refused or different, 2 misused."""
    parser = _parser()
    chosen, rest = parser.parse_known_args(arguments)
    # argparse takes no further option=value after a flag: these are left over.
    if rest and "options" not in chosen:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        chosen.options = [*chosen.options, *map(_option, rest)] if "options" in chosen else []
    except argparse.ArgumentTypeError as error:
        parser.error(str(error))
    try:
        return int(chosen.run(chosen))
    except GameError as error:
        sys.stderr.write(f"{error}\n")
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    listing = commands.add_parser("list", help="all games")
    listing.set_defaults(run=_list)

    show = commands.add_parser("show", help="options and rules of a game")
    show.add_argument("game")
    show.set_defaults(run=_show)

    counting = commands.add_parser("perft", help="count the sequences of moves from the start")
    counting.add_argument("game")
    counting.add_argument("depth", type=_natural)
    counting.add_argument("--divide", action="store_true", help="for each first move apart")
    _add_options(counting)
    counting.set_defaults(run=_perft)

    play = commands.add_parser("selfplay", help="play at random and tell the figures")
    play.add_argument("game")
    play.add_argument("--games", type=_natural, default=100, help="how many (100)")
    play.add_argument("--seed", type=_natural, default=0)
    _add_options(play)
    play.set_defaults(run=_selfplay)

    recording = commands.add_parser("record", help="write a random game down as a text")
    recording.add_argument("game")
    recording.add_argument("--seed", type=_natural, default=0)
    recording.add_argument("--plies", type=_natural, help="stop after so many")
    _add_options(recording)
    recording.set_defaults(run=_record)

    again = commands.add_parser("replay", help="compare recorded games with the rules of today")
    again.add_argument("files", nargs="+", type=Path)
    again.add_argument("--remake", action="store_true", help="write the files anew")
    again.set_defaults(run=_replay)

    shell = commands.add_parser("shell", help="answer commands line by line (see games/shell.py)")
    shell.set_defaults(run=_shell)
    return parser


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("options", nargs="*", metavar="option=value", type=_option)


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form option=value")
    return name, value


def _say(line: str = "") -> None:
    sys.stdout.write(f"{line}\n")


def _list(chosen: argparse.Namespace) -> int:  # noqa: ARG001
    for key, kind in catalog.GAMES.items():
        info = kind.info
        _say(f"{key:<12} {info.name}, {info.designer} {info.year}: {info.summary.message}")
    for game in catalog.LEFT_OUT:
        _say(f"left out: {game}")
    return 0


def _show(chosen: argparse.Namespace) -> int:
    info = catalog.create(chosen.game).info
    _say(f"{info.name}, {info.designer} {info.year}, rules version {info.rules_version}")
    _say(info.summary.message)
    for link in info.links:
        _say(link)
    for option in info.options:
        if isinstance(option, ChoiceOption):
            values = ", ".join(choice.key for choice in option.choices)
        else:
            offered = ", ".join(map(str, option.suggested))
            values = f"{offered} (any from {option.minimum} to {option.maximum})"
        _say(f"  {option.key}: {values}")
    for preset in info.presets:
        values = " ".join(f"{name}={value}" for name, value in preset.options.items())
        _say(f"  {preset.label.message}: {values or 'as above'}. {preset.reason.message}")
    for page in info.pages:
        _say()
        _say(page.title.message)
        _say(page.body.message)
    return 0


def _perft(chosen: argparse.Namespace) -> int:
    game = catalog.create(chosen.game, dict(chosen.options))
    start = game.initial(Random(0))
    if not chosen.divide or chosen.depth == 0:
        _say(str(perft(game, start, chosen.depth)))
        return 0
    found = divide(game, start, chosen.depth)
    for move, count in found.items():
        _say(f"{move} {count}")
    _say(f"total {sum(found.values())}")
    return 0


def _selfplay(chosen: argparse.Namespace) -> int:
    game = catalog.create(chosen.game, dict(chosen.options))
    rng = Random(chosen.seed)
    scores: Counter[tuple[float, ...]] = Counter()
    lengths: list[int] = []
    began = time.perf_counter()
    for _ in range(chosen.games):
        playout = random_game(game, rng)
        scores[playout.scores] += 1
        lengths.append(len(playout.moves))
    took = time.perf_counter() - began
    seats = [seat.name.message for seat in game.seats]
    _say(f"{chosen.games} random games, seed {chosen.seed}, scores of {', '.join(seats)}:")
    for score, count in sorted(scores.items(), reverse=True):
        _say(f"  {' '.join(f'{points:g}' for points in score)}: {count}")
    if lengths:
        mean = sum(lengths) / len(lengths)
        _say(f"moves: {mean:.1f} a game, {min(lengths)} to {max(lengths)}")
        _say(f"{len(lengths) / took:.0f} games a second")
    return 0


def _record(chosen: argparse.Namespace) -> int:
    options = dict(chosen.options)
    sys.stdout.write(record(chosen.game, options, seed=chosen.seed, plies=chosen.plies))
    return 0


def _replay(chosen: argparse.Namespace) -> int:
    different = 0
    for path in chosen.files:
        text = path.read_text(encoding="utf-8")
        if chosen.remake:
            path.write_text(record_again(text), encoding="utf-8")
            continue
        for line in replay(text):
            _say(f"{path}: {line}")
            different = 1
    return different


def _shell(chosen: argparse.Namespace) -> int:  # noqa: ARG001
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
