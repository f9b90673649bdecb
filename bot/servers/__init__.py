"""Pages and actions of server managers."""
