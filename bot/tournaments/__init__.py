"""Tournaments, from the first announcement to the trophy."""
