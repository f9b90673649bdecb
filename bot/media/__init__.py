"""Pictures of boards and names of people, for messages."""
