"""What people ask for: one method each, with the doors to storage and Discord that they need."""
