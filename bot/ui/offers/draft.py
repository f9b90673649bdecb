"""An offer in the making, as the page of ``/play`` shows it, and what a server begins it with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import discord

from bot.domain.clock import DAY, TimeControl, Vacations
from bot.domain.clock_text import (
    NONE,
    SHORTEST_OFFER,
    parse_offer_expiry,
    read_clock,
    write_clock,
    write_duration,
)
from bot.domain.game_state import game_of
from bot.domain.ids import InteractionId, read_id
from bot.domain.offers import MOST_MATCHES
from bot.domain.preferences import HINTS, LOCALE, RATED, ServerSettings
from bot.domain.rating_range import ANY, format_rating_range, parse_rating_range
from bot.errors import UserError
from bot.ui.interaction.context import InteractionContext
from bot.ui.pages.clock_text import read_default
from bot.ui.pages.components import Control, chosen_in
from bot.ui.pages.display_names import escape
from bot.ui.pages.match_text import sensible_values
from games import catalog
from games.api import GameInfo, OptionValue

LIKE_SERVER = "-"
"""Stands in the menu of languages for the one of the server."""


MOST_SEATS = 6
"""How many players can be named before the game is chosen, and oneself."""


@dataclass(frozen=True, slots=True)
class OfferDefaults:
    """What is usual where an offer is made: its clock, and how long an offer stands.

    ``rating`` is that of the player who offers, in the chosen game; None where there is none.
    ``languages`` are those that a match can speak.
    """

    clock: TimeControl | None = None
    lasts: timedelta = timedelta(hours=48)
    rating: int | None = None
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OfferDraft:
    """An offer in the making.

    Game, option values by key, invited people, side from 1 (0: lots), whether it is to be rated, or
    casual with ``hints``.
    ``clock``, ``band`` and ``lasts`` are the canonical texts of a clock, of whose rating it is for,
    and of how long it stands; empty for what is usual. ``more`` says that all options are shown;
    without ``takebacks`` nobody may ask to take a move back; ``language`` is the locale of what
    everybody sees of the match, empty for the server's; ``matches`` is how many it may start.
    ``for_server``: it is no offer, but what offers of a server begin with.
    """

    game: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    guests: tuple[int, ...] = ()
    side: str = "0"
    rated: bool = False
    hints: bool = False
    clock: str = ""
    band: str = ""
    lasts: str = ""
    takebacks: bool = True
    language: str = ""
    matches: int = 1
    more: bool = False
    for_server: bool = False

    @property
    def info(self) -> GameInfo | None:
        """The game, if one has been chosen and is still there."""
        kind = catalog.GAMES.get(self.game or "")
        return kind.info if kind is not None else None

    @property
    def seats(self) -> int:
        """How many players it is for, the one who offers included."""
        info = self.info
        return MOST_SEATS if info is None else len(game_of(info.key, self.values()).seats)

    @property
    def seat(self) -> int | None:
        """The player index that the one who offers wants, None for lots."""
        return int(self.side) - 1 if self.side in list("123456789") else None

    def values(self) -> Mapping[str, OptionValue]:
        """All options with their values; those that make no sense have their defaults."""
        info = self.info
        if info is None:
            return {}
        return sensible_values(info, dict(self.options))


def begun(game: str | None, chosen: ServerSettings) -> OfferDraft:
    """The draft with which an offer of a game begins where a server has chosen these defaults."""
    options = dict(chosen.options).get(game or "", ())
    return OfferDraft(
        game if game in catalog.GAMES else None,
        options=options,
        side=(chosen.side or "0") if chosen.stakes != RATED else "0",
        rated=chosen.stakes == RATED,
        hints=chosen.stakes == HINTS,
        band=chosen.band or "",
        lasts=chosen.lasts or "",
        takebacks=chosen.takebacks is not False,
    )


def with_defaults(chosen: ServerSettings, draft: OfferDraft) -> ServerSettings:
    """The settings of a server whose offers are to begin with a draft."""
    options = tuple(each for each in chosen.options if each[0] != draft.game)
    info = draft.info
    if info is not None:
        usual = dict(info.resolve({}))
        special = tuple(
            (key, str(value)) for key, value in draft.values().items() if value != usual[key]
        )
        if special:
            options = (*options, (info.key, special))
    stakes = RATED if draft.rated else HINTS if draft.hints else None
    return replace(
        chosen,
        options=tuple(sorted(options)),
        side=None if draft.side == "0" else draft.side,
        stakes=stakes,
        clock=draft.clock or chosen.clock,
        band=None if draft.band in ("", ANY) else draft.band,
        lasts=draft.lasts or None,
        takebacks=None if draft.takebacks else False,
    )


def read_offer_draft(components: Iterable[Mapping[str, Any]], server: ServerSettings) -> OfferDraft:
    """The draft that a page shows, from its components as Discord writes them.

    What no menu shows is as the ``server`` has it.
    """
    draft = begun(None, server)
    for control, chosen in chosen_in(components):
        if control.action == "sfewer":
            draft = replace(draft, more=True)
        elif control.action == "susual":
            draft = replace(draft, more=True, for_server=True)
        elif chosen:
            draft = changed(draft, control, chosen, server)
    return draft


def changed(
    draft: OfferDraft, control: Control, values: tuple[str, ...], server: ServerSettings
) -> OfferDraft:
    """The draft after a choice in one of its menus; :exc:`UserError` if it cannot be one.

    Another game begins with the options and the side that the ``server`` has for it.
    """
    if control.action == "sguest":
        guests = tuple(found for value in values if (found := read_id(value)) is not None)
        if len(guests) != len(values):
            raise UserError("out_of_date")
        return replace(draft, guests=guests)
    if len(values) != 1:
        raise UserError("out_of_date")
    value = values[0]
    match control.action:
        case "sgame" if value in catalog.GAMES:
            if value == draft.game:
                return draft
            first = begun(value, server)
            side = "0" if draft.rated else first.side
            return replace(draft, game=value, options=first.options, side=side)
        case "spreset" if draft.info is not None:
            for preset in draft.info.presets:
                if preset.key == value:
                    given = tuple((key, str(setting)) for key, setting in preset.options.items())
                    return replace(draft, options=given)
        case "sopt":
            given = tuple(pair for pair in draft.options if pair[0] != control.arg)
            return replace(draft, options=(*given, (control.arg, value)))
        case "sside":
            return replace(draft, side=value, rated=draft.rated and value == "0")
        case "srated" if value in ("rated", "casual", "hints"):
            rated = value == "rated"
            side = "0" if rated else draft.side
            return replace(draft, rated=rated, hints=value == "hints", side=side)
        case "stakeback" if value in ("asked", "never"):
            return replace(draft, takebacks=value == "asked")
        case "slanguage":
            return replace(draft, language=read_language(value) or "")
        case "smatches" if value.isdecimal() and len(value) < 3 and 0 < int(value) <= MOST_MATCHES:
            return replace(draft, matches=int(value))
        case "sclock":
            return replace(draft, clock=with_rule(read_clock(value), rule_of(draft.clock)))
        case "svacation" if value in {rule.value for rule in Vacations}:
            return replace(
                draft, clock=with_rule(read_clock(draft.clock or NONE), Vacations(value))
            )
        case "sband":
            return replace(draft, band=format_rating_range(parse_rating_range(value)))
        case "slasts":
            return replace(draft, lasts=write_duration(parse_offer_expiry(value, SHORTEST_OFFER)))
    raise UserError("out_of_date")


def read_language(value: str) -> str | None:
    """The locale that a choice of a language means, None: the server's. Raises ``out_of_date``."""
    if value in ("", LIKE_SERVER):
        return None
    found = LOCALE(value)
    if found is None:
        raise UserError("out_of_date")
    return str(found)


def rule_of(clock: str) -> Vacations:
    """What vacations do to a clock, by its text."""
    control = read_clock(clock or NONE)
    return Vacations.ALLOWED if control is None else control.vacations


def with_rule(control: TimeControl | None, rule: Vacations) -> str:
    """The text of a clock with what vacations do to it, if they can do anything."""
    if control is None or control.bank < DAY:
        return write_clock(control)
    return write_clock(replace(control, vacations=rule))


async def house_of(context: InteractionContext, game: str | None = None) -> OfferDefaults:
    """What an offer has that does not say: of the server, else of the host.

    The rating of the player who offers is that in ``game``.
    """
    chosen = await context.services.preferences.server(context.place.guild_id)
    rating = None
    if game is not None:
        rating = (await context.services.ratings.standing(context.user_id, game)).points
    settings = context.services.settings
    clock = read_default(chosen.clock, read_clock(settings.clock), context.language)
    # In direct messages each player reads their own language.
    known = () if context.place.guild_id is None else tuple(context.services.languages.known())
    return OfferDefaults(clock, settings.offers_last, rating, known)


def page_id(context: InteractionContext) -> InteractionId:
    """Which interaction the page of menus answers: one page makes one offer, however often asked.

    That interaction has changed nothing itself, so it can stand for the offer.
    """
    message = context.interaction.message
    opened = None if message is None else message.interaction_metadata
    return context.id if opened is None else InteractionId(opened.id)


async def draft_of(context: InteractionContext) -> OfferDraft:
    """What the page of menus shows that an interaction came from."""
    chosen = await context.services.preferences.server(context.place.guild_id)
    return read_offer_draft(context.parts(), chosen)


def check_guests(interaction: discord.Interaction[Any]) -> None:
    """Refuse bots, and in a server strangers to it, as soon as they are chosen."""
    data: Mapping[str, Any] = interaction.data or {}
    resolved = data.get("resolved") or {}
    members = resolved.get("members") or {}
    for key, user in (resolved.get("users") or {}).items():
        if user.get("bot"):
            raise UserError("invite_bot")
        if int(key) == interaction.user.id:
            raise UserError("invite_self")
        if interaction.guild_id is not None and key not in members:
            raise UserError("not_in_server", name=escape(str(user.get("username"))))
