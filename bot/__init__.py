"""Parlour's Discord side: matches, storage, notices, commands."""

__version__ = "1.0.0"
"""The only place of the version; pyproject.toml reads it from here."""
