"""The answer to a move goes once the board stands, whichever of the two comes first."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.domain.ids import UserId
from bot.domain.match import MatchStatus, Venue
from bot.i18n import Languages
from bot.ui import rest
from bot.ui.interaction.answer_lifecycle import AnswerLifecycle
from bot.ui.pages.components import Control, Page, Reply, button, rows, text
from bot.ui.rest import Background

NOTHING = cast("Any", None)
PLAYED = Reply("You played a1.")
LEADING = Reply(
    "You played a1.", Page(text("You played a1."), *rows([button(Control("next"), "Next match")]))
)


class Stage:
    """Answers that come and go, of which it is noted which are taken back."""

    def __init__(self) -> None:
        self.now, self.gone, self.background = 0.0, list[int](), Background()
        self.news = self.with_news(NOTHING, NOTHING, NOTHING)

    def with_news(self, blocked: Any, untold: Any, obstacles: Any) -> AnswerLifecycle:
        return AnswerLifecycle(blocked, untold, obstacles, self.background, clock=lambda: self.now)

    async def quiet(self) -> list[int]:
        """All that has been taken back once nothing is left to do."""
        assert await self.background.drain(5) == 0
        return self.gone


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Stage:
    made = Stage()

    async def delete(interaction: Any) -> None:
        made.gone.append(interaction.id)

    monkeypatch.setattr(rest, "delete_answer", delete)
    return made


def match(name: str = "abcdefghij", version: int = 7, **more: Any) -> Any:
    about = {"venue": Venue.DIRECT, "status": MatchStatus.RUNNING, "position_since": version}
    return SimpleNamespace(**{"id": name, "version": version, **about, **more})


def typed(number: int = 1, channel: int = 2) -> Any:
    kind = discord.InteractionType.application_command
    return SimpleNamespace(id=number, channel_id=channel, type=kind)


def click(number: int, *, on: int | None = None) -> Any:
    """A press of a button that opens a page, or ``on`` the page that another press has opened."""
    kinds = discord.InteractionResponseType
    kind = kinds.deferred_channel_message if on is None else kinds.deferred_message_update
    metadata = None if on is None else SimpleNamespace(id=on)
    return SimpleNamespace(
        id=number,
        channel_id=2,
        type=discord.InteractionType.component,
        message=SimpleNamespace(interaction_metadata=metadata),
        response=SimpleNamespace(type=kind),
    )


def done(of: Any, code: str) -> Any:
    return SimpleNamespace(match=of, code=code)


@pytest.mark.parametrize("code", ["moved", "draw_agreed", "draw_refused"])
@pytest.mark.parametrize("first", ["answered", "posted", "posted before the move is answered"])
async def test_the_answer_to_a_move_or_a_draw_offer_goes_whichever_comes_first(
    stage: Stage, first: str, code: str
) -> None:
    news, played = stage.news, match()
    if first == "posted before the move is answered":
        news.posted(played)
    news.watch(typed(), NOTHING, NOTHING, done(played, code))
    if first == "posted":
        news.posted(played)
    await asyncio.sleep(0)
    assert not stage.gone
    news.answered(1, PLAYED, update=False)
    if first == "answered":
        assert not stage.gone
        news.posted(played)
    assert await stage.quiet() == [1]
    news.posted(played)
    assert await stage.quiet() == [1]


@pytest.mark.parametrize("acted_at", [4, 5])
async def test_a_refusal_told_in_an_answer_tells_of_no_later_turn(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, acted_at: int
) -> None:
    """Its reader learns of a turn that began with what they did, and of none that came after."""
    told, learned = [], []

    async def edit(interaction: Any, _written: Any) -> None:
        told.append(interaction.id)

    async def reached(turn: Any) -> None:
        learned.append(turn)

    monkeypatch.setattr(rest, "edit_answer", edit)
    turn = SimpleNamespace(since=5, user_id=UserId(7))
    news = stage.with_news(
        SimpleNamespace(turn=lambda _: turn),
        SimpleNamespace(reached=reached),
        SimpleNamespace(words=lambda *_: ""),
    )
    acted = SimpleNamespace(
        match=match(version=acted_at, status=MatchStatus.OFFERED), code="paused"
    )
    news.watch(typed(), UserId(7), Languages().default, cast("Any", acted))
    news.answered(1, Reply("Done."), update=False)
    news.refused(match(version=5, status=MatchStatus.OFFERED), None)
    await stage.quiet()
    assert told == [1]
    assert learned == ([turn] if acted_at == 5 else [])


@pytest.mark.parametrize(("channel", "goes"), [(5, True), (6, False)])
async def test_the_answer_to_an_offer_goes_once_the_offer_stands_there(
    stage: Stage, channel: int, goes: bool
) -> None:
    place: dict[str, Any] = {
        "venue": Venue.THREAD,
        "origin": SimpleNamespace(channel_id=5),
        "home_id": None,
    }
    offer = match(version=1, status=MatchStatus.OFFERED, **place)
    stage.news.watch(typed(channel=channel), NOTHING, NOTHING, done(offer, "offered"))
    stage.news.answered(1, Reply("Offer sent."), update=False)
    stage.news.posted(offer)
    assert await stage.quiet() == ([1] if goes else [])


async def test_a_process_that_stops_does_not_wait_for_an_answer_that_is_not_given(
    stage: Stage,
) -> None:
    stage.news.watch(typed(), NOTHING, NOTHING, done(match(), "moved"))
    stage.news.posted(match())
    assert await stage.background.drain(0.5) == 0
    assert stage.gone == []


async def test_a_page_on_which_to_move_goes_when_its_position_has_passed_or_the_match_ends(
    stage: Stage,
) -> None:
    news, over = stage.news, MatchStatus.FINISHED
    for number, on, name in (
        (0, None, "a"),
        (1, None, "a"),
        (2, 1, "a"),
        (3, None, "a"),
        (4, None, "a"),
        (5, None, "b"),
    ):
        news.opened(click(number, on=on), match(name, 3))
    # Who plays on the page reads the answer in its place, even if the board is there before it.
    news.clicked(click(9, on=4))
    news.posted(match("a", 4, position_since=3))
    assert await stage.quiet() == [], "the position is still the same"
    news.posted(match("a", 5))
    assert sorted(await stage.quiet()) == [0, 2, 3], "each page once, by what was last done on it"
    news.opened(click(10), match("a", 3))
    news.posted(match("a", 3, status=over))
    assert (await stage.quiet())[3:] == [10]
    stage.now = 3600.0
    news.posted(match("b", 3, status=over))
    assert (await stage.quiet())[4:] == [], "Discord takes back nothing that is as old"


async def test_an_answer_with_a_button_goes_when_the_next_one_comes_in_its_place(
    stage: Stage,
) -> None:
    async def played(number: int, user: int, channel: int, reply: Reply) -> None:
        made = match(version=number)
        interaction = typed(number, channel)
        stage.news.watch(interaction, UserId(user), NOTHING, done(made, "moved"))
        stage.news.answered(number, reply, update=False)
        stage.news.posted(made)
        for _ in range(5):
            await asyncio.sleep(0)

    for number, user, channel, reply, gone in (
        (1, 7, 2, LEADING, []),
        (2, 7, 3, LEADING, []),
        (3, 8, 2, LEADING, []),
        (4, 7, 2, LEADING, [1]),
        (5, 7, 2, PLAYED, [1, 4, 5]),
    ):
        await played(number, user, channel, reply)
        assert stage.gone == gone, "but for one elsewhere, or another player's"
    stage.now = 1000.0
    await played(6, 8, 2, LEADING)
    assert await stage.quiet() == [1, 4, 5], "Discord lets nobody take back what is that old"
