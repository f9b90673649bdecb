"""Pieces of every kind, alone and in stacks."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from games.view import Cell, Piece
from renderers.cache import kept
from renderers.canvas import RGB, Page, ring, rounded_frame
from renderers.layout import Layout
from renderers.stones import stone
from renderers.themes import Ink

__all__ = ["PieceLook", "draw_cell", "faded", "piece_sprite"]

_STONE = 0.81


@dataclass(frozen=True, slots=True)
class PieceLook:
    """What a piece looks like, whosever it is: ink, kind, size and label."""

    ink: Ink
    kind: str
    size: int
    label: str

    @classmethod
    def of(cls, piece: Piece, inks: tuple[Ink, ...]) -> PieceLook:
        """The look of a piece."""
        return cls(inks[piece.colour], piece.kind, piece.size, piece.label)


def piece_sprite(look: PieceLook, width: int, outline: RGB | None = None) -> Image.Image:
    """A piece alone, ``width`` pixels wide, as it lies in trays and on player bars."""
    return stone(look.ink, width, look.label, outline)


@kept
def faded(look: PieceLook, width: int, tone: RGB) -> Image.Image:
    """The empty place of a piece: its outline."""
    image = Image.new("RGBA", (width, width), (*tone, 0))
    stroke = max(2.5, width * 0.05)
    if look.kind == "pyramid":
        image.putalpha(rounded_frame(width, width, max(2, width // 14), round(stroke)))
    else:
        image.putalpha(ring(width, stroke))
    return image


def draw_cell(page: Page, cell: Cell, layout: Layout, inks: tuple[Ink, ...]) -> None:
    """Draw what stands on a cell."""
    if not cell.stack:
        return
    x, y = layout.centre(cell)
    top = cell.stack[-1]
    page.sprite(stone(inks[top.colour], round(layout.cell * _STONE), top.label), x, y)
