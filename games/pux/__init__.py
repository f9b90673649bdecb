"""Pux (João Pedro Neto): stones move as far as their company allows, and may take it along."""

from games.pux.board import Cell
from games.pux.game import Pux
from games.pux.position import Capture, Move, Pass, Position, Shift

__all__ = ["Capture", "Cell", "Move", "Pass", "Position", "Pux", "Shift"]
