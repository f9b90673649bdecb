"""Looking back: positions, films and records of matches, and records that people bring along."""
