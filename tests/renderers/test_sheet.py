"""A page made from the one before it, patch by patch, equals the page drawn in one go."""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from PIL import Image

from games import catalog
from games.view import BoardView, Marks
from renderers import THEMES, Style, render, replay
from renderers.incremental.images import kept, store
from renderers.incremental.sheet import Sheet, boxes, cuttings, ground_in, latest
from renderers.picture import compose, palette_for
from tests import gallery
from tests.support.random_views import random_views

Seen = tuple[BoardView, Style]


def forget() -> None:
    """Be as in a fresh process."""
    for one in (store, boxes, cuttings, latest):
        one.clear()


@pytest.fixture(autouse=True)
def forgetful() -> None:
    forget()


def game(key: str, seed: int, plies: int) -> Iterator[BoardView]:
    """The views along a game played at random, each with the marks of the last move."""
    return random_views(key, {}, seed=seed, plies=plies)


def in_one_go(view: BoardView, style: Style) -> bytes:
    """The colours of all pixels, drawn without patches, bands or a page before."""
    whole = compose(view, style).whole()
    flat = whole.quantize(palette=palette_for(view, style), dither=Image.Dither.NONE)
    return flat.convert("RGB").tobytes()


def shown(view: BoardView, style: Style) -> bytes:
    """The colours of all pixels of the file."""
    return Image.open(io.BytesIO(render(view, style).png)).convert("RGB").tobytes()


@pytest.mark.parametrize("key", list(catalog.GAMES))
def test_every_picture_along_a_game_equals_one_drawn_afresh(key: str) -> None:
    style = Style(names=("Ada", "Дмитрий", "Cy", "Di"))
    for ply, view in enumerate(game(key, 11, 60)):
        if ply % 12 == 0 or view.to_move is None:
            assert shown(view, style) == in_one_go(view, style), ply
        else:
            render(view, style)


@pytest.mark.long
def test_interleaved_matches_themes_sizes_and_marks_do_not_show_in_each_other() -> None:
    """More matches than are at hand as pixels, back and forth, with picks and replays between."""
    random = Random(5)
    styles = [Style(theme=theme, names=("Ada", "Bo")) for theme in THEMES]
    styles += [Style(names=(f"Player {number}", "Bo")) for number in range(40)]
    styles += [
        Style(names=("Ada", "Bo"), flipped=True),
        Style(names=("Bo", "Ada"), larger=True),
        Style(),
    ]
    views = [list(game(key, seed, 40)) for seed, key in enumerate([*catalog.GAMES, "quax"])]
    views.append([gallery.linked_scattered(size, full=False, seed=size) for size in range(3, 16)])
    views.append([gallery.linked_marked(), gallery.linked_won(), gallery.labelled()])
    line, style = list(game("quax", 9, 12)), Style(names=("Ada", "Bo"))
    film = replay(line, style).gif
    for turn in range(60):
        view, look = random.choice(random.choice(views)), random.choice(styles)
        names = tuple(random.sample([cell.name for cell in view.cells], 3))
        marks = (view.marks, Marks(), Marks(targets=names), Marks(refused=names), Marks(path=names))
        view = view.with_marks(random.choice(marks))
        assert shown(view, look) == in_one_go(view, look), (view.game, look)
        assert latest.size <= latest.limit
        if not turn % 20:
            assert replay(line, style).gif == film


@pytest.mark.long
def test_threads_that_share_a_match_and_ones_that_do_not_get_the_same_pictures() -> None:
    one, other = list(game("quax", 1, 30)), list(game("quax", 2, 30))
    style = Style(names=("Ada", "Bo"))
    seen: list[Seen] = [(view, style) for pair in zip(one, other, strict=False) for view in pair]
    seen += [(view, Style(theme="light", names=("Ada", "Bo"))) for view in one[::4]]
    alone = [shown(*each) for each in seen]
    forget()
    with ThreadPoolExecutor(2) as pool:
        first = pool.map(shown, *zip(*seen, strict=True))
        second = pool.map(shown, *zip(*reversed(seen), strict=True))
        assert list(first) == alone
        assert list(second)[::-1] == alone


def test_the_bytes_of_a_picture_do_not_depend_on_what_was_drawn_before() -> None:
    style = Style(names=("Ada", "Bo"))
    views = list(game("quax", 8, 30))
    along = [render(view, style).png for view in views]
    for view, picture in zip(reversed(views), reversed(along), strict=True):
        assert render(view, style).png == picture
    forget()
    assert [render(view, style).png for view in views] == along


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "larger", "theme"),
    [
        ("quax", False, "dark"),
        ("quax", True, "light"),
        ("pythagoras", False, "contrast"),
        ("pythagoras", True, "sea"),
    ],
)
def test_names_that_reach_out_leave_nothing_behind(key: str, theme: str, larger: bool) -> None:
    marks = "\u0323\u0331"
    names = ("g" + marks + "jǺẪ" * 9, "Ẵ" * 40, "y̱̱", "")
    style = Style(theme=theme, names=names, larger=larger)
    for view in game(key, 6, 5):
        assert shown(view, style) == in_one_go(view, style)


def test_what_is_packed_already_is_not_packed_again() -> None:
    for number in range(latest.ready + 3):
        render(gallery.linked_played(), Style(names=(f"Player {number}", "Bo")))
    packed = [sheet.bands for sheet in latest._sheets.values()][: -latest.ready]
    assert packed
    assert all(bands.packed() is bands for bands in packed)
    whole = latest._sheets[next(reversed(latest._sheets))].bands
    assert whole.packed().weight < whole.weight


def test_a_move_draws_a_small_part_of_the_board_anew() -> None:
    views, style = list(game("quax", 3, 40)), Style(names=("Ada", "Bo"))
    for before, view in pairwise(views[20:]):
        page = compose(view, style)
        patches = page.sheets[1].patches(compose(before, style).sheets[1].notes)
        area = sum(patch.width * patch.height for patch in patches)
        assert 0 < area < page.width * page.height / 8


def test_a_bar_differs_from_that_of_two_moves_ago_in_a_number() -> None:
    views, style = list(game("quax", 3, 40)), Style(names=("Ada", "Bo"))
    for before, view in zip(views[20:], views[22:], strict=False):
        for old, new in zip(
            compose(before, style).sheets, compose(view, style).sheets, strict=True
        ):
            patches = new.patches(old.notes)
            area = sum(patch.width * patch.height for patch in patches)
            assert 0 < area < new.ground.width * new.ground.height / 8


def test_nothing_is_drawn_again_in_another_match(monkeypatch: pytest.MonkeyPatch) -> None:
    views = list(game("quax", 3, 40))
    first = [render(view, Style(names=("Ada", "Bo"))).png for view in views]
    drawn: list[int] = []
    draw = Sheet._draw

    def watched(sheet: Sheet, image: Image.Image, *rest: Any) -> None:
        drawn.append(image.width)
        draw(sheet, image, *rest)

    monkeypatch.setattr(Sheet, "_draw", watched)
    other = [render(view, Style(names=("Ada", "Bo"), locale="de")).png for view in views]
    assert other == first
    sheets = {sheet.ground.width for sheet in compose(views[0], Style()).sheets}
    assert set(drawn) == sheets, "only whole sheets, which the other match had none of"


@kept
def slope(size: int) -> Image.Image:
    return Image.linear_gradient("L").resize((size, size))


@kept
def spot(width: int, height: int) -> Image.Image:
    return Image.new("L", (width, height), 255)


def test_a_box_is_not_taken_for_one_as_large_that_is_as_high_as_it_is_wide() -> None:
    palette = palette_for(gallery.linked_played(), Style())
    ground = ground_in(lambda: Image.new("RGB", (64, 64)), "plain", palette)
    for width, height in ((4, 9), (9, 4)):
        before, after = Sheet(ground, palette), Sheet(ground, palette)
        for sheet in (before, after):
            sheet.stamp(slope(40), 0, 0, (255, 255, 255))
        before.stamp(spot(width, height), 0, 0, (200, 0, 0))
        (patch,) = after.patches(before.notes)
        assert patch.pixels == after.reduced().crop((0, 0, width, height)).tobytes()


def test_things_laid_in_another_order_are_drawn_anew() -> None:
    view = gallery.linked(5, "a1 b2 c3", "", ("a1-b2 b2-c3", ""))
    turned = replace(view, links=view.links[::-1], cells=view.cells[::-1])
    for one in (view, turned, view):
        assert shown(one, Style()) == in_one_go(one, Style())
