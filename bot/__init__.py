"""Parlour's Discord side: matches, storage, notices, commands."""
