"""Decisions of features on a change, without any storage."""

from __future__ import annotations

from typing import Any

from bot.domain import play
from bot.domain.computers import computer
from bot.domain.events import Change
from bot.domain.hosted import substitute
from bot.domain.ids import UserId
from bot.domain.match import Actor, Place
from bot.lobby.store import lobby_of
from bot.posts.deliveries import deliveries_for, reminders_after
from bot.posts.notices import NoticeKind
from bot.posts.sending import DeliveryKind
from bot.store.pairing import tallies_of
from bot.store.ratings import rated
from bot.store.records import TallyChange, TallyKind
from tests.domain.people import accepted, at, offered, played, started
from tests.support.kit import ANN, BOB, CYD, GUILD


def sent(change: Change) -> list[tuple[Any, Any, Any]]:
    return [(each.kind, each.audience, each.notice) for each in deliveries_for(change)]


def test_a_move_without_anything_else_is_a_board_and_a_call() -> None:
    change = play.move(started(), at(3, 1), ANN, text="b2")
    assert sent(change) == [
        (DeliveryKind.BOARD, None, None),
        (DeliveryKind.NOTICE, 1, NoticeKind.TURN),
        (DeliveryKind.OFFER, None, None),
    ]
    assert {each.version for each in deliveries_for(change)} == {change.match.version}
    assert list(reminders_after(change)) == []
    assert tallies_of(change) == ()
    assert lobby_of(change) is None


def test_a_substitute_who_waits_for_the_other_is_seen_on_a_new_board() -> None:
    board, told, *_ = sent(substitute(started(), at(3), 1, CYD.user_id, past=()))
    assert (board[0], told[1:]) == (DeliveryKind.BOARD, (1, NoticeKind.STARTED))


def test_an_offer_by_name_counts_and_an_open_one_is_shown_in_the_lobby() -> None:
    assert tallies_of(offered(BOB)) == (TallyChange(TallyKind.OFFER, ANN.user_id, BOB.user_id),)
    assert lobby_of(offered(BOB)) is None
    assert tallies_of(offered()) == ()
    assert tallies_of(offered(Actor(computer(2), GUILD))) == (), "a computer is not pestered"
    assert lobby_of(offered()) == lobby_of(accepted(offered().match, CYD)) == GUILD
    assert lobby_of(offered(place=Place(None, offered().match.origin.channel_id))) is None


def test_an_erased_player_is_rated_under_the_id_that_the_store_tells() -> None:
    match = played(started(rated=True, seat=None, options={"size": 5}), "a1 b2 c3 d4")
    over = play.resign(match, at(9, 5), BOB).match
    found = rated(over, ((UserId(-77), None), (BOB.user_id, None)))
    assert [each.user_id for each in found] == [UserId(-77), BOB.user_id]
