"""Troubles in an event have a defined end, and people are told."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from bot.domain.computers import is_computer
from bot.domain.ids import ChannelId, UserId
from bot.domain.match import Place, Venue
from bot.errors import UserError
from bot.posts.outgoing import TOURNAMENT
from bot.privacy.services import PrivacyService
from bot.services.pairing import Limits
from bot.store import Store, match_feed, standing
from bot.tournaments.domain import acts, challenges
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.formats.catalog import FORMATS
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.swiss_pairing import PairingFailed
from bot.tournaments.domain.tournament import TournamentStatus
from bot.tournaments.posts import MessageKind, TournamentTrouble
from bot.tournaments.services.games import Beginning
from bot.tournaments.services.members import MemberWatch
from bot.tournaments.services.verifying import TournamentVerifier, verify_tournaments
from bot.tournaments.services.views import Visitor, Wait
from bot.tournaments.store import reading as tournament_reading
from tests.support.databases import both, both_in_soak
from tests.support.kit import GUILD, head, person
from tests.support.not_none import not_none
from tests.tournaments.kit import DIRECTOR, Hall, a_setup


@pytest.mark.long
async def test_games_lost_on_time_together_put_nobody_out_before_the_warning_could_be_read(
    hall: Hall,
) -> None:
    id_ = await hall.begun(FormatKey.ROUND_ROBIN, 6, at_once=3)
    for played in (await hall.head(id_)).of_entrant(1):
        if played.has_begun and played.game.players[0] != 1:
            await hall.move(id_, played.game.id)
    sweeps = "wait 1d | wait 1m | sweep | sweep | sweep"
    await hall.tell(
        id_,
        f"{sweeps} | ? t.entrants[0].time_losses >= 2",
        '? t.entrants[0].is_active | ? told(1, "warned") == 1',
        f'{sweeps} | ? not t.entrants[0].is_active | ? told(1, "withdrawn") == 1 | play',
    )


@pytest.mark.long
async def test_an_event_nobody_plays_in_still_ends_on_its_day(hall: Hall) -> None:
    id_ = await hall.told("swiss 4", clock=None)
    while (due := (await hall.stored(id_)).due_at) is not None:
        hall.clock.at = max(due, hall.clock.at)
        await hall.sweep()
    await hall.tell(
        id_,
        """? status == "finished"
        ? len(t.rounds) == 3
        ? {(x.how, *x.points) for x in t.games.values()} == {(How.UNFINISHED, 0.5, 0.5)}
        ? {x.status.value for x in matches.values()} == {"finished"}
        ? told(1, "unfinished") == 3""",
    )
    assert hall.clock.at <= (await hall.head(id_)).finish


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        pytest.param(limits, text, id=name)
        for name, limits, text in (
            (
                "the score on the board decides a table where the event says so",
                None,
                """tables 4 rounds=1 unfinished=score | open 1.1 | until finish | sweep
                ? t.games["1.1"].how in (How.UNFINISHED, How.TIME)
                ? sum(t.games["1.1"].points) == 7""",
            ),
            (
                "too few entrants cancel an event, and they and the director are told",
                None,
                """knockout 0 third_place | join 1 | wait 1d | sweep
                ? status == "cancelled"
                ? told(1, "cancelled") == 1
                ? kinds(500) == ["cancelled"]""",
            ),
            (
                "a director who plays hears of it once",
                None,
                """knockout 0 third_place | join 500 | wait 1d | sweep
                ? kinds(500) == ["cancelled"]""",
            ),
            (
                "a player who is excluded has lost what runs, and the others win",
                None,
                """round_robin 3 | exclude 1 | sweep
                ? t.entrants[0].standing.value == "excluded"
                ? {x.points[x.game.players.index(1)] for x in t.of_entrant(1)} == {0}
                ? {matches[x.game.id].status.value for x in t.of_entrant(1)} == {"finished"}
                ? told(2, "forfeited") == 1""",
            ),
            ("fewer than the most may play", None, 'swiss 3 most=8 | ? status == "running"'),
            (
                "a challenge is closed when a player leaves or the ladder ends",
                None,
                """ladder 5 | challenge 2 1 | challenge 4 3 | leaves 2 | sweep
                ? told(1, "answered") == 1
                cancel | sweep | ? told(3, "answered") == 1
                wait 1s | undo | sweep | ? kinds(3)[-2:] == ["revived", "challenged"]
                until finish | sweep | ? told(3, "answered") == 2
                ? kinds(4)[-1] == "declined"
                ? told(2, "declined") == 0
                ? t.climbs == ()""",
            ),
            (
                "an arena tells of waiting games once, not once a wave",
                Limits(running_in_server=2),
                "arena 8"
                + "| win first | wait 10s | sweep" * 5
                + '| ? troubles == [(500, "waiting")]',
            ),
            (
                "a server that is full makes games wait",
                Limits(running_in_server=3),
                """round_robin 4 | ? len(matches) == 3
                win first | sweep | ? len(matches) == 4""",
            ),
            (
                "a deleted home channel is told and games go to direct messages",
                None,
                """swiss 0 | fails home gone 1 | sweep | join 1 2 3 4 | until begins | sweep
                ? troubles == [(500, "home_gone")]
                ? matches["1.1"].venue == Venue.DIRECT""",
            ),
            (
                "directors hear once of a round in which players kept apart meet",
                None,
                """swiss 0 rounds=3 | join 1 2 3 4 | part 1,2,3,4 1 | until begins
                sweep | wait 5s | sweep | wait 5s | sweep
                ? troubles == [(500, "gave_way")]
                ? len(met(1)) == 2
                win_all | sweep | ? len(t.rounds) == 2
                ? len(troubles) == 1""",
            ),
            (
                "an event whose hour was missed begins late and keeps its day",
                None,
                """swiss 0 | join 1 2 3 4 | until begins | wait 60d | sweep
                ? now < t.rounds[0].until < t.finish
                ? not any(x.is_over for x in t.games.values())""",
            ),
            (
                "an event whose last day was missed is cancelled",
                None,
                'swiss 0 | join 1 2 3 | until finish | wait 1d | sweep | ? status == "cancelled"',
            ),
            (
                "the announcement of a round waits for slow threads, but not for long",
                None,
                """round_robin 0 | threads 20s 1 | join 1 2 | until begins | sweep | wait 6s | sweep
                ? told(None, "round") == 0
                wait 15s | sweep | wait 2s | sweep | ? told(None, "round") == 2
                ? all(view.matches["1.1"].channel_id for view in views("round"))""",
            ),
            (
                "a round is announced with its matches, and not once it is over",
                None,
                """round_robin 0 | join 1 2 | asleep 2 -1 2 | until begins | sweep
                ? told(None, "round") == 0
                wait 5s | sweep | ? told(1, "round") == 1
                ? [{*x.matches} == {*x.tournament.games} for x in views("round")] == [True]
                ? [x.waiting for x in views("round")] == [()]
                play | wait 3h | sweep | ? told(2, "round") == 0""",
            ),
            (
                "a player who sleeps through a round hears of the next one alone",
                None,
                """swiss 0 | join 1 2 3 4 | asleep 2 0 3 | until begins | sweep | wait 5s | sweep
                win_all | sweep | ? len(t.rounds) == 2
                wait 3h | sweep | wait 5s | sweep
                ? told(2, "round") == 1
                ? (2, t.rounds[1].drawn) in {(x.user_id, x.version) for x in messages("round")}""",
            ),
            (
                "a round whose threads do not come is announced without them",
                None,
                """round_robin 0 | threads 600s 1 | join 1 2 | until begins | sweep
                wait 61s | sweep | ? told(None, "round") == 2""",
            ),
            (
                "where nobody may have the bye, one player sits out, once",
                None,
                """swiss 0 | engine none 1 | join 1 2 3 4 5 | until begins | sweep | wait 5s | sweep
                ? t.rounds[0].byes == {t.seeding[-1]: Kind.HALF_BYE}
                ? told(t.seeding[-1], "round") == 1
                play | ? len(t.rounds) == 3
                ? [k for x in t.rounds[1:] for k in x.byes.values() if k is Kind.HALF_BYE] == []""",
            ),
            (
                "when all have withdrawn the end is announced once, with games won but no places",
                None,
                "swiss 4 | leaves 1 | leaves 2 | leaves 3 | leaves 4"
                + "| wait 1d | wait 1m | sweep" * 3
                + """| ? status == "finished"
                ? [x.standings[0].points > 0 for x in views("finished")] == [True]
                ? [(x.champion, x.has_places) for x in views("finished")] == [((), False)]""",
            ),
            (
                "that a director has left is told once",
                None,
                "swiss 4 | appoint 501"
                + "| left_server 500 | sweep" * 3
                + '| ? troubles == [(501, "director_left")]',
            ),
            (
                "lost permissions are told once and the event goes on",
                None,
                "swiss 4 | fails home refused 50 | win 1.1"
                + "| wait 11m | sweep" * 4
                + '| ? troubles == [(500, "home_gone")] | mends | play',
            ),
            (
                "a home that is there again is not called gone",
                None,
                """swiss 0 | fails home gone 1 | fails trouble retry 50 | sweep | ? stored.home_gone
                join 1 | wait 1h | sweep | wait 1h | sweep | ? not stored.home_gone
                mends | wait 1h | sweep | ? troubles == []""",
            ),
            (
                "when Discord is down as a round begins all are told once it is back",
                None,
                """swiss 0 | join 1 2 3 4 | until begins
                fails home retry 200 | fails round retry 200 | threads 0s 4
                sweep | wait 5s | sweep | wait 5s | sweep | wait 5s
                ? told(None, "round") == 0
                ? len(t.rounds) == 1
                mends"""
                + "| wait 2m | sweep" * 30
                + """| ? [told(user, "round") for user in (1, 2, 3, 4)] == [1] * 4
                ? all(x.has_begun for x in t.games.values())
                play""",
            ),
        )
    ],
)
async def test_what_goes_wrong_has_an_end(store: Store, limits: Limits | None, text: str) -> None:
    await Hall(store, limits=limits).told(text)


@pytest.mark.long
async def test_who_resigned_from_an_unfinished_table_gets_no_share_of_it(
    store: Store, hall: Hall
) -> None:
    """The rule for unfinished games is the usual one, by which no score decides."""
    await hall.told(
        """tables 4 rounds=1 | open 1.1 | resign 1.1 1 | until round | sweep
        ? (t.games["1.1"].how, points("1.1")) == (How.UNFINISHED, "7/3:0:7/3:7/3")
        ? matches["1.1"].result.winners == (0, 2, 3)""",
        clock=None,
    )
    assert (await verify_tournaments(store)).problems == ()


@pytest.mark.long
@pytest.mark.parametrize(
    ("steps", "how"),
    [(("move 1.1",) * 60, How.PLAYED), (("until round",), How.UNFINISHED)],
    ids=("played", "unfinished"),
)
async def test_a_player_whose_time_runs_out_at_a_table_that_goes_on_has_lost_on_time(
    store: Store, hall: Hall, steps: tuple[str, ...], how: How
) -> None:
    id_ = await hall.told("tables 4 rounds=1 | open 1.1 | wait 1d | wait 1m | sweep")
    assert (await hall.match_of(id_, "1.1")).retired == (0,)
    await hall.tell(id_, *steps, "run")
    t = await hall.head(id_)
    played = t.games["1.1"]
    assert (played.how, played.late, played.points and played.points[0]) == (how, (0,), 0)
    late = UserId(int((await hall.match_of(id_, "1.1")).players[0] or 0))
    losses = {(x.user_id == late, x.time_losses, x.is_warned) for x in t.entrants}
    assert losses == {(True, 1, True), (False, 0, False)}
    assert MessageKind.WARNED in hall.announcer.kinds(late)
    assert (await verify_tournaments(store)).problems == ()


@pytest.mark.long
async def test_an_arena_pairs_free_players_and_ends_on_the_minute(hall: Hall) -> None:
    """Games go on at the end, and count for nothing there."""
    await hall.told(
        "arena 5 late_entry | ? len(t.pending) == 2"
        + "| win first | wait 10s | sweep" * 6
        + """| ? len(t.games) == 8
        join 6 | sweep | ? len(t.pending) == 3
        until finish | run | wait 5s | run
        ? status == "finished"
        ? told(None, "finished") == 1
        ? sorted(x.user_id for x in messages("unfinished") if x.user_id) == [1, 2, 3, 4, 5, 6]
        ? [x.status.value for x in matches.values()].count("running") == 3"""
    )


@pytest.mark.long
async def test_a_ladder_has_challenges_refusals_and_players_who_sink(hall: Hall) -> None:
    id_ = await hall.told(
        """ladder 5 late_entry | challenge 5 1 ! challenge_far
        challenge 4 1 | sweep | ? told(1, "challenged") == 1
        challenge 3 1 ! challenge_busy
        accept 1 4 | sweep
        ? [x.detail for x in messages("answered")] == ["4"]
        won first 4 | sweep | ? t.by_rung == (4, 1, 2, 3, 5)
        ? [(x.entrant, x.before, x.after) for x in t.climbs] == [(4, 4, 1)]
        challenge 3 2 | decline 2 3 | challenge 3 2 | wait 3d | wait 1m | sweep
        ? t.by_rung == (4, 1, 3, 2, 5)
        ? told(2, "answered") == 2
        ? [x.entrant for x in t.climbs] == [3, 4]
        accept 2 3 ! no_challenge"""
    )
    view = await hall.service.tournament(Visitor(person(2)), id_)
    assert challenges.may_challenge(view.tournament, hall.clock.now(), 2) == (4, 1, 3)
    await hall.tell(id_, "wait 20d | challenge 5 2 | accept 2 5 | sweep | won first 5 | sweep")
    was = (await hall.head(id_)).by_rung
    await hall.tell(id_, '? told(None, "sunk") == 0 | wait 11d | sweep')
    now = (await hall.head(id_)).by_rung
    sunk = {each for at, each in enumerate(now) if at > was.index(each)}
    assert sunk
    assert {x for x in was if MessageKind.SUNK in hall.announcer.kinds(x)} == sunk
    assert now.index(5) < now.index(3)


@pytest.mark.long
async def test_each_challenge_of_a_place_is_closed_where_its_player_reads_it(
    store: Store, hall: Hall
) -> None:
    """A substitute's own message and that of the player before them are two."""
    id_ = await hall.begun(FormatKey.LADDER, 4)
    await hall.challenge(2, id_, 1)
    await hall.sweep()
    ((_, first),) = await store.read(standing.noted_places, "challenge:")
    await hall.direct(id_, acts.Replace(1, UserId(9)))
    await hall.sweep()
    ((_, second),) = await store.read(standing.noted_places, "challenge:")
    assert first != second
    await hall.direct(id_, acts.Cancel())
    await hall.sweep()
    closed = [m for m, _ in hall.announcer.told if m.kind is MessageKind.ANSWERED]
    assert [(each.user_id, each.shown) for each in closed] == [(1, first), (9, second)]


@pytest.mark.long
async def test_a_league_begins_its_next_season_by_itself(hall: Hall) -> None:
    id_ = await hall.begun(
        FormatKey.ROUND_ROBIN, 6, division=3, promoted=1, at_once=1, clock="1d/move"
    )
    await hall.play_out(id_, Random(5))
    before = await hall.stored(id_)
    assert before.next is not None
    t = await hall.check(before.next)
    assert (t.setup.season, len(t.active)) == (2, 6)
    told = {m.user_id: m.detail for m, _ in hall.announcer.told if m.kind is MessageKind.SEASON}
    last, first = (
        next(each for each in places if each.division == number)
        for number, places in (
            (1, FORMATS[FormatKey.ROUND_ROBIN].places(before.tournament)[::-1]),
            (2, FORMATS[FormatKey.ROUND_ROBIN].places(before.tournament)),
        )
    )
    moved = {last.number: "fallen", first.number: "risen"}
    assert told == {user: moved.get(user, "") for user in range(1, 7)}
    await hall.runner.carry_on(id_)
    assert (await hall.stored(id_)).next == before.next
    hall.clock.at = t.begins
    await hall.sweep()
    drawn = await hall.head(before.next)
    divisions = [
        {n for g in drawn.games.values() if g.game.division == number for n in g.game.players}
        for number in (1, 2)
    ]
    assert divisions == [{1, 2, 3}, {4, 5, 6}], "by the order in which they were entered"


@both
async def test_two_processes_draw_the_same_round_once(store: Store) -> None:
    one = Hall(store)
    id_ = await one.create(a_setup(FormatKey.SWISS))
    await one.join(id_, *range(1, 5))
    halls = [one, *(Hall(store, one.clock, seed=seed) for seed in (8, 9))]
    one.clock.at = (await one.head(id_)).begins
    for _ in range(3):
        await asyncio.gather(*(hall.runner.sweep() for hall in halls))
        t = await one.check(id_)
        assert len(t.in_round(len(t.rounds))) == 2
        assert all(each.has_begun for each in t.in_round(len(t.rounds)))
        # The announcements wait for the threads that the first of these makes.
        for _ in range(2):
            one.clock.forward(seconds=5)
            await asyncio.gather(*(hall.worker.drain() for hall in halls))
        for played in t.in_round(len(t.rounds)):
            await one.win(id_, played.game.id)
    await asyncio.gather(*(hall.runner.sweep() for hall in halls))
    t = await one.check(id_)
    assert t.status is TournamentStatus.FINISHED
    assert len(t.games) == 6
    one.clock.forward(seconds=5)
    await asyncio.gather(*(hall.worker.drain() for hall in halls))
    told = [kind for hall in halls for kind in hall.announcer.kinds()]
    assert told.count(MessageKind.FINISHED) == 1
    assert told.count(MessageKind.ROUND) == 12


@both_in_soak
async def test_who_has_their_data_erased_is_out_and_named_nowhere(store: Store, hall: Hall) -> None:
    anna = 1573756194198126592
    id_ = await hall.create(a_setup(FormatKey.ROUND_ROBIN, now=hall.clock.at))
    await hall.join(id_, anna, 2, 3, 4)
    hall.clock.forward(days=1)
    await hall.sweep()
    await hall.service.direct(
        Visitor(person(anna), manages=True),
        id_,
        acts.Extend(1, hall.clock.at + timedelta(days=150)),
        interaction_id=hall.club.click(),
        reason="Anna says so",
    )
    privacy = PrivacyService(store, hall.club.service, hall.clock, Random(3), hall.service)
    held: Any = await privacy.export(UserId(anna))
    assert len(held["tournament_entrants"]) == 1
    assert {row["kind"] for row in held["tournament_events"]} == {"entered", "extended"}
    report = await privacy.erase(UserId(anna))
    assert report.resigned == 3
    await hall.sweep()
    t = await hall.check(id_)
    assert not t.entrants[0].is_active
    assert (t.entrants[0].user_id or 0) < 0
    left = await privacy.export(UserId(anna))
    assert not any(left[key] for key in held if "tournament" in key)
    history = await store.read(tournament_reading.history, id_)
    assert not [each for each in history if anna in (each.user_id, each.subject_id)]
    assert not [each for each in history if "Anna" in each.note]
    await hall.play_out(id_)
    assert (await verify_tournaments(store)).problems == ()


@pytest.mark.long
async def test_games_wait_for_a_thread_or_go_to_direct_messages(store: Store) -> None:
    hall = Hall(store, limits=Limits(threads_an_hour=2))
    id_ = await hall.begun(FormatKey.ROUND_ROBIN, 4)
    t = await hall.head(id_)
    assert sum(each.has_begun for each in t.games.values()) == 2
    view = await hall.service.tournament(Visitor(person(1)), id_)
    assert len(view.waiting) == 4
    began = t.begins
    assert view.wait == Wait(began + timedelta(hours=1)), "when the first of two is an hour old"
    notice = next(
        view for m, view in hall.announcer.told if m.kind is MessageKind.ROUND and m.user_id == 1
    )
    assert notice.wait == view.wait
    told = [(m.user_id, m.detail) for m, _ in hall.announcer.told if m.kind is MessageKind.TROUBLE]
    assert told == [(DIRECTOR.user_id, TournamentTrouble.WAITING.value)]
    for _ in range(4):
        hall.clock.forward(hours=1, minutes=1)
        # After a restart nobody hears of it again.
        hall = hall.restarted()
        await hall.sweep()
    assert MessageKind.TROUBLE not in hall.announcer.kinds()
    assert all(each.has_begun for each in (await hall.head(id_)).games.values())
    quick = await hall.begun(FormatKey.ROUND_ROBIN, 4, clock="5m+3s", no_show=timedelta(minutes=3))
    stored = await hall.stored(quick)
    venues = [(await head(store, each)).venue for each in stored.matches.values()]
    assert len(venues) == 6
    assert venues.count(Venue.DIRECT) >= 4
    details = [m.detail for m, _ in hall.announcer.told if m.kind is MessageKind.TROUBLE]
    assert details == [TournamentTrouble.NO_THREADS.value]


@pytest.mark.long
async def test_a_game_begins_when_it_was_said_to_begin(store: Store) -> None:
    hall = Hall(store, limits=Limits(threads_an_hour=1))
    id_ = await hall.begun(FormatKey.LADDER, 3)
    for challenger, challenged in ((2, 1), (3, 2)):
        await hall.challenge(challenger, id_, challenged)
        view = await hall.answer(challenged, id_, challenger, accept=True)
        if challenger == 2:
            assert view.wait is None, "there is room: its board is on the way"
            await hall.sweep()
            await hall.win(id_, next(iter((await hall.stored(id_)).matches)), 1)
            hall.clock.forward(minutes=10)
            await hall.sweep()
    assert view.wait is not None
    assert view.wait.until is not None
    await hall.sweep()
    waiting = (await hall.service.tournament(Visitor(person(3)), id_)).waiting
    assert len(waiting) == 1
    hall.clock.at = view.wait.until - timedelta(seconds=1)
    await hall.sweep()
    assert not (await hall.head(id_)).games[waiting[0]].has_begun
    hall.clock.forward(minutes=1, seconds=1)
    await hall.sweep()
    assert (await hall.head(id_)).games[waiting[0]].has_begun


async def test_a_home_message_of_a_live_event_is_looked_for_every_minute(hall: Hall) -> None:
    patient: dict[str, Any] = {"clock": "30m+3s", "no_show": timedelta(minutes=30)}
    id_ = await hall.begun(FormatKey.ARENA, 2, **patient)
    await hall.sweep()
    before = hall.announcer.looked
    for looks in (1, 2):
        hall.clock.forward(minutes=1)
        await hall.sweep()
        assert hall.announcer.looked == before + looks
    assert not (await hall.head(id_)).status.is_final


@pytest.mark.parametrize("form", [FormatKey.SWISS, FormatKey.ARENA])
async def test_a_home_message_is_looked_for_and_comes_back_by_itself(
    hall: Hall, form: FormatKey
) -> None:
    within = timedelta(minutes=10)
    id_ = await hall.create(a_setup(form))
    await hall.sweep()
    first = (await hall.stored(id_)).home.message_id
    said = hall.announcer.kinds().count(MessageKind.HOME)
    for looks in (1, 2):
        hall.clock.at += within
        await hall.sweep()
        assert hall.announcer.looked == looks
    assert hall.announcer.kinds().count(MessageKind.HOME) == said, "a look is no edit"
    hall.announcer.gone.add(not_none(first))
    hall.clock.at += within
    await hall.sweep()
    second = (await hall.stored(id_)).home.message_id
    assert second not in (None, first)
    hall.announcer.gone.add(second)
    await hall.store.write(standing.look_again, TOURNAMENT, hall.clock.now())
    await hall.sweep()
    assert (await hall.stored(id_)).home.message_id not in (None, first, second), "at a start"


async def test_the_home_message_links_to_a_thread_as_soon_as_there_is_one(hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.ROUND_ROBIN, 2)
    hall.clock.forward(seconds=5)
    await hall.sweep()
    last = [view for each, view in hall.announcer.told if each.kind is MessageKind.HOME][-1]
    match = await hall.match_of(id_, "1.1")
    assert match.home_id is not None
    assert last.matches["1.1"].channel_id == match.home_id
    moved = ChannelId(match.home_id + 1)
    await hall.store.write(match_feed.show_again, match.id, hall.clock.now(), moved)
    hall.clock.forward(seconds=5)
    await hall.sweep()
    last = [view for each, view in hall.announcer.told if each.kind is MessageKind.HOME][-1]
    assert last.matches["1.1"].channel_id == moved


@pytest.mark.long
async def test_an_engine_that_fails_is_told_once_and_asked_again(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    hall.engine.fails = [PairingFailed("late") for _ in range(3)]
    id_ = await hall.begun(FormatKey.SWISS, 4)
    troubles = [m for m, _ in hall.announcer.told if m.kind is MessageKind.TROUBLE]
    assert [each.detail for each in troubles] == [TournamentTrouble.PAIRING_FAILS.value]
    after = hall.restarted()
    after.engine.fails = hall.engine.fails
    for _ in range(4):
        after.clock.forward(minutes=1, seconds=1)
        await after.sweep()
    t = await after.check(id_)
    assert len(t.rounds) == 1
    assert MessageKind.TROUBLE not in after.announcer.kinds()
    caplog.clear()


async def test_blocked_pairs_are_told_to_directors_alone(hall: Hall) -> None:
    await hall.club.preferences.block(UserId(2), UserId(1))
    await hall.told(
        """swiss 0 | join 1 3 2 | sweep
        ? [(x.user_id, x.detail) for x in messages("blocked_pairs")] == [(500, "1-3")]"""
    )


@both_in_soak
async def test_a_damaged_tournament_is_set_aside_and_goes_on_once_it_holds(
    store: Store, hall: Hall
) -> None:
    from sqlalchemy import text

    # Before the other event begins another day passes.
    id_ = await hall.begun(FormatKey.SWISS, 4, no_show=timedelta(days=2), clock="3d/move")
    other = await hall.begun(FormatKey.SWISS, 4)
    verifier = TournamentVerifier(store, hall.clock)
    await verifier.sweep()
    damage = "UPDATE tournament_entrants SET rating = {} WHERE tournament_id = :id AND number = 2"

    async def change(value: str) -> None:
        statement = text(damage.format(value))
        await store.database.write(lambda c: c.execute(statement, {"id": id_}) and None)

    await change("1999")
    assert [each.code for each in (await verify_tournaments(store)).problems] == ["head"]
    import logging

    logging.disable(logging.ERROR)
    try:
        await verifier.sweep()
    finally:
        logging.disable(logging.NOTSET)
    with pytest.raises(UserError, match="tournament_damaged"):
        await hall.direct(id_, acts.Pause())
    await hall.direct(other, acts.Pause())
    await hall.win(id_, "1.1")
    await hall.sweep()
    assert not (await hall.head(id_)).games["1.1"].is_over
    await change("NULL")
    await verifier.sweep()
    await hall.sweep()
    assert (await hall.check(id_)).games["1.1"].is_over


@pytest.mark.parametrize("form", list(FormatKey))
async def test_a_rehearsal_tells_everything_and_stores_nothing(hall: Hall, form: FormatKey) -> None:
    setup = a_setup(form, late_entry=form in (FormatKey.ARENA, FormatKey.LADDER))
    shown = await hall.service.rehearse(Visitor(DIRECTOR), _place(), setup)
    kinds = {each.message.kind for each in shown}
    assert {MessageKind.HOME, MessageKind.FINISHED} <= kinds
    first, last = shown[0], shown[-1].view
    assert first.message.kind is MessageKind.HOME
    assert first.view.tournament.is_open, "first what players see who may join"
    users = [each.user_id for each in last.tournament.entrants]
    assert not any(map(is_computer, users))
    assert last.tournament.status is TournamentStatus.FINISHED
    assert last.champion
    assert await hall.service.of_server(GUILD) == ()


def _place() -> Place:
    from tests.support.kit import PLACE

    return PLACE


class Members:
    def __init__(self, *there: int) -> None:
        self.there = set(there)
        self.asked = 0

    async def is_member(self, guild_id: object, user_id: int) -> bool | None:
        self.asked += 1
        return None if user_id == 9 else user_id in self.there


async def test_who_has_left_is_found_out_before_the_first_round_and_every_day(
    store: Store, hall: Hall
) -> None:
    members = Members(500, 1, 2, 3, 4)
    watch = MemberWatch(store, hall.service, hall.clock, members)
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    await hall.join(id_, 1, 2, 3, 4, 5, 9)
    assert await watch.sweep() == 0
    assert not members.asked
    hall.clock.at = (await hall.head(id_)).begins - timedelta(minutes=30)
    assert await watch.sweep() == 1
    assert await watch.sweep() == 0
    assert [each.user_id for each in (await hall.head(id_)).active] == [1, 2, 3, 4, 9]
    hall.clock.at = (await hall.head(id_)).begins
    await hall.sweep()
    members.there.discard(2)
    hall.clock.forward(hours=23)
    assert await watch.sweep() == 0
    hall.clock.forward(hours=2)
    assert await watch.sweep() == 1
    assert [each.user_id for each in (await hall.check(id_)).active] == [1, 3, 4, 9]


@pytest.mark.long
async def test_the_announcement_of_a_large_round_waits_for_its_last_matches(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    await hall.join(id_, 1, 2, 3, 4)
    hall.clock.at = (await hall.head(id_)).begins

    async def none_yet(*_: object) -> Beginning:
        return Beginning()

    with monkeypatch.context() as slow:
        slow.setattr(hall.games, "begin", none_yet)
        await hall.sweep()
        assert len((await hall.head(id_)).games) == 2
        hall.clock.forward(seconds=6)
        await hall.worker.drain()
        assert MessageKind.ROUND not in hall.announcer.kinds()
    hall.clock.forward(minutes=1)
    await hall.sweep()
    hall.clock.forward(seconds=2)
    await hall.sweep()
    told = [view for m, view in hall.announcer.told if m.kind is MessageKind.ROUND]
    assert len(told) == 4
    assert all(len(view.matches) == 2 for view in told)
