"""Stored choices of people and servers, read back from any text."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.ids import ChannelId, RoleId, UserId
from bot.domain.preferences import (
    MOST_CHANNELS,
    MOST_KEPT_OUT,
    MOST_REMINDERS,
    NoticeWay,
    Preferences,
    ServerSettings,
    SideUp,
    explained,
    read_reminders,
)
from bot.domain.preferences_text import difference, read_settings, written
from bot.domain.quiet_hours import QuietHours
from bot.errors import UserError

ALL = Preferences(
    theme="light",
    language="pt-BR",
    way=NoticeWay.DIGEST,
    direct_refused=datetime(2026, 3, 1, 12, 30, tzinfo=UTC),
    reminders=(48, 6, 1),
    quiet=QuietHours(22, 7),
    zone="Europe/Berlin",
    digest_hour=0,
    locale="fr",
    previews=11,
    explained=("pux.riders",),
)
SERVER = ServerSettings(
    channels=(ChannelId(5), ChannelId(2**63 - 1)),
    offerers=RoleId(6),
    threads=False,
    language="de",
    theme="contrast",
    game="quax",
    clock="7d+1d max 14d",
    running=0,
    threads_an_hour=30,
    players=RoleId(7),
    arrangers=RoleId(8),
    seekers=RoleId(9),
    kept_out=(UserId(3), UserId(2**63 - 1)),
    options=(("pux", (("size", "7"),)), ("quax", (("pie", "off"), ("size", "9")))),
    stakes="hints",
    side="2",
    takebacks=False,
    band="±150",
    lasts="6h",
)


def test_only_what_differs_from_the_default_is_kept() -> None:
    assert json.loads(written(Preferences())) == {"form": 1}
    assert json.loads(written(Preferences(theme="light"))) == {"form": 1, "theme": "light"}
    assert json.loads(written(ServerSettings(threads=False))) == {"form": 1, "threads": False}


def test_settings_of_a_newer_release_stay_when_another_is_changed() -> None:
    newer = '{"form":1,"mood":"well","theme":"forest","digest_hour":7,"letters":true}'
    chosen = replace(read_settings(Preferences, newer), letters=False, zone="Asia/Tokyo")
    assert json.loads(written(chosen, newer)) == {
        "form": 1,
        "mood": "well",
        "theme": "forest",
        "digest_hour": 7,
        "zone": "Asia/Tokyo",
    }


def test_an_explanation_is_remembered_once() -> None:
    assert explained("pux.riders", ALL) == ALL
    assert explained("pux.undo", ALL).explained == ("pux.riders", "pux.undo")


def test_quiet_hours_are_those_of_the_persons_own_zone() -> None:
    night = datetime(2026, 3, 1, 21, 30, tzinfo=UTC)
    assert ALL.quiet_until(night) == datetime(2026, 3, 2, 6, tzinfo=UTC)
    assert ALL.quiet_until(night.replace(hour=20)) is None
    assert Preferences().quiet_until(night) is None


def test_what_is_kept_is_read_back() -> None:
    assert read_settings(Preferences, written(ALL)) == ALL
    assert read_settings(ServerSettings, written(SERVER)) == SERVER
    assert read_settings(Preferences, written(Preferences(reminders=()))).reminders == ()
    older = '{"form":1,"turned":true}'
    assert read_settings(Preferences, older).turned is SideUp.MINE


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "../../etc/passwd"),
        ("theme", 7),
        ("language", "../de"),
        ("language", "x" * 50),
        ("way", "telephone"),
        ("way", ["mention"]),
        ("direct_refused", -5),
        ("direct_refused", 10**30),
        ("direct_refused", True),
        ("reminders", "12"),
        ("reminders", None),
        ("quiet", [22]),
        ("quiet", [22, 22]),
        ("quiet", [-1, 7]),
        ("quiet", [22, 24]),
        ("quiet", [22.0, 7]),
        ("quiet", {"begin": 22, "end": 7}),
        ("zone", "Europe/../../etc/passwd"),
        ("zone", "UTC+99"),
        ("zone", ""),
        ("zone", "europe/berlin"),
        ("zone", "A" * 5000),
        ("digest_hour", 24),
        ("digest_hour", -1),
        ("digest_hour", True),
        ("previews", 12),
        ("explained", "pux.riders"),
    ],
)
def test_an_entry_that_cannot_be_meant_is_the_default(name: str, value: Any) -> None:
    entries = {**json.loads(written(ALL)), name: value}
    found = read_settings(Preferences, json.dumps(entries))
    assert getattr(found, name) == getattr(Preferences(), name)
    others = {key for key in difference(found, ALL) if key != name}
    assert not others


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("channels", 5),
        ("offerers", -1),
        ("offerers", 2**63),
        ("threads", 1),
        ("threads", "no"),
        ("language", "deutsch/../"),
        ("game", "../quax"),
        ("clock", "3 days"),
        ("clock", "10^9d/move"),
        ("clock", 3),
        ("running", -1),
        ("running", 10**20),
        ("threads_an_hour", 2.5),
        ("players", "all"),
        ("kept_out", 3),
        ("options", {"quax": "size 7"}),
        ("options", [["quax"]]),
        ("options", [["../quax", [["size", "7"]]]]),
        ("options", [["quax", [["size", "7 *"]]]]),
        ("stakes", "money"),
        ("side", "0"),
        ("takebacks", 0),
        ("band", 150),
        ("band", "about 1500"),
        ("lasts", 6),
        ("lasts", "1m"),
        ("lasts", "6 hours"),
    ],
)
def test_so_for_a_server(name: str, value: float | str) -> None:
    found = read_settings(ServerSettings, json.dumps({**json.loads(written(SERVER)), name: value}))
    assert getattr(found, name) == getattr(ServerSettings(), name)
    assert not {key for key in difference(found, SERVER) if key != name}


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"form":2,"theme":"light"}', "[" * 5000, "x" * 100_000, "1e999"],
)
def test_a_text_that_is_none_of_ours_means_nothing_was_chosen(text: str) -> None:
    assert read_settings(Preferences, text) == Preferences()
    assert read_settings(ServerSettings, text) == ServerSettings()


_atoms = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(alphabet="ab/.-EUTC+9", max_size=8),
)
_values = st.one_of(
    _atoms, st.lists(_atoms, max_size=4), st.dictionaries(st.sampled_from("ab"), _atoms)
)


@given(
    st.dictionaries(
        st.sampled_from([*(f for f in Preferences.__slots__), *ServerSettings.__slots__]), _values
    )
)
def test_nothing_that_may_stand_there_raises_or_breaks_a_bound(entries: Any) -> None:
    text = json.dumps({"form": 1, **entries})
    person, server = read_settings(Preferences, text), read_settings(ServerSettings, text)
    assert len(person.reminders) <= MOST_REMINDERS
    assert len(server.channels) <= MOST_CHANNELS
    assert read_settings(Preferences, written(person)) == person
    assert read_settings(ServerSettings, written(server)) == server


def test_no_list_grows_without_end() -> None:
    numbers = [*range(1, 500)]
    entries = {"reminders": [1, 2, 3, 6, 12, 24], "channels": numbers, "kept_out": numbers}
    text = json.dumps({"form": 1, **entries})
    assert read_settings(Preferences, text).reminders == (24, 12, 6, 3)
    server = read_settings(ServerSettings, text)
    assert (len(server.channels), len(server.kept_out)) == (MOST_CHANNELS, MOST_KEPT_OUT)


def test_who_lets_no_direct_message_through_is_mentioned() -> None:
    refused = datetime(2026, 1, 1, tzinfo=UTC)
    for way in (NoticeWay.DIRECT, NoticeWay.DIGEST):
        assert Preferences(way=way).present_way is way
        assert Preferences(way=way, direct_refused=refused).present_way is NoticeWay.MENTION
    still = Preferences(way=NoticeWay.NOTHING, direct_refused=refused)
    assert still.present_way is NoticeWay.NOTHING


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("", ()),
        ("12", (12,)),
        ("2d, 12h, 5", (48, 12, 5)),
        ("1 day 3 hours; 27h", (27,)),
        ("２４ｈ", (24,)),
        ("30d", (720,)),
    ],
)
def test_reminders_come_at_the_hours_that_a_player_names(text: str, hours: tuple[int, ...]) -> None:
    assert read_reminders(text) == hours
    chosen = replace(Preferences(), reminders=hours)
    assert read_settings(Preferences, written(chosen)) == chosen


@pytest.mark.parametrize("text", ["soon", "90m", "0", "31d", "1h2", "12h,,x", "9" * 40])
def test_hours_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(UserError) as caught:
        read_reminders(text)
    assert caught.value.code == "reminders_unclear"
    with pytest.raises(UserError) as caught:
        read_reminders("1,2,3,4,5")
    assert caught.value.code == "reminders_many"
