"""Computer opponents: searches for every game, and the special knowledge of each game.

:func:`engines.catalog.engine_for` gives the engine of a game under its options.
"""
