"""Discord: commands, controls and messages. Decides nothing about a game or a match."""
