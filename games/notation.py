"""What the games share in reading what people type."""

from __future__ import annotations

_LONGEST = 200
_FULL_WIDTH = range(0xFF01, 0xFF5F)
_FOLDS = {
    **dict.fromkeys(map(ord, "‐‑‒–—―−－"), "-"),
    **{code: chr(code - 0xFEE0).lower() for code in _FULL_WIDTH if chr(code) != "－"},
    **{code: chr(code).lower() for code in range(ord("A"), ord("Z") + 1)},
}


def plain(text: str) -> str:
    """The text as simple as it can be meant: widths, dashes and case folded, trimmed.

    Full-width letters and digits, as East Asian keyboards type them, become ASCII ones; every run
    of blanks becomes one blank. Nothing else is folded: a superscript two is no 2 and the sign of
    the kelvin no k, however alike they look. A text too long to be a move comes back empty.
    """
    if len(text) > _LONGEST:
        return ""
    return " ".join(text.translate(_FOLDS).split())
