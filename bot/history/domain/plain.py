"""Decoding bytes into text that a record may hold, and cleaning text for one."""

from __future__ import annotations

import unicodedata

from bot.errors import UserError

LARGEST = 256 * 1024
"""The most bytes of a file from a stranger; a larger one is refused before it is read."""
_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LAYOUT = frozenset("\n\t")
_NEVER = frozenset({"Cc", "Cs"})


def plain_text(data: bytes) -> str:
    """The text of a file, its lines ending in line feeds.

    Raises :exc:`~bot.errors.UserError` for a file that is too large, empty, not UTF-8, or has
    control characters.
    """
    if len(data) > LARGEST:
        raise UserError("record_too_large", limit=LARGEST // 1024)
    if data.startswith(_MARKS):
        raise UserError("record_encoding", line=1)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError("record_encoding", line=line) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise UserError("record_empty")
    for number, words in enumerate(text.split("\n"), 1):
        check_text(words, number)
    return text


def check_text(text: str, line: int) -> None:
    """Refuse control characters and unpaired surrogates."""
    if text.isprintable():
        return
    for character in text:
        if unicodedata.category(character) in _NEVER and character not in _LAYOUT:
            code = f"U+{ord(character):04X}"
            raise UserError("record_character", line=line, character=code)


def printable(text: str) -> str:
    """The text on one line, without the characters that :func:`check_text` refuses."""
    return "".join(
        " " if unicodedata.category(character) in _NEVER else character for character in text
    ).strip()
