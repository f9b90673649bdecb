"""The unmodified discord.py client lives in the playground as it would on Discord."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import discord
import pytest
from discord import ui
from PIL import Image

from playground.errors import DiscordError
from playground.forms import all_text, find_control
from playground.person import Person
from playground.server import Playground
from playground.world.model import InteractionType
from tests.playground.conftest import Bot, channel_id, until

Running = Callable[[discord.Client], AbstractAsyncContextManager[None]]


def png(width: int = 40, height: int = 30) -> discord.File:
    """A picture to upload."""
    data = io.BytesIO()
    Image.new("RGB", (width, height)).save(data, "PNG")
    data.seek(0)
    return discord.File(data, "board.png", description="an empty board")


class Board(ui.LayoutView):
    """A board with its picture, a button and a menu, all in a container."""

    def __init__(self, *, disabled: bool = False) -> None:
        super().__init__(timeout=None)
        button: ui.Button[Board] = ui.Button(label="Move", custom_id="p1:move", disabled=disabled)
        menu: ui.Select[Board] = ui.Select(
            custom_id="p1:column",
            options=[discord.SelectOption(label=each) for each in "abc"],
        )
        self.add_item(
            ui.Container(
                ui.TextDisplay("# Board"),
                ui.MediaGallery(
                    discord.MediaGalleryItem("attachment://board.png", description="empty")
                ),
                ui.ActionRow(button),
                ui.ActionRow(menu),
            )
        )


async def test_a_slash_command_is_deferred_then_edited_into_a_v2_board_with_its_picture(
    playground: Playground, running: Running, cleo: Person
) -> None:
    bot = Bot()

    @bot.tree.command(description="Play a game")
    async def play(interaction: discord.Interaction, game: str, size: int = 11) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(view=Board(), attachments=[png(80, 60)])

    async with running(bot):
        nonce = await cleo.slash("play", cleo.channel("games"), game="quax", size=9)
        thinking = await cleo.wait_event("MESSAGE_CREATE", lambda m: m.get("nonce") == nonce)
        assert thinking.data["flags"] & 128
        board = await cleo.wait_answer(nonce)
    assert all_text(board) == "# Board"
    assert board["flags"] == 1 << 15
    assert board["attachments"] == []
    gallery = board["components"][0]["components"][1]
    media = gallery["items"][0]["media"]
    assert (media["width"], media["height"]) == (80, 60)
    assert media["content_type"] == "image/png"
    assert gallery["items"][0]["description"] == "empty"
    numbers = [board["components"][0]["id"], gallery["id"]]
    assert numbers == [1, 3]
    async with cleo.session.get(media["url"]) as answer:
        assert answer.content_type == "image/png"
        assert (await answer.read())[:4] == b"\x89PNG"


async def test_buttons_menus_and_modals_reach_the_bot(running: Running, cleo: Person) -> None:
    bot = Bot()

    class Entry(ui.Modal, title="Your move"):
        cell: ui.TextInput[Entry] = ui.TextInput(label="Cell", custom_id="cell")

        async def on_submit(self, interaction: discord.Interaction) -> None:
            await interaction.response.edit_message(view=Board(disabled=True), attachments=[png()])

    @bot.tree.command(description="Show the board")
    async def board(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(view=Board(), file=png())

    @bot.event
    async def on_interaction(interaction: discord.Interaction) -> None:
        if interaction.type is not discord.InteractionType.component:
            return
        data: Any = interaction.data
        if data["custom_id"] == "p1:move":
            await interaction.response.send_modal(Entry())
        else:
            await interaction.response.send_message(data["values"][0], ephemeral=True)

    async with running(bot):
        shown = await cleo.ask("board", cleo.channel("games"))
        column = await cleo.wait_answer(await cleo.select(shown, "p1:column", ["b"]))
        assert column["content"] == "b"
        modal = await cleo.form(shown, label="Move")
        assert modal["title"] == "Your move"
        await cleo.wait_success(await cleo.submit_modal(modal, cell="c3"))
        after = await cleo.message(cleo.channel("games"), shown["id"])
        assert find_control(after, label="Move")["disabled"]
        with pytest.raises(DiscordError) as refused:
            await cleo.click(after, label="Move")
        assert refused.value.code == 50035


async def test_a_modal_of_labels_takes_text_and_menus(running: Running, cleo: Person) -> None:
    bot = Bot()
    answers: list[object] = []

    class Setup(ui.Modal, title="New game"):
        game: ui.Label[Setup] = ui.Label(
            text="Game",
            component=ui.Select(
                custom_id="game", options=[discord.SelectOption(label=n) for n in ("quax", "pux")]
            ),
        )
        rival: ui.Label[Setup] = ui.Label(
            text="Against", component=ui.UserSelect(custom_id="rival")
        )
        note: ui.Label[Setup] = ui.Label(
            text="Note",
            component=ui.TextInput(
                custom_id="note", required=False, style=discord.TextStyle.paragraph
            ),
        )

        async def on_submit(self, interaction: discord.Interaction) -> None:
            for label in (self.game, self.rival):
                assert isinstance(label.component, ui.Select | ui.UserSelect)
                answers.extend(label.component.values)
            await interaction.response.send_message("made", ephemeral=True)

    @bot.tree.command(description="New game")
    async def new(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Setup())

    async with running(bot):
        modal = await cleo.wait_modal(await cleo.slash("new", cleo.channel("games")))
        with pytest.raises(DiscordError):
            await cleo.submit_modal(modal, game=["chess"], rival=cleo)
        done = await cleo.submit_modal(modal, game=["pux"], rival=cleo)
        assert (await cleo.wait_answer(done))["content"] == "made"
    assert answers[0] == "pux"
    assert isinstance(answers[1], discord.Member)
    assert answers[1].id == cleo.id


async def test_threads_pins_reactions_and_typing(
    playground: Playground, running: Running, cleo: Person
) -> None:
    bot = Bot()
    async with running(bot):
        channel = bot.get_channel(channel_id(playground))
        assert isinstance(channel, discord.TextChannel)
        opening = await channel.send("Cleo against Ada", silent=True)
        assert opening.flags.suppress_notifications
        thread = await opening.create_thread(name="Quax", auto_archive_duration=10080)
        assert thread.id == opening.id
        await cleo.wait_event("THREAD_CREATE", lambda t: t["name"] == "Quax")
        async with thread.typing():
            await cleo.wait_event("TYPING_START", lambda t: t["channel_id"] == str(thread.id))
        first = await thread.send(f"Your turn, <@{cleo.id}>")
        assert [each.id for each in first.mentions] == [cleo.id]
        await thread.edit(archived=True)
        with pytest.raises(discord.HTTPException) as refused:
            await first.edit(content="x")
        assert refused.value.code == 50083
        await thread.send("again")
        assert not playground.world.state.channels[thread.id].archived
        other = await channel.create_thread(
            name="Pux", type=discord.ChannelType.public_thread, auto_archive_duration=1440
        )
        await other.delete()
        assert [each.id for each in await channel.guild.active_threads()] == [thread.id]
        assert [m.content async for m in thread.history(oldest_first=True)][1:] == [
            f"Your turn, <@{cleo.id}>",
            "again",
        ]


async def test_direct_messages_go_both_ways(
    playground: Playground, running: Running, cleo: Person
) -> None:
    bot = Bot(intents=discord.Intents(guilds=True, dm_messages=True))
    heard: asyncio.Queue[discord.Message] = asyncio.Queue()

    @bot.event
    async def on_message(message: discord.Message) -> None:
        if message.author != bot.user:
            await heard.put(message)

    @bot.tree.command(description="Hello")
    async def hello(interaction: discord.Interaction) -> None:
        assert interaction.guild is None
        await interaction.response.send_message("hello")

    async with running(bot):
        direct = await cleo.open_direct()
        await cleo.say(direct, "move a1")
        message = await asyncio.wait_for(heard.get(), 5)
        assert isinstance(message.channel, discord.DMChannel)
        await message.channel.send("played")
        await cleo.wait_message(lambda m: m["content"] == "played")
        assert (await cleo.ask("hello", direct))["content"] == "hello"
        user = await bot.fetch_user(cleo.id)
        await cleo.request("PATCH", "/users/@me", {"accepts_dms": False})
        with pytest.raises(discord.Forbidden) as refused:
            await user.send("news")
        assert refused.value.code == 50007


async def test_what_others_write_is_hidden_without_the_content_intent(
    playground: Playground, running: Running, cleo: Person
) -> None:
    bot = Bot(intents=discord.Intents(guilds=True, guild_messages=True))
    heard: asyncio.Queue[str] = asyncio.Queue()

    @bot.event
    async def on_message(message: discord.Message) -> None:
        await heard.put(message.content)

    async with running(bot):
        games = cleo.channel("games")
        await cleo.say(games, "secret words")
        assert await asyncio.wait_for(heard.get(), 5) == ""
        assert bot.user is not None
        await cleo.say(games, f"<@{bot.user.id}> a1")
        assert (await asyncio.wait_for(heard.get(), 5)).endswith("a1")


async def test_application_emojis_can_be_made_and_used(
    playground: Playground, running: Running
) -> None:
    bot = Bot()
    async with running(bot):
        made = await bot.create_application_emoji(name="stone", image=png().fp.read())
        assert [each.name for each in await bot.fetch_application_emojis()] == ["stone"]
        channel = bot.get_channel(channel_id(playground))
        assert isinstance(channel, discord.TextChannel)
        view: ui.View = ui.View(timeout=None)
        view.add_item(ui.Button(emoji=made, custom_id="x"))
        message = await channel.send("with a stone", view=view)
        button = message.components[0]
        assert isinstance(button, discord.ActionRow)
        assert await made.read() == png().fp.read()
        await made.delete()
        assert await bot.fetch_application_emojis() == []


async def test_a_stale_or_forged_interaction_can_be_delivered_raw(
    playground: Playground, running: Running, cleo: Person
) -> None:
    bot = Bot()
    async with running(bot):
        raw = playground.deliver_raw(
            InteractionType.COMMAND,
            channel_id=cleo.channel("games"),
            user_id=cleo.id,
            data={"id": "1", "name": "gone", "type": 1},
            age=4.0,
            copies=2,
        )
        logging.getLogger("discord.app_commands.tree").disabled = True
        try:
            await until(lambda: len(bot.handled) == 2)
        finally:
            logging.getLogger("discord.app_commands.tree").disabled = False
        assert bot.handled[0].id == bot.handled[1].id == raw.id
        with pytest.raises(discord.NotFound) as late:
            await bot.handled[0].response.send_message("too late")
        assert late.value.code == 10062
