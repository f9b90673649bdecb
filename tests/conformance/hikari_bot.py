"""Logs in with hikari, registers /ping and answers it and its button.

python hikari_bot.py <base address> <token>
"""

from __future__ import annotations

import sys

import hikari


def main() -> None:
    """Run until killed."""
    address, token = sys.argv[1:]
    bot = hikari.GatewayBot(
        token,
        intents=hikari.Intents.GUILDS,
        rest_url=f"{address}/api/v10",
        banner=None,
        logs="WARNING",
    )

    @bot.listen()
    async def register(event: hikari.StartingEvent) -> None:
        application = await bot.rest.fetch_application()
        command = bot.rest.slash_command_builder("ping", "Ping")
        command.add_option(
            hikari.CommandOption(
                type=hikari.OptionType.STRING, name="text", description="Text", autocomplete=True
            )
        )
        await bot.rest.set_application_commands(application.id, [command])

    @bot.listen()
    async def answer(event: hikari.InteractionCreateEvent) -> None:
        interaction = event.interaction
        if isinstance(interaction, hikari.AutocompleteInteraction):
            await interaction.create_response(
                [hikari.impl.AutocompleteChoiceBuilder("suggested", "suggested")]
            )
        elif isinstance(interaction, hikari.CommandInteraction):
            await interaction.create_initial_response(hikari.ResponseType.DEFERRED_MESSAGE_CREATE)
            row = bot.rest.build_message_action_row()
            row.add_interactive_button(hikari.ButtonStyle.PRIMARY, "more", label="More")
            text = interaction.options[0].value if interaction.options else None
            await interaction.edit_initial_response(
                f"pong {text}", component=row, attachment=hikari.Bytes(b"a1", "game.txt")
            )
        elif isinstance(interaction, hikari.ComponentInteraction):
            await interaction.create_initial_response(
                hikari.ResponseType.MESSAGE_CREATE, "more", flags=hikari.MessageFlag.EPHEMERAL
            )

    bot.run(check_for_updates=False)


if __name__ == "__main__":
    main()
