"""The **Make a move** panel: from a game's steps to menus of at most 25 choices.

A move is picked part by part (:meth:`games.api.Game.next_steps` and ``steps``). A menu of Discord
holds 25 choices and a board has more cells, so a question with more answers is asked in two parts:
first the column (or whatever comes first in the name of the cell), then the rest. Where all moves
that begin in a part fit into one menu, the menu shows whole moves, so that two taps are enough for
nearly every move of every game. Players who would rather see where each piece can go may still
be asked pick by pick.

All of it is a function of the position and of the :class:`MovePick` that the person has come, which
travels in custom ids. Nothing is remembered between two taps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from bot.errors import UserError
from bot.ui.pages.components import CHOICES
from games.api import Game, Step
from games.view import Text

_OTHER = ""
_SINGLY = "."


class PickLostError(UserError):
    """The way leads nowhere in this position: ``out_of_date``, or a control that nobody made."""

    def __init__(self) -> None:
        super().__init__("out_of_date")


@dataclass(frozen=True, slots=True)
class MovePick:
    """How far a person has come: the picks made, and which part of the next question is open.

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
        """The way of its written form; :exc:`PickLostError` if it is none."""
        picks, mark, part = text.partition("=")
        if part == _SINGLY:
            return cls(tuple(picks.split("/")) if picks else (), singly=True)
        if mark and not (part.isascii() and part.isdigit() and len(part) < 4):
            raise PickLostError
        return cls(tuple(picks.split("/")) if picks else (), int(part) if mark else None)

    def then(self, value: str) -> MovePick:
        """The way after choosing the value of a :class:`Choice`."""
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
    """One line of a menu; ``value`` goes to :meth:`Way.then`.

    ``label`` names it and ``notes`` say more, pick by pick. ``cells`` are where it may lead on the
    board, in the order of the picks where it is a whole move.
    """

    value: str
    label: Text
    notes: tuple[Text, ...]
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """What to ask now. ``move`` is set, and ``choices`` empty, when the way is a whole move.

    ``said`` are the words of the picks made, ``selected`` their cells. ``columns`` says that a part
    of the question is asked first. ``singly`` is the way to the same question pick by pick, None
    where that would be no help. ``specials`` are whole moves that are no place on the board, such
    as a swap or a pass: they have buttons of their own and are no lines of the menu.
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
        """The way on where nothing is to be chosen, None where there is a choice."""
        every = (*self.choices, *self.specials)
        return self.way.then(every[0].value) if len(every) == 1 else None

    @property
    def targets(self) -> tuple[str, ...]:
        """The cells of what is to be picked next, once each.

        Of whole moves these are only the first ones: all together would not show which piece can
        go where.
        """
        return tuple(dict.fromkeys(cell for choice in self.choices for cell in choice.cells[:1]))


@dataclass(frozen=True, slots=True)
class _Whole:
    """A whole move below some picks: the further picks, their words, its notation, its cells."""

    path: tuple[str, ...]
    move: str
    notes: tuple[Text, ...]
    cells: tuple[str, ...]


def menu(
    game: Game[Any, Any],
    position: Any,
    way: MovePick,
    most: int = CHOICES,
) -> Menu:
    """What to ask a player who has come this way, in menus of at most ``most`` choices.

    Raises :exc:`PickLostError` if it leads nowhere.
    """
    selected: list[str] = []
    said: list[Text] = []
    steps: Sequence[Step] = game.next_steps(position, ())
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
        steps = game.next_steps(position, way.picks[:depth])
    if not steps:
        raise PickLostError

    asked = Menu(way, (), tuple(said), tuple(selected))
    if not way.picks:
        spoken = game.info.spoken
        special = [step for step in steps if step.move in spoken]
        steps = [step for step in steps if step.move not in spoken]
        choices = tuple(Choice(step.key, spoken[step.move or ""].label, (), ()) for step in special)
        asked = replace(asked, specials=choices)
        if not steps:
            return asked
    if way.singly:
        if len(steps) > most:
            raise PickLostError
        return replace(asked, choices=tuple(_step_choice(step) for step in steps))
    part = steps
    if way.part is not None:
        parts = _parts(game, position, way.picks, steps, most)
        if len(steps) <= most or way.part >= len(parts):
            raise PickLostError
        part = parts[way.part]
    whole = _completions(game, position, way.picks, part, most)
    if whole is not None:
        goes_on = len(steps) > 1 and any(len(move.path) > 1 for move in whole)
        singly = MovePick(way.picks, singly=True) if goes_on and way.part is None else None
        choices = tuple(_whole_choice(move) for move in whole)
        return replace(asked, choices=choices, singly=singly)
    if len(part) > most:
        parts = _parts(game, position, way.picks, steps, most)
        choices = tuple(_part_choice(number, part) for number, part in enumerate(parts))
        return replace(asked, choices=choices, columns=True)
    return replace(asked, choices=tuple(_step_choice(step) for step in part))


def question_after(
    game: Game[Any, Any],
    position: Any,
    way: MovePick,
) -> Menu:
    """The same, without the questions to which there is one answer only."""
    asked = menu(game, position, way)
    while asked.move is None and asked.only is not None:
        asked = menu(game, position, asked.only)
    return asked


def question_before(
    game: Game[Any, Any],
    position: Any,
    way: MovePick,
) -> MovePick | None:
    """The last question on this way that was a choice; None if there was none."""
    before = way.back
    while before is not None and menu(game, position, before).only is not None:
        before = before.back
    return before


@lru_cache(maxsize=128)
def _moves(game: Game[Any, Any], position: Any) -> Sequence[tuple[tuple[str, ...], str]]:
    """The picks and the notation of every legal move.

    One page asks for them a dozen times, and that takes up to a millisecond.
    """
    moves = game.legal_moves(position)
    return [(game.steps(position, move), game.notation(position, move)) for move in moves]


@lru_cache(maxsize=512)
def _below(
    game: Game[Any, Any], position: Any, picks: tuple[str, ...]
) -> Mapping[str, tuple[str, ...]]:
    """The moves that begin with these picks, by notation: what is left to pick of each.

    A page asks for the same again and again: once through all first picks takes 12 ms in Quax.
    """
    left = ((game.left_after(whole, picks), move) for whole, move in _moves(game, position))
    return {move: further for further, move in left if further is not None}


def _completions(
    game: Game[Any, Any],
    position: Any,
    picks: tuple[str, ...],
    steps: Sequence[Step],
    most: int,
) -> list[_Whole] | None:
    """All whole moves that begin with one of the steps, or None if no menu holds them.

    A move to which two of the steps lead, as two riders do, is one move.
    """
    if len(steps) > most:
        return None
    found: dict[str, tuple[str, ...]] = {}
    for step in steps:
        for move, left in _below(game, position, (*picks, step.key)).items():
            found.setdefault(move, (step.key, *left))
    if len(found) > most:
        return None
    return [_whole(game, position, picks, path, move) for move, path in found.items()]


def _whole(
    game: Game[Any, Any],
    position: Any,
    picks: tuple[str, ...],
    path: tuple[str, ...],
    move: str,
) -> _Whole:
    """A whole move that these picks and then a path lead to, with its words and cells."""
    picked = (*picks, *path)
    depths = range(len(picks), len(picked))
    cells = (game.step_cell(position, picked[:depth], picked[depth]) for depth in depths)
    notes = tuple(game.step_text(position, picked[:depth], picked[depth]) for depth in depths)
    return _Whole(path, move, notes, tuple(cell for cell in cells if cell is not None))


def notes_of(game: Game[Any, Any], position: Any, move: Any) -> tuple[Text, ...]:
    """A legal move in words, pick by pick, as the menus say it."""
    path = game.steps(position, move)
    return _whole(game, position, (), path, game.notation(position, move)).notes


def _parts(
    game: Game[Any, Any],
    position: Any,
    picks: tuple[str, ...],
    steps: Sequence[Step],
    most: int,
) -> list[Sequence[Step]]:
    """The steps in at most ``most`` parts of at most so many, by column where that is possible.

    A column whose whole moves do not fit into one menu is divided further, as long as there is
    room for more parts.
    """
    columns: dict[str, list[Step]] = {}
    for step in steps:
        columns.setdefault(_column(step), []).append(step)
    # On a column with both empty cells and pieces the moves of each kind come one after the other.
    columns = {name: sorted(column, key=_row) for name, column in sorted(columns.items())}
    parts = [
        chunk
        for column in columns.values()
        for chunk in _chunks(game, position, picks, column, most)
    ]
    if len(parts) > most:
        parts = [
            column[start : start + most]
            for column in columns.values()
            for start in range(0, len(column), most)
        ]
    if len(parts) > most:
        size = -(-len(steps) // most)
        parts = [list(steps[start : start + size]) for start in range(0, len(steps), size)]
    return list(parts)


def _chunks(
    game: Game[Any, Any],
    position: Any,
    picks: tuple[str, ...],
    column: list[Step],
    most: int,
) -> list[list[Step]]:
    """A column cut so that the whole moves of each piece fit into one menu, where they can."""
    chunks: list[list[Step]] = []
    held: set[str] = set()
    for step in column:
        below = _below(game, position, (*picks, step.key)).keys()
        if not chunks or len(held | below) > most:
            chunks.append([])
            held = set()
        chunks[-1].append(step)
        held |= below
    return chunks


def _column(step: Step) -> str:
    """What comes before the number in the name of a step's cell: its file, on most boards."""
    return step.cell.rstrip("0123456789") if step.cell is not None else _OTHER


def _row(step: Step) -> int:
    """Where a step's cell is on its column; 0 where it has no number."""
    digits = (step.cell or "")[len(_column(step)) :]
    return int(digits) if digits else 0


def _whole_choice(whole: _Whole) -> Choice:
    label = Text.of("{move}", move=whole.move)
    notes = whole.notes if whole.notes != (label,) else ()
    return Choice("/".join(whole.path), label, notes, whole.cells)


def _step_choice(step: Step) -> Choice:
    cells = (step.cell,) if step.cell is not None else ()
    notes = (Text.of("{move}", move=step.move),) if step.move is not None else ()
    return Choice(step.key, step.text, notes, cells)


def _part_choice(number: int, part: Sequence[Step]) -> Choice:
    cells = tuple(dict.fromkeys(step.cell for step in part if step.cell is not None))
    if len(part) == 1:
        return _step_choice(part[0])
    if not cells:
        return Choice(f"={number}", Text.of("Other moves"), (), cells)
    column = _column(part[0])
    same = all(_column(step) == column for step in part)
    label = (
        Text.of("Column {column}", column=column)
        if same
        else Text.of("{first} to {last}", first=cells[0], last=cells[-1])
    )
    notes = (Text.of("{first} to {last}", first=cells[0], last=cells[-1]),) if same else ()
    return Choice(f"={number}", label, notes, cells)
