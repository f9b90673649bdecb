"""What players and servers choose: settings, vacation, blocks, privacy."""
