"""Swiss pairings by gacrux, in a process of its own, and tournaments on the command line."""
