"""Pythagoras: tree search for two or four by what self-play has learned."""

from engines.pythagoras.engine import pythagoras_engine

__all__ = ["pythagoras_engine"]
