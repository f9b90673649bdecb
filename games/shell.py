"""A line protocol over the rules, so that any program can referee or play.

One command a line, one answer a line: ``= ...`` if it was done, ``? code words`` if not, and
nothing else. A refused command changes nothing. The commands:

``new GAME [option=value ...] [seed=N]``
    Start a game; answers its key and all its options. ``seed`` fixes a random set-up.
``set TEXT``
    Take a position text, bare or with all that ``state`` adds; answers the position text.
``play MOVE ...``
    Play moves, all of them or, if one is refused, none; answers their canonical notation.
``undo``
    Take the last move back; answers it.
``legal``
    All legal moves, sorted as strings.
``position``, ``state``
    The position text; the position with all that legality needs.
``turn``
    The colour on turn in the position text's letters, or ``-``.
``result``
    ``none``, or a reason code and one score a seat.
``perft N``
    The number of sequences of N moves.
``games``, ``help``, ``quit``
    The keys of all games; the commands; the end.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, BinaryIO

from games import catalog
from games.api import Game
from games.errors import GameError, MoveError, OptionError
from games.playout import perft, result_line

LONGEST_LINE = 20_000
_DEEPEST = 99


class CommandError(Exception):
    """A failed command: its code, and words for a person."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(code, words)
        self.code = code
        self.words = words


@dataclass
class _Table:
    """A game being played: the positions so far and the notation of each move."""

    game: Game[Any, Any]
    positions: list[Any]
    moves: list[str] = field(default_factory=list)

    @property
    def position(self) -> Any:
        return self.positions[-1]


class Shell:
    """One game at a time, and the answers to commands about it."""

    def __init__(self) -> None:
        self.closed = False
        self._table: _Table | None = None
        self._commands: dict[str, Callable[[str], str]] = {
            "new": self._new,
            "set": self._set,
            "play": self._play,
            "undo": self._undo,
            "legal": self._legal,
            "position": self._position,
            "state": self._state,
            "turn": self._turn,
            "result": self._result,
            "perft": self._perft,
            "games": self._games,
            "help": self._help,
            "quit": self._quit,
        }

    def answer(self, line: str) -> str:
        """The answer to one line, itself one line of printable ASCII."""
        try:
            return _one_line(f"= {self._done(line)}")
        except CommandError as error:
            return _one_line(f"? {error.code} {error.words}")
        except Exception as error:  # a bug: report it, and go on with the game as it was
            traceback.print_exc(file=sys.stderr)
            return _one_line(f"? internal_error {type(error).__name__}")

    def _done(self, line: str) -> str:
        if len(line) > LONGEST_LINE:
            raise CommandError("line_too_long", f"at most {LONGEST_LINE} characters")
        name, _, rest = line.strip().partition(" ")
        command = self._commands.get(name)
        if command is None:
            raise CommandError("unknown_command", f"known: {' '.join(self._commands)}")
        return command(rest.strip())

    def _new(self, rest: str) -> str:
        key, *settings = rest.split() or [""]
        options: dict[str, str] = {}
        for setting in settings:
            name, equals, value = setting.partition("=")
            if not equals or name in options:
                raise CommandError("usage", "new GAME option=value ... seed=N, each once")
            options[name] = value
        seed = _number(options.pop("seed", "0"), "seed", 10**9)
        try:
            game = catalog.create(key, options)
        except OptionError as error:
            words = " ".join(f"{name}={value}" for name, value in error.params.items())
            raise CommandError(error.code, words) from None
        self._table = _Table(game, [game.initial(Random(seed))])
        return " ".join([key, *(f"{name}={value}" for name, value in game.options.items())])

    def _set(self, rest: str) -> str:
        game = self._here.game
        try:
            position = game.decode(rest)
        except GameError as error:
            raise CommandError(error.code, _sentence(game, error)) from None
        self._table = _Table(game, [position])
        return game.position_text(position)

    def _play(self, rest: str) -> str:
        table = self._here
        texts = rest.split()
        if not texts:
            raise CommandError("usage", "play MOVE ...")
        positions: list[Any] = []
        played: list[str] = []
        position = table.position
        for number, text in enumerate(texts, 1):
            try:
                move = table.game.parse(position, text)
            except MoveError as error:
                where = f"(move {number} of {len(texts)}, none played)" if len(texts) > 1 else ""
                words = f"{_sentence(table.game, error)} {where}"
                raise CommandError(error.code, words) from None
            played.append(table.game.notation(position, move))
            position = table.game.play(position, move)
            positions.append(position)
        table.positions += positions
        table.moves += played
        return " ".join(played)

    def _undo(self, rest: str) -> str:
        table = self._alone(rest)
        if not table.moves:
            raise CommandError("nothing_to_undo", "no move has been played")
        table.positions.pop()
        return table.moves.pop()

    def _legal(self, rest: str) -> str:
        table = self._alone(rest)
        moves = table.game.legal_moves(table.position)
        return " ".join(sorted(table.game.notation(table.position, move) for move in moves))

    def _position(self, rest: str) -> str:
        table = self._alone(rest)
        return table.game.position_text(table.position)

    def _state(self, rest: str) -> str:
        table = self._alone(rest)
        return table.game.encode(table.position)

    def _turn(self, rest: str) -> str:
        table = self._alone(rest)
        return table.game.turn(table.position)

    def _result(self, rest: str) -> str:
        table = self._alone(rest)
        return result_line(table.game, table.position)

    def _perft(self, rest: str) -> str:
        table = self._here
        return str(perft(table.game, table.position, _number(rest, "perft", _DEEPEST)))

    def _games(self, rest: str) -> str:  # noqa: ARG002
        return " ".join(catalog.GAMES)

    def _help(self, rest: str) -> str:  # noqa: ARG002
        return " ".join(self._commands)

    def _quit(self, rest: str) -> str:  # noqa: ARG002
        self.closed = True
        return ""

    @property
    def _here(self) -> _Table:
        if self._table is None:
            raise CommandError("no_game", "start one with: new GAME")
        return self._table

    def _alone(self, rest: str) -> _Table:
        """The table, for a command that stands alone."""
        if rest:
            raise CommandError("usage", "this command takes nothing after it")
        return self._here


def _number(text: str, what: str, most: int) -> int:
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else -1
    if not 0 <= value <= most:
        raise CommandError("usage", f"{what} wants a whole number from 0 to {most}")
    return value


def _sentence(game: Game[Any, Any], error: GameError) -> str:
    """The refusal in words."""
    return game.info.refusals[error.code].filled(error.params).english()


def _one_line(text: str) -> str:
    plain = " ".join(text.encode("ascii", "backslashreplace").decode("ascii").split())
    if plain.isprintable():
        return plain
    return " ".join("".join(c if c.isprintable() else " " for c in plain).split())


def serve(source: BinaryIO, answers: BinaryIO, shell: Shell | None = None) -> None:
    """Answer line after line until ``quit`` or the end of the input.

    Input may be any bytes; invalid UTF-8 is replaced before it is read. ``shell`` may have more
    commands than these.
    """
    shell = shell or Shell()
    while not shell.closed:
        line = source.readline(4 * LONGEST_LINE)
        if not line:
            return
        text = line.decode("utf-8", "replace")
        while not line.endswith(b"\n") and (line := source.readline(4 * LONGEST_LINE)):
            text = " " * (LONGEST_LINE + 1)  # the rest of an endless line: one answer for all of it
        answers.write(shell.answer(text.rstrip("\r\n")).encode("ascii") + b"\n")
        answers.flush()
