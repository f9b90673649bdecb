"""Pythagoras (Kerin Schiesser): four colours of pyramids on three grids, each with its own law."""

from games.pythagoras.game import Pythagoras
from games.pythagoras.position import Move, Pin, Pit, Place, Position
from games.pythagoras.scoring import Score, scores

__all__ = ["Move", "Pin", "Pit", "Place", "Position", "Pythagoras", "Score", "scores"]
