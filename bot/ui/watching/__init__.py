"""Watching matches of others, and following them and their players."""
