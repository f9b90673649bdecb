"""The open offers of a server."""
