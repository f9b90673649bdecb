"""Actions of the application's owner in Discord."""
