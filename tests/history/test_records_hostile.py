"""Damaged, hostile and foreign files: each is refused with its line and its reason."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain import play
from bot.errors import UserError
from bot.history.domain import LARGEST, Record, RefusedInRecord, read_record, write_json, write_text
from bot.i18n.refusals import REFUSALS
from games import catalog
from games.api import OptionValue
from games.errors import OptionError
from tests.domain.people import at
from tests.history.recorded import Played, begun, random_match
from tests.sixth_game import Rows
from tests.support.kit import ANN, BOB, person

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def won() -> Played:
    found = begun("rows", {})
    for who, move in ((ANN, "a1"), (BOB, "b1"), (ANN, "a2"), (BOB, "b2"), (ANN, "a3")):
        found.then(play.move, at(2), who, text=move)
    return found


@pytest.fixture
def text() -> str:
    return write_text(won().record("Ada", "Ben"))


@pytest.fixture
def js() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(write_json(won().record("Ada", "Ben"), generated=NOW))
    return made


def refused(data: bytes | str | dict[str, Any]) -> UserError:
    if isinstance(data, dict):
        data = json.dumps(data, indent=1)
    with pytest.raises(UserError) as caught:
        read_record(data.encode() if isinstance(data, str) else data)
    error = caught.value
    assert error.code in REFUSALS
    reason = {"reason": ""} if isinstance(error, RefusedInRecord) else {}
    said = REFUSALS[error.code].message.format(**error.params, **reason)
    assert len(said) < 500, "a refusal as long as the file"
    return error


def line_of(text: str, words: str) -> int:
    return next(n for n, line in enumerate(text.split("\n"), 1) if words in line)


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


# ---- bytes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "record_empty"),
        (b" \n\t\n", "record_empty"),
        (b"\xef\xbb\xbf", "record_empty"),
        (b"x" * (LARGEST + 1), "record_too_large"),
        ('[Game "Rows"]'.encode("utf-16"), "record_encoding"),
        ('[Game "Rows"]'.encode("utf-16-le"), "record_character"),
        ('[Game "Rows"]'.encode("utf-32"), "record_encoding"),
        (b'[Game "Rows"]\n\xff\xfe', "record_encoding"),
        (b'[Game "\xed\xa0\x80"]', "record_encoding"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "record_encoding"),
        (b"PK\x03\x04" + b"\0" * 100, "record_character"),
        (b"<svg onload='alert(1)'/>", "record_missing"),
        (b"[1, 2, 3]", "record_heading"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, code: str) -> None:
    assert refused(data).code == code


def test_ten_megabytes_are_refused_before_they_are_looked_at() -> None:
    began = time.thread_time()
    assert refused(b"[" * (10 << 20)).code == "record_too_large"
    assert time.thread_time() - began < 2


def test_a_nul_is_refused_with_its_line(text: str) -> None:
    error = refused(changed(text, "Ben", "B\0n"))
    assert error.code == "record_character"
    assert error.params == {"line": line_of(text, "Ben"), "character": "U+0000"}


def test_what_is_not_utf8_is_refused_with_its_line(text: str) -> None:
    data = text.encode().replace(b"Ben", b"B\xe9n")
    assert refused(data).params == {"line": line_of(text, "Ben")}


# ---- the text form --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('[Game "Rows"]', '[Game "Chess"]', "record_game"),
        ('[Game "Rows"]', '[Game "../../etc/passwd"]', "record_game"),
        ('[Game "Rows"]', "[Game Rows]", "record_heading"),
        ('[Game "Rows"]', '[Game "Rows"', "record_heading"),
        ('[Game "Rows"]', '[Game "Ro"ws"]', "record_heading"),
        ('[Player2 "Ben"]', '[Player1 "Ben"]', "record_twice"),
        ('[Player2 "Ben"]', '[Game "Rows"]', "record_second"),
        ('[Player2 "Ben"]', '[Player2 "Ben"]\n[Player3 "Cyd"]', "record_players"),
        ("size=3", "size=99", "record_refused"),
        ("size=3", "colour=red", "record_refused"),
        ("size=3", "size=3 size=3", "record_twice"),
        ("size=3", "size", "record_value"),
        ('[Rules "1"]', '[Rules "2"]', "record_rules"),
        ('[Rules "1"]', '[TimeControl "soon"]', "record_value"),
        ('[Rules "1"]', '[Setup "xxx/.../... o"]', "record_setup"),
        ('[Date "2026', '[Date "9999999', "record_value"),
        ('[Date "2026-03-01T12:00:01Z"]', '[Date "0001-01-01T00:00:00+14:00"]', "record_value"),
        ('[Result "1-0"]', '[Result "0-1"]', "record_result"),
        ('[Result "1-0"]', '[Result "1/2-1/2"]', "record_result"),
        ('[Result "1-0"]', '[Result "*"]', "record_result"),
        ('[Result "1-0"]', '[Result "1-0-0"]', "record_result"),
        ('[Result "1-0"]', '[Result "White"]', "record_value"),
        ('[Termination "game"]', '[Termination "agreement"]', "record_result"),
        ('[Termination "game"]', '[Termination "resignation"]', "record_result"),
        ('[Termination "game"]', '[Resigned "2 after 5"]', "record_resigned"),
        ('[Termination "game"]', '[Resigned "2 after 3"]', "record_resigned"),
        ('[Termination "game"]', '[Resigned "9 after 5"]', "record_resigned"),
        ('[Termination "game"]', '[Resigned "Ben"]', "record_value"),
        ('[Reason "row"]', '[Reason "full"]', "record_result"),
        ('[Moves "5"]', '[Moves "6"]', "record_count"),
        ("2. a2 b2", "3. a2 b2", "record_number"),
        ("2. a2 b2", "2. a2 b2 (2. a3", "record_variation"),
        ("2. a2 b2", "2. a2 b2 { never closed", "record_comment"),
        ("2. a2 b2", "2. a2 a1", "record_move"),
        ("2. a2 b2", "2. a2 z9", "record_move"),
        ("2. a2 b2", "2. a2 " + "b" * 5000, "record_move"),
        ("2. a2 b2", "2. a2 b2,b3", "record_turn"),
        ("2. a2 b2", "2. a2 " + ",".join(["b2"] * 60), "record_turn"),
        ("3. a3", "3. a3 b3", "record_over"),
        ("3. a3", '3. a3\n\n[Game "Rows"]', "record_second"),
        ("3. a3", '3. a3\n\n[Round "2"]', "record_second"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, old: str, new: str, code: str) -> None:
    error = refused(changed(text, old, new))
    assert error.code == code
    here = line_of(text, old)
    assert error.params["line"] in range(here, here + 3)


def test_a_move_that_is_not_legal_gets_the_refusal_of_its_own_game(text: str) -> None:
    error = refused(changed(text, "2. a2 b2", "2. a2 a1"))
    assert isinstance(error, RefusedInRecord)
    assert error.params == {"line": line_of(text, "2. "), "number": 4, "move": "a1"}
    assert error.error.code == "occupied"
    assert error.game == "rows"


def test_of_a_turn_whose_first_move_is_not_legal_that_move_is_named(text: str) -> None:
    error = refused(changed(text, "2. a2 b2", "2. a2 a1,b3"))
    assert isinstance(error, RefusedInRecord)
    assert error.params == {"line": line_of(text, "2. "), "number": 4, "move": "a1"}
    assert error.error.code == "occupied"


def test_headings_alone_are_no_record() -> None:
    assert refused('[Player1 "Ada"]\n[Player2 "Ben"]\n').code == "record_missing"


def test_headings_without_end_are_refused(text: str) -> None:
    more = "".join(f'[Note{number} "x"]\n' for number in range(1000))
    assert refused(more + text).code == "record_heading"


def test_a_match_of_too_many_moves_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.history.domain.judging.MOST_MOVES", 4)
    error = refused(text)
    assert error.code == "record_long"
    assert error.params == {"line": line_of(text, "3. "), "most": 4}


class Choosy(Rows):
    """Rows that are not played on the largest board by more than two."""

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        if (self.options["size"], self.options["players"]) == (5, 3):
            raise OptionError("option_value", option="players", value="3", allowed="2")


def test_contradicting_options_are_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalog.GAMES, "rows", Choosy)
    spoilt = re.sub(r'Options "[^"]*"', 'Options "size=5 players=3"', text)
    error = refused(spoilt)
    assert isinstance(error, RefusedInRecord)
    assert (error.code, error.error.code) == ("record_refused", "option_value")
    assert error.params == {"line": line_of(text, "[Game")}


def test_a_hundred_thousand_games_are_one_too_many(text: str) -> None:
    many = text * (LARGEST // len(text))
    assert refused(many).code == "record_second"


@pytest.mark.parametrize("deep", ["(", "{", "[", "((1. a1", "{{{"])
def test_nesting_ten_thousand_deep_is_refused_at_once(text: str, deep: str) -> None:
    began = time.thread_time()
    assert refused(text + deep * 10_000).code in {
        "record_variation",
        "record_variations",
        "record_comment",
        "record_second",
        "record_heading",
    }
    assert time.thread_time() - began < 4


def test_a_record_without_a_game_is_refused() -> None:
    assert refused("1. a1 b1").params == {"name": "Game"}


def test_a_gap_between_the_players_is_refused(text: str) -> None:
    assert refused(changed(text, "[Player1", "[Player3")).params == {"name": "Player1"}


def test_a_lost_end_of_the_moves_is_noticed(text: str) -> None:
    for lost in range(2, len(text.partition("\n\n")[2])):
        refused(text[:-lost])


def test_a_line_lost_from_the_middle_is_noticed(text: str) -> None:
    assert refused(changed(text, "2. a2 b2\n", "")).code == "record_number"


def test_a_player_who_has_resigned_can_have_moved_only_as_the_host_moves_for_them() -> None:
    found = begun("rows", {"players": 3, "size": 5})
    found.then(play.move, at(2), ANN, text="c3")
    second = found.match.players[1]
    assert second is not None
    found.then(play.resign, at(3), person(second))
    text = write_text(found.record())
    error = refused(changed(text, " a1", " e5"))
    assert error.code == "record_retired"
    assert error.params["expected"] == "a1"


def test_an_adjudication_needs_a_score_for_each_player(text: str) -> None:
    text = changed(text, '[Termination "game"]', '[Termination "adjudication"]')
    text = changed(text, '[Reason "row"]\n', "")
    assert read_record(text.encode()).record.scores == (1, 0)
    assert refused(changed(text, '"1-0"', '"1-0-0"')).code == "record_result"


def test_no_draw_is_agreed_where_the_game_knows_none() -> None:
    for key, kind in catalog.GAMES.items():
        text = write_text(begun(key, {}).record())
        text = changed(text, '[Termination "unfinished"]', '[Termination "agreement"]')
        text = text.replace('[Result "*"]\n', "")
        if kind.info.allows_draw_offer:
            assert read_record(text.encode()).record.scores == (0.5,) * len(kind({}).seats)
        else:
            assert refused(text).code == "record_result"


@pytest.mark.long
@pytest.mark.parametrize(
    "more",
    [
        "{}",
        "{ }\n",
        "{a} ",
        ";\n",
        "\n",
        "b3,",
        "b3, ",
        ",",
        "9" * 300,
        "\u0301",
        '[A "b"]\n',
        '[A "' + "\\\\",
    ],
)
def test_a_file_full_of_anything_is_answered_soon(text: str, more: str) -> None:
    room = LARGEST - len(text.encode())
    full = text + more * (room // len(more.encode()))
    began = time.thread_time()
    try:
        assert read_record(full.encode()).record.moves[-1] == "a3"
    except UserError:
        refused(full)
    assert time.thread_time() - began < 8


@pytest.mark.long
@pytest.mark.parametrize("more", ['"a",', "1,", "[],", "{},", '["a1"],', "null,", '"\\\\",', "\n"])
def test_json_full_of_anything_is_answered_soon(js: dict[str, Any], more: str) -> None:
    text = json.dumps(js)
    room = LARGEST - len(text)
    start = text.index('"moves": [') + len('"moves": [')
    full = text[:start] + more * (room // len(more)) + text[start:]
    began = time.thread_time()
    try:
        read_record(full.encode())
    except UserError:
        refused(full)
    assert time.thread_time() - began < 16


# ---- JSON -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        '{"header": ' + "[" * 10_000,
        '{"header": ' + "[" * 10_000 + "]" * 10_000 + "}",
        '{"a":' * 10_000 + "1" + "}" * 10_000,
        '{"moves": ' + '[{"move":' * 10_000,
    ],
)
def test_json_ten_thousand_deep_is_refused_at_once(data: str) -> None:
    began = time.thread_time()
    assert refused(data).code == "record_depth"
    assert time.thread_time() - began < 2


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("{", "record_json"),
        ('{"header": {}', "record_json"),
        ('{"header": {}} x', "record_json"),
        ('{"header": {} "moves": []}', "record_json"),
        ('{"header', "record_json"),
        ('{"' + "\\" * 9999, "record_json"),
        ("{" + '\\"' * 100_000, "record_json"),
        ("{" + "]" * 1000 + "[" * 1000, "record_json"),
        ("{}", "record_missing"),
        ('{"header": 1, "moves": []}', "record_value"),
        ('{"header": {}, "moves": []}', "record_missing"),
        ('{"header": {"x": 1' + "0" * 5000 + '}, "moves": []}', "record_number_size"),
        ('{"header": {"x": 1e999}, "moves": []}', "record_number_size"),
        ('{"header": {"x": NaN}, "moves": []}', "record_number_size"),
        ('{"header": {"x": -Infinity}, "moves": []}', "record_number_size"),
        ('{"header": {"x": "\\ud800"}, "moves": []}', "record_character"),
        ('{"header": {"\\udc00": "x"}, "moves": []}', "record_character"),
        ('{"header": {"x": "\\u0000"}, "moves": []}', "record_character"),
        ('{"header": {}, "header": {}, "moves": []}', "record_twice"),
    ],
)
def test_json_that_is_none_or_odd_is_refused(data: str, code: str) -> None:
    assert refused(data).code == code


def test_json_that_breaks_off_is_refused_with_its_line(js: dict[str, Any]) -> None:
    data = json.dumps(js, indent=1)
    half = data[: data.index('"userid"')]
    error = refused(half)
    assert error.code == "record_json"
    assert error.params["line"] == half.count("\n") + 1


def _set(made: dict[str, Any], path: str, value: Any) -> None:
    *way, last = path.split(".")
    here: Any = made
    for step in way:
        here = here[int(step) if step.isdigit() else step]
    here[int(last) if last.isdigit() else last] = value


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("header.game.name", "Chess", "record_game"),
        ("header.game.name", None, "record_missing"),
        ("header.game.name", ["Rows"], "record_value"),
        ("header.game", "Rows", "record_value"),
        ("header.game.variants", ["size=77"], "record_refused"),
        ("header.game.variants", ["handicap=2"], "record_refused"),
        ("header.game.variants", ["big"], "record_value"),
        ("header.game.variants", [{}], "record_value"),
        ("header.game.variants", ["size=3", "size=3"], "record_twice"),
        ("header.players", {}, "record_value"),
        ("header.players", [], "record_players"),
        ("header.players.0", "Ada", "record_value"),
        ("header.players.0.name", 7, "record_value"),
        ("header.players.0.name", None, "record_missing"),
        ("header.players.0.result", "1", "record_value"),
        ("header.players.0.result", True, "record_value"),
        ("header.players.0.result", 0, "record_result"),
        ("header.players.0.score", 0.5, "record_result"),
        ("header.players.0.score", float("inf"), "record_number_size"),
        ("header.players.0.score", float("nan"), "record_number_size"),
        ("header.rules-version", 2, "record_rules"),
        ("header.startingPosition", "xxx/.../... o", "record_setup"),
        ("header.ending", "agreement", "record_result"),
        ("header.reason", "full", "record_result"),
        ("header.plies", 9, "record_count"),
        ("header.date-start", "yesterday", "record_value"),
        ("header.resignations", [{"player": 2, "after": 5}], "record_resigned"),
        ("header.resignations", [{"player": 0, "after": 5}], "record_resigned"),
        ("header.resignations", [{"player": 1, "after": -5}], "record_resigned"),
        ("header.resignations", [{"player": 1}], "record_missing"),
        ("header.resignations", ["Ada"], "record_value"),
        ("moves", {}, "record_value"),
        ("moves", "a1 b1", "record_value"),
        ("moves.1", "a1", "record_value"),
        ("moves.1.1", 5, "record_value"),
        ("moves.1.1", "", "record_value"),
        ("moves.1.1", {}, "record_missing"),
        ("moves.1.1", {"move": "a1"}, "record_move"),
        ("moves.1.1", "a1", "record_move"),
        ("moves.1.1", None, "record_result"),
    ],
)
def test_json_that_lies_is_refused(js: dict[str, Any], path: str, value: Any, code: str) -> None:
    _set(js, path, value)
    if code == "record_result" and path.startswith("moves"):
        del js["header"]["plies"]
        js["header"]["ending"] = "game"
    assert refused(js).code == code


def test_lines_in_json_are_those_of_the_moves(js: dict[str, Any]) -> None:
    js["moves"][1][1] = "a1"
    data = json.dumps(js, indent=1)
    error = refused(data)
    assert error.code == "record_move"
    start = data.index('"moves"')
    place = data.index('"a1"', data.index('"a1"', start) + 1)
    assert error.params["line"] == data.count("\n", 0, place) + 1


# ---- anything -------------------------------------------------------------------------------


@settings(max_examples=100)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused_with_a_sentence(data: bytes) -> None:
    refused(data)


@lru_cache
def _record(key: str, seed: int) -> Record:
    return random_match(key, {}, seed).record("Ada", "Ben")


@pytest.mark.long
@settings(max_examples=100)
@given(st.data())
def test_any_damage_is_refused_or_changes_nothing(data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(list(catalog.GAMES)))
    record = _record(key, data.draw(st.integers(0, 3)))
    whole = data.draw(st.sampled_from([write_text(record), write_json(record, generated=NOW)]))
    place = data.draw(st.integers(0, len(whole)))
    gone = data.draw(st.integers(0, 20))
    noise = data.draw(st.text('abc12{}[]()",.;:\\\n -=\0', max_size=6))
    damaged = whole[:place] + noise + whole[place + gone :]
    try:
        judged = read_record(damaged.encode())
    except UserError:
        refused(damaged)
    else:
        again = read_record(write_text(judged.record).encode()).record
        assert again.moves == judged.record.moves
