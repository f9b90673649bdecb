"""The puzzle of the day: solved in place, in private."""
