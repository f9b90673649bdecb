"""Playing moves: typed, or picked from menus."""
