"""The rules of the games.

Standard library only: nothing here knows about chat, pictures or clocks.
"""
