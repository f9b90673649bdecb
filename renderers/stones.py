"""Round pieces: stones, alone or two high, with a mark or a label in the middle."""

from __future__ import annotations

from PIL import Image, ImageFilter

from renderers.canvas import circle, mix, ring
from renderers.emblems import emblem, is_letter
from renderers.fonts import text_mask
from renderers.incremental.images import RGB, kept
from renderers.themes import Ink, luminance

_SHADE = [0 if value < 40 else (value - 40) // 2 // 12 * 12 for value in range(256)]
"""A shadow in few steps without its faint outer haze, which costs bytes and is not visible."""

_LIT = 0.2
"""How much white is in the bevel of a stone."""


@kept
def stone(ink: Ink, diameter: int, label: str = "", outline: RGB | None = None) -> Image.Image:
    """A stone with its shadow, in the middle of a box a fifth as large again.

    ``outline`` is a light line around it where the ground is as dark as the stone.
    """
    box = round(diameter * 1.2) // 2 * 2 + diameter % 2
    start = (box - diameter) // 2
    image = Image.new("RGBA", (box, box), (0, 0, 0, 0))
    shade = Image.new("L", (box, box), 0)
    shade.paste(circle(diameter), (start, start + round(diameter * 0.06)))
    shade = shade.filter(ImageFilter.GaussianBlur(diameter * 0.045)).point(_SHADE)
    image.putalpha(shade)
    rim = max(2, round(diameter * 0.035))
    _lay(image, circle(diameter), start, outline or ink.rim)
    inner = diameter - 2 * rim
    # Flat, since a palette would show shades in bands; a lit bevel within the rim lifts it.
    _lay(image, circle(inner), start + rim, mix(ink.body, (255, 255, 255), _LIT))
    flat = inner - 2 * max(2, round(diameter * 0.03))
    _lay(image, circle(flat), start + (diameter - flat) // 2, ink.body)
    if label and is_letter(ink.mark):
        label = f"{ink.mark[1:]}{label}"
    if label:
        letters = text_mask(label, round(diameter * (0.5 if len(label) < 2 else 0.4)), bold=True)
        # The baseline lies 1.1 sizes down and digits are 0.71 sizes high.
        middle = round(diameter * 0.5 * (1.1 - 0.357))
        place = (round((box - letters.width) / 2), box // 2 - middle)
        image.paste((*ink.ink, 255), place, letters)
    elif ink.mark == "ring":
        size = round(diameter * 0.5)
        size += (box - size) % 2
        _lay(image, ring(size, max(2.5, diameter * 0.072)), (box - size) // 2, ink.ink)
    else:
        has_letter = is_letter(ink.mark)
        sign = emblem(ink.mark, round(diameter * (0.36 if has_letter else 0.2)))
        tone = mix(ink.body, ink.ink, 1.0 if has_letter else 0.62)
        place = ((box - sign.width) // 2, (box - sign.height) // 2)
        image.paste((*tone, 255), place, sign)
    return image


@kept
def tall_stone(ink: Ink, below: tuple[Ink, ...], diameter: int, label: str = "") -> Image.Image:
    """A stone on others: those show at the lower right, and the topmost has a broad gold rim."""
    size = round(diameter * 0.96)
    step = max(3, round(diameter * 0.16 / len(below)))
    top = stone(ink, size, label)
    box = top.width + 2 * step * len(below)
    image = Image.new("RGBA", (box, box), (0, 0, 0, 0))
    for height, under in enumerate((*below, ink)):
        place = step * (2 * len(below) - 2 * height) // 2 + step * len(below) // 2
        image.alpha_composite(top if height == len(below) else stone(under, size), (place, place))
    width = round(size * 0.94)
    start = step * len(below) // 2 + (top.width - width) // 2
    gold = (200, 152, 24) if luminance(ink.body) > 0.3 else (224, 176, 40)
    layer = Image.new("RGBA", (width, width), (*gold, 255))
    layer.putalpha(ring(width, max(3.0, diameter * 0.12)))
    image.alpha_composite(layer, (start, start))
    return image


def _lay(image: Image.Image, shape: Image.Image, start: int, colour: RGB) -> None:
    layer = Image.new("RGBA", image.size, (*colour, 0))
    alpha = Image.new("L", image.size, 0)
    alpha.paste(shape, (start, start))
    layer.putalpha(alpha)
    image.alpha_composite(layer)
