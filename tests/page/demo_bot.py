"""A small bot with one of everything that a message can hold, to show on the page."""

from __future__ import annotations

import asyncio
import contextlib
import io
import struct
import zlib
from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest
import yarl
from discord import app_commands, ui

MOVES = [f"{column}{row}" for column in "abcdefghijk" for row in range(1, 12)]
BOARD_ALT = "A board of 11 by 11. Ada has a1 and b2; Ben has c3. Last move b2."
NASTY = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>'


def png(width: int = 200, height: int = 236) -> bytes:
    """A picture: diagonal stripes, so that one sees whether it was scaled."""
    rows = b"".join(
        b"\0" + bytes(90 if (x + y) // 12 % 2 else 200 for x in range(width)) for y in range(height)
    )

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


class Offer(ui.LayoutView):
    """A challenge: a container with text, a picture, buttons and menus."""

    def __init__(self, words: str) -> None:
        super().__init__(timeout=None)
        self.words = words
        box: ui.Container[Offer] = ui.Container(accent_colour=0x0072B2)
        box.add_item(ui.TextDisplay(words))
        gallery: ui.MediaGallery[Offer] = ui.MediaGallery()
        gallery.add_item(media="attachment://board.png", description=BOARD_ALT)
        box.add_item(gallery)
        box.add_item(ui.Separator())
        row: ui.ActionRow[Offer] = ui.ActionRow()
        for label, style in (("Accept", 3), ("Decline", 4), ("Closed", 2), ("Private", 1)):
            row.add_item(
                Deed(label=label, style=discord.ButtonStyle(style), disabled=label == "Closed")
            )
        row.add_item(ui.Button(label="Rules", url="https://example.org/rules"))
        box.add_item(row)
        self.add_item(box)


class Deed(ui.Button[Any]):
    """A button of the offer."""

    async def callback(self, interaction: discord.Interaction) -> None:
        if self.label == "Private":
            await interaction.response.send_message("For your eyes", ephemeral=True)
            return
        if self.label == "Decline":
            return  # Says nothing: the page tells that the interaction failed.
        done = ui.LayoutView(timeout=None)
        done.add_item(ui.TextDisplay(f"**{interaction.user.name}** accepted"))
        await interaction.response.edit_message(view=done, attachments=[])


class Menus(ui.View):
    """A menu of one choice, one of several, and one of people."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        letters = [discord.SelectOption(label=c, value=f"col-{c}") for c in "abcdef"]
        self.add_item(Menu(placeholder="Column", options=letters))
        self.add_item(Menu(placeholder="Up to three", options=letters, max_values=3))
        self.add_item(People(placeholder="A player"))


class Menu(ui.Select[Any]):
    """Says what was chosen."""

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"Chosen: {', '.join(sorted(self.values))}")


class People(ui.UserSelect[Any]):
    """Says who was chosen."""

    async def callback(self, interaction: discord.Interaction) -> None:
        names = ", ".join(user.name for user in self.values)
        await interaction.response.send_message(f"Chosen: {names}")


class Form(ui.Modal):
    """A form with a text field and a menu."""

    def __init__(self) -> None:
        super().__init__(title="Make a move", timeout=None)
        self.move: ui.TextInput[Form] = ui.TextInput(min_length=2, max_length=8)
        self.side: ui.Select[Form] = ui.Select(
            options=[discord.SelectOption(label=c, value=c.lower()) for c in ("Black", "White")]
        )
        self.add_item(ui.Label(text="Your move", description="Such as f7", component=self.move))
        self.add_item(ui.Label(text="Side", component=self.side))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"{self.move.value} as {self.side.values[0]}")


class Import(ui.Modal):
    """A form that takes a file."""

    def __init__(self) -> None:
        super().__init__(title="Bring a game", timeout=None)
        self.file: ui.FileUpload[Import] = ui.FileUpload()
        self.add_item(ui.Label(text="The record", component=self.file))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        text = (await self.file.values[0].read()).decode()
        await interaction.response.send_message(f"Read: {text}")


class DemoBot(discord.Client):
    """The bot; ``ready`` is set once its commands are known."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.default(), guild_ready_timeout=0.2)
        self.tree = app_commands.CommandTree(self)
        self.ready = asyncio.Event()
        #: Set it to let the command that thinks go on.
        self.thought = asyncio.Event()
        add_commands(self.tree)

    async def setup_hook(self) -> None:
        await self.tree.set_translator(German())
        await self.tree.sync()

    async def on_ready(self) -> None:
        self.ready.set()


class German(app_commands.Translator):
    """Describes one command in German, and names a choice of another."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        if locale is not discord.Locale.german:
            return None
        words = {
            "Make a move": "Einen Zug machen",
            "Where to, such as f7": "Wohin, etwa f7",
            "Quax": "Quax mit Brücken",
        }
        return words.get(string.message)


def add_commands(tree: app_commands.CommandTree[DemoBot]) -> None:
    @tree.command(description="Challenge a player")
    @app_commands.describe(game="Which game", opponent="The player to challenge", size="Board size")
    @app_commands.choices(
        game=[
            app_commands.Choice(name=app_commands.locale_str(n), value=n.lower())
            for n in ("Quax", "Pux")
        ]
    )
    async def play(
        interaction: discord.Interaction,
        game: str,
        opponent: discord.User | None = None,
        size: app_commands.Range[int, 3, 15] = 11,
    ) -> None:
        challenged = opponent.mention if opponent else "anybody"
        picture = discord.File(io.BytesIO(png()), "board.png", description=BOARD_ALT)
        view = Offer(f"## {game} {size}\n{interaction.user.mention} challenges {challenged}")
        await interaction.response.send_message(view=view, file=picture)

    @tree.command(description="Make a move")
    @app_commands.describe(to="Where to, such as f7")
    async def move(interaction: discord.Interaction, to: str) -> None:
        await interaction.response.send_message(f"Played {to}")

    @move.autocomplete("to")
    async def offered(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        fits = [each for each in MOVES if each.startswith(typed.lower())][:25]
        return [app_commands.Choice(name=each, value=each) for each in fits]

    @tree.command(description="Something for you alone")
    async def secret(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Nobody else sees this", ephemeral=True)

    @tree.command(description="Begin a thread")
    async def thread(interaction: discord.Interaction, name: str) -> None:
        assert isinstance(interaction.channel, discord.TextChannel)
        made = await interaction.channel.create_thread(
            name=name, type=discord.ChannelType.public_thread
        )
        await made.send("Welcome to the thread")
        await interaction.response.send_message(f"See {made.mention}", ephemeral=True)

    @tree.command(description="Menus of every kind")
    async def menus(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Choose", view=Menus())

    @tree.command(description="A form to fill in")
    async def form(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Form())

    @tree.command(description="A form that takes a file, or the file at once")
    async def bring(
        interaction: discord.Interaction, file: discord.Attachment | None = None
    ) -> None:
        if file is None:
            await interaction.response.send_modal(Import())
        else:
            await interaction.response.send_message(f"Got {file.filename} of {file.size} bytes")

    @tree.command(description="A message that changes")
    async def count(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Counted 1")
        await interaction.edit_original_response(content="Counted 2")

    @tree.command(description="Thinks before it answers")
    async def think(interaction: discord.Interaction) -> None:
        await interaction.response.defer(thinking=True)
        assert isinstance(interaction.client, DemoBot)
        await interaction.client.thought.wait()
        await interaction.followup.send("Thought about it")

    @tree.command(description="Never answers")
    async def silent(_: discord.Interaction) -> None:
        return

    @tree.command(description="Text that would like to be markup")
    async def nasty(interaction: discord.Interaction) -> None:
        embed = discord.Embed(title=NASTY, description=f"[x](javascript:window.hurt=1) {NASTY}")
        embed.add_field(name=NASTY, value=NASTY)
        await interaction.response.send_message(f"{NASTY} **bold**", embed=embed)


@contextlib.asynccontextmanager
async def running(
    monkeypatch: pytest.MonkeyPatch, rest_url: str, gateway_url: str, token: str
) -> AsyncIterator[DemoBot]:
    """The bot, logged in to the playground at these addresses."""
    monkeypatch.setattr(discord.http.Route, "BASE", rest_url)
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(gateway_url))
    bot = DemoBot()
    task = asyncio.create_task(bot.start(token))
    try:
        async with asyncio.timeout(20):
            await bot.ready.wait()
        yield bot
    finally:
        await bot.close()
        with contextlib.suppress(asyncio.CancelledError):
            await task
