"""The judges of events: they agree with events that went well, and see what was tampered with."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bot.domain.ids import TournamentId
from bot.domain.preferences import NoticeWay
from bot.domain.quiet_hours import QuietHours
from bot.store import Store
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.planning import check_setup
from bot.tournaments.domain.setup import Decider, FormatKey
from bot.tournaments.services.views import EventView, Visitor
from bot.tournaments.store import reading as tournament_reading
from games import catalog
from tests.simulation import contest_judge
from tests.simulation import judge as notices
from tests.simulation.brackets import Points, wrong_knockout
from tests.simulation.contest_judge import Ledger
from tests.simulation.lives import Life
from tests.simulation.places import wrong_places
from tests.simulation.programme import full_month
from tests.simulation.record import CONTROLS, Record
from tests.simulation.rungs import wrong_rungs
from tests.simulation.verdict import SLACK, Verdict, done_by
from tests.simulation.watch import Digest, Message
from tests.support.kit import START, person
from tests.tournaments.kit import Hall


async def _shown(hall: Hall, id_: TournamentId) -> tuple[EventView, Points]:
    view = await hall.service.tournament(Visitor(person(1)), id_)
    games = view.tournament.games.items()
    return view, {name: each.points for name, each in games if each.points is not None}


def _turned(view: EventView, one: int) -> EventView:
    """Another one is first; those before have a place less."""
    order = list(view.standings)
    order.insert(0, order.pop(one))
    standings = tuple(replace(x, rank=rank) for rank, x in enumerate(order, 1))
    return replace(view, standings=standings)


@pytest.mark.parametrize(
    "text",
    [
        "knockout 2",
        "knockout 3 best_of=3",
        "knockout 5 third_place",
        "knockout 5 double best_of=2 decider=higher_seed",
    ],
)
@pytest.mark.long
async def test_a_knockout_that_went_well_is_right_and_a_changed_result_is_seen(
    hall: Hall, text: str
) -> None:
    id_ = await hall.told(text)
    await hall.play_out(id_, Random(5))
    view, points = await _shown(hall, id_)
    assert not list(wrong_knockout(view, points))
    for name, (one, two) in points.items():
        if one != two and not name.startswith("T"):
            found = list(wrong_knockout(view, {**points, name: (two, one)}))
            # Of several games one more or less may decide nothing.
            assert found or "best_of" in text, name
    assert list(wrong_knockout(_turned(view, 1), points))


@pytest.mark.long
@pytest.mark.parametrize("text", ["knockout 5", "round_robin 5", "swiss 5 rounds=3"])
async def test_who_was_excluded_is_last_and_a_judge_sees_it_if_not(hall: Hall, text: str) -> None:
    id_ = await hall.told(text)
    first = next(each.game for each in (await hall.head(id_)).games.values())
    await hall.tell(id_, f"win {first.id} | exclude {first.players[0]} | play")
    view, points = await _shown(hall, id_)
    # The engine here pairs by hand, and its pairings are not judged.
    assert not list(wrong_places(view, points, {first.id}))
    assert view.standings[-1].number == first.players[0]
    assert list(wrong_places(_turned(view, -1), points, {first.id}))


async def test_a_game_that_a_correction_made_superfluous_is_no_fault(hall: Hall) -> None:
    id_ = await hall.told(
        """knockout 2 best_of=3 decider=higher_seed | won W1.1.1 1 | sweep | won W1.1.2 2 | sweep
        won W1.1.3 1 | sweep | ? points("W1.1.2") == "1:0" | correct W1.1.2 0:1"""
    )
    view, points = await _shown(hall, id_)
    assert not list(wrong_knockout(view, points, {"W1.1.2"}))
    assert list(wrong_knockout(view, points))


@pytest.mark.parametrize("players", [3, 40, 256])
def test_every_event_of_a_month_can_be_announced(players: int) -> None:
    sketches = [each for club in full_month(players) for each in club]
    for sketch in sketches:
        check_setup(sketch.setup(START), START)
    assert {each.form for each in sketches} == set(FormatKey)
    assert {each.setup(START).decider for each in sketches} == set(Decider)
    cups = [each for each in sketches if each.form is FormatKey.KNOCKOUT]
    assert any("correct" in each.actions for each in cups)
    assert max(each.size for each in sketches) == max(players, 4)


def test_rungs_move_as_the_rules_say() -> None:
    won, drawn = (Fraction(1), Fraction(0)), (Fraction(1, 2),) * 2

    def game(number: int, one: int, two: int) -> f.Drawn:
        fixture = f.Fixture(f"g{number}", 1, number, (one, two))
        return f.Drawn(1, (fixture,), (), None)  # type: ignore[arg-type]

    facts: list[f.Fact] = [f.Entered(number, None) for number in range(1, 6)]
    facts += [game(1, 4, 2), f.Scored("g1", won, f.How.PLAYED)]
    assert not list(wrong_rungs(facts, [1, 4, 2, 3, 5]))
    facts += [game(2, 3, 1), f.Scored("g2", drawn, f.How.PLAYED)]
    facts += [f.Declined(5, 3, False), f.Declined(5, 3, True)]
    assert not list(wrong_rungs(facts, [1, 4, 2, 5, 3]))
    back = [*facts, f.Excluded(4), f.Undone((len(facts) + 1,))]
    assert not list(wrong_rungs(back, [1, 4, 2, 5, 3]))
    facts += [f.Excluded(4), f.Moved((2, 1, 5, 3))]
    assert not list(wrong_rungs(facts, [2, 1, 5, 3]))
    assert list(wrong_rungs(facts, [1, 2, 5, 3]))
    assert list(wrong_rungs([*facts, f.Moved((5, 2, 3, 1))], [5, 2, 3, 1])), "1 sank by two rungs"


def test_who_is_killed_again_as_soon_as_they_are_back_has_their_time_anew() -> None:
    minute = timedelta(minutes=1)
    assert done_by(START, []) == START + SLACK
    first, second = (START - minute, START + 5 * minute), (START + 9 * minute, START + 40 * minute)
    assert done_by(START, [second, first]) == second[1] + SLACK
    late = (second[1] + SLACK + minute, second[1] + 90 * minute)
    assert done_by(START, [first, second, late]) == second[1] + SLACK


def test_a_table_that_a_player_gave_up_is_not_lost_on_time_by_them() -> None:
    record = SimpleNamespace(users=(1, 2, 3, 4), loser=1, over="resigned", unplayed=False)
    contest: Any = SimpleNamespace(records={"1.1": record})
    ledger = Ledger(hows={"1.1": f.How.TIME}, late={"1.1": (2,)})
    assert not list(contest_judge._results(contest, ledger))
    ledger.late["1.1"] = (1, 2)
    assert list(contest_judge._results(contest, ledger))


@pytest.mark.long
async def test_a_round_paired_again_counts_once_and_a_substitute_plays(
    store: Store, hall: Hall
) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 6, rounds=3)
    old = (await hall.stored(id_)).matches
    await hall.tell(id_, "replace 2 77 | redraw | play")
    ledger = Ledger.of(await store.read(tournament_reading.history, id_))
    matches = defaultdict(list)
    async for match, _ in store.all_matches():
        assert match.tournament is not None
        matches[str(id_), str(match.tournament.game)].append(match)
    setup = (await hall.head(id_)).setup
    contest: Any = SimpleNamespace(setup=setup, id=id_, called_off={str(x) for x in old.values()})
    assert not list(contest_judge._games(contest, ledger, matches))
    assert not list(contest_judge._pairings(contest, ledger))
    assert [each[1:] for each in ledger.replaced] == [(2, 77)]
    assert set(ledger.scored.values()) == {1}
    contest.called_off.pop()
    assert list(contest_judge._games(contest, ledger, matches))


def test_a_substitute_has_the_seat_with_all_of_its_time() -> None:
    control = next(each for each in CONTROLS if each.typed == "3d+1h")
    record = Record(0, catalog.create("quax", {"size": 3, "pie": "off"}), (1, 2), control, 9)
    record.begin(record.game.initial(Random(1)), START)
    at = START + timedelta(hours=7)
    record.substituted(1, 5, at)
    assert record.users == (5, 2)
    assert [(each.user, each.began, each.ended) for each in record.turns] == [
        (1, START, at),
        (5, at, None),
    ]
    assert record.deadline([]) == at + control.bank
    record.substituted(2, 6, at)
    assert record.turn.user == 5
    record.called_off(at)
    assert record.over == "called off"


def _reader(**about: Any) -> Life:
    """A person with a digest at eight and without direct messages."""
    drawn = Life.draw(9, Random(1), START, 30)
    chosen = replace(
        drawn.chosen, way=NoticeWay.DIGEST, digest_hour=8, quiet=QuietHours(7, 10), zone="UTC"
    )
    return replace(drawn, zone="UTC", chosen=replace(chosen, **about), takes_direct=False)


_WAITS, _ASKED = (
    "### These matches are waiting for your move",
    "### These are waiting for your answer",
)


@pytest.mark.parametrize(
    ("hour", "minute", "said", "wrong"),
    [
        (10, 0, _WAITS, 0),
        (10, 9, _WAITS, 0),
        (10, 30, _WAITS, 2),
        (8, 0, _WAITS, 1),
        (None, 0, _WAITS, 1),
        (10, 0, f"{_WAITS}\n{_ASKED}", 1),
    ],
)
def test_a_digest_that_is_refused_comes_after_the_quiet_hours_of_its_day(
    hour: int | None, minute: int, said: str, wrong: int
) -> None:
    control = CONTROLS[0]
    record = Record(0, catalog.create("quax", {"size": 3}), (9, 2), control, 9, channel=50)
    record.begin(record.game.initial(Random(1)), START)
    first = datetime(2026, 3, 2, tzinfo=UTC)
    digests: list[Digest] = []
    seen: dict[int, Message] = {}
    if hour is not None:
        at = first.replace(hour=hour, minute=minute)
        digests.append(Digest(at, 9, said))
    month: Any = SimpleNamespace(
        records=[record],
        lives={9: _reader()},
        down=[],
        watcher=SimpleNamespace(messages=seen, digests=digests),
        clock=SimpleNamespace(at=first + timedelta(hours=20)),
    )

    def problems() -> int:
        verdict = Verdict()
        notices._digests_refused_in_time(month, notices._refused_digests(month), verdict)
        return len(verdict.problems)

    assert problems() == wrong
    if _ASKED in said:
        words = "<@9>, <@2> would like to play Quax with you."
        seen[1] = Message(1, 40, at, words, (9,), None, False, False)
        assert problems() == wrong - 1


@pytest.mark.parametrize(
    ("minute", "said", "wrong"),
    [(1, "your move in Quax.", 0), (-1, "your move in Quax.", 1), (-1, "your move is due ", 0)],
)
def test_a_reader_of_digests_is_mentioned_only_once_one_was_refused(
    minute: int, said: str, wrong: int
) -> None:
    at = START + timedelta(minutes=minute)
    line = Message(1, 50, at, f"<@9>, {said}", (9,), None, False, False)
    month: Any = SimpleNamespace(
        records=[SimpleNamespace(channel=50)],
        lives={9: _reader()},
        watcher=SimpleNamespace(messages={1: line}),
    )
    verdict = Verdict()
    notices._told_before_refused(month, {9: Digest(START, 9, _WAITS)}, verdict)
    assert len(verdict.problems) == wrong


def test_the_last_board_of_a_table_calls_those_alone_who_read_there_and_are_awake() -> None:
    night = START.replace(hour=9)
    game = catalog.create("pythagoras", {"seats": 4})
    record = Record(0, game, (9, 2, 3, 4), CONTROLS[0], 9, name="x", channel=50, over="played")
    lives = {9: _reader(), 2: _reader(way=NoticeWay.MENTION, quiet=None)}
    lives[3] = _reader(way=NoticeWay.NOTHING, quiet=None)
    verdict = Verdict()
    for user in lives:
        board = Message(user, 50, night, "over", (user,), None, True, False)
        seen = {50: [board]}
        month: Any = SimpleNamespace(lives=lives, watcher=SimpleNamespace(in_channel=seen))
        notices._end_of_table(month, board, record, verdict)
    assert [each.partition(": ")[2] for each in verdict.problems] == [
        "9 woken by a board of x",
        "3 is not to be mentioned on a board",
    ]


def test_who_takes_a_place_is_not_told_of_the_round_as_well() -> None:
    ledger = Ledger()
    ledger.drawn.append((START, f.Drawn(1, (), (), None), {}))  # type: ignore[arg-type]
    hour = timedelta(hours=1)

    def is_wrong(said: str, at: datetime) -> bool:
        message = Message(1, 50, at, said, (9,), None, False, False)
        return contest_judge._is_of_before(message, START + hour, ledger)

    begun, paired = (
        "<@9>, **Spring** has begun. You have 3 games:",
        "round 1 of **Spring** is paired.",
    )
    assert is_wrong(begun, START + 2 * hour)
    assert is_wrong(f"<@9>, {paired} You play:", START + 2 * hour)
    assert not is_wrong(begun, START)
    assert not is_wrong("<@9>, a director entered you in **Spring**.", START + 2 * hour)
    ledger.drawn.append((START + 2 * hour, f.Drawn(1, (), (), None), {}))  # type: ignore[arg-type]
    assert not is_wrong(f"<@9>, {paired} You play:", START + 3 * hour), "it was paired again"
