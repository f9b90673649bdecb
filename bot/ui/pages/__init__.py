"""The parts of messages: components, custom ids, words, clocks, boards."""
