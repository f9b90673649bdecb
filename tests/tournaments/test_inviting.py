"""Directors' lists: how they are read, who they let in, and how they are taken back."""

from __future__ import annotations

import pytest

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.tournaments.domain.inviting import LONGEST_LIST, MOST_LINES, Line, read_list

ID = 234567890123456789
ADA = Line("Ada", None, 1, 1850)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Ada, 1, 1850", [ADA]),
        ("Ada,1850,1\n", [ADA]),
        ("Name;Seed;Rating\r\nAda;1;1850\r\n", [ADA]),
        ("1) @Ada\t1850", [ADA]),
        ('"Lovelace, Ada",,1850', [Line("Lovelace, Ada", None, None, 1850)]),
        (f"<@!{ID}>\n{ID}", [Line(f"<@!{ID}>", UserId(ID))]),
        (f"<@{ID}>, <@{ID + 1}>", [Line(f"<@{ID + each}>", UserId(ID + each)) for each in (0, 1)]),
        ("Ada\n\nada\nBen Nevis", [Line("Ada"), Line("Ben Nevis")]),
        ('"Ada', [Line("Ada")]),
    ],
)
def test_a_list_is_names_with_seeds_and_ratings(text: str, lines: list[Line]) -> None:
    assert list(read_list(text)) == lines


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "list_empty"),
        (" \n,,\n@", "list_empty"),
        ("Ada\nBen, first", "list_line"),
        ("Ada, first\nBen", "list_line"),
        ("Ada\nBen, 4001", "list_line"),
        ("\n".join(map(str, range(MOST_LINES + 1))), "list_long"),
        ("a" * (LONGEST_LIST + 1), "list_long"),
    ],
)
def test_what_is_no_list_is_refused(text: str, code: str) -> None:
    with pytest.raises(UserError) as refused:
        read_list(text)
    assert refused.value.code == code
