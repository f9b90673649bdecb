"""Quux: alpha-beta search over the moves that each side's chain still needs."""

from engines.quux.engine import quux_engine

__all__ = ["quux_engine"]
