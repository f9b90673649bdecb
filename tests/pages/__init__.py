"""Each page of the bot once, in English, as text: golden files that a reviewer reads as a diff."""
