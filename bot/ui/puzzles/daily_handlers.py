"""``/server daily-puzzle``: have the puzzle of the day posted in a channel."""

from __future__ import annotations

from dataclasses import replace

from discord import app_commands

from bot.domain.preferences import ServerSettings
from bot.domain.quiet_hours import find_zone
from bot.errors import UserError
from bot.services.ports import StoreUnavailable
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import managed, may_post
from bot.ui.interaction.slash import LONGEST, command, suggests
from bot.ui.pages.reply import Reply
from bot.ui.settings.setting_handlers import SERVER, zones_suggested
from games.view import Text

_HOUR = 9


@command(
    "daily-puzzle",
    Text.of("Post the puzzle of the day in this channel every day"),
    group=SERVER,
    fields={
        "hour": Text.of("At which hour? 0 to 23 (default: 9)"),
        "time_zone": Text.of("A city, like Berlin or New York (default: UTC)"),
        "stop": Text.of("Turn daily puzzles off?"),
    },
)
async def daily_puzzle(
    context: InteractionContext,
    hour: app_commands.Range[int, 0, 23] = _HOUR,
    time_zone: app_commands.Range[str, 0, LONGEST] = "",
    stop: bool = False,
) -> Reply:
    """``/server daily-puzzle``: here from now on, or nowhere."""
    guild_id = managed(context.interaction)
    channel = context.place.channel_id
    zone = find_zone(time_zone) if time_zone.strip() else "UTC"
    guild = context.interaction.guild
    if not stop and guild is not None and not may_post(guild, channel):
        raise UserError("puzzle_refused", channel=f"<#{channel}>")

    def decide(chosen: ServerSettings) -> ServerSettings:
        if stop:
            return replace(chosen, puzzle=None)
        return replace(chosen, puzzle=channel, puzzle_hour=hour, puzzle_zone=zone)

    preferences = context.services.preferences
    chosen = await preferences.change_server(guild_id, context.user_id, decide)
    try:
        due_at = await context.services.daily_puzzles.plan(guild_id, chosen)
    except StoreUnavailable as error:
        raise UserError("store_unavailable", reason=error.reason) from error
    if due_at is None:
        return Reply(context.language.say("Daily puzzles are off in this server."))
    said = context.language.say(
        "The puzzle of the day comes here every day, next {time}. /puzzle shows today's.",
        time=f"<t:{int(due_at.timestamp())}:f>",
    )
    return Reply(said)


suggests("daily-puzzle", "time_zone", group="server")(zones_suggested)
