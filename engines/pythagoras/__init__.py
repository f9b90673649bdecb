"""Pythagoras: tree search for two or four with values learned from self-play."""

from engines.pythagoras.engine import pythagoras_engine

__all__ = ["pythagoras_engine"]
