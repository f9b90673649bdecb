"""Pux: alpha-beta search over stones, their move potential and how far they have come."""

from engines.pux.engine import pux_engine

__all__ = ["pux_engine"]
