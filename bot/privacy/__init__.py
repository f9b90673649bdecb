"""All data about one person: exporting it, and erasing it."""
