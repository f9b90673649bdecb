"""Square pyramids seen from above, alone and piled up.

A pyramid has four facets lit from the upper left, as many pips on its lower edge as its size, and
its owner's mark on the apex. Bases take .88, .64 and .40 of a cell, so that the rings that a
smaller pyramid leaves of a larger one below are equal and wide enough for pips.

In a pile a smaller pyramid stands on a larger one and both are seen. A pyramid over one of its own
size or a smaller one hides it: the hidden one shows as a square ring in its colour, and a strip
beside the pile has a bar for every pyramid, the top one first, with its size as width. In small
cells chips in the corner show the marks of the hidden ones instead.
"""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageFilter

from renderers.canvas import SHARP, circle, mix, rounded, rounded_frame
from renderers.emblems import emblem, is_letter
from renderers.incremental.images import RGB, kept
from renderers.themes import Ink

_BASES = {1: 0.40, 2: 0.64, 3: 0.88}
_PIPS = {1: 0.150, 2: 0.106, 3: 0.084}
_WHITE: RGB = (255, 255, 255)
_DARK: RGB = (0, 0, 0)
_LIT: RGB = (252, 252, 252)
BETWEEN: RGB = (160, 152, 136)
"""The colour that pale pyramids are mixed with."""
_ROOM_FOR_STRIP = 110
"""The pixels of a cell from which there is room for a strip."""
_SQUEEZED = 0.8
"""The scale of a pile that has a strip beside it."""


def base_of(size: int) -> float:
    """The share of a cell that a pyramid of this size takes."""
    return _BASES[min(3, max(1, size))]


@kept
def pyramid(ink: Ink, size: int, width: int, marked: bool, outline: RGB | None) -> Image.Image:
    """One pyramid, ``width`` pixels wide, in a box with an eighth to spare for its shadow.

    ``marked`` puts the owner's mark on the apex; ``outline`` is a light line around it where the
    ground is as dark as the pyramid.
    """
    spare = max(3, round(width * 0.06))
    box = width + 2 * spare
    image = Image.new("RGBA", (box, box), (0, 0, 0, 0))
    image.putalpha(_shade(box, width, spare))
    shape = rounded(width, width, max(2, round(width * 0.03)))
    _lay(image, shape, spare, spare, outline or ink.rim)
    rim = max(2, round(width * 0.02))
    inner = width - 2 * rim
    image.paste(_facets(ink, inner), (spare + rim, spare + rim))
    pip = max(4, round(width * _PIPS[min(3, max(1, size))]))
    y = round(spare + width - rim - pip * 1.12)
    step = round(pip * 1.25)
    for index in range(size):
        x = round(box / 2 + (index - (size - 1) / 2) * step - pip / 2)
        _lay(image, circle(pip), x, y, ink.ink)
    if marked:
        _apex(image, ink, width)
    return image


def _shade(box: int, width: int, spare: int) -> Image.Image:
    shade = Image.new("L", (box, box), 0)
    shade.paste(rounded(width, width, max(2, width // 30)), (spare, spare + spare // 3))
    shade = shade.filter(ImageFilter.GaussianBlur(spare * 0.45))
    return shade.point([max(0, value - 30) // 2 // 12 * 12 for value in range(256)])


def _facets(ink: Ink, width: int) -> Image.Image:
    """The four sides, upper one lightest, lower one darkest, and the edges between them."""
    far = width * SHARP
    middle = far / 2
    image = Image.new("RGB", (far, far), ink.body)
    draw = ImageDraw.Draw(image)
    sides = (
        (((0, 0), (far, 0)), mix(ink.body, _WHITE, 0.28)),
        (((0, 0), (0, far)), mix(ink.body, _WHITE, 0.1)),
        (((far, 0), (far, far)), mix(ink.body, _DARK, 0.13)),
        (((0, far), (far, far)), mix(ink.body, _DARK, 0.3)),
    )
    for (start, end), tone in sides:
        draw.polygon([start, end, (middle, middle)], fill=tone)
    stroke = max(SHARP, round(width * 0.012 * SHARP))
    edges = (((0, 0), 0.45), ((far, 0), 0.2), ((0, far), 0.1), ((far, far), 0.06))
    for corner, share in edges:
        draw.line([corner, (middle, middle)], fill=mix(ink.body, _WHITE, share), width=stroke)
    return image.reduce(SHARP)


def _apex(image: Image.Image, ink: Ink, width: int) -> None:
    box = image.width
    is_wide = width <= 60 or is_letter(ink.mark)
    cap = max(14, round(width * (0.36 if is_wide else 0.25)))
    cap += (box - cap) % 2
    start = (box - cap) // 2
    _lay(image, circle(cap), start, start, ink.rim)
    line = max(1, round(cap * 0.06))
    _lay(image, circle(cap - 2 * line), start + line, start + line, ink.body)
    sign = emblem(ink.mark, round(cap * 0.56))
    _lay(image, sign, round((box - sign.width) / 2), round((box - sign.height) / 2), ink.ink)


def _lay(image: Image.Image, shape: Image.Image, left: int, top: int, tone: RGB) -> None:
    layer = Image.new("RGBA", shape.size, (*tone, 255))
    layer.putalpha(shape)
    image.alpha_composite(layer, (left, top))


@kept
def ghost(ink: Ink, size: int, cell: int, ground: RGB) -> Image.Image:
    """A faint square where a pyramid of this size belongs."""
    width = round(cell * base_of(size)) // 2 * 2
    image = Image.new("RGBA", (width, width), (0, 0, 0, 0))
    shape = rounded(width, width, max(2, width // 20))
    stroke = max(3, round(cell * 0.025))
    inner = rounded(width - 2 * stroke, width - 2 * stroke, max(2, width // 24))
    _lay(image, shape, 0, 0, mix(ground, ink.body, 0.55))
    _lay(image, inner, stroke, stroke, mix(ground, ink.body, 0.16))
    pip = max(4, round(width * _PIPS[min(3, max(1, size))]))
    for index in range(size):
        x = round(width / 2 + (index - (size - 1) / 2) * pip * 1.25 - pip / 2)
        _lay(image, circle(pip), x, round(width - stroke - pip * 1.4), mix(ground, ink.body, 0.55))
    return image


@kept
def pile(stack: tuple[tuple[Ink, int], ...], cell: int, pale: bool) -> Image.Image:
    """A pile in a cell, bottom to top, each pyramid as ink and size.

    With ``pale`` all but the top one have half the contrast.
    """
    hidden = [
        any(size <= above for _, above in stack[index + 1 :])
        for index, (_, size) in enumerate(stack)
    ]
    image = Image.new("RGBA", (cell, cell), (0, 0, 0, 0))
    squeezed = any(hidden) and cell >= _ROOM_FOR_STRIP
    scale, x = (_SQUEEZED, cell * 0.41) if squeezed else (1.0, cell / 2)
    top = len(stack) - 1
    for index, (ink, size) in enumerate(stack):
        if hidden[index]:
            continue
        width = round(cell * base_of(size) * scale)
        sprite = pyramid(ink, size, width, index == top, None)
        if pale and index != top:
            sprite = _paled(sprite)
        image.alpha_composite(
            sprite, _corner(x - sprite.width / 2, (cell - sprite.height) / 2, sprite, cell)
        )
        covered = [stack[below] for below in range(index) if hidden[below]]
        for under, small in sorted(covered, key=lambda one: -one[1]):
            _outline(image, under, x, round(cell * base_of(small) * scale * 0.8))
        if covered and index == top:
            _cap_again(image, ink, x, width)
    if squeezed:
        _strip(image, stack, cell)
    else:
        _chips(image, [ink for (ink, _), gone in zip(stack, hidden, strict=True) if gone], cell)
    return image


def _chips(image: Image.Image, inks: list[Ink], cell: int) -> None:
    """A chip with the mark of each hidden pyramid in the upper right corner, the lowest last."""
    size = round(cell * 0.33) // 2 * 2
    for row, ink in enumerate(reversed(inks)):
        left, top = cell - size, row * (size + 1)
        edge = max(2, round(size * 0.09))
        _lay(image, rounded(size, size, max(3, size // 5)), left, top, (28, 32, 40))
        inner = size - 2 * edge
        _lay(image, rounded(inner, inner, max(2, size // 6)), left + edge, top + edge, ink.body)
        sign = emblem(ink.mark, round(size * 0.46))
        place = (round(left + (size - sign.width) / 2), round(top + (size - sign.height) / 2))
        _lay(image, sign, *place, ink.ink)


def _corner(left: float, top: float, sprite: Image.Image, cell: int) -> tuple[int, int]:
    # The shadow may reach beyond the cell: there it is cut off.
    return (
        max(0, min(round(left), cell - sprite.width)) if sprite.width <= cell else 0,
        max(0, min(round(top), cell - sprite.height)) if sprite.height <= cell else 0,
    )


def _cap_again(image: Image.Image, ink: Ink, x: float, width: int) -> None:
    """The apex once more, above the rings of hidden pyramids."""
    cap = Image.new("RGBA", (width, width), (0, 0, 0, 0))
    _apex(cap, ink, width)
    image.alpha_composite(cap, (max(0, round(x - width / 2)), (image.height - width) // 2))


def _outline(image: Image.Image, ink: Ink, x: float, width: int) -> None:
    """A hidden pyramid: a square ring on a dark casing."""
    stroke = max(5, round(width * 0.14))
    casing = max(2, stroke // 3)
    size = width + 2 * casing
    left, top = round(x - size / 2), round((image.height - size) / 2)
    radius = max(2, stroke // 2)
    dark = rounded_frame(size, size, radius, stroke + 2 * casing)
    _lay(image, dark, left, top, mix(ink.rim, _DARK, 0.45))
    light = rounded_frame(width, width, radius, stroke)
    tone = mix(ink.body, _WHITE, 0.35) if sum(ink.body) < 260 else ink.body
    _lay(image, light, left + casing, top + casing, tone)


def _paled(sprite: Image.Image) -> Image.Image:
    """The sprite with half of its contrast to the grey of the board."""
    grey = Image.new("RGBA", sprite.size, (*BETWEEN, 255))
    mixed = Image.blend(sprite, grey, 0.5)
    mixed.putalpha(sprite.getchannel("A"))
    return mixed


def _strip(image: Image.Image, stack: tuple[tuple[Ink, int], ...], cell: int) -> None:
    """One bar a pyramid at the right side of the cell, top one first, with its size as width."""
    plate = round(cell * 0.3) // 2 * 2
    bar = max(7, round(cell * 0.17))
    gap = max(2, round(cell * 0.022))
    height = len(stack) * (bar + gap) + gap + 2
    left, top = cell - plate, (cell - height) // 2
    _lay(image, rounded(plate, height, max(3, plate // 6)), left, top, (28, 32, 40))
    for row, (ink, size) in enumerate(reversed(stack)):
        width = round((plate - 2 * gap) * (0.42 + 0.29 * (size - 1))) // 2 * 2
        x, y = left + (plate - width) // 2, top + gap + 1 + row * (bar + gap)
        edge = mix(ink.body, _LIT, 0.6)
        _lay(image, rounded(width, bar, 2), x, y, edge)
        _lay(image, rounded(width - 2, bar - 2, 2), x + 1, y + 1, ink.body)
        sign = emblem(ink.mark, max(6, round(min(bar * 0.56, width * 0.7))))
        _lay(
            image,
            sign,
            round(x + (width - sign.width) / 2),
            round(y + (bar - sign.height) / 2),
            ink.ink,
        )
