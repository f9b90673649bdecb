"""A bot of few lines, the reference for the cost of a move: no rules, no store, no drawing.

``/move`` makes the same requests to Discord as Parlour does for an accepted move: it defers,
answers by editing, posts a board with buttons and a picture of fixed bytes, mentions a player,
takes the buttons off the previous board, deletes the line of that board and deletes the answer.

Run as ``python -m benchmarks.bare_bot ADDRESS TOKEN PICTURE`` beside a playground.
"""

from __future__ import annotations

import io
import logging
import sys
from pathlib import Path

import discord
from discord import app_commands

from bot.app.playground.child import point_at


class BareBot(discord.Client):
    """Has the last board and its line in variables, and no other state."""

    def __init__(self, picture: bytes) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.picture = picture
        self.last: discord.Message | None = None
        self.line: discord.Message | None = None

    async def setup_hook(self) -> None:
        """Register the command."""
        self.tree.add_command(app_commands.Command(name="move", description="Move", callback=_move))
        await self.tree.sync()


_BUTTONS = {
    "Make a move": discord.ButtonStyle.primary,
    "Rules": discord.ButtonStyle.secondary,
    "Hint": discord.ButtonStyle.secondary,
    "Plan": discord.ButtonStyle.secondary,
    "History": discord.ButtonStyle.secondary,
    "More": discord.ButtonStyle.secondary,
}


def _board(move: str, person: str, *, over: bool = False) -> discord.ui.LayoutView:
    """A board after a move; one that is over has no turn and no buttons.

    Words and ids are as many and as long as Parlour's.
    """
    items: list[discord.ui.Item[discord.ui.LayoutView]] = [
        discord.ui.TextDisplay(f"### A game · An option: off\nBlack {person} · Red {person}")
    ]
    if not over:
        items.append(discord.ui.TextDisplay(f"**{person} is to move (Black)**", id=90))
    picture = discord.MediaGalleryItem("attachment://board.png", description="A board. " * 45)
    items.append(discord.ui.MediaGallery(picture))
    moves = " · ".join(f"{number} {move}" for number in range(35, 41))
    items.append(discord.ui.TextDisplay(f"{moves}\n-# some match · 42 · 01234567"))
    if not over:
        names = list(_BUTTONS)
        for some in (names[:3], names[3:]):
            row: discord.ui.ActionRow[discord.ui.LayoutView] = discord.ui.ActionRow()
            for name in some:
                custom_id = f"p1:some match:42:{name}"
                button = discord.ui.Button[discord.ui.LayoutView](
                    label=name, style=_BUTTONS[name], custom_id=custom_id
                )
                row.add_item(button)
            items.append(row)
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.Container(*items, accent_colour=0x4F7CAC))
    return view


async def _move(interaction: discord.Interaction[BareBot], move: str) -> None:
    bot, person = interaction.client, interaction.user.mention
    nobody = discord.AllowedMentions.none()
    await interaction.response.defer(ephemeral=True)
    await interaction.edit_original_response(content=f"You played {move}.", allowed_mentions=nobody)
    channel = bot.get_partial_messageable(interaction.channel_id or 0)
    posted = await channel.send(
        view=_board(move, person),
        file=discord.File(io.BytesIO(bot.picture), "board.png"),
        silent=True,
        allowed_mentions=nobody,
    )
    before, bot.last = bot.last, posted
    line = await channel.send(
        f"{person}, your move in a game: {person} played {move}.",
        allowed_mentions=discord.AllowedMentions(users=[interaction.user]),
    )
    line_before, bot.line = bot.line, line
    if before is not None:
        await before.edit(view=_board(move, person, over=True), allowed_mentions=nobody)
    if line_before is not None:
        await line_before.delete()
    await interaction.delete_original_response()


def main() -> None:
    """Run until killed."""
    address, token, picture = sys.argv[1:]
    logging.basicConfig(level=logging.WARNING)
    point_at(address)
    BareBot(Path(picture).read_bytes()).run(token, log_handler=None)


if __name__ == "__main__":
    main()
