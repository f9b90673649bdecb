"""Engines run in processes of their own; the bot only waits for their answers."""
