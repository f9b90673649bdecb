"""Pictures of boards and names of people: what a message shows besides words."""
