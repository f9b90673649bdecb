"""What a check has found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: whether it is well, and if not, how to mend it."""

    about: str
    is_well: bool
    words: str

    def __str__(self) -> str:
        return f"{'ok   ' if self.is_well else 'WRONG'} {self.about}: {self.words}"
