"""What people ask for, one method each, and what that needs of storage and of Discord."""
