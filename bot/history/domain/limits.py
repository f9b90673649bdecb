"""How much a file may hold that a stranger brings; refused before anything is played."""

LARGEST = 256 * 1024
"""How many bytes a file may have."""
MOST_MOVES = 3_000
"""How many moves; all games but a few that were prolonged on purpose are far shorter."""
