"""A draft of an offer, as the page of ``/play`` shows it, and the defaults that it begins with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import discord

from bot.domain.clock import TimeControl
from bot.domain.clock_text import parse_offer_expiry, read_clock, write_clock, write_duration
from bot.domain.game_state import game_of
from bot.domain.ids import InteractionId
from bot.domain.preferences import RATED, ServerSettings
from bot.domain.rating_range import Around, RatingRange, format_rating_range, parse_rating_range
from bot.errors import UserError
from bot.ui.interaction.context import InteractionContext
from bot.ui.pages.clock_text import read_default
from bot.ui.pages.display_names import escape
from bot.ui.pages.match_text import info_of, sensible_values
from games import catalog
from games.api import GameInfo, OptionValue

MOST_SEATS = 6
"""Players, the maker included, before the game is chosen."""


@dataclass(frozen=True, slots=True)
class OfferDefaults:
    """The defaults where an offer is made: its clock, when it expires, and the server's settings.

    ``rating`` is that of the player in the chosen game, if any; ``languages`` are those that a
    match can have.
    """

    clock: TimeControl | None = None
    lasts: timedelta = timedelta(hours=48)
    rating: int | None = None
    languages: tuple[str, ...] = ()
    server: ServerSettings = field(default_factory=ServerSettings)


@dataclass(frozen=True, slots=True)
class OfferDraft:
    """A draft of an offer, made where offers begin as the ``house`` has it.

    Game, option values by key, invited players, the maker's seat (None: lots), and the stakes as in
    the settings of a server. ``lasts`` is None for the default; without ``takebacks`` nobody may
    ask for one; ``language`` is the locale of the match for everyone, None for the server's;
    ``matches`` is how many it may start. ``more``: all menus are shown; ``for_server``: these are
    the defaults of a server.
    """

    game: str | None = None
    options: tuple[tuple[str, OptionValue], ...] = ()
    guests: tuple[int, ...] = ()
    seat: int | None = None
    stakes: str | None = None
    clock: TimeControl | None = None
    band: RatingRange | Around | None = None
    lasts: timedelta | None = None
    takebacks: bool = True
    language: str | None = None
    matches: int = 1
    more: bool = False
    for_server: bool = False
    house: OfferDefaults = OfferDefaults()

    @property
    def info(self) -> GameInfo | None:
        """The game, if one is chosen."""
        return info_of(self.game)

    @property
    def seats(self) -> int:
        """The number of players."""
        info = self.info
        return MOST_SEATS if info is None else len(game_of(info.key, self.values()).seats)

    @property
    def is_open(self) -> bool:
        """Whether players can accept who are not invited."""
        return len(self.guests) < self.seats - 1

    def values(self) -> Mapping[str, OptionValue]:
        """All options with their values; invalid ones have their defaults."""
        info = self.info
        return {} if info is None else sensible_values(info, dict(self.options))


def begun(game: str | None, house: OfferDefaults) -> OfferDraft:
    """The draft that an offer of a game begins with."""
    chosen = house.server
    return OfferDraft(
        game if game in catalog.GAMES else None,
        dict(chosen.options).get(game or "", ()),
        seat=int(chosen.side) - 1 if chosen.side and chosen.stakes != RATED else None,
        stakes=chosen.stakes,
        clock=house.clock,
        band=parse_rating_range(chosen.band or ""),
        lasts=parse_offer_expiry(chosen.lasts, house.lasts) if chosen.lasts else None,
        takebacks=chosen.takebacks is not False,
        house=house,
    )


def with_defaults(draft: OfferDraft) -> ServerSettings:
    """The settings of a server whose offers are to begin with a draft."""
    chosen, info = draft.house.server, draft.info
    options = {game: given for game, given in chosen.options if game != draft.game}
    if info is not None:
        usual, values = info.resolve({}), draft.values()
        options[info.key] = tuple(
            (key, str(value)) for key, value in values.items() if value != usual[key]
        )
    return replace(
        chosen,
        options=tuple(sorted(each for each in options.items() if each[1])),
        side=None if draft.seat is None else str(draft.seat + 1),
        stakes=draft.stakes,
        clock=chosen.clock if draft.clock == draft.house.clock else write_clock(draft.clock),
        band=None if draft.band is None else format_rating_range(draft.band),
        lasts=None if draft.lasts is None else write_duration(draft.lasts),
        takebacks=None if draft.takebacks else False,
    )


async def house_of(context: InteractionContext, game: str | None = None) -> OfferDefaults:
    """The defaults of the server, else of the host, with the player's rating in ``game``."""
    chosen = await context.services.preferences.server(context.place.guild_id)
    settings, ratings = context.services.settings, context.services.ratings
    rating = None if game is None else (await ratings.standing(context.user_id, game)).points
    clock = read_default(chosen.clock, read_clock(settings.clock), context.language)
    # In direct messages each player reads their own language.
    known = () if context.place.guild_id is None else tuple(context.services.languages.known())
    return OfferDefaults(clock, settings.offers_last, rating, known, chosen)


def page_id(context: InteractionContext) -> InteractionId:
    """The interaction that opened the page: one page makes one offer, however often asked.

    That interaction has changed nothing itself, so it can stand for the offer.
    """
    message = context.interaction.message
    opened = None if message is None else message.interaction_metadata
    return context.id if opened is None else InteractionId(opened.id)


def check_guests(interaction: discord.Interaction[Any], *, with_self: bool = False) -> None:
    """Refuse bots, oneself, and in a server strangers to it, as soon as they are chosen."""
    data: Mapping[str, Any] = interaction.data or {}
    resolved = data.get("resolved") or {}
    members = resolved.get("members") or {}
    for key, user in (resolved.get("users") or {}).items():
        if user.get("bot"):
            raise UserError("invite_bot")
        if int(key) == interaction.user.id and not with_self:
            raise UserError("invite_self")
        if interaction.guild_id is not None and key not in members:
            raise UserError("not_in_server", name=escape(str(user.get("username"))))
