"""The numbers that Discord gives out."""

from __future__ import annotations

import pytest

from bot.domain.ids import is_id, read_id


@pytest.mark.parametrize("number", [1, 80351110224678912, 2**63 - 1])
def test_an_id_is_read_from_its_digits(number: int) -> None:
    assert is_id(number)
    assert read_id(str(number)) == number


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "+1", "1.0", "1 ", "x", "\u0661", "\u00b2", str(2**63), "9" * 5000]
)
def test_what_is_no_id_is_read_as_none(text: str) -> None:
    assert read_id(text) is None
