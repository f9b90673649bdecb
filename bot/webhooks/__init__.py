"""Results for programs: a server's own address."""
