"""Decisions of features on a change, without any storage."""

from __future__ import annotations

from typing import Any

from bot.domain import play
from bot.domain.events import Change
from bot.domain.hosted import substitute
from bot.domain.match import Place
from bot.lobby.store import lobby_of
from bot.posts.deliveries import deliveries_for, reminders_after
from bot.posts.notices import NoticeKind
from bot.posts.sending import DeliveryKind
from tests.domain.people import accepted, at, offered, started
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
    assert lobby_of(change) is None


def test_a_substitute_who_waits_for_the_other_is_seen_on_a_new_board() -> None:
    board, told, *_ = sent(substitute(started(), at(3), 1, CYD.user_id, past=()))
    assert (board[0], told[1:]) == (DeliveryKind.BOARD, (1, NoticeKind.STARTED))


def test_an_open_offer_is_shown_in_the_lobby() -> None:
    assert lobby_of(offered(BOB)) is None
    assert lobby_of(offered()) == lobby_of(accepted(offered().match, CYD)) == GUILD
    assert lobby_of(offered(place=Place(None, offered().match.origin.channel_id))) is None
