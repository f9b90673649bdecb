"""What is stored of what Discord refuses, and of turns of which players could not be told.

As with :class:`bot.services.ports.Store`, every method is one transaction and raises
:exc:`~bot.services.ports.StoreUnavailable` where the database cannot do it now.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.match import Venue
from bot.domain.unreached import Unreached
from bot.services.sending import DeliveryKind, NoticeKind, Posted


@dataclass(frozen=True, slots=True)
class Parked:
    """A delivery that Discord has refused, and that waits for something to change.

    ``id`` is that of the delivery, ``channel_id`` where it was to go, ``user_id`` the person it
    concerns alone, if it does, ``trouble`` the word of the refusal, and ``venue`` where the
    match is played.
    """

    id: int
    match_id: MatchId
    guild_id: GuildId | None
    channel_id: ChannelId
    kind: DeliveryKind
    notice: NoticeKind | None
    player: int | None
    user_id: UserId | None
    trouble: str
    venue: Venue

    @property
    def is_direct(self) -> bool:
        """Whether it is the board or the notice of one player in direct messages."""
        is_of_one = self.kind in (DeliveryKind.BOARD, DeliveryKind.NOTICE)
        return is_of_one and self.player is not None and self.venue is Venue.DIRECT


@dataclass(frozen=True, slots=True)
class Blockages:
    """All that Discord has refused, and the turns that are not told for whatever reason.

    ``not_shown`` are the servers in which a lobby, or another message that stands, is not shown.
    """

    parked: tuple[Parked, ...] = ()
    turns: tuple[Unreached, ...] = ()
    not_shown: frozenset[GuildId] = frozenset()


class BlockedStore(Protocol):
    """Where deliveries wait, and turns that could not be told are written down."""

    async def blocked(self, match_id: MatchId | None = None) -> Blockages:
        """What is blocked at present, in one match or in all."""
        ...

    async def hurry(self, match_ids: tuple[MatchId, ...], now: datetime) -> None:
        """Try at once what was put off in these matches, but for what rests in quiet hours."""
        ...

    async def hurry_troubled(self, now: datetime) -> None:
        """Try at once what Discord could not do before, in all matches."""
        ...

    async def hurry_standing(self, guild_id: GuildId, now: datetime) -> None:
        """Show at once what could not be shown in a server, such as its lobby."""
        ...

    async def board_of(self, match_id: MatchId, player: int) -> Posted | None:
        """The board that stands for a player: that of everybody, or their own."""
        ...

    async def notice_told(self, parked: Parked) -> None:
        """Drop a notice that its player has read elsewhere, unless it is just being sent."""
        ...

    async def reached(self, match_id: MatchId, player: int, now: datetime) -> bool:
        """The player on turn knows of it; whether that was not known before."""
        ...

    async def unreached_to_settle(self, limit: int) -> tuple[Unreached, ...]:
        """Turns that were told at last, and whose clocks are still to be reckoned."""
        ...

    async def unreached_settled(self, turn: Unreached) -> None:
        """The clock of such a turn has been reckoned."""
        ...

    async def forget_unreached(self) -> None:
        """Remove what is about turns that are over."""
        ...
