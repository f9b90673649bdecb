"""People's names, cleaned for drawing and reading out.

A name may hold anything: 32,000 characters, newlines, marks piled on marks, letters that change the
direction of the text. At most 32 graphemes of it are drawn or read out, on one line.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

LONGEST = 32
"""The most graphemes of a name that are ever drawn."""

_LOOKED_AT = 400
_MARKS_A_LETTER = 2
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PICTURES = (
    (0x1F000, 0x1FAFF),
    (0x2600, 0x27BF),
    (0x2B00, 0x2BFF),
    (0xFE00, 0xFE0F),
    (0x20D0, 0x20FF),
    (0xE0000, 0xE0FFF),
    (0xFFF0, 0xFFFF),
)


@lru_cache(maxsize=1024)
def clean_name(name: str) -> str:
    """The name in NFKC form without controls, direction marks and emoji; may be empty.

    Runs of white space become one blank, marks beyond two on a letter go, and after 32 graphemes,
    or the last whole word before, an ellipsis stands for the rest. It takes 0.04 ms, for the
    longest 0.6 ms, and a picture asks for each name several times.
    """
    spaced = "".join(" " if char.isspace() else char for char in name[: 4 * _LOOKED_AT])
    kept: list[str] = []
    marks = graphemes = 0
    rest = " " if len(name) > 4 * _LOOKED_AT else ""
    for char in unicodedata.normalize("NFKC", spaced)[: 4 * _LOOKED_AT]:
        category = unicodedata.category(char)
        if char.isspace():
            if not kept or kept[-1] == " ":
                continue
            char = " "  # noqa: PLW2901
        elif category in _DROPPED or _is_picture(char):
            continue
        elif category in ("Mn", "Me", "Mc"):
            marks += 1
            if not kept or marks > _MARKS_A_LETTER:
                continue
            kept.append(char)
            continue
        if graphemes == LONGEST:
            rest = char
            break
        kept.append(char)
        graphemes, marks = graphemes + 1, 0
    text = "".join(kept).strip()
    return shortened(text + rest, len(text)) if rest and text else text


def shortened(text: str, length: int) -> str:
    """The first letters and an ellipsis; whole words, if those are a third of the letters."""
    while 0 < length < len(text) and unicodedata.combining(text[length]):
        length -= 1
    kept = text[:length]
    words = kept.rpartition(" ")[0]
    if length < len(text) and not text[length].isspace() and 3 * len(words) >= length:
        kept = words
    return kept.rstrip(" ,;:·–(") + "…"


def isolated(text: str) -> str:
    """The text, which may run from right to left, without effect on the text beside it."""
    if any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in text):
        return f"\u2068{text}\u2069"
    return text


def columns(text: str) -> int:
    """The columns of letters of equal width that a text takes; those of East Asia take two."""
    return sum(
        2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
        if unicodedata.category(char) not in ("Mn", "Me", "Cf")
    )


def in_columns(text: str, room: int) -> str:
    """The text in exactly ``room`` columns: cut, with an ellipsis, or filled up with blanks."""
    if columns(text) > room:
        while text and columns(text) > room - 1:
            text = text[:-1]
        text = text.rstrip() + "…" if room else ""
        text += "\u2069" if "\u2068" in text else ""
    return text + " " * (room - columns(text))


def _is_picture(char: str) -> bool:
    return any(first <= ord(char) <= last for first, last in _PICTURES)
