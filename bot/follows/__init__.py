"""Following a match, or the next matches of a player."""
