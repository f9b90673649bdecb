"""A replay shows every view in order, ends on the picture of the last, and fits the limit."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import cycle

import pytest
from PIL import Image, ImageChops

from games import catalog
from games.view import BoardView, Marks
from renderers import THEMES, Style, render, replay
from renderers.picture import compose, rows_for_captions
from tests import gallery
from tests.support.random_views import random_views

NAMES = ("Ada", "Bo", "Cy", "Di")


def frames(gif: bytes) -> list[tuple[Image.Image, int]]:
    """Every frame as people see it, and how long it stays."""
    image = Image.open(io.BytesIO(gif))
    found = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        found.append((image.convert("RGB"), image.info["duration"]))
    return found


def same(one: Image.Image, two: Image.Image) -> bool:
    return one.size == two.size and ImageChops.difference(one, two).getbbox() is None


@pytest.mark.parametrize(
    ("key", "theme"),
    # Each game, and each theme.
    sorted({*zip(catalog.GAMES, cycle(THEMES)), *zip(cycle(catalog.GAMES), THEMES)}),
)
@pytest.mark.long
def test_every_frame_shows_its_view_and_the_last_is_the_still_picture(key: str, theme: str) -> None:
    views = list(random_views(key, {}, seed=5, plies=12))
    style = Style(theme=theme, names=NAMES)
    made = replay(views, style)
    shown = frames(made.gif)
    assert made.frames == len(shown) == len(views)
    still = Image.open(io.BytesIO(render(views[-1], style).png)).convert("RGB")
    assert same(shown[-1][0], still)
    lines = max(rows_for_captions(view, style) for view in views)
    for (frame, _), view in zip(shown[:-1], views, strict=False):
        quiet = replace(view, to_move=None)
        page = compose(quiet, style, lines=lines)
        assert same(frame, page.reduced().convert("RGB"))


@pytest.mark.long
def test_a_replay_of_a_usual_game_is_under_a_mebibyte() -> None:
    for key in catalog.GAMES:
        views = list(random_views(key, {}, seed=2, plies=40))
        assert len(replay(views, Style(names=NAMES)).gif) < 1024 * 1024


@pytest.mark.long
def test_a_replay_too_large_is_drawn_smaller_and_refused_at_last() -> None:
    views = list(random_views("quax", {}, seed=1, plies=10))
    whole = replay(views, Style())
    smaller = replay(views, Style(), limit=len(whole.gif) - 1)
    assert len(smaller.gif) < len(whole.gif)
    assert smaller.width == 700
    assert frames(smaller.gif)[-1][0].size == (smaller.width, smaller.height)
    with pytest.raises(ValueError, match="11 frames do not fit into 1000 bytes"):
        replay(views, Style(), limit=1000)
    with pytest.raises(ValueError, match="at least one view"):
        replay([], Style())


def test_frames_stay_long_enough_to_be_seen_and_the_last_longest() -> None:
    views = list(random_views("quax", {}, seed=1, plies=4))
    times = [wait for _, wait in frames(replay(views, Style()).gif)]
    assert times == [1200, 1200, 1200, 1200, 4000]


@pytest.mark.long
def test_a_long_game_is_replayed_faster_so_that_it_takes_a_minute() -> None:
    views = list(random_views("quax", {}, seed=1, plies=99))
    assert len(views) == 100
    times = [wait for _, wait in frames(replay(views, Style(), limit=9_000_000).gif)]
    assert times == [600] * 99 + [4000]


def test_a_view_without_a_change_only_makes_the_frame_before_it_stay_longer() -> None:
    view = gallery.linked(5, "a1", "")
    moved: BoardView = replace(gallery.linked(5, "a1", "b2"), marks=Marks(last=("b2",)))
    shown = frames(replay([view, view, moved], Style()).gif)
    assert [wait for _, wait in shown] == [2400, 4000]


def test_one_view_alone_is_a_still_picture_that_stays() -> None:
    view = gallery.linked(5, "a1", "")
    (only,) = frames(replay([view], Style()).gif)
    still = Image.open(io.BytesIO(render(view, Style()).png)).convert("RGB")
    assert same(only[0], still)
