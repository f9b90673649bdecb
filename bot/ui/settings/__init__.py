"""The choices of players and servers: settings, vacation, blocks, privacy."""
