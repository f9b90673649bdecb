"""The meaning of Discord's answers for the outbox, and pauses between requests."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.posts.sending import Gone, Refused, Retry
from bot.ui.delivery.poster import Moderated, RestCalls, TooMuch

JSON = {"Via": "1.1 google", "Content-Type": "application/json"}


class Discord:
    """Answers in this order, then well; counts what it was asked."""

    def __init__(self, *answers: discord.HTTPException) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def __call__(self) -> str:
        self.asked += 1
        if self.answers:
            raise self.answers.pop(0)
        return "done"


def no(
    status: int, code: int = 0, headers: Mapping[str, str] | None = None
) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="no", headers=headers or {})
    return discord.HTTPException(response, {"code": code, "message": "no"})


async def waits(calls: RestCalls, question: Discord) -> float | None:
    with pytest.raises(Retry) as caught:
        await calls.ask(question)
    return caught.value.after


async def test_a_ban_is_waited_for_a_little_and_longer_each_time_it_comes_again() -> None:
    now = [100.0]
    calls = RestCalls(lambda: now[0])
    question = Discord(*(no(429) for _ in range(8)))
    for asked, wait in enumerate((15, 30, 60, 120, 240, 480, 600, 600), 1):
        assert await waits(calls, question) == wait
        now[0] += wait - 5
        assert await waits(calls, question) == 5, "another one waits for the same end"
        assert question.asked == asked, "and asks nothing meanwhile"
        now[0] += 5
    assert await calls.ask(question) == "done"
    assert await waits(calls, Discord(no(429))) == 15


async def test_a_ban_lasts_as_long_as_it_says() -> None:
    calls = RestCalls(lambda: 0.0)
    assert await waits(calls, Discord(no(429, headers={"Retry-After": "7"}))) == 7
    assert (
        await waits(RestCalls(lambda: 0.0), Discord(no(429, headers={"Retry-After": "99999"})))
        == 3600
    )


async def test_a_limit_of_one_request_keeps_no_other_waiting() -> None:
    calls = RestCalls(lambda: 0.0)
    for answer, wait in (
        (no(429, 30046, JSON), 20),
        (no(429, 0, headers={**JSON, "Retry-After": "3"}), 3),
        (no(429, 0, JSON), None),
        (no(400, 40003, JSON), 60),
        (no(503), None),
    ):
        assert await waits(calls, Discord(answer)) == wait
        assert await calls.ask(Discord()) == "done"


@pytest.mark.parametrize(
    ("answer", "meaning", "reason"),
    [
        (no(404, 10008, JSON), Gone, "message"),
        (no(404, 10003, JSON), Gone, "channel"),
        (no(403, 50013, JSON), Refused, "refused_403_50013"),
        (no(400, 160005, JSON), Refused, "refused_400_160005"),
        (no(400, 200000, JSON), Moderated, "refused_400_200000"),
        *(
            (no(400, code, JSON), TooMuch, f"refused_too_much_{code}")
            for code in (40005, 50035, 50045)
        ),
    ],
)
async def test_each_no_has_its_meaning(
    answer: discord.HTTPException, meaning: type[Gone | Refused], reason: str
) -> None:
    with pytest.raises(meaning) as caught:
        await RestCalls().ask(Discord(answer))
    assert isinstance(caught.value, Gone | Refused)
    assert caught.value.reason == reason
