"""Quax: tree search whose leaves are valued by filling many boards at once."""

from engines.quax.engine import quax_engine

__all__ = ["quax_engine"]
