"""Lobbies and the page of an offer fit into a message, in every language and at their fullest."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bot.domain.clock_text import read_clock
from bot.domain.events import CommandContext
from bot.domain.ids import ChannelId, GuildId, UserId, new_match_id
from bot.domain.match import Actor, Match, Place, Venue
from bot.domain.offers import offer
from bot.domain.rating_range import RatingRange
from bot.domain.ratings.glicko import GLICKO
from bot.domain.ratings.rated import RatingRecord
from bot.i18n import Languages
from bot.lobby.services import OpenOffer
from bot.lobby.ui import ON_PAGE, is_lobby, lobby_page, offers_page
from bot.store.records import PlayerRating
from bot.ui.offers.draft import OfferDefaults, OfferDraft
from bot.ui.offers.setup_page import setup_page
from bot.ui.pages.components import text
from bot.ui.pages.display_names import NameBook
from bot.ui.pages.reader import Reader
from games import catalog
from tests.tournaments.views import check, parts_of

NOW = datetime(2026, 3, 1, tzinfo=UTC)
LANGUAGES = Languages()
PLACE = Place(GuildId(1 << 60), ChannelId(1 << 60))


class _Drawn:
    """Pictures that cost nothing."""

    async def picture(self, view: object, style: object) -> Any:
        return SimpleNamespace(png=b"png", alt_text="x" * 1024)


def _seek(game: str) -> OpenOffer:
    """The longest that an offer can be."""
    rng = Random(1)
    match: Match = offer(
        new_match_id(rng),
        CommandContext(NOW),
        Actor(UserId((1 << 60) - 1)),
        game=game,
        options={},
        opponents=(),
        seat=None,
        place=PLACE,
        venue=Venue.THREAD,
        expires_at=NOW + timedelta(days=30),
        rng=rng,
        rated=True,
        clock=read_clock("13d23h59m+1d23h59m59s max 300d23h59m, weekends off"),
        band=RatingRange(1400, 1700),
    ).match
    record = RatingRecord(GLICKO.newcomer)
    return OpenOffer(match, PlayerRating(UserId(1), game, 1500, True, record))


@pytest.mark.parametrize("locale", sorted(LANGUAGES.known()))
@pytest.mark.parametrize("game", sorted(catalog.GAMES))
def test_the_fullest_lobby_fits_and_says_when_each_offer_lapses(locale: str, game: str) -> None:
    language = LANGUAGES.known()[locale]
    seek = _seek(game)
    open_offers = [OpenOffer(_renamed(seek.match, n), seek.rating) for n in range(ON_PAGE)]
    page = lobby_page(open_offers, 192, language, has_role=True)
    check(page)
    assert is_lobby(page.components)
    said = [part.get("content", "") for part in parts_of(page)]
    lapses = f"<t:{int((NOW + timedelta(days=30)).timestamp())}:R>"
    assert sum(lapses in each for each in said) == ON_PAGE
    assert sum("1400–1700" in each for each in said) == ON_PAGE
    reply = offers_page(open_offers, 1, 2, UserId(1), language)
    check(reply.page)


def _renamed(match: Match, number: int) -> Match:
    return replace(match, id=new_match_id(Random(number)))


@pytest.mark.parametrize("locale", sorted(LANGUAGES.known()))
@pytest.mark.parametrize("game", sorted(catalog.GAMES))
async def test_the_fullest_page_of_an_offer_fits(locale: str, game: str) -> None:
    house = OfferDefaults(read_clock("3d"), timedelta(hours=37), 1512, tuple(LANGUAGES.known()))
    draft = OfferDraft(
        game,
        clock=read_clock("9d+1d"),
        band=RatingRange(1, 4000),
        lasts=timedelta(hours=36),
        more=True,
        house=house,
    )
    reader = Reader(_Drawn(), NameBook(), LANGUAGES.known()[locale])  # type: ignore[arg-type]
    reply = await setup_page(draft, reader, refused="x" * 300)
    assert reply.page is not None
    check(reply.page)
    for part in parts_of(reply.page):
        for option in part.get("options") or ():
            assert len(option["label"]) <= 100
            assert len(option.get("description") or "") <= 100


def test_another_message_with_offers_is_not_taken_for_a_lobby() -> None:
    assert not is_lobby([text("All offers")])
    assert not is_lobby([{"components": [{"custom_id": "p1:-:0:setup:"}]}, None, 7])
