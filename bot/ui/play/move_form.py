"""The form to type a move into, the same in a match, a lesson, a puzzle and an analysis."""

from __future__ import annotations

from dataclasses import replace

import discord

from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import one_field
from bot.ui.pages.custom_ids import Control

LONGEST_MOVE = 100
"""Characters that a typed move may have."""


def move_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form behind a button; that of ``puztype`` comes back as ``puztyped``."""
    language = context.language
    return one_field(
        replace(control, action=f"{control.action}d"),
        language.say("Type a move"),
        language.say("Your move"),
        longest=LONGEST_MOVE,
    )
