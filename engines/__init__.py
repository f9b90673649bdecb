"""Computer opponents: searches that every game shares, and what each game knows by itself.

:func:`engines.catalog.engine_for` gives the engine of a game under its options.
"""
