"""The commands by which pictures are looked at and palettes are fitted."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PIL import Image

from renderers import THEMES
from renderers.palettes import SIZE, fit
from renderers.picture import compose
from renderers.style import Style
from renderers.themes import theme_named
from tests import gallery
from tests.gallery.__main__ import main


@pytest.mark.long
def test_the_gallery_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["gallery", "pictures", str(tmp_path / "new")])
    main()
    files = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert "linked-won-dark.png" in files
    assert len(files) % len(THEMES) == 0
    for path in (tmp_path / "new").iterdir():
        with Image.open(path) as image:
            assert image.mode == "P"


@pytest.mark.long
def test_a_fitted_palette_has_the_flat_colours_and_shows_the_page_well() -> None:
    flat = theme_named("dark").flat_colours("stones")
    page = compose(gallery.linked_played(), Style(), exact=True).whole()
    palette = fit([page], flat)
    assert palette[: len(flat)] == flat
    assert len(palette) <= SIZE
    assert all(channel % 4 == 0 for colour in palette for channel in colour)
    for count, colour in page.getcolors(1 << 24) or ():
        assert isinstance(colour, tuple)
        nearest = min(
            sum((x - y) ** 2 for x, y in zip(colour, one, strict=True)) for one in palette
        )
        assert nearest <= 20**2 * 3 or count < 40
