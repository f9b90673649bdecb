"""What messages are made of: components, custom ids, words, clocks, boards."""
