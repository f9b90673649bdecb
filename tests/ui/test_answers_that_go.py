"""The answer to a move goes once the board stands, whichever of the two comes first."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.domain.events import EventKind
from bot.domain.ids import UserId
from bot.domain.match import MatchStatus, Venue
from bot.i18n import Languages
from bot.ui import rest
from bot.ui.interaction.answer_lifecycle import AnswerLifecycle
from bot.ui.pages.components import Control, Page, Reply, button, rows, text
from bot.ui.rest import Background

_NEXT = button(Control("next"), "Next match")


@pytest.mark.parametrize(
    "kind", [EventKind.MOVED, EventKind.DRAW_ACCEPTED, EventKind.DRAW_DECLINED]
)
@pytest.mark.parametrize("first", ["answered", "posted", "posted before the move is answered"])
async def test_the_answer_to_a_move_or_a_draw_offer_goes_whichever_comes_first(
    monkeypatch: pytest.MonkeyPatch, first: str, kind: EventKind
) -> None:
    gone = _taken_back(monkeypatch)
    background = Background()
    nothing = cast("Any", None)
    news = AnswerLifecycle(nothing, nothing, nothing, background)
    match = cast(
        "Any",
        SimpleNamespace(id="abcdefghij", version=7, venue=Venue.DIRECT, status=MatchStatus.RUNNING),
    )
    interaction = cast(
        "Any",
        SimpleNamespace(id=1, channel_id=2, type=discord.InteractionType.application_command),
    )
    done = cast("Any", SimpleNamespace(match=match, code=kind.value))
    if first == "posted before the move is answered":
        news.posted(match)
    news.watch(interaction, nothing, nothing, done)
    if first == "answered":
        news.answered(1, Reply("You played a1."), update=False)
        assert not gone
        news.posted(match)
    else:
        if first == "posted":
            news.posted(match)
        await asyncio.sleep(0)
        assert not gone
        news.answered(1, Reply("You played a1."), update=False)
    assert await background.drain(5) == 0
    news.posted(match)
    assert await background.drain(5) == 0
    assert gone == [1]


@pytest.mark.parametrize("acted_at", [4, 5])
async def test_a_refusal_told_in_an_answer_tells_of_no_later_turn(
    monkeypatch: pytest.MonkeyPatch, acted_at: int
) -> None:
    """Its reader learns of a turn that began with what they did, and of none that came after."""
    told, learned = [], []

    async def edit(interaction: Any, _written: Any) -> None:
        told.append(interaction.id)

    async def reached(turn: Any) -> None:
        learned.append(turn)

    monkeypatch.setattr(rest, "edit_answer", edit)
    turn = SimpleNamespace(since=5, user_id=UserId(7))
    background = Background()
    news = AnswerLifecycle(
        cast("Any", SimpleNamespace(turn=lambda _: turn)),
        cast("Any", SimpleNamespace(reached=reached)),
        cast("Any", SimpleNamespace(words=lambda *_: "")),
        background,
    )
    state = {"id": "abcdefghij", "venue": Venue.DIRECT, "status": MatchStatus.OFFERED}
    typed = discord.InteractionType.application_command
    interaction = cast("Any", SimpleNamespace(id=1, channel_id=2, type=typed))
    acted = SimpleNamespace(match=SimpleNamespace(version=acted_at, **state), code="paused")
    news.watch(interaction, UserId(7), Languages().default, cast("Any", acted))
    news.answered(1, Reply("Done."), update=False)
    now = SimpleNamespace(version=5, **state)
    news.refused(cast("Any", now), None)
    assert await background.drain(5) == 0
    assert told == [1]
    assert learned == ([turn] if acted_at == 5 else [])


@pytest.mark.parametrize(("channel", "goes"), [(5, True), (6, False)])
async def test_the_answer_to_an_offer_goes_once_the_offer_stands_there(
    monkeypatch: pytest.MonkeyPatch, channel: int, goes: bool
) -> None:
    gone = _taken_back(monkeypatch)
    background, nothing = Background(), cast("Any", None)
    news = AnswerLifecycle(nothing, nothing, nothing, background)
    origin = SimpleNamespace(channel_id=5)
    match = cast(
        "Any",
        SimpleNamespace(
            id="abcdefghij",
            version=1,
            venue=Venue.THREAD,
            origin=origin,
            home_id=None,
            status=MatchStatus.OFFERED,
        ),
    )
    typed = discord.InteractionType.application_command
    interaction = cast("Any", SimpleNamespace(id=1, channel_id=channel, type=typed))
    done = cast("Any", SimpleNamespace(match=match, code=EventKind.OFFERED.value))
    news.watch(interaction, nothing, nothing, done)
    news.answered(1, Reply("Offer sent."), update=False)
    news.posted(match)
    assert await background.drain(5) == 0
    assert gone == ([1] if goes else [])


async def test_a_process_that_stops_does_not_wait_for_an_answer_that_is_not_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone = _taken_back(monkeypatch)
    background, nothing = Background(), cast("Any", None)
    news = AnswerLifecycle(nothing, nothing, nothing, background)
    match = cast("Any", SimpleNamespace(id="abcdefghij", version=1, status=MatchStatus.RUNNING))
    typed = discord.InteractionType.application_command
    interaction = cast("Any", SimpleNamespace(id=1, channel_id=5, type=typed))
    origin = SimpleNamespace(channel_id=5)
    shown = SimpleNamespace(
        id="abcdefghij", version=1, venue=Venue.THREAD, origin=origin, home_id=5
    )
    done = cast("Any", SimpleNamespace(match=shown, code=EventKind.MOVED.value))
    news.watch(interaction, nothing, nothing, done)
    news.posted(match)
    assert await background.drain(0.5) == 0
    assert gone == []


async def test_a_page_on_which_to_move_goes_when_its_position_has_passed_or_the_match_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone = _taken_back(monkeypatch)
    background, nothing, now = Background(), cast("Any", None), 0.0
    news = AnswerLifecycle(nothing, nothing, nothing, background, clock=lambda: now)

    def match(name: str, version: int = 3, since: int = 3, *, is_over: bool = False) -> Any:
        status = MatchStatus.FINISHED if is_over else MatchStatus.RUNNING
        return SimpleNamespace(
            id=name, version=version, position_since=since, venue=Venue.DIRECT, status=status
        )

    def opened(click: Any, name: str) -> None:
        news.opened(click, match(name))

    opened(_click(0), "a")
    opened(_click(1), "a")
    opened(_click(2, on=1), "a")
    opened(_click(3), "a")
    opened(_click(4), "a")
    opened(_click(5), "b")
    # Who plays on the page reads the answer in its place, even if the board is there before it.
    news.clicked(_click(9, on=4))
    news.posted(match("a", version=4))
    assert await background.drain(5) == 0
    assert gone == [], "the position is still the same"
    news.posted(match("a", version=5, since=5))
    assert await background.drain(5) == 0
    assert sorted(gone) == [0, 2, 3], "each page once, by what was last done on it"
    opened(_click(10), "a")
    news.posted(match("a", is_over=True))
    assert await background.drain(5) == 0
    assert gone[3:] == [10]
    now = 3600.0
    news.posted(match("b", is_over=True))
    assert await background.drain(5) == 0
    assert gone[4:] == [], "Discord takes back nothing that is as old"


def _click(number: int, *, on: int | None = None) -> Any:
    """A press of a button that opens a page, or ``on`` the page that another press has opened."""
    kinds = discord.InteractionResponseType
    kind = kinds.deferred_channel_message if on is None else kinds.deferred_message_update
    return SimpleNamespace(
        id=number,
        channel_id=2,
        type=discord.InteractionType.component,
        message=SimpleNamespace(
            interaction_metadata=None if on is None else SimpleNamespace(id=on)
        ),
        response=SimpleNamespace(type=kind),
    )


def _taken_back(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    gone: list[int] = []

    async def delete(interaction: Any) -> None:
        gone.append(interaction.id)

    monkeypatch.setattr(rest, "delete_answer", delete)
    return gone


async def test_an_answer_with_a_button_goes_when_the_next_one_comes_in_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone = _taken_back(monkeypatch)
    background, now = Background(), 0.0
    nothing = cast("Any", None)
    news = AnswerLifecycle(nothing, nothing, nothing, background, clock=lambda: now)
    leading = Reply("You played a1.", Page(text("You played a1."), *rows([_NEXT])))

    async def played(number: int, user: int, channel: int, reply: Reply) -> None:
        match = cast(
            "Any",
            SimpleNamespace(
                id="abcdefghij", version=number, venue=Venue.DIRECT, status=MatchStatus.RUNNING
            ),
        )
        kind = discord.InteractionType.application_command
        interaction = cast("Any", SimpleNamespace(id=number, channel_id=channel, type=kind))
        done = cast("Any", SimpleNamespace(match=match, code=EventKind.MOVED.value))
        news.watch(interaction, UserId(user), nothing, done)
        news.answered(number, reply, update=False)
        news.posted(match)
        for _ in range(5):
            await asyncio.sleep(0)

    await played(1, 7, 2, leading)
    assert gone == []
    await played(2, 7, 3, leading)
    await played(3, 8, 2, leading)
    assert gone == [], "elsewhere, or another player's"
    await played(4, 7, 2, leading)
    assert gone == [1]
    await played(5, 7, 2, Reply("You played b2."))
    assert gone == [1, 4, 5]
    now = 1000.0
    await played(6, 8, 2, leading)
    assert gone == [1, 4, 5], "Discord lets nobody take back what is that old"
    assert await background.drain(5) == 0
