"""From an offer to the first position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.domain import offer_answers, offers, play, request_rules
from bot.domain.events import Change
from bot.domain.history import verify
from bot.domain.ids import UserId, new_match_id, rematch_id
from bot.domain.match import Actor, Match, MatchStatus, Scope, Venue
from bot.domain.rating_range import RatingRange
from bot.domain.requests import RequestKind
from bot.errors import UserError
from bot.posts.deliveries import deliveries_for
from games import catalog
from games.errors import OptionError
from tests.domain.people import DAY, accepted, at, offered, started
from tests.support.kit import ANN, BOB, CYD, DAN, GUILD, PLACE, START, person
from tests.support.not_none import not_none

THREE = {"players": 3, "size": 5}


def refused(code: str, command: Callable[..., Any], *args: Any, **named: Any) -> dict[str, Any]:
    with pytest.raises(UserError) as caught:
        command(*args, **named)
    assert caught.value.code == code
    return caught.value.params


def test_an_offer_keeps_chairs_for_those_it_names_and_leaves_the_rest_open() -> None:
    match = offered(BOB, options=THREE, seat=1).match
    assert match.players == (None, ANN.user_id, None)
    assert sorted(match.invited, key=str) == [BOB.user_id, None, None]
    assert match.is_open
    assert not offered(BOB).match.is_open
    assert offered().match.is_open
    assert not started().is_open


def test_without_a_wish_lots_are_drawn_for_every_chair() -> None:
    seats = {offered(BOB, seat=None, seed=seed).match.offered_by for seed in range(20)}
    assert seats == {0, 1}
    kept = {offered(BOB, options=THREE, seed=seed).match.invited for seed in range(20)}
    assert len(kept) == 2


def test_options_are_written_out_whole() -> None:
    match = offered(options={"size": "4"}).match
    assert dict(match.options) == {"size": 4, "players": 2, "pie": "off"}


def test_who_cannot_be_invited() -> None:
    refused("invite_self", offered, ANN)
    refused("invite_twice", offered, BOB, BOB, options=THREE)
    refused("invite_bot", offered, person(5, is_bot=True))
    refused("invite_bot", offered, BOB, by=person(5, is_bot=True))
    assert refused("too_many_players", offered, BOB, CYD) == {"seats": 2}
    assert refused("no_such_seat", offered, BOB, seat=2) == {"seats": 2}
    refused("no_such_seat", offered, BOB, seat=-1)
    refused("direct_needs_people", offered, venue=Venue.DIRECT)
    refused("direct_needs_people", offered, BOB, venue=Venue.DIRECT, options=THREE)


def test_a_rating_band_is_for_a_chair_that_anybody_may_take() -> None:
    band = RatingRange(1400, 1700)
    refused("band_needs_seat", offered, BOB, band=band)
    refused("band_needs_seat", offered, BOB, CYD, options=THREE, band=band)
    assert offered(band=band).match.band == band
    open_to_others = offered(BOB, options=THREE, band=band).match
    assert open_to_others.band == band
    assert open_to_others.band_for(CYD.user_id) == band
    assert open_to_others.band_for(BOB.user_id) is None, "who is named is welcome with any rating"


def test_games_and_options_that_there_are_not() -> None:
    for more in ({"game": "ludo"}, {"options": {"size": 9}}, {"options": {"colour": "red"}}):
        with pytest.raises(OptionError):
            offered(BOB, **more)


def test_a_kept_chair_is_taken_by_the_one_it_is_kept_for() -> None:
    match = offered(BOB, options=THREE).match
    kept = match.invited.index(BOB.user_id)
    open_chair = 3 - kept
    cyd = accepted(match, CYD)
    assert cyd.event.player == open_chair
    assert cyd.match.status is MatchStatus.OFFERED
    refused("not_invited", accepted, cyd.match, DAN)
    bob = accepted(cyd.match, BOB)
    assert bob.event.player == kept
    assert bob.match.status is MatchStatus.RUNNING
    assert bob.match.state.startswith("...../")
    assert bob.match.expires_at is None


def test_who_cannot_accept() -> None:
    match = offered(BOB).match
    refused("own_offer", accepted, match, ANN)
    refused("not_invited", accepted, match, CYD)
    refused("invite_bot", accepted, match, person(5, is_bot=True))
    three = accepted(offered(options=THREE).match, BOB).match
    refused("already_seated", accepted, three, BOB)
    assert refused("offer_closed", accepted, started(), CYD) == {"status": "running"}


def test_an_offer_is_open_until_its_time_and_not_a_moment_longer() -> None:
    match = offered(BOB).match
    last = DAY.total_seconds()
    assert accepted(match, BOB, last - 0.000001).match.status is MatchStatus.RUNNING
    assert refused("offer_closed", accepted, match, BOB, last) == {"status": "expired"}
    refused("offer_closed", offer_answers.decline, match, at(last), BOB)
    refused("offer_closed", offer_answers.withdraw, match, at(last), ANN)
    assert offer_answers.expire(match, at(last - 0.000001)) is None
    change = offer_answers.expire(match, at(last))
    assert change is not None
    assert change.match.status is MatchStatus.EXPIRED
    assert change.event.user_id is None
    assert offer_answers.expire(change.match, at(last + 1)) is None
    assert offer_answers.expire(started(), at(last)) is None


def test_declining_ends_the_offer_for_everybody() -> None:
    match = offered(BOB, CYD, options=THREE).match
    refused("own_offer", offer_answers.decline, match, at(1), ANN)
    refused("not_invited", offer_answers.decline, match, at(1), DAN)
    joined = accepted(match, BOB).match
    refused("already_seated", offer_answers.decline, joined, at(1), BOB)
    after = offer_answers.decline(joined, at(1), CYD).match
    assert after.status is MatchStatus.DECLINED
    assert refused("offer_closed", accepted, after, CYD) == {"status": "declined"}


def test_withdrawing_ends_the_offer_and_leaving_frees_a_chair() -> None:
    match = offered(BOB, options=THREE).match
    refused("not_your_offer", offer_answers.withdraw, match, at(1), BOB)
    joined = accepted(match, CYD).match
    left = offer_answers.withdraw(joined, at(2), CYD)
    assert left.event.kind.value == "left"
    assert left.match.players == match.players
    assert left.match.status is MatchStatus.OFFERED
    after = offer_answers.withdraw(left.match, at(3), ANN).match
    assert after.status is MatchStatus.WITHDRAWN
    assert refused("offer_closed", offer_answers.withdraw, after, at(4), ANN) == {
        "status": "withdrawn"
    }


def test_a_manager_withdraws_an_offer_in_nobodys_name() -> None:
    match = offered(BOB, options=THREE).match
    change = offer_answers.clear(match, at(1))
    assert change.match.status is MatchStatus.WITHDRAWN
    assert (change.event.player, change.event.user_id) == (None, None)
    refused("offer_closed", offer_answers.clear, change.match, at(2))


def again(match: Match, actor: Actor) -> Change:
    return offers.rematch(
        new_match_id(Random(5)),
        at(9),
        actor,
        of=match,
        place=PLACE,
        venue=Venue.THREAD,
        expires_at=START + DAY,
    )


def test_who_cannot_have_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    over = play.resign(started(), at(5), ANN).match
    assert again(over, BOB).match.invited == (None, ANN.user_id)
    assert not again(over, BOB).match.rated
    counting = play.resign(started(rated=True, seat=None), at(5), ANN).match
    assert again(counting, BOB).match.rated
    refused("not_over", again, started(), ANN)
    refused("not_over", again, offer_answers.withdraw(offered(BOB).match, at(5), ANN).match, ANN)
    refused("not_a_player", again, over, CYD)
    erased = replace(over, players=(over.players[0], UserId(-77_000)))
    refused("player_erased", again, erased, person(not_none(over.players[0])))
    monkeypatch.delitem(catalog.GAMES, "rows")
    assert refused("game_gone", again, over, ANN) == {"game": "rows"}


def test_who_may_see_a_match() -> None:
    match = offered(BOB).match
    assert match.is_visible(Scope(GUILD))
    assert match.is_visible(Scope(None, BOB.user_id))
    assert match.is_visible(person(CYD.user_id).scope)
    assert not match.is_visible(person(CYD.user_id, guild=None).scope)
    assert not match.is_visible(Scope(None, CYD.user_id))
    assert not match.is_visible(Scope())


def test_ids_are_short_and_of_few_letters() -> None:
    ids = {new_match_id(Random(seed)) for seed in range(1000)}
    assert len(ids) == 1000
    letters = set("abcdefghijklmnopqrstuvwxyz234567")
    assert all(len(each) == 10 and set(each) <= letters for each in ids)


def test_all_who_ask_for_a_rematch_ask_for_the_same_match() -> None:
    before = new_match_id(Random(1))
    assert rematch_id(before, 0) == rematch_id(before, 0)
    others = {rematch_id(before, number) for number in range(50)}
    others |= {rematch_id(new_match_id(Random(seed)), 0) for seed in range(2, 50)}
    assert len(others) == 98
    letters = set("abcdefghijklmnopqrstuvwxyz234567")
    assert all(len(each) == 10 and set(each) <= letters for each in others)


def test_an_offer_can_exclude_takebacks_and_its_rematch_keeps_that_and_the_language() -> None:
    match = started(takebacks=False, language="de")
    refused("no_takebacks", request_rules.ask, match, at(4), ANN, RequestKind.TAKEBACK)
    request_rules.ask(match, at(4), ANN, RequestKind.DRAW)
    over = play.resign(match, at(5), ANN).match
    rematch = again(over, ANN)
    assert rematch.match.is_rematch
    assert not rematch.match.takebacks
    assert rematch.event.payload["takebacks"] == 0
    assert rematch.match.language == rematch.event.payload["language"] == "de"
    assert rematch.event.payload["rematch"] == 1
    verify(rematch.match, [rematch.event])


@pytest.mark.parametrize("reason", [None, *offer_answers.DeclineReason])
def test_a_decline_keeps_what_the_player_said(reason: offer_answers.DeclineReason | None) -> None:
    offer = offered(BOB)
    declined = offer_answers.decline(offer.match, at(2), BOB, reason=reason)
    assert declined.match.status is MatchStatus.DECLINED
    assert declined.event.payload == ({} if reason is None else {"why": reason.value})
    verify(declined.match, [offer.event, declined.event])
    told = [each.notice for each in deliveries_for(declined) if each.notice is not None]
    wanted = "declined" if reason is None else f"declined_{reason.value}"
    assert [each.value for each in told] == [wanted]
