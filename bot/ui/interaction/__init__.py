"""An interaction from arrival to answer: acknowledge, look up, refuse, reply."""
