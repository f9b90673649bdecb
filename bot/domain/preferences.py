"""The choices of a person and of a server; the host's settings apply to the rest."""

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
"""Moves played from the preview before Parlour asks whether to keep it."""
MOST_CHANNELS = 25
MOST_KEPT_OUT = 200
_MOST_GAMES = 25
_MOST_OPTIONS = 20
REMINDERS = (1, 2, 3, 6, 12, 24, 48, 72)
"""The hours before a deadline in the menu of reminders; others can be typed."""
LONGEST_REMINDER = 720
"""The most hours before a deadline for a reminder."""
RATED = "rated"
"""Offers of a server are rated by default."""
HINTS = "hints"
"""They are casual by default, with hints for all players."""


class NoticeWay(Enum):
    """How a person learns that it is their turn."""

    MENTION = "mention"
    """By a mention in the match's channel or thread."""
    DIRECT = "direct"
    """By a direct message; by a mention where Discord refuses it."""
    DIGEST = "digest"
    """By one direct message a day about all waiting matches."""
    NOTHING = "nothing"
    """Not at all."""


class SideUp(Enum):
    """The side at the bottom of the boards that only the player sees."""

    SAME = "same"
    """The same in all matches: the side of the public boards."""
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
    """Options by game; entries that are not plain words are left out."""
    by_game = several(pair(_GAME, several(pair(_WORD, _WORD), _MOST_OPTIONS)), _MOST_GAMES)(value)
    return by_game and tuple(sorted(dict(by_game).items()))


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices of one person."""

    theme: str | None = setting(None, _THEME)
    """For their private messages; None: the host's theme."""
    language: str | None = setting(None, LOCALE)
    """For their private messages; None: the language of their Discord."""
    way: NoticeWay = setting(NoticeWay.MENTION, one_of(*NoticeWay))
    """How they learn about their turn."""
    direct_refused: datetime | None = setting(None, instant)
    """Since when Discord has refused direct messages to them, None if it does not.

    They are mentioned instead until they choose a way again.
    """
    reminders: tuple[int, ...] = setting((12,), _reminders)
    """Whole hours before a deadline, most first."""
    quiet: QuietHours | None = setting(None, quiet_hours)
    """Their quiet hours: no notices then."""
    zone: str = setting("UTC", zone)
    """The IANA name of their time zone."""
    digest_hour: int = setting(9, HOUR)
    """The hour of their day at which the digest comes."""
    locale: str | None = setting(None, LOCALE)
    """The language of their Discord when they last changed a choice or used Parlour directly.

    Unsolicited messages use it, unless they have chosen a ``language``.
    """
    direct: bool = setting(False, truth)
    """Whether they have used Parlour in their direct messages with it."""
    preview: bool = setting(True, truth)
    """Whether a move picked from menus is shown on the board before it is played."""
    open_list: bool = setting(True, truth)
    """Whether others may list their finished matches."""
    letters: bool = setting(False, truth)
    """Whether pieces have letters instead of marks in their private messages."""
    turned: SideUp = setting(SideUp.SAME, _side_up)
    """The side at the bottom of boards in their private messages."""
    previews: int = setting(0, whole(0, PREVIEWS + 1))
    """The moves that they have played from the preview.

    One more than :data:`PREVIEWS` once playing without it has been offered.
    """
    explained: tuple[str, ...] = setting((), several(_PRIMER, _MOST_PRIMERS))
    """The explanations that they have seen.

    They are of choices, each with the key of its game, and of the language of a match.
    """

    @property
    def present_way(self) -> NoticeWay:
        """How they can be notified at present."""
        if self.direct_refused is not None and self.way in (NoticeWay.DIRECT, NoticeWay.DIGEST):
            return NoticeWay.MENTION
        return self.way

    @property
    def allows_messages(self) -> bool:
        """Whether others may challenge them in direct messages: only if they chose to allow it."""
        if self.way is NoticeWay.MENTION:
            return self.direct
        return self.way is not NoticeWay.NOTHING

    def quiet_until(self, now: datetime) -> datetime | None:
        """When their quiet hours end, None outside of them."""
        return None if self.quiet is None else self.quiet.until(now, self.zone)


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The choices of a server's managers.

    ``clock`` to ``lasts``, and ``game``, are the defaults of an offer.
    """

    channels: tuple[ChannelId, ...] = setting((), several(DISCORD_ID, MOST_CHANNELS))
    """The channels for offers; none: all channels."""
    offerers: RoleId | None = setting(None, DISCORD_ID)
    """The role that may offer matches, None: all members."""
    players: RoleId | None = setting(None, DISCORD_ID)
    """The role that may offer, join and enter tournaments, None: all members."""
    arrangers: RoleId | None = setting(None, DISCORD_ID)
    """The role that may act like server managers.

    It may end matches, clear offers, exclude players, read the log and hold tournaments. None: only
    managers may, and all who may offer can hold tournaments.
    """
    threads: bool | None = setting(None, truth)
    """Whether matches get threads; None: the host's setting."""
    language: str | None = setting(None, LOCALE)
    """For public messages; None: Discord's own setting of the server."""
    theme: str | None = setting(None, _THEME)
    """For public messages; None: the host's theme."""
    game: str | None = setting(None, _GAME)
    """The key of the default game of ``/play``."""
    running: int | None = setting(None, _LIMIT)
    """The limit of running matches; None: the host's limit, which is never exceeded."""
    threads_an_hour: int | None = setting(None, _LIMIT)
    """The limit of new threads an hour; None: the host's limit, which is never exceeded."""
    lobby: ChannelId | None = setting(None, DISCORD_ID)
    """The channel of the message that lists open offers, None for no such message."""
    seekers: RoleId | None = setting(None, DISCORD_ID)
    """The role that a new open offer pings in the lobby, None for no pings.

    Players can give it to themselves.
    """
    kept_out: tuple[UserId, ...] = setting((), several(DISCORD_ID, MOST_KEPT_OUT))
    """The excluded players, who can neither offer matches here nor take a seat."""
    puzzle: ChannelId | None = setting(None, DISCORD_ID)
    """The channel for the puzzle of the day, None for none."""
    puzzle_hour: int = setting(9, HOUR)
    puzzle_zone: str = setting("UTC", zone)
    website: bool = setting(False, truth)
    """Whether the host may show the server's tournaments on a web site."""
    clock: str | None = setting(None, canonical(lambda text: write_clock(read_clock(text))))
    """The canonical text of a clock."""
    options: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = setting((), _options)
    """The options by game that differ from its defaults, as text."""
    stakes: str | None = setting(None, one_of(RATED, HINTS))
    """:data:`RATED`, :data:`HINTS` or None for casual."""
    side: str | None = setting(None, matching("[1-9]"))
    """The side of the offering player, from 1."""
    takebacks: bool | None = setting(None, truth)
    """Whether takebacks are allowed."""
    band: str | None = setting(
        None, canonical(lambda text: format_rating_range(parse_rating_range(text)))
    )
    """The rating range of an open offer."""
    lasts: str | None = setting(
        None, canonical(lambda text: write_duration(parse_offer_expiry(text, SHORTEST_OFFER)))
    )
    """How long an open offer stays open."""


def explained(key: str, chosen: Preferences) -> Preferences:
    """A person's choices after they have seen an explanation."""
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
