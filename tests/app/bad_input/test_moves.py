"""Texts that are no move, moves that are not possible, and people whose move it is not."""

from __future__ import annotations

import pytest

from playground.forms import all_text, find_control
from playground.world.controls import walk
from playground.world.model import InteractionType
from tests.app.bad_input.conftest import Still

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("bad_moves")]

NO_MOVE = {
    # nothing at all, and far too much
    "nothing": "",
    "blanks": "   ",
    "blanks_of_all_sorts": "\u3000\u2003\u00a0\t\n",
    "six_thousand_letters": "a" * 6000,
    "links_of_markdown": "[a](" * 1500,
    "two_thousand_marks": "e" + "\u0301" * 2000,
    # characters that break what is not made for them
    "nul": "a\0001",
    "half_a_surrogate_pair": "a\ud8001",
    "right_to_left": "\u202ea1\u202c",
    "emoji": "🙂",
    # letters and digits that look like others, or turn into others
    "cyrillic_letters": "\u0441\u0441\u0441",
    "cyrillic_e_with_a_digit": "\u04353",
    "kelvin_sign": "\u212a4",
    "sharp_s": "ß1",
    "dotless_i": "\u01311",
    "arabic_digits": "c٣",
    "superscript": "c²",
    # what only a reader of numbers takes for a number
    "underscored": "c1_000",
    "hundreds_of_digits": "c" + "9" * 5000,
    "minus_nought": "c-0",
    "plus": "c+3",
    "nan": "nan",
    "infinity": "inf",
    "hexadecimal": "0x10",
    # of other games, of other rules, or no move at all
    "castling": "O-O",
    "castling_with_noughts": "0-0",
    "promotion": "e8=K",
    "en_passant": "exd6 e.p.",
    "pass": "pass",
    "resign": "resign",
    # more than one
    "three_moves": "c3 c4 c5",
    # wrapped in what a chat understands
    "fence": "```c3```x",
    "spoiler": "||z9||",
    "mention": "<@123456789012345678>",
    "everyone": "@everyone",
}
NOT_POSSIBLE = {
    "off_the_board": ("e6", "isn't on a 5 by 5 board"),
    "row_nought": ("a0", "isn't on a 5 by 5 board"),
    "occupied": ("a1", "There's already a stone on a1"),
    "occupied_in_capitals": ("B5", "There's already a stone on b5"),
    "occupied_behind_a_byte_order_mark": ("\ufeffa1", "There's already a stone on a1"),
    "occupied_with_zero_width": ("b\u200d5\u200b", "There's already a stone on b5"),
    "swap_without_pie": ("swap", "only right after the first stone"),
    "two_moves_are_no_link": ("c3 c4", "don't touch at a corner"),
    "two_lines_are_no_link": ("c3\nc4", "don't touch at a corner"),
    "a_number_in_figures_is_no_link": ("c1e3", "don't touch at a corner"),
}


@pytest.mark.parametrize("name", sorted(NO_MOVE))
async def test_what_is_no_move_is_refused_with_what_to_write_instead(
    still: Still, name: str
) -> None:
    answer = await still.move(NO_MOVE[name])
    said = all_text(answer)
    assert "Write one cell" in said or "for example" in said
    assert "@everyone" not in said
    assert not answer["mentions"]
    assert len(said) < 600


@pytest.mark.parametrize("name", ["six_thousand_letters", "two_thousand_marks", "nul"])
async def test_typing_what_is_no_move_suggests_nothing(still: Still, name: str) -> None:
    black, home = still.game.black, still.game.home
    text = NO_MOVE[name][:200]
    assert await black.autocomplete("move", home, "move", move=text) == []


@pytest.mark.parametrize("name", sorted(NOT_POSSIBLE))
async def test_what_is_not_possible_is_refused_by_its_rule(still: Still, name: str) -> None:
    await still.move(*NOT_POSSIBLE[name])


async def test_a_move_of_the_position_before_is_refused_and_shown(still: Still) -> None:
    answer = await still.move("b5", "There's already a stone on b5")
    (picture,) = [each for each in walk(answer["components"]) if each["type"] == 12]
    assert "Not allowed at: b5" in picture["items"][0]["description"]


async def test_a_player_who_is_not_on_turn_is_told_who_is(still: Still) -> None:
    game = still.game
    answer = await still.move("c3", "not your turn", by=game.white)
    assert f"<@{game.black.id}> is to move" in all_text(answer)
    make = find_control(still.board, label="Make a move")["custom_id"]
    answer = await still.click(make, "not your turn", by=game.white)
    assert f"<@{game.black.id}> is to move" in all_text(answer)


async def test_an_onlooker_is_told_how_to(still: Still) -> None:
    cleo = await still.table.join("Cleo")
    await still.move("c3", "/play", by=cleo)


@pytest.mark.parametrize(
    "name",
    ["-1", "0", "9223372036854775808", "18446744073709551616", "../../x", "'; --", "x" * 200, "ß"],
)
@pytest.mark.parametrize("command", ["match download", "match history", "match replay", "view"])
async def test_a_match_that_cannot_be_is_not_there(still: Still, command: str, name: str) -> None:
    data = await still.command(command, {"match": name})
    await still.refused(data, "no such match", kind=InteractionType.COMMAND)


@pytest.mark.parametrize("number", [-1, 2**53, 1.5, "x", True])
async def test_a_position_that_cannot_be_is_not_shown(still: Still, number: object) -> None:
    """Discord's client sends none of these; a forged one is a command that does not fit."""
    data = await still.command("match history", {"move": number})
    await still.refused(data, "has changed", "no move", kind=InteractionType.COMMAND)


async def test_a_match_of_another_server_is_not_there(still: Still) -> None:
    world = still.table.playground.world
    cleo = await still.table.join("Cleo")
    elsewhere = world.places.add_guild("Elsewhere", cleo.id)
    world.places.join(elsewhere.id, world.state.bot_id)
    (channel,) = [each.id for each in world.state.channels_of(elsewhere.id)]
    data = await still.command("match history", {"match": still.id})
    await still.refused(data, "no such match", kind=InteractionType.COMMAND, by=cleo, where=channel)
    there = await cleo.say(channel, "hello")
    for action in ("move", "resign", "text", "history", "accept", "withdraw"):
        # The control of a board carried over by hand: its match is not for those who are here.
        data = {"component_type": 2, "custom_id": f"p1:{still.id}:4:{action}:"}
        await still.refused(data, "no such match", by=cleo, where=channel, message=there)
