"""Pages and handlers of help, lessons, rules and puzzles."""
