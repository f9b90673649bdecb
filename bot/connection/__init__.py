"""The connection to Discord: its gateway, sessions, and the shards of each process."""
