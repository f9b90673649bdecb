"""Plans: moves that a player makes before the turn comes."""
