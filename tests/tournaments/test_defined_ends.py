"""Each thing that can happen to an event has an end, and people are told."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

import pytest

from bot.domain.ids import UserId
from bot.posts.sending import Gone
from bot.tournaments.domain import acts
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.trf_writing import Edition
from bot.tournaments.posts import MessageKind, TournamentTrouble
from bot.tournaments.services.views import Visitor
from bot.tournaments.ui.file_handlers import trf_of
from tests.support.kit import person
from tests.tournaments.kit import DIRECTOR, Hall

HALF = Fraction(1, 2)
DAY = timedelta(days=1)


@pytest.mark.long
async def test_an_event_that_no_pairing_carries_on_ends_and_its_file_has_as_many_rounds(
    hall: Hall,
) -> None:
    id_ = await hall.told(
        """swiss 4 | engine none 1 | play | ? len(t.rounds) == 1
        ? troubles == [(500, "no_pairing")]"""
    )
    file = trf_of(await hall.head(id_), {}, Edition.OF_2026).data.decode()
    assert "142 1\n" in file.replace("\r", "\n")


@pytest.mark.long
async def test_without_a_director_the_channel_is_told_and_the_event_goes_on(hall: Hall) -> None:
    id_ = await hall.told(
        'swiss 4 | left_server 500 | sweep | ? troubles == [(None, "director_left")]'
    )
    manager = Visitor(person(9), manages=True)
    for act in (acts.Pause(), acts.Resume()):
        await hall.service.direct(manager, id_, act, interaction_id=hall.club.click(), reason="")
    await hall.tell(id_, "play")


@pytest.mark.long
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
