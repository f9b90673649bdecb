"""Tournaments: formats, standings, and the life of one event. Nothing here knows about Discord."""
