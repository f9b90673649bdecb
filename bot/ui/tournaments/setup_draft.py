"""An event in the making, and how its page carries it: nothing is remembered between two choices.

What differs from the preset is written, compressed, into the custom ids of the page's own buttons;
each choice is read together with the page it was made on. So the page works after a restart, and
two pages side by side do not disturb each other.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from bot.domain.game_state import game_of
from bot.domain.tournaments.formats.catalog import FORMATS
from bot.domain.tournaments.planning import PRESETS, Preset, check_setup, from_preset
from bot.domain.tournaments.setup import FormatKey, Setup
from bot.domain.tournaments.writing import read_field, write
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.pages.components import Control, walk
from bot.ui.pages.display_names import clean
from bot.ui.pages.match_text import sensible_values
from bot.ui.tournaments.setup_menus import changed, no_shows
from games import catalog
from games.api import GameInfo, OptionValue

CARRIER = "tset"
"""The action of the buttons that carry the draft."""
_CHUNK = 80
_MOST = 7
"""How many buttons carry a part of it at most."""
LONGEST_NAME = 80
_LONGEST_TEXT = 4000


@dataclass(frozen=True, slots=True)
class TournamentDraft:
    """What an organiser has chosen so far.

    ``choices`` are fields of :class:`~bot.domain.tournaments.setup.Setup` that differ from the
    preset. ``tab`` is the part of the page that is open.
    """

    preset: str
    closes: datetime
    begins: datetime
    finish: datetime
    name: str = ""
    game: str = ""
    options: tuple[tuple[str, str], ...] = ()
    choices: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    tab: str = "game"

    @property
    def base(self) -> Preset:
        """The preset it began with."""
        return PRESETS[self.preset]

    @property
    def info(self) -> GameInfo | None:
        """The game, if one has been chosen and is still there."""
        kind = catalog.GAMES.get(self.game)
        return None if kind is None else kind.info

    def values(self) -> Mapping[str, OptionValue]:
        """All options of the game with their values, the default where one makes no sense."""
        info = self.info
        if info is None:
            return {}
        return sensible_values(info, dict(self.options))

    def setup(self) -> Setup:
        """The event as it would be announced, its time for a first move within its length."""
        made = from_preset(
            self.base,
            self.name,
            self.game,
            self.begins,
            **{
                "closes": self.closes,
                "begins": self.begins,
                "finish": self.finish,
                "options": self.values(),
                **self.choices,
            },
        )
        return replace(made, no_show=min(made.no_show, no_shows(made)[-1]))

    def check(self, now: datetime) -> None:
        """Raise :exc:`~bot.errors.UserError` for what keeps it from being announced."""
        if self.info is None:
            raise UserError("game_needed")
        if self.game not in games_for(self.base.format):
            raise UserError("tournament_game", game=self.info.name)
        if not self.name:
            raise UserError("tournament_name", most=LONGEST_NAME)
        check_setup(self.setup(), now)

    def problem(self, now: datetime) -> UserError | None:
        """The same as a value."""
        try:
            self.check(now)
        except UserError as error:
            return error
        return None


def games_for(form: FormatKey) -> tuple[str, ...]:
    """The games that seat as many players as a game of the format has."""
    return tuple(key for key in catalog.GAMES if len(game_of(key, {}).seats) == FORMATS[form].seats)


def first_draft(
    preset: str, now: datetime, zone: str, *, name: str = "", game: str = ""
) -> TournamentDraft:
    """A draft with sensible days for its kind of event, in the organiser's time zone."""
    base = PRESETS[preset]
    begins = _begins(preset, now, ZoneInfo(zone))
    finish = begins + base.lasts
    offered = games_for(base.format)
    if game not in offered:
        game = offered[0] if len(offered) == 1 else ""
    return TournamentDraft(preset, begins, begins, finish, clean_title(name), game)


_EVENING = time(19)
_MORNING = time(10)


def _begins(preset: str, now: datetime, zone: ZoneInfo) -> datetime:
    """When an event would begin that is announced now: not before there was time to enter.

    Weekend events on a Saturday morning, evening ones in the evening, others at a full hour.
    """
    base = PRESETS[preset]
    local = (now + base.open_for).astimezone(zone)
    day = local.date()
    if preset == "weekend_swiss":
        day += timedelta(days=(5 - day.weekday()) % 7)
        at = datetime.combine(day, _MORNING, zone)
        return (at if at >= local else at + timedelta(days=7)).astimezone(UTC)
    if preset in ("evening_arena", "table_night"):
        at = datetime.combine(day, _EVENING, zone)
        if at < local:
            at = datetime.combine(day + timedelta(days=1), _EVENING, zone)
        return at.astimezone(UTC)
    hour = local.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    return hour.astimezone(UTC)


def clean_title(name: str) -> str:
    """A name on one line without tricks, '' for none."""
    return clean(name, longest=LONGEST_NAME) if name.strip() else ""


# ---- on the page -------------------------------------------------------------------------------


def write_draft(draft: TournamentDraft) -> tuple[str, ...]:
    """The draft in parts for the custom ids of at most :data:`_MOST` buttons.

    Raises :exc:`~bot.errors.UserError` (``setup_full``) if there is no room for all of it.
    """
    content = [
        draft.preset,
        draft.name,
        draft.game,
        dict(draft.options),
        {key: write(value) for key, value in draft.choices.items()},
        *(int(each.timestamp()) for each in (draft.closes, draft.begins, draft.finish)),
        draft.tab,
    ]
    written = json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()
    packed = base64.urlsafe_b64encode(zlib.compress(written, 9)).decode().rstrip("=")
    if len(packed) > _CHUNK * _MOST:
        raise UserError("setup_full")
    return tuple(packed[at : at + _CHUNK] for at in range(0, len(packed), _CHUNK))


def read_tournament_draft(components: Iterable[Mapping[str, Any]]) -> TournamentDraft:
    """The draft that a page carries, from its components as Discord writes them.

    Raises :exc:`~bot.errors.UserError` (``out_of_date``).
    """
    parts: dict[int, str] = {}
    for component in walk(components):
        control = Control.read(component.get("custom_id"))
        if control is not None and control.action.startswith(CARRIER):
            parts[control.version] = control.arg
    packed = "".join(parts[number] for number in sorted(parts))
    try:
        return _unpacked(packed)
    except (ValueError, TypeError, KeyError, binascii.Error, zlib.error, OverflowError):
        raise UserError("out_of_date") from None


def _unpacked(packed: str) -> TournamentDraft:
    raw = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    written = zlib.decompressobj().decompress(raw, _LONGEST_TEXT)
    preset, name, game, options, choices, closes, begins, finish, tab = json.loads(written)
    draft = TournamentDraft(
        PRESETS[preset].key,
        closes=datetime.fromtimestamp(closes, UTC),
        begins=datetime.fromtimestamp(begins, UTC),
        finish=datetime.fromtimestamp(finish, UTC),
        name=clean_title(name),
        game=str(game),
        options=tuple((str(key), str(value)) for key, value in options.items()),
        choices=MappingProxyType(
            {key: read_field(Setup, key, value) for key, value in choices.items()}
        ),
        tab=str(tab),
    )
    draft.setup()
    return draft


# ---- choices -----------------------------------------------------------------------------------


def chosen(
    draft: TournamentDraft, about: str, values: tuple[str, ...], language: Language
) -> TournamentDraft:
    """The draft after a choice in a menu; :exc:`~bot.errors.UserError` if it cannot be one."""
    if about not in ("game", "option"):
        new = changed(draft.setup(), about, values, language)
        return replace(draft, choices=MappingProxyType({**draft.choices, **new}))
    if len(values) != 1:
        raise UserError("out_of_date")
    (value,) = values
    if about == "option":
        return _with_option(draft, value)
    if value not in games_for(draft.base.format):
        raise UserError("out_of_date")
    return draft if value == draft.game else replace(draft, game=value, options=())


def _with_option(draft: TournamentDraft, value: str) -> TournamentDraft:
    """A preset of the game (``=key``), or an option with its value (``key:value``)."""
    info = draft.info
    if info is None:
        raise UserError("out_of_date")
    for preset in info.presets:
        if value == f"={preset.key}":
            given = tuple((key, str(setting)) for key, setting in preset.options.items())
            return replace(draft, options=given)
    key, _, setting = value.partition(":")
    if key not in {option.key for option in info.options}:
        raise UserError("out_of_date")
    rest = tuple(pair for pair in draft.options if pair[0] != key)
    return replace(draft, options=(*rest, (key, setting)))
