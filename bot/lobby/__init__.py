"""The lobby: one message in a server that lists its open offers, and pings for new ones."""
