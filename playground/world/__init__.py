"""The world of the playground: its things, permissions, and Discord's refusals.

Nothing here knows about HTTP or websockets. The servers call the world's methods; the world tells
its listeners what has happened.
"""
