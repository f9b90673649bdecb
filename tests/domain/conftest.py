"""The sixth game is in the catalogue."""

from tests.databases import sixth_game  # noqa: F401
