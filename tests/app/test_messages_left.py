"""Taps and messages of every kind of match, from the offer to the rematch, by moves and requests.

A match leaves one message a move and two at its end, wherever it is played. A request that was
answered says how it ended, and who asked may be told; both go with the turn.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from bot.domain.ids import UserId
from playground.forms import all_text
from playground.person import Person
from tests.support.hosted import Hosted, Json, actions, decline, hosted, press, press_board, turn

_KINDS = ("thread", "channel", "direct", "four")
_SPOKEN = (0, 20, 23)
"""Types of messages that a person has sent; others are what Discord itself says of a thread."""


@dataclass
class _Match:
    """A match of a kind, and the taps made since they were last counted."""

    table: Hosted
    people: list[Person]
    places: dict[int, list[int]]
    """By person the channels in which they see it, the one where it is played last."""
    taps: int = 0

    def home(self, person: Person) -> int:
        return self.places[person.id][-1]

    async def seen(self, person: Person) -> list[Json]:
        """All messages of the match that a person finds, the newest first, once all is sent."""
        await self.table.settled()
        found: list[Json] = []
        for place in reversed(self.places[person.id]):
            found += await person.messages(place, limit=100)
        return [each for each in found if not each["flags"] & 64 and each["type"] in _SPOKEN]

    async def left(self) -> int:
        """How many messages stand where most do."""
        return max([len(await self.seen(each)) for each in self.people])

    async def board(self, person: Person) -> Json:
        """The newest board."""
        found = await self.seen(person)
        return next(each for each in found if actions(each) & {"move", "rematch"})

    async def press(self, person: Person, does: str) -> Json:
        return await press_board(person, await self.board(person), does)

    async def answer(self, person: Person, does: str) -> None:
        """Answer what is asked for."""
        asked = next(
            each
            for each in await self.seen(person)
            if f"<@{person.id}>" in all_text(each) and "refuse" in actions(each)
        )
        await press(person, asked, does)
        await self.table.settled()

    async def asked(self, who: Person, wish: str, answer: str, lines: int) -> None:
        """Have a person ask for something and all others answer: in one tap each, by so many lines.

        One who declines is enough.
        """
        before, self.taps = await self.left(), 0
        await self.press(who, wish)
        assert self.taps <= 2, f"{wish}: the board's button, perhaps behind More"
        assert await self.left() - before <= len(self.people) - 1, wish
        others = [each for each in self.people if each is not who]
        for each in others if answer == "agree" else others[:1]:
            self.taps = 0
            await self.answer(each, answer)
            assert self.taps == 1
        assert await self.left() - before <= lines, f"{wish}: {answer}"

    async def type(self, person: Person, move: str) -> None:
        told = await person.ask("move", self.home(person), move=move)
        assert "You played" in all_text(told), all_text(told)


async def _begun(table: Hosted, kind: str) -> _Match:
    names = ("Anna", "Ben", "Cyd", "Dan")[: 4 if kind == "four" else 2]
    people = [await table.join(name) for name in names]
    places = {each.id: [each.channel("general")] for each in people}
    if kind == "direct":
        opened = await table.open_directs(*people)
        places = {each.id: [place] for each, place in zip(people, opened, strict=True)}
    made = _Match(table, people, places)
    anna, *others = people
    fields: dict[str, Any] = {"game": "pux", "opponent": others[0], "side": "1"}
    if kind == "four":
        fields = {"game": "pythagoras", "side": "1"}
    await anna.ask("play", places[anna.id][0], **fields)
    await table.settled()
    made.taps = 0
    for each in others:
        offer = next(one for one in await made.seen(each) if "accept" in actions(one))
        await press(each, offer, "accept")
        await table.settled()
    if kind in ("thread", "four"):
        ((match, _),) = await table.history()
        for each in people:
            places[each.id].append(int(match.home_id or 0))
    for each in people:
        await table.bot.services.preferences.change(
            UserId(each.id), lambda own: replace(own, preview=False)
        )
    return made


def _counts_taps(made: list[_Match], monkeypatch: pytest.MonkeyPatch) -> None:
    use = Person.use

    async def counted(person: Person, *given: Any, **more: Any) -> str:
        for each in made:
            each.taps += 1
        return await use(person, *given, **more)

    monkeypatch.setattr(Person, "use", counted)


@pytest.mark.parametrize("kind", _KINDS)
async def test_what_a_match_asks_of_thumbs_and_leaves_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    made: list[_Match] = []
    _counts_taps(made, monkeypatch)
    async with hosted(tmp_path, clock="3d", threads=kind != "channel") as table:
        match = await _begun_counting(table, kind, made)
        people = match.people
        anna, ben = people[:2]
        start = await match.left()
        moves = 0

        async def played(person: Person, act: Awaitable[object], taps: int) -> None:
            nonlocal moves
            match.taps = 0
            await act
            moves += 1
            assert match.taps <= taps
            assert await match.left() - start <= moves, "one message a move"

        if kind == "four":
            for person, move in zip(people, ("3i1", "3f1", "3b1", "2l1"), strict=True):
                await played(person, match.type(person, move), 0)
            mover, last = anna, people[-1]
        else:
            await played(anna, match.type(anna, "c2,c1d2-c3"), 0)
            await played(ben, match.type(ben, "c7,b7d7-b6"), 0)
            await played(anna, match.type(anna, "b2:b6"), 0)
            mover, last = ben, anna

        each_is_asked = len(people) - 1
        await match.asked(last, "takeback", "refuse", each_is_asked + 1)
        if kind != "four":
            await match.asked(last, "draw", "refuse", 1 + 1)
        await match.asked(mover, "pause", "agree", 2 * each_is_asked)
        before, match.taps = await match.left(), 0
        await match.press(mover, "resume")
        assert match.taps <= 2
        assert await match.left() <= before, "what was said of the pause goes when it ends"
        await played(mover, match.type(mover, "3l2" if kind == "four" else "f7,g7-c4"), 0)
        texts = "\n".join([all_text(each) for each in await match.seen(anna)])
        past = "was declined|is stopped|pause in .* is over|Accepted|Declined"
        assert not re.search(past, texts), "a move takes away what was told"

        before = await match.left()
        for who in people[1:]:
            match.taps = 0
            sure = await match.press(who, "resign")
            await turn(who, sure, "resignyes")
            assert match.taps <= 3, "it asks once whether one is sure"
            await table.settled()
        assert await match.left() - before <= 2, "two messages at the end"
        assert "is over" in all_text((await match.seen(anna))[0]) or kind == "four"

        before = await match.left()
        for who in people:
            match.taps = 0
            told = await match.press(who, "rematch")
            assert match.taps == 1, all_text(told)
            await table.settled()
        assert "The match has started" in all_text(told)
        statuses = sorted(each.status.value for each, _ in await table.history())
        assert statuses == ["finished", "running"]
        assert await match.left() - before <= 3 + each_is_asked, "offer, board, a line for each"


async def _begun_counting(table: Hosted, kind: str, made: list[_Match]) -> _Match:
    match = await _begun(table, kind)
    made.append(match)
    return match


@pytest.mark.parametrize(
    ("kind", "end"),
    # Pythagoras has no draws by agreement.
    [*((kind, "abort") for kind in _KINDS[1::2]), *((kind, "draw") for kind in _KINDS[::2])],
)
@pytest.mark.long
async def test_what_was_agreed_on_leaves_no_more_than_moves_and_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, end: str
) -> None:
    """A takeback, then the draw or the abort that ends the match; each asked for and accepted."""
    made: list[_Match] = []
    _counts_taps(made, monkeypatch)
    async with hosted(tmp_path, clock="3d", threads=kind != "channel") as table:
        match = await _begun_counting(table, kind, made)
        people, start = match.people, await match.left()
        line = ("c2,c1d2-c3", "c7,b7d7-b6") if kind != "four" else ("3i1", "3f1", "3b1", "2l1")
        for person, move in zip(people, line, strict=True):
            await match.type(person, move)
        last = people[-1]
        assert await match.left() - start <= len(line)
        # The board that showed what is taken back goes, so there is one message less for a while.
        await match.asked(last, "takeback", "agree", len(people) - 1 + 1)
        await match.type(last, line[-1])
        moves = len(line) + 1
        assert await match.left() - start <= moves, "one message a move, also of one taken back"
        if end == "abort":
            await last.ask("match abort", match.home(last))
            for each in people[:-1]:
                await match.answer(each, "agree")
        else:
            await match.asked(last, end, "agree", 2)
        ((over, _),) = await table.history()
        assert over.status.is_final
        assert await match.left() - start <= moves + 2, "two messages at the end"
        texts = "\n".join([all_text(each) for each in await match.seen(last)])
        assert not re.search("offers a draw|asks to|Accepted", texts)


@pytest.mark.long
async def test_a_rematch_that_was_declined_leaves_the_word_to_its_maker_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[_Match] = []
    _counts_taps(made, monkeypatch)
    async with hosted(tmp_path, clock="3d") as table:
        match = await _begun_counting(table, "thread", made)
        anna, ben = match.people
        sure = await match.press(ben, "resign")
        await turn(ben, sure, "resignyes")
        await table.settled()
        before = await match.left()
        await match.press(anna, "rematch")
        await table.settled()
        offer = next(each for each in await match.seen(ben) if "accept" in actions(each))
        assert "A rematch, with sides exchanged." in all_text(offer)
        await decline(ben, offer, "not_now")
        await table.settled()
        assert await match.left() - before == 1
        told = (await match.seen(anna))[0]
        assert "offer was declined: not now" in all_text(told)
