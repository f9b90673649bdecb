"""What a person, and what a server has chosen; everything else is as the host has it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum

from bot.domain.clock_text import (
    SHORTEST_OFFER,
    parse_offer_expiry,
    read_clock,
    read_duration,
    write_clock,
    write_duration,
)
from bot.domain.ids import ChannelId, RoleId, UserId
from bot.domain.preferences_text import (
    DISCORD_ID,
    HOUR,
    canonical,
    instant,
    matching,
    one_of,
    pair,
    quiet_hours,
    setting,
    several,
    truth,
    whole,
    zone,
)
from bot.domain.quiet_hours import QuietHours
from bot.domain.rating_range import format_rating_range, parse_rating_range
from bot.errors import UserError

_LONGEST_TYPED = 100
_HOUR = timedelta(hours=1)
MOST_REMINDERS = 4
PREVIEWS = 10
"""Moves played from the preview after which a player is asked whether it is wanted."""
MOST_CHANNELS = 25
MOST_KEPT_OUT = 200
_MOST_GAMES = 25
_MOST_OPTIONS = 20
REMINDERS = (1, 2, 3, 6, 12, 24, 48, 72)
"""Hours before a deadline that are offered for reminders; others can be typed."""
LONGEST_REMINDER = 720
"""The most hours before a deadline at which one may be reminded."""
RATED = "rated"
"""Offers of a server begin as rated ones."""
HINTS = "hints"
"""They begin as casual ones in which all players may ask for hints."""


class NoticeWay(Enum):
    """How a person is told that it is their turn."""

    MENTION = "mention"
    """By a mention in the match's place."""
    DIRECT = "direct"
    """By a direct message; by a mention where Discord does not let one through."""
    DIGEST = "digest"
    """By one direct message a day about all matches that wait."""
    NOTHING = "nothing"
    """Not at all."""


class SideUp(Enum):
    """The side at the bottom of the boards that a player alone sees."""

    SAME = "same"
    """The same in all matches: that of the boards which everybody sees."""
    MINE = "mine"
    """Their own."""
    MAKER = "maker"
    """That of the player who offered the match."""


def _side_up(value: object) -> SideUp | None:
    found: SideUp | None = SideUp.MINE if value is True else one_of(*SideUp)(value)
    return found


_THEME = matching(r"[a-z]{1,20}")
LOCALE = matching(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}")
_GAME = matching(r"[a-z0-9_]{1,40}")
_WORD = matching(r"[A-Za-z0-9_.+-]{1,40}")
_LIMIT = whole(0, 100_000)
_PRIMER = matching(r"[a-z0-9_]{1,40}\.[a-z0-9]{1,20}")
_MOST_PRIMERS = 100


def _reminders(value: object) -> tuple[int, ...] | None:
    hours = several(whole(1, LONGEST_REMINDER), LONGEST_REMINDER)(value)
    return hours and tuple(sorted(hours, reverse=True)[:MOST_REMINDERS])


def _options(value: object) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...] | None:
    """Options by game; what is not plain words is left out."""
    by_game = several(pair(_GAME, several(pair(_WORD, _WORD), _MOST_OPTIONS)), _MOST_GAMES)(value)
    return by_game and tuple(sorted(dict(by_game).items()))


@dataclass(frozen=True, slots=True)
class Preferences:
    """What one person has chosen."""

    theme: str | None = setting(None, _THEME)
    """Of what they alone see; None: the host's theme."""
    language: str | None = setting(None, LOCALE)
    """Of what they alone see; None: the language of their Discord."""
    way: NoticeWay = setting(NoticeWay.MENTION, one_of(*NoticeWay))
    """How they are told about their turn."""
    direct_refused: datetime | None = setting(None, instant)
    """Since when Discord has let no direct message through to them, None if it does. They are
    mentioned instead until they choose a way anew."""
    reminders: tuple[int, ...] = setting((12,), _reminders)
    """Whole hours before a deadline, most first."""
    quiet: QuietHours | None = setting(None, quiet_hours)
    """The hours in which they are told nothing."""
    zone: str = setting("UTC", zone)
    """The IANA name of the time zone they are in."""
    digest_hour: int = setting(9, HOUR)
    """At which hour of their day the digest comes."""
    locale: str | None = setting(None, LOCALE)
    """The language of their Discord when they last chose something, or did something in direct
    messages: that of what comes to them without their asking, as long as they have chosen no
    ``language``."""
    direct: bool = setting(False, truth)
    """Whether they have used Parlour in their direct messages with it."""
    preview: bool = setting(True, truth)
    """Whether a move picked from menus is shown on the board before it is played."""
    open_list: bool = setting(True, truth)
    """Whether others may list their finished matches."""
    letters: bool = setting(False, truth)
    """Whether pieces carry letters in the place of marks on what they alone see."""
    turned: SideUp = setting(SideUp.SAME, _side_up)
    """The side at the bottom of boards of matches, on what they alone see."""
    previews: int = setting(0, whole(0, PREVIEWS + 1))
    """How many moves they have played from the preview; one more than :data:`PREVIEWS` once
    playing without it has been offered."""
    explained: tuple[str, ...] = setting((), several(_PRIMER, _MOST_PRIMERS))
    """The explanations that they have been shown: of choices, each with the key of its game, and of
    how to choose the language of a match."""

    @property
    def present_way(self) -> NoticeWay:
        """How they can be told at present."""
        if self.direct_refused is not None and self.way in (NoticeWay.DIRECT, NoticeWay.DIGEST):
            return NoticeWay.MENTION
        return self.way

    @property
    def allows_messages(self) -> bool:
        """Whether others may challenge them in direct messages: only where they asked for some."""
        if self.way is NoticeWay.MENTION:
            return self.direct
        return self.way is not NoticeWay.NOTHING

    def quiet_until(self, now: datetime) -> datetime | None:
        """When their quiet hours end, None outside of them."""
        return None if self.quiet is None else self.quiet.until(now, self.zone)


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What the people who manage a server have chosen for it.

    From ``clock`` to ``lasts`` it is what an offer begins with, beside ``game``.
    """

    channels: tuple[ChannelId, ...] = setting((), several(DISCORD_ID, MOST_CHANNELS))
    """Where matches may be offered; none: everywhere."""
    offerers: RoleId | None = setting(None, DISCORD_ID)
    """The role of those who may offer matches, None: everybody."""
    players: RoleId | None = setting(None, DISCORD_ID)
    """The role of those who may offer, join and enter tournaments, None: everybody."""
    arrangers: RoleId | None = setting(None, DISCORD_ID)
    """The role of those who may, beside who manages the server, end matches, clear offers, keep
    players out, read the log and hold tournaments. None: only who manages it, and tournaments may
    be held by all who may offer."""
    threads: bool | None = setting(None, truth)
    """Whether matches get threads; None: as the host has it."""
    language: str | None = setting(None, LOCALE)
    """Of what everybody sees; None: Discord's own setting of the server."""
    theme: str | None = setting(None, _THEME)
    """Of what everybody sees; None: the host's theme."""
    game: str | None = setting(None, _GAME)
    """The key of the game that ``/play`` begins with."""
    running: int | None = setting(None, _LIMIT)
    """How many matches may run at once; None: the host's limit, which is never exceeded."""
    threads_an_hour: int | None = setting(None, _LIMIT)
    """How many threads may be made in an hour; None: the host's limit, never exceeded."""
    lobby: ChannelId | None = setting(None, DISCORD_ID)
    """The channel with the message that lists the open offers, None: there is none."""
    seekers: RoleId | None = setting(None, DISCORD_ID)
    """The role that a new open offer pings in the lobby, and that players give themselves; None:
    nobody is pinged."""
    kept_out: tuple[UserId, ...] = setting((), several(DISCORD_ID, MOST_KEPT_OUT))
    """The players who may neither offer matches here nor take a seat in one."""
    puzzle: ChannelId | None = setting(None, DISCORD_ID)
    """The channel in which the puzzle of the day is posted, None: nowhere."""
    puzzle_hour: int = setting(9, HOUR)
    puzzle_zone: str = setting("UTC", zone)
    website: bool = setting(False, truth)
    """Whether the host may put the server's tournaments on a web site."""
    clock: str | None = setting(None, canonical(lambda text: write_clock(read_clock(text))))
    """The canonical text of a clock."""
    options: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = setting((), _options)
    """Of each game the options that are not its own defaults, as text."""
    stakes: str | None = setting(None, one_of(RATED, HINTS))
    """:data:`RATED`, :data:`HINTS` or None for casual."""
    side: str | None = setting(None, matching("[1-9]"))
    """The side of the player who offers, from 1."""
    takebacks: bool | None = setting(None, truth)
    """Whether moves may be taken back."""
    band: str | None = setting(
        None, canonical(lambda text: format_rating_range(parse_rating_range(text)))
    )
    """For which ratings an open offer is."""
    lasts: str | None = setting(
        None, canonical(lambda text: write_duration(parse_offer_expiry(text, SHORTEST_OFFER)))
    )
    """How long an open offer stays open."""


def explained(key: str, chosen: Preferences) -> Preferences:
    """The choices of a person who has now been shown an explanation."""
    return replace(chosen, explained=(*dict.fromkeys((*chosen.explained, key)),))


def read_reminders(text: str) -> tuple[int, ...]:
    """The hours before a deadline that a text means: ``2d, 12h, 3``; none if it is empty.

    Raises :exc:`~bot.errors.UserError`: ``reminders_unclear``, ``reminders_many`` (``most``).
    """
    plain = unicodedata.normalize("NFKC", text[:_LONGEST_TYPED]).casefold().replace("、", ",")
    parts = [part.strip() for part in re.split(r"[,;\n]", plain) if part.strip()]
    hours = set()
    for part in parts:
        try:
            found = read_duration(f"{part}h" if part.isascii() and part.isdigit() else part)
        except ValueError:
            raise UserError("reminders_unclear", text=part[:40]) from None
        whole, rest = divmod(found, _HOUR)
        if rest or not 1 <= whole <= LONGEST_REMINDER:
            raise UserError("reminders_unclear", text=part[:40])
        hours.add(whole)
    if len(hours) > MOST_REMINDERS:
        raise UserError("reminders_many", most=MOST_REMINDERS)
    return tuple(sorted(hours, reverse=True))
