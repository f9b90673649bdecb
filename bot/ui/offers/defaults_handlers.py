"""``/server defaults``: what offers of a server begin with, field by field of ``/play``."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.clock_text import write_clock
from bot.domain.preferences import ServerSettings
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import managed
from bot.ui.interaction.registry import PRIVATE, Click, on_button, page_button
from bot.ui.interaction.slash import command
from bot.ui.offers.draft import OfferDraft, begun, changed, draft_of, house_of, with_defaults
from bot.ui.offers.setup_page import defaults_page
from bot.ui.pages.components import Control, Reply
from bot.ui.settings.server_panel import SERVER
from games import catalog
from games.view import Text

_CLOCKS = frozenset({"sclock", "svacation"})


@page_button("sdefaults", how=PRIVATE)
@command("defaults", Text.of("Set the terms that /play begins with in this server"), group=SERVER)
async def defaults_here(context: InteractionContext) -> Reply:
    """``/server defaults``: the page of what offers begin with."""
    return await defaults_for(context, None)


@on_button("susual")
async def defaults_cleared(context: InteractionContext, _click: Click) -> Reply:
    """**Standard options** there: nothing stays chosen but the game."""
    guild_id, draft = managed(context.interaction), await draft_of(context)

    def clear(chosen: ServerSettings) -> ServerSettings:
        return replace(with_defaults(chosen, OfferDraft()), options=(), clock=None)

    await context.services.preferences.change_server(guild_id, context.user_id, clear)
    return await defaults_for(context, draft.game)


async def defaults_for(
    context: InteractionContext, game: str | None, *, refused: str = ""
) -> Reply:
    """The page, with the options of a game; ``refused`` says what was wrong with a choice."""
    managed(context.interaction)
    chosen = await context.services.preferences.server(context.place.guild_id)
    shown = begun(game or chosen.game or next(iter(catalog.GAMES)), chosen)
    draft = replace(shown, clock=chosen.clock or "", more=True, for_server=True)
    house = await house_of(context, draft.game)
    return defaults_page(draft, house, context.language, refused=refused)


async def save_default(
    context: InteractionContext, game: str | None, control: Control, values: tuple[str, ...]
) -> Reply:
    """Save a choice on the page, and nothing else that its menus show; show the page anew."""
    guild_id = managed(context.interaction)
    if control.action == "sgame":
        found = await context.services.preferences.server(guild_id)
        return await defaults_for(context, changed(OfferDraft(), control, values, found).game)
    clock = write_clock((await house_of(context)).clock)

    def decide(chosen: ServerSettings) -> ServerSettings:
        before = begun(game, chosen)
        if control.action in _CLOCKS:
            before = replace(before, clock=chosen.clock or clock)
        return with_defaults(chosen, changed(before, control, values, chosen))

    await context.services.preferences.change_server(guild_id, context.user_id, decide)
    return await defaults_for(context, game)
