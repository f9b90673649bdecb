"""The time that Discord's answers tell, with a machine's clock that jumps."""

from __future__ import annotations

import random
from datetime import timedelta
from email.utils import formatdate

import pytest

from bot.clock import DiscordClock
from tests.support.kit import START, HandClock


class World:
    """True time, a machine's clock that is off, and a Discord that is asked what time it is."""

    def __init__(self, seed: int = 1) -> None:
        self.true = HandClock()
        self.machine = HandClock()
        self.clock = DiscordClock(self.machine, self.true.seconds)
        self.rng = random.Random(seed)

    def passes(self, seconds: float) -> None:
        self.true.forward(seconds=seconds)
        self.machine.forward(seconds=seconds)

    def asks(self, *, wrong: float = 0.0) -> None:
        asked = self.true.seconds()
        self.passes(self.rng.uniform(0.02, 0.2))
        said = formatdate(int(self.true.at.timestamp() + wrong), usegmt=True)
        self.passes(self.rng.uniform(0.02, 0.2))
        self.clock.hear(said, asked)

    @property
    def error(self) -> float:
        return (self.clock.now() - self.true.now()).total_seconds()


def test_until_discord_has_said_anything_the_time_is_the_machines() -> None:
    world = World()
    world.machine.forward(hours=1)
    assert world.clock.now() == START + timedelta(hours=1)
    world.clock.hear(None, 0.0)
    world.clock.hear("tomorrow", 0.0)
    assert world.clock.now() == START + timedelta(hours=1)


def test_a_machine_that_is_right_is_believed_to_the_microsecond() -> None:
    world = World()
    for _ in range(200):
        world.asks()
        world.passes(world.rng.uniform(0, 700))
        assert world.error == 0
        assert world.clock.offset == 0


@pytest.mark.parametrize("step", [1, -1, 3, -3, 60, -60, 3600, -3600, 86_400, -86_400])
def test_a_step_of_the_machines_clock_is_not_the_times(step: int) -> None:
    world = World(abs(step))
    for _ in range(3):
        world.asks()
        world.passes(world.rng.uniform(0, 9))
    world.machine.forward(seconds=step)
    assert abs(world.error) < 1.2, "at once, without an answer"
    for _ in range(12):
        world.asks()
        world.passes(world.rng.uniform(0, 9))
    assert abs(world.error) < 0.4
    if abs(step) > 1:
        assert world.clock.offset == pytest.approx(step, abs=0.4)
    world.passes(3600)
    assert abs(world.error) < 1.2, "an hour without an answer"


def test_one_wrong_answer_changes_nothing_and_answers_that_bear_each_other_out_do() -> None:
    world = World()
    for _ in range(5):
        world.asks()
        world.passes(1.3)
    world.asks(wrong=500)
    assert world.error == 0
    world.asks()
    world.asks(wrong=-500)
    world.asks(wrong=500)
    assert world.error == 0
    # Such as a machine that was frozen whole, whose own seconds did not go on.
    world.asks(wrong=700)
    world.asks(wrong=700)
    assert world.error == pytest.approx(700, abs=1)
