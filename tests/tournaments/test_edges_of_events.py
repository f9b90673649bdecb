"""Events run themselves; troubles in them have a defined end, and people are told."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any

import pytest
from sqlalchemy import text as sql

from bot.domain.computers import is_computer
from bot.domain.ids import UserId
from bot.errors import UserError
from bot.privacy.services import PrivacyService
from bot.privacy.store import held_about
from bot.services.pairing import Limits
from bot.store import Store
from bot.tournaments.domain import acts
from bot.tournaments.domain.formats.catalog import FORMATS
from bot.tournaments.domain.notices import MessageKind, TournamentTrouble
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import TournamentStatus
from bot.tournaments.services.games import Beginning
from bot.tournaments.services.members import MemberWatch
from bot.tournaments.services.verifying import set_damaged_aside, verify_tournaments
from bot.tournaments.services.views import Visitor
from bot.tournaments.store import reading as tournament_reading
from tests.support.databases import both, both_in_soak
from tests.support.kit import GUILD, PLACE, person
from tests.tournaments.kit import DIRECTOR, Hall, a_setup

ENDS = {
    "a swiss": """
        swiss 7
        play | ? (told(None, "finished"), told(1, "round") > 0) == (1, True)
        ? views("finished")[0].champion == (1,)
        ? {(x.status.value, x.venue) for x in matches.values()} == {("finished", Venue.THREAD)}""",
    "a cup": """
        knockout 6 third_place
        play | ? (told(None, "finished"), views("finished")[0].champion) == (1, (1,))""",
    "the score on the board decides a table where the event says so": """
        tables 4 rounds=1 unfinished=score
        open 1.1 | until finish | sweep
        ? t.games["1.1"].how in (How.UNFINISHED, How.TIME)
        ? sum(t.games["1.1"].points) == 7""",
    "too few entrants cancel an event, and they and the director are told": """
        knockout 0 third_place
        join 1 | wait 1d | sweep
        ? (status, told(1, "cancelled"), kinds(500)) == ("cancelled", 1, ["cancelled"])""",
    "a director who plays hears of it once": """
        knockout 0 third_place
        join 500 | wait 1d | sweep | ? kinds(500) == ["cancelled"]""",
    "a player who is excluded has lost what runs, and the others win": """
        round_robin 3
        exclude 1 | sweep | ? t.entrants[0].standing.value == "excluded"
        ? {x.points[x.game.players.index(1)] for x in t.of_entrant(1)} == {0}
        ? {matches[x.game.id].status.value for x in t.of_entrant(1)} == {"finished"}
        ? told(2, "forfeited") == 1""",
    "vacations stop no clock": 'swiss 4 | ? matches["1.1"].clock.vacations.value == "never"',
    "vacations stop its clocks where it says so": """
        swiss 4 vacations | ? matches["1.1"].clock.vacations.value != "never\"""",
    "fewer than the most may play": 'swiss 3 most=8 | ? status == "running"',
    "a challenge is closed when a player leaves or the ladder ends": """
        ladder 5
        challenge 2 1 | challenge 4 3 | leaves 2 | sweep | ? told(1, "answered") == 1
        cancel | sweep | ? told(3, "answered") == 1
        wait 1s | undo | sweep | ? kinds(3)[-2:] == ["revived", "challenged"]
        until finish | sweep | ? told(3, "answered") == 2
        ? (kinds(4)[-1], told(2, "declined"), t.climbs) == ("declined", 0, ())""",
    "a deleted home channel is told and games go to direct messages": """
        swiss 0
        fails home gone 1 | sweep | join 1 2 3 4 | until begins | sweep
        ? troubles == [(500, "home_gone")]
        ? matches["1.1"].venue == Venue.DIRECT""",
    "directors hear once of a round in which players kept apart meet": """
        swiss 0 rounds=3
        join 1 2 3 4 | part 1,2,3,4 1 | until begins | sweep | wait 5s | sweep | wait 5s | sweep
        ? (troubles, len(met(1))) == ([(500, "gave_way")], 2)
        win_all | sweep | ? (len(t.rounds), len(troubles)) == (2, 1)""",
    "an event whose hour was missed begins late and keeps its day": """
        swiss 0
        join 1 2 3 4 | until begins | wait 60d | sweep | ? now < t.rounds[0].until < t.finish
        ? not any(x.is_over for x in t.games.values())""",
    "an event whose last day was missed is cancelled": """
        swiss 0
        join 1 2 3 | until finish | wait 1d | sweep | ? status == "cancelled\"""",
    "the announcement of a round waits for slow threads, but not for long": """
        round_robin 0
        threads 20s 1 | join 1 2 | until begins | sweep | wait 6s | sweep
        ? told(None, "round") == 0
        wait 15s | sweep | wait 2s | sweep | ? told(None, "round") == 2
        ? all(view.matches["1.1"].channel_id for view in views("round"))""",
    "a round is announced with its matches, and not once it is over": """
        round_robin 0
        join 1 2 | asleep 2 -1 2 | until begins | sweep | ? told(None, "round") == 0
        wait 5s | sweep | ? told(1, "round") == 1
        ? [{*x.matches} == {*x.tournament.games} for x in views("round")] == [True]
        ? [x.waiting for x in views("round")] == [()]
        play | wait 3h | sweep | ? told(2, "round") == 0""",
    "a player who sleeps through a round hears of the next one alone": """
        swiss 0
        join 1 2 3 4 | asleep 2 0 3 | until begins | sweep | wait 5s | sweep
        win_all | sweep | ? len(t.rounds) == 2
        wait 3h | sweep | wait 5s | sweep | ? told(2, "round") == 1
        ? (2, t.rounds[1].drawn) in {(x.user_id, x.version) for x in messages("round")}""",
    "a round whose threads do not come is announced without them": """
        round_robin 0
        threads 600s 1 | join 1 2 | until begins | sweep | wait 61s | sweep
        ? told(None, "round") == 2""",
    "where nobody may have the bye, one player sits out, once": """
        swiss 0
        engine none 1 | join 1 2 3 4 5 | until begins | sweep | wait 5s | sweep
        ? t.rounds[0].byes == {t.seeding[-1]: Kind.HALF_BYE}
        ? told(t.seeding[-1], "round") == 1
        play | ? len(t.rounds) == 3
        ? [k for x in t.rounds[1:] for k in x.byes.values() if k is Kind.HALF_BYE] == []""",
    "when all have withdrawn the end is announced once, with games won but no places": """
        swiss 4 | leaves 1 | leaves 2 | leaves 3 | leaves 4"""
    + "| wait 1d | wait 1m | sweep" * 3
    + """| ? status == "finished"
        ? [x.standings[0].points > 0 for x in views("finished")] == [True]
        ? [(x.champion, x.has_places) for x in views("finished")] == [((), False)]""",
    "that a director has left is told once": """
        swiss 4
        appoint 501 | left_server 500 | left_server 500 | leaves 1 | left_server 1 | sweep
        ? (troubles, len(t.active)) == ([(501, "director_left")], 3)""",
    "a player who is added is told, and directors of a block": """
        swiss 0
        block 5 1 | join 1 | add 5 | sweep | ? told(5, "entered") == 1
        ? [x.detail for x in messages("blocked_pairs")] == ["1-2"]""",
    "without a director the channel is told and the event goes on": """
        swiss 4
        left_server 500 | sweep | ? troubles == [(None, "director_left")]
        play""",
    "lost permissions are told once and the event goes on": """
        swiss 4 | fails home refused 50 | win 1.1"""
    + "| wait 11m | sweep" * 4
    + '| ? troubles == [(500, "home_gone")] | mends | play',
    "where no director is there the server is told, also where nothing can be posted at home": """
        swiss 4 | away 500 | fails home gone 2 | win 1.1"""
    + "| wait 11m | sweep" * 3
    + '| ? troubles == [(None, "home_gone")]',
    "a home that is there again is not called gone": """
        swiss 0
        fails home gone 1 | fails trouble retry 50 | sweep | ? stored.home_gone
        join 1 | wait 1h | sweep | wait 1h | sweep | ? not stored.home_gone
        mends | wait 1h | sweep | ? troubles == []""",
    "when Discord is down as a round begins all are told once it is back": """
        swiss 0
        join 1 2 3 4 | until begins
        fails home retry 200 | fails round retry 200 | threads 0s 4
        sweep | wait 5s | sweep | wait 5s | sweep | wait 5s
        ? (told(None, "round"), len(t.rounds)) == (0, 1)
        mends"""
    + "| wait 2m | sweep" * 30
    + """| ? [told(user, "round") for user in (1, 2, 3, 4)] == [1] * 4
        ? all(x.has_begun for x in t.games.values())
        play""",
    "blocked pairs are told to directors alone": """
        swiss 0
        block 2 1 | join 1 3 2 | sweep
        ? [(x.user_id, x.detail) for x in messages("blocked_pairs")] == [(500, "1-3")]""",
    "the home message links to a thread as soon as there is one, and where it moves": """
        round_robin 2
        wait 5s | sweep
        ? matches["1.1"].home_id
        ? views("home")[-1].matches["1.1"].channel_id == matches["1.1"].home_id
        thread_moves 1.1 77 | wait 5s | sweep
        ? views("home")[-1].matches["1.1"].channel_id == 77""",
}
LATE = {
    "tables": "tables 9 final_table | play | ? views('finished')[0].champion == (1,)",
    "games lost on time together put nobody out before the warning could be read": """
        round_robin 6 at_once=3
        move 3.2 | wait 1d | wait 1m | sweep | sweep | sweep | ? t.entrants[0].time_losses >= 2
        ? (t.entrants[0].is_active, told(1, "warned")) == (True, 1)
        wait 1d | wait 1m | sweep | sweep | sweep
        ? (t.entrants[0].is_active, told(1, "withdrawn")) == (False, 1)
        play""",
    "an event nobody plays in still ends on its day": """
        swiss 4 untimed
        unplayed | ? (status, len(t.rounds), now <= t.finish) == ("finished", 3, True)
        ? {(x.how, *x.points) for x in t.games.values()} == {(How.UNFINISHED, 0.5, 0.5)}
        ? {x.status.value for x in matches.values()} == {"finished"}
        ? told(1, "unfinished") == 3""",
    "who resigned from an unfinished table gets no share of it, though no score decides": """
        tables 4 rounds=1 untimed
        open 1.1 | resign 1.1 1 | until round | sweep
        ? (t.games["1.1"].how, points("1.1")) == (How.UNFINISHED, "7/3:0:7/3:7/3")
        ? matches["1.1"].result.winners == (0, 2, 3)""",
    **{
        f"a player whose time runs out at a table that goes on, {how.lower()}, lost on time": f"""
        tables 4 rounds=1
        open 1.1 | wait 1d | wait 1m | sweep | ? matches["1.1"].retired == (0,)
        {steps} | run
        ? (t.games["1.1"].how, t.games["1.1"].late) == (How.{how}, (0,))
        ? t.games["1.1"].points[0] == 0
        ? [(x.time_losses, x.is_warned) for x in t.entrants] == [(1, True)] + [(0, False)] * 3
        ? told(1, "warned") == 1"""
        for how, steps in (
            ("PLAYED", "move 1.1" + "| move 1.1" * 59),
            ("UNFINISHED", "until round"),
        )
    },
    "an arena pairs free players and ends on the minute; games that go on count for nothing": (
        "arena 5 late_entry | ? len(t.pending) == 2"
        + "| win first | wait 10s | sweep" * 6
        + """| ? len(t.games) == 8
        join 6 | sweep | ? len(t.pending) == 3
        until finish | run | wait 5s | run
        ? (status, told(None, "finished")) == ("finished", 1)
        ? sorted(x.user_id for x in messages("unfinished") if x.user_id) == [1, 2, 3, 4, 5, 6]
        ? [x.status.value for x in matches.values()].count("running") == 3"""
    ),
    "a ladder has challenges, refusals and players who sink": """
        ladder 5 late_entry
        challenge 5 1 ! challenge_far | challenge 4 1 | sweep | ? told(1, "challenged") == 1
        challenge 3 1 ! challenge_busy | accept 1 4 | sweep
        ? [x.detail for x in messages("answered")] == ["4"]
        won first 4 | sweep | ? t.by_rung == (4, 1, 2, 3, 5)
        ? [(x.entrant, x.before, x.after) for x in t.climbs] == [(4, 4, 1)]
        challenge 3 2 | decline 2 3 | challenge 3 2 | wait 3d | wait 1m | sweep
        ? (t.by_rung, told(2, "answered")) == ((4, 1, 3, 2, 5), 2)
        ? [x.entrant for x in t.climbs] == [3, 4]
        accept 2 3 ! no_challenge | ? may_challenge(2) == (4, 1, 3)
        wait 20d | challenge 5 2 | accept 2 5 | sweep | won first 5 | sweep
        ? (t.by_rung, told(None, "sunk")) == ((4, 1, 3, 5, 2), 0)
        wait 11d | sweep | ? t.by_rung == (5, 4, 1, 3, 2)
        ? [x for x in range(1, 6) if told(x, "sunk")] == [1, 3, 4]""",
    "each challenge of a place is closed where its player reads it": """
        ladder 4
        challenge 2 1 | sweep | replace 1 9 | sweep | cancel | sweep
        ? [user for user, _ in sent("challenged")] == [1, 9]
        ? [(x.user_id, x.shown) for x in messages("answered")] == sent("challenged")""",
    "an event that no pairing carries on ends": """
        swiss 4
        engine none 1 | play | ? (len(t.rounds), troubles) == (1, [(500, "no_pairing")])""",
}
LIMITED = {
    "an arena tells of waiting games once, not once a wave": (
        Limits(running_in_server=2),
        "arena 8" + "| win first | wait 10s | sweep" * 5 + '| ? troubles == [(500, "waiting")]',
    ),
    "a server that is full makes games wait": (
        Limits(running_in_server=3),
        """round_robin 4 | ? len(matches) == 3
        win first | sweep | ? len(matches) == 4""",
    ),
    "games wait for a thread, which is told once, also after restarts": (
        Limits(threads_an_hour=2),
        """round_robin 4 | ? (len(matches), len(view.waiting)) == (2, 4)
        ? view.wait == views("round")[0].wait == Wait(t.begins + timedelta(hours=1))
        ? troubles == [(500, "waiting")]"""
        + "| wait 1h | wait 1m | restart | sweep" * 4
        + "| ? (len(matches), len(troubles)) == (6, 1)",
    ),
    "games of a live event do not wait for a thread but go to direct messages": (
        Limits(threads_an_hour=2),
        """round_robin 4 clock=5m+3s no_show=3m | ? troubles == [(500, "no_threads")]
        ? [x.venue for x in matches.values()].count(Venue.DIRECT) == 4""",
    ),
    "a game begins when it was said to begin": (
        Limits(threads_an_hour=1),
        """ladder 3 | challenge 2 1 | accept 1 2 | ? view.wait == None
        sweep | win first 1 | wait 10m | sweep | challenge 3 2 | accept 2 3
        ? view.wait == Wait(now + timedelta(minutes=50))
        sweep | wait 49m | wait 59s | sweep | ? len(view.waiting) == 1
        wait 1m | sweep | ? len(view.waiting) == 0 | ? len(matches) == 2""",
    ),
    "limits that protect people from strangers do not hold an event back": (
        Limits(open_offers=0, offers_to_one=0, running=1, rated_with_one=0),
        "round_robin 4 rated | ? len(matches) == 6",
    ),
}


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        *(pytest.param(None, text, id=name) for name, text in ENDS.items()),
        *(pytest.param(None, text, id=name, marks=pytest.mark.long) for name, text in LATE.items()),
        *(
            pytest.param(limits, text, id=name, marks=[pytest.mark.long] * ("view." in text))
            for name, (limits, text) in LIMITED.items()
        ),
        pytest.param(
            None,
            """swiss 0 | engine late 4 | join 1 2 3 4 | until begins | sweep
            ? troubles == [(500, "pairing_fails")]"""
            + "| wait 1m | wait 1s | restart | sweep" * 4
            + "| ? (len(t.rounds), len(troubles)) == (1, 1)",
            id="an engine that fails is told once and asked again",
            marks=[pytest.mark.long, pytest.mark.logs_errors],
        ),
    ],
)
async def test_what_goes_wrong_has_an_end(store: Store, limits: Limits | None, text: str) -> None:
    await Hall(store, limits=limits).told(text)


@pytest.mark.long
async def test_troubles_are_told_to_the_directors_who_are_there_and_else_to_the_server(
    hall: Hall,
) -> None:
    id_ = await hall.told("swiss 4 | appoint 501 | appoint 502")
    for left, to in ((set(), {500, 501, 502}), ({500, 502}, {501}), ({500, 501, 502}, {None})):
        for kind in (MessageKind.TROUBLE, MessageKind.BLOCKED_PAIRS):
            hall.left |= left
            del hall.announcer.told[:]
            await hall.desk.tell_directors(id_, kind, TournamentTrouble.PAIRING_FAILS.value)
            await hall.sweep()
            assert {m.user_id for m, _ in hall.announcer.told if m.kind is kind} == to


@pytest.mark.long
async def test_a_league_begins_its_next_season_by_itself(hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.ROUND_ROBIN, 6, division=3, promoted=1, at_once=1)
    await hall.play_out(id_, Random(5))
    before = await hall.stored(id_)
    assert before.next is not None
    t = await hall.check(before.next)
    assert (t.setup.season, len(t.active)) == (2, 6)
    told = {m.user_id: m.detail for m, _ in hall.announcer.told if m.kind is MessageKind.SEASON}
    places = FORMATS[FormatKey.ROUND_ROBIN].places(before.tournament)
    last = next(each for each in reversed(places) if each.division == 1)
    first = next(each for each in places if each.division == 2)
    moved = {last.number: "fallen", first.number: "risen"}
    assert told == {user: moved.get(user, "") for user in range(1, 7)}
    await hall.runner.carry_on(id_)
    assert (await hall.stored(id_)).next == before.next
    hall.clock.at = t.begins
    await hall.sweep()
    games = [each.game for each in (await hall.head(before.next)).games.values()]
    divisions = [{n for x in games if x.division == part for n in x.players} for part in (1, 2)]
    assert divisions == [{1, 2, 3}, {4, 5, 6}], "by the order in which they were entered"


@both
async def test_two_processes_draw_the_same_round_once(store: Store) -> None:
    one = Hall(store)
    id_ = await one.create(a_setup(FormatKey.SWISS))
    await one.join(id_, *range(1, 5))
    halls = [one, *(Hall(store, one.clock, seed=seed) for seed in (8, 9))]
    one.clock.at = (await one.head(id_)).begins
    for _ in range(4):
        await asyncio.gather(*(hall.runner.sweep() for hall in halls))
        t = await one.check(id_)
        last = t.in_round(len(t.rounds))
        assert len(last) == 2
        assert all(each.has_begun for each in last)
        # The announcements wait for the threads that the first of these makes.
        for _ in range(2):
            one.clock.forward(seconds=5)
            await asyncio.gather(*(hall.worker.drain() for hall in halls))
        for played in t.pending:
            await one.win(id_, played.game.id)
    assert t.status is TournamentStatus.FINISHED
    assert len(t.games) == 6
    told = [kind for hall in halls for kind in hall.announcer.kinds()]
    assert told.count(MessageKind.FINISHED) == 1
    assert told.count(MessageKind.ROUND) == 12


@both_in_soak
async def test_who_has_their_data_erased_is_out_and_named_nowhere(store: Store, hall: Hall) -> None:
    anna = 1573756194198126592
    id_ = await hall.told(f"round_robin 0 | join {anna} 2 3 4 | until begins | sweep")
    await hall.service.direct(
        Visitor(person(anna), manages=True),
        id_,
        acts.Extend(1, "", hall.clock.at + timedelta(days=150)),
        interaction_id=hall.club.click(),
        reason="Anna says so",
    )
    privacy = PrivacyService(store, hall.club.service, hall.clock, Random(3), hall.service)
    held: Any = await store.read(held_about, UserId(anna), hall.clock.now())
    assert len(held["tournament_entrants"]) == 1
    assert {row["kind"] for row in held["tournament_events"]} == {"entered", "extended"}
    assert (await privacy.erase(UserId(anna))).resigned == 3
    await hall.sweep()
    first = (await hall.check(id_)).entrants[0]
    assert not first.is_active
    assert (first.user_id or 0) < 0
    left = await store.read(held_about, UserId(anna), hall.clock.now())
    assert not any(left[key] for key in held if "tournament" in key)
    history = await store.read(tournament_reading.history, id_)
    assert not [each for each in history if anna in (each.user_id, each.subject_id)]
    assert not [each for each in history if "Anna" in each.note]
    await hall.tell(id_, "play")


@both_in_soak
async def test_a_damaged_tournament_is_set_aside_and_goes_on_once_it_holds(
    store: Store, hall: Hall
) -> None:
    # Before the other event begins another day passes.
    id_ = await hall.begun(FormatKey.SWISS, 4, no_show=timedelta(days=2), clock="3d/move")
    other = await hall.begun(FormatKey.SWISS, 4)
    verify = partial(set_damaged_aside, store, hall.clock)
    await verify()

    async def change(rating: str) -> None:
        damage = f"UPDATE tournament_entrants SET rating = {rating}"
        damage = f"{damage} WHERE tournament_id = '{id_}' AND number = 2"
        await store.database.write(lambda c: c.execute(sql(damage)) and None)

    await change("1999")
    assert [x.error.code for x in (await verify_tournaments(store)).problems] == ["head"]
    logging.disable(logging.ERROR)
    try:
        await verify()
    finally:
        logging.disable(logging.NOTSET)
    with pytest.raises(UserError, match="tournament_damaged"):
        await hall.direct(id_, acts.Pause())
    await hall.direct(other, acts.Pause())
    await hall.win(id_, "1.1")
    await hall.sweep()
    assert not (await hall.head(id_)).games["1.1"].is_over
    await change("NULL")
    await verify()
    await hall.tell(id_, 'sweep | ? t.games["1.1"].is_over')


@pytest.mark.parametrize("form", list(FormatKey))
async def test_a_rehearsal_tells_everything_and_stores_nothing(hall: Hall, form: FormatKey) -> None:
    setup = a_setup(form, late_entry=form in (FormatKey.ARENA, FormatKey.LADDER))
    shown = await hall.service.rehearse(Visitor(DIRECTOR), PLACE, setup)
    kinds = [each.message.kind for each in shown]
    assert {kinds[0], *kinds} >= {MessageKind.HOME, MessageKind.FINISHED}
    assert kinds[0] is MessageKind.HOME
    assert shown[0].view.tournament.is_open, "first what players see who may join"
    last = shown[-1].view
    assert not any(is_computer(each.user_id) for each in last.tournament.entrants)
    assert last.tournament.status is TournamentStatus.FINISHED
    assert last.champion
    assert await hall.store.read(tournament_reading.of_server, GUILD) == ()


async def test_who_has_left_is_found_out_before_the_first_round_and_every_day(
    store: Store, hall: Hall
) -> None:
    hall.left = {5}
    hall.unsure = {9}
    watch = MemberWatch(store, hall.service, hall.clock, hall.is_member)
    id_ = await hall.told("swiss 0 | join 1 2 3 4 5 9")
    assert await watch.sweep() == 0, "it is early"
    await hall.tell(id_, "until begins-30m")
    assert [await watch.sweep(), await watch.sweep()] == [1, 0]
    await hall.tell(
        id_, "? [x.user_id for x in t.active] == [1, 2, 3, 4, 9] | until begins | sweep"
    )
    hall.left = {2}
    hall.clock.forward(hours=23)
    assert await watch.sweep() == 0
    hall.clock.forward(hours=2)
    assert await watch.sweep() == 1
    await hall.tell(id_, "? [x.user_id for x in t.active] == [1, 3, 4, 9]")


@pytest.mark.long
async def test_the_announcement_of_a_large_round_waits_for_its_last_matches(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = await hall.told("swiss 0 | join 1 2 3 4 | until begins")

    async def none_yet(*_: object) -> Beginning:
        return Beginning()

    with monkeypatch.context() as slow:
        slow.setattr(hall.games, "begin", none_yet)
        await hall.tell(id_, "sweep | ? len(t.games) == 2")
        await hall.tell(id_, 'wait 6s | drain | ? told(None, "round") == 0')
    await hall.tell(
        id_,
        """wait 1m | sweep | wait 2s | sweep
        ? [len(x.matches) for x in views("round")] == [2] * 4""",
    )
