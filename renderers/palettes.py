"""The stored palettes: 255 colours for each theme and role.

A palette holds every flat colour of its theme exactly and fits the rest (the blends at edges, the
shades on pieces) to what the gallery's pages show. Fitting takes seconds, so the outcome is kept
in ``palettes.txt``, one line each: theme, role, colours in hexadecimal. After a change of colours
or pieces write it anew with ``python -m tests.gallery palettes``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from PIL import Image

from renderers.incremental.images import RGB
from renderers.themes import THEMES, theme_named

SIZE = 255
"""One less than there is room for: an animation needs one for unchanged pixels."""
_FILE = Path(__file__).parent / "palettes.txt"
_CLOSEST = 5.5
"""No fitted colour is nearer than this to a flat one, so that none can take its place."""


@cache
def _stored() -> Mapping[tuple[str, str], tuple[RGB, ...]]:
    found: dict[tuple[str, str], tuple[RGB, ...]] = {}
    for line in _FILE.read_text(encoding="ascii").splitlines():
        theme, role, colours = line.split()
        raw = bytes.fromhex(colours)
        found[(theme, role)] = tuple(
            (raw[index], raw[index + 1], raw[index + 2]) for index in range(0, len(raw), 3)
        )
    return found


def palette_of(theme: str, role: str, colours: int) -> tuple[RGB, ...]:
    """The palette of a page with that many sets of pieces in a role of a theme."""
    return _stored()[(theme, theme_named(theme).role_for(role, colours))]


def fit(pages: Iterable[Image.Image], flat: tuple[RGB, ...]) -> tuple[RGB, ...]:
    """The colours that show the pages best, all of ``flat`` first and exactly.

    A colour counts by the root of how often it occurs: rare shades matter, too. All of them lie on
    the grid of four, so that reducing a second time changes nothing.
    """
    counts: Counter[RGB] = Counter()
    for page in pages:
        for count, colour in page.getcolors(1 << 24) or ():
            counts[colour] += count  # type: ignore[index]
    near = {colour for colour in counts if any(_apart(colour, one) < _CLOSEST for one in flat)}
    pixels = [
        colour
        for colour, count in sorted(counts.items())
        if colour not in near
        for _ in range(min(60, int(count**0.5)))
    ]
    strip = Image.new("RGB", (len(pixels), 1))
    strip.putdata(pixels)
    room = SIZE - len(flat)
    fitted = strip.quantize(room, method=Image.Quantize.MEDIANCUT, kmeans=6)
    raw = [min(252, round(channel / 4) * 4) for channel in fitted.getpalette("RGB") or ()]
    found = list(flat)
    for index in range(0, len(raw), 3):
        colour = (raw[index], raw[index + 1], raw[index + 2])
        if colour not in found and all(_apart(colour, one) >= _CLOSEST for one in flat):
            found.append(colour)
    return tuple(found)


def _apart(a: RGB, b: RGB) -> float:
    return float(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5)


def write(pages: Mapping[tuple[str, str], Iterable[Image.Image]]) -> None:
    """Fit a palette to the pages of each theme and role, and store all of them."""
    lines: list[str] = []
    for (theme, role), shown in pages.items():
        colours = fit(shown, THEMES[theme].flat_colours(role))
        lines.append(f"{theme} {role} " + b"".join(bytes(one) for one in colours).hex())
    _FILE.write_text("\n".join(lines) + "\n", encoding="ascii")
    _stored.cache_clear()
