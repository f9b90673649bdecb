"""The world of the playground: what exists, who may do what, what Discord would say to it.

Nothing here knows of HTTP or websockets. The servers call the world's methods; the world tells
those who listen what has happened.
"""
