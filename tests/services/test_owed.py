"""Later news for a person about a lost answer."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from bot.domain.ids import InteractionId, UserId
from bot.services.lost_answers import LostAnswers
from bot.services.match_changes import Answer
from bot.services.matches import MatchService
from bot.store import Store
from bot.store.errors import StoreUnavailable
from tests.support.kit import HandClock

ANN = UserId(1)
LOST = InteractionId(7)


class OneOwed:
    """A store in which one answer is owed until it is told."""

    def __init__(self, *, can_note: bool = True) -> None:
        self.lost = {LOST}
        self.reads = 0
        self._can_note = can_note

    async def read(self, transaction: Any, *args: Any) -> Any:
        return await getattr(self, transaction.__name__)(*args)

    write = read

    async def owe(self, interaction_id: InteractionId, now: datetime, before: datetime) -> None:
        self.lost.add(interaction_id)

    async def all_owed(self) -> tuple[tuple[UserId, InteractionId], ...]:
        self.reads += 1
        return tuple((ANN, each) for each in self.lost)

    async def answer_told(self, interaction_id: InteractionId) -> None:
        if not self._can_note:
            raise StoreUnavailable("full")
        self.lost.discard(interaction_id)


class Meanwhile:
    """Matches in which something happens while they are asked what an interaction has caused."""

    def __init__(self, answers: list[LostAnswers]) -> None:
        self._answers = answers

    async def done(self, interaction_id: InteractionId) -> Answer:
        for each in self._answers:
            await each.told(interaction_id)
        return cast(Answer, object())


def owed_answers(store: OneOwed, *, told_meanwhile: bool) -> LostAnswers:
    answers: list[LostAnswers] = []
    made = LostAnswers(cast("Store", store), cast(MatchService, Meanwhile(answers)), HandClock())
    if told_meanwhile:
        answers.append(made)
    return made


async def test_an_answer_given_while_it_is_looked_up_is_not_told_again() -> None:
    assert await owed_answers(OneOwed(), told_meanwhile=True).of(ANN) == ()


async def test_an_answer_that_was_not_given_is_told() -> None:
    (owed,) = await owed_answers(OneOwed(), told_meanwhile=False).of(ANN)
    assert owed.interaction_id == LOST


async def test_an_answer_that_could_not_be_noted_as_told_is_told_once_more() -> None:
    answers = owed_answers(OneOwed(can_note=False), told_meanwhile=False)
    await answers.told(LOST)
    assert len(await answers.of(ANN)) == 1


async def test_what_is_owed_is_read_once_a_minute_and_when_something_is_owed() -> None:
    store, clock = OneOwed(), HandClock()
    store.lost.clear()
    answers = LostAnswers(cast("Store", store), cast(MatchService, Meanwhile([])), clock)
    assert await answers.of(ANN) == await answers.of(UserId(2)) == ()
    assert store.reads == 1

    await answers.owe(LOST)
    (owed,) = await answers.of(ANN)
    assert owed.interaction_id == LOST
    assert await answers.of(UserId(2)) == ()
    assert store.reads == 2

    store.lost.add(InteractionId(8))  # by another process
    assert len(await answers.of(ANN)) == 1
    clock.forward(minutes=1)
    assert len(await answers.of(ANN)) == 2


async def test_what_another_process_has_told_is_not_told_again() -> None:
    store, clock = OneOwed(), HandClock()
    answers = LostAnswers(cast("Store", store), cast(MatchService, Meanwhile([])), clock)
    assert await answers.of(UserId(2)) == ()
    store.lost.discard(LOST)  # by another process
    clock.forward(seconds=5)
    assert await answers.of(ANN) == ()
