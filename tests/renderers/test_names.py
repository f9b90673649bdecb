"""Names of any kind: drawn where letters are there, else the colour's word; never in the way."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.i18n import LOCALES
from renderers import Style, fonts, render
from renderers.bracket import Bracket, Match, Round, Slot, Stage, draw_bracket
from renderers.crosstable import CrossRow, Crosstable, draw_crosstable
from renderers.fonts import can_draw, fitting, noto, text_mask, text_width
from renderers.names import LONGEST, clean_name
from renderers.tables import Row, Table, draw_table
from tests import gallery

ZALGO = "Ẑ̸̲͍͓͔a̷̢̛̲̪̅l̴̨̘̈́͜g̷̖̞̈́o̵̳͙͂" * 30


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("𝓐𝓵𝓲𝓬𝓮", "Alice"),
        ("  Ada \n\n  Lovelace\t", "Ada Lovelace"),
        ("\u202eevil\u202c", "evil"),
        ("Bob 🎲🎲", "Bob"),
        ("👩‍👩‍👧‍👦", ""),
        ("\u200b\u2060\ufeff", ""),
        ("Ｆｕｌｌ", "Full"),
        ("Zoë", "Zoë"),
        ("田中さくら", "田中さくら"),
        ("@everyone", "@everyone"),
        ("a\u0301\u0301\u0301\u0301", "á\u0301\u0301"),
        ("Maximilian von Hohenstein (Gelsenkirchen)", "Maximilian von Hohenstein…"),
        ("", ""),
    ],
)
def test_a_name_is_normalised_and_stripped(name: str, clean: str) -> None:
    assert clean_name(name) == clean


@pytest.mark.long
@given(st.text(max_size=3000))
@settings(max_examples=300)
def test_a_clean_name_is_one_line_of_at_most_32_graphemes(name: str) -> None:
    clean = clean_name(name)
    letters = [char for char in clean if unicodedata.category(char)[0] != "M"]
    assert len(letters) <= LONGEST + 1
    assert all(unicodedata.category(char)[0] != "C" for char in clean)
    assert clean == clean.strip()
    assert clean_name(clean.removesuffix("…")) == clean.removesuffix("…").strip()


@pytest.mark.parametrize(
    "name", ["Zoë Åström", "Дмитрий", "Δημήτρης", "Nguyễn Thị Hồng", "Łukasz Żółć", "★ Nova ☃"]
)
def test_names_of_many_scripts_can_be_drawn(name: str) -> None:
    assert can_draw(name)
    assert text_width(name, 38, bold=True) > 60


_with_extras = pytest.mark.skipif(noto.installed() is None, reason="there is no Noto Sans CJK")


@_with_extras
def test_names_in_chinese_japanese_and_korean_can_be_drawn_where_their_font_is() -> None:
    assert all(can_draw(name) for name in ("田中さくら", "김철수", "李小龙"))


@pytest.fixture
def without_extras(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The fonts of an installation without the extras."""
    monkeypatch.setattr(fonts, "_installed", lambda: None)
    _forget_fonts()
    yield
    monkeypatch.undo()
    _forget_fonts()


def _forget_fonts() -> None:
    for each in (fonts._faces, fonts.can_draw, fonts.drawable, fonts._advance, fonts.text_width):
        each.cache_clear()


@pytest.mark.parametrize(
    "path", sorted(LOCALES.glob("*/parlour.po")), ids=lambda it: it.parent.name
)
@pytest.mark.usefixtures("without_extras")
def test_the_sentences_of_every_language_can_be_drawn_without_the_extras(path: Path) -> None:
    with path.open("rb") as source:
        said = [message.string or () for message in read_po(source)]
    letters = {char for each in said for text in each for char in text if char.isprintable()}
    letters.discard("\N{VARIATION SELECTOR-16}")  # how the sign before it looks in messages
    assert letters > set("abc")
    assert {char for char in letters if fonts._face_for(char, bold=False) is None} == set()


@pytest.mark.usefixtures("without_extras")
def test_what_is_said_of_a_picture_says_which_names_the_extras_would_draw() -> None:
    view = gallery.linked(3, "a1", "")
    said = render(view, Style(names=("김철수", "สมชาย"))).alt_text
    assert "No font here has the letters of 김철수; the host can add one: make extras." in said
    for names in (("田中さくら", "Zoë"), ("สมชาย", "שלום")):
        assert "make extras" not in render(view, Style(names=names)).alt_text


@pytest.mark.usefixtures("without_extras")
def test_the_same_is_said_of_the_pictures_of_tournaments() -> None:
    names = ("김철수", "田中さくら", "สมชาย")
    rows = tuple(Row("1", name, ("1",), "#1") for name in names)
    crosses = tuple(CrossRow("1", name, (), "1", "#1") for name in names)
    rounds = (Round("Final", (Match(Slot(names[0], "1"), Slot(names[1], "2")),)),)
    for picture in (
        draw_table(Table("Cup", ("Points",), rows), Style()),
        draw_crosstable(Crosstable("Cup", (), "Points", crosses), Style()),
        draw_bracket(Bracket("Cup", (Stage("", rounds),)), Style()),
    ):
        assert picture.alt_text.endswith(
            "\nNo font here has the letters of 김철수; the host can add one: make extras."
        )
    many = tuple(Row("1", f"{names[0]} {'x' * 25}", ("1",), "#1") for _ in range(30))
    assert len(draw_table(Table("Cup", ("Points",), many), Style()).alt_text) <= 1024


@_with_extras
def test_with_the_extras_nothing_is_said_of_them() -> None:
    view = gallery.linked(3, "a1", "")
    assert "make extras" not in render(view, Style(names=("김철수", "สมชาย"))).alt_text


@pytest.mark.parametrize("name", ["สมชาย", "देवनागरी", "ሰላም"])
def test_a_name_without_letters_here_gives_way_to_the_colour_word(name: str) -> None:
    assert not can_draw(name)
    view = gallery.linked(3, "a1", "")
    nameless = render(view, Style(names=("", ""))).png
    assert render(view, Style(names=(name, name))).png == nameless


@pytest.mark.parametrize(
    "name",
    ["x" * 32_000, "W" * 32_000, "\n" * 2_000, ZALGO, "﷽" * 500, "🎲" * 5_000, "\u0301" * 9_000],
)
def test_a_hostile_name_is_drawn_at_once_and_inside_its_bar(name: str) -> None:
    view = gallery.linked(5, "a1 b2", "c3")
    render(view, Style(names=("Ada", "Bo")))
    started = time.process_time()
    picture = render(view, Style(names=(name, name)))
    assert time.process_time() - started < 0.5
    usual = render(view, Style(names=("Ada", "Bo")))
    assert (picture.width, picture.height) == (usual.width, usual.height)


@given(st.text(min_size=1, max_size=60))
@settings(max_examples=100)
def test_any_text_fits_the_room_it_is_given(text: str) -> None:
    name = clean_name(text)
    cut = fitting(name, 38, 300, bold=True)
    if cut:
        assert text_mask(cut, 38, bold=True).width <= 300
        assert text_mask(cut, 38, bold=True).height == 57


def test_a_name_that_is_cut_says_so() -> None:
    cut = fitting("Wolfeschlegelsteinhausen", 38, 300, bold=True)
    assert cut.endswith("…")
    assert "Wolfeschlegelsteinhausen".startswith(cut[:-1])
    assert fitting("Ada", 38, 300, bold=True) == "Ada"
    assert fitting("Ada", 38, 1, bold=True) == ""


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Bartholomew Featherstone", "Bartholomew…"),
        ("Jo Featherstonehaugh-Smith", "Jo Feathersto…"),
    ],
)
def test_a_name_is_shortened_by_words_where_enough_is_left_of_it(name: str, shown: str) -> None:
    assert fitting(name, 38, 300, bold=True) == shown


@pytest.mark.parametrize("name", ["שלום", "مرحبا بك"])
def test_names_from_right_to_left_are_drawn(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    view = gallery.linked(3, "a1", "")
    nameless = render(view, Style(names=("", ""))).png
    can_draw.cache_clear()
    if fonts._can_shape():
        assert can_draw(name)
        assert render(view, Style(names=(name, name))).png != nameless
    monkeypatch.setattr(fonts, "_can_shape", lambda: False)
    can_draw.cache_clear()
    try:
        assert not can_draw(name)
        assert render(view, Style(names=(name, name))).png == nameless
    finally:
        can_draw.cache_clear()


@pytest.mark.parametrize(("sent", "code"), [(b"the font", 0), (b"another", 1), (OSError("no"), 1)])
def test_the_font_of_the_extras_is_fetched_by_its_hash(
    sent: bytes | OSError,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def answer(url: str, *, timeout: float) -> BytesIO:
        assert url.startswith("https://")
        assert timeout > 0
        if isinstance(sent, OSError):
            raise sent
        return BytesIO(sent)

    place = tmp_path / "font.ttc"
    monkeypatch.setattr(noto, "urlopen", answer)
    monkeypatch.setattr(noto, "_PLACES", (place,))
    monkeypatch.setattr(noto, "_FETCHED", place)
    monkeypatch.setattr(noto, "_SHA256", sha256(b"the font").hexdigest())
    assert noto.main() == code
    assert noto.installed() == (None if code else place)
    assert ("apt install fonts-noto-cjk" in capsys.readouterr().err) is bool(code)
