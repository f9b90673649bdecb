"""Help, lessons, rules and puzzles."""
