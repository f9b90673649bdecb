"""Colours that everybody can tell apart, and that a palette keeps exactly."""

from __future__ import annotations

import itertools
import math

import pytest
from PIL import Image

from renderers.canvas import palette_image
from renderers.incremental.images import RGB
from renderers.palettes import SIZE, palette_of
from renderers.themes import THEMES, contrast

ROLES = [(key, role) for key, theme in THEMES.items() for role in theme.roles]

# Brettel, Vienot and Mollon's dichromats as Machado, Oliveira and Fernandes give them for full
# severity, in linear RGB (IEEE TVCG 15(6), 2009, table 1).
SIGHTS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
}


def lab(colour: RGB, sight: str) -> tuple[float, float, float]:
    """CIE L*a*b* (D65) of a colour as people see it."""

    def linear(channel: int) -> float:
        value = channel / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    raw = [linear(channel) for channel in colour]
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, raw, strict=True))))
        for row in SIGHTS[sight]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883

    def root(value: float) -> float:
        return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116

    return 116 * root(y) - 16, 500 * (root(x) - root(y)), 200 * (root(y) - root(z))


def distance(a: RGB, b: RGB, sight: str) -> float:
    """CIE76 colour difference."""
    return math.dist(lab(a, sight), lab(b, sight))


@pytest.mark.parametrize(("key", "role"), ROLES)
def test_every_flat_colour_lies_on_the_grid_of_four(key: str, role: str) -> None:
    for colour in THEMES[key].flat_colours(role):
        assert all(channel % 4 == 0 for channel in colour), colour


@pytest.mark.parametrize(("key", "role"), ROLES)
def test_reducing_keeps_the_palette_exactly(key: str, role: str) -> None:
    palette = palette_of(key, role, len(THEMES[key].roles[role]))
    assert 200 < len(palette) <= SIZE
    assert len(set(palette)) == len(palette)
    assert set(THEMES[key].flat_colours(role)) <= set(palette)
    strip = Image.new("RGB", (len(palette), 1))
    strip.putdata(palette)
    reduced = strip.quantize(palette=palette_image(palette), dither=Image.Dither.NONE)
    assert tuple(reduced.convert("RGB").get_flattened_data()) == palette


@pytest.mark.parametrize("key", THEMES)
def test_words_read_well_on_everything_they_stand_on(key: str) -> None:
    theme = THEMES[key]
    least = 7.0 if key == "contrast" else 4.5
    for ground in (theme.card, theme.bar, theme.bar_active):
        assert contrast(theme.text, ground) >= 7.0
        assert contrast(theme.muted, ground) >= least
    for inks in theme.roles.values():
        for ink in inks:
            assert contrast(ink.accent, theme.bar_active) >= least
            assert contrast(ink.ink, ink.body) >= 3.0


@pytest.mark.parametrize(("key", "role"), ROLES)
@pytest.mark.parametrize("sight", SIGHTS)
def test_sets_of_pieces_differ_for_every_kind_of_sight(key: str, role: str, sight: str) -> None:
    inks = THEMES[key].roles[role]
    least = {"stones": 30, "chess": 60, "pair": 20, "four": 12}[role]
    for one, two in itertools.combinations(inks, 2):
        assert distance(one.body, two.body, sight) >= least, (one.mark, two.mark)


@pytest.mark.parametrize(("key", "role"), ROLES)
def test_every_set_of_pieces_has_a_mark_of_its_own(key: str, role: str) -> None:
    marks = [ink.mark for ink in THEMES[key].roles[role]]
    assert len(set(marks)) == len(marks)


@pytest.mark.parametrize("key", THEMES)
@pytest.mark.parametrize("sight", SIGHTS)
def test_marks_on_cells_differ_from_cells_for_every_kind_of_sight(key: str, sight: str) -> None:
    theme = THEMES[key]
    for cell in (theme.cell, theme.cell_alt):
        # Where light falls on light, a dark line around the mark tells it apart.
        for light in (theme.last, theme.win, cell):
            assert distance(theme.casing, light, sight) >= 50
        for tone in (theme.target, theme.selected, theme.capture, theme.refused):
            assert distance(tone, cell, sight) >= 30
