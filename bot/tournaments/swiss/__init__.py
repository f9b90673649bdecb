"""Swiss pairings in a process of their own, and tournaments on the command line."""
