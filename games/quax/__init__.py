"""Quax (Bill Taylor): join your two sides with stones, and with links across the diagonals."""

from games.quax.board import Cell, Drop, Link, Move, Swap
from games.quax.game import Quax
from games.quax.position import Pie, Position

__all__ = ["Cell", "Drop", "Link", "Move", "Pie", "Position", "Quax", "Swap"]
