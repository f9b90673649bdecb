"""Playing against computers: choosing one, and starting a match at once."""
