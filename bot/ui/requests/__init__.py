"""Draws, takebacks, pauses and rematches."""
