"""What a person, and what a server has chosen; everything else is as the host has it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from bot.domain.clock_text import read_duration
from bot.domain.ids import ChannelId, RoleId, UserId
from bot.domain.quiet_hours import QuietHours
from bot.errors import UserError

_LONGEST_TYPED = 100
_HOUR = timedelta(hours=1)
MOST_REMINDERS = 4
MOST_CHANNELS = 25
MOST_KEPT_OUT = 200
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


@dataclass(frozen=True, slots=True)
class Preferences:
    """What one person has chosen.

    ``theme`` and ``language``
        of what they alone see; None: the host's theme, the language of their Discord.
    ``way``
        how they are told of their turn.
    ``direct_refused``
        since when Discord has let no direct message through to them, None if it does. They are
        mentioned instead until they choose a way anew.
    ``reminders``
        whole hours before a deadline, at most :data:`LONGEST_REMINDER`, most first.
    ``quiet``, ``zone``
        the hours in which they are told nothing, and the IANA name of the time zone they are in.
    ``digest_hour``
        at which hour of their day the digest comes.
    ``locale``
        the language of their Discord when they last chose something, or did something in direct
        messages: that of what comes to them without their asking, as long as they have chosen no
        ``language``.
    ``direct``
        whether they have used Parlour in their direct messages with it.
    ``preview``
        whether a move picked from menus is shown on the board before it is played.
    ``letters``
        whether pieces carry letters in the place of marks on what they alone see.
    ``open_list``
        whether others may list their finished matches.
    """

    theme: str | None = None
    language: str | None = None
    way: NoticeWay = NoticeWay.MENTION
    direct_refused: datetime | None = None
    reminders: tuple[int, ...] = (12,)
    quiet: QuietHours | None = None
    zone: str = "UTC"
    digest_hour: int = 9
    locale: str | None = None
    direct: bool = False
    preview: bool = True
    open_list: bool = True
    letters: bool = False

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

    ``channels``
        where matches may be offered; none: everywhere.
    ``offerers``
        the role of those who may offer matches, None: everybody.
    ``players``
        the role of those who may offer, join and enter tournaments, None: everybody.
    ``arrangers``
        the role of those who may, beside who manages the server, end matches, clear offers, keep
        players out, read the log and hold tournaments. None: only who manages it, and tournaments
        may be held by all who may offer.
    ``seekers``
        the role that a new open offer pings in the lobby, and that players give themselves; None:
        nobody is pinged.
    ``threads``
        whether matches get threads; None: as the host has it.
    ``language``, ``theme``
        of what everybody sees; None: Discord's own setting of the server, the host's theme.
    ``game``, ``clock``
        what ``/play`` begins with: the key of a game, and the canonical text of a clock.
    ``options``, ``stakes``, ``side``, ``takebacks``, ``band``, ``lasts``
        what else it begins with: of each game the options that are not its own defaults, as text;
        :data:`RATED`, :data:`HINTS` or None for casual; the side of the player who offers, from 1;
        whether moves may be taken back; for which ratings an open offer is, and how long it stays
        open.
    ``running``, ``threads_an_hour``
        how many matches may run at once, and how many threads may be made; None: the host's limit,
        which is never exceeded.
    ``lobby``
        the channel with the message that lists the open offers, None: there is none.
    ``puzzle``, ``puzzle_hour``, ``puzzle_zone``
        the channel in which the puzzle of the day is posted, None: nowhere; and when.
    ``kept_out``
        who may neither offer matches here nor take a seat in one.
    """

    channels: tuple[ChannelId, ...] = ()
    offerers: RoleId | None = None
    players: RoleId | None = None
    arrangers: RoleId | None = None
    threads: bool | None = None
    language: str | None = None
    theme: str | None = None
    game: str | None = None
    clock: str | None = None
    running: int | None = None
    threads_an_hour: int | None = None
    lobby: ChannelId | None = None
    seekers: RoleId | None = None
    kept_out: tuple[UserId, ...] = ()
    puzzle: ChannelId | None = None
    puzzle_hour: int = 9
    puzzle_zone: str = "UTC"
    options: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    stakes: str | None = None
    side: str | None = None
    takebacks: bool | None = None
    band: str | None = None
    lasts: str | None = None


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
