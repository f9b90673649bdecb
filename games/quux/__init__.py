"""Quux (Michael Fogus): cover larger pyramids, and join your two sides with the tops."""

from games.quux.board import Move, Pass, Place, Shift, Swap
from games.quux.game import Quux
from games.quux.position import Position

__all__ = ["Move", "Pass", "Place", "Position", "Quux", "Shift", "Swap"]
