"""What the games share in reading what people type."""

from __future__ import annotations

import unicodedata

__all__ = ["plain"]

_LONGEST = 200
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")


def plain(text: str) -> str:
    """The text as simple as it can be meant: compatibility forms, dashes and case folded, trimmed.

    Full-width letters and digits become ASCII ones, every run of blanks becomes one blank. A text
    too long to be a move comes back empty.
    """
    if len(text) > _LONGEST:
        return ""
    folded = unicodedata.normalize("NFKC", text).translate(_DASHES).lower()
    return " ".join(folded.split())
