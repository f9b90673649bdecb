"""Messages to Discord: rows of the outbox, and those of them that follow from a change."""
