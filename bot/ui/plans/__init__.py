"""Premoves and conditional moves."""
