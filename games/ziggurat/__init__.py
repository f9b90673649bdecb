"""Ziggurat (Derek Hohls): bring one Queen, one Drone and one Worker off the far side."""

from games.ziggurat.board import Exit, Move, Pass, Reinforce, Travel
from games.ziggurat.game import Ziggurat
from games.ziggurat.position import Position

__all__ = ["Exit", "Move", "Pass", "Position", "Reinforce", "Travel", "Ziggurat"]
