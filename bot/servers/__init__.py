"""What people who manage a server choose, see and do."""
