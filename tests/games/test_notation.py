"""Variants of typed moves that are accepted, and others that are not."""

from __future__ import annotations

import pytest

from games.notation import plain


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (" F7 ", "f7"),
        ("ｆ７", "f7"),
        ("Ｆ７－Ｇ８", "f7-g8"),
        ("b2–c3", "b2-c3"),
        ("b2-\N{WORD JOINER}c3", "b2-c3"),
        ("b2\t \u3000c3\n", "b2 c3"),
        ("b2\u00a0c3\u2060", "b2 c3"),
        ("\ufeffb2\u200b-c\u00ad3", "b2-c3"),
        ("\u2067f7\u2069\ufe0f", "f7"),
        ("`f7`", "f7"),
        ("f7.", "f7"),
        ("`F7`.", "f7"),
        ("ｆ７。", "f7"),
        ("--", "--"),
        ("x" * 201, ""),
    ],
)
def test_widths_dashes_blanks_and_case_are_forgiven(typed: str, meant: str) -> None:
    assert plain(typed) == meant


@pytest.mark.parametrize("lookalike", ["a²", "\u212a4", "а4", "a٣", "ａ\u0301", "a①", "ℓ4", "ıı"])
def test_what_only_looks_alike_is_left_as_it_is(lookalike: str) -> None:
    assert not plain(lookalike).isascii()
