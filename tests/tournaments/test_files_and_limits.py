"""Files of a tournament, and which limits of a server its matches are inside."""

from __future__ import annotations

import csv
import io
from random import Random

import pytest

from bot.domain.clock import Vacations
from bot.errors import UserError
from bot.services.pairing import Limits
from bot.store import Store
from bot.tournaments.domain import challenges
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import TournamentStatus
from bot.tournaments.domain.trf import read_trf
from bot.tournaments.domain.trf_writing import Edition
from bot.tournaments.services.views import Visitor
from bot.tournaments.ui import file_handlers as exports
from tests.support.kit import person
from tests.tournaments.kit import DIRECTOR, Hall

NAMES = {number: f"Player {number} ✿" for number in range(1, 9)}


@pytest.mark.long
@pytest.mark.parametrize("both_sides", [False, True])
@pytest.mark.parametrize("form", [FormatKey.SWISS, FormatKey.ROUND_ROBIN])
async def test_the_report_and_the_table_of_an_event_say_what_its_standings_say(
    hall: Hall, form: FormatKey, both_sides: bool
) -> None:
    id_ = await hall.begun(form, 5, both_sides=both_sides)
    assert (await hall.play_out(id_, Random(3))).status is TournamentStatus.FINISHED
    view = await hall.service.tournament(Visitor(DIRECTOR), id_)
    points = {each.number: each.points for each in view.standings}
    seeds = {number: place for place, number in enumerate(view.tournament.seeding, 1)}
    for year in (2016, 2026):
        file = exports.trf_of(await hall.head(id_), NAMES, Edition(str(year)))
        assert file.name.endswith(f".{year}.trf"), "both can be kept in one folder"
        report = read_trf(file.data.decode())
        assert {each.number: each.points for each in report.players} == {
            seeds[number]: value for number, value in points.items()
        }
        for played in view.tournament.games.values():
            first, second = (seeds[each] for each in played.game.players)
            line = report.players[first - 1].in_round(played.game.round)
            assert line is not None
            assert line.opponent == second
    view = await hall.service.tournament(Visitor(DIRECTOR), id_)
    table = exports.csv_of(view.tournament, view.standings, NAMES)
    rows = list(csv.DictReader(io.StringIO(table.data.decode("utf-8-sig"))))
    assert [row["Player"] for row in rows] == [NAMES[each.number] for each in view.standings]
    assert [row["Place"] for row in rows] == [str(each.rank) for each in view.standings]
    assert "PTS" not in rows[0], "which are the points"


@pytest.mark.long
@pytest.mark.parametrize("form", list(FormatKey))
async def test_the_records_of_all_games_of_an_event_are_one_file(
    hall: Hall, form: FormatKey
) -> None:
    id_ = await hall.begun(form, 8 if form is FormatKey.TABLES else 4)
    if form is FormatKey.LADDER:
        click = hall.club.click
        await hall.service.play(
            Visitor(person(2)), id_, challenges.challenge, 1, interaction_id=click()
        )
        await hall.service.play(
            Visitor(person(1)), id_, challenges.accept, 2, interaction_id=click()
        )
        await hall.sweep()
    for name in list((await hall.stored(id_)).matches):
        await hall.win(id_, name)
    await hall.sweep()
    stored = await hall.stored(id_)
    begun = await hall.service.games_begun(Visitor(DIRECTOR), id_)
    file = exports.records_of(await hall.head(id_), begun, NAMES)
    said = file.data.decode()
    assert stored.matches
    for name, match_id in stored.matches.items():
        assert said.count(match_id) == 1, name
        assert f'[Event "{stored.tournament.setup.name}"]\n[Round "{name}"]\n' in said
    for played in stored.tournament.games.values():
        assert all(NAMES[number] in said for number in played.game.players if played.has_begun)


@pytest.mark.long
async def test_limits_that_protect_people_from_strangers_do_not_hold_an_event_back(
    store: Store,
) -> None:
    limits = Limits(open_offers=0, offers_to_one=0, running=1, rated_with_one=0)
    hall = Hall(store, limits=limits)
    id_ = await hall.begun(FormatKey.ROUND_ROBIN, 4, rated=True)
    t = await hall.check(id_)
    assert len(t.games) == 6
    assert all(each.has_begun for each in t.games.values()), "three rated matches for each player"


@pytest.mark.parametrize("vacations", [False, True])
async def test_vacations_stop_the_clocks_of_an_event_only_where_it_says_so(
    hall: Hall, vacations: bool
) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 4, vacations=vacations)
    match = await hall.match_of(id_, "1.1")
    assert match.clock is not None
    assert (match.clock.vacations is not Vacations.NEVER) is vacations


async def test_tables_of_four_have_no_report_of_fides(hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.TABLES, 4)
    with pytest.raises(UserError, match="no_trf"):
        exports.trf_of(await hall.head(id_), NAMES, Edition("2026"))
