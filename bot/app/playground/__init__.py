"""The playground for a bot without a token, and the event that awaits a newcomer in it."""
