"""``/play`` and ``/server defaults``: offers, by the fields of a command or by a page of menus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Optional

import discord
from discord import app_commands

from bot.domain.clock_text import parse_offer_expiry
from bot.domain.computers import computer as computer_of
from bot.domain.game_state import game_of
from bot.domain.ids import InteractionId, UserId
from bot.domain.match import Actor, Venue
from bot.domain.offers import MOST_MATCHES
from bot.domain.preferences import HINTS, LOCALE, RATED, ServerSettings
from bot.domain.rating_range import Around, RatingRange, parse_rating_range
from bot.domain.ratings.rated import check_rated
from bot.errors import UserError
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import check_offering, guest, managed, venue_of
from bot.ui.interaction.registry import PRIVATE, Click, on_button, on_menu, on_text, page_button
from bot.ui.interaction.results import tell_done
from bot.ui.interaction.slash import (
    LONGEST,
    command,
    game_choices,
    language_choices,
    on_person,
)
from bot.ui.offers.answer_handlers import shared_language
from bot.ui.offers.draft import (
    OfferDefaults,
    OfferDraft,
    begun,
    check_guests,
    house_of,
    page_id,
    with_defaults,
)
from bot.ui.offers.offer_terms import read_level, suggest_bands, suggest_lasting, suggest_levels
from bot.ui.offers.option_text import (
    find_game,
    game_named,
    read_options,
    read_side,
    suggest_options,
    suggest_sides,
)
from bot.ui.offers.setup_page import OFFER, TERMS, draft_of, setup_page
from bot.ui.pages.clock_text import read_default, suggest_clocks
from bot.ui.pages.components import Option, Reply
from bot.ui.pages.typed_times import in_letters
from bot.ui.settings.server_panel import SERVER
from games import catalog
from games.api import GameInfo, OptionValue
from games.errors import GameError
from games.view import Text


async def _offer(
    context: InteractionContext,
    draft: OfferDraft,
    interaction_id: InteractionId,
    opponents: tuple[Actor, ...] | None = None,
) -> Reply:
    """Make the offer of a draft, to its guests unless ``opponents`` are given."""
    info = draft.info
    if info is None:
        raise UserError("game_needed")
    if opponents is None:
        guild = context.place.guild_id
        opponents = tuple(Actor(UserId(guest), guild) for guest in draft.guests)
    try:
        answer = await context.services.matches.challenge(
            context.actor,
            context.place,
            game=info.key,
            options=draft.values(),
            opponents=opponents,
            seat=draft.seat,
            venue=await venue_for(context),
            rated=draft.stakes == RATED,
            hints=draft.stakes == HINTS,
            lasts=draft.lasts or draft.house.lasts,
            clock=draft.clock,
            band=await _band(context, draft),
            takebacks=draft.takebacks,
            language=draft.language,
            matches=draft.matches,
            interaction_id=interaction_id,
        )
    except UserError as error:
        return await casually(context, draft, error)
    if answer.repeated and interaction_id != context.id:
        raise UserError("offered_already")
    return tell_done(context, answer, more=await shared_language(context, answer.match))


def _can_be_rated(info: GameInfo, options: Mapping[str, OptionValue]) -> bool:
    try:
        check_rated(info, options, None)
    except UserError:
        return False
    return True


async def casually(context: InteractionContext, draft: OfferDraft, error: UserError) -> Reply:
    """Where another rated match would be too many, the page to offer a casual one."""
    if error.code != "rated_often":
        raise error
    return await menus_page(context, replace(draft, stakes=None), refused=context.why(error))


async def _band(context: InteractionContext, draft: OfferDraft) -> RatingRange | None:
    """The rating range of an offer; one around the maker needs their rating."""
    if not isinstance(draft.band, Around):
        return draft.band
    standing = await context.services.ratings.standing(context.user_id, draft.game or "")
    return draft.band.of(standing.points)


async def venue_for(context: InteractionContext) -> Venue:
    """Where a match that this player offers here is played. Raises where the server forbids it."""
    chosen = await context.services.preferences.server(context.place.guild_id)
    check_offering(context.interaction, chosen)
    threads = context.services.settings.threads if chosen.threads is None else chosen.threads
    return venue_of(context.interaction, threads=threads)


async def set_up(context: InteractionContext, game: str | None = None) -> Reply:
    """``/play`` without a game: the page of menus, with the server's defaults."""
    house = await house_of(context)
    check_offering(context.interaction, house.server)
    return await menus_page(context, begun(game or house.server.game, house))


async def menus_page(context: InteractionContext, draft: OfferDraft, *, refused: str = "") -> Reply:
    """The page of menus for a draft; ``refused`` says what was wrong with a choice.

    The defaults of a server are shown as they are stored.
    """
    draft = replace(draft, house=await house_of(context, draft.game))
    if draft.for_server:
        managed(context.interaction)
        draft = replace(begun(draft.game, draft.house), for_server=True)
    return await setup_page(draft, context.reader, refused=refused)


@on_button("setup", how=PRIVATE)
async def set_up_for(context: InteractionContext, click: Click) -> Reply:
    """**Offer a match**: the page of menus, after a lesson with its game chosen."""
    return await set_up(context, game_named(click.arg))


@on_text(
    "bandtype",
    "bandtyped",
    Text.of("Type a rating range"),
    Text.of("For example 1400-1700, 1600+ or ±150"),
    60,
)
async def typed_band(context: InteractionContext, click: Click) -> Reply:
    """The form of the page of menus: a rating range as a player types it."""
    return await choose_set_up(context, Click(OFFER, arg="band", values=(click.text,)))


@on_menu(OFFER)
async def choose_set_up(context: InteractionContext, click: Click) -> Reply:
    """A choice on the page of menus; of the defaults of a server nothing else is saved."""
    draft = await draft_of(context)
    try:
        check_guests(context.interaction)
        after = TERMS.changed(draft, click)
    except UserError as error:
        if error.code == "out_of_date":
            raise
        return await menus_page(context, draft, refused=context.why(error))
    if draft.for_server and click.arg != "game":

        def decide(chosen: ServerSettings) -> ServerSettings:
            stored = begun(draft.game, replace(draft.house, server=chosen))
            return with_defaults(TERMS.changed(replace(stored, for_server=True), click))

        guild_id = managed(context.interaction)
        await context.services.preferences.change_server(guild_id, context.user_id, decide)
    return await menus_page(context, after)


@on_button("smore")
async def more_set_up(context: InteractionContext, _click: Click) -> Reply:
    """**More options**: the same page with the menus for all of them."""
    return await menus_page(context, replace(await draft_of(context), more=True))


@on_button("sfewer")
async def fewer_set_up(context: InteractionContext, _click: Click) -> Reply:
    """**Standard options**: the short page again, with the defaults."""
    draft = await draft_of(context)
    usual = begun(draft.game, draft.house)
    return await menus_page(context, replace(usual, guests=draft.guests))


@on_button("sback")
async def back_to_set_up(context: InteractionContext, click: Click) -> Reply:
    """**Back**, from the page of computers."""
    return await menus_page(context, begun(game_named(click.arg), await house_of(context)))


@on_button("soffer")
async def offer_set_up(context: InteractionContext, _click: Click) -> Reply:
    """**Send offer** on the page of menus."""
    draft = await draft_of(context)
    if not draft.is_open:
        draft = replace(draft, band=None)
    if draft.guests:
        draft = replace(draft, matches=1)
    return await _offer(context, draft, page_id(context))


_GUESTS = ("opponent", "second_opponent", "third_opponent", "fourth_opponent", "fifth_opponent")
_ANOTHER = Text.of("Another player, for games with more than two seats")
_Person = Optional[discord.User]  # noqa: UP045 - read at run time
_Typed = Optional[app_commands.Range[str, 0, LONGEST]]  # noqa: UP045


def most_guests() -> int:
    """The most opponents that a match of any game may have, under its options and presets."""
    seats = 2
    for kind in catalog.GAMES.values():
        settings = [{}, *(preset.options for preset in kind.info.presets)]
        seats = max(seats, *(len(kind(dict(options)).seats) for options in settings))
    return min(seats - 1, len(_GUESTS))


def _named(context: InteractionContext, field: str) -> str:
    """The text of another field while one is typed."""
    return str(getattr(context.interaction.namespace, field, None) or "")


async def _suggest_levels(context: InteractionContext, typed: str) -> list[Option]:
    """Levels of the computer in the game named, the player's own first."""
    game = find_game(_named(context, "game")).info.key
    mine = await context.services.ratings.computer_for(context.user_id, game)
    return suggest_levels(game, typed, mine, context.language)


async def _suggest_sides(context: InteractionContext, typed: str) -> list[Option]:
    """Sides of the game named, under the options typed."""
    info = find_game(_named(context, "game")).info
    try:
        chosen = read_options(info, _named(context, "options"), context.language)
    except (UserError, GameError):
        chosen = info.resolve({})
    return suggest_sides(info, chosen, typed, context.language)


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
        "matches": Text.of(
            "How many matches the offer may start, if anyone can accept (default: 1)"
        ),
        "language": Text.of("Language of the match for everyone (default: the server's)"),
        "computer": Text.of("Play the computer at this level, for example: 3"),
    },
    choices={"game": game_choices, "language": language_choices},
    leave_out=lambda: _GUESTS[most_guests() :],
    suggest={
        "options": lambda context, typed: suggest_options(
            find_game(_named(context, "game")).info, typed, context.language
        ),
        "side": _suggest_sides,
        "clock": lambda context, typed: suggest_clocks(typed, context.language),
        "rating": lambda context, typed: suggest_bands(typed, context.language),
        "expires": lambda context, typed: suggest_lasting(
            typed, context.services.settings.offers_last, context.language
        ),
        "computer": _suggest_levels,
    },
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
    matches: Optional[app_commands.Range[int, 1, MOST_MATCHES]] = None,  # noqa: UP045
    language: Optional[str] = None,  # noqa: UP045
) -> Reply:
    """``/play``: an offer by its fields, or the page of menus without any."""
    named = (opponent, second_opponent, third_opponent, fourth_opponent, fifth_opponent)
    people = [person for person in named if person is not None]
    if game is None:
        others = (options, side, rated, hints, clock, rating, expires, computer, matches, language)
        if people or any(given is not None for given in others):
            # The menus begin anew, so an offer to one player would become one to all.
            raise UserError("game_wanted")
        return await set_up(context)
    info, services = find_game(game).info, context.services
    house = await house_of(context)
    usual = begun(info.key, house)
    chosen = read_options(info, options or "", context.language, usual.values())
    opponents = tuple(guest(context.interaction, person) for person in people)
    seats = len(game_of(info.key, chosen).seats)
    if computer:
        level = read_level(info.key, computer)
        level = level or await services.ratings.computer_for(context.user_id, info.key)
        free = seats - 1 - len(opponents)
        opponents += (Actor(computer_of(level), context.place.guild_id),) * free
    is_side_open = not (side or "").strip()
    if rated is None:
        aside = bool(not is_side_open or computer or hints)
        rated = usual.stakes == RATED and not aside and _can_be_rated(info, chosen)
    if rated and hints:
        raise UserError("rated_hints")
    if is_side_open and not rated and not computer:
        side = house.server.side
    if hints is None:
        hints = usual.stakes == HINTS
    band = parse_rating_range(rating or "")
    if not (rating or "").strip() and len(opponents) < seats - 1:
        band = usual.band
    typed = in_letters((expires or "").strip(), context.language)
    draft = OfferDraft(
        more=True,
        game=info.key,
        options=tuple(chosen.items()),
        guests=tuple(each.user_id for each in opponents),
        seat=read_side(info, chosen, side or "", context.language),
        stakes=RATED if rated else HINTS if hints else None,
        clock=read_default(clock, house.clock, context.language),
        band=band,
        lasts=parse_offer_expiry(typed, usual.lasts or house.lasts),
        takebacks=usual.takebacks,
        language=LOCALE(language),
        matches=matches or 1,
        house=house,
    )
    return await _offer(context, draft, context.id, opponents)


@on_person(Text.of("Challenge"))
async def challenge(context: InteractionContext, person: discord.User) -> Reply:
    """**Challenge** in the menu on a user: the page of menus, with that player named."""
    house = await house_of(context)
    check_offering(context.interaction, house.server)
    named = guest(context.interaction, person)
    if named.is_bot:
        raise UserError("invite_bot")
    if named.user_id == context.user_id:
        raise UserError("invite_self")
    context.reader.names.note(named.user_id, person.display_name)
    draft = replace(begun(house.server.game, house), guests=(named.user_id,))
    return await menus_page(context, draft)


@page_button("sdefaults", how=PRIVATE)
@command("defaults", Text.of("Set the terms that /play begins with in this server"), group=SERVER)
async def defaults_here(context: InteractionContext) -> Reply:
    """``/server defaults``, and **Defaults of /play** under the settings of the server."""
    managed(context.interaction)
    chosen = (await house_of(context)).server
    game = chosen.game or next(iter(catalog.GAMES))
    return await menus_page(context, OfferDraft(game, for_server=True))


@on_button("susual")
async def defaults_cleared(context: InteractionContext, _click: Click) -> Reply:
    """**Standard options** there: only the game stays chosen."""
    guild_id, draft = managed(context.interaction), await draft_of(context)

    def clear(chosen: ServerSettings) -> ServerSettings:
        usual = with_defaults(OfferDraft(house=OfferDefaults(server=chosen)))
        return replace(usual, options=(), clock=None)

    await context.services.preferences.change_server(guild_id, context.user_id, clear)
    return await menus_page(context, draft)
