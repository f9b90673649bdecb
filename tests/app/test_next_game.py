"""``/matches`` and **Next game**: from one match that waits to the next."""

from __future__ import annotations

import pytest

from playground.forms import all_text
from playground.person import Person
from tests.support.hosted import Hosted, Json, begun, control, press_action, start_quax


async def _another(table: Hosted, host: Person, guest: Person, game: str = "quax") -> None:
    """One more match, in which the host begins."""
    options = "size 5, pie off" if game == "quax" else ""
    await begun(table, host, guest, game=game, options=options)


async def _next(person: Person, page: Json) -> Json:
    after = len(person.events)
    await press_action(person, page, "next")
    return await person.wait_message(lambda m: m["id"] == page["id"], after=after)


def _has_next(page: Json) -> bool:
    try:
        control(page, "next")
    except LookupError:
        return False
    return True


@pytest.mark.long
async def test_after_a_move_the_next_game_is_offered_if_there_is_one(table: Hosted) -> None:
    game = await start_quax(table)
    anna, ben = game.black, game.white
    answer = await game.say(anna, "a2")
    assert not _has_next(answer), "there is no other match"
    await _another(table, anna, ben)
    answer = await game.say(ben, "b4")
    assert not _has_next(answer), "the other match waits for Anna"
    answer = await game.say(anna, "c3")
    assert all_text(answer).startswith("You played c3. 1 more match waits for you: **Quax** with")
    assert "<#" in all_text(answer), "and where it is"
    page = await _next(anna, answer)
    assert "Quax" in all_text(page)
    assert not _has_next(page), "this is the only one"
    await _another(table, anna, ben, "quux")
    await game.say(ben, "c4")
    answer = await game.say(anna, "d3")
    assert "2 more matches wait for you. Next: **Quax** with" in all_text(answer)
    page = await _next(anna, answer)
    assert "1 more match waits for you: **Quux** with" in all_text(page)
