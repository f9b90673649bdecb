"""``python -m engines``: play against engines by lines of text, and measure them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from engines import ladder
from engines.match import Tally, play_match, record
from engines.proofs import prove
from engines.puzzle_book import mixed, puzzles, read_puzzles, write_puzzle
from engines.puzzles import graded, is_proved, make_puzzles, puzzles_from
from engines.shell import EngineShell
from games import catalog
from games.api import Game
from games.certificate import Certificate, write_certificates
from games.errors import GameError
from games.search import TooMuchError
from games.shell import serve


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0 done, 1 refused, 2 misused."""
    chosen = _parser().parse_args(arguments)
    try:
        return int(chosen.run(chosen))
    except (GameError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engines", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    shell = commands.add_parser("shell", help="answer commands line by line (engines/shell.py)")
    shell.set_defaults(run=_shell)

    match = commands.add_parser("match", help="let two players play (names: engines/match.py)")
    match.add_argument("first")
    match.add_argument("second")
    _add_game(match)
    match.add_argument("--records", type=Path, help="write each game to this file, a line of JSON")
    match.set_defaults(run=_match)

    puzzles_of = commands.add_parser("puzzles", help="make puzzles, a line of JSON each")
    _add_game(puzzles_of)
    puzzles_of.add_argument("--within", type=int, default=2, help="own moves to the win (2)")
    puzzles_of.add_argument(
        "--records", type=Path, nargs="+", help="take these games, a line of JSON each"
    )
    puzzles_of.set_defaults(run=_puzzles)

    proved = commands.add_parser("check", help="prove puzzles anew by the rules alone")
    proved.add_argument("files", type=Path, nargs="*", help="volumes (those of the package)")
    proved.add_argument(
        "--most", type=int, default=1_000_000, help="positions to look at a puzzle (1000000)"
    )
    proved.set_defaults(run=_check)

    volume = commands.add_parser("volume", help="mix new puzzles of several files into a volume")
    volume.add_argument("files", type=Path, nargs="+")
    volume.set_defaults(run=_volume)

    grades = commands.add_parser("grades", help="grade puzzles by the levels of today")
    grades.add_argument("file", type=Path)
    grades.add_argument("--game", required=True, choices=sorted(catalog.GAMES))
    grades.set_defaults(run=_grades)

    proofs_of = commands.add_parser(
        "prove", help="who wins after some moves, as certificates (games/certificate.py)"
    )
    proofs_of.add_argument("file", type=Path, help="where to write those that were found")
    proofs_of.add_argument("--game", required=True, choices=sorted(catalog.GAMES))
    proofs_of.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    proofs_of.add_argument(
        "--opening", action="append", default=[], metavar="MOVES", help="moves with spaces between"
    )
    proofs_of.add_argument(
        "--records", type=Path, nargs="+", default=[], help="these games too, a line of JSON each"
    )
    proofs_of.add_argument("--plies", type=int, default=16, help="so many of their moves (16)")
    proofs_of.set_defaults(run=_prove)

    ladder_of = commands.add_parser("ladder", help="measure each level against the one below")
    _add_game(ladder_of)
    ladder_of.add_argument("--results", type=Path, default=Path("benchmarks/results/ladder"))
    ladder_of.add_argument("--from", type=int, default=2, dest="lowest", help="first level (2)")
    ladder_of.add_argument("--to", type=int, dest="highest", help="last level (the top)")
    ladder_of.add_argument(
        "--references", action="store_true", help="the top level against oneply and plain UCT too"
    )
    ladder_of.set_defaults(run=_ladder)
    return parser


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", required=True, choices=sorted(catalog.GAMES))
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--games", type=int, default=40, help="how many a pairing (40)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, default=2, help="random moves to open with (2)")


def _options(chosen: argparse.Namespace) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in chosen.option:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"{word!r} is not of the form option=value")
        found[name] = value
    return found


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _shell(chosen: argparse.Namespace) -> int:  # noqa: ARG001
    serve(sys.stdin.buffer, sys.stdout.buffer, EngineShell())
    return 0


def _match(chosen: argparse.Namespace) -> int:
    game = catalog.create(chosen.game, _options(chosen))
    names = (chosen.first, chosen.second)
    tally = Tally()
    if chosen.records:
        chosen.records.write_text("", encoding="utf-8")
    for played in play_match(game, names, games=chosen.games, seed=chosen.seed, plies=chosen.plies):
        tally.add(played)
        if chosen.records:  # immediately, so that an interrupted match has its games too
            with chosen.records.open("a", encoding="utf-8") as written:
                written.write(record(game, names, played) + "\n")
    for line in tally.lines(*names):
        _say(line)
    return 0


def _puzzles(chosen: argparse.Namespace) -> int:
    game = catalog.create(chosen.game, _options(chosen))
    if chosen.records:
        made = puzzles_from(game, _recorded(game, chosen.records), within=chosen.within)
    else:
        made = make_puzzles(game, seed=chosen.seed, within=chosen.within)
    for puzzle in islice(made, chosen.games):
        _say(write_puzzle(puzzle))
    return 0


def _check(chosen: argparse.Namespace) -> int:
    """Prove each puzzle again; 1 if a proof fails."""
    found = [each for file in chosen.files for each in read_puzzles(file)] or list(puzzles())
    code = 0
    for number, puzzle in enumerate(found, 1):
        try:
            flaw = "" if is_proved(puzzle, most=chosen.most) else "is wrong"
        except TooMuchError:
            flaw = f"needs a look at more than {chosen.most} positions"
        if flaw:
            code = 1
            _say(f"puzzle {number} {flaw}: {write_puzzle(puzzle)}")
    _say(f"{len(found)} puzzles checked")
    return code


def _volume(chosen: argparse.Namespace) -> int:
    found = [puzzle for file in chosen.files for puzzle in read_puzzles(file)]
    for puzzle in mixed(found, puzzles()):
        _say(write_puzzle(puzzle))
    return 0


def _grades(chosen: argparse.Namespace) -> int:
    """All puzzles of the file, those of the game with new grades."""
    for puzzle in read_puzzles(chosen.file):
        _say(write_puzzle(graded(puzzle) if puzzle.game == chosen.game else puzzle))
    return 0


def _prove(chosen: argparse.Namespace) -> int:
    game = catalog.create(chosen.game, _options(chosen))
    openings = [tuple(text.split()) for text in chosen.opening]
    openings += [tuple(moves[: chosen.plies]) for moves in _recorded(game, chosen.records)]
    found: list[Certificate] = []
    for opening in dict.fromkeys(openings):
        proved = prove(game, opening)
        if proved is None:
            _say(f"{' '.join(opening)}: no seat is shown to win")
        else:
            found.append(proved)
            answers = len(proved.answers)
            _say(f"{' '.join(opening)}: seat {proved.winner} wins, {answers} answers")
    write_certificates(chosen.file, found)
    return 0


def _recorded(game: Game[Any, Any], files: Sequence[Path]) -> Iterator[list[str]]:
    """The moves of the recorded games of that game with the same options."""
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            if (told["game"], told["options"]) == (game.info.key, dict(game.options)):
                yield told["moves"]


def _ladder(chosen: argparse.Namespace) -> int:
    game = catalog.create(chosen.game, _options(chosen))
    for line in ladder.measure(
        game,
        chosen.results,
        games=chosen.games,
        seed=chosen.seed,
        plies=chosen.plies,
        levels=(chosen.lowest, chosen.highest),
        references=chosen.references,
    ):
        _say(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
