"""Drawing without jagged edges.

Theory
    Pillow draws shapes without anti-aliasing. A shape is therefore drawn once, four times too
    large, as a *mask* (mode ``L``) and boxed down; masks are cached
    (:mod:`renderers.incremental.images`) and added to the page in any colour. A shape of more than
    one colour is a *sprite* (mode ``RGBA``) made in the same way. A page is composed in RGB, so
    that anything may lie over anything, and is reduced to its theme's stored palette at the very
    end: a palette PNG skips the row filters and has a third of the bytes, on which an RGB page
    spends nearly all of its time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw

from renderers.incremental.images import RGB, kept

Point = tuple[float, float]

SHARP = 4
"""How many times larger than needed a shape is drawn before it is boxed down."""


def mix(a: RGB, b: RGB, share: float) -> RGB:
    """``a`` with a ``share`` from 0 to 1 of ``b`` in it."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue


def mask(width: int, height: int, paint: Callable[[ImageDraw.ImageDraw], None]) -> Image.Image:
    """A mask of that size; ``paint`` draws it in coordinates ``SHARP`` times larger."""
    image = Image.new("L", (width * SHARP, height * SHARP), 0)
    paint(ImageDraw.Draw(image))
    return image.reduce(SHARP)


@kept
def polygon(width: int, height: int, points: tuple[Point, ...]) -> Image.Image:
    """A filled polygon in a box of that size, corners in pixels of the box."""
    large = [(x * SHARP, y * SHARP) for x, y in points]
    return mask(width, height, lambda draw: draw.polygon(large, fill=255))


@kept
def circle(diameter: int) -> Image.Image:
    """A disc that fills its box."""
    edge = diameter * SHARP - 1
    return mask(diameter, diameter, lambda draw: draw.ellipse((0, 0, edge, edge), fill=255))


@kept
def ring(diameter: int, stroke: float) -> Image.Image:
    """A circle line inside its box."""
    edge, width = diameter * SHARP - 1, round(stroke * SHARP)
    return mask(
        diameter,
        diameter,
        lambda draw: draw.ellipse((0, 0, edge, edge), outline=255, width=width),
    )


def diamond(size: int) -> Image.Image:
    """A square on its corner that fills its box."""
    half = size / 2
    return polygon(size, size, ((half, 0), (size, half), (half, size), (0, half)))


@kept
def rounded(width: int, height: int, radius: int) -> Image.Image:
    """A filled rectangle with round corners."""
    box = (0, 0, width * SHARP - 1, height * SHARP - 1)
    return mask(width, height, lambda draw: draw.rounded_rectangle(box, radius * SHARP, fill=255))


@kept
def rounded_frame(width: int, height: int, radius: int, stroke: int) -> Image.Image:
    """The outline of a rectangle with round corners, inside its box."""
    box = (0, 0, width * SHARP - 1, height * SHARP - 1)
    return mask(
        width,
        height,
        lambda draw: draw.rounded_rectangle(box, radius * SHARP, outline=255, width=stroke * SHARP),
    )


def line(width: int, height: int, ends: tuple[Point, Point], stroke: float) -> Image.Image:
    """A straight stroke with square ends in a box of that size."""
    (ax, ay), (bx, by) = ends
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    nx, ny = (ay - by) / length * stroke / 2, (bx - ax) / length * stroke / 2
    corners = ((ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny))
    return polygon(width, height, corners)


class Page:
    """An RGB image to add masks and sprites to."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image

    @classmethod
    def blank(cls, width: int, height: int, colour: RGB) -> Page:
        """A page of one colour."""
        return cls(Image.new("RGB", (width, height), colour))

    def fill(self, box: tuple[int, int, int, int], colour: RGB) -> None:
        """Fill a rectangle: left, top, right, bottom, the last two excluded."""
        self.image.paste(colour, box)

    def panel(self, box: tuple[int, int, int, int], radius: int, colour: RGB) -> None:
        """Fill a rectangle with round corners of any size, without a mask of that size."""
        left, top, right, bottom = box
        corner = circle(2 * radius)
        for x in (left, right - 2 * radius):
            for y in (top, bottom - 2 * radius):
                self.stamp(corner, x, y, colour)
        self.fill((left + radius, top, right - radius, bottom), colour)
        self.fill((left, top + radius, right, bottom - radius), colour)

    def stamp(self, shape: Image.Image, left: float, top: float, colour: RGB) -> None:
        """Add a mask in one colour, its corner at (``left``, ``top``)."""
        self.image.paste(colour, (round(left), round(top)), shape)

    def centred(self, shape: Image.Image, x: float, y: float, colour: RGB) -> None:
        """Add a mask in one colour, its middle at (``x``, ``y``)."""
        self.stamp(shape, x - shape.width / 2, y - shape.height / 2, colour)

    def sprite(self, image: Image.Image, x: float, y: float) -> None:
        """Add a sprite, its middle at (``x``, ``y``)."""
        place = (round(x - image.width / 2), round(y - image.height / 2))
        self.image.paste(image, place, image)


def palette_image(colours: Sequence[RGB]) -> Image.Image:
    """An image that carries a palette, for :meth:`PIL.Image.Image.quantize`."""
    image = Image.new("P", (1, 1))
    image.putpalette([channel for colour in colours for channel in colour])
    return image
