"""Ratings: profiles and leaderboards. Changes nothing."""

from __future__ import annotations

from typing import Optional

import discord
from discord import app_commands

from bot.domain.ids import UserId, read_id
from bot.domain.match import Match
from bot.errors import UserError
from bot.i18n.refusals import REFUSALS
from bot.services.ratings import Profile
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import described
from bot.ui.interaction.registry import Click, on_button, on_menu
from bot.ui.interaction.sharing import may_write_here, private_page, share_once
from bot.ui.interaction.slash import command, game_choices, on_person, said
from bot.ui.offers.option_text import find_game
from bot.ui.pages.components import File, Picture, Reply
from bot.ui.pages.display_names import clean
from bot.ui.ratings.rating_pages import leaderboard_page, profile_page
from bot.ui.tournaments.medals import medal_line, medals_of
from games import catalog
from games.view import Text
from renderers import Style

_PLACES = 20
_COUNTED = 300


def _places() -> list[app_commands.Choice[str]]:
    places = {"here": Text.of("In this server"), "all": Text.of("Everywhere")}
    return [app_commands.Choice(name=said(words), value=key) for key, words in places.items()]


@command(
    "profile",
    Text.of("Show a player's ratings and history"),
    fields={"player": Text.of("Player (default: you)"), "game": Text.of("Game")},
    choices={"game": game_choices},
    personal=True,
)
async def profile(
    context: InteractionContext,
    player: Optional[discord.User] = None,  # noqa: UP045 - read at run time
    game: Optional[str] = None,  # noqa: UP045
) -> Reply:
    """``/profile``: a player's ratings."""
    of = context.user_id
    if player is not None:
        of = described(player)
        context.presenter.names.note(of, player.display_name)
    return await _profile(context, of, game)


@on_person(Text.of("Ratings"))
async def ratings_of(context: InteractionContext, person: discord.User) -> Reply:
    """**Ratings** in the menu on a person."""
    return await profile(context, person)


@command(
    "leaderboard",
    Text.of("Show the best players of a game"),
    fields={
        "game": Text.of("Game"),
        "where": Text.of("This server or everywhere (default: this server)"),
    },
    choices={"game": game_choices, "where": _places},
)
async def leaderboard(
    context: InteractionContext,
    game: Optional[str] = None,  # noqa: UP045
    where: Optional[str] = None,  # noqa: UP045
) -> Reply:
    """``/leaderboard``: the best in a game."""
    return await _leaderboard(context, game, here=where != "all")


async def _profile(
    context: InteractionContext,
    user_id: UserId,
    game: str | None = None,
    *,
    note: str = "",
    may_share: bool = True,
    private: bool = True,
) -> Reply:
    """``/profile``: a player's ratings; their own they can share."""
    ratings = context.services.ratings
    key = None if game is None else find_game(game).info.key
    profile = await ratings.profile(user_id, key)
    played = key or (profile.standings[0].game if profile.standings else None)
    matches = context.services.matches
    met: tuple[Match, ...] = ()
    if user_id != context.user_id:
        met = await matches.met(context.user_id, user_id)
    finished = await matches.over_of(context.actor, user_id, _COUNTED)
    wins = await ratings.best_wins(user_id)
    graph = None
    if profile.graph and played is not None:
        graph = await _graph(context, user_id, played, profile)
    medals = [medal_line(each, context.language) for each in await medals_of(context, user_id)]
    return profile_page(
        user_id,
        profile,
        graph,
        context.language,
        game=played,
        reader=context.user_id,
        met=met,
        medals=medals,
        played=finished,
        wins=wins,
        note=note,
        may_share=may_share
        and user_id == context.user_id
        and bool(profile.standings or finished)
        and context.interaction.guild_id is not None,
        private=private,
    )


@on_button("sharecard")
async def share_profile(context: InteractionContext, click: Click) -> Reply:
    """**Share here** on one's own profile: for everyone in this channel, once."""
    page_id, user_id, game = private_page(context), context.user_id, click.arg or None
    if not may_write_here(context.interaction):
        return await _profile(
            context, user_id, game, note=context.language(REFUSALS["may_not_share"])
        )

    async def public(everyone: InteractionContext) -> Reply:
        return await _profile(everyone, user_id, game, may_share=False, private=False)

    if not await share_once(context, page_id, public):
        return await _profile(context, user_id, game, note=context.language(REFUSALS["not_shared"]))
    note = context.language.say("Shared: everyone here can see this now.")
    return await _profile(context, user_id, game, note=note, may_share=False)


@on_menu("profile")
async def profile_of(context: InteractionContext, click: Click) -> Reply:
    """The menu of games on a profile."""
    user = read_id(click.arg)
    if user is None:
        raise UserError("out_of_date")
    return await _profile(context, UserId(user), click.value)


async def _graph(
    context: InteractionContext, user_id: UserId, game: str, profile: Profile
) -> Picture | None:
    presenter, language = context.presenter, context.language
    name = clean(await presenter.names.name(user_id, language))
    style = Style(theme=presenter.theme, locale=language.locale, translate=language)
    title = language.say("{player} in {game}", player=name, game=catalog.GAMES[game].info.name)
    points = tuple(each.points for each in profile.graph)
    drawn = await presenter.pictures.graph(title, points, style, start=profile.start)
    return None if drawn is None else Picture(File("rating.png", drawn.png), drawn.alt_text)


async def _leaderboard(context: InteractionContext, game: str | None, *, here: bool) -> Reply:
    """``/leaderboard``: the best in a game."""
    key = find_game(game).info.key if game else next(iter(catalog.GAMES))
    guild = context.place.guild_id
    here = here and guild is not None
    found = await context.services.ratings.leaderboard(key, guild if here else None, _PLACES)
    return leaderboard_page(
        key,
        found,
        context.language,
        here=here,
        may_be_here=guild is not None,
        user_id=context.user_id,
        place=await context.services.ratings.place(context.user_id, key, guild if here else None),
    )


@on_button("best")
@on_menu("leaders")
async def leaderboard_of(context: InteractionContext, click: Click) -> Reply:
    """The menu of games on a leaderboard, or the button for the other one."""
    where, _, rest = click.arg.partition("/")
    return await _leaderboard(context, click.value or rest, here=where == "here")
