"""Requests to Discord: what they carry, and what they may raise."""
