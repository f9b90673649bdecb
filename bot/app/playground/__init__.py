"""The playground for a bot without a token, and an event there for newcomers."""
