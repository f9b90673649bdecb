"""Tournaments inside transactions: read, written, and as rows."""
