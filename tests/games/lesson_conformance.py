"""Promises of every lesson to its host, as a check for any game.

``test_lessons.py`` runs it for every game of the catalogue and shows with broken lessons that it
fails when it should.
"""

from __future__ import annotations

from typing import Any

from games.api import Game
from games.lesson import AnyMove, Lesson, OneOf, Proven, Puzzle, Task
from games.search import ForcedWin, Goal
from games.view import Text
from tests.games import conformance

LONGEST = 420
"""Characters of what a task says at once: more is not read on a telephone."""


def check_lesson(kind: type[Game[Any, Any]], lesson: Lesson) -> None:
    """Positions can be read, what is asked can be done, answers are right, searches agree."""
    assert lesson.tasks, "an empty lesson"
    check_words(lesson.farewell)
    for task in lesson.tasks:
        check_task(kind, task)
    for puzzle in lesson.puzzles:
        check_puzzle(kind, puzzle)
    titles = [puzzle.title for puzzle in lesson.puzzles]
    assert len(set(titles)) == len(titles), "two puzzles have the same title"


def check_words(text: Text) -> None:
    """A sentence without places to fill that is not too long."""
    conformance.check_text_is_filled(text)
    assert not text.params, f"{text.message!r} has parameters"
    assert len(text.message) <= LONGEST, f"{len(text.message)} characters: {text.message!r}"


def check_puzzle(kind: type[Game[Any, Any]], puzzle: Puzzle) -> None:
    """Tasks of one puzzle go on from each other's answers, and each is proven."""
    check_words(puzzle.title)
    assert puzzle.tasks, "an empty puzzle"
    for task in puzzle.tasks:
        check_task(kind, task)
        assert isinstance(task.aim, Proven), f"{task.words.message!r} is not proven"
    for before, after in zip(puzzle.tasks, puzzle.tasks[1:], strict=False):
        assert after.position == before.position, "a puzzle changes its board"
        gone = (*before.line, before.answer)
        assert after.line[: len(gone)] == gone, f"{after.line} does not go on from {gone}"


def check_task(kind: type[Game[Any, Any]], task: Task) -> None:
    """One task can be set up, understood and solved, and is not solved by everything."""
    for text in (task.words, task.praise, task.hint, *(wrong.words for wrong in task.wrong_moves)):
        check_words(text)
    game = kind(task.options)
    board = task.set_up(game)
    position, what = board.position, task.words.message
    conformance.check_view(game, position)
    moves = {game.notation(position, move): move for move in game.legal_moves(position)}
    assert moves, f"{what!r}: the game is over"

    right = {text for text, move in moves.items() if task.aim(game, position, move)}
    assert game.notation(position, game.parse(position, task.answer)) == task.answer
    assert task.answer in right, f"{what!r}: {task.answer} is not right"
    if not isinstance(task.aim, AnyMove):
        assert right != set(moves), f"{what!r}: every move is right"
    if isinstance(task.aim, OneOf | Proven):
        assert set(task.aim.moves) == right, f"{what!r}: {set(task.aim.moves) - right} illegal"
    if isinstance(task.aim, Proven):
        found = task.aim.goal.moves(game, position)
        assert found == right, f"{what!r}: a search finds {sorted(found)}, not {sorted(right)}"

        check_no_faster_win(game, task.aim.goal, position)

    check_verdicts(game, task, position, moves)
    picks: tuple[str, ...] = ()
    for key in game.steps(position, moves[task.answer]):
        steps = {step.key: step.move for step in game.next_steps(position, picks)}
        assert key in steps, f"{what!r}: no way to {task.answer} after {picks}"
        picks = (*picks, key)
    assert steps[key] == task.answer, f"{what!r}: the picks {picks} do not end"


def check_no_faster_win(game: Game[Any, Any], goal: Goal, position: Any) -> None:
    """A win that is said to take so many moves takes no fewer."""
    if isinstance(goal, ForcedWin) and goal.within is not None and goal.within > 1:
        faster = ForcedWin(goal.within - 1).moves(game, position)
        assert not faster, f"{sorted(faster)} wins sooner"


def check_verdicts(game: Game[Any, Any], task: Task, position: Any, moves: dict[str, Any]) -> None:
    """Every move is judged, right ones are praised, and all words for wrong ones are said."""
    told = set()
    for move in moves.values():
        verdict = task.judge(game, position, move)
        assert verdict.right == task.aim(game, position, move)
        assert verdict.right == (verdict.words is task.praise)
        told.add(verdict.words)
    for wrong in task.wrong_moves:
        assert wrong.words in told, f"nobody is ever told {wrong.words.message!r}"


def all_tasks(lesson: Lesson) -> list[Task]:
    """The tasks of a lesson and of its puzzles."""
    return [*lesson.tasks, *(task for puzzle in lesson.puzzles for task in puzzle.tasks)]
