"""The events of the simulated days."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from bot.tournaments.domain.setup import Decider, FormatKey, Setup, Unfinished
from tests.simulation.record import CONTROLS, Control

LIVE = Control("10m+5s", timedelta(minutes=10), timedelta(seconds=5), vacation=False)
BRISK = Control("2h+5m", timedelta(hours=2), timedelta(minutes=5), vacation=False)
DAILY = replace(next(each for each in CONTROLS if each.typed == "1d/move"), vacation=False)
UNTIMED = Control("none")


@dataclass(frozen=True)
class Sketch:
    """An event to be held: days after the first day, and how many are to enter."""

    name: str
    form: FormatKey
    size: int
    at: float
    open_for: float
    lasts: float
    control: Control = BRISK
    game: str = "quax"
    more: Mapping[str, Any] = field(default_factory=dict)
    actions: tuple[str, ...] = ()
    """Actions beside play: ``withdraw``, ``absent``, ``late``, ``exclude``, ``erase``, ``correct``,
``decide``, ``replace``, ``pair again``.
    """

    def setup(self, now: datetime) -> Setup:
        """The organiser's announcement."""
        begins = now + timedelta(days=self.open_for)
        no_show = timedelta(hours=20 if self.control is DAILY else 12)
        choices: dict[str, Any] = {"decider": Decider.HIGHER_SEED, "no_show": no_show}
        if self.form is FormatKey.KNOCKOUT:
            choices["most"] = self.size
        if self.form is FormatKey.TABLES:
            choices |= {"unfinished": Unfinished.SCORE, "least": 4}
        if self.form is FormatKey.ARENA:
            choices["no_show"] = timedelta(minutes=2)
        return Setup(
            self.name,
            self.form,
            self.game,
            begins,
            begins,
            begins + timedelta(days=self.lasts),
            options={"size": 3, "pie": "off"} if self.game == "quax" else {},
            clock=self.control.typed if self.control.runs else None,
            late_entry="late" in self.actions,
            **choices | dict(self.more),
        )


def few_days() -> tuple[tuple[Sketch, ...], ...]:
    """The events that fit into three days, by club."""
    table = Sketch(
        "Little table", FormatKey.ROUND_ROBIN, 4, 0.02, 0.7, 2.0, BRISK,
        actions=("absent", "correct"),
    )  # fmt: skip
    cup = Sketch("Little cup", FormatKey.KNOCKOUT, 3, 0.03, 0.8, 1.8, BRISK)
    return (table,), (cup,)


def full_month(players: int) -> tuple[tuple[Sketch, ...], ...]:
    """All formats, from three players to as many as there are (256 at most)."""
    all_in = min(players, 256)
    some = max(min(players - 2, 256), 3)  # so that there are others who come late or stand in
    actions = ("withdraw", "absent", "exclude", "correct", "decide")
    swiss, tables, arena, ladder = (
        FormatKey.SWISS,
        FormatKey.TABLES,
        FormatKey.ARENA,
        FormatKey.LADDER,
    )
    first = (
        Sketch("Big cup", FormatKey.KNOCKOUT, all_in, 0.1, 2.0, 24.0, DAILY,
               more={"third_place": True},
               actions=("absent", "correct", "withdraw", "erase", "correct")),
        Sketch("Autumn Swiss", swiss, some, 0.3, 2.0, 20.0, DAILY,
               more={"rounds": 5}, actions=("late", "replace", *actions, "pair again")),
        Sketch("Division", FormatKey.ROUND_ROBIN, min(some, 23), 0.5, 1.5, 20.0, DAILY,
               more={"at_once": 3}, actions=("replace", *actions, "pair again")),
        Sketch("Ladder", ladder, min(some, 12), 0.7, 1.0, 24.0, DAILY,
               actions=("late", "withdraw")),
        Sketch("Evening arena", arena, min(players, 14), 3.0, 0.6, 2 / 24, LIVE,
               more={"least": 2}, actions=("absent",)),
    )  # fmt: skip
    second = (
        Sketch("Little cup", FormatKey.KNOCKOUT, 3, 0.2, 1.0, 2.0, BRISK,
               more={"best_of": 2, "decider": Decider.EXTRA_GAME}),
        Sketch("Little table", FormatKey.ROUND_ROBIN, 4, 1.2, 1.0, 3.0, BRISK,
               actions=("absent", "correct")),
        Sketch("Fours", tables, min(some, 18), 1.0, 2.0, 20.0, UNTIMED, "pythagoras",
               more={"rounds": 3, "final_table": True}, actions=("late", "replace", "withdraw")),
        Sketch("Weekend Swiss", swiss, min(some, 9), 5.0, 1.5, 3.0, BRISK,
               more={"rounds": 3, "least": 3},
               actions=("pair again", "absent", "withdraw", "late")),
        Sketch("Two lives", FormatKey.KNOCKOUT, min(players, 11), 7.0, 1.0, 9.0, BRISK,
               more={"double": True, "best_of": 2, "decider": Decider.SECOND_WINS_DRAW},
               actions=("absent", "decide", "correct")),
        Sketch("Night arena", arena, 3, 10.0, 0.8, 1.5 / 24, LIVE),
        Sketch("Late cup", FormatKey.KNOCKOUT, min(some, 16), 12.0, 1.0, 10.0, BRISK,
               more={"best_of": 3, "decider": Decider.EXTRA_GAME},
               actions=("replace", "pair again", "absent", "exclude", "decide", "correct")),
    )  # fmt: skip
    return first, second
