"""Everything about one person: reading it out, and erasing it."""
