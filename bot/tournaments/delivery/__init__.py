"""Messages of tournaments, and their entries in the calendar of a server."""
