"""What a review says of a match without a mistake."""

from __future__ import annotations

import pytest

from bot.i18n import Languages
from bot.ui.computers.review_page import no_moments


@pytest.mark.parametrize(("own", "praised"), [(0, False), (1, False), (4, False), (5, True)])
def test_praise_is_for_enough_moves_of_ones_own(own: int, praised: bool) -> None:
    said = no_moments(own, Languages().known()["en"])
    assert said.startswith("No move gave much away.")
    assert ("Well played!" in said) is praised
