"""Every page and every kind of message, held against Discord's own description."""

from __future__ import annotations

from playground.forms import all_text, find_control
from playground.world.controls import walk
from tests.support.hosted import Hosted, press_board, start_quax


async def test_all_commands_and_pages_are_as_discord_describes_them(table: Hosted) -> None:
    game = await start_quax(table, options="size 7, pie on")
    anna, ben = game.black, game.white
    for name in ("help", "matches", "board", "match draw", "match abort", "match resign"):
        assert all_text(await anna.ask(name, game.home))
    page = await anna.ask("rules", game.home, game="quax")
    shown = page["id"]
    for number in range(2, 9):
        after = len(anna.events)
        await anna.click(page, label="Next")
        page = await anna.wait_message(lambda m: m["id"] == shown, after=after)
        assert f"Page {number} of" in all_text(page)
    assert find_control(page, label="Next")["disabled"]
    board = await game.board()
    text = await press_board(ben, board, "Text board")
    assert "```" in all_text(text)
    await game.say(anna, "d4")
    await table.settled()
    await game.tap(ben, "swap")
    await table.settled()
    await game.tap(anna, "d5")
    refused = await game.say(ben, "d4")
    assert "d4" in all_text(refused)
    assert any(each["type"] == 12 for each in walk(refused["components"]))
    listed = await anna.ask("matches", game.channel)
    select = next(each for each in walk(listed["components"]) if each["type"] == 3)
    board = await anna.wait_answer(
        await anna.select(listed, select["custom_id"], [select["options"][0]["value"]])
    )
    assert "1 d4" in all_text(board)
    helped = await anna.ask("help", game.channel)
    for label in ("My matches", "Settings", "For organisers", "Learn a game"):
        helped = await anna.ask("help", game.channel)
        helped = await anna.turn(helped, label=label)
    select = find_control(helped, custom_id="p1:-:0:guide:")
    rules = await anna.wait_answer(
        await anna.select(helped, select["custom_id"], [select["options"][0]["value"]])
    )
    assert "The goal" in all_text(rules)
