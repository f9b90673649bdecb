"""Matches looked back on: their records, positions and films, and records that people bring along."""
