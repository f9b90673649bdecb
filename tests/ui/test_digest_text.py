"""A digest of any number of matches fits into a message."""

from __future__ import annotations

import pytest

from bot.i18n import Languages
from bot.posts.sending import NOTICES, News
from bot.ui.pages import notice_text
from tests.domain.people import started
from tests.support.kit import ANN


@pytest.mark.parametrize("many", [0, 1, 60])
@pytest.mark.parametrize("few", [0, 1, 60])
def test_a_digest_of_everything_fits_into_a_message(many: int, few: int) -> None:
    match = started(game="quax")
    news = tuple(News(match, 1, kind) for kind in NOTICES.values())
    matches, told = (match,) * many, news * few
    said = notice_text.digest(ANN.user_id, matches, matches, told, Languages().default)
    assert len(said) <= 2000
    assert ("**Quax**" in said) is bool(many or few)
    assert ("And " in said) is (many > 5 or few > 0)
