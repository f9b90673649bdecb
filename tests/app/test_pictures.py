"""Pictures: each drawn once, kept by size, missed without harm, by threads that give way."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random

import pytest

from bot.domain.ids import UserId
from bot.i18n import Languages
from bot.media.pictures import PictureMaker, give_way
from bot.ui.pages.display_names import NameBook
from games import catalog
from games.view import BoardView
from renderers import Picture, Style


@dataclass
class Easel:
    """Draws pictures of forty bytes, once its gate is open."""

    drawn: list[BoardView] = field(default_factory=list)
    trouble: list[Exception] = field(default_factory=list)
    policies: list[int] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)

    def __call__(self, view: BoardView, style: Style) -> Picture:
        self.gate.wait(5)
        self.policies.append(os.sched_getscheduler(0) if os.name == "posix" else 0)
        if self.trouble:
            raise self.trouble.pop()
        self.drawn.append(view)
        return Picture(b"x" * 40, "words", 1, 1)


@pytest.fixture
def easel() -> Easel:
    return Easel()


@pytest.fixture
def views() -> list[BoardView]:
    game = catalog.create("quax", {"size": 5, "pie": "off"})
    position = game.initial(Random(0))
    moves = list(game.legal_moves(position))[:4]
    return [game.view(game.play(position, move), None) for move in moves]


async def test_equal_requests_share_one_drawing_and_the_result_is_kept(
    easel: Easel, views: list[BoardView]
) -> None:
    maker, view = PictureMaker(easel), views[0]
    asked = [asyncio.create_task(maker.picture(view, Style())) for _ in range(5)]
    await asyncio.sleep(0.05)
    asked.pop().cancel()
    easel.gate.set()
    found = await asyncio.wait_for(asyncio.gather(*asked), 5)
    assert len({id(each) for each in found}) == 1, "who gives up waiting takes it from nobody else"
    await maker.picture(view, Style())
    assert len(easel.drawn) == 1
    await maker.picture(view, Style(theme="light"))
    assert len(easel.drawn) == 2
    maker.close()


async def test_the_oldest_pictures_go_when_there_are_too_many_bytes(
    easel: Easel, views: list[BoardView]
) -> None:
    easel.gate.set()
    maker = PictureMaker(easel, limit=100)
    one, two, three, _ = views
    for view in (one, two, three, two, one):
        await maker.picture(view, Style())
        await asyncio.sleep(0)
    assert easel.drawn == [one, two, three, one]
    maker.close()


async def test_beyond_the_queue_there_is_no_picture(easel: Easel, views: list[BoardView]) -> None:
    maker = PictureMaker(easel, queue=2)
    waiting = [asyncio.create_task(maker.picture(view, Style())) for view in views[:2]]
    await asyncio.sleep(0.05)
    assert await maker.picture(views[2], Style()) is None
    easel.gate.set()
    assert all(await asyncio.gather(*waiting))
    maker.close()


@pytest.mark.logs_errors
async def test_a_drawing_that_fails_is_none_and_is_tried_again(
    easel: Easel, views: list[BoardView]
) -> None:
    easel.gate.set()
    easel.trouble.append(ValueError("no such theme"))
    maker = PictureMaker(easel)
    assert await maker.picture(views[0], Style()) is None
    assert await maker.picture(views[0], Style()) is not None
    maker.close()


async def test_after_closing_what_was_asked_for_is_drawn_and_nothing_waits_for_more(
    easel: Easel, views: list[BoardView]
) -> None:
    maker = PictureMaker(easel, threads=1)
    *asked, late = views
    waiting = [asyncio.create_task(maker.picture(view, Style())) for view in asked]
    await asyncio.sleep(0.05)
    maker.close()
    for _ in range(2):
        with pytest.raises(RuntimeError):
            await asyncio.wait_for(maker.picture(late, Style()), 1)
    easel.gate.set()
    assert all(await asyncio.wait_for(asyncio.gather(*waiting), 5))


def _gives_way_here() -> bool:
    """Whether this system lets a thread give way at all."""

    def asked() -> bool:
        try:
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        except (AttributeError, OSError):
            return False
        return os.sched_getscheduler(0) == os.SCHED_BATCH

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asked).result()


@pytest.mark.skipif(not _gives_way_here(), reason="this system does not let threads give way")
async def test_threads_that_draw_do_not_interrupt_the_event_loop(
    easel: Easel, views: list[BoardView]
) -> None:
    mine = os.sched_getscheduler(0)
    easel.gate.set()
    maker = PictureMaker(easel)
    await maker.picture(views[0], Style())
    maker.close()
    assert easel.policies == [os.SCHED_BATCH]
    assert os.sched_getscheduler(0) == mine


def test_a_host_that_does_not_let_threads_give_way_is_none_the_worse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refused, raising=False)
    with ThreadPoolExecutor(1, initializer=give_way) as pool:
        assert pool.submit(threading.current_thread).result() is not threading.main_thread()


async def test_a_strangers_name_is_asked_for_once_and_the_least_seen_is_forgotten() -> None:
    asked: list[UserId] = []

    async def fetch(user_id: UserId) -> str | None:
        asked.append(user_id)
        return "Ada" if user_id == 1 else None

    book = NameBook(fetch, limit=2)
    english, german = Languages().default, Languages().known()["de"]
    assert await asyncio.gather(*(book.name(UserId(1), english) for _ in range(3))) == ["Ada"] * 3
    assert await book.name(UserId(71234), english) == "Player 1234"
    assert await book.name(UserId(71234), german) == "Spieler 1234"
    assert asked == [1, 71234]
    book.note(UserId(3), "Cleo")
    assert book.seen(UserId(1)) is None
    assert book.seen(UserId(3)) == "Cleo"
