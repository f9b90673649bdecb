"""Boards, lists of matches and help."""
