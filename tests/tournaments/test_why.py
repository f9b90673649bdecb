"""The reasons of pairings, compared with tournaments that another program paired."""

from __future__ import annotations

import pytest

from bot.tournaments.domain.crosstable import Crosstable, Kind, Side
from bot.tournaments.domain.swiss_pairing import paired_in
from bot.tournaments.domain.trf import read_trf
from bot.tournaments.domain.why import Float, Strength, earlier, met_before, why_bye, why_pairing
from tests.reference import FOLDER
from tests.tournaments.events_made import told_table
from tests.tournaments.scenario import Scenario

FILES = sorted((FOLDER / "swiss").glob("*.trf"))[::5]


@pytest.mark.parametrize("file", FILES, ids=lambda each: each.stem)
def test_pairs_have_not_met_and_an_absolute_wish_is_not_passed_over(file: object) -> None:
    report = read_trf(file.read_text(encoding="utf-8"))  # type: ignore[attr-defined]
    table = Crosstable.of(report.players)
    for number in range(2, report.paired):  # in the last round leaders have a rule of their own
        paired = paired_in(report, number)
        for first, second in paired.pairs:
            why = why_pairing(table, number, first, second)
            played = [
                line.round
                for line in table.competitors[first].until(number - 1).lines
                if line.opponent == second and line.kind is Kind.PLAYED
            ]
            assert not played
            for player, granted in zip((why.first, why.second), why.wishes_granted, strict=True):
                assert granted or player.strength is not Strength.ABSOLUTE, (number, first, second)
            assert ({first, second} <= {*why.group}) is not why.is_float
        if paired.bye is not None:
            left = why_bye(table, number, paired.bye)
            assert paired.bye not in (*left.spared, *left.others)
            assert not left.player.byes or all(
                table.competitors[paired.bye].in_round(at).kind is not Kind.PAIRING_BYE  # type: ignore[union-attr]
                for at in left.player.byes
            )


@pytest.mark.parametrize(
    ("sides", "due", "strength"),
    [
        ("", None, Strength.NONE),
        ("f", Side.SECOND, Strength.STRONG),
        ("fs", Side.FIRST, Strength.MILD),
        ("sf", Side.SECOND, Strength.MILD),
        ("ff", Side.SECOND, Strength.ABSOLUTE),
        ("ssff", Side.SECOND, Strength.ABSOLUTE),
        ("fffss", Side.FIRST, Strength.ABSOLUTE),
        ("ffsf", Side.SECOND, Strength.ABSOLUTE),
        ("ssfs", Side.FIRST, Strength.ABSOLUTE),
    ],
)
def test_the_side_that_a_player_is_due(sides: str, due: Side | None, strength: Strength) -> None:
    games = (f"{at}{'w' if each == 'f' else 'b'}=" for at, each in enumerate(sides, 2))
    table = told_table(" ".join(games), *[""] * 7)
    found = why_pairing(table, len(sides) + 1, 1, 8)
    assert (found.first.due, found.first.strength) == (due, strength)
    assert found.first.firsts == sides.count("f")


def test_floats_byes_and_groups_are_told() -> None:
    table = told_table("2w1 3w1 4w=", "1b0 4w1 3w=", "U 1b0 2w=", "H 2b0 1w=")
    why = why_pairing(table, 3, 2, 3)
    assert why.group == (2, 3)
    assert why.first.floats == (Float.LEVEL, Float.UP)
    assert why.second.floats == (Float.DOWN, Float.LEVEL)
    assert why.second.byes == (1,)
    assert why.met_before is None
    assert why_pairing(table, 3, 1, 4).is_float
    assert why_pairing(table, 3, 1, 3).met_before == 2
    left = why_bye(table, 3, 2)
    assert left.spared == (3,)
    assert left.others == (4,)


def test_earlier_games_are_those_of_earlier_rounds_or_drawn_before() -> None:
    t = Scenario("tables 4 rounds=3 least=4 | all 4:2:1:0 | draw | all 4:2:1:0 | draw").t
    for number, games in enumerate(([], ["1.1"], ["1.1", "2.1"])):
        game = t.games[f"{number + 1}.1"].game
        assert [each.id for each in earlier(t, game)] == games
        assert [*met_before(t, game).values()] == [number] * 6
    t = Scenario("arena 4 lasts=1h | pair | wait 5m | all 1:0 | pair").t
    assert [each.id for each in earlier(t, t.games["1.3"].game)] == ["1.1", "1.2"]
