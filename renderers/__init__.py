"""Pictures and words of a position, made from the public view of a game."""
