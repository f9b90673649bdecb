"""Lists of matches of others: each player is named once, with what is to be said of them."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.match import Ending, Match, MatchStatus, Result
from bot.errors import UserError
from bot.i18n import Languages
from bot.ui.pages import match_text
from bot.ui.pages.refusal_text import refusal
from tests.domain.people import started
from tests.support.kit import BOB, CYD, DAN

ENGLISH = Languages().default


def _over(match: Match, *winners: int) -> Match:
    scores = tuple(float(number in winners) for number in range(len(match.players)))
    result = Result(Ending.RESIGNATION, "resignation", scores, winners)
    return replace(match, status=MatchStatus.FINISHED, result=result)


def test_all_names_but_the_last_two_stand_between_commas_in_every_language() -> None:
    match = started(BOB, CYD, DAN, game="pythagoras")
    one, two, three, _ = (f"<@{each}>" for each in match.players)
    words = {
        "en": " and ",
        "de": " und ",
        "es": " y ",
        "fr": " et ",
        "ja": "、",
        "pl": " i ",
        "pt-BR": " e ",
    }
    known = Languages().known()
    assert set(known) == set(words)
    for locale, language in known.items():
        assert f"{one}{words[locale]}{two}" in match_text.winners(_over(match, 0, 1), language)
        comma = "、" if locale == "ja" else ", "
        row = f"{one}{comma}{two}{words[locale]}{three}"
        assert row in match_text.winners(_over(match, 0, 1, 2), language)
        assert language.listed([one]) == one
        wanted = refusal(UserError("role_wanted", roles=(one, two)))
        assert f"{one}{words[locale]}{two}" in language(wanted)
    names = (f"{{{each}}}" for each in ("a", "b"))
    assert ENGLISH.listed(names) == "{a} and {b}", "a name is no pattern"
