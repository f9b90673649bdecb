"""Pythagoras: tree search for four by playouts that like points."""

from engines.pythagoras.engine import pythagoras_engine

__all__ = ["pythagoras_engine"]
