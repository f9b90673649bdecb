"""The **Make a move** panel: from a game's steps to menus of at most 25 choices.

A move is picked part by part (:meth:`games.api.Game.next_steps` and ``steps``). A menu of Discord
holds 25 choices and a board has more cells, so a question with more answers is asked in two parts:
first the column (or whatever comes first in the name of the cell), then the rest. Where all moves
that begin in a part fit into one menu, the menu shows whole moves, so that two taps are enough for
nearly every move of every game.

All of it is a function of the position and of the :class:`Way` that the person has come, which
travels in custom ids. Nothing is remembered between two taps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.api import Game, Step
from games.view import Text

__all__ = ["MENU", "Choice", "Menu", "Way", "WayLostError", "menu"]

MENU = 25
"""Choices in a menu of Discord."""
_OTHER = ""


class WayLostError(LookupError):
    """The way leads nowhere in this position: an old control, or one that nobody of us made."""


@dataclass(frozen=True, slots=True)
class Way:
    """How far a person has come: the picks made, and which part of the next question is open.

    Written ``e2/f3`` or ``e2=4``, empty at the start. Keys of steps hold neither ``/`` nor ``=``.
    """

    picks: tuple[str, ...] = ()
    part: int | None = None

    def __str__(self) -> str:
        return "/".join(self.picks) + ("" if self.part is None else f"={self.part}")

    @classmethod
    def read(cls, text: str) -> Way:
        """The way of its written form; :exc:`WayLostError` if it is none."""
        picks, mark, part = text.partition("=")
        if mark and not (part.isascii() and part.isdigit() and len(part) < 4):
            raise WayLostError(text)
        return cls(tuple(picks.split("/")) if picks else (), int(part) if mark else None)

    def then(self, value: str) -> Way:
        """The way after choosing the value of a :class:`Choice`."""
        further = Way.read(value)
        return Way(self.picks + further.picks, further.part)

    @property
    def back(self) -> Way | None:
        """One step back, None at the start."""
        if self.part is not None:
            return Way(self.picks)
        return Way(self.picks[:-1]) if self.picks else None


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a menu; ``value`` goes to :meth:`Way.then`.

    ``label`` names it and ``note`` says more. ``cells`` are where it may lead on the board.
    """

    value: str
    label: Text
    note: Text | None
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """What to ask now. ``move`` is set, and ``choices`` empty, when the way is a whole move.

    ``selected`` are the cells of the picks made. ``columns`` says that a part of the question is
    asked first.
    """

    way: Way
    choices: tuple[Choice, ...]
    selected: tuple[str, ...]
    move: str | None = None
    columns: bool = False

    @property
    def targets(self) -> tuple[str, ...]:
        """The cells that the next choice may lead to, once each."""
        return tuple(dict.fromkeys(cell for choice in self.choices for cell in choice.cells))


@dataclass(frozen=True, slots=True)
class _Whole:
    """A whole move below some picks: the further picks, its notation, words, cells touched."""

    path: tuple[str, ...]
    move: str
    note: Text | None
    cells: tuple[str, ...]


@lru_cache(maxsize=512)
def _menu(
    game: Game[Any, Any],
    position: Any,
    way: Way,
) -> Menu:
    selected: list[str] = []
    steps: Sequence[Step] = game.next_steps(position, ())
    for depth, key in enumerate(way.picks, start=1):
        step = next((step for step in steps if step.key == key), None)
        if step is None:
            raise WayLostError(str(way))
        if step.cell is not None:
            selected.append(step.cell)
        if step.move is not None:
            if depth != len(way.picks) or way.part is not None:
                raise WayLostError(str(way))
            return Menu(way, (), tuple(selected), move=step.move)
        steps = game.next_steps(position, way.picks[:depth])
    if not steps:
        raise WayLostError(str(way))

    if way.part is None:
        whole = _completions(game, position, way.picks, steps)
        if whole is not None:
            choices = tuple(_whole_choice(move) for move in whole)
        elif len(steps) <= MENU:
            choices = tuple(_step_choice(step) for step in steps)
        else:
            parts = _parts(game, position, way.picks, steps)
            choices = tuple(_part_choice(number, part) for number, part in enumerate(parts))
            return Menu(way, choices, tuple(selected), columns=True)
        return Menu(way, choices, tuple(selected))

    parts = _parts(game, position, way.picks, steps)
    if len(steps) <= MENU or way.part >= len(parts):
        raise WayLostError(str(way))
    part = parts[way.part]
    whole = _completions(game, position, way.picks, part)
    if whole is not None:
        choices = tuple(_whole_choice(move) for move in whole)
    else:
        choices = tuple(_step_choice(step) for step in part)
    return Menu(way, choices, tuple(selected))


def menu(
    game: Game[Any, Any],
    position: Any,
    way: Way,
) -> Menu:
    """What to ask somebody who has come this way; :exc:`WayLostError` if it leads nowhere."""
    return _menu(game, position, way)


@lru_cache(maxsize=128)
def _below(
    game: Game[Any, Any],
    position: Any,
) -> Mapping[tuple[str, ...], Sequence[tuple[tuple[str, ...], str]]]:
    """For all picks that begin a move, the moves that they begin: their picks and notation."""
    found: dict[tuple[str, ...], list[tuple[tuple[str, ...], str]]] = {}
    for move in game.legal_moves(position):
        picks = game.steps(position, move)
        entry = (picks, game.notation(position, move))
        for depth in range(1, len(picks) + 1):
            found.setdefault(picks[:depth], []).append(entry)
    return found


def _count(
    game: Game[Any, Any],
    position: Any,
    picks: tuple[str, ...],
    step: Step,
) -> int:
    """How many whole moves begin with a step after these picks."""
    return len(_below(game, position)[*picks, step.key])


def _completions(
    game: Game[Any, Any],
    position: Any,
    picks: tuple[str, ...],
    steps: Sequence[Step],
) -> list[_Whole] | None:
    """All whole moves that begin with one of the steps, or None if no menu holds them."""
    if len(steps) > MENU or sum(_count(game, position, picks, step) for step in steps) > MENU:
        return None
    found = []
    for step in steps:
        for whole, notation in _below(game, position)[*picks, step.key]:
            path = whole[len(picks) :]
            cells = (
                game.step_cell(position, whole[:depth], whole[depth])
                for depth in range(len(picks), len(whole))
            )
            shown = tuple(cell for cell in cells if cell is not None)
            note = step.text if len(path) == 1 else None
            found.append(_Whole(path, notation, note, shown))
    return found


def _parts(
    game: Game[Any, Any],
    position: Any,
    picks: tuple[str, ...],
    steps: Sequence[Step],
) -> list[Sequence[Step]]:
    """The steps in at most 25 parts of at most 25, by column where that is possible.

    A column whose whole moves do not fit into one menu is divided further, as long as there is
    room for more parts.
    """
    columns: dict[str, list[Step]] = {}
    for step in steps:
        columns.setdefault(_column(step), []).append(step)
    parts = [
        chunk for column in columns.values() for chunk in _chunks(game, position, picks, column)
    ]
    if len(parts) > MENU:
        parts = [
            column[start : start + MENU]
            for column in columns.values()
            for start in range(0, len(column), MENU)
        ]
    if len(parts) > MENU:
        size = -(-len(steps) // MENU)
        parts = [list(steps[start : start + size]) for start in range(0, len(steps), size)]
    return list(parts)


def _chunks(
    game: Game[Any, Any],
    position: Any,
    picks: tuple[str, ...],
    column: list[Step],
) -> list[list[Step]]:
    """A column cut so that the whole moves of each piece fit into one menu, where they can."""
    chunks: list[list[Step]] = []
    room = 0
    for step in column:
        size = min(_count(game, position, picks, step), MENU)
        if size > room:
            chunks.append([])
            room = MENU
        chunks[-1].append(step)
        room -= size
    return chunks


def _column(step: Step) -> str:
    """What comes before the number in the name of a step's cell: its file, on most boards."""
    return step.cell.rstrip("0123456789") if step.cell is not None else _OTHER


def _whole_choice(whole: _Whole) -> Choice:
    label = Text.of("{move}", move=whole.move)
    note = whole.note if whole.note != label else None
    return Choice("/".join(whole.path), label, note, whole.cells)


def _step_choice(step: Step) -> Choice:
    cells = (step.cell,) if step.cell is not None else ()
    note = Text.of("{move}", move=step.move) if step.move is not None else None
    return Choice(step.key, step.text, note, cells)


def _part_choice(number: int, part: Sequence[Step]) -> Choice:
    cells = tuple(dict.fromkeys(step.cell for step in part if step.cell is not None))
    if len(part) == 1:
        return _step_choice(part[0])
    if not cells:
        return Choice(f"={number}", Text.of("Other moves"), None, cells)
    column = _column(part[0])
    same = all(_column(step) == column for step in part)
    label = (
        Text.of("Column {column}", column=column)
        if same
        else Text.of("{first} to {last}", first=cells[0], last=cells[-1])
    )
    note = Text.of("{first} to {last}", first=cells[0], last=cells[-1]) if same else None
    return Choice(f"={number}", label, note, cells)
