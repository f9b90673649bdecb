"""Written records are read back as the same records, for any game."""

from __future__ import annotations

import dataclasses
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain import play, stalled
from bot.domain.match import Ending, MatchStatus
from bot.errors import UserError
from bot.history.domain import (
    LARGEST,
    Conclusion,
    Person,
    read_record,
    record_of,
    write_json,
    write_text,
)
from bot.history.domain.playback import playback
from bot.history.domain.record import rounds, turns
from games import catalog
from games.api import Game, IntOption
from tests.domain.people import at, offered
from tests.history.recorded import CLOCK, Played, begun, play_at_random, random_match
from tests.sixth_game import Rows
from tests.support.kit import ANN, BOB, CYD
from tests.support.not_none import not_none

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


def _settings() -> list[tuple[str, dict[str, Any]]]:
    """Every game with each value of each option, and its presets."""
    found: list[tuple[str, dict[str, Any]]] = []
    kinds: dict[str, type[Game[Any, Any]]] = catalog.GAMES
    for key, kind in kinds.items():
        wanted: list[dict[str, Any]] = [{}, *(dict(preset.options) for preset in kind.info.presets)]
        for option in kind.info.options:
            if isinstance(option, IntOption):
                wanted += [{option.key: value} for value in option.suggested]
            else:
                wanted += [{option.key: choice.key} for choice in option.choices]
        found += [(key, each) for number, each in enumerate(wanted) if each not in wanted[:number]]
    return found


SETTINGS = _settings()
NAMES = [f"{key} {' '.join(f'{k}={v}' for k, v in each.items())}".strip() for key, each in SETTINGS]


def both_forms(record: Any) -> list[bytes]:
    return [write_text(record).encode(), write_json(record, generated=NOW).encode()]


def without_ids(record: Any) -> Any:
    people = tuple(Person(person.name) for person in record.players)
    return dataclasses.replace(record, players=people)


TEXT = {"type": "string"}
DATE = {"type": "string", "format": "date-time"}
FORM = {
    "type": "object",
    "additionalProperties": False,
    "required": ["header", "moves"],
    "properties": {
        "header": {
            "type": "object",
            "required": ["game", "site", "date-start", "date-end", "date-generated", "players"],
            "properties": {
                "game": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["name"],
                    "properties": {
                        "name": TEXT,
                        "variants": {"type": "array", "uniqueItems": True, "items": TEXT},
                    },
                },
                "site": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["name"],
                    "properties": {"name": TEXT, "gameid": {"type": ["string", "number"]}},
                },
                "date-start": DATE,
                "date-end": DATE,
                "date-generated": DATE,
                "unrated": {"type": "boolean"},
                "pied": {"type": "boolean"},
                "startingPosition": TEXT,
                "players": {
                    "type": "array",
                    "minItems": 1,
                    "uniqueItems": True,
                    "items": {
                        "type": "object",
                        "required": ["name", "result"],
                        "properties": {
                            "name": TEXT,
                            "userid": TEXT,
                            "score": {"type": "number"},
                            "result": {"type": "integer"},
                        },
                    },
                },
            },
        },
        "moves": {
            "type": "array",
            "items": {"type": "array", "items": {"type": ["null", "string"]}},
        },
    },
}
"""The fields of Abstract Play's description, as far as our records have them."""
AS_ABSTRACT_PLAY_ASKS = jsonschema_rs.validator_for(FORM, validate_formats=True)


def check_round_trip(found: Played) -> None:
    record = found.record("Ada", "Ben", "Cleo", "Dai")
    text, js = both_forms(record)
    assert 5 * max(len(text), len(js)) < LARGEST
    AS_ABSTRACT_PLAY_ASKS.validate(json.loads(js))
    made, seats = turns(record)
    for order in (seats, tuple(range(len(seats)))):
        assert [turn for row in rounds(made, order) for turn in row if turn is not None] == [*made]
    from_text = read_record(text)
    assert from_text.record == without_ids(record)
    from_json = read_record(js)
    assert from_json.record == record
    for judged in (from_text, from_json):
        assert judged.record.options == record.options
        assert judged.game.encode(judged.position) == found.match.state
    assert read_record(write_text(from_json.record).encode()).record == from_text.record


@pytest.mark.long
@pytest.mark.parametrize(("key", "options"), SETTINGS, ids=NAMES)
def test_every_match_comes_back_from_both_forms(key: str, options: dict[str, Any]) -> None:
    """Three matches of each, or as many as it takes until two have ended in different ways."""
    endings = set()
    for seed in range(20):
        found = random_match(key, options, seed)
        check_round_trip(found)
        endings.add(found.record().conclusion)
        if seed > 1 and len(endings) > 1:
            return
    pytest.fail("all end alike")


def test_the_random_matches_end_in_every_way() -> None:
    found = [random_match("rows", {"players": 3}, seed).record() for seed in range(60)]
    assert {record.conclusion for record in found} == set(Conclusion)
    kinds = {(record.conclusion, len(record.resignations)) for record in found}
    assert {(Conclusion.GAME, 1), (Conclusion.RESIGNATION, 2)} <= kinds


def rows(*acts: tuple[Any, ...], **options: Any) -> Played:
    """A match of rows in which this was done: a person and a move, or a command."""
    found = begun("rows", options)
    for who, what in acts:
        if isinstance(what, str):
            found.then(play.move, at(2), who, text=what)
        else:
            found.then(what, at(2), who)
    return found


def test_a_text_record_is_laid_out_as_the_documentation_says() -> None:
    found = rows(
        (ANN, "a1"), (BOB, "swap"), (ANN, "b2"), (BOB, "a2"), (ANN, "b1"), (BOB, "a3"), pie="on"
    )
    assert write_text(found.record('Ada "A"', "Ben \\ B")).splitlines() == [
        '[Game "Rows"]',
        '[Site "Parlour"]',
        '[Match "abcdefghij"]',
        '[Date "2026-03-01T12:00:01Z"]',
        '[EndDate "2026-03-01T12:00:02Z"]',
        '[Player1 "Ada \\"A\\""]',
        '[Player2 "Ben \\\\ B"]',
        '[Options "size=3 players=2 pie=on"]',
        '[Rules "1"]',
        '[Result "0-1"]',
        '[Termination "game"]',
        '[Reason "row"]',
        '[Moves "6"]',
        "",
        "1. a1 swap",
        "2. b2 a2",
        "3. b1 a3",
    ]
    check_round_trip(found)


def test_json_lists_players_by_their_seats_at_the_end_and_says_that_they_swapped() -> None:
    found = rows(
        (ANN, "a1"), (BOB, "swap"), (ANN, "b2"), (BOB, "a2"), (ANN, "b1"), (BOB, "a3"), pie="on"
    )
    made = json.loads(write_json(found.record("Ada", "Ben"), generated=NOW))
    assert [player["name"] for player in made["header"]["players"]] == ["Ben", "Ada"]
    assert [player["result"] for player in made["header"]["players"]] == [1, 0]
    assert made["header"]["pied"] is True
    assert made["moves"] == [[None, "a1"], ["swap", "b2"], ["a2", "b1"], ["a3", None]]


def test_no_turn_comes_after_the_end_of_a_game() -> None:
    found = rows((ANN, "a1"), (BOB, "b1"), (ANN, "a2"), (BOB, "b2"), (ANN, "a3")).record()
    with pytest.raises(ValueError, match="c1 comes after the end"):
        turns(dataclasses.replace(found, moves=(*found.moves, "c1")))


def test_json_of_a_record_that_names_nobody_and_no_match_has_no_ids() -> None:
    found = rows((ANN, "a1"), (BOB, "b1"))
    bare = dataclasses.replace(without_ids(found.record("Ada", "Ben")), match="")
    made = json.loads(write_json(bare, generated=NOW))
    assert "gameid" not in made["header"]["site"]
    assert all("userid" not in player for player in made["header"]["players"])
    assert read_record(write_json(bare, generated=NOW).encode()).record == bare


def test_moves_of_one_turn_are_joined_by_commas() -> None:
    for seed in range(20):
        found = begun("pythagoras", {}, seed=seed)
        play_at_random(found, Random(seed))
        record = found.record()
        made, _ = turns(record)
        assert [move for turn in made for move in turn.moves] == list(record.moves)
        joined = [turn for turn in made if len(turn.moves) > 1]
        if joined:
            assert joined[0].text == ",".join(joined[0].moves)
            assert f" {joined[0].text}" in write_text(record)
            check_round_trip(found)
            return
    pytest.fail("no random game has a turn of several moves")


def test_who_resigned_and_what_was_played_for_them_is_told() -> None:
    found = rows((ANN, "a1"), (CYD, play.resign), players=3, size=5, pie="off")
    text = write_text(found.record())
    assert f'[Resigned "{not_none(found.match.index_of(CYD.user_id)) + 1} after 1"]' in text
    assert '[Termination "unfinished"]' in text
    check_round_trip(found)


def test_a_running_match_is_unfinished_and_not_to_be_rated() -> None:
    found = rows((ANN, "b2"))
    made = json.loads(write_json(found.record(), generated=NOW))["header"]
    assert made["ending"] == "unfinished"
    assert made["unrated"] is True
    assert '[Result "*"]' in write_text(found.record())
    check_round_trip(found)


def test_a_match_that_the_host_aborted_in_the_middle_comes_back_from_its_record() -> None:
    """As where its player on turn could not be told for two weeks."""
    found = begun("quax", {"size": 3, "pie": "off"}, seed=1, clock=CLOCK)
    play_at_random(found, Random(1), most=4)
    assert found.match.ply > 2
    found.then(stalled.abort_untold, at(9))
    check_round_trip(found)


def test_a_record_is_stepped_through_as_it_was_played_and_ends_as_it_ended() -> None:
    moves = ((ANN, "a1"), (BOB, "b1"), (ANN, "a2"), (BOB, "b2"))
    for last, status, ending, winners, retired in (
        ((ANN, "a3"), MatchStatus.FINISHED, Ending.GAME, (0,), ()),
        ((ANN, play.resign), MatchStatus.FINISHED, Ending.RESIGNATION, (1,), (0,)),
        ((ANN, "c3"), MatchStatus.RUNNING, None, (), ()),
    ):
        found = rows(*moves, last)
        judged = read_record(write_text(found.record()).encode())
        line = playback(judged, "file")
        assert (line.match.id, line.match.status, line.match.retired) == ("file", status, retired)
        assert line.match.state == found.match.state
        assert line.plies == found.match.ply
        result = line.match.result
        assert (result and result.ending, result.winners if result else ()) == (ending, winners)
    aborted = begun("rows", {})
    aborted.then(stalled.abort, at(2), ANN)
    line = playback(read_record(write_text(aborted.record()).encode()), "file")
    assert (line.match.status, line.match.result) == (MatchStatus.ABORTED, None)


def test_an_offer_has_no_record() -> None:
    change = offered(BOB)
    with pytest.raises(UserError) as refused:
        record_of(change.match, [change.event], [Person("Ada"), Person("Ben")])
    assert refused.value.code == "not_started"


@pytest.mark.slow
@settings(max_examples=40)
@given(st.lists(st.text(max_size=300), min_size=2, max_size=2))
def test_any_names_come_back_on_one_line(names: list[str]) -> None:
    found = rows((ANN, "b2"))
    for data in both_forms(found.record(*names)):
        record = read_record(data).record
        assert record.moves == ("b2",)
        for name, given_name in zip(record.players, names, strict=True):
            assert name.name
            visible = "".join(c for c in given_name if c.isalnum())
            assert "".join(c for c in name.name if c.isalnum()) == visible


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n", "\r\n"),
        ("\n", "\r"),
        ("1. a1", "{ a comment\nover two lines } a1 ; and one to the end (of the line)\n"),
        ("2. b2", "b2"),
        ("a1 swap", "A1 SWAP"),
        ('[Game "Rows"]', '\ufeff[Game "rows"]'),
        ('[Site "Parlour"]', '[Event "a heading that nobody knows"]'),
        ('[Site "Parlour"]', '[Site "a\tb\u200dc"]'),
    ],
)
def test_a_text_record_may_be_written_in_other_ways(old: str, new: str) -> None:
    found = rows((ANN, "a1"), (BOB, "swap"), (ANN, "b2"), pie="on")
    text = write_text(found.record())
    assert old in text
    if new == "b2" or "comment" in new:
        text = text.replace("1. ", "").replace("2. ", "")
        old = old.removeprefix("1. ").removeprefix("2. ")
    judged = read_record(text.replace(old, new).encode())
    assert judged.record.moves == ("a1", "swap", "b2")


def test_json_of_others_is_read_too() -> None:
    other = {
        "header": {
            "game": {"name": "ROWS", "variants": ["pie=off"]},
            "site": {"name": "Elsewhere", "gameid": 12},
            "date-start": "2026-01-01T10:00:00.123+02:00",
            "date-end": "2026-01-01T11:00:00Z",
            "date-generated": "2026-01-01T11:00:00Z",
            "players": [{"name": "X", "result": 7}, {"name": "O", "result": 3}],
        },
        "moves": [
            ["a1", {"move": "b1", "result": "a fine move"}],
            [{"move": "a2", "sequence": 1}, {"move": "b2", "sequence": 2}],
            ["a3"],
        ],
    }
    record = read_record(json.dumps(other).encode()).record
    assert record.site == "Elsewhere"
    assert record.scores == (1.0, 0.0)
    assert record.started == datetime(2026, 1, 1, 8, tzinfo=UTC)
    assert record.moves == ("a1", "b1", "a2", "b2", "a3")


def test_the_examples_of_the_documentation_can_be_read() -> None:
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
    examples = re.findall(r"```\w*\n(.*?)```", page, re.DOTALL)
    text, js = (read_record(example.encode()).record for example in examples[:2])
    assert text == without_ids(js)
    assert text.moves == ("d4", "swap", "e5", "f7", "g3")
    written = write_text(text).splitlines()
    assert written == examples[0].splitlines()


class Scattered(Rows):
    """A game whose set-up is drawn by lot: a stone lies somewhere from the start."""

    def initial(self, rng: Random) -> Any:
        position = super().initial(rng)
        place = rng.randrange(len(position.cells))
        cells = position.cells[:place] + "x" + position.cells[place + 1 :]
        return dataclasses.replace(position, cells=cells, mover=1)


def test_a_set_up_drawn_by_lot_is_part_of_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalog.GAMES, "rows", Scattered)
    found = begun("rows", {})
    play_at_random(found, Random(2))
    check_round_trip(found)
    text = write_text(found.record())
    (setup,) = [line for line in text.splitlines() if line.startswith("[Setup")]
    for other, code in (("", "record_missing"), ('[Setup "x/y"]', "record_refused")):
        with pytest.raises(UserError) as refused:
            read_record(text.replace(setup + "\n", other + "\n" if other else "").encode())
        assert refused.value.code == code
