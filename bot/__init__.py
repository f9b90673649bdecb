"""Parlour's Discord side: matches, storage, notices, commands."""

__version__ = "1.0.0"
"""The one place that says it; pyproject.toml reads it from here."""
