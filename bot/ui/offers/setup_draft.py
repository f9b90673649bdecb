"""An offer in the making, and what each choice makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from bot.domain.clock import DAY, TimeControl, Vacations
from bot.domain.clock_text import NONE, read_clock, write_clock, write_duration
from bot.domain.ids import read_id
from bot.domain.offer_expiry import SHORTEST_OFFER, parse_offer_expiry
from bot.domain.rating_range import format_rating_range, parse_rating_range
from bot.errors import UserError
from bot.ui.pages.components import walk
from bot.ui.pages.custom_ids import Control
from games import catalog
from games.api import GameInfo, OptionValue
from games.errors import OptionError


@dataclass(frozen=True, slots=True)
class Draft:
    """An offer in the making.

    Game, option values by key, invited people, side from 1 (0: lots), whether it is to be rated, or
    casual with ``hints``.
    ``clock``, ``band`` and ``lasts`` are the canonical texts of a clock, of whose rating it is for,
    and of how long it stands; empty for what is usual. ``more`` says that all options are shown;
    without ``takebacks`` nobody may ask to take a move back.
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
    more: bool = False

    @property
    def info(self) -> GameInfo | None:
        """The game, if one has been chosen and is still there."""
        kind = catalog.GAMES.get(self.game or "")
        return kind.info if kind is not None else None

    def values(self) -> Mapping[str, OptionValue]:
        """All options with their values; those that make no sense have their defaults."""
        info = self.info
        if info is None:
            return {}
        given = dict(self.options)
        good: dict[str, OptionValue] = {}
        for option in info.options:
            try:
                good[option.key] = option.read(given.get(option.key, option.default))
            except OptionError:
                good[option.key] = option.default
        return good


def read_draft(components: Iterable[Mapping[str, Any]]) -> Draft:
    """The draft that a page shows, from its components as Discord writes them."""
    draft = Draft()
    for component in walk(components):
        control = Control.read(component.get("custom_id"))
        if control is None:
            continue
        chosen = [
            str(option["value"])
            for option in component.get("options") or ()
            if option.get("default")
        ]
        if control.action == "sguest":
            ids = tuple(str(each["id"]) for each in component.get("default_values") or ())
            draft = changed(draft, control, ids)
        elif control.action == "sfewer":
            draft = replace(draft, more=True)
        elif chosen:
            draft = changed(draft, control, tuple(chosen))
    return draft


def changed(draft: Draft, control: Control, values: tuple[str, ...]) -> Draft:
    """The draft after a choice in one of its menus; :exc:`UserError` if it cannot be one."""
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
            return (
                draft if value == draft.game else replace(draft, game=value, options=(), side="0")
            )
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
        case "sclock":
            return replace(draft, clock=with_vacation_rule(read_clock(value), _rule(draft.clock)))
        case "svacation" if value in {rule.value for rule in Vacations}:
            return replace(
                draft, clock=with_vacation_rule(read_clock(draft.clock or NONE), Vacations(value))
            )
        case "sband":
            return replace(draft, band=format_rating_range(parse_rating_range(value)))
        case "slasts":
            return replace(draft, lasts=write_duration(parse_offer_expiry(value, SHORTEST_OFFER)))
    raise UserError("out_of_date")


@dataclass(frozen=True, slots=True)
class OfferDefaults:
    """What is usual where an offer is made: its clock, and how long an offer stands.

    ``rating`` is that of whoever offers, in the game that is chosen; None where there is none.
    """

    clock: TimeControl | None = None
    lasts: timedelta = timedelta(hours=48)
    rating: int | None = None


def _rule(clock: str) -> Vacations:
    """What vacations do to a clock, by its text."""
    control = read_clock(clock or NONE)
    return Vacations.ALLOWED if control is None else control.vacations


def with_vacation_rule(control: TimeControl | None, rule: Vacations) -> str:
    """The text of a clock with what vacations do to it, if they can do anything."""
    if control is None or control.bank < DAY:
        return write_clock(control)
    return write_clock(replace(control, vacations=rule))
