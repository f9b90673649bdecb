"""A referee and ``python -m games shell`` play the same games and have to agree at every ply.

The referee chooses: it knows its own legal moves, so that a game can be played without waiting for
an answer. Commands go ahead of the answers by a window, which lets both processes work at the same
time; every answer is then held against what the referee said when the command was sent.

At every ply: the list of legal moves, the position text, the colour on turn and the result. Now and
then also a move that was legal earlier in the game and no longer is, which has to be refused and to
change nothing. Some games begin from a position of the rules page, or from one with an end that
random play hardly comes to. After a game both are set to one of its positions and have to agree on
it again, with nothing known of what was before.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.referees import REFEREES, Referee

ROOT = Path(__file__).parents[2]
WINDOW = 1000
"""So many commands may be unanswered: few enough to fit the pipe to the child, so that neither can
wait for the other for ever, and enough for both to work for a while without looking up."""
REFUSED = "? ..."
"""Stands for any answer that refuses what was asked."""
SET_UP = 10
"""Every tenth game begins from one of the referee's positions."""


class Disagreement(Exception):
    """The game and the referee do not say the same."""


@dataclass
class Tally:
    """The comparisons so far."""

    games: int = 0
    plies: int = 0
    moves: int = 0
    """Legal moves in all the lists."""
    refusals: int = 0
    results: Counter[str] = field(default_factory=Counter)
    """How often each reason ended a game."""

    def __str__(self) -> str:
        ends = ", ".join(f"{reason} {count:,}" for reason, count in self.results.most_common())
        return (
            f"{self.plies:,} plies in {self.games:,} games, {self.moves:,} legal moves, "
            f"{self.refusals:,} refusals; {ends}"
        )


@dataclass
class Line:
    """A line of play: the command that began it, and the moves so far."""

    beginning: str
    moves: list[str] = field(default_factory=list)

    def commands(self, count: int) -> str:
        """The commands that lead to the position after this many moves."""
        return f"{self.beginning}\nplay {' '.join(self.moves[:count])}" if count else self.beginning


class Shell:
    """The game's own process, with commands on their way to it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "games", "shell"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self._sent: deque[tuple[str, str, Line, int]] = deque()

    def __enter__(self) -> Shell:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def send(self, line: Line, commands: Sequence[tuple[str, str]]) -> None:
        """Send commands, each with the answer that it must get, or :data:`REFUSED`."""
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{command}\n" for command, _ in commands))
        self._process.stdin.flush()
        here = len(line.moves)
        self._sent.extend((command, wanted, line, here) for command, wanted in commands)
        if len(self._sent) > WINDOW:
            while len(self._sent) > WINDOW // 2:
                self._settle()

    def settle(self) -> None:
        """Hear all answers that are still to come."""
        while self._sent:
            self._settle()

    def _settle(self) -> None:
        assert self._process.stdout is not None
        command, wanted, line, moves = self._sent.popleft()
        answer = self._process.stdout.readline().rstrip("\n")
        if wanted == REFUSED:
            agrees = answer[:1] == "?" and not answer.startswith("? internal_error")
        else:
            agrees = answer == wanted
        if not agrees:
            before = line.commands(moves)
            raise Disagreement(f"{before}\n{command}\n  referee {wanted}\n  game    {answer}")


Style = Callable[[Random, list[str], list[str]], str]
"""Chooses among the legal moves, knowing the moves played."""


def evenly(rng: Random, legal: list[str], played: list[str]) -> str:
    return rng.choice(legal)


def taking(rng: Random, legal: list[str], played: list[str]) -> str:
    """Captures, pins and exits first: short games with few pieces."""
    return rng.choice([move for move in legal if set(move) & set(":x^")] or legal)


def returning(rng: Random, legal: list[str], played: list[str]) -> str:
    """Often back to where the last own move came from, as games that end in a draw have it."""
    if len(played) > 1 and rng.random() < 0.85:
        cells = re.findall(r"[a-o]\d+", played[-2])
        back = [move for move in legal if re.findall(r"[a-o]\d+", move) == cells[::-1]]
        if back and len(cells) > 1:
            return rng.choice(back)
    return rng.choice(legal)


STYLES: tuple[Style, ...] = (evenly, taking, evenly, returning)


def compare(
    key: str,
    plies: int,
    *,
    seed: int = 0,
    referee: type[Referee] | None = None,
    told: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Play games of ``key`` to their end until so many plies are compared.

    All set-up options come in rotation, each with every style of play. ``referee`` replaces the
    one of that game; ``told`` hears the tally after each game. Raises :exc:`Disagreement` with
    the commands that lead to it.
    """
    kind = referee or REFEREES[key]
    tally = Tally()
    with Shell() as shell:
        while tally.plies < plies:
            options = kind.SETTINGS[tally.games % len(kind.SETTINGS)]
            style = STYLES[tally.games // len(kind.SETTINGS) % len(STYLES)]
            settings = " ".join([key, *(f"{name}={value}" for name, value in options.items())])
            game = Duel(shell, kind(**options), style, Random(f"{key} {seed} {tally.games}"))
            game.new(settings)
            if tally.games % SET_UP == SET_UP - 1:
                game.set(kind.STARTS[tally.games // SET_UP % len(kind.STARTS)])
            game.play(tally)
            if tally.plies >= plies:
                shell.settle()
            told(tally)
    return tally


@dataclass
class Duel:
    """One game between the shell and a referee."""

    shell: Shell
    referee: Referee
    style: Style
    rng: Random
    line: Line = field(default_factory=lambda: Line(""))

    def new(self, settings: str) -> None:
        """Begin in the shell as the referee has begun."""
        self.line = Line(f"new {settings}")
        self.shell.send(self.line, [(self.line.beginning, f"= {settings}")])

    def set(self, text: str) -> None:
        """Set both up with a position."""
        self.referee.set(text)
        self.shell.send(self.line, [(f"set {text}", f"= {text}")])
        self.line = Line(f"{self.line.beginning.splitlines()[0]}\nset {text}")

    def play(self, tally: Tally) -> None:
        """From the start to the end."""
        before: list[str] = []
        seen: list[str] = []
        while True:
            legal = sorted(self.referee.legal())
            text = self.referee.text()
            seen.append(text)
            commands = self.asked(legal, text)
            if before and self.rng.random() < 0.2:
                stale = self.rng.choice(before)
                if not any(plain(stale) == plain(move) for move in legal):
                    commands.append((f"play {stale}", REFUSED))
                    tally.refusals += 1
            tally.moves += len(legal)
            if not legal:
                tally.games += 1
                tally.results[self.referee.result().split()[0]] += 1
                self.shell.send(self.line, commands)
                self.set(self.rng.choice(seen))
                again = self.asked(sorted(self.referee.legal()), self.referee.text())
                self.shell.send(self.line, again)
                return
            move = self.style(self.rng, legal, self.line.moves)
            self.shell.send(self.line, [*commands, (f"play {move}", f"= {move}")])
            self.referee.play(move)
            self.line.moves.append(move)
            before = legal
            tally.plies += 1

    def asked(self, legal: list[str], text: str) -> list[tuple[str, str]]:
        """The questions to the shell at every ply, with the referee's answers."""
        return [
            ("legal", f"= {' '.join(legal)}".rstrip()),
            ("position", f"= {text}"),
            ("turn", f"= {self.referee.turn()}"),
            ("result", f"= {self.referee.result()}"),
        ]


def plain(move: str) -> str:
    """The letters and digits of a move: what a forgiving reader might go by."""
    return "".join(letter for letter in move if letter.isalnum() and letter != "x")
