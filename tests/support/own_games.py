"""The games that Parlour itself brings, whose words, pictures and pages are its own."""

from __future__ import annotations

from games import catalog

OWN_GAMES = [key for key, kind in catalog.GAMES.items() if kind.__module__.startswith("games.")]
