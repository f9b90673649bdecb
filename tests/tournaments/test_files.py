"""The files of a tournament say what its pages say."""

from __future__ import annotations

import csv
import io
from random import Random

import pytest

from bot.errors import UserError
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.trf import read_trf
from bot.tournaments.domain.trf_writing import Edition
from bot.tournaments.services.views import Visitor
from bot.tournaments.ui import file_handlers as exports
from tests.tournaments.kit import DIRECTOR, Hall

NAMES = {number: f"Player {number} ✿" for number in range(1, 9)}


@pytest.mark.long
@pytest.mark.parametrize("form", ["swiss", "round_robin"])
@pytest.mark.parametrize("choice", ["", "both_sides"])
async def test_the_report_and_the_table_of_an_event_say_what_its_standings_say(
    hall: Hall, form: str, choice: str
) -> None:
    id_ = await hall.told(f"{form} 5 {choice}")
    await hall.play_out(id_, Random(3))
    view = await hall.service.tournament(Visitor(DIRECTOR), id_)
    t = view.tournament
    seeds = {number: place for place, number in enumerate(t.seeding, 1)}
    for edition in Edition:
        file = exports.trf_of(t, NAMES, edition)
        assert file.name.endswith(f".{edition.value}.trf"), "both can be kept in one folder"
        report = read_trf(file.data.decode())
        points = {seeds[each.number]: each.points for each in view.standings}
        assert {each.number: each.points for each in report.players} == points
        for played in t.games.values():
            first, second = (seeds[each] for each in played.game.players)
            line = report.players[first - 1].in_round(played.game.round)
            assert line is not None
            assert line.opponent == second
    table = exports.csv_of(t, view.standings, NAMES).data.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["Player"] for row in rows] == [NAMES[each.number] for each in view.standings]
    assert [row["Place"] for row in rows] == [str(each.rank) for each in view.standings]
    assert "PTS" not in rows[0], "which are the points"


@pytest.mark.long
@pytest.mark.parametrize("form", list(FormatKey))
async def test_the_records_of_all_games_of_an_event_are_one_file(
    hall: Hall, form: FormatKey
) -> None:
    id_ = await hall.told(f"{form.value} {8 if form is FormatKey.TABLES else 4}")
    if form is FormatKey.LADDER:
        await hall.tell(id_, "challenge 2 1 | accept 1 2 | sweep")
    await hall.tell(id_, "win_all | sweep")
    stored = await hall.stored(id_)
    begun = await hall.service.games_begun(Visitor(DIRECTOR), id_)
    said = exports.records_of(stored.tournament, begun, NAMES).data.decode()
    assert stored.matches
    for name, match_id in stored.matches.items():
        assert said.count(match_id) == 1, name
        assert f'[Event "{stored.tournament.setup.name}"]\n[Round "{name}"]\n' in said
        assert all(NAMES[each] in said for each in stored.tournament.games[name].game.players)


async def test_a_report_has_as_many_rounds_as_were_played_and_tables_have_none(hall: Hall) -> None:
    id_ = await hall.told("swiss 4 | engine none 1 | play | ? len(t.rounds) == 1")
    file = exports.trf_of(await hall.head(id_), {}, Edition.OF_2026).data.decode()
    assert "142 1\n" in file.replace("\r", "\n")
    id_ = await hall.told("tables 4")
    with pytest.raises(UserError, match="no_trf"):
        exports.trf_of(await hall.head(id_), NAMES, Edition.OF_2026)
