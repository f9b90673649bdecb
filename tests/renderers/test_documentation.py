"""``make pictures``: what it draws, and what it says where it can not draw all."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image, ImageChops

from renderers import Style, render
from tests.support.own_games import OWN_GAMES

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"


@pytest.fixture
def draw(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The module that draws, which writes into a folder of its own and plays short games."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "pictures"))
    import draw as found  # type: ignore[import-not-found,unused-ignore]

    monkeypatch.setattr(found, "HERE", tmp_path)
    whole = found.whole_game()
    monkeypatch.setattr(found, "whole_game", lambda: whole[-3:])
    yield_module: ModuleType = found
    return yield_module


@pytest.mark.long
def test_without_chromium_everything_else_is_drawn_and_what_lacks_is_said(
    draw: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys.modules["page"], "CHROMIUM", tmp_path / "nowhere")
    assert draw.main() == 1
    assert "match, offer, panel, setup, home and why are as they were" in capsys.readouterr().err
    drawn = {file.name for file in tmp_path.iterdir()}
    stored = {file.name for file in (ROOT / "docs" / "pictures").glob("*.[pg][ni][gf]")}
    assert drawn == stored - {
        "match.png",
        "offer.png",
        "panel.png",
        "setup.png",
        "home.png",
        "why.png",
    }


@pytest.mark.parametrize("key", [key for key in OWN_GAMES if (PICTURES / f"{key}.png").exists()])
def test_the_stored_board_of_a_game_is_as_it_is_drawn_now(draw: ModuleType, key: str) -> None:
    """The golden picture of each game: after a change ``make pictures`` draws it anew, to look at.

    A pixel may differ by what another version of the letters' renderer makes of its edge.
    """
    drawn = Image.open(io.BytesIO(render(draw.shown(key), Style(names=draw.NAMES)).png))
    with Image.open(PICTURES / f"{key}.png") as stored:
        assert stored.size == drawn.size
        apart = ImageChops.difference(stored.convert("RGB"), drawn.convert("RGB")).convert("L")
    changed = sum(count for tone, count in enumerate(apart.histogram()) if tone > 8)
    assert changed < 40


def test_the_replayed_game_is_one_and_its_file_is_small() -> None:
    file = ROOT / "docs" / "pictures" / "replay.gif"
    assert file.stat().st_size < 1_000_000
    with Image.open(file) as film:
        assert getattr(film, "n_frames", 1) > 40


def test_every_picture_of_the_documentation_is_there_and_every_one_there_is_shown() -> None:
    shown = set()
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
            file = (page.parent / target).resolve()
            assert file.exists(), f"{page.name} shows {target}"
            shown.add(file.name)
    stored = {file.name for file in (ROOT / "docs" / "pictures").glob("*.[pg][ni][gf]")}
    assert stored == shown
