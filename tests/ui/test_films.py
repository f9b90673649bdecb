"""Films of whole games: made once, one at a time, thinned until they fit, never without an end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from bot.media.pictures import PictureMaker
from games.view import BoardView
from renderers import Replay, Style, render
from tests.support.random_views import random_views

VIEWS = tuple(random_views("quax", {}, seed=4, plies=12))


def _maker(monkeypatch: pytest.MonkeyPatch, most: int) -> tuple[PictureMaker, list[Any]]:
    """A maker of films that take one byte a frame, and the films it made."""
    made: list[Any] = []

    def replay(views: Sequence[BoardView], _style: Style, *, limit: int) -> Replay:
        if len(views) > limit:
            raise ValueError(limit)
        made.append(list(views))
        return Replay(b"x" * len(views), 1, 1, len(views), 1.0)

    monkeypatch.setattr("bot.media.pictures.replay", replay)
    return PictureMaker(render, films=most), made


async def _run(make: Callable[[], Replay]) -> Replay:
    return await asyncio.to_thread(make)


@pytest.mark.parametrize("limit", [13, 12, 7, 6, 4, 3, 2])
async def test_frames_are_left_out_until_it_fits_but_never_the_first_or_the_last(
    monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    maker, made = _maker(monkeypatch, 1000)
    film = await maker.film("g", VIEWS, Style(), limit, _run)
    assert film is not None
    assert 2 <= film.frames <= limit
    assert made[0][0] == VIEWS[0]
    assert made[0][-1] == VIEWS[-1]
    places = [VIEWS.index(view) for view in made[0]]
    assert places == sorted(places)
    maker.close()


async def test_what_does_not_fit_with_two_frames_is_no_film(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    maker, made = _maker(monkeypatch, 1000)
    assert await maker.film("g", VIEWS, Style(), 1, _run) is None
    assert not made
    maker.close()


async def test_a_film_is_made_once_for_all_who_ask_and_kept_by_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    maker, made = _maker(monkeypatch, 20)
    films = await asyncio.gather(*(maker.film("g", VIEWS, Style(), 99, _run) for _ in range(5)))
    assert len(made) == 1
    assert len(set(map(id, films))) == 1
    await maker.film("h", VIEWS, Style(), 99, _run)
    await maker.film("g", VIEWS, Style(), 99, _run)
    assert len(made) == 3, "two films of 13 bytes are more than 20"
    maker.close()


async def test_no_more_people_wait_for_films_than_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    maker, _made = _maker(monkeypatch, 1000)
    films = await asyncio.gather(*(maker.film("g", VIEWS, Style(), 99, _run) for _ in range(30)))
    assert sum(film is None for film in films) == 10
    maker.close()
