"""Lessons: a game taught on a real board, one small task after another, and puzzles.

A task shows a position and asks for a move. A right move fulfils an :data:`Aim`, a question that
the game itself answers, so no rule is repeated here. Where right and wrong follow from looking
ahead (a puzzle), the task has the moves together with the :class:`~games.search.Goal` by which an
exhaustive search has to find them: :class:`Proven`. The conformance suite runs that search.

Lessons depend on the rules, not the other way round: :data:`games.catalog.LESSONS` holds those of
all games.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from games.api import Game
from games.search import ForcedWin, Goal, Refutation
from games.view import Marks, Text


class Aim(Protocol):
    """The requirement of a task."""

    def __call__(self, game: Game[Any, Any], position: Any, move: Any, /) -> bool:
        """Whether a legal move in the position is right."""
        ...


@dataclass(frozen=True, slots=True)
class AnyMove:
    """Any legal move will do."""

    def __call__(self, game: Game[Any, Any], position: Any, move: Any, /) -> bool:
        """Whether a legal move in the position is right."""
        return game.is_legal(position, move)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some moves, in canonical notation."""

    moves: tuple[str, ...]

    def __call__(self, game: Game[Any, Any], position: Any, move: Any, /) -> bool:
        """Whether a legal move in the position is right."""
        return game.notation(position, move) in self.moves


@dataclass(frozen=True, slots=True)
class Like:
    """A move of one kind: its canonical notation is all of the regular expression ``pattern``."""

    pattern: str

    def __call__(self, game: Game[Any, Any], position: Any, move: Any, /) -> bool:
        """Whether a legal move in the position is right."""
        return re.fullmatch(self.pattern, game.notation(position, move)) is not None


@dataclass(frozen=True, slots=True)
class Wins:
    """A move that wins immediately."""

    def __call__(self, game: Game[Any, Any], position: Any, move: Any, /) -> bool:
        """Whether a legal move in the position is right."""
        outcome = game.outcome(game.play(position, move))
        return outcome is not None and game.to_move(position) in outcome.winners


@dataclass(frozen=True, slots=True)
class MovesAgain:
    """A move after which the same side is on turn again."""

    def __call__(self, game: Game[Any, Any], position: Any, move: Any, /) -> bool:
        """Whether a legal move in the position is right."""
        return game.to_move(game.play(position, move)) == game.to_move(position)


@dataclass(frozen=True, slots=True)
class Proven:
    """One of some moves, in canonical notation: exactly those that reach ``goal``.

    The test suite searches for the goal: a lesson only looks into the list.
    """

    moves: tuple[str, ...]
    goal: Goal

    def __call__(self, game: Game[Any, Any], position: Any, move: Any, /) -> bool:
        """Whether a legal move in the position is right."""
        return game.notation(position, move) in self.moves


@dataclass(frozen=True, slots=True)
class WrongMove:
    """The answer to a wrong move of a certain kind."""

    aim: Aim
    words: Text


@dataclass(frozen=True, slots=True)
class Board:
    """The position in which a task asks for a move, and the marks of the move that led there."""

    position: Any
    marks: Marks


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a move is right, and a comment on it, if any."""

    right: bool
    words: Text | None


@dataclass(frozen=True, slots=True)
class Task:
    """One exercise on a board.

    ``position`` is a position text under ``options``; the moves of ``line`` are played from there,
    and the last of them is marked. ``words`` say what is new and what to do, ``hint`` helps on
    request, ``answer`` is a right move in canonical notation for players who ask for it, ``praise``
    answers a right one. The first of ``wrong_moves`` that fits answers a wrong one.
    """

    words: Text
    position: str
    aim: Aim
    answer: str
    praise: Text
    hint: Text
    wrong_moves: tuple[WrongMove, ...] = ()
    line: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def set_up(self, game: Game[Any, Any]) -> Board:
        """The position to move in, of a game under ``options``."""
        position, marks = game.decode(self.position), Marks()
        for text in self.line:
            move = game.parse(position, text)
            position, marks = game.play(position, move), game.marks(position, move)
        return Board(position, marks)

    def judge(self, game: Game[Any, Any], position: Any, move: Any) -> Verdict:
        """The verdict on a legal move in the position of :meth:`set_up`."""
        if self.aim(game, position, move):
            return Verdict(right=True, words=self.praise)
        for wrong in self.wrong_moves:
            if wrong.aim(game, position, move):
                return Verdict(right=False, words=wrong.words)
        return Verdict(right=False, words=None)

    def refute(self, game: Game[Any, Any], position: Any, move: Any) -> Refutation | None:
        """The other side's answer to a wrong move, if the task is to look ahead."""
        goal = self.aim.goal if isinstance(self.aim, Proven) else None
        return None if goal is None else goal.refutation(game, position, move)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to think about, in one task or several that follow each other."""

    title: Text
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A course in a game: ``tasks`` one after another, then any of the ``puzzles``.

    ``farewell`` comes after the last task.
    """

    tasks: tuple[Task, ...]
    farewell: Text
    puzzles: tuple[Puzzle, ...] = ()


_GO_ON = (
    Text.of("Your opponent answers like this. From here you win in two moves."),
    Text.of("That keeps the win."),
    Text.of("The plan stays the same."),
)
_FINISH = (
    Text.of("Your opponent answers like this. Finish the game."),
    Text.of("Won. No answer could have stopped you."),
    Text.of("One move is enough now."),
)


def won_by_force(
    title: Text,
    words: Text,
    position: str,
    *,
    answers: tuple[tuple[str, ...], ...],
    replies: tuple[str, ...],
    praise: Text,
    hint: Text,
    wrong_moves: tuple[WrongMove, ...] = (),
    options: Mapping[str, Any] | None = None,
) -> Puzzle:
    """A win that takes as many moves as there are ``answers``, two or three, and no fewer.

    Each of the answers names all moves that keep it, the one to continue with first; ``replies``
    are the moves of the other side in between. ``words``, ``praise`` and ``hint`` are for the first
    move.
    """
    tasks = []
    line: tuple[str, ...] = ()
    for number, right in enumerate(answers):
        left = len(answers) - number
        said, praised, helped = _FINISH if left == 1 else _GO_ON
        if number == 0:
            said, praised, helped = words, praise, hint
        aim = Proven(right, ForcedWin(left))
        tasks.append(
            Task(
                said,
                position,
                aim,
                right[0],
                praised,
                helped,
                () if number else wrong_moves,
                line,
                options or {},
            )
        )
        line = (*line, right[0], *replies[number : number + 1])
    return Puzzle(title, tuple(tasks))
