"""What is stored of vacations.

As with :class:`bot.services.ports.Store`, every method is one transaction and raises
:exc:`~bot.services.ports.StoreUnavailable` where the database cannot do it now.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.domain.ids import InteractionId, UserId
from bot.domain.vacation import UserVacation, Vacation


@dataclass(frozen=True, slots=True)
class Telling:
    """When a person is to be told of their vacation, None for never."""

    at: datetime | None


@dataclass(frozen=True, slots=True)
class VacationRow:
    """A vacation of a player, by its number from 1, and what is still to be done about it.

    ``version``
        how often it was written; 0 if never.
    ``changed_at``, ``interaction_id``
        when it was written last, and by which interaction (None: by the host itself).
    ``line_at``
        from when on matches that run are to be brought in line with it; None if that is done.
    ``telling``
        written with it: when its person is to be told of it next; None leaves that as it was.
    """

    user_id: UserId
    number: int
    version: int
    vacation: Vacation
    changed_at: datetime
    interaction_id: InteractionId | None = None
    line_at: datetime | None = None
    telling: Telling | None = None


class VacationStore(Protocol):
    """Where vacations are kept."""

    async def vacations_of(self, user_id: UserId) -> tuple[VacationRow, ...]:
        """All that is kept of a player's vacations, the first one first."""
        ...

    async def keep_vacation(self, kept: VacationRow) -> None:
        """Write a new vacation (version 0), or put one in the place of itself at that version.

        Raises :exc:`~bot.services.ports.Conflict` if there is another one by now.
        """
        ...

    async def leaves(self, people: tuple[UserId, ...], now: datetime) -> tuple[UserVacation, ...]:
        """Who of these people is on vacation."""
        ...

    async def vacations_to_line(self, now: datetime, limit: int) -> tuple[VacationRow, ...]:
        """Those with which matches are to be brought in line by now."""
        ...

    async def forget_vacations(self, before: datetime) -> None:
        """Remove those that were over before then."""
        ...
