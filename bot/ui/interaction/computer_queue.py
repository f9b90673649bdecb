"""What is said where the computer cannot move at once, because others wait for it too."""

from __future__ import annotations

from bot.domain.computer_turns import awaited
from bot.domain.match import Match
from bot.ui.interaction.context import InteractionContext

_FEW = 2
"""So many others before one are no wait worth a word."""


async def told_of_queue(context: InteractionContext, match: Match) -> str:
    """Why the computer's move may take a while, if it is to move in a match; else nothing."""
    if awaited(match) is None:
        return ""
    if context.services.computers.rests(context.user_id):
        return context.language.say(
            "The computer has played many moves against you within a minute, so its next one comes"
            " a little later."
        )
    queue = await context.services.computers.queue()
    others = queue.waiting + queue.taken - 1
    if others <= _FEW:
        return ""
    return context.language.plural(
        "{n} other match waits for the computer, so its move may take a while.",
        "{n} other matches wait for the computer, so its move may take a while.",
        n=others,
    )
