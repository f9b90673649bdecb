"""How many sessions may be begun, and the process that serves a shard: pure functions."""
