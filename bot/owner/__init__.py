"""What the owner of the application can do in Discord."""
