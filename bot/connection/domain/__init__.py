"""The budget of session starts, and the division of shards: pure functions."""
