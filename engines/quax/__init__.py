"""Quax: tree search that values leaves by filling many boards at once."""

from engines.quax.engine import quax_engine

__all__ = ["quax_engine"]
