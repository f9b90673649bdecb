"""A bot of few lines, the reference for what a move costs: no rules, no store, no drawing.

``/move`` makes the same requests to Discord as Parlour does for an accepted move: it defers,
answers by editing, posts a board with buttons and a picture of fixed bytes, mentions a player,
takes the buttons off the board before and deletes the line that belonged to it.

Run as ``python -m benchmarks.bare_bot ADDRESS PICTURE`` beside a playground.
"""

from __future__ import annotations

import io
import logging
import sys
from pathlib import Path
from typing import Any

import discord
from discord import app_commands

from bot.playground_child import point_at
from playground.server import TOKEN


class BareBot(discord.Client):
    """Keeps the last board and its line in variables, and that is all it keeps."""

    def __init__(self, picture: bytes) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.picture = picture
        self.last: discord.Message | None = None
        self.line: discord.Message | None = None

    async def setup_hook(self) -> None:
        """Tell Discord the command."""
        self.tree.add_command(app_commands.Command(name="move", description="Move", callback=_move))
        await self.tree.sync()


def _board(text: str, *, buttons: bool) -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    items: list[Any] = [
        discord.ui.TextDisplay("### A game"),
        discord.ui.TextDisplay(f"**{text}**"),
        discord.ui.MediaGallery(
            discord.MediaGalleryItem("attachment://board.png", description="A board. " * 40)
        ),
        discord.ui.TextDisplay("-# a match · 1"),
    ]
    if buttons:
        row: discord.ui.ActionRow[discord.ui.LayoutView] = discord.ui.ActionRow()
        for name in ("Make a move", "Text board", "Rules", "Resign"):
            row.add_item(discord.ui.Button(label=name, custom_id=f"bare:{name}"))
        items.append(row)
    view.add_item(discord.ui.Container(*items))
    return view


async def _move(interaction: discord.Interaction[BareBot], move: str) -> None:
    bot = interaction.client
    await interaction.response.defer(ephemeral=True)
    await interaction.edit_original_response(content=f"You have played {move}.")
    channel = bot.get_partial_messageable(interaction.channel_id or 0)
    posted = await channel.send(
        view=_board(move, buttons=True),
        file=discord.File(io.BytesIO(bot.picture), "board.png"),
        silent=True,
    )
    before, bot.last = bot.last, posted
    line_before, bot.line = bot.line, await channel.send(f"<@{interaction.user.id}>, your move.")
    if before is not None:
        await before.edit(view=_board(move, buttons=False))
    if line_before is not None:
        await line_before.delete()


def main() -> None:
    """Run until killed."""
    address, picture = sys.argv[1:]
    logging.basicConfig(level=logging.WARNING)
    point_at(address)
    BareBot(Path(picture).read_bytes()).run(TOKEN, log_handler=None)


if __name__ == "__main__":
    main()
