"""Limits of a file from a stranger; a larger one is refused before it is played."""

LARGEST = 256 * 1024
"""The most bytes of a file."""
MOST_MOVES = 3_000
"""The most moves; only games prolonged on purpose are longer."""
