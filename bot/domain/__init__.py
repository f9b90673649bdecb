"""What a match is and what may happen to it. Pure: no clock, no storage, no Discord."""
