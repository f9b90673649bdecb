"""The conformance kit passes a right game and fails one that breaks any single promise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any

import pytest

from games import api
from games.api import GuidePage, IntOption, Outcome, Preset, Refusal, Seat
from games.errors import AmbiguousMove, IllegalMove, MoveSyntaxError
from games.view import Arrow, BoardView, Cell, Edge, Link, Marks, ScoreLine, Side, Text, Tray
from tests.games import conformance, toy
from tests.games.toy import Step, Strip, Walk

TEXTS = ["", "c1", "C1", "b1-c1", "z1", "\ud800", "1p3 w", "p8 b", "4p w", "9p9 w", "x" * 6000]


def put_through(kind: type[Walk]) -> None:
    for options in conformance.option_sets(kind):
        game = kind(options)
        for seed in range(6):
            conformance.check_random_game(game, seed, closely=9)
        for text in TEXTS:
            conformance.check_any_text(game, Strip(7, 1, 0), text)
    conformance.check_facts(kind)


def test_a_right_game_passes() -> None:
    put_through(Walk)


def test_a_game_that_ends_passes() -> None:
    for seed in range(20):
        conformance.check_game_ends(Walk(), seed)


def test_a_game_without_end_or_without_a_move_fails() -> None:
    with pytest.raises(AssertionError, match="still running"):
        conformance.check_game_ends(NeverEnds(), 0)
    with pytest.raises(AssertionError, match="no legal move and no outcome"):
        conformance.check_game_ends(StopsWithoutAMove(), 0)


class StopsWithoutAMove(Walk):
    def legal_moves(self, position: Strip) -> list[Step]:
        return super().legal_moves(position) if position.pawn < 3 else []


def test_option_sets_hold_defaults_presets_and_every_single_value() -> None:
    assert conformance.option_sets(Walk) == [
        {},
        {"length": 5},
        {"length": 4},
        {"length": 9},
        {"last": "loses"},
    ]


BROKEN = []


def broken(promise: str) -> Any:
    """Mark a class as a game that breaks a promise, which the failure has to name."""

    def mark(kind: type[Walk]) -> type[Walk]:
        BROKEN.append(pytest.param(kind, promise, id=kind.__name__))
        return kind

    return mark


def with_info(**changes: Any) -> type:
    return type("WithInfo", (Walk,), {"info": replace(Walk.info, **changes)})


@broken("still running")
class NeverEnds(Walk):
    def _apply(self, position: Strip, move: Step) -> Strip:
        return replace(super()._apply(position, move), pawn=0)

    def legal_moves(self, position: Strip) -> list[Step]:
        return super().legal_moves(position)[:1]


@broken("is not legal in")
class PlaysAnything(Walk):
    def play(self, position: Strip, move: Step) -> Strip:
        return self._apply(position, move)


@broken("not Refusal")
class RefusesWithAnotherCode(Walk):
    def play(self, position: Strip, move: Step) -> Strip:
        try:
            return super().play(position, move)
        except IllegalMove as error:
            raise IllegalMove("other", text=error.text) from None


@dataclass(unsafe_hash=True)
class Loose:
    length: int
    pawn: int
    mover: int


class Shared:
    """A position that does not tell the kit what it is made of, and can be changed."""

    def __init__(self, length: int, pawn: int, mover: int) -> None:
        self.length, self.pawn, self.mover = length, pawn, mover

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.length, self.pawn, self.mover))


@broken("can be set")
class HasPositionsThatChange(Walk):
    made: Callable[[int, int, int], Any] = Loose

    def initial(self, rng: Random) -> Any:
        return self.made(int(self.options["length"]), 0, 0)

    def _apply(self, position: Any, move: Step) -> Any:
        return self.made(position.length, move.to, 1 - position.mover)

    def decode(self, text: str) -> Any:
        right = super().decode(text)
        return self.made(right.length, right.pawn, right.mover)


@broken("changes the position it is played in")
class ChangesThePositionInPlay(HasPositionsThatChange):
    made = Shared

    def _apply(self, position: Any, move: Step) -> Any:
        after = super()._apply(position, move)
        position.mover = after.mover
        return after


@broken("is not read as")
class ReadsOtherMoves(Walk):
    def parse(self, position: Strip, text: str) -> Step:
        move = super().parse(position, text)
        return self.legal_moves(position)[0] if move.to % 2 else move


@broken("form in")
class KnowsNoCapitals(Walk):
    def parse(self, position: Strip, text: str) -> Step:
        if text != text.lower():
            raise MoveSyntaxError("form", text=text)
        return super().parse(position, text)


@broken("lead elsewhere|leads nowhere|Walk|is picked as")
class OneMoveIsAPrefixOfAnother(Walk):
    def steps(self, position: Strip, move: Step) -> tuple[str, ...]:
        picks = super().steps(position, move)
        return picks if move.to - position.pawn == 1 else (*picks[:1], toy.name(move.to - 1), "on")


@broken("ways lead to")
class KnowsOneOrderOfPicksThatHaveNone(Walk):
    """Two picks that come in any order, and both are asked for in one order alone."""

    def steps(self, position: Strip, move: Step) -> tuple[str, ...]:
        return ("xa", "xb", toy.name(move.to))

    def in_any_order(self, key: str) -> bool:
        return key.startswith("x")

    def next_steps(self, position: Strip, prefix: tuple[str, ...]) -> Sequence[api.Step]:
        steps = super().next_steps(position, prefix)
        return [step for step in steps if prefix or step.key != "xb"]


@broken("picks after the whole")
class GoesOnAfterTheWholeMove(Walk):
    def next_steps(self, position: Strip, prefix: tuple[str, ...]) -> Sequence[api.Step]:
        return super().next_steps(position, prefix[:1])


@broken("invalid literal|not enough values|unexpected|NoneType")
class ParsesWithoutCare(Walk):
    def parse(self, position: Strip, text: str) -> Step:
        if text == "b1-c1":
            return Step(int(text))
        return super().parse(position, text)


@broken("invalid literal")
class DecodesWithoutCare(Walk):
    def decode(self, text: str) -> int | Strip:
        if text == "":
            return int(text)
        return super().decode(text)


@broken("fits")
class FindsOneMoveAmbiguous(Walk):
    def parse(self, position: Strip, text: str) -> Step:
        if text == "":
            raise AmbiguousMove("form", text=text, candidates=("c1",))
        return super().parse(position, text)


@broken("as long as the text")
class RepeatsTheWholeText(Walk):
    def parse(self, position: Strip, text: str) -> Step:
        try:
            return super().parse(position, text)
        except MoveSyntaxError as error:
            raise MoveSyntaxError(error.code, text=text) from None


@broken("is read as an illegal")
class ReadsIllegalMoves(Walk):
    def parse(self, position: Strip, text: str) -> Step:
        return Step(5) if text == "z1" else super().parse(position, text)


@broken("does not come back")
class DecodesWhatItCannotEncode(Walk):
    def decode(self, text: str) -> Strip:
        return Strip(7, 0, 0) if text == "4p w" else super().decode(text)

    def encode(self, position: Strip) -> str:
        return "1p5 w" if position == Strip(7, 0, 0) and self.decoding else super().encode(position)

    decoding = True

    def initial(self, rng: Random) -> Strip:
        return replace(super().initial(rng), mover=1)


def answering(method: str, wrong: Callable[[Any, Any], Any]) -> type:
    """A game with one wrong method, made from the right answer and the position."""

    def instead(self: Walk, position: Strip, *more: Any) -> Any:
        return wrong(getattr(Walk, method)(self, position, *more), position)

    return type("Answering", (Walk,), {method: instead})


times = count()
answers: list[tuple[str, str, Callable[[Any, Any], Any]]] = [
    ("in another order", "legal_moves", lambda right, at: right[:: next(times) % 2 * 2 - 1]),
    ("the seed does not fix", "initial", lambda right, rng: replace(right, mover=next(times) % 2)),
    ("different positions", "_apply", lambda right, at: replace(right, mover=next(times) % 2)),
    (
        "does not hand the turn to player",
        "_apply",
        lambda right, at: right if right.pawn % 2 else replace(right, mover=at.mover),
    ),
    ("is read as another position", "decode", lambda right, text: replace(right, mover=0)),
    ("key '", "steps", lambda right, at: (*right[:1], "to" * 20 + right[-1])),
    ("key '", "steps", lambda right, at: (*right[:1], f"({right[-1]})")),
    ("a legal move is listed twice", "legal_moves", lambda right, at: right * 2),
    (
        "comes back|in another order|is not legal|too_far|leads? elsewhere|None in",
        "legal_moves",
        lambda right, at: right[:1],
    ),
    ("outcome:", "legal_moves", lambda right, at: right or [Step(0)]),
    ("on turn:", "to_move", lambda right, at: Seat(at.mover)),
    ("-", "turn", lambda right, at: "wb"[at.mover]),
    ("not at the table", "to_move", lambda right, at: None if right is None else Seat(2)),
    (
        "is not legal|in .*w",
        "why_illegal",
        lambda right, at: None if right and right.code == "too_far" else right,
    ),
    (
        "no sentence for the refusal",
        "why_illegal",
        lambda right, at: right and replace(right, code="unheard_of"),
    ),
    (
        "wants {'cell'} and gets",
        "why_illegal",
        lambda right, at: right and replace(right, params={}),
    ),
    (
        "is refused at",
        "why_illegal",
        lambda right, at: right and Refusal(right.code, ("z9",), right.params),
    ),
    ("the default move", "move_for_absent", lambda right, at: Step(0)),
    ("does not open with", "encode", lambda right, at: "walk " + right),
    ("not one line", "encode", lambda right, at: right + "\n"),
    ("not plain ASCII", "position_text", lambda right, at: right.replace("p", "π")),
    ("share a notation", "notation", lambda right, at: "c1"),
    ("lead elsewhere", "steps", lambda right, at: ("on",)),
    ("lies on", "step_cell", lambda right, at: "z9"),
    ("two picks after", "next_steps", lambda right, at: [*right] * 2),
    ("with {'pick'}|with set", "step_text", lambda right, at: Text("Go to {cell}")),
    ("scores", "outcome", lambda right, at: right and replace(right, scores=(1.0,))),
    (
        "no sentence for 'because'",
        "outcome",
        lambda right, at: right and replace(right, reason="because"),
    ),
    (
        "winners",
        "outcome",
        lambda right, at: right and replace(right, winners=(Seat(1 - right.winners[0]),)),
    ),
    (
        "a draw in a game that knows none",
        "outcome",
        lambda right, at: right and Outcome((0.5, 0.5), "arrived", ()),
    ),
    ("players sit as", "seating", lambda right, at: (0, 0)),
    ("wrong players", "seating", lambda right, at: (1, 0)),
    ("marks {'z9'}", "marks", lambda right, at: Marks(last=("z9",))),
    ("marks a link", "marks", lambda right, at: Marks(last_links=(("a1", "z9"),))),
    ("marks Arrow", "marks", lambda right, at: Marks(arrows=(Arrow("a1", "z9"),))),
    ("more than the winning path", "view", lambda right, at: right.with_marks(Marks(last=("a1",)))),
]
shown: list[tuple[str, Callable[[BoardView, Any], dict[str, Any]]]] = [
    ("view of 'other'", lambda view, at: {"game": "other"}),
    ("share a name", lambda view, at: {"cells": with_last(view, name="a1")}),
    ("share a place", lambda view, at: {"cells": with_last(view, file=0)}),
    ("the cells move about", lambda view, at: {"cells": view.cells[:: -1 if at.pawn else 1]}),
    (
        "cells are renamed",
        lambda view, at: {
            "cells": tuple(replace(c, name=f"{'az'[at.pawn > 0]}{c.file}") for c in view.cells)
        },
    ),
    ("lies in 0 grids", lambda view, at: {"cells": (*view.cells, Cell("a2", 0, 1))}),
    ("leaves the board", lambda view, at: {"links": (Link("a1", "z9", 0),)}),
    ("two owners", lambda view, at: {"edges": (Edge(Side.LEFT, 0), Edge(Side.LEFT, 1))}),
    ("seats own the colours", lambda view, at: {"colours": (*view.colours, view.colours[0])}),
    ("to move:", lambda view, at: {"to_move": None if view.to_move is None else 1 - view.to_move}),
    ("result:", lambda view, at: {"result": None}),
    ("points", lambda view, at: {"score_lines": (ScoreLine(Text.of("tops"), (1,)),)}),
    (
        "tray",
        lambda view, at: {
            "colours": (
                replace(view.colours[0], trays=(Tray("pit", Text.of("Pit"), 7, ()),)),
                view.colours[1],
            )
        },
    ),
    ("with set", lambda view, at: {"captions": (Text("{count} stones"),)}),
    ("unhashable", lambda view, at: {"links": []}),
    ("looks different", lambda view, at: {"captions": (Text.of("{count}", count=next(times)),)}),
]


def with_last(view: BoardView, **changes: Any) -> tuple[Cell, ...]:
    return (*view.cells[:-1], replace(view.cells[-1], **changes))


answers += [
    (promise, "view", lambda view, at, made=made: replace(view, **made(view, at)))
    for promise, made in shown
]
for promise, method, wrong in answers:
    BROKEN.append(pytest.param(answering(method, wrong), promise, id=f"{method}: {promise}"))


changes: list[tuple[dict[str, Any], str]] = [
    ({"key": "Not A Key"}, "key"),
    ({"name": ""}, "no name"),
    ({"guide": ()}, "no page of rules"),
    ({"links": ("http://example.org",)}, "http://example.org"),
    ({"refusals": {**Walk.info.refusals, "form": Text.of("{")}}, "Single"),
    ({"refusals": {**Walk.info.refusals, "form": Text.of("{0}")}}, "placeholders"),
    ({"refusals": {**Walk.info.refusals, "form": Text.of(" ")}}, "an empty sentence"),
    ({"reasons": {**Walk.info.reasons, "Arrived": Text.of("There.")}}, "code"),
    ({"options": Walk.info.options * 2}, "options share a key"),
    ({"presets": Walk.info.presets * 2}, "presets share a key"),
    ({"guide": (GuidePage(Text.of("A"), Text.of("B"), None, "c1"),)}, "without a position"),
    ({"guide": (GuidePage(Text.of("A"), Text.of("B"), "1p3 w", "C1"),)}, "not canonical"),
    ({"guide": (GuidePage(Text.of("A"), Text.of("B"), "1p3 w", "e1"),)}, "too_far"),
    ({"guide": (GuidePage(Text.of("A"), Text("{b}")),)}, "with set"),
    ({"presets": (Preset("x", Text.of("x"), Text.of("x"), {"length": 99}),)}, "option_value"),
    (
        {
            "options": (
                type("Any", (IntOption,), {"read": lambda self, value: 5})(
                    "length", Text.of("Length"), (5,), 5, 5
                ),
                Walk.info.options[1],
            )
        },
        "takes",
    ),
]
for change, promise in changes:
    BROKEN.append(pytest.param(with_info(**change), promise, id=f"{next(iter(change))}: {promise}"))


@pytest.mark.long
@pytest.mark.parametrize(("kind", "promise"), BROKEN)
def test_a_broken_game_fails(kind: type[Walk], promise: str) -> None:
    with pytest.raises(Exception, match=promise):
        put_through(kind)
