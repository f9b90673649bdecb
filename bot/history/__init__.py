"""Looking back: positions, films and records of matches, and records from elsewhere."""
