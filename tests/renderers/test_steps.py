"""Steps laid over each other are the pictures of a game, in little room."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image, ImageChops, ImageFilter

from games import catalog
from renderers import PictureLayer, SharedLayers, Style, steps
from renderers.picture import compose, rows_for_captions
from renderers.steps import SCALE
from renderers.words import alt_text
from tests.support.random_views import random_views

NAMES = ("Ada", "Bo", "Cy", "Di")


def _image(layer: PictureLayer) -> Image.Image:
    image = Image.open(io.BytesIO(layer.webp))
    assert image.size == (layer.width, layer.height)
    return image


def _where_changed(before: Image.Image, page: Image.Image, layer: PictureLayer) -> Image.Image:
    box = (layer.left, layer.top, layer.left + layer.width, layer.top + layer.height)
    found = ImageChops.difference(before.crop(box), page.crop(box))
    red, green, blue = found.split()
    strongest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return strongest.point([0] + [255] * 255)


@pytest.mark.parametrize("key", list(catalog.GAMES))
def test_layers_make_every_position_to_the_pixel(key: str) -> None:
    shared = SharedLayers()
    firsts = []
    for seed, names in ((5, NAMES), (6, NAMES[::-1])):
        views = list(random_views(key, {}, seed=seed, plies=12))
        style = Style(names=names)
        made = steps(views, style, shared)
        lines = max(rows_for_captions(view, style) for view in views)
        page = Image.new("RGB", (made.width, made.height))
        assert len(made.changes) == len(views) - 1
        for change, view in zip((made.first, *made.changes), views, strict=True):
            for layer in change:
                before = page.copy()
                image = _image(layer).convert("RGBA")
                page.paste(image, (layer.left, layer.top), image)
                # What a browser blends at the edge of a part is alike above and below.
                within = image.getchannel("A").filter(ImageFilter.MinFilter(3))
                changed = _where_changed(before, page, layer)
                assert ImageChops.subtract(changed, within).getbbox() is None
            drawn = (
                compose(replace(view, to_move=None), style, scale=SCALE, lines=lines)
                .reduced()
                .convert("RGB")
            )
            assert ImageChops.difference(page, drawn).getbbox() is None
        assert made.alt_texts == tuple(alt_text(view, style) for view in views)
        firsts.append(made.first)
    one, two = firsts
    assert len(one) == 1
    has_room = (one[0].width, one[0].height) == (two[0].width, two[0].height)
    assert (one[0].webp == two[0].webp) is has_room, "one whole picture of a size"


@pytest.mark.long
def test_forty_moves_of_any_game_take_less_than_150_kilobytes() -> None:
    for key in catalog.GAMES:
        made = steps(list(random_views(key, {}, seed=2, plies=40)), Style(names=NAMES))
        files = {layer.webp for step in (made.first, *made.changes) for layer in step}
        assert sum(map(len, files)) < 150_000, key
