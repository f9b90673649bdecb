"""The acts that people ask for, one method each, with their needs of storage and of Discord."""
