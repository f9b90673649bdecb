"""Every game of the catalogue in pictures: nothing of a view is left out, in any theme."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import cycle, pairwise

import pytest
from PIL import Image, ImageChops

from games import catalog
from games.view import (
    BoardView,
    Cell,
    Colour,
    Grid,
    Marks,
    Piece,
    ScoreLine,
    SeatView,
    Text,
    Topology,
    Tray,
    TraySlot,
)
from renderers import THEMES, Style, describe, render, text_board
from renderers.fonts import text_width
from renderers.layout import SMALL, layout_of
from renderers.picture import caption_lines, compose
from renderers.themes import theme_named
from tests import gallery
from tests.support.random_views import option_sets, random_views

NAMES = ("Zoë Åström", "Дмитрий", "Δημήτρης", "Łukasz Żółć")
CASES = [
    (key, number, options)
    for key in catalog.GAMES
    for number, options in enumerate(option_sets(key))
]


def scored(view: BoardView) -> BoardView:
    """A view of one grid, where there is room beside what the bars show, with points."""
    colours = tuple(
        replace(colour, score=score) for colour, score in zip(view.colours, (37, -4), strict=True)
    )
    parts = (ScoreLine(Text.of("Captures"), (12, 0)), ScoreLine(Text.of("Corners"), (25, -4)))
    return replace(view, colours=colours, score_lines=parts)


LOOKS = ("dark", "contrast")
"""Themes enough for what takes long and depends on places rather than on colours."""
GALLERY = {
    "labelled": gallery.labelled(),
    "piled": gallery.piled(),
    "topped": replace(gallery.topped(), to_move=0, winners=(), result=None),
    "three_grids": gallery.three_grids(),
    "linked": gallery.linked_marked(),
    "hexagons": gallery.hexagons(),
    "scored": scored(gallery.linked_played()),
}
IN_ONE_LOOK = [*zip(GALLERY, cycle(LOOKS), strict=False)]


@lru_cache(maxsize=1)
def drawn(view: BoardView, style: Style) -> Image.Image:
    """The whole picture, remembered: many others are compared with it in a row."""
    return compose(view, style).whole()


def differs(one: BoardView, two: BoardView, style: Style) -> tuple[int, int, int, int] | None:
    return ImageChops.difference(drawn(one, style), compose(two, style).whole()).getbbox()


@pytest.mark.long
@pytest.mark.parametrize(("key", "number", "options"), CASES)
def test_pictures_are_small_palettes(key: str, number: int, options: dict[str, int | str]) -> None:
    *_, last = views = list(random_views(key, options, seed=number, plies=60))
    # Colours are those of the game, whatever its options.
    for view in (last,) if options else (views[0], views[len(views) // 2], last):
        for theme in THEMES if view is last and not options else LOOKS[:1]:
            picture = render(view, Style(theme=theme, names=NAMES))
            image = Image.open(io.BytesIO(picture.png))
            assert image.mode == "P"
            assert image.size == (picture.width, picture.height)
            assert len(picture.png) <= 110 * 1024
            assert picture.width in (1000, 1200)
            assert picture.alt_text


def with_stack(view: BoardView, cell: Cell, stack: tuple[Piece, ...]) -> BoardView:
    cells = tuple(replace(one, stack=stack) if one is cell else one for one in view.cells)
    return replace(view, cells=cells)


def altered(view: BoardView, piece: Piece) -> Iterator[Piece]:
    """The piece as another colour, and as another size if sizes tell."""
    yield replace(piece, colour=(piece.colour + 1) % len(view.colours))
    if piece.kind == "pyramid":
        yield replace(piece, size=piece.size % 3 + 1)
    if piece.label:
        yield replace(piece, label=piece.label + "1")


@pytest.mark.parametrize(("key", "theme"), IN_ONE_LOOK)
@pytest.mark.long
def test_every_piece_of_every_stack_shows_on_its_cell(key: str, theme: str) -> None:
    view, style = GALLERY[key], Style(theme=theme)
    where = layout_of(view, 1.0, flipped=False, caption_lines=0)
    board = where.grids[0].box
    for cell in view.cells:
        x, y = where.centre(cell)
        for level, piece in enumerate(cell.stack):
            for other in altered(view, piece):
                stack = (*cell.stack[:level], other, *cell.stack[level + 1 :])
                box = differs(view, with_stack(view, cell, stack), style)
                assert box is not None, (cell.name, piece, other)
                # The typical piece on a player's bar may change as well.
                left, top, right, bottom = box
                if top > board.top - where.cell and bottom < board.bottom + where.cell:
                    reach = where.cell * (1.1 if view.connects else 0.62)
                    assert x - reach <= left < right <= x + reach
                    assert y - reach <= top < bottom <= y + reach


@pytest.mark.long
@pytest.mark.parametrize(("key", "theme"), IN_ONE_LOOK)
def test_every_fact_about_a_colour_shows_on_its_bar(key: str, theme: str) -> None:
    view, style = GALLERY[key], Style(theme=theme, names=NAMES)
    where = layout_of(view, 1.0, flipped=False, caption_lines=0)

    def with_colour(index: int, colour: Colour) -> BoardView:
        colours = (*view.colours[:index], colour, *view.colours[index + 1 :])
        return replace(view, colours=colours)

    def other_counts(colour: Colour) -> Iterator[Colour]:
        for number, tray in enumerate(colour.trays):
            for place, slot in enumerate(tray.slots):
                count = 0 if slot.count else 1
                slots = (*tray.slots[:place], replace(slot, count=count), *tray.slots[place + 1 :])
                trays: tuple[Tray, ...] = (
                    *colour.trays[:number],
                    replace(tray, slots=slots),
                    *colour.trays[number + 1 :],
                )
                yield replace(colour, trays=trays)

    for index, colour in enumerate(view.colours):
        changes = [*other_counts(colour), replace(colour, name=Text.of("Quite other"))]
        if colour.goal is not None:
            changes.append(replace(colour, goal=Text.of("does nothing")))
        if colour.notes:
            changes.append(replace(colour, notes=(Text.of("nothing"),)))
        if colour.score is not None:
            changes.append(replace(colour, score=-88))
        for change in changes:
            found = differs(view, with_colour(index, change), style)
            assert found is not None, change
            box = where.bars[index]
            left, top, right, bottom = found
            assert box.left <= left < right <= box.right
            assert box.top <= top < bottom <= box.bottom


@pytest.mark.parametrize(("key", "theme"), [*zip(GALLERY, cycle(THEMES), strict=False)])
@pytest.mark.long
def test_whose_turn_it_is_shows_on_their_bar_and_on_no_other(key: str, theme: str) -> None:
    style = Style(theme=theme, names=NAMES)
    rest = replace(GALLERY[key], to_move=None, winners=(), result=None)
    where = layout_of(rest, 1.0, flipped=False, caption_lines=0)
    for index, ink in enumerate(theme_named(theme).inks(rest.palette, len(rest.colours))):
        view, box = replace(rest, to_move=index), where.bars[index]
        assert differs(rest, view, style) == (box.left, box.top, box.right, box.bottom)
        with Image.open(io.BytesIO(render(view, style).png)) as picture:
            middle = (box.top + box.bottom) // 2
            assert picture.convert("RGB").getpixel((box.left + 1, middle)) == ink.accent
        other = replace(style, locale="xx", translate=_other_turn)
        said, changed = compose(view, style).whole(), compose(view, other).whole()
        left, top, right, bottom = ImageChops.difference(said, changed).getbbox() or (0, 0, 0, 0)
        assert box.left < left < right < box.right, "in words, too"
        assert box.top < top < bottom < box.bottom


def _other_turn(text: Text) -> str:
    return "on turn" if text.message == "to move" else text.english()


@pytest.mark.parametrize("key", GALLERY)
def test_words_on_a_bar_end_before_what_is_at_its_right(key: str) -> None:
    view = GALLERY[key]

    def shown(index: int, letter: str, number: int) -> Image.Image:
        """The page with a bar full of a letter at the left and of a number at the right."""
        colour = view.colours[index]
        slots = [tuple(replace(slot, count=number) for slot in tray.slots) for tray in colour.trays]
        about = replace(
            colour,
            goal=Text.of(letter * 90),
            # Beside several trays there is no room for notes: they go with the words.
            notes=() if len(slots) > 1 else (Text.of(f"{number} {number}"),),
            trays=tuple(map(_filled, colour.trays, slots)),
            score=None,
        )
        colours = (*view.colours[:index], about, *view.colours[index + 1 :])
        style = Style(names=tuple(letter * 60 for _ in view.colours))
        return compose(replace(view, colours=colours), style).whole()

    for index in range(len(view.colours)):
        page = shown(index, "W", 2)
        words = ImageChops.difference(page, shown(index, "M", 2)).convert("L")
        right = ImageChops.difference(page, shown(index, "W", 3)).convert("L")
        assert words.getbbox()
        assert right.getbbox()
        assert ImageChops.darker(words, right).getbbox() is None


def _filled(tray: Tray, slots: tuple[TraySlot, ...]) -> Tray:
    return replace(tray, slots=slots)


@pytest.mark.parametrize("theme", THEMES)
def test_a_draw_is_told_on_both_bars(theme: str) -> None:
    view = replace(gallery.labelled(), to_move=None, result=Text.of("Draw"))
    style = Style(theme=theme)
    where = layout_of(view, 1.0, flipped=False, caption_lines=0)
    box = differs(view, replace(view, result=Text.of("Nobody won")), style)
    assert box is not None
    assert box[1] < where.bars[1].bottom
    assert box[3] > where.bars[0].top


def plain(files: int, ranks: int, colours: int, topology: Topology) -> BoardView:
    """A board such as a game might have that nobody has thought of yet."""
    names = [Text.of(f"Colour {number}") for number in range(colours)]
    cells = tuple(
        Cell(
            f"{chr(97 + file)}{rank + 1}",
            file,
            rank,
            (Piece((file + rank) % colours, "meeple", names[(file + rank) % colours]),)
            if (file * rank) % 3 == 0
            else (),
        )
        for rank in range(ranks)
        for file in range(files)
    )
    return BoardView(
        game="new",
        topology=topology,
        palette="unheard of",
        grids=(Grid(files, ranks),),
        cells=cells,
        colours=tuple(Colour(name) for name in names),
        seats=tuple(SeatView((number,), number) for number in range(colours)),
        to_move=colours - 1,
        marks=Marks(last=("a1",), targets=("a1",)),
    )


@pytest.mark.parametrize("topology", Topology)
@pytest.mark.parametrize(
    ("files", "ranks", "colours"),
    [(1, 1, 1), (5, 1, 2), (1, 5, 2), (20, 20, 2), (3, 9, 3), (8, 8, 6)],
)
def test_a_board_of_a_new_game_can_be_drawn_and_told(
    files: int, ranks: int, colours: int, topology: Topology
) -> None:
    view = plain(files, ranks, colours, topology)
    style = Style(names=NAMES)
    picture = render(view, style)
    where = layout_of(view, 1.0, flipped=False, caption_lines=0)
    box = where.grids[0].box
    assert 0 < box.left < box.right < picture.width
    bars = sorted(where.bars, key=lambda bar: bar.top)
    for one, two in pairwise(bars):
        assert one.bottom < two.top
    for bar in bars:
        assert bar.bottom < box.top - where.rim or bar.top > box.bottom + where.rim
        assert 0 <= bar.top < bar.bottom <= picture.height
    assert "a1" in picture.alt_text
    assert "a1" in describe(view, style)
    assert text_board(view, style).count("```") == 2


def test_captions_are_broken_between_words_and_all_of_them_shown() -> None:
    words = " ".join(f"word{number}" for number in range(60))
    view = replace(gallery.labelled(), captions=(Text.of(words), Text.of("Another.")))
    lines = caption_lines(view, Style())
    assert " ".join(lines).split() == f"{words} Another.".split()
    assert len(lines) > 2
    assert all(text_width(line, SMALL) <= 940 for line in lines)


def test_an_empty_place_of_a_stone_is_hinted_at() -> None:
    view = plain(3, 3, 2, Topology.SQUARES)
    cell = next(cell for cell in view.cells if not cell.stack)
    piece = Piece(0, "stone", Text.of("Stone"))
    cells = tuple(replace(one, ghost=piece) if one is cell else one for one in view.cells)
    found = differs(view, replace(view, cells=cells), Style())
    assert found is not None
    where = layout_of(view, 1.0, flipped=False, caption_lines=0)
    x, y = where.centre(cell)
    assert found[0] < x < found[2]
    assert found[1] < y < found[3]


def test_what_the_ghosts_are_is_said_below_a_board_that_shows_one_and_has_no_captions() -> None:
    bare = replace(gallery.labelled(), captions=(), ghosts=Text.of("Outlines: come in."))
    piece = Piece(0, "stone", Text.of("Stone"))
    empty = next(cell for cell in bare.cells if not cell.stack)
    cells = tuple(replace(one, ghost=piece) if one is empty else one for one in bare.cells)
    shown = replace(bare, cells=cells)
    assert caption_lines(bare, Style()) == ()
    assert caption_lines(shown, Style()) == ("Outlines: come in.",)
    warned = replace(shown, captions=(Text.of("Draw soon."),))
    assert caption_lines(warned, Style()) == ("Draw soon.",)


def test_a_place_off_the_board_is_nowhere() -> None:
    where = layout_of(gallery.three_grids(), 1.0, flipped=False, caption_lines=0)
    with pytest.raises(KeyError):
        where.middle(6, 4)


def test_grids_without_words_and_ranks_without_leaders_are_drawn_as_well() -> None:
    view = gallery.three_grids()
    grids = tuple(replace(grid, title=None, captions=()) for grid in view.grids)
    bare = replace(view, grids=grids, rank_leaders=())
    where = layout_of(bare, 1.0, flipped=False, caption_lines=0)
    assert not where.titles
    assert not where.leaders
    assert render(bare, Style()).png != render(view, Style()).png


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("view", "of", "count"),
    [
        (list(random_views("pythagoras", {"seats": 2}, seed=3, plies=40))[-1], 2, 5),
        (GALLERY["scored"], 1, 2),
    ],
    ids=["narrow", "wide"],
)
def test_every_part_of_a_score_is_shown(view: BoardView, of: int, count: int, theme: str) -> None:
    style = Style(theme=theme, names=NAMES)
    total = tuple(colour.score for colour in view.colours)
    parts = [number for number, line in enumerate(view.score_lines) if line.points != total]
    assert len(parts) == count
    box = layout_of(view, 1.0, flipped=False, caption_lines=0).bars[of]
    for number in parts:
        line = view.score_lines[number]
        points = tuple(each + (7 if colour == of else 0) for colour, each in enumerate(line.points))
        lines = list(view.score_lines)
        lines[number] = replace(line, points=points)
        changed = differs(view, replace(view, score_lines=tuple(lines)), style)
        assert changed is not None
        left, top, right, bottom = changed
        assert box.left <= left < right <= box.right
        assert box.top <= top < bottom <= box.bottom


@pytest.mark.parametrize(("key", "larger"), [*zip(GALLERY, cycle([False, True]), strict=False)])
@pytest.mark.parametrize(
    "name", ["W" * 32, "﷽" * 32, "H̸̢̛͎" * 8, "界" * 32], ids=["W", "wide", "marks", "cjk"]
)
@pytest.mark.long
def test_a_name_never_leaves_the_bar_of_its_player(key: str, larger: bool, name: str) -> None:
    view = GALLERY[key]
    where = layout_of(view, 1.5 if larger else 1.0, flipped=False, caption_lines=len(view.captions))
    plain = tuple("A" for _ in view.colours)
    before = compose(view, Style(names=plain, larger=larger)).whole()
    for colour, box in enumerate(where.bars):
        seat = next(n for n, each in enumerate(view.seats) if colour in each.colours)
        names = tuple(name if n == seat else "A" for n in range(len(view.seats)))
        after = compose(view, Style(names=names, larger=larger)).whole()
        own = [where.bars[each] for each in view.seats[seat].colours]
        changed = ImageChops.difference(before, after)
        for each in own:
            changed.paste(0, (each.left, each.top, each.right, each.bottom))
        assert changed.getbbox() is None, (colour, box)
