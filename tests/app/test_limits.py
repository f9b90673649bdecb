"""Limits for one person's simultaneous actions, so that others are not held up."""

from __future__ import annotations

from pathlib import Path

from playground.forms import all_text
from tests.support.hosted import hosted


async def test_a_player_acts_five_times_at_once_and_then_once_a_second(tmp_path: Path) -> None:
    async with hosted(
        tmp_path, commands_per_second=1.0, commands_burst=5, suggestions_per_second=5.0
    ) as table:
        # A busy machine may take seconds for what follows, in which people may do more.
        at, services = 100.0, table.bot.services
        services.commands._clock = services.typing._clock = lambda: at
        anna, ben = await table.join("Anna"), await table.join("Ben")
        channel = anna.channel("general")

        async def refused(times: int) -> int:
            """Of so many commands in one instant, how many are refused."""
            nonces = [await anna.slash("help", channel) for _ in range(times)]
            answers = [all_text(await anna.wait_answer(nonce)) for nonce in nonces]
            return sum(each.startswith("That was a lot at once") for each in answers)

        assert await refused(8) == 3
        at += 2
        assert await refused(3) == 1
        assert "/play" in all_text(await ben.ask("help", channel))
        typed = [
            await ben.autocomplete("settings", channel, "time_zone", time_zone="ber")
            for _ in range(7)
        ]
        assert [bool(each) for each in typed] == [True] * 5 + [False] * 2, "and no error"
