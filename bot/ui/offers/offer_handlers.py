"""``/play`` and **Challenge**: a match offered by the fields of a command."""

from __future__ import annotations

from typing import Optional

import discord
from discord import app_commands

from bot.domain.clock_text import write_clock, write_duration
from bot.domain.computers import computer as computer_of
from bot.domain.game_state import game_of
from bot.domain.match import Actor
from bot.domain.offer_expiry import parse_offer_expiry
from bot.domain.rating_range import format_rating_range, parse_rating_range
from bot.errors import UserError
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import done
from bot.ui.interaction.permissions import check_offering, guest
from bot.ui.interaction.slash import LONGEST, command, game_choices, on_person, suggests
from bot.ui.offers.offer_terms import suggest_bands, suggest_lasting
from bot.ui.offers.option_text import (
    find_game,
    read_options,
    read_side,
    suggest_options,
    suggest_sides,
)
from bot.ui.offers.setup_draft import Draft
from bot.ui.offers.setup_handlers import (
    casually,
    defaults_here,
    offer_page,
    rating_range_for,
    set_up,
    venue_for,
)
from bot.ui.pages.clock_text import read_default, suggest_clocks
from bot.ui.pages.levels import read_level, suggest_levels
from bot.ui.pages.reply import Reply
from bot.ui.pages.suggestion import Suggestion
from games import catalog
from games.errors import GameError
from games.view import Text


async def play(
    context: InteractionContext,
    *,
    game: str,
    opponents: tuple[Actor, ...],
    options: str,
    side: str,
    rated: bool = False,
    hints: bool = False,
    clock: str | None = None,
    rating: str = "",
    expires: str = "",
    computer_level: str = "",
) -> Reply:
    """Offer a match; with a ``computer_level`` computers take the seats that are not named."""
    venue = await venue_for(context)
    info = find_game(game).info
    chosen = read_options(info, options, context.language)
    seat = read_side(info, chosen, side, context.language)
    if computer_level:
        level = read_level(info.key, computer_level)
        if not level:
            level = await context.services.computers.about_as_strong(context.user_id, info.key)
        free = len(game_of(info.key, chosen).seats) - 1 - len(opponents)
        opponents += (Actor(computer_of(level), context.place.guild_id),) * free
    control = read_default(clock, (await defaults_here(context)).clock)
    lasts = parse_offer_expiry(expires, context.services.offers_last)
    try:
        answer = await context.services.matches.challenge(
            context.actor,
            context.place,
            game=info.key,
            options=chosen,
            opponents=opponents,
            seat=seat,
            venue=venue,
            rated=rated,
            hints=hints,
            lasts=lasts,
            clock=control,
            band=await rating_range_for(context, rating, info.key),
            interaction_id=context.id,
        )
    except UserError as error:
        casual = Draft(
            more=True,
            game=info.key,
            options=tuple((key, str(value)) for key, value in chosen.items()),
            guests=tuple(guest.user_id for guest in opponents),
            clock=write_clock(control),
            band=rating and format_rating_range(parse_rating_range(rating)),
            lasts=write_duration(lasts),
        )
        return await casually(context, casual, error)
    return done(context, answer)


_GUESTS = ("opponent", "second_opponent", "third_opponent", "fourth_opponent", "fifth_opponent")
_ANOTHER = Text.of("Another player, for games with more than two seats")
_Person = Optional[discord.User]  # noqa: UP045 - read at run time
_Typed = Optional[app_commands.Range[str, 0, LONGEST]]  # noqa: UP045


def most_guests() -> int:
    """How many opponents a match of any game may have, under its own options and presets."""
    seats = 2
    for kind in catalog.GAMES.values():
        settings = [{}, *(preset.options for preset in kind.info.presets)]
        seats = max(seats, *(len(kind(dict(options)).seats) for options in settings))
    return min(seats - 1, len(_GUESTS))


@command(
    "play",
    Text.of("Offer a match to a player, or to anyone"),
    fields={
        "game": Text.of("Game (empty: choose everything from menus)"),
        "opponent": Text.of("Opponent (empty: anyone can join)"),
        **dict.fromkeys(_GUESTS[1:], _ANOTHER),
        "options": Text.of("Size and rules, for example: size 7 (default: standard)"),
        "side": Text.of("Your side (default: random)"),
        "rated": Text.of("Rated? (default: no)"),
        "hints": Text.of("May all players ask for hints? (default: no, never in rated matches)"),
        "clock": Text.of("Time to think, for example: 3d, 7d+1d, 10m+5s, none"),
        "rating": Text.of(
            "Rating range of open seats, for example: 1400-1700, 1600+, ±150 (default: any)"
        ),
        "expires": Text.of("How long the offer stays open, for example: 6h, 2d"),
        "computer": Text.of("Play the computer at this level, for example: 3"),
    },
    choices={"game": game_choices},
    leave_out=lambda: _GUESTS[most_guests() :],
)
async def play_command(  # noqa: PLR0917 - the fields of the command
    context: InteractionContext,
    game: Optional[str] = None,  # noqa: UP045
    opponent: _Person = None,
    second_opponent: _Person = None,
    third_opponent: _Person = None,
    fourth_opponent: _Person = None,
    fifth_opponent: _Person = None,
    options: _Typed = None,
    side: _Typed = None,
    rated: Optional[bool] = None,  # noqa: UP045
    hints: Optional[bool] = None,  # noqa: UP045
    clock: _Typed = None,
    rating: _Typed = None,
    expires: _Typed = None,
    computer: _Typed = None,
) -> Reply:
    """``/play``: an offer by its fields, or the page of menus without any."""
    named = (opponent, second_opponent, third_opponent, fourth_opponent, fifth_opponent)
    people = [person for person in named if person is not None]
    if game is None:
        others = (options, side, rated, hints, clock, rating, expires, computer)
        if people or any(given is not None for given in others):
            # The menus begin anew, so an offer to one person would become one to all.
            raise UserError("game_wanted")
        return await set_up(context)
    return await play(
        context,
        game=game,
        opponents=tuple(guest(context.interaction, person) for person in people),
        options=options or "",
        side=side or "",
        rated=bool(rated),
        hints=bool(hints),
        clock=clock,
        rating=rating or "",
        expires=expires or "",
        computer_level=computer or "",
    )


@suggests("play", "computer")
async def levels_suggested(
    context: InteractionContext, typed: str, given: app_commands.Namespace
) -> list[Suggestion]:
    """Levels of the computer in the game that is named, the one that suits the person first."""
    game = find_game(str(getattr(given, "game", None) or "")).info.key
    mine = await context.services.computers.about_as_strong(context.user_id, game)
    return suggest_levels(game, typed, mine, context.language)


@on_person(Text.of("Challenge"))
async def challenge(context: InteractionContext, person: discord.User) -> Reply:
    """**Challenge** in the menu on a person: the page of menus, with the person named."""
    chosen = await context.services.preferences.server(context.place.guild_id)
    check_offering(context.interaction, chosen)
    named = guest(context.interaction, person)
    if named.is_bot:
        raise UserError("invite_bot")
    if named.user_id == context.user_id:
        raise UserError("invite_self")
    context.presenter.names.note(named.user_id, person.display_name)
    usual = chosen.game if chosen.game in catalog.GAMES else None
    return await offer_page(context, Draft(usual, guests=(named.user_id,)))


@suggests("play", "options")
async def options_suggested(
    context: InteractionContext, typed: str, given: app_commands.Namespace
) -> list[Suggestion]:
    """Options of the game that is named."""
    info = find_game(str(getattr(given, "game", None) or "")).info
    return suggest_options(info, typed, context.language)


@suggests("play", "side")
async def sides_suggested(
    context: InteractionContext, typed: str, given: app_commands.Namespace
) -> list[Suggestion]:
    """Sides of the game that is named, under the options typed."""
    info = find_game(str(getattr(given, "game", None) or "")).info
    try:
        options = str(getattr(given, "options", None) or "")
        chosen = read_options(info, options, context.language)
    except (UserError, GameError):
        chosen = info.resolve({})
    return suggest_sides(info, chosen, typed, context.language)


@suggests("play", "clock")
async def clocks_suggested(
    context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[Suggestion]:
    """Clocks that fit what has been typed."""
    return suggest_clocks(typed, context.language)


@suggests("play", "rating")
async def bands_suggested(
    context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[Suggestion]:
    """Rating ranges that fit what has been typed."""
    return suggest_bands(typed, context.language)


@suggests("play", "expires")
async def expiry_suggested(
    context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[Suggestion]:
    """Times after which an offer may expire."""
    return suggest_lasting(typed, context.services.offers_last, context.language)
