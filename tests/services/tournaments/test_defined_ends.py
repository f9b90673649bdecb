"""Each thing that can happen to an event has an end, and people are told of it."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

from bot.domain.ids import UserId
from bot.domain.tournaments import acts
from bot.domain.tournaments.crosstable import Kind
from bot.domain.tournaments.setup import FormatKey
from bot.domain.tournaments.swiss_pairing import NoPairing
from bot.domain.tournaments.tournament import TournamentStatus
from bot.domain.tournaments.trf_writing import Edition
from bot.posts.sending import Gone, Refused, Retry
from bot.posts.tournament_messages import MessageKind, TournamentTrouble
from bot.services.tournaments.exports import trf_of
from bot.services.tournaments.views import Visitor
from tests.kit import GUILD, person
from tests.tournament_kit import DIRECTOR, Hall, a_setup

HALF = Fraction(1, 2)
DAY = timedelta(days=1)


async def test_where_nobody_may_have_the_bye_the_event_goes_on_and_one_player_sits_out(
    hall: Hall,
) -> None:
    hall.engine.fails = [NoPairing("none")]
    id_ = await hall.begun(FormatKey.SWISS, 5)
    t = await hall.check(id_)
    ((out, kind),) = t.rounds[0].byes.items()
    assert (out, kind) == (t.seeding[-1], Kind.HALF_BYE)
    assert hall.announcer.kinds(out).count(MessageKind.ROUND) == 1
    t = await hall.play_out(id_)
    assert (t.status, len(t.rounds)) == (TournamentStatus.FINISHED, 3)
    assert all(each is not Kind.HALF_BYE for later in t.rounds[1:] for each in later.byes.values())


async def test_an_event_that_no_pairing_carries_on_ends_and_its_file_has_as_many_rounds(
    hall: Hall,
) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 4)
    hall.engine.fails = [NoPairing("none")]
    t = await hall.play_out(id_)
    assert (t.status, len(t.rounds)) == (TournamentStatus.FINISHED, 1)
    (trouble,) = (m for m, _ in hall.announcer.told if m.kind is MessageKind.TROUBLE)
    assert trouble.detail == TournamentTrouble.NO_PAIRING.value
    file = trf_of(t, {}, Edition.OF_2026).content.decode()
    assert "142 1\n" in file.replace("\r", "\n")


async def test_when_all_have_withdrawn_the_end_is_announced_once(hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 4)
    for user in range(1, 5):
        await hall.leave(id_, user)
    for _ in range(3):  # nobody comes to the games that have begun
        hall.clock.forward(days=1, minutes=1)
        await hall.sweep()
    assert (await hall.check(id_)).status is TournamentStatus.FINISHED
    (view,) = (v for m, v in hall.announcer.told if m.kind is MessageKind.FINISHED)
    # Games were won by forfeit, but by players who had left.
    assert view.standings[0].points > 0
    assert (view.champion, view.has_places) == ((), False)


async def test_without_a_director_the_channel_is_told_and_the_event_goes_on(
    hall: Hall,
) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 4)
    await hall.service.member_left(GUILD, DIRECTOR.user_id)
    await hall.sweep()
    (about,) = (m for m, _ in hall.announcer.told if m.kind is MessageKind.TROUBLE)
    assert (about.user_id, about.detail) == (None, TournamentTrouble.DIRECTOR_LEFT.value)
    manager = Visitor(person(9), manages=True)
    await hall.service.direct(
        manager, id_, acts.Pause(), interaction_id=hall.club.click(), reason=""
    )
    await hall.service.direct(
        manager, id_, acts.Resume(), interaction_id=hall.club.click(), reason=""
    )
    assert (await hall.play_out(id_)).status is TournamentStatus.FINISHED


async def test_troubles_are_told_to_the_directors_who_are_there_and_else_to_the_server(
    hall: Hall,
) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 4)
    await hall.direct(id_, acts.Appoint(UserId(501)))
    await hall.direct(id_, acts.Appoint(UserId(502)))

    async def told(kind: MessageKind, detail: str) -> list[int | None]:
        del hall.announcer.told[:]
        await hall.desk.tell_directors(id_, kind, detail)
        await hall.sweep()
        people = [m.user_id for m, _ in hall.announcer.told if m.kind is kind]
        return sorted(people, key=lambda each: each or 0)

    trouble = (MessageKind.TROUBLE, TournamentTrouble.PAIRING_FAILS.value)
    creator = DIRECTOR.user_id
    assert await told(*trouble) == [creator, 501, 502]
    hall.left = {creator, 502}
    assert await told(*trouble) == [501]
    hall.left = {creator, 501, 502}
    assert await told(*trouble) == [None]
    assert await told(MessageKind.BLOCKED_PAIRS, "1-2") == [None]
    del hall.announcer.told[:]
    hall.announcer.fails[MessageKind.HOME] = [Gone("channel")] * 2
    await hall.win(id_, "1.1")
    for _ in range(3):
        hall.clock.forward(minutes=11)
        await hall.sweep()
    gone = [m.user_id for m, _ in hall.announcer.told if m.kind is MessageKind.TROUBLE]
    assert gone == [None], "also where nothing can be posted at home"


async def test_that_a_director_has_left_is_told_once(hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 4)
    await hall.direct(id_, acts.Appoint(UserId(501)))
    for _ in range(3):
        await hall.service.member_left(GUILD, DIRECTOR.user_id)
        await hall.sweep()
    about = [m.user_id for m, _ in hall.announcer.told if m.kind is MessageKind.TROUBLE]
    assert about == [501]


async def test_lost_permissions_are_told_once_and_the_event_goes_on(hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 4)
    hall.announcer.fails[MessageKind.HOME] = [Refused("50013") for _ in range(50)]
    await hall.win(id_, "1.1")
    for _ in range(4):
        hall.clock.forward(minutes=11)
        await hall.sweep()
    troubles = [m.detail for m, _ in hall.announcer.told if m.kind is MessageKind.TROUBLE]
    assert troubles == [TournamentTrouble.HOME_GONE.value]
    hall.announcer.fails.clear()
    assert (await hall.play_out(id_)).status is TournamentStatus.FINISHED
    await hall.check(id_)


async def test_a_home_that_is_there_again_is_not_called_gone(hall: Hall) -> None:
    slow: list[Exception] = [Retry() for _ in range(50)]
    hall.announcer.fails = {MessageKind.HOME: [Gone("10003")], MessageKind.TROUBLE: slow}
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    await hall.sweep()
    assert (await hall.stored(id_)).home_gone
    assert len(slow) < 50, "it is tried again later"
    await hall.join(id_, 1)
    for _ in range(2):
        hall.clock.forward(hours=1)
        await hall.sweep()
    assert not (await hall.stored(id_)).home_gone
    slow.clear()
    hall.clock.forward(hours=1)
    await hall.sweep()
    assert MessageKind.TROUBLE not in hall.announcer.kinds()


async def test_when_discord_is_down_as_a_round_begins_all_are_told_once_it_is_back(
    hall: Hall,
) -> None:
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    await hall.join(id_, 1, 2, 3, 4)
    hall.clock.at = (await hall.head(id_)).begins
    for kind in (MessageKind.HOME, MessageKind.ROUND):
        hall.announcer.fails[kind] = [Retry() for _ in range(200)]
    hall.club.discord.trouble.extend(("make_thread", Retry()) for _ in range(4))
    for _ in range(3):
        await hall.sweep()
        hall.clock.forward(seconds=5)
    assert MessageKind.ROUND not in hall.announcer.kinds()
    assert len((await hall.head(id_)).rounds) == 1, "the round stands, drawn once"
    hall.announcer.fails.clear()
    for _ in range(30):
        hall.clock.forward(minutes=2)
        await hall.sweep()
    for user in range(1, 5):
        assert hall.announcer.kinds(user).count(MessageKind.ROUND) == 1
    t = await hall.check(id_)
    assert all(each.has_begun for each in t.games.values())
    assert (await hall.play_out(id_)).status is TournamentStatus.FINISHED
