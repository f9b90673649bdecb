"""The slash commands. Their fields come from the games themselves, read when the tree is built."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Optional

import discord
from discord import app_commands

from bot.errors import UserError
from bot.logs import bug_id, logger
from bot.services.suggestions import suggest
from bot.ui.acts import Acts
from bot.ui.commands.slash import Ask, command, plain, quiet, said, typing
from bot.ui.history.record_handlers import FORMATS
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.permissions import described, guest
from bot.ui.interaction.responses import Acknowledgement, Reply
from bot.ui.offers.offer_terms import suggest_bands, suggest_lasting
from bot.ui.offers.option_text import (
    Suggestion,
    find_game,
    read_options,
    suggest_options,
    suggest_sides,
)
from bot.ui.pages.clock_text import suggest_clocks
from bot.ui.pages.components import CHOICES
from bot.ui.pages.match_list import is_on_turn
from bot.ui.settings.setting_commands import add_choices
from games import catalog
from games.errors import GameError
from games.view import Text

_log = logger(__name__)
_PRIVATE = Acknowledgement.PRIVATE
_FIELD = 200
"""How much text a field takes; Discord itself would allow 6000 characters."""
_MOST_MOVES = 100_000
_GUESTS = ("opponent", "second_opponent", "third_opponent", "fourth_opponent", "fifth_opponent")


class Tree(app_commands.CommandTree[Any]):
    """The command tree, whose errors all end at the door."""

    handler: InteractionHandler

    async def _call(self, interaction: Ask) -> None:
        """Find and run a command; fields that the library stumbles over are an old command."""
        try:
            await super()._call(interaction)
        except app_commands.AppCommandError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            # What goes wrong in a command itself arrives wrapped: this is about its fields.
            mismatch = app_commands.AppCommandError(repr(error))
            await self._refuse(interaction, mismatch, expected=True)

    async def on_error(self, interaction: Ask, error: app_commands.AppCommandError, /) -> None:
        """Answer what went wrong before a command could begin: an old command, an odd value."""
        expected = isinstance(
            error,
            app_commands.CommandNotFound
            | app_commands.CommandSignatureMismatch
            | app_commands.TransformerError
            | app_commands.CheckFailure,
        )
        await self._refuse(interaction, error, expected=expected)

    async def _refuse(
        self, interaction: Ask, error: app_commands.AppCommandError, *, expected: bool
    ) -> None:
        async def act(context: InteractionContext) -> Reply:
            if expected:
                raise UserError("old_command")
            return self.handler.bug(context, getattr(error, "original", error))

        if expected:
            _log.info("a command that does not fit", interaction=interaction.id)
        if interaction.type is not discord.InteractionType.autocomplete:
            await self.handler.handle(interaction, _PRIVATE, act)


def most_guests() -> int:
    """How many opponents a match of any game may have, under its own options and presets."""
    seats = 2
    for kind in catalog.GAMES.values():
        settings = [{}, *(preset.options for preset in kind.info.presets)]
        seats = max(seats, *(len(kind(dict(options)).seats) for options in settings))
    return min(seats - 1, len(_GUESTS))


_DESCRIPTIONS = {
    "play": Text.of("Offer a match to a player, or to anyone"),
    "move": Text.of("Play a move in your match here"),
    "board": Text.of("Show the board of the match here, only to you"),
    "games": Text.of("List your matches, those waiting for you first"),
    "rules": Text.of("Read the rules of a game"),
    "learn": Text.of("Learn a game on a real board, then solve puzzles"),
    "help": Text.of("How Parlour works"),
    "resign": Text.of("Resign your match here"),
    "abort": Text.of("End a match without a result, before its second move"),
    "draw": Text.of("Offer a draw, or accept one"),
    "takeback": Text.of("Ask to take back your last move"),
    "pause": Text.of("Ask for a pause, or accept one"),
    "resume": Text.of("End the pause of your match here"),
    "rematch": Text.of("Play your last match here again, with the sides exchanged"),
    "export": Text.of("Download a match as a file"),
    "import": Text.of("Open a match file"),
    "history": Text.of("Show any position of a match, only to you"),
    "replay": Text.of("Replay a match as an animation"),
    "ply": Text.of("Move number (default: latest)"),
    "format": Text.of("Format (default: text)"),
    "match": Text.of("Letters under the board of the match (default: your match here)"),
    "file": Text.of("A match file, text or JSON, at most 256 KiB"),
    "game": Text.of("Game"),
    "any_game": Text.of("Game (empty: choose everything from menus)"),
    "options": Text.of("Size and rules, for example: size 7 (default: standard)"),
    "move-here": Text.of("Move your match to this channel"),
    "plan": Text.of("Plan premoves and conditional moves"),
    "lines": Text.of("Their move, your answer, and so on; * stands for any move of theirs"),
    "rated": Text.of("Rated? (default: no)"),
    "profile": Text.of("Show a player's ratings and history"),
    "leaderboard": Text.of("Show the best players of a game"),
    "person": Text.of("Player (default: you)"),
    "where": Text.of("This server or everywhere (default: this server)"),
    "side": Text.of("Your side (default: random)"),
    "clock": Text.of("Time to think, for example: 3d, 7d+1d, 10m+5s, none"),
    "rating": Text.of(
        "Rating range of open seats, for example: 1400-1700, 1600+, ±150 (default: any)"
    ),
    "expires": Text.of("How long the offer stays open, for example: 6h, 2d"),
    "lobby": Text.of("Show the open offers of this server"),
    "opponent": Text.of("Opponent (empty: anyone can join)"),
    "another": Text.of("Another player, for games with more than two seats"),
    "text": Text.of("Your move; suggestions appear while you type"),
}


def _described(key: str) -> app_commands.locale_str:
    return said(_DESCRIPTIONS[key])


def build(tree: Tree, handler: InteractionHandler, acts: Acts) -> None:
    """Put all commands into the tree."""
    tree.handler = handler
    tree.add_command(_play(handler, acts))
    tree.add_command(_move(handler, acts))
    tree.add_command(_about("rules", handler, acts.rules))
    tree.add_command(_about("learn", handler, acts.learn))
    tree.add_command(_plan(handler, acts))
    tree.add_command(_profile(handler, acts))
    tree.add_command(_leaderboard(handler, acts))
    tree.add_command(_export(handler, acts))
    tree.add_command(_import(handler, acts))
    tree.add_command(_history(handler, acts))
    tree.add_command(_replay(handler, acts))
    simple: dict[str, Callable[[InteractionContext], Awaitable[Reply]]] = {
        "board": acts.board_here,
        "games": acts.games,
        "lobby": acts.lobby,
        "move-here": acts.move_here,
        "resign": acts.resign_here,
        "abort": acts.abort_here,
        "draw": acts.draw_here,
        "takeback": acts.take_back_here,
        "pause": acts.pause_here,
        "resume": acts.resume_here,
        "rematch": acts.rematch_here,
        "help": acts.help,
    }
    add_choices(tree, handler, acts)
    for name, act in simple.items():
        tree.add_command(plain(name, _DESCRIPTIONS[name], handler, act))


def _game_choices() -> list[app_commands.Choice[str]]:
    return [
        app_commands.Choice(name=kind.info.name, value=key)
        for key, kind in list(catalog.GAMES.items())[:CHOICES]
    ]


# ---- /play ------------------------------------------------------------------------------------


def _play(handler: InteractionHandler, acts: Acts) -> app_commands.Command[Any, ..., Any]:
    guests = _GUESTS[: most_guests()]

    async def callback(interaction: Ask, **fields: Any) -> None:
        game = fields.get("game")

        async def act(context: InteractionContext) -> Reply:
            if game is None:
                if any(given is not None for given in fields.values()):
                    # The menus begin anew, so an offer to one person would become one to all.
                    raise UserError("game_wanted")
                return await acts.set_up(context)
            people = tuple(fields[name] for name in guests if fields.get(name) is not None)
            return await acts.play(
                context,
                game=game,
                opponents=tuple(guest(interaction, person) for person in people),
                options=fields.get("options") or "",
                side=fields.get("side") or "",
                rated=bool(fields.get("rated")),
                clock=fields.get("clock"),
                rating=fields.get("rating") or "",
                expires=fields.get("expires") or "",
            )

        await handler.handle(interaction, _PRIVATE, act, game=game)

    text = app_commands.Range[str, 0, _FIELD]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [
        inspect.Parameter("interaction", kind, annotation=discord.Interaction),
        inspect.Parameter("game", kind, annotation=Optional[str], default=None),  # noqa: UP045
        *(
            inspect.Parameter(name, kind, annotation=Optional[discord.User], default=None)  # noqa: UP045 - read at run time
            for name in guests
        ),
        inspect.Parameter("options", kind, annotation=Optional[text], default=None),  # noqa: UP045
        inspect.Parameter("side", kind, annotation=Optional[text], default=None),  # noqa: UP045
        inspect.Parameter("rated", kind, annotation=Optional[bool], default=None),  # noqa: UP045
        inspect.Parameter("clock", kind, annotation=Optional[text], default=None),  # noqa: UP045
        inspect.Parameter("rating", kind, annotation=Optional[text], default=None),  # noqa: UP045
        inspect.Parameter("expires", kind, annotation=Optional[text], default=None),  # noqa: UP045
    ]
    callback.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    app_commands.describe(
        game=_described("any_game"),
        options=_described("options"),
        side=_described("side"),
        rated=_described("rated"),
        clock=_described("clock"),
        rating=_described("rating"),
        expires=_described("expires"),
        **{
            name: _described("opponent" if number == 0 else "another")
            for number, name in enumerate(guests)
        },
    )(callback)
    app_commands.choices(game=_game_choices())(callback)
    made = command("play", _DESCRIPTIONS["play"], callback)

    async def options(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
        def suggestions(context: InteractionContext) -> list[Suggestion]:
            game = getattr(interaction.namespace, "game", None)
            info = find_game(str(game or "")).info
            return suggest_options(info, current, context.language)

        return await typing(handler, interaction, suggestions)

    async def side(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
        def suggestions(context: InteractionContext) -> list[Suggestion]:
            named = interaction.namespace
            info = find_game(str(getattr(named, "game", None) or "")).info
            try:
                typed = str(getattr(named, "options", None) or "")
                chosen = read_options(info, typed, context.language)
            except (UserError, GameError):
                chosen = info.resolve({})
            return suggest_sides(info, chosen, current, context.language)

        return await typing(handler, interaction, suggestions)

    async def clock(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
        return await typing(
            handler, interaction, lambda context: suggest_clocks(current, context.language)
        )

    async def rating(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
        return await typing(
            handler, interaction, lambda context: suggest_bands(current, context.language)
        )

    async def expires(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
        usual = acts.services.offers_last
        return await typing(
            handler, interaction, lambda context: suggest_lasting(current, usual, context.language)
        )

    made.autocomplete("rating")(rating)
    made.autocomplete("expires")(expires)
    made.autocomplete("options")(options)
    made.autocomplete("side")(side)
    made.autocomplete("clock")(clock)
    return made


# ---- /move and /rules -------------------------------------------------------------------------


def _move(handler: InteractionHandler, acts: Acts) -> app_commands.Command[Any, ..., Any]:
    async def callback(interaction: Ask, move: app_commands.Range[str, 0, _FIELD]) -> None:
        async def act(context: InteractionContext) -> Reply:
            return await acts.move(context, move)

        await handler.handle(interaction, _PRIVATE, act)

    async def moves(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
        context = await quiet(handler, interaction)
        if context is None:
            return []
        services = acts.services
        try:
            key = (context.user_id, context.place.channel_id)
            found = await services.heads.around(key, lambda: services.around(context))
            waiting = [match for match in found if is_on_turn(match, context.user_id)]
            texts = [text for match in waiting for text in suggest(match, current)]
        except UserError:
            return []
        except Exception as error:
            _log.error("a bug while suggesting", bug=bug_id(), exc_info=error)
            return []
        shown = [text for text in dict.fromkeys(texts) if 1 <= len(text) <= 100][:CHOICES]
        return [app_commands.Choice(name=text, value=text) for text in shown]

    app_commands.describe(move=_described("text"))(callback)
    made = command("move", _DESCRIPTIONS["move"], callback)
    made.autocomplete("move")(moves)
    return made


def _plan(handler: InteractionHandler, acts: Acts) -> app_commands.Command[Any, ..., Any]:
    async def callback(
        interaction: Ask,
        line: Optional[app_commands.Range[str, 0, _FIELD]] = None,  # noqa: UP045
    ) -> None:
        async def act(context: InteractionContext) -> Reply:
            return await acts.plan(context, line or "")

        await handler.handle(interaction, _PRIVATE, act)

    app_commands.describe(line=_described("lines"))(callback)
    return command("plan", _DESCRIPTIONS["plan"], callback)


def _about(
    name: str,
    handler: InteractionHandler,
    tell: Callable[[InteractionContext, str], Awaitable[Reply]],
) -> app_commands.Command[Any, ..., Any]:
    """A command that tells of one game."""

    async def callback(interaction: Ask, game: str) -> None:
        async def act(context: InteractionContext) -> Reply:
            return await tell(context, game)

        await handler.handle(interaction, _PRIVATE, act)

    app_commands.describe(game=_described("game"))(callback)
    app_commands.choices(game=_game_choices())(callback)
    return command(name, _DESCRIPTIONS[name], callback)


# ---- ratings ----------------------------------------------------------------------------------


def _profile(handler: InteractionHandler, acts: Acts) -> app_commands.Command[Any, ..., Any]:
    async def callback(
        interaction: Ask,
        person: Optional[discord.User] = None,  # noqa: UP045 - read at run time
        game: Optional[str] = None,  # noqa: UP045
    ) -> None:
        async def act(context: InteractionContext) -> Reply:
            of = context.user_id
            if person is not None:
                of = described(person)
                acts.services.presenter.names.note(of, person.display_name)
            return await acts.profile(context, of, game)

        await handler.handle(interaction, _PRIVATE, act)

    app_commands.describe(person=_described("person"), game=_described("game"))(callback)
    app_commands.choices(game=_game_choices())(callback)
    return command("profile", _DESCRIPTIONS["profile"], callback)


def _leaderboard(handler: InteractionHandler, acts: Acts) -> app_commands.Command[Any, ..., Any]:
    async def callback(
        interaction: Ask,
        game: Optional[str] = None,  # noqa: UP045
        where: Optional[str] = None,  # noqa: UP045
    ) -> None:
        async def act(context: InteractionContext) -> Reply:
            return await acts.leaderboard(context, game, here=where != "all")

        await handler.handle(interaction, _PRIVATE, act)

    app_commands.describe(game=_described("game"), where=_described("where"))(callback)
    places = {"here": Text.of("In this server"), "all": Text.of("Everywhere")}
    app_commands.choices(
        game=_game_choices(),
        where=[
            app_commands.Choice(name=said(words), value=value) for value, words in places.items()
        ],
    )(callback)
    return command("leaderboard", _DESCRIPTIONS["leaderboard"], callback)


# ---- /export and /import ----------------------------------------------------------------------


def _export(handler: InteractionHandler, acts: Acts) -> app_commands.Command[Any, ..., Any]:
    async def callback(
        interaction: Ask,
        format: str = "text",  # noqa: A002 - the name of the field
        match: app_commands.Range[str, 0, _FIELD] = "",
    ) -> None:
        async def act(context: InteractionContext) -> Reply:
            return await acts.export_here(context, format, match)

        await handler.handle(interaction, _PRIVATE, act)

    app_commands.describe(format=_described("format"), match=_described("match"))(callback)
    forms = [app_commands.Choice(name=said(text), value=form) for form, text in FORMATS.items()]
    app_commands.choices(format=forms)(callback)
    return command("export", _DESCRIPTIONS["export"], callback)


def _import(handler: InteractionHandler, acts: Acts) -> app_commands.Command[Any, ..., Any]:
    async def callback(interaction: Ask, file: discord.Attachment) -> None:
        async def act(context: InteractionContext) -> Reply:
            return await acts.import_record(context, file)

        await handler.handle(interaction, _PRIVATE, act)

    app_commands.describe(file=_described("file"))(callback)
    return command("import", _DESCRIPTIONS["import"], callback)


# ---- /history and /replay ---------------------------------------------------------------------


def _history(handler: InteractionHandler, acts: Acts) -> app_commands.Command[Any, ..., Any]:
    async def callback(
        interaction: Ask,
        move: Optional[app_commands.Range[int, 0, _MOST_MOVES]] = None,  # noqa: UP045
        match: app_commands.Range[str, 0, _FIELD] = "",
    ) -> None:
        async def act(context: InteractionContext) -> Reply:
            return await acts.history_here(context, move, match)

        await handler.handle(interaction, _PRIVATE, act)

    app_commands.describe(move=_described("ply"), match=_described("match"))(callback)
    return command("history", _DESCRIPTIONS["history"], callback)


def _replay(handler: InteractionHandler, acts: Acts) -> app_commands.Command[Any, ..., Any]:
    async def callback(interaction: Ask, match: app_commands.Range[str, 0, _FIELD] = "") -> None:
        async def act(context: InteractionContext) -> Reply:
            return await acts.replay_here(context, match)

        await handler.handle(interaction, _PRIVATE, act)

    app_commands.describe(match=_described("match"))(callback)
    return command("replay", _DESCRIPTIONS["replay"], callback)
