"""Promises of a picture: the position, the same bytes every time, a small palette file."""

from __future__ import annotations

import io
import math
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import cycle, islice, pairwise, product
from random import Random

import pytest
from PIL import Image, ImageChops, ImageDraw

from games import catalog
from games.view import BoardView, Marks, Piece, Text
from renderers import THEMES, Style, render
from renderers.incremental import png
from renderers.incremental.images import Store, store, weight
from renderers.layout import Layout, layout_of
from renderers.picture import compose, palette_for
from renderers.pyramids import BETWEEN, base_of, pile
from renderers.stones import stone
from renderers.themes import theme_named
from tests import gallery
from tests.support.random_views import random_views

NAMES = ("Ada", "Bo")


def layout(view: BoardView, style: Style) -> Layout:
    scale = 1.5 if style.larger else 1.0
    return layout_of(view, scale, flipped=style.flipped, caption_lines=len(view.captions))


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def apart(a: object, b: object) -> float:
    """The distance of two colours of an image in RGB."""
    assert isinstance(a, tuple)
    assert isinstance(b, tuple)
    return math.dist(a[:3], b[:3])


@pytest.mark.parametrize(("size", "theme"), list(zip(range(3, 16), cycle(THEMES), strict=False)))
@pytest.mark.parametrize("flipped", [False, True])
def test_each_cell_shows_its_owner_at_every_size(theme: str, size: int, flipped: bool) -> None:
    view = gallery.linked_scattered(size, full=False, seed=size)
    style = Style(theme=theme, names=NAMES, flipped=flipped)
    image = opened(render(view, style).png).convert("RGB")
    where = layout(view, style)
    look = theme_named(theme)
    bodies = [ink.body for ink in look.inks(view.palette, 2)]
    for cell in view.cells:
        x, y = where.centre(cell)
        # A quarter of the stone to the lower right: clear of marks, inside the stone.
        aside = round(where.cell * 0.3)
        found = image.getpixel((x + aside // 2, y + aside))
        wanted = bodies[cell.stack[0].colour] if cell.stack else look.cell
        others = [*bodies, look.cell]
        assert min(others, key=lambda one: apart(found, one)) == wanted, (cell, found)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("flipped", [False, True])
def test_each_link_lies_on_its_diamond_in_its_colour(theme: str, flipped: bool) -> None:
    view = gallery.linked_scattered(7, full=True, seed=7)
    style = Style(theme=theme, flipped=flipped)
    image = opened(render(view, style).png).convert("RGB")
    where = layout(view, style)
    look = theme_named(theme)
    inks = look.inks(view.palette, 2)
    assert len(view.links) > 10
    linked = set()
    for link in view.links:
        (ax, ay), (bx, by) = (where.centre(view.cell(name)) for name in (link.start, link.end))
        x, y = (ax + bx) // 2, (ay + by) // 2
        linked.add((x, y))
        # Beside the light centre line, across the link.
        side = round(where.cell * 0.07)
        across = side if (bx - ax) * (by - ay) < 0 else -side
        found = image.getpixel((x + across, y + side))
        others = [inks[0].body, inks[1].body, look.diamond]
        assert min(others, key=lambda one: apart(found, one)) == inks[link.colour].body
    for rank in range(6):
        for file in range(6):
            (ax, ay), (bx, by) = where.middle(file, rank), where.middle(file + 1, rank + 1)
            x, y = (ax + bx) // 2, (ay + by) // 2
            if (x, y) not in linked:
                assert apart(image.getpixel((x, y)), look.diamond) < 8


def changed(view: BoardView, marks: Marks, style: Style) -> tuple[int, int, int, int]:
    """The box in which the marks make a difference to the page."""
    return differing(replace(view, marks=Marks()), replace(view, marks=marks), style)


def differing(one: BoardView, two: BoardView, style: Style) -> tuple[int, int, int, int]:
    """The box of the page in which two views differ; nothing at all fails the test."""
    box = ImageChops.difference(compose(one, style).whole(), compose(two, style).whole()).getbbox()
    assert box is not None
    return box


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("marks", "tone"),
    [
        (Marks(last=("b2",)), "last"),
        (Marks(last=("c3",)), "last"),
        (Marks(origins=("c3",)), "origin"),
        (Marks(path=("b2",)), "win"),
        (Marks(selected=("b2",)), "selected"),
        (Marks(targets=("c3",)), "target"),
        (Marks(targets=("b2",)), "target"),
        (Marks(captures=("b2",)), "capture"),
        (Marks(refused=("b2",)), "refused"),
        (Marks(refused=("c3",)), "refused"),
    ],
)
@pytest.mark.long
def test_a_mark_shows_in_its_colour_on_its_cell(theme: str, marks: Marks, tone: str) -> None:
    view = gallery.linked(5, "b2 d4", "d2 b4")
    style = Style(theme=theme)
    where = layout(view, style)
    name = next(name for field in marks.__dataclass_fields__ for name in getattr(marks, field))
    x, y = where.centre(view.cell(name))
    left, top, right, bottom = changed(view, marks, style)
    reach = where.cell * 0.56
    assert x - reach <= left < right <= x + reach
    assert y - reach <= top < bottom <= y + reach
    image = opened(render(replace(view, marks=marks), style).png).convert("RGB")
    shown = image.crop((left, top, right, bottom)).getcolors(1 << 20) or []
    colour = getattr(theme_named(theme), tone)
    assert sum(count for count, one in shown if one == colour) > where.cell**2 * 0.03


@pytest.mark.parametrize(
    "marks", [Marks(last_links=(("b2", "c3"),)), Marks(target_links=(("b2", "c3"),))]
)
def test_marks_of_links_lie_between_their_cells(marks: Marks) -> None:
    view = gallery.linked(5, "b2 c3", "d2 b4", ("b2-c3", ""))
    where = layout(view, Style())
    (ax, ay), (bx, by) = where.middle(1, 1), where.middle(2, 2)
    left, top, right, bottom = changed(view, marks, Style())
    assert ax < left < (ax + bx) / 2 < right < bx
    assert by < top < (ay + by) / 2 < bottom < ay


def test_the_gold_of_the_winning_chain_runs_unbroken_through_its_links() -> None:
    view = gallery.linked_won()
    where = layout(view, Style())
    image = compose(view, Style()).whole()
    for start, end in pairwise(view.marks.path):
        (ax, ay), (bx, by) = where.middles[start], where.middles[end]
        far = math.dist((ax, ay), (bx, by))
        stone = where.cell * 0.45 / far
        for step in range(41):
            part = stone + (1 - 2 * stone) * step / 40
            at = round(ax + (bx - ax) * part), round(ay + (by - ay) * part)
            assert apart(image.getpixel(at), theme_named("dark").win) < 60, (start, end, part)


def test_the_band_of_a_chain_of_tops_is_straight() -> None:
    won = gallery.topped()
    cells = tuple(
        cell if cell.name in won.marks.path else replace(cell, stack=()) for cell in won.cells
    )
    view = replace(won, cells=cells, marks=replace(won.marks, last=()))
    where = layout(view, Style())
    image = compose(view, Style()).whole()
    first, last = (where.middles[view.marks.path[end]] for end in (0, -1))
    edges = set()
    for x in range(first[0], last[0], 3):
        row = [image.getpixel((x, first[1] - dy)) for dy in range(where.cell * 2 // 3)]
        reach = [dy for dy, colour in enumerate(row) if colour == theme_named("dark").win]
        edges.add(max(reach))
    assert len(edges) == 1


@pytest.mark.parametrize("key", ["pair", "chess"])
def test_marks_around_a_pyramid_leave_all_of_it_free(key: str) -> None:
    view = replace(gallery.piled(), palette=key, marks=Marks())
    where = layout(view, Style())
    large = next(cell for cell in view.cells if cell.stack and cell.stack[0].size == 3)
    x, y = where.centre(large)
    half = int(where.cell * 0.44)
    for marks in (Marks(targets=(large.name,)), Marks(captures=(large.name,))):
        before = compose(view, Style()).whole()
        after = compose(replace(view, marks=marks), Style()).whole()
        inside = (x - half, y - half, x + half, y + half)
        assert ImageChops.difference(before, after).crop(inside).getbbox() is None
        assert changed(view, marks, Style())


@pytest.mark.parametrize("theme", THEMES)
def test_a_stone_is_flat_so_that_no_palette_can_band_it(theme: str) -> None:
    for role in ("stones", "chess"):
        for ink in theme_named(theme).roles[role]:
            image = stone(ink, 62).convert("RGB")
            colours = {colour: count for count, colour in image.getcolors(1 << 16) or []}
            assert colours[ink.body] > 0.5 * math.pi * 31**2


def test_of_a_tower_every_pip_is_free_and_of_a_keep_what_is_hidden_is_a_whole_ring() -> None:
    one, two = theme_named("dark").roles["pair"]
    cell = 141
    alone = pile(((one, 3),), cell, False)
    tower = pile(((one, 3), (two, 2)), cell, False)
    low = (0, cell // 2 + round(cell * 0.33), cell, cell)

    def pips(image: Image.Image) -> int:
        shown = image.crop(low).convert("RGB").getcolors(1 << 16) or []
        return sum(count for count, colour in shown if colour == one.ink)

    assert pips(alone) > 150
    assert pips(tower) >= 0.97 * pips(alone)

    keep = pile(((one, 1), (two, 2)), cell, False).convert("RGB")
    x, reach = round(cell * 0.41), round(cell * base_of(1) * 0.8 * 0.8) / 2 - 3
    for step in range(60):
        along = -reach + 2 * reach * step / 59
        for at in (
            (x + along, cell / 2 - reach),
            (x + along, cell / 2 + reach),
            (x - reach, cell / 2 + along),
            (x + reach, cell / 2 + along),
        ):
            assert apart(keep.getpixel((round(at[0]), round(at[1]))), one.body) < 60


def test_where_sides_are_goals_tops_stand_out_and_equal_neighbours_are_joined() -> None:
    plain = replace(gallery.topped(), marks=Marks())
    white = Piece(0, "pyramid", Text.of("Large White"), 3)
    black = Piece(1, "pyramid", Text.of("Large Black"), 3)
    small = Piece(1, "pyramid", Text.of("Small Black"), 1)

    def board(a1: tuple[Piece, ...], b1: tuple[Piece, ...]) -> BoardView:
        stacks = {"a1": a1, "b1": b1}
        cells = tuple(replace(cell, stack=stacks.get(cell.name, ())) for cell in plain.cells)
        return replace(plain, cells=cells)

    where = layout(plain, Style())
    (ax, ay), (bx, _) = where.middles["a1"], where.middles["b1"]
    between = ((ax + bx) // 2, ay)
    inks = theme_named("dark").inks("chess", 2)

    def shown(view: BoardView, at: tuple[int, int]) -> object:
        return compose(view, Style()).whole().getpixel(at)

    for one, ink in ((white, inks[0]), (black, inks[1])):
        assert apart(shown(board((one,), (one,)), between), ink.body) < 60
    empty = shown(board((), ()), between)
    assert shown(board((white,), (black,)), between) == empty
    assert shown(board((white,), (white, small)), between) == empty, "the top is another's"
    side = (ax - round(where.cell * 0.39), ay)
    full, pale = shown(board((black,), ()), side), shown(board((black, small), ()), side)
    assert apart(pale, BETWEEN) < 0.55 * apart(full, BETWEEN)


def test_the_winning_chain_is_one_ribbon_from_side_to_side() -> None:
    view = gallery.linked_won()
    where = layout(view, Style())
    image = opened(render(view, Style()).png).convert("RGB")
    win = theme_named("dark").win
    for name in view.marks.path:
        x, y = where.centre(view.cell(name))
        reach = where.cell // 2
        shown = image.crop((x - reach, y - reach, x + reach, y + reach)).getcolors(1 << 20) or []
        assert sum(count for count, colour in shown if colour == win) > where.cell**2 * 0.1


def test_the_same_view_and_style_give_the_same_bytes_from_any_thread() -> None:
    views = [
        gallery.linked_marked(),
        gallery.linked_won(),
        *(gallery.linked_scattered(size, full=True, seed=size) for size in (3, 9, 15)),
    ] * 3
    style = Style(names=("Zoë", "田中さくら"))
    alone = [render(view, style) for view in views]
    store.clear()
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda view: render(view, style), views))
    assert together == alone


@pytest.mark.long
@pytest.mark.parametrize("theme", THEMES)
def test_the_densest_board_is_a_palette_png_of_at_most_110_kib(theme: str) -> None:
    for seed in range(4):
        view = gallery.linked_scattered(15, full=True, seed=seed)
        picture = render(view, Style(theme=theme, names=gallery.NAMES))
        image = opened(picture.png)
        assert image.format == "PNG"
        assert image.mode == "P"
        assert image.size == (picture.width, picture.height)
        image.load()
        assert len(picture.png) <= 110 * 1024


def test_a_larger_picture_is_half_as_large_again() -> None:
    view = gallery.linked_marked()
    small, large = render(view, Style()), render(view, Style(larger=True))
    assert abs(large.width - 1.5 * small.width) <= 1
    assert abs(large.height - 1.5 * small.height) < 20
    assert large.alt_text == small.alt_text


def test_a_turned_board_has_the_first_player_on_top() -> None:
    view = gallery.linked_marked()
    upright, turned = layout(view, Style()), layout(view, Style(flipped=True))
    assert upright.bars[0].top > upright.bars[1].top
    assert turned.bars[0].top < turned.bars[1].top
    corner, opposite = view.cell("a1"), view.cell("k11")
    assert upright.centre(corner) == turned.centre(opposite)


def test_after_a_swap_the_names_stand_at_the_other_colour() -> None:
    view = gallery.linked(5, "c3", "")
    seats = tuple(replace(seat, player=1 - seat.player) for seat in view.seats)
    swapped = replace(view, seats=seats)
    assert render(swapped, Style(names=("Ada", "Bo"))) == render(view, Style(names=("Bo", "Ada")))
    assert render(swapped, Style(names=("Ada", "Bo"))) != render(view, Style(names=("Ada", "Bo")))


def test_the_locale_and_not_the_function_makes_styles_equal() -> None:
    def shout(text: Text) -> str:
        return text.message.upper()

    assert Style(translate=shout) == Style()
    assert hash(Style(translate=shout)) == hash(Style())
    assert Style(locale="de") != Style()


def test_an_unknown_theme_is_named_in_the_error() -> None:
    with pytest.raises(ValueError, match=r"no theme '\.\./x'; there are dark, light, contrast"):
        render(gallery.linked(3, "", ""), Style(theme="../x"))


def test_a_colour_role_that_no_theme_knows_still_gives_a_picture() -> None:
    view = replace(gallery.linked(3, "a1", "b2"), palette="neon", game="new")
    assert render(view, Style()).png == render(replace(view, palette="pair"), Style()).png


def test_captions_make_room_for_themselves() -> None:
    view = gallery.linked(5, "c3", "")
    captions = (Text.of("Red may swap colours instead of dropping a stone."),)
    taller = render(replace(view, captions=captions), Style())
    assert taller.height > render(view, Style()).height
    assert "Red may swap colours" in taller.alt_text


def test_the_store_forgets_the_least_used_first_and_keeps_its_limit() -> None:
    small = Store(10_000, weight)
    first = small.put(0, Image.new("L", (5, 4)))
    for index in range(1, 30):
        small.put(index, Image.new("L", (5, 4)))
        assert small.get(0) is first
        assert small.size <= 10_000
    assert small.get(1) is None
    assert small.put(0, Image.new("L", (5, 4))) is first, "another thread was quicker"


@pytest.mark.parametrize(("theme", "flipped"), [*zip(THEMES, cycle([False, True]), strict=False)])
@pytest.mark.long
def test_drawing_in_parts_equals_drawing_in_one_go(theme: str, flipped: bool) -> None:
    views = [
        gallery.linked_marked(),
        gallery.linked_won(),
        gallery.linked_scattered(15, full=True, seed=1),
        gallery.labelled(),
        gallery.piled(),
        gallery.three_grids(),
    ]
    style = Style(theme=theme, names=NAMES, flipped=flipped)
    for view in views:
        sheet = compose(view, style)
        palette = palette_for(view, style)
        at_once = sheet.whole().quantize(palette=palette, dither=Image.Dither.NONE)
        for _ in range(2):
            assert sheet.reduced().tobytes() == at_once.tobytes()


@pytest.mark.long
@pytest.mark.parametrize("theme", THEMES)
def test_no_image_is_kept_under_two_keys(theme: str) -> None:
    for view in (
        gallery.linked_marked(),
        gallery.linked_won(),
        gallery.labelled(),
        gallery.piled(),
        gallery.three_grids(),
    ):
        store.clear()
        render(view, Style(theme=theme, names=NAMES))
        images = list(store._things.values())
        assert len({id(image) for image in images}) == len(images) > 5


def test_only_images_of_the_store_may_lie_on_a_sheet() -> None:
    sheet = compose(gallery.linked(3, "", ""), Style()).sheets[0]
    with pytest.raises(KeyError):
        sheet.stamp(Image.new("L", (3, 3)), 0, 0, (0, 0, 0))


def test_without_the_quick_deflater_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    view = gallery.linked_scattered(15, full=True, seed=2)
    quick = render(view, Style())
    monkeypatch.setattr(png, "quick", zlib)
    store.clear()
    slow = render(view, Style())
    assert opened(slow.png).convert("RGB").tobytes() == opened(quick.png).convert("RGB").tobytes()
    assert len(slow.png) <= 110 * 1024


@pytest.mark.parametrize("game", catalog.GAMES)
def test_an_arrow_covers_no_piece_that_remains(game: str) -> None:
    shown = 0
    for view in random_views(game, {}, seed=3, plies=60):
        if not any(arrow.end for arrow in view.marks.arrows):
            continue
        plain = replace(view, marks=replace(view.marks, arrows=()))
        drawn, without = (compose(each, Style()).whole() for each in (view, plain))
        difference = ImageChops.difference(drawn, without).convert("L")
        assert difference.getbbox()
        where = layout(view, Style())
        for cell in view.cells:
            if cell.stack:
                x, y = where.centre(cell)
                is_pyramid = cell.stack[-1].kind == "pyramid"
                widest = max(map(base_of, (piece.size for piece in cell.stack)), default=0)
                # But for a pixel of its rim, which blends with what lies around it.
                reach = round(where.cell * (widest / 2 * 0.87 if is_pyramid else 0.36)) - 1
                disc = Image.new("L", (2 * reach, 2 * reach), 255 if is_pyramid else 0)
                ImageDraw.Draw(disc).ellipse((0, 0, 2 * reach - 1, 2 * reach - 1), fill=255)
                part = difference.crop((x - reach, y - reach, x + reach, y + reach))
                assert ImageChops.darker(part, disc).getbbox() is None, cell.name
        shown += 1
        if shown == 8:
            return
    if not shown:
        pytest.skip("no piece of this game moves that early")


def test_a_link_just_laid_glows_on_both_sides_and_stays_whole() -> None:
    view = gallery.linked(5, "b2 c3", "d2 b4", ("b2-c3", ""))
    marked = replace(view, marks=Marks(last_links=(("b2", "c3"),)))
    where = layout(view, Style())
    (ax, ay), (bx, by) = where.middle(1, 1), where.middle(2, 2)
    middle = round((ax + bx) / 2), round((ay + by) / 2)
    plain, lit = (opened(render(each, Style()).png).convert("RGB") for each in (view, marked))
    assert lit.getpixel(middle) == plain.getpixel(middle)
    # On either side of the link so wide that it is seen on a phone, too.
    for part, apart in product((0.31, 0.5, 0.69), (-0.31, -0.22, 0.22, 0.31)):
        x, y = round(ax + (bx - ax) * part), round(ay + (by - ay) * part)
        aside = round(where.cell * apart / math.sqrt(2))
        assert lit.getpixel((x + aside, y + aside)) == theme_named(Style().theme).last


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("mover", [0, 1])
def test_whose_move_it_is_stands_out_alike_for_every_colour(theme: str, mover: int) -> None:
    view = replace(gallery.linked(5, "b2 c3", "d2 b4"), to_move=mover)
    style = Style(theme=theme, names=NAMES)
    where = layout(view, style)
    box = where.bars[mover]
    image = opened(render(view, style).png).convert("RGB")
    line = image.crop(
        (
            box.left + where.px(106),
            box.top + where.px(60),
            box.left + where.px(190),
            box.top + where.px(92),
        )
    )
    shown = line.getcolors(1 << 20) or []
    text = theme_named(theme).text
    assert sum(count for count, one in shown if apart(one, text) < 12) > 40


@pytest.mark.parametrize("game", list(catalog.GAMES))
def test_letters_take_the_place_of_marks_and_nothing_else_changes(game: str) -> None:
    rules = catalog.GAMES[game]()
    position = rules.initial(Random(0))
    for _ in range(9):
        for move in islice(rules.legal_moves(position), 1):
            position = rules.play(position, move)
    view = rules.view(position, None)
    plain, lettered = render(view, Style()), render(view, Style(letters=True))
    assert plain.png != lettered.png
    assert (plain.width, plain.height) == (lettered.width, lettered.height)
    assert plain.alt_text == lettered.alt_text
    assert render(view, Style()).png == plain.png, "the one leaves nothing behind for the other"
