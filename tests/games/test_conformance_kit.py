"""The conformance kit passes a right game and fails one that breaks any single promise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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


class Base(Walk):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        """What a broken view makes of the right one."""
        return view

    def view(self, position: Strip, seat: Seat | None) -> BoardView:
        return self.seen(super().view(position, seat), position)


@broken("a legal move is listed twice")
class ListsAMoveTwice(Walk):
    def legal_moves(self, position: Strip) -> list[Step]:
        return super().legal_moves(position) * 2


@broken("comes back|in another order|is not legal|too_far|leads? elsewhere|None in")
class ForgetsAMove(Walk):
    def legal_moves(self, position: Strip) -> list[Step]:
        return super().legal_moves(position)[:1]


@broken("in another order")
class ChangesTheOrder(Walk):
    turned = False

    def legal_moves(self, position: Strip) -> list[Step]:
        self.turned = not self.turned
        return super().legal_moves(position)[:: 1 if self.turned else -1]


@broken("outcome:")
class MovesAfterTheEnd(Walk):
    def legal_moves(self, position: Strip) -> list[Step]:
        return super().legal_moves(position) or [Step(0)]


@broken("does not hand the turn to player")
class MovesTwiceInARow(Walk):
    def _apply(self, position: Strip, move: Step) -> Strip:
        return Strip(
            position.length, move.to, 1 - position.mover if move.to % 2 else position.mover
        )


@broken("on turn:")
class OnTurnAfterTheEnd(Walk):
    def to_move(self, position: Strip) -> Seat:
        return Seat(position.mover)


@broken("-")
class TurnAfterTheEnd(Walk):
    def turn(self, position: Strip) -> str:
        return "wb"[position.mover]


@broken("not at the table")
class MovesForAThirdSeat(Walk):
    def to_move(self, position: Strip) -> Seat | None:
        return None if self.outcome(position) else Seat(2)


@broken("still running")
class NeverEnds(Walk):
    def _apply(self, position: Strip, move: Step) -> Strip:
        return replace(super()._apply(position, move), pawn=0)

    def legal_moves(self, position: Strip) -> list[Step]:
        return super().legal_moves(position)[:1]


@broken("the seed does not fix")
class StartsAnywhere(Walk):
    starts = 0

    def initial(self, rng: Random) -> Strip:
        self.starts += 1
        return replace(super().initial(rng), mover=self.starts % 2)


@broken("is not legal|in .*w")
class AllowsThreeSteps(Walk):
    def why_illegal(self, position: Strip, move: Step) -> Refusal | None:
        refusal = super().why_illegal(position, move)
        return None if refusal is not None and refusal.code == "too_far" else refusal


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


@broken("no sentence for the refusal")
class RefusesWithoutASentence(Walk):
    def why_illegal(self, position: Strip, move: Step) -> Refusal | None:
        refusal = super().why_illegal(position, move)
        return refusal and replace(refusal, code="unheard_of")


@broken("wants {'cell'} and gets")
class RefusesWithoutParameters(Walk):
    def why_illegal(self, position: Strip, move: Step) -> Refusal | None:
        refusal = super().why_illegal(position, move)
        return refusal and replace(refusal, params={})


@broken("is refused at")
class RefusesOffTheBoard(Walk):
    def why_illegal(self, position: Strip, move: Step) -> Refusal | None:
        refusal = super().why_illegal(position, move)
        return refusal and Refusal(refusal.code, ("z9",), refusal.params)


@dataclass
class Loose:
    length: int
    pawn: int
    mover: int

    def __hash__(self) -> int:
        return hash((self.length, self.pawn, self.mover))


@broken("can be set")
class HasPositionsThatChange(Walk):
    def initial(self, rng: Random) -> Loose:
        return Loose(int(self.options["length"]), 0, 0)

    def _apply(self, position: Strip, move: Step) -> Loose:
        return Loose(position.length, move.to, 1 - position.mover)

    def decode(self, text: str) -> Loose:
        right = super().decode(text)
        return Loose(right.length, right.pawn, right.mover)


class Shared:
    """A position that does not tell the kit what it is made of, and can be changed."""

    def __init__(self, length: int, pawn: int, mover: int) -> None:
        self.length, self.pawn, self.mover = length, pawn, mover

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.length, self.pawn, self.mover))


@broken("the default move")
class PlaysAnIllegalMoveForWhoHasLeft(Walk):
    def move_for_absent(self, position: Strip) -> Step:
        return Step(0)


@broken("changes the position it is played in")
class ChangesThePositionInPlay(Walk):
    def initial(self, rng: Random) -> Shared:
        return Shared(int(self.options["length"]), 0, 0)

    def _apply(self, position: Strip, move: Step) -> Shared:
        after = Shared(position.length, move.to, 1 - position.mover)
        position.mover = after.mover  # type: ignore[misc]
        return after

    def decode(self, text: str) -> Shared:
        right = super().decode(text)
        return Shared(right.length, right.pawn, right.mover)


@broken("different positions")
class PlaysAtRandom(Walk):
    turns = 0

    def _apply(self, position: Strip, move: Step) -> Strip:
        self.turns += 1
        return replace(super()._apply(position, move), mover=self.turns % 2)


@broken("is read as another position")
class LosesTheMover(Walk):
    def decode(self, text: str) -> Strip:
        return replace(super().decode(text), mover=0)


@broken("does not open with")
class EncodesApart(Walk):
    def encode(self, position: Strip) -> str:
        return "walk " + super().encode(position)


@broken("not one line")
class EncodesTwoLines(Walk):
    def encode(self, position: Strip) -> str:
        return super().encode(position) + "\n"


@broken("not plain ASCII")
class WritesPositionsInGreek(Walk):
    def position_text(self, position: Strip) -> str:
        return super().position_text(position).replace("p", "π")


@broken("share a notation")
class NamesAllMovesAlike(Walk):
    def notation(self, position: Strip, move: Step) -> str:
        return "c1"


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


@broken("key '")
class HasLongKeys(Walk):
    def steps(self, position: Strip, move: Step) -> tuple[str, ...]:
        return (*super().steps(position, move)[:1], "to" * 20 + name_of(move))


def name_of(move: Step) -> str:
    return toy.name(move.to)


@broken("key '")
class HasStrangeKeys(Walk):
    def steps(self, position: Strip, move: Step) -> tuple[str, ...]:
        return (*super().steps(position, move)[:1], f"({name_of(move)})")


@broken("lead elsewhere")
class StepsShareAKey(Walk):
    def steps(self, position: Strip, move: Step) -> tuple[str]:
        return ("on",)


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


@broken("lies on")
class StepsOffTheBoard(Walk):
    def step_cell(self, position: Strip, prefix: tuple[str, ...], key: str) -> str:
        return "z9"


@broken("two picks after")
class OffersAPickTwice(Walk):
    def next_steps(self, position: Strip, prefix: tuple[str, ...]) -> Sequence[api.Step]:
        return [*super().next_steps(position, prefix)] * 2


@broken("picks after the whole")
class GoesOnAfterTheWholeMove(Walk):
    def next_steps(self, position: Strip, prefix: tuple[str, ...]) -> Sequence[api.Step]:
        return super().next_steps(position, prefix[:1])


@broken("with {'pick'}|with set")
class StepTextLacksAParameter(Walk):
    def step_text(self, position: Strip, prefix: tuple[str, ...], key: str) -> Text:
        return Text("Go to {cell}")


@broken("scores")
class ScoresForOneSeat(Walk):
    def outcome(self, position: Strip) -> Outcome | None:
        outcome = super().outcome(position)
        return outcome and replace(outcome, scores=(1.0,))


@broken("no sentence for 'because'")
class EndsWithoutAReason(Walk):
    def outcome(self, position: Strip) -> Outcome | None:
        outcome = super().outcome(position)
        return outcome and replace(outcome, reason="because")


@broken("winners")
class CrownsTheLoser(Walk):
    def outcome(self, position: Strip) -> Outcome | None:
        outcome = super().outcome(position)
        return outcome and replace(outcome, winners=(Seat(1 - outcome.winners[0]),))


@broken("a draw in a game that knows none")
class EndsInADraw(Walk):
    def outcome(self, position: Strip) -> Outcome | None:
        outcome = super().outcome(position)
        return outcome and Outcome((0.5, 0.5), "arrived", ())


@broken("players sit as")
class SeatsAPlayerTwice(Walk):
    def seating(self, position: Strip) -> tuple[int, int]:
        return (0, 0)


@broken("wrong players")
class ShowsOtherPlayers(Walk):
    def seating(self, position: Strip) -> tuple[int, int]:
        return (1, 0)


@broken("marks {'z9'}")
class MarksOffTheBoard(Walk):
    def marks(self, position: Strip, move: Step) -> Marks:
        return Marks(last=("z9",))


@broken("marks a link")
class MarksALinkOffTheBoard(Walk):
    def marks(self, position: Strip, move: Step) -> Marks:
        return Marks(last_links=(("a1", "z9"),))


@broken("marks Arrow")
class MarksAnArrowOffTheBoard(Walk):
    def marks(self, position: Strip, move: Step) -> Marks:
        return Marks(arrows=(Arrow("a1", "z9"),))


@broken("view of 'other'")
class ShowsAnotherGame(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return replace(view, game="other")


@broken("share a name")
class ShowsACellTwice(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return replace(view, cells=(*view.cells[:-1], replace(view.cells[-1], name="a1")))


@broken("share a place")
class ShowsTwoCellsInOnePlace(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return replace(view, cells=(*view.cells[:-1], replace(view.cells[-1], file=0)))


@broken("the cells move about")
class ShowsCellsInAnotherOrderLater(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return replace(view, cells=view.cells[::-1]) if position.pawn else view


@broken("cells are renamed")
class RenamesCellsLater(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        cells = tuple(replace(cell, name=f"z{cell.file}") for cell in view.cells)
        return replace(view, cells=cells) if position.pawn else view


@broken("lies in 0 grids")
class ShowsACellBesideTheGrid(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return replace(view, cells=(*view.cells, Cell("a2", 0, 1)))


@broken("leaves the board")
class ShowsALinkToNowhere(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return replace(view, links=(Link("a1", "z9", 0),))


@broken("two owners")
class ShowsTwoOwnersOfASide(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return replace(view, edges=(Edge(Side.LEFT, 0), Edge(Side.LEFT, 1)))


@broken("more than the winning path")
class ShowsTheLastMove(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return view.with_marks(Marks(last=("a1",)))


@broken("seats own the colours")
class ShowsAColourOfNobody(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return replace(view, colours=(*view.colours, view.colours[0]))


@broken("to move:")
class ShowsTheWrongMover(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return replace(view, to_move=None if view.to_move is None else 1 - view.to_move)


@broken("result:")
class ShowsNoResult(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return replace(view, result=None)


@broken("points")
class ShowsPointsOfOneColour(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return replace(view, score_lines=(ScoreLine(Text.of("tops"), (1,)),))


@broken("tray")
class ShowsATrayOfNobody(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        tray = Tray("pit", Text.of("Pit"), 7, ())
        return replace(view, colours=(replace(view.colours[0], trays=(tray,)), view.colours[1]))


@broken("with set")
class ShowsAnEmptyPlaceholder(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return replace(view, captions=(Text("{count} stones"),))


@broken("unhashable")
class ShowsAListOfLinks(Base):
    def seen(self, view: BoardView, position: Strip) -> BoardView:
        return replace(view, links=[])  # type: ignore[arg-type]


@broken("looks different")
class ShowsSomethingElseEachTime(Base):
    turns = 0

    def seen(self, view: BoardView, position: Strip) -> BoardView:
        self.turns += 1
        return replace(view, captions=(Text.of("{count}", count=self.turns),))


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
    (
        {"presets": (Preset("x", Text.of("x"), Text.of("x"), {"length": 99}),)},
        "option_value",
    ),
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
