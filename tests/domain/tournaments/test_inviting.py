"""Directors' lists: how they are read, who they let in, and how they are taken back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.domain.ids import UserId
from bot.domain.tournaments import inviting, registration, undoing
from bot.domain.tournaments.inviting import LONGEST_LIST, MOST_LINES, Guest, Line, read_list
from bot.domain.tournaments.setup import FormatKey
from bot.domain.tournaments.tournament import TournamentStatus
from bot.errors import UserError
from tests.domain.tournaments.events_made import Event, a_setup

ID = 234567890123456789
ADA = Line("Ada", None, 1, 1850)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Ada, 1, 1850", [ADA]),
        ("Ada,1850,1\n", [ADA]),
        ("Name;Seed;Rating\r\nAda;1;1850\r\n", [ADA]),
        ("1) @Ada\t1850", [ADA]),
        ('"Lovelace, Ada",,1850', [Line("Lovelace, Ada", None, None, 1850)]),
        (f"<@!{ID}>\n{ID}", [Line(f"<@!{ID}>", UserId(ID))]),
        (f"<@{ID}>, <@{ID + 1}>", [Line(f"<@{ID + each}>", UserId(ID + each)) for each in (0, 1)]),
        ("Ada\n\nada\nBen Nevis", [Line("Ada"), Line("Ben Nevis")]),
        ('"Ada', [Line("Ada")]),
    ],
)
def test_a_list_is_names_with_seeds_and_ratings(text: str, lines: list[Line]) -> None:
    assert list(read_list(text)) == lines


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "list_empty"),
        (" \n,,\n@", "list_empty"),
        ("Ada\nBen, first", "list_line"),
        ("Ada, first\nBen", "list_line"),
        ("Ada\nBen, 4001", "list_line"),
        ("\n".join(map(str, range(MOST_LINES + 1))), "list_long"),
        ("a" * (LONGEST_LIST + 1), "list_long"),
    ],
)
def test_what_is_no_list_is_refused(text: str, code: str) -> None:
    with pytest.raises(UserError) as refused:
        read_list(text)
    assert refused.value.code == code


def test_who_is_listed_joins_though_others_cannot_and_is_seeded_as_the_list_says() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3, rating_from=1000))
    event.enter(1, 2, ratings=(1500, 1600))
    guests = [Guest(UserId(1), 2), Guest(UserId(3), 1), Guest(UserId(4), None, 1700)]
    event.do(inviting.invite, guests, by=9)
    event.do(registration.close)
    with pytest.raises(UserError, match="registration_closed"):
        registration.enter(event.t, event.act(5), UserId(5), rating=2000)
    event.enter(4, 3, ratings=(1200, None))
    assert event.t.unanswered == ()
    people = [event.t.entrants[number - 1].user_id for number in event.t.seeding]
    assert people == [3, 1, 4, 2], "seeds first, then by the ratings of the list"
    event.draw()
    with pytest.raises(UserError, match="registration_closed"):
        inviting.invite(event.t, event.act(9), [Guest(UserId(6))])


def test_a_list_is_taken_back_for_those_who_have_not_joined_by_it() -> None:
    event = Event(a_setup(FormatKey.KNOCKOUT))
    event.enter(1, 2)
    event.at += timedelta(seconds=1)
    guests = [Guest(UserId(each), 5 - each) for each in (2, 3, 4)]
    first, *_ = event.do(inviting.invite, guests, by=9)
    event.at += timedelta(seconds=1)
    event.enter(3)
    undone, *_ = event.do(undoing.undo, event.events, first.event.seq, by=9)
    with pytest.raises(UserError, match="cannot_undo"):
        undoing.undo(event.t, event.act(9), event.events, undone.event.seq)
    assert [each.user_id for each in event.t.invited] == [3]
    assert [each.seed for each in event.t.entrants] == [None, None, 2], "of the list, too"


def test_who_has_not_checked_in_is_out_before_the_first_round() -> None:
    event = Event(a_setup(FormatKey.ROUND_ROBIN, check_in=timedelta(hours=1)))
    event.enter(1, 2, 3)
    with pytest.raises(UserError, match="check_in_closed"):
        registration.check_in(event.t, event.act(1), 1)
    event.at = event.t.begins - timedelta(minutes=30)
    event.do(registration.check_in, 1, by=1)
    event.enter(4)
    event.do(registration.close)
    event.at = event.t.begins
    event.draw()
    assert event.t.status is TournamentStatus.RUNNING
    assert [each.user_id for each in event.t.active] == [1, 4], "who entered meanwhile is there"
    assert not any({2, 3} & {*each.game.players} for each in event.t.games.values())
