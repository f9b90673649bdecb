"""A month of correspondence under a virtual clock, and an observer who judges it."""
