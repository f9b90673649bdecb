"""A whole game over the playground, as two people play it."""

from __future__ import annotations

from pathlib import Path

from hosted import all_text, hosted, start_quax


async def test_two_people_play_a_whole_game_by_typing_and_by_tapping(tmp_path: Path) -> None:
    async with hosted(tmp_path) as table:
        game = await start_quax(table)
        anna, ben = game.black, game.white
        assert game.home != game.channel, "a match has a thread of its own"

        assert "You have played a3." in all_text(await game.say(anna, "a3"))
        await table.settled()
        assert "You have played c5." in all_text(await game.tap(ben, "c5"))
        await table.settled()
        for mover, move in ((anna, "b3"), (ben, "c1"), (anna, "C3"), (ben, "a1"), (anna, "d3")):
            assert f"You have played {move.lower()}." in all_text(await game.say(mover, move))
        await game.say(ben, "a2")
        await table.settled()
        last = await game.tap(anna, "e3")
        assert f"<@{anna.id}> wins!" in all_text(last)
        await table.settled()
        board = await game.board()
        assert f"<@{anna.id}> wins!" in all_text(board)
        assert "Make a move" not in str(board["components"])
