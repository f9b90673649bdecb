"""Pux: alpha-beta search over stones, their move potential and their advance."""

from engines.pux.engine import pux_engine

__all__ = ["pux_engine"]
