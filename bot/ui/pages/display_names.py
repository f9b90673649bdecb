"""Names of people, made fit to be shown: short, on one line, without tricks.

A display name may be anything: 32 emoji, a right-to-left override, ``@everyone``, a heading. It is
first cleaned, then cut, and escaped last. All three are linear in the length of the text, which
the library's own escaper is not.
"""

from __future__ import annotations

import re
import unicodedata

from bot.domain.ids import UserId
from bot.i18n import Language
from bot.i18n.sentences import nameless

LONGEST = 64
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS = frozenset({"Mn", "Me", "Mc"})
_MARKS_A_LETTER = 3
_JOINER = "\u200d"
_SPECIAL = re.compile(r"([\\*_~`|>#<@:\[\]()\-+.!])")


def clean(name: str, *, longest: int = LONGEST) -> str:
    """The name on one line without control, bidi and zero-width characters, at most so long.

    Emoji that are joined of several stay joined; a letter keeps at most three marks. An empty name
    becomes ``?``.
    """
    kept: list[str] = []
    marks = 0
    letters = 0
    for character in name[: 32 * longest]:
        category = unicodedata.category(character)
        if category in _MARKS:
            marks += 1
            if marks <= _MARKS_A_LETTER and kept:
                kept.append(character)
            continue
        if character == _JOINER and kept and unicodedata.category(kept[-1]) in {"So", "Sk", "Mn"}:
            kept.append(character)
            continue
        if character.isspace():
            character = " "  # noqa: PLW2901 - any blank is a blank
        elif category in _HIDDEN_CATEGORIES:
            continue
        if letters == longest:
            kept.append("…")
            break
        letters += 1
        marks = 0
        kept.append(character)
    return " ".join("".join(kept).split()) or "?"


def escape(name: str, *, longest: int = LONGEST) -> str:
    """The name, clean, and with everything escaped that Discord would read as formatting."""
    return _SPECIAL.sub(r"\\\1", clean(name, longest=longest))


class Unnamed:
    """Knows what nobody is called, where a filter of a server would stop a name."""

    def note(self, user_id: UserId, name: str) -> None:
        """Remember nothing."""

    async def name(self, user_id: UserId, language: Language) -> str:
        """What stands for a person without a name."""
        return language(nameless(user_id))

    def forget(self, user_id: UserId) -> None:
        """Nothing was remembered."""
