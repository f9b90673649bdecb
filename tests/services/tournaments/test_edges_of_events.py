"""What goes wrong in an event has a defined end, and people are told of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from bot.domain.computers import is_computer
from bot.domain.ids import ChannelId, UserId
from bot.domain.match import MatchStatus, Place, Venue
from bot.domain.quiet_hours import QuietHours
from bot.domain.tournaments import acts, challenges
from bot.domain.tournaments import facts as f
from bot.domain.tournaments.formats.catalog import FORMATS
from bot.domain.tournaments.formats.swiss import met_all_the_same
from bot.domain.tournaments.setup import FormatKey, Unfinished
from bot.domain.tournaments.swiss_pairing import PairingFailed
from bot.domain.tournaments.tournament import TournamentStatus
from bot.errors import UserError
from bot.posts.outgoing import TOURNAMENT
from bot.posts.sending import Gone, Retry
from bot.posts.tournament_messages import MessageKind, TournamentTrouble
from bot.services.pairing import Limits
from bot.services.privacy import PrivacyService
from bot.services.tournaments.games import Beginning
from bot.services.tournaments.members import MemberWatch
from bot.services.tournaments.verifying import TournamentVerifier, verify_tournaments
from bot.services.tournaments.views import Visitor, Wait
from bot.store import Store, match_feed, standing
from bot.store.tournaments import reading as tournament_reading
from tests.databases import both
from tests.kit import GUILD, head, person
from tests.not_none import not_none
from tests.tournament_kit import DIRECTOR, Hall, a_setup

HALF = Fraction(1, 2)


async def test_who_does_not_come_forfeits_and_is_out_the_second_time_after_a_warning(
    hall: Hall,
) -> None:
    id_ = await hall.begun(FormatKey.ROUND_ROBIN, 4, at_once=1)
    for number, expected in ((1, MessageKind.WARNED), (2, MessageKind.WITHDRAWN)):
        t = await hall.head(id_)
        mine = [x for x in t.of_entrant(1) if x.has_begun and not x.is_over]
        for played in mine:
            match = await hall.match_of(id_, played.game.id)
            if match.players[0] != 1:
                await hall.club.play(match.id, "b2")
        await hall.sweep()
        hall.clock.forward(days=1, minutes=1)
        await hall.sweep()
        await hall.sweep()
        t = await hall.head(id_)
        assert t.entrants[0].time_losses >= number
        assert expected in hall.announcer.kinds(1)
    assert not t.entrants[0].is_active
    t = await hall.play_out(id_)
    await hall.check(id_)
    assert t.status is TournamentStatus.FINISHED


@pytest.mark.slow
async def test_games_lost_on_time_together_put_nobody_out_before_the_warning_could_be_read(
    hall: Hall,
) -> None:
    id_ = await hall.begun(FormatKey.ROUND_ROBIN, 10, at_once=3)
    for played in (await hall.head(id_)).of_entrant(1):
        if played.has_begun:
            match = await hall.match_of(id_, played.game.id)
            if match.players[0] != 1:
                await hall.club.play(match.id, "b2")
    hall.clock.forward(days=1, minutes=1)
    for _ in range(3):
        await hall.sweep()
    t = await hall.head(id_)
    assert t.entrants[0].time_losses >= 2
    assert t.entrants[0].is_active
    assert hall.announcer.kinds(1).count(MessageKind.WARNED) == 1
    hall.clock.forward(days=1, minutes=1)
    for _ in range(3):
        await hall.sweep()
    assert not (await hall.head(id_)).entrants[0].is_active
    assert MessageKind.WITHDRAWN in hall.announcer.kinds(1)
    await hall.play_out(id_)
    await hall.check(id_)


async def test_an_event_nobody_plays_in_still_ends_on_its_day(store: Store, hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 4, clock=None)
    for _ in range(40):
        due = (await hall.stored(id_)).due_at
        if due is None:
            break
        hall.clock.at = max(due, hall.clock.at)
        await hall.sweep()
    t = await hall.check(id_)
    assert t.status is TournamentStatus.FINISHED
    assert len(t.rounds) == 3
    assert hall.clock.at <= t.finish
    assert {(each.how, each.points) for each in t.games.values()} == {
        (f.How.UNFINISHED, (HALF, HALF))
    }
    for match_id in (await hall.stored(id_)).matches.values():
        match = await head(store, match_id)
        assert match is not None
        assert match.status is MatchStatus.FINISHED
    assert hall.announcer.kinds(1).count(MessageKind.UNFINISHED) == 3


async def test_the_score_on_the_board_decides_a_table_where_the_event_says_so(
    hall: Hall,
) -> None:
    id_ = await hall.begun(FormatKey.TABLES, 4, rounds=1, unfinished=Unfinished.SCORE)
    match = await hall.match_of(id_, "1.1")
    await hall._open(match.id)
    hall.clock.at = (await hall.head(id_)).finish
    await hall.sweep()
    t = await hall.check(id_)
    assert t.games["1.1"].how in (f.How.UNFINISHED, f.How.TIME)
    assert sum(t.games["1.1"].points or ()) == 7


async def test_who_resigned_from_an_unfinished_table_gets_no_share_of_it(
    store: Store, hall: Hall
) -> None:
    """The rule for unfinished games is the usual one, by which no score decides."""
    id_ = await hall.begun(FormatKey.TABLES, 4, rounds=1, clock=None)
    match = await hall.match_of(id_, "1.1")
    await hall._open(match.id)
    user = UserId(int(match.players[1] or 0))
    await hall.club.resign(person(user), match.id)
    hall.clock.at = (await hall.head(id_)).rounds[0].until
    await hall.sweep()
    t = await hall.check(id_)
    assert t.games["1.1"].how is f.How.UNFINISHED
    share = Fraction(7, 3)
    assert t.games["1.1"].points == (share, 0, share, share)
    match = await hall.match_of(id_, "1.1")
    assert match.result is not None
    assert match.result.winners == (0, 2, 3)
    assert (await verify_tournaments(store)).problems == ()


async def test_who_resigned_from_a_table_that_then_ends_on_time_has_not_lost_on_time(
    store: Store,
    hall: Hall,
) -> None:
    id_ = await hall.begun(FormatKey.TABLES, 4, rounds=2)
    match = await hall.match_of(id_, "1.1")
    await hall._open(match.id)
    user = UserId(int(match.players[1] or 0))
    await hall.club.resign(person(user), match.id)
    for _ in range(2):
        hall.clock.forward(days=1, minutes=1)
        await hall.sweep()
    t = await hall.check(id_)
    played = t.games["1.1"]
    assert (played.how, played.points, played.late) == (f.How.TIME, (0, 0, 0, 4), (0, 2))
    losses = {each.user_id: (each.time_losses, each.is_warned) for each in t.entrants}
    assert losses.pop(user) == (0, False)
    assert sorted(losses.values()) == [(0, False), (1, True), (1, True)]
    assert MessageKind.WARNED not in hall.announcer.kinds(user)
    assert (await verify_tournaments(store)).problems == ()


@pytest.mark.parametrize("ends", [f.How.PLAYED, f.How.UNFINISHED])
async def test_a_player_whose_time_runs_out_at_a_table_that_goes_on_has_lost_on_time(
    store: Store, hall: Hall, ends: f.How
) -> None:
    id_ = await hall.begun(FormatKey.TABLES, 4, rounds=1)
    match = await hall.match_of(id_, "1.1")
    await hall._open(match.id)
    hall.clock.forward(days=1, minutes=1)
    await hall.sweep()
    late = UserId(int(match.players[0] or 0))
    assert (await hall.match_of(id_, "1.1")).retired == (0,)
    if ends is f.How.PLAYED:
        while (await hall.match_of(id_, "1.1")).status is MatchStatus.RUNNING:
            await hall.move(id_, "1.1")
    else:
        hall.clock.at = (await hall.head(id_)).rounds[0].until
    await hall.runner.sweep()
    await hall.worker.drain()
    t = await hall.check(id_)
    played = t.games["1.1"]
    assert (played.how, played.late, played.points[0] if played.points else None) == (ends, (0,), 0)
    losses = {each.user_id: (each.time_losses, each.is_warned) for each in t.entrants}
    assert losses.pop(late) == (1, True)
    assert set(losses.values()) == {(0, False)}
    assert MessageKind.WARNED in hall.announcer.kinds(late)
    assert (await verify_tournaments(store)).problems == ()


async def test_who_resigned_before_another_player_did_not_come_gets_no_share(
    hall: Hall,
) -> None:
    id_ = await hall.begun(FormatKey.TABLES, 4, rounds=1)
    match = await hall.match_of(id_, "1.1")
    await hall.move(id_, "1.1")
    last = UserId(int(match.players[3] or 0))
    await hall.club.resign(person(last), match.id)
    hall.clock.forward(days=1, minutes=1)
    await hall.sweep()
    t = await hall.check(id_)
    assert t.games["1.1"].how is f.How.NO_SHOW
    share = Fraction(3)
    assert t.games["1.1"].points == (share, 0, share, 0)
    assert [t.entrants[each - 1].time_losses for each in t.games["1.1"].game.players] == [
        0,
        1,
        0,
        0,
    ]


async def test_too_few_entrants_cancel_an_event_and_they_are_told(hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 3, most=8)
    assert (await hall.head(id_)).status is TournamentStatus.RUNNING
    id_ = await hall.create(a_setup(FormatKey.KNOCKOUT, now=hall.clock.at, third_place=True))
    await hall.join(id_, 1)
    hall.clock.forward(days=1)
    await hall.sweep()
    t = await hall.check(id_)
    assert t.status is TournamentStatus.CANCELLED
    assert MessageKind.CANCELLED in hall.announcer.kinds(1)
    assert hall.announcer.kinds(500) == [MessageKind.CANCELLED], "the director hears of it too"
    id_ = await hall.create(a_setup(FormatKey.KNOCKOUT, now=hall.clock.at, third_place=True))
    await hall.join(id_, 500)
    hall.clock.forward(days=1)
    await hall.sweep()
    assert hall.announcer.kinds(500) == [MessageKind.CANCELLED] * 2, "once, who also plays"


@pytest.mark.slow
async def test_an_arena_pairs_free_players_and_ends_on_the_minute(store: Store, hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.ARENA, 5, late_entry=True)
    t = await hall.head(id_)
    assert len(t.pending) == 2
    for _ in range(6):
        t = await hall.head(id_)
        await hall.win(id_, t.pending[0].game.id)
        hall.clock.forward(seconds=10)
        await hall.sweep()
    t = await hall.head(id_)
    assert len(t.games) == 8
    await hall.join(id_, 6)
    await hall.sweep()
    t = await hall.head(id_)
    assert len(t.pending) == 3
    running = [(await hall.match_of(id_, each.game.id)).id for each in t.pending]
    hall.clock.at = t.finish
    await hall.runner.sweep()
    hall.clock.forward(seconds=5)
    await hall.worker.drain()
    t = await hall.check(id_)
    assert t.status is TournamentStatus.FINISHED
    assert hall.announcer.kinds().count(MessageKind.FINISHED) == 1
    told = [m.user_id for m, _ in hall.announcer.told if m.kind is MessageKind.UNFINISHED]
    assert sorted(map(int, filter(None, told))) == [1, 2, 3, 4, 5, 6], "who still played"
    for match_id in running:
        match = await head(store, match_id)
        assert match is not None
        assert match.status is MatchStatus.RUNNING, "it goes on, and counts for nothing here"


async def test_a_ladder_has_challenges_refusals_and_players_who_sink(hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.LADDER, 5, late_entry=True)
    with pytest.raises(UserError, match="challenge_far"):
        await hall.challenge(5, id_, 1)

    async def challenge(low: int, high: int) -> None:
        await hall.challenge(low, id_, high)

    async def answer(low: int, high: int, *, accept: bool) -> None:
        await hall.answer(high, id_, low, accept=accept)

    await challenge(4, 1)
    await hall.sweep()
    assert MessageKind.CHALLENGED in hall.announcer.kinds(1)
    with pytest.raises(UserError, match="challenge_busy"):
        await challenge(3, 1)
    await answer(4, 1, accept=True)
    await hall.sweep()
    closed = [m.detail for m, _ in hall.announcer.told if m.kind is MessageKind.ANSWERED]
    assert closed == ["4"], "who has answered sees the challenge closed all the same"
    t = await hall.head(id_)
    (played,) = t.pending
    await hall.win(id_, played.game.id, played.game.players.index(4))
    await hall.sweep()
    t = await hall.head(id_)
    assert t.by_rung == (4, 1, 2, 3, 5)
    assert [(each.entrant, each.before, each.after) for each in t.climbs] == [(4, 4, 1)]
    await challenge(3, 2)
    await answer(3, 2, accept=False)
    await challenge(3, 2)
    hall.clock.forward(days=3, minutes=1)
    await hall.sweep()
    t = await hall.head(id_)
    assert t.by_rung == (4, 1, 3, 2, 5), "the second challenge that is not met counts as lost"
    assert hall.announcer.kinds(2).count(MessageKind.ANSWERED) == 2, "declined, then expired"
    assert [each.entrant for each in t.climbs] == [3, 4], "the newest first"
    with pytest.raises(UserError, match="no_challenge"):
        await answer(3, 2, accept=True)
    view = await hall.service.tournament(Visitor(person(2)), id_)
    assert challenges.may_challenge(view.tournament, hall.clock.now(), 2) == (4, 1, 3)
    hall.clock.forward(days=20)
    await challenge(5, 2)
    await answer(5, 2, accept=True)
    await hall.sweep()
    (played,) = (await hall.head(id_)).pending
    await hall.win(id_, played.game.id, played.game.players.index(5))
    await hall.sweep()
    was = (await hall.head(id_)).by_rung
    assert MessageKind.SUNK not in [each.kind for each, _ in hall.announcer.told]
    hall.clock.forward(days=11)
    await hall.sweep()
    t = await hall.check(id_)
    assert t.by_rung != (4, 1, 5, 3, 2)
    sunk = {each for at, each in enumerate(t.by_rung) if at > was.index(each)}
    assert {x for x in was if MessageKind.SUNK in hall.announcer.kinds(x)} == sunk
    assert t.by_rung.index(5) < t.by_rung.index(3)


async def test_a_challenge_is_closed_when_a_player_leaves_or_the_ladder_ends(
    hall: Hall,
) -> None:
    id_ = await hall.begun(FormatKey.LADDER, 5)
    for low, high in ((2, 1), (4, 3)):  # 2 leaves, the ladder ends with the other
        await hall.challenge(low, id_, high)
    await hall.leave(id_, 2)
    await hall.sweep()
    assert hall.announcer.kinds(1).count(MessageKind.ANSWERED) == 1
    await hall.direct(id_, acts.Cancel())
    await hall.sweep()
    assert hall.announcer.kinds(3).count(MessageKind.ANSWERED) == 1
    cancelled = (await hall.head(id_)).version
    hall.clock.forward(seconds=1)
    await hall.direct(id_, acts.Undo(cancelled))
    await hall.sweep()
    assert hall.announcer.kinds(3)[-2:] == [MessageKind.REVIVED, MessageKind.CHALLENGED]
    hall.clock.at = (await hall.head(id_)).finish
    await hall.sweep()
    assert hall.announcer.kinds(3).count(MessageKind.ANSWERED) == 2
    assert hall.announcer.kinds(4)[-1] is MessageKind.DECLINED, "who waited hears that it is off"
    assert MessageKind.DECLINED not in hall.announcer.kinds(2), "who left knows"
    assert (await hall.check(id_)).climbs == (), "who leaves moves nobody"


async def test_each_challenge_of_a_place_is_closed_where_its_player_reads_it(
    store: Store,
    hall: Hall,
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


async def test_an_arena_tells_of_waiting_games_once_not_once_a_wave(store: Store) -> None:
    hall = Hall(store, limits=Limits(running_in_server=2))
    id_ = await hall.begun(FormatKey.ARENA, 8)
    for _ in range(5):
        t = await hall.head(id_)
        await hall.win(id_, next(each for each in t.pending if each.has_begun).game.id)
        hall.clock.forward(seconds=10)
        await hall.sweep()
    troubles = [m.detail for m, _ in hall.announcer.told if m.kind is MessageKind.TROUBLE]
    assert troubles == [TournamentTrouble.WAITING.value]
    await hall.check(id_)


async def test_a_league_begins_its_next_season_by_itself(hall: Hall) -> None:
    id_ = await hall.begun(
        FormatKey.ROUND_ROBIN, 6, division=3, promoted=1, at_once=1, clock="1d/move"
    )
    await hall.play_out(id_, Random(5))
    before = await hall.stored(id_)
    assert before.next is not None
    after = await hall.stored(before.next)
    t = await hall.check(before.next)
    assert (after.previous, t.setup.season, len(t.active)) == (id_, 2, 6)
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
    await one.join(id_, *range(1, 9))
    halls = [one, *(Hall(store, one.clock, seed=seed) for seed in (8, 9))]
    one.clock.at = (await one.head(id_)).begins
    for _ in range(3):
        await asyncio.gather(*(hall.runner.sweep() for hall in halls))
        t = await one.check(id_)
        assert len(t.in_round(len(t.rounds))) == 4
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
    assert len(t.games) == 12
    one.clock.forward(seconds=5)
    await asyncio.gather(*(hall.worker.drain() for hall in halls))
    told = [kind for hall in halls for kind in hall.announcer.kinds()]
    assert told.count(MessageKind.FINISHED) == 1
    assert told.count(MessageKind.ROUND) == 24


@both
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


async def test_who_leaves_the_server_is_withdrawn_and_other_directors_are_told(
    hall: Hall,
) -> None:
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    await hall.direct(id_, acts.Appoint(UserId(501)))
    await hall.join(id_, 1, 2, 3, 500)
    await hall.service.member_left(GUILD, UserId(500))
    await hall.service.member_left(GUILD, UserId(2))
    t = await hall.check(id_)
    assert [each.user_id for each in t.active] == [1, 3]
    await hall.sweep()
    (about,) = [m for m, _ in hall.announcer.told if m.kind is MessageKind.TROUBLE]
    assert (about.user_id, about.detail) == (501, TournamentTrouble.DIRECTOR_LEFT.value)


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


async def test_a_server_that_is_full_makes_games_wait(store: Store) -> None:
    hall = Hall(store, limits=Limits(running_in_server=3))
    id_ = await hall.begun(FormatKey.ROUND_ROBIN, 4)
    assert len((await hall.stored(id_)).matches) == 3
    assert (await hall.service.tournament(Visitor(person(1)), id_)).wait == Wait()
    first = next(iter((await hall.stored(id_)).matches))
    await hall.win(id_, first)
    await hall.sweep()
    assert len((await hall.stored(id_)).matches) == 4


async def test_a_deleted_home_channel_is_told_and_games_go_to_direct_messages(
    hall: Hall,
) -> None:
    hall.announcer.fails[MessageKind.HOME] = [Gone("10003")]
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    await hall.sweep()
    await hall.join(id_, 1, 2, 3, 4)
    hall.clock.at = (await hall.head(id_)).begins
    await hall.sweep()
    troubles = [m for m, _ in hall.announcer.told if m.kind is MessageKind.TROUBLE]
    assert [each.detail for each in troubles] == [TournamentTrouble.HOME_GONE.value]
    assert (await hall.match_of(id_, "1.1")).venue is Venue.DIRECT


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


async def test_directors_hear_once_of_a_round_in_which_players_kept_apart_meet(
    hall: Hall,
) -> None:
    id_ = await hall.create(a_setup(FormatKey.SWISS, now=hall.clock.at, rounds=3))
    await hall.join(id_, 1, 2, 3, 4)
    await hall.direct(id_, acts.Part((1, 2, 3, 4), 1))
    hall.clock.at = (await hall.head(id_)).begins
    for _ in range(3):
        await hall.sweep()
        hall.clock.forward(seconds=5)
    ((told, view),) = [each for each in hall.announcer.told if each[0].kind is MessageKind.TROUBLE]
    assert (told.user_id, told.detail) == (DIRECTOR.user_id, TournamentTrouble.GAVE_WAY.value)
    assert {each.players for each in met_all_the_same(view.tournament, 1)} == {
        each.game.players for each in view.tournament.in_round(1)
    }
    for each in view.tournament.in_round(1):
        await hall.win(id_, each.game.id)
    await hall.sweep()
    assert len((await hall.head(id_)).rounds) == 2
    assert hall.announcer.kinds().count(MessageKind.TROUBLE) == 1


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


async def test_an_event_whose_hour_was_missed_begins_late_and_keeps_its_day(
    hall: Hall,
) -> None:
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    await hall.join(id_, 1, 2, 3, 4)
    t = await hall.head(id_)
    hall.clock.at = t.begins + (t.finish - t.begins) / 2
    await hall.sweep()
    drawn = await hall.head(id_)
    assert hall.clock.at < drawn.rounds[0].until < t.finish
    assert not any(each.is_over for each in drawn.games.values())
    late = await hall.create(a_setup(FormatKey.SWISS, now=hall.clock.at))
    await hall.join(late, 1, 2, 3)
    hall.clock.at = (await hall.head(late)).finish + timedelta(days=1)
    await hall.sweep()
    assert (await hall.check(late)).status is TournamentStatus.CANCELLED


async def test_blocked_pairs_are_told_to_directors_alone(hall: Hall) -> None:
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    await hall.club.preferences.block(UserId(2), UserId(1))
    await hall.join(id_, 1, 3, 2)
    await hall.sweep()
    (about,) = [m for m, _ in hall.announcer.told if m.kind is MessageKind.BLOCKED_PAIRS]
    assert (about.user_id, about.detail) == (DIRECTOR.user_id, "1-3")


@both
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
    shown = await hall.service.rehearse(Visitor(DIRECTOR), _place(), setup, entrants=8)
    kinds = {each.message.kind for each in shown.told}
    assert {MessageKind.HOME, MessageKind.FINISHED} <= kinds
    first = shown.told[0]
    assert first.message.kind is MessageKind.HOME
    assert first.view.tournament.is_open, "first what players see who may join"
    users = [each.user_id for each in shown.last.tournament.entrants]
    assert not any(map(is_computer, users))
    assert shown.last.tournament.status is TournamentStatus.FINISHED
    assert shown.last.champion
    assert await hall.service.of_server(GUILD) == ()


def _place() -> Place:
    from tests.kit import PLACE

    return PLACE


class Members:
    def __init__(self, *there: int) -> None:
        self.there = set(there)
        self.asked = 0

    async def is_member(self, guild_id: object, user_id: int) -> bool | None:
        self.asked += 1
        return None if user_id == 9 else user_id in self.there


async def test_who_has_left_is_found_out_before_the_first_round_and_every_day(
    store: Store,
    hall: Hall,
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


async def test_a_round_is_announced_with_its_matches_and_not_once_it_is_over(
    hall: Hall,
) -> None:
    id_ = await hall.create(a_setup(FormatKey.ROUND_ROBIN))
    await hall.join(id_, 1, 2)
    asleep = QuietHours(*((hall.clock.at + timedelta(hours=h)).hour for h in (23, 26)))
    await hall.club.preferences.change(
        UserId(2), lambda chosen: replace(chosen, quiet=asleep, zone="UTC")
    )
    hall.clock.at = (await hall.head(id_)).begins
    await hall.sweep()
    assert MessageKind.ROUND not in hall.announcer.kinds()
    hall.clock.forward(seconds=5)
    await hall.sweep()
    (view,) = [view for m, view in hall.announcer.told if m.kind is MessageKind.ROUND]
    assert set(view.matches) == set(view.tournament.games)
    assert not view.waiting
    assert hall.announcer.kinds(1).count(MessageKind.ROUND) == 1
    await hall.play_out(id_)
    hall.clock.forward(hours=3)
    await hall.sweep()
    assert MessageKind.ROUND not in hall.announcer.kinds(2), "there is nothing left to play"


async def test_the_announcement_of_a_round_waits_for_slow_threads_but_not_for_long(
    hall: Hall,
) -> None:
    hall.club.discord.trouble += [("make_thread", Retry(20.0))]
    id_ = await hall.create(a_setup(FormatKey.ROUND_ROBIN))
    await hall.join(id_, 1, 2)
    hall.clock.at = (await hall.head(id_)).begins
    await hall.sweep()
    hall.clock.forward(seconds=6)
    await hall.sweep()
    assert MessageKind.ROUND not in hall.announcer.kinds(), "there is no board to link to"
    hall.clock.forward(seconds=15)
    await hall.sweep()
    hall.clock.forward(seconds=2)
    await hall.sweep()
    told = [view for m, view in hall.announcer.told if m.kind is MessageKind.ROUND]
    assert len(told) == 2
    assert all(view.matches["1.1"].channel_id is not None for view in told)


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


async def test_a_round_whose_threads_do_not_come_is_announced_without_them(
    hall: Hall,
) -> None:
    hall.club.discord.trouble += [("make_thread", Retry(600.0))]
    id_ = await hall.create(a_setup(FormatKey.ROUND_ROBIN))
    await hall.join(id_, 1, 2)
    hall.clock.at = (await hall.head(id_)).begins
    await hall.sweep()
    hall.clock.forward(seconds=61)
    await hall.sweep()
    assert hall.announcer.kinds().count(MessageKind.ROUND) == 2


async def test_who_sleeps_through_a_round_hears_of_the_next_one_alone(
    hall: Hall,
) -> None:
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    await hall.join(id_, *range(1, 5))
    begins = (await hall.head(id_)).begins
    asleep = QuietHours(begins.hour, (begins + timedelta(hours=3)).hour)
    await hall.club.preferences.change(
        UserId(2), lambda chosen: replace(chosen, quiet=asleep, zone="UTC")
    )
    hall.clock.at = begins
    await hall.sweep()
    hall.clock.forward(seconds=5)
    await hall.sweep()
    for name in list((await hall.head(id_)).games):
        await hall.win(id_, name)
    await hall.sweep()
    assert len((await hall.head(id_)).rounds) == 2
    hall.clock.forward(hours=3)
    await hall.sweep()
    hall.clock.forward(seconds=5)
    await hall.sweep()
    told = [m for m, _ in hall.announcer.told if m.kind is MessageKind.ROUND and m.user_id == 2]
    assert len(told) == 1
    drawn = await hall.store.read(tournament_reading.event, id_, told[0].version)
    assert not_none(drawn).payload["round"] == 2
