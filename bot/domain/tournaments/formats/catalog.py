"""All formats. A new one is a module here, a key in ``setup``, and a line in :data:`FORMATS`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bot.domain.tournaments.formats.base import Format
from bot.domain.tournaments.formats.knockout import Knockout
from bot.domain.tournaments.formats.open_ended import Arena, Ladder
from bot.domain.tournaments.formats.round_robin import RoundRobin
from bot.domain.tournaments.formats.swiss import Swiss
from bot.domain.tournaments.formats.tables import Tables
from bot.domain.tournaments.setup import FormatKey

FORMATS: Mapping[FormatKey, Format] = MappingProxyType(
    {
        FormatKey.ROUND_ROBIN: RoundRobin(),
        FormatKey.SWISS: Swiss(),
        FormatKey.KNOCKOUT: Knockout(),
        FormatKey.TABLES: Tables(),
        FormatKey.ARENA: Arena(),
        FormatKey.LADDER: Ladder(),
    }
)
"""Each format by its key."""
