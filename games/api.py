"""The interface of a game: its rules alone, for any caller.

A :class:`Game` is stateless: one instance stands for one set of options. A *position* is a frozen,
hashable, picklable value; a *move* likewise. Everything about a position goes through its game.

Seats and players
    A *seat* is a side of the table in the order of the rules page (Black, Red); a *player* is a
    person, numbered in the order of taking seats. Seats own colours. :meth:`Game.seating` says
    which player sits where: the pie rule's swap is a move that exchanges the players and leaves the
    seats.

Legality
    :meth:`Game.why_illegal` states the rule, :meth:`Game.legal_moves` enumerates; the suite in
    ``tests/games/conformance.py`` compares the two for every game.

The host's part
    Resignation, draw offers, time, takebacks, users, languages and pictures are unknown here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NewType, TypeVar

from games.errors import IllegalMove, OptionError
from games.view import BoardView, Marks, Text

Seat = NewType("Seat", int)
"""A side of the table, counted from 0 in the order of the rules page."""

OptionValue = int | str
P = TypeVar("P", bound=Hashable)
M = TypeVar("M", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of an option, the few words for it, and perhaps a line that explains it."""

    key: str
    label: Text
    note: Text | None = None


@dataclass(frozen=True, slots=True)
class ChoiceOption:
    """An option with named values, the default first."""

    key: str
    label: Text
    choices: tuple[Choice, ...]

    @property
    def default(self) -> str:
        """The value without a choice."""
        return self.choices[0].key

    def read(self, value: OptionValue) -> str:
        """The value of an option, as stored; :exc:`OptionError` if it is invalid."""
        text = str(value).strip().lower()
        if all(choice.key != text for choice in self.choices):
            allowed = ", ".join(choice.key for choice in self.choices)
            raise OptionError(
                "option_value", option=self.key, value=str(value)[:40], allowed=allowed
            )
        return text


@dataclass(frozen=True, slots=True)
class IntOption:
    """A whole-number option: suggested values, the default first, and the range it accepts."""

    key: str
    label: Text
    suggested: tuple[int, ...]
    minimum: int
    maximum: int

    @property
    def default(self) -> int:
        """The value without a choice."""
        return self.suggested[0]

    def read(self, value: OptionValue) -> int:
        """The value as a number; :exc:`OptionError` if it is none or out of range."""
        text = str(value).strip()
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
        if not self.minimum <= number <= self.maximum:
            allowed = f"{self.minimum}–{self.maximum}"
            raise OptionError("option_value", option=self.key, value=text[:40], allowed=allowed)
        return number


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of options, with a line that says what it is good for."""

    key: str
    label: Text
    reason: Text
    options: Mapping[str, OptionValue] = field(hash=False)


@dataclass(frozen=True, slots=True)
class GuidePage:
    """One page of the rules in our own words.

    ``position`` is a position text to draw beside it, under ``options``; ``move`` is a move to show
    there, in canonical notation.
    """

    title: Text
    body: Text
    position: str | None = None
    move: str | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class SpokenMove:
    """The words for a move without a place on the board, such as a pass or the pie rule's swap.

    ``label`` names it on a button, ``done`` is said to the player who made it, and ``told`` to the
    next player, with the other one as ``{player}``. ``shown`` says the same to all beside the
    board, None where the move alone is clear.
    """

    label: Text
    done: Text
    told: Text
    shown: Text | None = None


PASS = SpokenMove(Text.of("Pass"), Text.of("You passed."), Text.of("{player} passed."))
"""A pass, which has the same name in every game, for any notation."""


@dataclass(frozen=True, slots=True)
class SampleGame:
    """A whole game for people to replay, with all its moves.

    ``title`` is its source in a few words, ``players`` are the names by player index; ``moves`` are
    in canonical notation, separated by blanks. ``resigned`` is the player index that resigned, None
    where the rules ended it; ``start`` is the position at the start in the text of
    :meth:`Game.encode`, empty where a game always starts from the same.
    """

    title: Text
    players: tuple[Text, ...]
    moves: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    resigned: int | None = None
    start: str = ""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """Facts for choosing a game.

    The number of ``players``; the least and the most ``minutes`` that it takes at a table; and its
    ``depth``, how much there is to learn, from 1 to 5.
    """

    players: tuple[int, ...]
    minutes: tuple[int, int]
    depth: int


@dataclass(frozen=True)
class GameInfo:
    """Static facts of a game, for menus, rules pages and records.

    ``refusals`` gives for every code that the game raises a sentence with the error's parameters as
    placeholders, ``reasons`` the same for the codes of outcomes. ``allows_draw_offer`` says whether
    the rules have a draw, so that the host may let players agree on one. ``move_hint`` shows in a
    few characters what a move looks like. ``spoken`` has the words for moves without a place on the
    board, by their notation. ``guide`` has the rules for people; ``advice`` says in three to five
    sentences how to play well, None if that is not known. ``facts`` are for choosing a game,
    ``samples`` whole games to replay. ``pieces`` are the names of pieces by the beginning of their
    notation, so that a player may write the name instead. ``example`` explains one move in the
    notation in a line under the first boards. ``primers`` are short explanations of choices, by the
    keys that :meth:`Game.primer` gives.
    """

    key: str
    name: str
    summary: Text
    designer: str
    year: str
    links: tuple[str, ...]
    rules_version: int
    options: tuple[IntOption | ChoiceOption, ...]
    presets: tuple[Preset, ...]
    refusals: Mapping[str, Text]
    reasons: Mapping[str, Text]
    allows_draw_offer: bool
    move_hint: str
    spoken: Mapping[str, SpokenMove] = field(default_factory=dict)
    guide: tuple[GuidePage, ...] = ()
    advice: Text | None = None
    facts: GameFacts | None = None
    samples: tuple[SampleGame, ...] = ()
    pieces: Mapping[str, Text] = field(default_factory=dict)
    example: Text | None = None
    primers: Mapping[str, Text] = field(default_factory=dict)

    @property
    def pages(self) -> tuple[GuidePage, ...]:
        """The guide, and the advice behind it if there is any."""
        if self.advice is None:
            return self.guide
        return (*self.guide, GuidePage(Text.of("Advice"), self.advice))

    def resolve(self, given: Mapping[str, OptionValue]) -> Mapping[str, OptionValue]:
        """All options with their values, defaults filled in, in the order of the rules page.

        Raises :exc:`OptionError` for an unknown option or value.
        """
        known = {option.key for option in self.options}
        for key in given:
            if key not in known:
                allowed = ", ".join(sorted(known)) or "-"
                raise OptionError("option_unknown", option=key[:40], allowed=allowed)
        values = {
            option.key: option.read(given[option.key]) if option.key in given else option.default
            for option in self.options
        }
        return MappingProxyType(values)


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A side of the table: its name, and the indices of the colours that it plays."""

    name: Text
    colours: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game.

    ``scores`` has one entry a seat, in seat order: 1, 0.5 or 0, or points where points are counted.
    ``reason`` is a code of :attr:`GameInfo.reasons`; ``path`` are the winning chain's cells in
    order, empty where there is none; ``winners`` are the seats that won: all that tie for the
    highest score where the rules share a win, none in a draw.
    """

    scores: tuple[float, ...]
    reason: str
    winners: tuple[Seat, ...]
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Playout(Generic[M]):
    """A game played through: its moves, and the final scores of the seats."""

    moves: tuple[M, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The rule against a move: a code of :attr:`GameInfo.refusals`, cells, parameters."""

    code: str
    place: tuple[str, ...] = ()
    params: Mapping[str, str | int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Step:
    """One pick on the way to a move.

    ``key`` goes into the prefix for the next question and is unique among its siblings; it is short
    and of ASCII letters, digits and ``@^!-+x:`` only, so that it fits a custom id. ``text`` says
    what the pick does, ``label`` the same in a word or two; ``cell`` is its place on the board, if
    any; ``move`` is the canonical notation if the pick completes a move, else None. No prefix of a
    move's picks is itself a move's picks.
    """

    key: str
    text: Text
    label: Text
    cell: str | None
    move: str | None


class Game(ABC, Generic[P, M]):
    """The rules of one game under one set of options. See the module docstring."""

    info: ClassVar[GameInfo]
    options: Mapping[str, OptionValue]

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        """Set options by key; missing ones have their defaults. Raises :exc:`OptionError`."""
        self.options = self.info.resolve(options or {})

    @property
    @abstractmethod
    def seats(self) -> tuple[SeatInfo, ...]:
        """The sides of the table under these options; there is a player for each seat."""

    @property
    def moves_in_turn(self) -> bool:
        """Whether each move hands the turn to the next player, round the table by their numbers.

        False where a player may move twice in a row or be passed over: then a move has to be played
        to know the next player.
        """
        return True

    @abstractmethod
    def initial(self, rng: Random) -> P:
        """The position before the first move; ``rng`` is for games with a random set-up."""

    @abstractmethod
    def to_move(self, position: P) -> Seat | None:
        """The seat on turn; None exactly when :meth:`outcome` is set."""

    @abstractmethod
    def turn(self, position: P) -> str:
        """The colour on turn in the position text's letters, or ``-`` after the end."""

    def seating(self, position: P) -> tuple[int, ...]:  # noqa: ARG002
        """The player at each seat now; only a swap of the pie rule changes it."""
        return tuple(range(len(self.seats)))

    def move_for_absent(self, position: P) -> M | None:  # noqa: ARG002
        """The move for a player who has left while the others go on.

        A game for more than two that can go on without a player returns a legal move in every
        position that is not over; any other returns None in all, and ends when a player leaves.
        """
        return None

    @abstractmethod
    def legal_moves(self, position: P) -> Iterable[M]:
        """Every legal move once, in an order that depends on the position alone.

        Empty exactly when :meth:`outcome` is set. A forced pass and the pie rule's swap are moves.
        """

    @abstractmethod
    def why_illegal(self, position: P, move: M) -> Refusal | None:
        """The rule that forbids the move, or None if it is legal."""

    @abstractmethod
    def _apply(self, position: P, move: M) -> P:
        """The position after a legal move, without a check."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """The end of the game, or None while it runs."""

    @abstractmethod
    def notation(self, position: P, move: M) -> str:
        """The move in canonical notation."""

    @abstractmethod
    def parse(self, position: P, text: str) -> M:
        """The legal move that a person typed.

        It accepts variants (case, hyphens, full-width letters, order of a link's ends), but never
        guesses. Raises :exc:`~games.errors.MoveSyntaxError`, :exc:`~games.errors.IllegalMove` or
        :exc:`~games.errors.AmbiguousMove`, nothing else, for any text.
        """

    @abstractmethod
    def steps(self, position: P, move: M) -> tuple[str, ...]:
        """The keys of the picks that lead to a legal move, one after another."""

    @abstractmethod
    def encode(self, position: P) -> str:
        """The whole position as a line of text, history that legality needs included.

        It begins with the position text of the rules page (:meth:`position_text`).
        """

    @abstractmethod
    def position_text(self, position: P) -> str:
        """The position text of the rules page, and nothing else."""

    @abstractmethod
    def decode(self, text: str) -> P:
        """The position of an :meth:`encode` text or a bare position text.

        Raises :exc:`~games.errors.NotationError` and nothing else, for any text.
        """

    @abstractmethod
    def view(self, position: P, seat: Seat | None) -> BoardView:
        """The part of the position that ``seat`` may see; None is a spectator.

        Marks hold at most the winning path.
        """

    @abstractmethod
    def marks(self, position: P, move: M) -> Marks:
        """The marks of a legal move in ``position``: origins, targets, links, arrows."""

    def takes(self, position: P, move: M) -> bool:  # noqa: ARG002
        """Whether a legal move captures pieces of another side."""
        return False

    def primer(self, position: P, prefix: tuple[str, ...]) -> str | None:  # noqa: ARG002
        """The explanation that a newcomer needs to choose a pick after ``prefix``.

        A key of :attr:`GameInfo.primers`, of small letters and digits; None where the game needs
        none. Each player sees each of them once.
        """
        return None

    def earlier_marks(self, position: P, notations: Sequence[str]) -> Marks:  # noqa: ARG002
        """The earlier moves' targets since the player on turn moved, as ``earlier`` marks.

        ``notations`` are the last few moves that led to ``position``, the oldest first; the very
        last one is left out. Where two players alternate there are none.
        """
        return Marks()

    def is_legal(self, position: P, move: M) -> bool:
        """Whether the rules allow the move."""
        return self.why_illegal(position, move) is None

    def play(self, position: P, move: M) -> P:
        """The position after the move; :exc:`~games.errors.IllegalMove` if it is not legal."""
        return self._apply(position, self.checked(position, move))

    def checked(self, position: P, move: M) -> M:
        """The move, if it is legal; else :exc:`~games.errors.IllegalMove`."""
        refusal = self.why_illegal(position, move)
        if refusal is not None:
            raise self.illegal(refusal, self.notation(position, move))
        return move

    def random_game(self, rng: Random) -> Playout[M]:
        """A whole game in which each move is drawn with equal chances from the legal ones.

        A game may override this to draw from the same distribution faster than move by move;
        tests then have to compare it with the plain rules.
        """
        position = self.initial(rng)
        line: list[M] = []
        while (outcome := self.outcome(position)) is None:
            move = rng.choice(list(self.legal_moves(position)))
            line.append(move)
            position = self._apply(position, move)
        return Playout(tuple(line), outcome.scores)

    @staticmethod
    def illegal(refusal: Refusal, text: str) -> IllegalMove:
        """The error for a refusal of the move written ``text``."""
        return IllegalMove(refusal.code, text=text, place=refusal.place, **dict(refusal.params))

    def step_text(self, position: P, prefix: tuple[str, ...], key: str) -> Text:  # noqa: ARG002
        """Words for picking ``key`` after ``prefix``; by default the key itself."""
        return Text.of("{pick}", pick=key)

    def step_label(self, position: P, prefix: tuple[str, ...], key: str) -> Text:
        """The pick in a word or two, different from those beside it.

        By default its cell, and where it has none the words of :meth:`step_text`.
        """
        cell = self.step_cell(position, prefix, key)
        return (
            self.step_text(position, prefix, key) if cell is None else Text.of("{pick}", pick=cell)
        )

    def step_cell(self, position: P, prefix: tuple[str, ...], key: str) -> str | None:  # noqa: ARG002
        """The cell of the pick ``key``; by default the key, where it names a cell."""
        return key if key[:1].isalpha() and key[1:].isdigit() else None

    def in_any_order(self, key: str) -> bool:  # noqa: ARG002
        """Whether the pick ``key`` may change places with its neighbours, as riders may.

        By default the order is fixed.
        """
        return False

    def left_after(self, picks: tuple[str, ...], prefix: tuple[str, ...]) -> tuple[str, ...] | None:
        """The rest of a move's ``picks`` after ``prefix``, None if they do not begin with it."""
        left = list(picks)
        for key in prefix:
            if key not in self.next_of(left):
                return None
            left.remove(key)
        return tuple(left)

    def next_of(self, left: Sequence[str]) -> Sequence[str]:
        """The possible next picks of the rest: one, or all that come in any order."""
        return list(takewhile(self.in_any_order, left)) or left[:1]

    def next_steps(self, position: P, prefix: tuple[str, ...]) -> Sequence[Step]:
        """The picks that may follow ``prefix``, in the order of the legal moves.

        Derived from :meth:`legal_moves`, :meth:`steps` and :meth:`in_any_order`, so it leads to
        every legal move and to nothing else. Empty when no move begins with ``prefix`` or it is a
        whole move.
        """
        found: dict[str, str | None] = {}
        for move, picks in _moves_in_picks(self, position):
            left = self.left_after(picks, prefix)
            for key in self.next_of(left or ()):
                whole = left == (key,)
                found[key] = self.notation(position, move) if whole else None
        return [
            Step(
                key,
                self.step_text(position, prefix, key),
                self.step_label(position, prefix, key),
                self.step_cell(position, prefix, key),
                move_text,
            )
            for key, move_text in found.items()
        ]


@lru_cache(maxsize=8)
def _moves_in_picks(
    game: Game[Any, Any], position: Hashable
) -> Sequence[tuple[Any, tuple[str, ...]]]:
    """Every legal move with its picks, cached: a page asks for a position's steps many times."""
    return [(move, game.steps(position, move)) for move in game.legal_moves(position)]
