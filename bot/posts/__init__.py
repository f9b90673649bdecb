"""What is to be sent to Discord: rows of the outbox, and which of them follow from a change."""
