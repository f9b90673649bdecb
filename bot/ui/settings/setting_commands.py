"""The slash commands of choices: ``/settings``, ``/vacation``, ``/block``, ``/privacy``."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.domain.quiet_hours import suggest_zones
from bot.errors import UserError
from bot.ui.acts import Acts
from bot.ui.commands.slash import Ask, command, plain, said, typing
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.permissions import described
from bot.ui.interaction.responses import Acknowledgement, Reply
from bot.ui.offers.option_text import Suggestion
from games.view import Text

_DESCRIPTIONS = {
    "settings": Text.of("Your settings, and those of this server"),
    "me": Text.of("Your pictures, notices, quiet hours, time zone and language"),
    "server": Text.of("Channels, threads, roles and limits, for managers of this server"),
    "privacy": Text.of("Download or erase your data"),
    "export": Text.of("Download everything Parlour stores about you"),
    "delete": Text.of("Erase everything Parlour stores about you; asks you first"),
    "time_zone": Text.of("A city, like Berlin or New York; everything else is on the page"),
    "vacation": Text.of("Stop your clocks for some days, or see how many days you have left"),
    "days": Text.of("Number of days from now"),
    "until": Text.of("The day you're back"),
    "block": Text.of("Block a player"),
    "unblock": Text.of("Unblock a player"),
    "person": Text.of("Player"),
}
_LONGEST = 64
_MOST_DAYS = 366


def add_choices(
    tree: app_commands.CommandTree[Any], handler: InteractionHandler, acts: Acts
) -> None:
    """Put these commands into the tree."""
    settings = _group("settings")
    settings.add_command(_me(handler, acts))
    settings.add_command(_server(handler, acts))
    tree.add_command(settings)
    privacy = _group("privacy")
    privacy.add_command(plain("export", _DESCRIPTIONS["export"], handler, acts.held))
    privacy.add_command(plain("delete", _DESCRIPTIONS["delete"], handler, acts.erase))
    tree.add_command(privacy)
    tree.add_command(_vacation(handler, acts))
    tree.add_command(_person("block", handler, acts))
    tree.add_command(_person("unblock", handler, acts))


def _group(name: str) -> app_commands.Group:
    return app_commands.Group(
        name=name,
        description=said(_DESCRIPTIONS[name]),
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
    )


def _me(handler: InteractionHandler, acts: Acts) -> app_commands.Command[Any, ..., Any]:
    async def callback(
        interaction: Ask, time_zone: app_commands.Range[str, 0, _LONGEST] = ""
    ) -> None:
        async def act(context: InteractionContext) -> Reply:
            return await acts.settings(context, time_zone)

        await handler.handle(interaction, Acknowledgement.PRIVATE, act)

    app_commands.describe(time_zone=said(_DESCRIPTIONS["time_zone"]))(callback)
    made = command("me", _DESCRIPTIONS["me"], callback)

    async def zones(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
        def suggestions(_visit: InteractionContext) -> list[Suggestion]:
            return [Suggestion(zone.replace("_", " "), zone) for zone in suggest_zones(current)]

        return await typing(handler, interaction, suggestions)

    made.autocomplete("time_zone")(zones)
    return made


def _vacation(handler: InteractionHandler, acts: Acts) -> app_commands.Command[Any, ..., Any]:
    async def callback(
        interaction: Ask,
        days: app_commands.Range[int, 0, _MOST_DAYS] = 0,
        until: app_commands.Range[str, 0, _LONGEST] = "",
    ) -> None:
        async def act(context: InteractionContext) -> Reply:
            return await acts.vacation(context, days, until)

        await handler.handle(interaction, Acknowledgement.PRIVATE, act)

    described = {name: said(_DESCRIPTIONS[name]) for name in ("days", "until")}
    app_commands.describe(**described)(callback)
    made = command("vacation", _DESCRIPTIONS["vacation"], callback)

    async def dates(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
        return await typing(
            handler, interaction, lambda context: acts.suggest_days(context, current)
        )

    made.autocomplete("until")(dates)
    return made


def _server(handler: InteractionHandler, acts: Acts) -> app_commands.Command[Any, ..., Any]:
    async def callback(interaction: Ask) -> None:
        await handler.handle(interaction, Acknowledgement.PRIVATE, acts.server_settings)

    return command("server", _DESCRIPTIONS["server"], callback)


def _person(
    name: str, handler: InteractionHandler, acts: Acts
) -> app_commands.Command[Any, ..., Any]:
    async def callback(interaction: Ask, person: discord.User) -> None:
        async def act(context: InteractionContext) -> Reply:
            other = described(person)
            if person.bot:
                raise UserError("invite_bot")
            acts.services.presenter.names.note(other, person.display_name)
            return await (acts.block if name == "block" else acts.unblock)(context, other)

        await handler.handle(interaction, Acknowledgement.PRIVATE, act)

    app_commands.describe(person=said(_DESCRIPTIONS["person"]))(callback)
    return command(name, _DESCRIPTIONS[name], callback)
