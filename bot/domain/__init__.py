"""The rules of a match: its state and its changes. Pure: no clock, no storage, no Discord."""
