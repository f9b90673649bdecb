"""The turns of computers, hints and reviews as pure functions."""
