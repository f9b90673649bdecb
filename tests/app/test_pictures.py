"""Pictures: each drawn once, kept by size, missed without harm."""

from __future__ import annotations

import asyncio
import threading

import pytest

from bot.domain.ids import UserId
from bot.i18n import Languages
from bot.media.pictures import PictureMaker
from bot.ui.pages.display_names import NameBook
from games import catalog
from games.view import BoardView
from renderers import Picture, Style


def dots(png: bytes) -> Picture:
    """A picture of so many bytes."""
    return Picture(png, "words", 1, 1)


def _views(count: int) -> list[BoardView]:
    from random import Random

    game = catalog.create("quax", {"size": 5, "pie": "off"})
    position = game.initial(Random(0))
    moves = list(game.legal_moves(position))[:count]
    return [game.view(game.play(position, move), None) for move in moves]


async def test_equal_requests_share_one_drawing_and_the_result_is_kept() -> None:
    gate = threading.Event()
    drawn: list[BoardView] = []

    def render(view: BoardView, style: Style) -> Picture:
        gate.wait(5)
        drawn.append(view)
        return dots(b"x" * 10)

    maker = PictureMaker(render)
    view = _views(1)[0]
    asked = [asyncio.create_task(maker.picture(view, Style())) for _ in range(5)]
    await asyncio.sleep(0.05)
    gate.set()
    assert len({id(each) for each in await asyncio.gather(*asked)}) == 1
    await maker.picture(view, Style())
    assert len(drawn) == 1
    await maker.picture(view, Style(theme="light"))
    assert len(drawn) == 2
    maker.close()


async def test_who_gives_up_waiting_takes_the_picture_from_nobody_else() -> None:
    gate = threading.Event()

    def render(view: BoardView, style: Style) -> Picture:
        gate.wait(5)
        return dots(b"x")

    maker = PictureMaker(render)
    view = _views(1)[0]
    first, second = (asyncio.create_task(maker.picture(view, Style())) for _ in range(2))
    await asyncio.sleep(0.05)
    first.cancel()
    gate.set()
    assert await asyncio.wait_for(second, 5) is not None
    assert first.cancelled()
    maker.close()


async def test_the_oldest_pictures_go_when_there_are_too_many_bytes() -> None:
    drawn: list[BoardView] = []

    def render(view: BoardView, style: Style) -> Picture:
        drawn.append(view)
        return dots(b"x" * 40)

    maker = PictureMaker(render, limit=100)
    one, two, three = _views(3)
    for view in (one, two, three, two, one):
        await maker.picture(view, Style())
        await asyncio.sleep(0)
    assert drawn == [one, two, three, one]
    maker.close()


async def test_beyond_the_queue_there_is_no_picture() -> None:
    gate = threading.Event()

    def render(view: BoardView, style: Style) -> Picture:
        gate.wait(5)
        return dots(b"x")

    maker = PictureMaker(render, queue=2)
    views = _views(3)
    waiting = [asyncio.create_task(maker.picture(view, Style())) for view in views[:2]]
    await asyncio.sleep(0.05)
    assert await maker.picture(views[2], Style()) is None
    gate.set()
    assert all(await asyncio.gather(*waiting))
    maker.close()


@pytest.mark.logs_errors
async def test_a_drawing_that_fails_is_none_and_is_tried_again() -> None:
    fails = [True]

    def render(view: BoardView, style: Style) -> Picture:
        if fails.pop() if fails else False:
            raise ValueError("no such theme")
        return dots(b"x")

    maker = PictureMaker(render)
    view = _views(1)[0]
    assert await maker.picture(view, Style()) is None
    assert await maker.picture(view, Style()) is not None
    maker.close()


async def test_after_closing_what_was_asked_for_is_drawn_and_nothing_waits_for_more() -> None:
    gate = threading.Event()

    def render(view: BoardView, style: Style) -> Picture:
        gate.wait(5)
        return dots(b"x")

    maker = PictureMaker(render, threads=1)
    *asked, late = _views(4)
    waiting = [asyncio.create_task(maker.picture(view, Style())) for view in asked]
    await asyncio.sleep(0.05)
    maker.close()
    for _ in range(2):
        with pytest.raises(RuntimeError):
            await asyncio.wait_for(maker.picture(late, Style()), 1)
    gate.set()
    assert all(await asyncio.wait_for(asyncio.gather(*waiting), 5))


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
