"""What players keep of matches for themselves: notes on moves, and favourites."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_NOTE = 500
"""Characters of a note."""
MOST_NOTES = 500
"""Notes of one person in one match."""
MOST_FAVOURITES = 500
"""Matches that one person can keep as favourites, of those that they see in one place."""


@dataclass(frozen=True, slots=True)
class MatchNotes:
    """What a person has kept of a match: whether it is a favourite, and notes by ply.

    Ply 0 is the start of the match.
    """

    is_favourite: bool = False
    notes: tuple[tuple[int, str], ...] = ()

    def note(self, ply: int) -> str:
        """The note on a ply, '' if there is none."""
        return dict(self.notes).get(ply, "")
