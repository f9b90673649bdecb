"""How many taps a move takes, and that typing moves leaves nothing lying about."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.game_state import game_state_of
from bot.domain.ids import UserId
from bot.domain.preferences import PREVIEWS
from games import catalog
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from tests.support.hosted import (
    Game,
    Hosted,
    Json,
    Match,
    begun,
    control,
    first_board,
    offered,
    picks,
    press,
    turn,
)
from tests.ui.taps import sized, sizes


async def test_playing_without_the_preview_is_offered_once_where_it_is_missed(game: Game) -> None:
    anna, ben = game.black, game.white
    for person, played in ((anna, PREVIEWS - 1), (ben, PREVIEWS)):
        await _chooses(game, person, previews=played)
    await game.tap(anna, "a1")
    await game.hosted.settled()

    panel = await game.panel(ben, "b2")
    told = await turn(ben, panel, "playfast")
    assert "You played b2." in all_text(told)
    await game.hosted.settled()
    panel = await game.panel(anna, "c3")
    assert control(panel, "playfast")
    await turn(anna, panel, "play")
    await game.hosted.settled()
    assert "You played d4." in all_text(await game.panel(ben, "d4"))
    await game.hosted.settled()
    panel = await game.panel(anna, "e5")
    assert "without preview" not in str(panel["components"]).lower()


@pytest.mark.parametrize("key", [k for k, kind in catalog.GAMES.items() if kind.info.primers])
async def test_what_is_peculiar_to_a_choice_is_explained_once_to_each_player(
    table: Hosted, key: str
) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    await anna.ask("play", anna.channel("general"), game=key, opponent=ben, side="1")
    offer = await offered(ben)
    await press(ben, offer, "accept")
    board = await first_board(anna)
    told: set[str] = set()
    info = catalog.GAMES[key].info
    assert info.example is None or info.example.english() in all_text(board)
    for _ in range(2):
        seen = []
        panel = await press(anna, board, "move")
        while choices := picks(panel):
            seen += [k for k, text in info.primers.items() if text.english() in all_text(panel)]
            first = next(iter(choices.values()))
            panel = await anna.turn(panel, custom_id=first)
        assert not told.intersection(seen)
        told.update(seen)
    assert told


async def _chooses(game: Game, person: Person, **choices: Any) -> None:
    await game.hosted.bot.services.preferences.change(
        UserId(person.id), lambda own: replace(own, **choices)
    )


_OF_TWO = [each for each in sizes() if len(sized(*each).seats) == 2]
_DEFAULT = [each for each in _OF_TWO if sized(*each).options == sized(each[0], "").options]


@pytest.mark.parametrize(
    ("key", "size"),
    [pytest.param(*each, marks=() if each in _DEFAULT else pytest.mark.long) for each in _OF_TWO],
)
async def test_a_move_is_one_message_in_the_match_and_one_for_its_player(
    table: Hosted, monkeypatch: pytest.MonkeyPatch, key: str, size: str
) -> None:
    """The first two moves, one typed and one tapped; ``pytest -s`` prints what was counted."""
    anna, ben = await table.join("Anna"), await table.join("Ben")
    option = catalog.GAMES[key].info.options
    given: dict[str, Any] = {"options": f"{option[0].key} {size}"} if size else {}
    home = await begun(table, anna, ben, game=key, **given)
    match, taps, use = Match(anna, ben, home, home), 0, Person.use

    async def counted(person: Person, *given: Any, **more: Any) -> str:
        nonlocal taps
        taps += 1
        return await use(person, *given, **more)

    monkeypatch.setattr(Person, "use", counted)
    for way in ("typed", "tapped"):
        ((played, _),) = await table.history()
        state, before, taps = game_state_of(played), [len(each.events) for each in (anna, ben)], 0
        side = state.game.to_move(state.position)
        assert side is not None
        seat = state.game.seating(state.position)[side]
        mover = (anna, ben)[seat]
        if way == "typed":
            move = next(iter(state.game.legal_moves(state.position)))
            await match.say(mover, state.game.notation(state.position, move))
        else:
            panel = await press(mover, await match.board(), "move")
            while choices := picks(panel):
                panel = await mover.turn(panel, custom_id=next(iter(choices.values())))
            panel = await mover.turn(panel, custom_id=_played_by(panel))
        await table.settled()
        seen = [_seen(each, since) for each, since in zip((anna, ben), before, strict=True)]
        assert seen[0][0] == seen[1][0], "both see the same of the match"
        public, own = seen[seat]
        new, gone = public["MESSAGE_CREATE"], public["MESSAGE_DELETE"]
        pages = own["MESSAGE_UPDATE"]
        sys.stdout.write(
            f"\n{key} {size} {way}: {taps} taps, {own['MESSAGE_CREATE']} private message with"
            f" {pages} pages, in the match {new} new and {gone} gone"
        )
        assert (own["MESSAGE_CREATE"], pages) == (1, taps or 1), "a page for each tap"
        assert new - gone <= 1, "one message a move"


def _played_by(panel: Json) -> str:
    """The button that plays the move of a preview."""
    found = (str(each.get("custom_id", "")) for each in walk(panel["components"]))
    return next(each for each in found if ":play:" in each)


def _seen(person: Person, since: int) -> tuple[Counter[str], Counter[str]]:
    """Counts of events of messages that all see, and of those that only this person sees."""
    told = [each for each in person.events if each.name.startswith("MESSAGE")]
    private = {each.data["id"] for each in told if each.data.get("flags", 0) & 64}
    public, own = Counter[str](), Counter[str]()
    for each in person.events[since:]:
        if each.name.startswith("MESSAGE"):
            (own if each.data["id"] in private else public)[each.name] += 1
    return public, own
