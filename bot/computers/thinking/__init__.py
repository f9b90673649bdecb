"""Computers think in processes of their own; the bot only waits for what they say."""
