"""A package, lest another ``tests`` that something brought along be found first."""
