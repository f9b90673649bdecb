"""Pieces of every kind, alone and in stacks; an unknown kind is drawn as a stone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PIL import Image

from games.view import BoardView, Piece, Topology
from renderers.canvas import ring, rounded_frame
from renderers.incremental.images import RGB, kept
from renderers.incremental.layer import DrawOp, Layer
from renderers.layout import Layout
from renderers.pyramids import base_of, ghost, pile, pyramid
from renderers.stones import stone, tall_stone
from renderers.themes import Ink, Theme

_STONE = {Topology.SQUARES: 0.74, Topology.OCTAGONS: 0.81, Topology.HEXAGONS: 0.8}
"""The width of a stone as a share of its cell."""
_GHOST = 0.74


@dataclass(frozen=True, slots=True)
class PieceLook:
    """The look of a piece of any owner: ink, kind, size and label."""

    ink: Ink
    kind: str
    size: int
    label: str

    @classmethod
    def of(cls, piece: Piece, inks: tuple[Ink, ...]) -> PieceLook:
        """The look of a piece."""
        return cls(inks[piece.colour], piece.kind, piece.size, piece.label)


def piece_sprite(look: PieceLook, width: int, outline: RGB | None = None) -> Image.Image:
    """A piece alone, ``width`` pixels wide, for trays and player bars."""
    if look.kind == "pyramid":
        return pyramid(look.ink, look.size, width, width >= 48, outline)
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


def draw_ghosts(
    page: Layer, view: BoardView, layout: Layout, inks: tuple[Ink, ...], theme: Theme
) -> None:
    """Draw the ghost on each empty cell."""
    for cell in view.cells:
        if cell.ghost is not None and not cell.stack:
            page.put(page.sprites(_ghost(cell.ghost, layout, inks, theme), layout)[cell.name])


def draw_cells(page: Layer, view: BoardView, layout: Layout, inks: tuple[Ink, ...]) -> None:
    """Draw the pieces on each cell.

    Where tops connect, only top pyramids count: those below are pale.
    """
    pale = view.connects
    # Cells share equal stacks: each of those is looked up once.
    notes: dict[int, Mapping[str, DrawOp]] = {}
    for cell in view.cells:
        if not cell.stack:
            continue
        on = notes.get(id(cell.stack))
        if on is None:
            sprite = _stack(cell.stack, layout, inks, pale=pale)
            on = notes[id(cell.stack)] = page.sprites(sprite, layout)
        page.put(on[cell.name])


def _stack(
    stack: tuple[Piece, ...], layout: Layout, inks: tuple[Ink, ...], *, pale: bool
) -> Image.Image:
    top = stack[-1]
    if top.kind == "pyramid":
        if len(stack) == 1:
            width = round(layout.cell * base_of(top.size))
            return pyramid(inks[top.colour], top.size, width, True, None)
        shown = tuple((inks[piece.colour], piece.size) for piece in stack)
        return pile(shown, layout.cell, pale)
    diameter = round(layout.cell * _STONE[layout.topology])
    if len(stack) == 1:
        return stone(inks[top.colour], diameter, top.label)
    below = tuple(inks[piece.colour] for piece in stack[:-1])
    return tall_stone(inks[top.colour], below, diameter, top.label)


def _ghost(piece: Piece, layout: Layout, inks: tuple[Ink, ...], theme: Theme) -> Image.Image:
    ink = inks[piece.colour]
    if piece.kind == "pyramid":
        return ghost(ink, piece.size, layout.cell, theme.cell)
    return faded(PieceLook.of(piece, inks), round(layout.cell * _GHOST), ink.body)
