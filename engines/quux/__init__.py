"""Quux: alpha-beta search over how many moves each side's chain still needs."""

from engines.quux.engine import quux_engine

__all__ = ["quux_engine"]
