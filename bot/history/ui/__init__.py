"""Looking back: positions, replays and records of matches."""
