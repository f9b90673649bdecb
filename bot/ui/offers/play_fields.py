"""What the fields of ``/play`` suggest while a player types."""

from __future__ import annotations

from discord import app_commands

from bot.errors import UserError
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.slash import suggests
from bot.ui.offers.offer_terms import suggest_bands, suggest_lasting
from bot.ui.offers.option_text import find_game, read_options, suggest_options, suggest_sides
from bot.ui.pages.clock_text import suggest_clocks
from bot.ui.pages.components import Suggestion
from bot.ui.pages.levels import suggest_levels
from games.errors import GameError


@suggests("play", "computer")
async def levels_suggested(
    context: InteractionContext, typed: str, given: app_commands.Namespace
) -> list[Suggestion]:
    """Levels of the computer in the game that is named, the one that suits the person first."""
    game = find_game(str(getattr(given, "game", None) or "")).info.key
    mine = await context.services.computers.about_as_strong(context.user_id, game)
    return suggest_levels(game, typed, mine, context.language)


@suggests("play", "options")
async def options_suggested(
    context: InteractionContext, typed: str, given: app_commands.Namespace
) -> list[Suggestion]:
    """Options of the game that is named."""
    info = find_game(str(getattr(given, "game", None) or "")).info
    return suggest_options(info, typed, context.language)


@suggests("play", "side")
async def sides_suggested(
    context: InteractionContext, typed: str, given: app_commands.Namespace
) -> list[Suggestion]:
    """Sides of the game that is named, under the options typed."""
    info = find_game(str(getattr(given, "game", None) or "")).info
    try:
        options = str(getattr(given, "options", None) or "")
        chosen = read_options(info, options, context.language)
    except (UserError, GameError):
        chosen = info.resolve({})
    return suggest_sides(info, chosen, typed, context.language)


@suggests("play", "clock")
async def clocks_suggested(
    context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[Suggestion]:
    """Clocks that fit what has been typed."""
    return suggest_clocks(typed, context.language)


@suggests("play", "rating")
async def bands_suggested(
    context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[Suggestion]:
    """Rating ranges that fit what has been typed."""
    return suggest_bands(typed, context.language)


@suggests("play", "expires")
async def expiry_suggested(
    context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[Suggestion]:
    """Times after which an offer may expire."""
    return suggest_lasting(typed, context.services.settings.offers_last, context.language)
