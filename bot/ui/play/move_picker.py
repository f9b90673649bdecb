"""The **Make a move** panel: from a game's steps to questions of at most 25 choices.

A move is picked part by part (:meth:`games.api.Game.next_steps` and ``steps``). A page of Discord
holds 25 choices and a position has more moves, so each question takes the shortest of three forms:

- All moves that are left, if they fit. Buttons must leave the board in sight.
- Else the next picks, if they fit: a piece, then where it goes.
- Else the columns where the moves first touch the board: a column, then its moves. Also where the
  picks would fit, if one of them leads to more moves than fit and no column does.

Players who want to see where each piece can go may still be asked pick by pick.

All of it is a function of the position and of a :class:`MovePick`, which travels in custom ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Any

from bot.errors import UserError
from bot.ui.pages.components import CHOICES, lines_on_a_phone, width
from games.api import Game, Step
from games.view import Text

LINES = 5
"""Lines of whole moves on a phone above which the board would be out of sight."""
_OTHER = ""
_SINGLY = "."


class PickLostError(UserError):
    """The way leads nowhere in this position: ``out_of_date``, or a forged control."""

    def __init__(self) -> None:
        super().__init__("out_of_date")


@dataclass(frozen=True, slots=True)
class MovePick:
    """The picks made so far, and which part of the next question is open.

    ``singly`` asks for the next pick alone, where whole moves would be offered.

    Written ``e2/f3``, ``e2=4`` or ``e2=.``, empty at the start. Keys of steps hold neither ``/``
    nor ``=``.
    """

    picks: tuple[str, ...] = ()
    part: int | None = None
    singly: bool = False

    def __str__(self) -> str:
        part = _SINGLY if self.singly else self.part
        return "/".join(self.picks) + ("" if part is None else f"={part}")

    @classmethod
    def read(cls, text: str) -> MovePick:
        """The picks of their written form. Raises :exc:`PickLostError`."""
        picks, mark, part = text.partition("=")
        if part == _SINGLY:
            return cls(tuple(picks.split("/")) if picks else (), singly=True)
        if mark and not (part.isascii() and part.isdigit() and len(part) < 4):
            raise PickLostError
        return cls(tuple(picks.split("/")) if picks else (), int(part) if mark else None)

    def then(self, value: str) -> MovePick:
        """The picks after choosing the value of a :class:`Choice`."""
        further = MovePick.read(value)
        return MovePick(self.picks + further.picks, further.part, further.singly)

    @property
    def back(self) -> MovePick | None:
        """One step back, None at the start."""
        if self.part is not None or self.singly:
            return MovePick(self.picks)
        return MovePick(self.picks[:-1]) if self.picks else None


@dataclass(frozen=True, slots=True)
class Choice:
    """A line of a menu, or a button; ``value`` goes to :meth:`MovePick.then`.

    ``label`` names it, ``short`` on a button, and ``notes`` say more, pick by pick. ``cells`` are
    where it may lead, in the order of the picks if it is a whole move.
    """

    value: str
    label: Text
    short: Text
    notes: tuple[Text, ...]
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """The next question. ``move`` is set, and ``choices`` empty, when the way is a whole move.

    ``said`` are the words of the picks made, ``selected`` their cells. ``columns``: a column is
    asked first. ``singly`` is the way to the same question pick by pick, None where that would be
    no help. ``specials`` are whole moves that are no place on the board, such as a swap or a pass:
    they have buttons of their own.
    """

    way: MovePick
    choices: tuple[Choice, ...]
    said: tuple[Text, ...]
    selected: tuple[str, ...]
    move: str | None = None
    columns: bool = False
    singly: MovePick | None = None
    specials: tuple[Choice, ...] = ()

    @property
    def only(self) -> MovePick | None:
        """The way on if there is only one, None if there is a choice."""
        every = (*self.choices, *self.specials)
        return self.way.then(every[0].value) if len(every) == 1 else None

    @property
    def targets(self) -> tuple[str, ...]:
        """The cells of the next picks, once each.

        Of whole moves only the first: all together would not show which piece can go where.
        """
        return tuple(dict.fromkeys(cell for choice in self.choices for cell in choice.cells[:1]))


def menu(
    game: Game[Any, Any],
    position: Any,
    way: MovePick,
    most: int = CHOICES,
    *,
    lines: int | None = None,
) -> Menu:
    """The question after these picks, in at most ``most`` choices.

    With ``lines`` they become buttons: whole moves that take more lines on a phone would hide the
    board, so they are asked for pick by pick. Raises :exc:`PickLostError`.
    """
    selected: list[str] = []
    said: list[Text] = []
    steps = _steps(game, position, ())
    for depth, key in enumerate(way.picks, start=1):
        step = next((step for step in steps if step.key == key), None)
        if step is None:
            raise PickLostError
        said.append(step.text)
        if step.cell is not None:
            selected.append(step.cell)
        if step.move is not None:
            if depth != len(way.picks) or way.part is not None or way.singly:
                raise PickLostError
            return Menu(way, (), tuple(said), tuple(selected), move=step.move)
        steps = _steps(game, position, way.picks[:depth])
    if not steps:
        raise PickLostError

    asked = Menu(way, (), tuple(said), tuple(selected))
    if not way.picks:
        spoken = game.info.spoken
        special = [step for step in steps if step.move in spoken]
        steps = [step for step in steps if step.move not in spoken]
        named = ((step.key, spoken[step.move or ""].label) for step in special)
        choices = tuple(Choice(key, label, label, (), ()) for key, label in named)
        asked = replace(asked, specials=choices)
        if not steps:
            return asked
    if way.singly:
        if len(steps) > most:
            raise PickLostError
        return replace(asked, choices=tuple(_step_choice(step) for step in steps))
    left = _moves_left(game, position, way.picks, steps)
    if way.part is not None:
        parts = _parts(game, position, way.picks, left, most)
        if len(left) <= most or way.part >= len(parts):
            raise PickLostError
        left = parts[way.part]
        begun = {picks[0] for picks in left.values()}
        steps = [step for step in steps if step.key in begun]
    if len(left) <= most and (way.part is not None or _are_few(left, steps, lines)):
        goes_on = 1 < len(steps) <= most and any(len(path) > 1 for path in left.values())
        singly = MovePick(way.picks, singly=True) if goes_on and way.part is None else None
        choices = tuple(
            _whole(game, position, way.picks, path, move) for move, path in left.items()
        )
        return replace(asked, choices=choices, singly=singly)
    if way.part is None and len(left) > most:
        parts = _parts(game, position, way.picks, left, most)
        if len(steps) > most or _columns_are_shorter(game, steps, left, parts, most):
            choices = _part_choices(game, position, way.picks, parts)
            return replace(asked, choices=choices, columns=True)
    return replace(asked, choices=tuple(_step_choice(step) for step in steps))


def question_after(game: Game[Any, Any], position: Any, way: MovePick) -> Menu:
    """The same in buttons, without questions that have one answer only."""
    asked = menu(game, position, way, lines=LINES)
    while asked.move is None and asked.only is not None:
        asked = menu(game, position, asked.only, lines=LINES)
    return asked


def question_before(game: Game[Any, Any], position: Any, way: MovePick) -> MovePick | None:
    """The last question on this way that was a choice, if any."""
    before = way.back
    while before is not None and menu(game, position, before, lines=LINES).only is not None:
        before = before.back
    return before


@lru_cache(maxsize=64)
def _steps(game: Game[Any, Any], position: Any, picks: tuple[str, ...]) -> Sequence[Step]:
    """The next picks after these: a page asks again and again for all on the way to it."""
    return game.next_steps(position, picks)


@lru_cache(maxsize=128)
def _moves(game: Game[Any, Any], position: Any) -> Sequence[tuple[tuple[str, ...], str]]:
    """The picks and the notation of every legal move.

    One page asks for them a dozen times, and that takes up to a millisecond.
    """
    moves = game.legal_moves(position)
    return [(game.steps(position, move), game.notation(position, move)) for move in moves]


@lru_cache(maxsize=64)
def _below(
    game: Game[Any, Any], position: Any, picks: tuple[str, ...]
) -> Mapping[str, tuple[str, ...]]:
    """The moves that begin with these picks, by notation, with the picks that are left.

    A page asks for the same again and again.
    """
    left = ((game.left_after(whole, picks), move) for whole, move in _moves(game, position))
    return {move: further for further, move in left if further is not None}


_Left = Mapping[str, tuple[str, ...]]
"""Moves by their notation, with the picks that are left of each."""


def _moves_left(
    game: Game[Any, Any], position: Any, picks: tuple[str, ...], steps: Sequence[Step]
) -> _Left:
    """The whole moves that begin with the picks and then one of the steps.

    A move to which two of the steps lead, as two riders do, is one move.
    """
    begun = {step.key for step in steps}
    below = _below(game, position, picks)
    return {move: left for move, left in below.items() if left and left[0] in begun}


def _are_few(left: _Left, steps: Sequence[Step], lines: int | None) -> bool:
    """Whether the moves fit into so many lines of buttons, or the picks would take no fewer."""
    if lines is None or len(steps) >= len(left):
        return True
    return len(lines_on_a_phone([width(move) for move in left])) <= lines


def _columns_are_shorter(
    game: Game[Any, Any], steps: Sequence[Step], left: _Left, parts: Sequence[_Left], most: int
) -> bool:
    """Whether every part leads to its moves at once, and some step does not.

    If a step is a whole move, asking for anything else first would be a tap more for it.
    """
    if any(step.move is not None for step in steps) or any(len(part) > most for part in parts):
        return False
    below = Counter(key for path in left.values() for key in game.next_of(path))
    return any(below[step.key] > most for step in steps)


def _whole(
    game: Game[Any, Any],
    position: Any,
    picks: tuple[str, ...],
    path: tuple[str, ...],
    move: str,
) -> Choice:
    picked = (*picks, *path)
    depths = range(len(picks), len(picked))
    cells = (game.step_cell(position, picked[:depth], picked[depth]) for depth in depths)
    notes = tuple(game.step_text(position, picked[:depth], picked[depth]) for depth in depths)
    label = Text.of("{move}", move=move)
    found = tuple(cell for cell in cells if cell is not None)
    return Choice("/".join(path), label, label, notes if notes != (label,) else (), found)


def notes_of(game: Game[Any, Any], position: Any, move: Any) -> tuple[Text, ...]:
    """A legal move in words, pick by pick."""
    path = game.steps(position, move)
    return tuple(game.step_text(position, path[:at], key) for at, key in enumerate(path))


def _parts(
    game: Game[Any, Any],
    position: Any,
    picks: tuple[str, ...],
    left: _Left,
    most: int,
) -> list[_Left]:
    """The moves in at most ``most`` parts, by the column of the cell that each touches first.

    A column with more than ``most`` moves is divided further between its cells, if there is room.
    """
    cells: dict[str, dict[str, tuple[str, ...]]] = {}
    for move, path in left.items():
        cell = _first_cell(game, position, picks, path)
        cells.setdefault(cell, {})[move] = path
    # On a column with both empty cells and pieces the moves of each kind come one after the other.
    ordered = sorted(cells, key=lambda cell: (_column(cell), _row(cell)))
    columns = [list(group) for _, group in groupby(ordered, key=_column)]
    sizes = {cell: len(moves) for cell, moves in cells.items()}
    parts = [chunk for column in columns for chunk in _chunks(column, sizes, most)]
    if len(parts) > most:
        ones = dict.fromkeys(ordered, 1)
        parts = [chunk for column in columns for chunk in _chunks(column, ones, most)]
    if len(parts) > most:
        size = -(-len(ordered) // most)
        parts = [ordered[start : start + size] for start in range(0, len(ordered), size)]
    return [{move: path for cell in part for move, path in cells[cell].items()} for part in parts]


def _chunks(column: Sequence[str], sizes: Mapping[str, int], most: int) -> list[list[str]]:
    """A column cut so that the sizes of its cells add up to at most ``most``, if possible."""
    chunks: list[list[str]] = []
    held = 0
    for cell in column:
        if not chunks or held + sizes[cell] > most:
            chunks.append([])
            held = 0
        chunks[-1].append(cell)
        held += sizes[cell]
    return chunks


def _first_cell(
    game: Game[Any, Any], position: Any, picks: tuple[str, ...], path: tuple[str, ...]
) -> str:
    """Where the rest of a move first touches the board; ``_OTHER`` if it never does."""
    for depth, key in enumerate(path):
        cell = game.step_cell(position, (*picks, *path[:depth]), key)
        if cell is not None:
            return cell
    return _OTHER


def _column(cell: str) -> str:
    """The part of a cell's name before the number: its file, on most boards."""
    return cell.rstrip("0123456789")


def _row(cell: str) -> int:
    """The number of a cell on its column; 0 without one."""
    digits = cell[len(_column(cell)) :]
    return int(digits) if digits else 0


def _step_choice(step: Step) -> Choice:
    cells = (step.cell,) if step.cell is not None else ()
    if step.move is None:
        return Choice(step.key, step.text, step.label, (), cells)
    move = Text.of("{move}", move=step.move)
    return Choice(step.key, step.text, step.label, (move,), cells)


def _part_choices(
    game: Game[Any, Any], position: Any, picks: tuple[str, ...], parts: Sequence[_Left]
) -> tuple[Choice, ...]:
    """The parts by their columns, or by their cells where a column has several parts."""
    cells_of = [
        [cell for cell in found if cell != _OTHER]
        for found in (
            dict.fromkeys(_first_cell(game, position, picks, path) for path in part.values())
            for part in parts
        )
    ]
    columns = Counter(column for cells in cells_of for column in {_column(cell) for cell in cells})
    made = []
    for number, (part, cells) in enumerate(zip(parts, cells_of, strict=True)):
        named = {_column(cell) for cell in cells}
        if len(part) == 1:
            ((move, path),) = part.items()
            made.append(_whole(game, position, picks, path, move))
        elif len(named) == 1 and all(columns[column] == 1 for column in named):
            made.append(_column_choice(number, cells))
        else:
            reach = _reach(cells) if cells else Text.of("Other moves")
            made.append(Choice(f"={number}", reach, reach, (), tuple(cells)))
    return tuple(made)


def _column_choice(number: int, cells: Sequence[str]) -> Choice:
    name = _column(cells[0])
    label, short = Text.of("Column {column}", column=name), Text.of("{pick}", pick=name)
    return Choice(f"={number}", label, short, (_reach(cells),), tuple(cells))


def _reach(cells: Sequence[str]) -> Text:
    if len(cells) == 1:
        return Text.of("{pick}", pick=cells[0])
    return Text.of("{first} to {last}", first=cells[0], last=cells[-1])
