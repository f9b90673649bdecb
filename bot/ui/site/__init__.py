"""The static site of a host: the list of tournaments and the leaderboard, as documents."""
