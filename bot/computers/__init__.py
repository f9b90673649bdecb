"""Computer opponents: they play, give hints, and review matches."""
