"""Directors' acts: previewed, carried out once, told, logged, undone if nothing followed."""

from __future__ import annotations

import pytest

from bot.domain.ids import UserId
from bot.domain.requests import RequestKind
from bot.errors import UserError
from bot.plans import store as plans
from bot.plans.services import PlanService
from bot.store import Store
from bot.tournaments.domain import acts
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.notices import LATER, MessageKind
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.posts import round_robin_games
from bot.tournaments.services.views import Visitor
from tests.support.kit import person
from tests.tournaments.kit import DIRECTOR, Hall, a_setup

AT_NIGHT = "round_robin 0 | join 1 2 3 4 | asleep 2 0 2 | until begins | sweep | wait 5s | sweep"
"""Player 2 sleeps as it begins."""

DIRECTED = {
    "a decision ends the match, tells both and counts for ratings once": """
        round_robin 2 rated
        moves 1.1 b2 a1 c2 a3 | decide 1.1 1:0
        ? (seen.forfeits, seen.ends, seen.told, seen.can_undo) == (("1.1",), ("1.1",), 2, False)
        ? matches["1.1"].result.ending == Ending.ADJUDICATION
        ? matches["1.1"].result.winners == (0,)
        sweep | ? told(1, "decided") == told(2, "decided") == 1
        rates 1 1 1 0 | correct 1.1 0:1 | ? matches["1.1"].result.winners == (1,)
        rates 1 1 0 0""",
    "a substitute takes the seat of a player who has not moved, with all of its time": """
        swiss 4 rated
        mark a | wait 5h | replace 1 9
        ? (seen.seats, seen.ends, seen.can_undo, seen.told) == (("1.1",), (), True, 3)
        ? matches["1.1"].players == (9, 2)
        ? (matches["1.1"].id, matches["1.1"].version) == (a["1.1"].id, a["1.1"].version + 1)
        sweep | ? matches["1.1"].deadline == now + timedelta(days=1)
        ? (told(9, "entered"), told(1, "replaced"), told(2, "opponent")) == (1, 1, 1)
        ? [x.to.user_id for x in calls(a["1.1"])] == [1, 9]
        ? left_of(a["1.1"]) == [("board", 2), ("turn", 2)]
        ? [(x.subject_id, x.former_id) for x in log if x.former_id] == [(9, 1)]
        ? [x.by_director for x in log if x.former_id] == [True]
        moves 1.1 b2 a1 c2 a3 | win 1.1 | sweep | rates 9 1 1 0 | rates 1 0 0 0""",
    "a round is paired again until a player has moved": """
        swiss 4 rated late_entry
        leaves 1 | join 5 | redraw
        ? (seen.undoes, sorted(seen.ends), seen.can_undo) == ((1,), ["1.1", "1.2"], False)
        ? [x.verdict for x in aborted] == ["because"] * 2
        sweep | wait 10s | sweep | ? len(t.rounds) == 1
        ? {n for x in t.games.values() for n in x.game.players} == {2, 3, 4, 5}
        ? [(told(x, "redrawn"), told(x, "round")) for x in (2, 3, 4)] == [(1, 2)] * 3
        rates 2 0 0 0 | moves 1.1 b2 | redraw ! round_begun | play""",
    "a player who is back in their place hears of the games once": f"""
        {AT_NIGHT} | asleep 8 0 2 | replace 2 8 | sweep | wait 1m | undo | sweep
        wait 3h | sweep | ? (told(2, "entered"), told(2, "round")) == (1, 0)
        ? (told(8, "entered"), told(8, "replaced")) == (0, 1)""",
    "who takes the place of a challenged player is told and can answer": """
        ladder 4
        challenge 4 1 | sweep | replace 1 9 | sweep | ? kinds(9) == ["entered", "challenged"]
        ? kinds(1)[-2:] == ["replaced", "answered"]
        accept 9 4 | ? [{*x.game.players} for x in t.pending] == [{1, 4}]""",
}
AT_LENGTH = {
    "a game that both lose changes no ratings however often it is corrected": """
        round_robin 2 rated
        moves 1.1 b2 a1 c2 a3 | decide 1.1 0:0 | ? matches["1.1"].result.is_lost_by_all
        rates 1 0 0 0 | correct 1.1 1:0 | rates 1 1 1 0 | correct 1.1 0:0 | rates 1 0 0 0
        correct 1.1 1/2:1/2 | rates 1 1 0 1""",
    "a correction redraws only what nobody has begun": """
        swiss 4
        win 1.1 | win 1.2 | sweep | correct 1.1 0:1
        ? (seen.undoes, sorted(seen.ends), seen.can_undo) == ((2,), ["2.1", "2.2"], False)
        ? [x.verdict for x in aborted] == ["because"] * 2
        sweep | ? {2, 3} in [{*x.game.players} for x in t.in_round(2)]
        wait 10s | sweep | ? told(1, "redrawn") == 1
        moves 2.1 b2 | wait 1m | correct 1.1 1:0
        ? (seen.undoes, seen.ends, seen.can_undo) == ((), (), True)
        wait 1m | undo | ? (seen.forfeits, len(t.rounds), len(aborted)) == ((), 2, 2)""",
    "a challenge is asked again when a withdrawal is undone, also of a director who plays": """
        ladder 0
        join 1 500 3 | until begins | sweep | challenge 3 2 | sweep
        ? kinds(500)[-1:] == ["challenged"]
        withdraw 3 | sweep | ? kinds(500)[-1:] == ["answered"]
        wait 2d | undo | ? names(seen.facts) == ["Undone", "Challenged"]
        sweep | ? kinds(500)[-1:] == ["challenged"]
        accept 500 3 | sweep | ? len(t.games) == 1""",
    "at a table of four the others play on without an excluded player": """
        tables 4 rounds=1
        move 1.1 | exclude 2
        ? (seen.left, seen.ends, seen.forfeits, seen.can_undo) == (("1.1",), (), (), False)
        ? (matches["1.1"].status.value, matches["1.1"].retired) == ("running", (1,))
        undo excluded ! undo_followed
        play | ? (t.games["1.1"].points[1], t.games["1.1"].game.players[1]) == (0, 2)
        ? [x.number for x in view.standings][-1] == 2""",
    "a substitution is undone until the substitute moves": """
        swiss 4
        replace 1 9 | wait 1m | undo | ? matches["1.1"].players == (1, 2)
        wait 1m | replace 1 9 | moves 1.1 b2 | wait 1m | ? not any(x.can_undo for x in log)
        undo replaced ! undo_followed | replace 1 10 ! game_begun""",
    "the second player is replaced after the first has moved": """
        knockout 4
        moves W1.1.1 b2 | replace 1 9 ! game_begun | replace 4 9 | moves W1.1.1 a1
        ? (matches["W1.1.1"].players, matches["W1.1.1"].ply) == ((1, 9), 2)""",
    "a notice of pairs that were undone is not sent": """
        swiss 4
        redraw | sweep | redraw | sweep | wait 10s | sweep | ? told(2, "round") == 2
        ? names(x.fact for x in log).count("Undrawn") == 2""",
    "a substitute hears of the games once and does not wait for others to wake": f"""
        {AT_NIGHT} | asleep 8 0 2 | replace 2 8 | sweep | replace 2 9 | sweep
        ? kinds(9) == ["entered"]
        wait 3h | sweep | ? kinds(9) == ["entered"]""",
}


@pytest.mark.parametrize(
    "text",
    [
        *(pytest.param(text, id=name) for name, text in DIRECTED.items()),
        *(pytest.param(text, id=name, marks=pytest.mark.long) for name, text in AT_LENGTH.items()),
    ],
)
async def test_an_act_of_a_director_goes_as_it_is_told(hall: Hall, text: str) -> None:
    await hall.told(text)


@pytest.mark.parametrize("act", [acts.Exclude(1), acts.Redraw()])
async def test_an_act_that_wants_a_reason_is_refused_without_a_short_one(
    hall: Hall, act: acts.DirectorAct
) -> None:
    id_ = await hall.told("swiss 4")
    for reason, code in ((" ", "reason_wanted"), ("x" * 301, "reason_long")):
        with pytest.raises(UserError, match=code):
            await hall.direct(id_, act, reason=reason)


async def test_only_directors_direct_and_players_read_what_they_did(hall: Hall) -> None:
    id_ = await hall.create(a_setup(FormatKey.SWISS, director_roles=(77,)))
    await hall.join(id_, 1, 2, 3)
    stranger = Visitor(person(9))
    for visitor in (stranger, Visitor(person(500, guild=None)), Visitor(person(9), frozenset({1}))):
        with pytest.raises(UserError, match="not_director"):
            await hall.service.preview(visitor, id_, acts.Exclude(1))
    for visitor in (
        Visitor(DIRECTOR),
        Visitor(person(9), frozenset({77})),
        Visitor(person(9), manages=True),
    ):
        await hall.service.preview(visitor, id_, acts.Exclude(1))
    await hall.tell(id_, 'appoint 9 | ? seen.told == 1 | sweep | ? kinds(9) == ["appointed"]')
    await hall.service.direct(
        stranger, id_, acts.Exclude(1), interaction_id=hall.club.click(), reason="#1 rude"
    )
    first, *rest = await hall.service.audit(Visitor(person(2)), id_)
    assert isinstance(first.fact, f.Excluded)
    assert (first.user_id, first.subject_id, first.by_director) == (9, 1, True)
    assert first.note == "#1 rude"
    assert [each.by_director for each in rest if isinstance(each.fact, f.Entered)] == [False] * 3
    await hall.tell(
        id_,
        'sweep | ? told(1, "excluded") == 1 | join 1 ! entrant_excluded',
        'dismiss 9 | sweep | ? kinds(9) == ["appointed", "dismissed"]',
    )
    with pytest.raises(UserError, match="not_director"):
        await hall.service.direct(stranger, id_, acts.Pause(), interaction_id=hall.club.click())


async def test_what_has_moved_on_since_the_preview_is_refused(hall: Hall) -> None:
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    await hall.join(id_, 1, 2, 3)
    seen = await hall.preview(id_, acts.Close())
    await hall.join(id_, 4)
    for _ in range(2):  # what another director did meanwhile is no reason to ask again
        await hall.direct(id_, acts.Close(), seen=seen.key)
    seen = await hall.preview(id_, acts.Withdraw(1))
    await hall.direct(id_, acts.Withdraw(2))
    await hall.direct(id_, acts.Withdraw(1), seen=seen.key)
    assert len((await hall.check(id_)).active) == 2
    # Another person plays in the place by now.
    seen = await hall.preview(id_, acts.Exclude(3))
    await hall.direct(id_, acts.Replace(3, UserId(9)))
    with pytest.raises(UserError, match="tournament_changed"):
        await hall.direct(id_, acts.Exclude(3), seen=seen.key)
    assert (await hall.check(id_)).entrants[2].is_active


@pytest.mark.long
async def test_what_a_player_who_leaves_has_planned_and_asked_for_goes_with_them(
    store: Store, hall: Hall
) -> None:
    id_ = await hall.told("knockout 4")
    match = await hall.match_of(id_, "W1.1.1")
    await PlanService(store, hall.club.service).add(person(4), match.id, "b2 a1")
    await hall.club.ask(person(4), match.id, RequestKind.DRAW)
    await hall.tell(id_, 'replace 4 8 | ? matches["W1.1.1"].requests == ()')
    assert await store.read(plans.plan, match.id, 1) is None


@pytest.mark.long
async def test_a_round_robin_that_is_paired_again_has_begun_once_and_each_game_is_told_once(
    hall: Hall,
) -> None:
    await hall.told(f"{AT_NIGHT} | redraw | sweep | wait 3h | sweep")
    for user, numbers in ((1, [[1, 2, 3], [3]]), (2, [[1, 2], [3]])):  # who slept through all of it
        told = [x for x in hall.announcer.told if x[0].user_id == user]
        rounds = [x for x in told if x[0].kind is MessageKind.ROUND]
        assert [message.detail for message, _ in rounds] == ["", LATER]
        named = [round_robin_games(message, view.tournament) for message, view in rounds]
        assert [[each.game.round for each in games] for games in named] == numbers
        assert hall.announcer.kinds(user).count(MessageKind.REDRAWN) == 1
