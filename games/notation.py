"""Reading typed moves, for all games."""

from __future__ import annotations

_LONGEST = 200
_UNSEEN = dict.fromkeys(
    [
        *map(ord, "\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff"),
        # Marks that set the direction of a text, but not those that show it backwards.
        *range(0x202A, 0x202D),
        *range(0x2066, 0x206A),
    ]
)
_FULL_WIDTH = range(0xFF01, 0xFF5F)
_FOLDS: dict[int, str | None] = {
    **_UNSEEN,
    **dict.fromkeys(map(ord, "‐‑‒–—―−－"), "-"),
    **{code: chr(code - 0xFEE0).lower() for code in _FULL_WIDTH if chr(code) != "－"},
    **{code: chr(code).lower() for code in range(ord("A"), ord("Z") + 1)},
}


def plain(text: str) -> str:
    """The text in its simplest form: widths, dashes and case folded, trimmed.

    Full-width letters and digits, as East Asian keyboards type them, become ASCII ones; every run
    of blanks becomes one blank. Characters that come along when a move is copied are left out:
    invisible ones (which keep a move on one line in messages), backticks around the text and a full
    stop behind it. Nothing else is folded: a superscript two is no 2 and a kelvin sign no k,
    however similar they look. A text too long to be a move becomes empty.
    """
    if len(text) > _LONGEST:
        return ""
    folded = " ".join(text.translate(_FOLDS).split())
    return folded.strip("`").rstrip(".。").strip("` ")
