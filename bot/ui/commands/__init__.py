"""The slash commands as Discord is told of them."""
