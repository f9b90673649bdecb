"""What the owner of the bot does in Discord: see how it is, end it, tell all servers something."""
