"""The bot's REST API: a table of routes, and the front that guards it."""
