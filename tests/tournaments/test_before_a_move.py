"""Before a player has moved: a substitute takes their seat, or the round is paired again."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.domain.events import EventKind
from bot.domain.history import verify
from bot.domain.ids import UserId
from bot.domain.match import MatchStatus, Scope
from bot.domain.requests import RequestKind
from bot.errors import UserError
from bot.plans import store as plans
from bot.plans.services import PlanService
from bot.posts.sending import NoticeKind
from bot.store import Store, transactions
from bot.tournaments.domain import acts
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.posts import LATER, MessageKind, round_robin_games
from bot.tournaments.services.views import Visitor
from bot.tournaments.store import reading as tournament_reading
from tests.support.kit import GUILD, person
from tests.tournaments.kit import Hall


async def _verified(hall: Hall, id_: object, game: str) -> None:
    match = await hall.match_of(id_, game)  # type: ignore[arg-type]
    verify(match, await hall.store.read(transactions.history, match.id, Scope(GUILD)))


async def test_a_substitute_takes_the_seat_of_a_player_who_has_not_moved(
    store: Store, hall: Hall
) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 4, rated=True)
    before = await hall.match_of(id_, "1.1")
    leaver, other = (int(each or 0) for each in before.players)
    number = (await hall.head(id_)).games["1.1"].game.players[0]
    hall.clock.forward(hours=5)
    act = acts.Replace(number, UserId(9))
    seen = await hall.preview(id_, act)
    assert (seen.seats, seen.ends, seen.can_undo) == (("1.1",), (), True)
    assert seen.told == 3, "who comes, who goes, and who plays on"
    click = hall.club.click()
    for _ in range(2):
        await hall.direct(id_, act, interaction_id=click, seen=seen.key)
    await hall.sweep()
    match = await hall.match_of(id_, "1.1")
    assert match.id == before.id
    assert match.players == (9, other)
    assert match.version == before.version + 1, "once"
    assert match.deadline is not None
    assert before.deadline is not None
    assert match.deadline == hall.clock.at + timedelta(days=1) > before.deadline, "anew"
    await _verified(hall, id_, "1.1")
    assert hall.announcer.kinds(9).count(MessageKind.ENTERED) == 1
    assert hall.announcer.kinds(leaver).count(MessageKind.REPLACED) == 1
    assert hall.announcer.kinds(other).count(MessageKind.OPPONENT) == 1
    calls = [
        each.to.user_id
        for each in hall.club.discord.told
        if (each.match_id, each.notice) == (match.id, NoticeKind.TURN)
    ]
    assert calls == [leaver, 9]
    standing = [x for x in hall.club.discord.messages.values() if x.match_id == match.id]
    assert [(each.kind, each.version) for each in standing if not each.retired] == [
        ("board", 2),
        ("turn", 2),
    ], "the call of the player who left is gone, and so are the buttons of the board before"
    # It is no longer a match of the player who left, who cannot move in it.
    with pytest.raises(UserError):
        await hall.club.service.move(
            person(leaver), match.id, text="b2", interaction_id=hall.club.click()
        )
    assert [each.id for each in await store.read(transactions.active_of, UserId(9))] == [match.id]
    assert match.id not in [
        each.id for each in await store.read(transactions.active_of, UserId(leaver))
    ]
    await hall.club.play(match.id, "b2 a1 c2 a3")
    await hall.win(id_, "1.1")
    await hall.sweep()
    assert (await hall.club.ratings.standing(UserId(9), "rows")).record.won == 1
    assert (await hall.club.ratings.standing(UserId(leaver), "rows")).record.matches == 0
    await hall.check(id_)
    log = await hall.service.audit(Visitor(person(other)), id_)
    line = next(each for each in log if isinstance(each.fact, f.Replaced))
    assert (line.subject_id, line.former_id, line.by_director) == (9, leaver, True)


@pytest.mark.long
async def test_a_substitution_is_undone_until_the_substitute_moves(hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 4)
    before = await hall.match_of(id_, "1.1")
    number = (await hall.head(id_)).games["1.1"].game.players[0]
    await hall.tell(id_, f"replace {number} 9 | wait 1m | undo")
    match = await hall.match_of(id_, "1.1")
    assert match.players == before.players
    await _verified(hall, id_, "1.1")
    await hall.check(id_)
    hall.clock.forward(minutes=1)
    await hall.direct(id_, acts.Replace(number, UserId(9)))
    await hall.club.play(match.id, "b2")
    hall.clock.forward(minutes=1)
    lines = await hall.audit(id_)
    last = next(each for each in lines if isinstance(each.fact, f.Replaced))
    assert not last.can_undo, "nothing is offered that would be refused"
    with pytest.raises(UserError, match="undo_followed"):
        await hall.direct(id_, acts.Undo(last.seq))
    with pytest.raises(UserError, match="game_begun"):
        await hall.direct(id_, acts.Replace(number, UserId(10)))
    assert (await hall.match_of(id_, "1.1")).players[0] == 9


@pytest.mark.long
async def test_the_second_player_is_replaced_after_the_first_has_moved(
    store: Store, hall: Hall
) -> None:
    id_ = await hall.begun(FormatKey.KNOCKOUT, 4)
    game = next(iter((await hall.head(id_)).games.values())).game
    match = await hall.match_of(id_, game.id)
    first, second = (int(each or 0) for each in match.players)
    # What the player who leaves has planned and asked for goes with them.
    await PlanService(store, hall.club.service).add(person(second), match.id, "b2 a1")
    await hall.club.ask(person(second), match.id, RequestKind.DRAW)
    await hall.direct(id_, acts.Replace(game.players[1], UserId(8)))
    after = await hall.match_of(id_, game.id)
    assert (after.players, after.requests) == ((first, 8), ())
    assert await store.read(plans.plan, match.id, 1) is None
    await _verified(hall, id_, game.id)
    await hall.club.play(match.id, "b2")
    with pytest.raises(UserError, match="game_begun"):
        await hall.direct(id_, acts.Replace(game.players[0], UserId(9)))
    await hall.direct(id_, acts.Replace(game.players[1], UserId(9)))
    after = await hall.match_of(id_, game.id)
    assert after.players == (first, 9)
    assert after.ply == 1
    await _verified(hall, id_, game.id)
    await hall.club.play(match.id, "a1")
    assert (await hall.match_of(id_, game.id)).ply == 2


async def test_a_round_is_paired_again_until_a_player_has_moved(store: Store, hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 4, rated=True, late_entry=True)
    old = dict((await hall.stored(id_)).matches)
    await hall.leave(id_, 1)
    await hall.join(id_, 5)
    seen = await hall.preview(id_, acts.Redraw())
    assert (seen.undoes, sorted(seen.ends), seen.can_undo) == ((1,), ["1.1", "1.2"], False)
    with pytest.raises(UserError, match="reason_wanted"):
        await hall.direct(id_, acts.Redraw(), reason="")
    click = hall.club.click()
    for _ in range(2):
        await hall.direct(
            id_,
            acts.Redraw(),
            interaction_id=click,
            reason="One player was missing.",
            seen=seen.key,
        )
    for match_id in old.values():
        match = (await store.read(transactions.load, match_id, None)).match
        assert match is not None
        assert match.status is MatchStatus.ABORTED
        assert match.verdict == "One player was missing."
        verify(match, await store.read(transactions.history, match.id, Scope(GUILD)))
    await hall.sweep()
    hall.clock.forward(seconds=10)
    await hall.sweep()
    t = await hall.check(id_)
    stored = await hall.stored(id_)
    assert len(t.rounds) == 1
    assert not set(stored.matches.values()) & set(old.values())
    there = {number for each in t.games.values() for number in each.game.players}
    assert there == {2, 3, 4, 5}
    for user in (2, 3, 4):
        assert hall.announcer.kinds(user).count(MessageKind.REDRAWN) == 1
        assert hall.announcer.kinds(user).count(MessageKind.ROUND) == 2
    # Nobody's rating changed, and no aborted match counts.
    assert (await hall.club.ratings.standing(UserId(2), "rows")).record.matches == 0
    first = await hall.match_of(id_, "1.1")
    await hall.club.play(first.id, "b2")
    with pytest.raises(UserError, match="round_begun"):
        await hall.preview(id_, acts.Redraw())
    with pytest.raises(UserError, match="round_begun"):
        await hall.direct(id_, acts.Redraw())
    assert (await hall.play_out(id_)).status.is_final
    assert (await hall.check(id_)).games["1.1"].is_over


@pytest.mark.long
async def test_a_notice_of_pairs_that_were_undone_is_not_sent(store: Store, hall: Hall) -> None:
    id_ = await hall.told("swiss 4 | redraw | sweep | redraw | sweep | wait 10s | sweep")
    assert hall.announcer.kinds(2).count(MessageKind.ROUND) == 2, "the first, and the last"
    events = await store.read(tournament_reading.history, id_)
    assert sum(each.kind == "undrawn" for each in events) == 2
    kinds = [
        event.kind
        for match_id in (await hall.stored(id_)).matches.values()
        for event in await store.read(transactions.history, match_id, Scope(GUILD))
    ]
    assert kinds == [EventKind.STARTED] * 2


AT_NIGHT = "round_robin 0 | join 1 2 3 4 | asleep 2 0 2 | until begins | sweep | wait 5s | sweep"


@pytest.mark.long
async def test_a_round_robin_that_is_paired_again_has_begun_once_and_each_game_is_told_once(
    hall: Hall,
) -> None:
    await hall.told(f"{AT_NIGHT} | redraw | sweep | wait 3h | sweep")
    for user, numbers in (
        (1, [[1, 2, 3], [3]]),
        (2, [[1, 2], [3]]),  # who slept through all of it
    ):
        told = [x for x in hall.announcer.told if x[0].user_id == user]
        rounds = [x for x in told if x[0].kind is MessageKind.ROUND]
        assert [message.detail for message, _ in rounds] == ["", LATER]
        named = [round_robin_games(message, view.tournament) for message, view in rounds]
        assert [[each.game.round for each in games] for games in named] == numbers
        assert [message.kind for message, _ in told].count(MessageKind.REDRAWN) == 1


@pytest.mark.long
async def test_a_substitute_hears_of_the_games_once_and_does_not_wait_for_others_to_wake(
    hall: Hall,
) -> None:
    await hall.told(
        f"""{AT_NIGHT} | asleep 8 0 2 | replace 2 8 | sweep | replace 2 9 | sweep
        ? kinds(9) == ["entered"]
        wait 3h | sweep | ? kinds(9) == ["entered"]"""
    )


async def test_a_player_who_is_back_in_their_place_hears_of_the_games_once(hall: Hall) -> None:
    await hall.told(
        f"""{AT_NIGHT} | asleep 8 0 2 | replace 2 8 | sweep | wait 1m | undo | sweep
        wait 3h | sweep | ? (told(2, "entered"), told(2, "round")) == (1, 0)
        ? (told(8, "entered"), told(8, "replaced")) == (0, 1)"""
    )


async def test_who_takes_the_place_of_a_challenged_player_is_told_and_can_answer(
    hall: Hall,
) -> None:
    await hall.told(
        """ladder 4 | challenge 4 1 | sweep | replace 1 9 | sweep
        ? kinds(9) == ["entered", "challenged"]
        ? kinds(1)[-2:] == ["replaced", "answered"]
        accept 9 4 | ? [{*x.game.players} for x in t.pending] == [{1, 4}]"""
    )
