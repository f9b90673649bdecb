"""Words from which the position can be read back, and which never run over."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest

from bot.i18n import Languages
from games import catalog
from games.view import Arrow, BoardView, Marks, Piece, Sign, Text, TrayMark
from renderers import Style, describe, text_board
from renderers.letters import letters_of
from renderers.text_board import TEXT_BOARD_LIMIT
from renderers.words import ALT_TEXT_LIMIT, alt_text, last_move
from tests import gallery
from tests.support.random_views import option_sets, random_views

STYLE = Style(names=("Ada", "Bo", "Cy", "Di"))
LANGUAGES = Languages().known()
CASES = [
    (key, number, options)
    for key in catalog.GAMES
    for number, options in enumerate(option_sets(key))
]


def word(piece: Piece) -> str:
    return f"{piece.name.english()} {piece.label}" if piece.label else piece.name.english()


def stacks_in(view: BoardView) -> dict[str, tuple[str, ...]]:
    return {
        cell.name: tuple(word(piece) for piece in cell.stack) for cell in view.cells if cell.stack
    }


def stacks_read(text: str, view: BoardView) -> dict[str, tuple[str, ...]]:
    """The stacks that a description tells, found without looking at the cells of the view."""
    words = {word(piece) for cell in view.cells for piece in cell.stack}
    found: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        head, _, rest = line.removesuffix(".").partition(": ")
        if head in words:
            for name in rest.split(", "):
                assert name not in found
                found[name] = (head,)
        if head == "Stacks, bottom first":
            for stack in rest.split("; "):
                name, _, pieces = stack.partition(" ")
                assert name not in found
                found[name] = tuple(pieces.split(" + "))
    return found


def links_read(text: str, view: BoardView) -> set[tuple[frozenset[str], str]]:
    found = set()
    for colour in view.colours:
        for match in re.finditer(rf"^{colour.name.english()} links: (.*)\.$", text, re.MULTILINE):
            found |= {
                (frozenset(link.split("-")), colour.name.english()) for link in match[1].split(", ")
            }
    return found


@pytest.mark.parametrize(("key", "number", "options"), CASES)
def test_a_position_can_be_read_back(key: str, number: int, options: dict[str, int | str]) -> None:
    for view in random_views(key, options, seed=number, plies=40):
        text = describe(view, STYLE)
        assert stacks_read(text, view) == stacks_in(view)
        assert links_read(text, view) == {
            (frozenset((link.start, link.end)), view.colours[link.colour].name.english())
            for link in view.links
        }
        if view.to_move is not None:
            on_turn = view.colours[view.to_move].name.english()
            assert re.match(rf"(Ada|Bo|Cy|Di) \({on_turn}\) to move\.\n", text)
        for colour in view.colours:
            for tray in colour.trays:
                for slot in tray.slots:
                    assert f"{word(slot.piece)} ×{slot.count}" in text
            for note in colour.notes:
                assert note.english() in text


@pytest.mark.parametrize(("key", "number", "options"), CASES)
def test_the_text_board_shows_all(key: str, number: int, options: dict[str, int | str]) -> None:
    for view in random_views(key, options, seed=number + 100, plies=40):
        text = text_board(view, STYLE)
        assert len(text) <= TEXT_BOARD_LIMIT
        before, block, after = text.split("```")
        assert "to move" in before or "." in before
        assert len(view.colours) <= len(after.strip().splitlines())
        assert all(len(line) <= 40 for line in block.splitlines()), "a phone breaks longer lines"
        letters = letters_of(view, STYLE)
        blocks = re.split(r"\n\s*\n(?= *\d+  )", block) if len(view.grids) > 1 else [block]
        assert len(blocks) == len(view.grids)
        for grid, lines in zip(view.grids, blocks, strict=True):
            ranks = {
                found[1]: found[2].split()
                for line in lines.splitlines()
                if (found := re.match(r"^ *(\d+)  ?(\S.*)$", line))
            }
            for cell in view.cells:
                if not 0 <= cell.file - grid.file < grid.files:
                    continue
                shown = ranks[cell.name.lstrip("abcdefghijklmno")][cell.file - grid.file]
                owners = [piece.letter or letters[piece.colour] for piece in cell.stack]
                assert re.findall(r"[^\W\d_]", shown) == owners, (cell.name, shown)
                for piece in cell.stack:
                    assert piece.label in shown


@pytest.mark.long
@pytest.mark.parametrize("locale", LANGUAGES)
def test_no_line_of_a_text_board_is_too_long_for_a_phone_in_any_language(locale: str) -> None:
    style = Style(names=("Ada", "Bo", "Cy", "Di"), locale=locale, translate=LANGUAGES[locale])
    cases: list[tuple[str, dict[str, int | str]]] = [(key, {}) for key in catalog.GAMES]
    cases += [("quax", {"size": 15}), ("quux", {"size": 6})]
    for key, options in cases:
        *_, view = random_views(key, options, seed=7, plies=60)
        block = text_board(view, style).split("```")[1]
        assert max(map(len, block.splitlines())) <= 40, key


def test_links_stand_between_the_ranks_of_a_text_board() -> None:
    view = gallery.linked(3, "a1 b2", "a3 b3 c2", ("a1-b2", "b3-c2"))
    board = text_board(view, STYLE).splitlines()
    start = next(index for index, line in enumerate(board) if line.startswith(" 3"))
    assert board[start : start + 5] == [
        " 3  R R .",
        "       \\",
        " 2  . B R",
        "     /",
        " 1  B . .",
    ]


@pytest.mark.parametrize("size", [3, 11, 15])
def test_an_alt_text_is_at_most_1024_characters_and_ends_at_a_word(size: int) -> None:
    view = gallery.linked_scattered(size, full=True, seed=size)
    long = replace(view, captions=(Text.of("Nothing " * 300),))
    alt = alt_text(long, STYLE)
    assert len(alt) <= ALT_TEXT_LIMIT
    assert alt.startswith("Ada (Black) to move. Last move: ")
    assert alt.endswith("Nothing …")
    assert not alt_text(view, STYLE).endswith("…")


@pytest.mark.parametrize("seed", range(4))
def test_the_alt_text_of_a_full_board_of_15_tells_every_stone_and_every_link(seed: int) -> None:
    view = gallery.linked_scattered(15, full=True, seed=seed)
    text = alt_text(view, STYLE)
    (told,) = re.findall(
        r"Ranks from the left, R Red stone, B Black stone, - empty: (.*?)\.", text
    ) or (re.findall(r"Ranks from the left, B Black stone, R Red stone, - empty: (.*?)\.", text))
    rows = [
        "".join(run[0] * int(run[1:] or 1) for run in rank.split()[1:]) for rank in told.split("; ")
    ]
    stopped_spans = {
        (cell.file, cell.rank): cell.stack[0].colour if cell.stack else None for cell in view.cells
    }
    assert rows == [
        "".join({0: "B", 1: "R", None: "-"}[stopped_spans[file, rank]] for file in range(15))
        for rank in range(15)
    ]
    links = set()
    for way, step in (("right", 1), ("left", -1)):
        (told,) = re.findall(rf"Links up {way} from: (.*?)\.", text)
        for rank in told.split("; "):
            number, *files = rank.split()
            links |= {
                frozenset((f"{file}{number}", f"{chr(ord(file) + step)}{int(number) + 1}"))
                for file in files
            }
    assert links == {frozenset((link.start, link.end)) for link in view.links}


@pytest.mark.parametrize(("key", "number", "options"), CASES)
@pytest.mark.long
def test_an_alt_text_tells_the_board(key: str, number: int, options: dict[str, int | str]) -> None:
    """Whatever is counted comes after it, and the last grid named after all that stands there."""
    for view in random_views(key, options, seed=number + 200, plies=400):
        text = alt_text(view, STYLE)
        assert len(text) <= ALT_TEXT_LIMIT
        assert len(re.findall(r"ells [a-l]1 to [a-o]\d+\.", text)) == len(view.grids)


def test_a_won_game_says_who_won_before_anything_else() -> None:
    text = describe(gallery.linked_won(), STYLE)
    assert text.startswith("Black joined left and right.\nWinner: Ada (Black).\n")
    assert "Winning chain: a6, b6, c7, d7, e6, f6, g5, h5, i6, j6, k6." in text


def test_a_move_that_takes_others_along_names_them() -> None:
    marks = Marks(("b2", "c2"), ("b4", "c4"), arrows=(Arrow("b2", "b4"),))
    view = replace(gallery.linked(5, "b4", "c4"), marks=marks)
    assert "Last move: b2 to b4, with others to c4." in describe(view, STYLE)
    alone = replace(marks, last=("b4",))
    assert "Last move: b2 to b4.\n" in describe(replace(view, marks=alone), STYLE)


def test_picks_targets_and_refusals_are_told() -> None:
    text = describe(gallery.linked_marked(), STYLE)
    for sentence in (
        "Last move: g4-h5.",
        "Not allowed at: j4.",
        "Picked: d3.",
        "Can go to: c2, d2, c3.",
        "Can be captured: e3.",
        "Can be linked: d3-e4, d3-c4.",
    ):
        assert sentence in text.splitlines()


def test_words_come_in_the_language_of_the_style() -> None:
    german = {
        "Black": "Schwarz",
        "Red": "Rot",
        "Red stone": "Roter Stein",
        "{player} to move.": "{player} ist am Zug.",
        "{piece}: {cells}.": "{piece}: {cells}.",
    }

    def translate(text: Text) -> str:
        return replace(text, message=german.get(text.message, text.message)).english()

    style = Style(names=("Ada", "Bo"), locale="de", translate=translate)
    view = gallery.linked(3, "a1", "b2")
    assert describe(view, style).startswith("Ada (Schwarz) ist am Zug.\n")
    assert "Roter Stein: b2." in describe(view, style)
    assert letters_of(view, style) == ("S", "R")


def test_letters_of_colours_differ_and_are_narrow() -> None:
    view = gallery.linked(3, "a1", "b2")
    for words in (("Red", "Rose"), ("黒", "赤"), ("", "!")):
        style = Style(translate=partial(lambda words, text: words[text.message == "Red"], words))
        letters = letters_of(view, style)
        assert len(set(letters)) == 2
        assert all(letter.isalpha() and letter < "Ā" for letter in letters)


@pytest.mark.parametrize(
    "name",
    [
        "# *_Big_* <@1> [x](https://e.org) |",
        "```",
        "a" * 32_000,
        "\n" * 2_000,
        "\u202eevil",
        "@everyone",
        "Z̷͔̲̗͕a̸̡̛͈̭l̵͎̥̓g̸̛̬o̴̢͎̓" * 40,
    ],
)
def test_no_name_breaks_words_or_text_board(name: str) -> None:
    view = gallery.linked_scattered(15, full=True, seed=2)
    style = Style(names=(name, name))
    board = text_board(view, style)
    assert board.count("```") == 2
    assert len(board) <= TEXT_BOARD_LIMIT
    assert len(alt_text(view, style)) <= ALT_TEXT_LIMIT
    assert "\u202e" not in describe(view, style) + board
    assert len(board.splitlines()) == len(text_board(view, Style(names=("A", "B"))).splitlines())
    outside = board.replace("```", "")
    assert not re.search(r"(?<!\\)[*_<>@#\[\]|~`]|:(?!\\)//", outside)


def test_a_player_without_a_name_is_called_by_the_colour() -> None:
    view = gallery.linked(3, "a1", "")
    for names in ((), ("", ""), ("\u200b\n", "🎲")):
        assert describe(view, Style(names=names)).startswith("Black to move.\n")


def test_the_last_moves_are_told_with_the_pieces_that_moved() -> None:
    white, black = Piece(0, "stone", Text.of("White stone")), Piece(1, "stone", Text.of("Black"))
    view = gallery.labelled()
    arrow = Arrow("a1", "b2", (white, black))
    moved = replace(view, marks=Marks(last=("b2",), arrows=(arrow,)))
    assert last_move(moved, STYLE) == "White stone + Black a1 to b2"
    left = Marks(arrows=(Arrow("a1", None, (white,)),), trays=(TrayMark("captured", black),))
    assert (
        last_move(replace(view, marks=left), STYLE)
        == "White stone a1 off the board, captured: Black"
    )
    taken = next(cell for cell in view.cells if cell.stack)
    placed = replace(view, marks=Marks(last=(taken.name,), earlier=(taken.name,)))
    name = taken.stack[-1].name.english()
    assert last_move(placed, STYLE) == f"{name} on {taken.name}"
    assert f"Before that: {name} on {taken.name}." in describe(placed, STYLE)
    assert f"Before that: {name} on {taken.name}." in text_board(placed, STYLE)


def test_a_sign_is_told_in_words() -> None:
    view = gallery.labelled()
    colour = replace(view.colours[0], signs=(Sign("pass", Text.of("must pass")),))
    signed = replace(view, colours=(colour, view.colours[1]))
    assert "must pass" in describe(signed, STYLE)
    assert "must pass" in text_board(signed, STYLE)


def test_an_empty_board_is_told() -> None:
    assert "The board is empty." in describe(gallery.linked(3, "", ""), STYLE)


def test_marks_beyond_the_alt_text_do_not_crowd_out_the_position() -> None:
    view = gallery.linked(11, "a1", "b2")
    targets = Marks(targets=tuple(cell.name for cell in view.cells))
    text = alt_text(replace(view, marks=targets), STYLE)
    assert "Black stone: a1." in text
    assert "Red stone: b2." in text


def test_a_shortened_alt_text_names_what_trays_hold_and_nothing_else() -> None:
    view = replace(gallery.piled(), labels=Text.of("word " * 300))
    assert "×0" in describe(view, STYLE)
    text = alt_text(view, STYLE)
    assert "×0" not in text
    assert "×2" in text
