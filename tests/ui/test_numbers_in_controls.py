"""Numbers that come back with a control: a client can send any text in their place."""

from __future__ import annotations

import pytest

from bot.errors import UserError
from bot.ui.interaction.registry import number_in


@pytest.mark.parametrize("text", ["", "-1", "+1", "1.0", "x", "\u0663", "1 ", "100", "9" * 90])
def test_what_is_no_number_within_its_bounds_is_out_of_date(text: str) -> None:
    with pytest.raises(UserError, match="out_of_date"):
        number_in(text, most=99)


def test_a_number_within_its_bounds_is_read() -> None:
    assert [number_in(text, most=99) for text in ("0", "07", "99")] == [0, 7, 99]
