"""Directors' acts: previewed, carried out once, told, logged, undone if nothing followed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bot.domain.history import verify
from bot.domain.ids import UserId
from bot.domain.match import Ending, MatchStatus, Scope
from bot.errors import UserError
from bot.store import Store, ratings, transactions
from bot.tournaments.domain import acts
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.formats.catalog import placings
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.posts import MessageKind
from bot.tournaments.services.verifying import verify_tournaments
from bot.tournaments.services.views import Visitor
from tests.support.kit import GUILD, head, person
from tests.tournaments.kit import DIRECTOR, Hall, a_setup

WIN = (Fraction(1), Fraction(0))
LOSS = (Fraction(0), Fraction(1))
NONE = (Fraction(0), Fraction(0))
HALF = (Fraction(1, 2), Fraction(1, 2))


async def test_a_decision_ends_the_match_tells_both_and_counts_for_ratings_once(
    store: Store, hall: Hall
) -> None:
    id_ = await hall.begun(FormatKey.ROUND_ROBIN, 2, rated=True)
    match = await hall.match_of(id_, "1.1")
    await hall.club.play(match.id, "b2 a1 c2 a3")
    seen = await hall.preview(id_, acts.Decide("1.1", WIN))
    assert (seen.forfeits, seen.ends, seen.told, seen.can_undo) == (("1.1",), ("1.1",), 2, False)
    click = hall.club.click()
    for _ in range(2):
        await hall.direct(id_, acts.Decide("1.1", WIN), seen=seen.key, interaction_id=click)
    match = await hall.match_of(id_, "1.1")
    assert match.status is MatchStatus.FINISHED
    assert match.result is not None
    assert (match.result.ending, match.result.winners) == (Ending.ADJUDICATION, (0,))
    await hall.sweep()
    first, second = (int(user or 0) for user in match.players)
    for user in (first, second):
        assert hall.announcer.kinds(user).count(MessageKind.DECIDED) == 1
    winner = await hall.club.ratings.standing(UserId(first), "rows")
    assert (winner.record.won, winner.record.matches) == (1, 1)
    await hall.direct(id_, acts.Correct("1.1", LOSS))
    match = await hall.match_of(id_, "1.1")
    assert match.result is not None
    assert match.result.winners == (1,)
    after = await hall.club.ratings.standing(UserId(first), "rows")
    assert (after.record.won, after.record.matches) == (0, 1)
    assert after.points < winner.points
    t = await hall.check(id_)
    assert t.games["1.1"].points == LOSS
    assert (await store.write(ratings.rebuild))[1] == 0


@pytest.mark.long
async def test_a_correction_redraws_only_what_nobody_has_begun(store: Store, hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 4)
    for game in ("1.1", "1.2"):
        await hall.win(id_, game)
    # The next round is drawn and its matches are there, but nobody has moved.
    await hall.sweep()
    old = dict((await hall.stored(id_)).matches)
    t = await hall.head(id_)
    assert len(t.rounds) == 2
    seen = await hall.preview(id_, acts.Correct("1.1", LOSS))
    assert (seen.undoes, sorted(seen.ends), seen.can_undo) == ((2,), ["2.1", "2.2"], False)
    await hall.direct(id_, acts.Correct("1.1", LOSS), reason="The wrong box.")
    for name in ("2.1", "2.2"):
        match = await head(store, old[name])
        assert (match.status, match.verdict) == (MatchStatus.ABORTED, "The wrong box.")
    await hall.sweep()
    t = await hall.check(id_)
    assert len(t.rounds) == 2
    winners = {t.games["1.1"].game.players[1], t.games["1.2"].game.players[0]}
    assert winners in [set(each.game.players) for each in t.in_round(2)]
    assert not set((await hall.stored(id_)).matches.values()) & {old["2.1"], old["2.2"]}
    hall.clock.forward(seconds=10)
    await hall.sweep()
    assert hall.announcer.kinds(1).count(MessageKind.REDRAWN) == 1
    # Now a player moves: the round has begun, and stays.
    await hall.club.play((await hall.match_of(id_, "2.1")).id, "b2")
    hall.clock.forward(minutes=1)
    seen = await hall.preview(id_, acts.Correct("1.1", WIN))
    assert (seen.undoes, seen.ends, seen.can_undo) == ((), (), True)
    await hall.direct(id_, acts.Correct("1.1", WIN))
    hall.clock.forward(minutes=1)
    # To take a correction back leaves no game without having been played.
    lines = await hall.audit(id_)
    back = acts.Undo(next(each.seq for each in lines if each.can_undo))
    assert (await hall.preview(id_, back)).forfeits == ()
    assert [each.game for each in (await hall.check(id_)).in_round(2)] == [
        each.game for each in t.in_round(2)
    ]


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
    with pytest.raises(UserError, match="reason_wanted"):
        await hall.direct(id_, acts.Exclude(1), reason=" ")
    with pytest.raises(UserError, match="reason_long"):
        await hall.direct(id_, acts.Exclude(1), reason="x" * 301)
    seen = await hall.preview(id_, acts.Appoint(UserId(9)))
    assert seen.told == 1
    await hall.direct(id_, acts.Appoint(UserId(9)))
    await hall.sweep()
    assert hall.announcer.kinds(9) == [MessageKind.APPOINTED]
    await hall.service.direct(
        stranger, id_, acts.Exclude(1), interaction_id=hall.club.click(), reason="#1 rude"
    )
    lines = await hall.service.audit(Visitor(person(2)), id_)
    assert isinstance(lines[0].fact, f.Excluded)
    assert (lines[0].user_id, lines[0].subject_id, lines[0].by_director) == (9, 1, True)
    assert lines[0].note == "#1 rude"
    assert [each.by_director for each in lines if isinstance(each.fact, f.Entered)] == [False] * 3
    await hall.sweep()
    assert MessageKind.EXCLUDED in hall.announcer.kinds(1)
    with pytest.raises(UserError, match="entrant_excluded"):
        await hall.join(id_, 1)
    await hall.direct(id_, acts.Dismiss(UserId(9)))
    await hall.sweep()
    assert hall.announcer.kinds(9) == [MessageKind.APPOINTED, MessageKind.DISMISSED]
    with pytest.raises(UserError, match="not_director"):
        await hall.service.direct(
            stranger, id_, acts.Pause(), interaction_id=hall.club.click(), seen=seen.key
        )


async def test_what_has_moved_on_since_the_preview_is_refused(hall: Hall) -> None:
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    await hall.join(id_, 1, 2, 3)
    seen = await hall.preview(id_, acts.Close())
    await hall.join(id_, 4)
    await hall.direct(id_, acts.Close(), seen=seen.key)
    # What another director did meanwhile is not done twice, and is no reason to ask again.
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
async def test_a_challenge_is_asked_again_when_a_withdrawal_is_undone(hall: Hall) -> None:
    """Also of a director who plays: the message has the buttons to answer it."""
    id_ = await hall.told(
        """ladder 0 | join 1 500 3 | until begins | sweep | challenge 3 2 | sweep
        ? kinds(500)[-1:] == ["challenged"]
        withdraw 3 | sweep | ? kinds(500)[-1:] == ["answered"]"""
    )
    line = next(each for each in await hall.audit(id_) if each.can_undo)
    hall.clock.forward(days=2)
    preview = await hall.preview(id_, acts.Undo(line.seq))
    assert [type(each) for each in preview.facts] == [f.Undone, f.Challenged]
    hall.clock.forward(minutes=1)
    await hall.direct(id_, acts.Undo(line.seq), seen=preview.key)
    await hall.tell(id_, 'sweep | ? kinds(500)[-1:] == ["challenged"]')
    await hall.tell(id_, "accept 500 3 | sweep | ? len(t.games) == 1")


@pytest.mark.long
async def test_a_game_that_both_lose_changes_no_ratings_however_often_it_is_corrected(
    store: Store, hall: Hall
) -> None:
    id_ = await hall.begun(FormatKey.ROUND_ROBIN, 2, rated=True)
    match = await hall.match_of(id_, "1.1")
    await hall.club.play(match.id, "b2 a1 c2 a3")
    first = UserId(int(match.players[0] or 0))

    async def record() -> tuple[int, int, int]:
        found = (await hall.club.ratings.standing(first, "rows")).record
        assert (await store.write(ratings.rebuild))[1] == 0
        return found.matches, found.won, found.drawn

    await hall.direct(id_, acts.Decide("1.1", NONE))
    match = await hall.match_of(id_, "1.1")
    assert match.result is not None
    assert match.result.is_lost_by_all
    assert await record() == (0, 0, 0)
    for points, then in ((WIN, (1, 1, 0)), (NONE, (0, 0, 0)), (HALF, (1, 0, 1))):
        await hall.direct(id_, acts.Correct("1.1", points))
        assert await record() == then
    await hall.check(id_)


@pytest.mark.long
async def test_at_a_table_of_four_the_others_play_on_without_an_excluded_player(
    store: Store, hall: Hall
) -> None:
    id_ = await hall.begun(FormatKey.TABLES, 4, rounds=1)
    await hall.move(id_, "1.1")
    act = acts.Exclude(2)
    seen = await hall.preview(id_, act)
    assert (seen.left, seen.ends, seen.forfeits, seen.can_undo) == (("1.1",), (), (), False)
    await hall.direct(id_, act, seen=seen.key)
    seat = (await hall.head(id_)).games["1.1"].game.players.index(2)
    match = await hall.match_of(id_, "1.1")
    assert (match.status, match.retired) == (MatchStatus.RUNNING, (seat,))
    audit = await hall.audit(id_)
    (excluded,) = [each for each in audit if isinstance(each.fact, f.Excluded)]
    with pytest.raises(UserError, match="undo_followed"):
        await hall.direct(id_, acts.Undo(excluded.seq))
    for _ in range(4):
        await hall.move(id_, "1.1")
    await hall.play_out(id_)
    match = await hall.match_of(id_, "1.1")
    verify(match, await store.read(transactions.history, match.id, Scope(GUILD)))
    t = await hall.check(id_)
    points = t.games["1.1"].points
    assert points is not None
    assert points[seat] == 0
    assert sum(points) == 4, "the other two resigned"
    assert placings(t)[-1].number == 2
    assert (await verify_tournaments(store)).problems == ()
