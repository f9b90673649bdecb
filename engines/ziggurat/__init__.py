"""Ziggurat: alpha-beta search over the turns that the exits still take."""

from engines.ziggurat.engine import ziggurat_engine

__all__ = ["ziggurat_engine"]
