"""Public events and the leaderboard as a static site."""
