"""Vacations of players, and what they do to clocks.

A vacation is one row: whenever a clock is reckoned (a move, a flag, a page), the vacations of its
player are looked up, and their time does not count. So nobody runs out of time before all of their
matches are updated. That follows at once: each match in which it is their turn gets an event with
the new deadline, and a new board. The row says that this is still to be done, so another process
finishes it if this one stops half way.

The interaction that changed a row is kept with it: delivered again, it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from bot.clock import Clock
from bot.domain import match_clock
from bot.domain.clock import Vacations
from bot.domain.ids import InteractionId, MatchId, UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.vacation import DAY, UserVacation, Vacation, days_left, longest
from bot.errors import UserError
from bot.logs import logger
from bot.services import host_changes
from bot.store import Store, transactions
from bot.store import presence as stored_presence
from bot.store import vacations as stored_vacations
from bot.store.errors import Conflict, StoreUnavailable
from bot.store.records import VacationNotice, VacationRow
from bot.store.store import retried

_log = logger(__name__)

_BATCH = 50
_ONCE_MORE = timedelta(minutes=1)
"""When matches are looked at a second time: a player may just have been moving at the first."""
_KEPT = timedelta(days=2 * 366)


@dataclass(frozen=True, slots=True)
class VacationStatus:
    """A player's vacation.

    ``current`` is the present one, if any; ``left`` the other days of this year, of ``allowance``;
    ``most`` the days that one starting now could have, or the current one in all.
    """

    current: Vacation | None
    left: int
    most: int
    allowance: int


async def vacations_of_players(
    store: Store, clock: Clock, people: tuple[UserId, ...]
) -> tuple[UserVacation, ...]:
    """The present vacations of players; none if they can't be read."""
    try:
        return await store.read(stored_vacations.lasting_vacations, people, clock.now())
    except StoreUnavailable:
        return ()


@dataclass(eq=False)
class VacationService:
    """Starts and ends vacations, and updates matches.

    ``allowance`` is the number of days a year.
    """

    store: Store
    clock: Clock
    _: KW_ONLY
    allowance: int

    # ---- what people ask for ---------------------------------------------------------------

    async def of(self, user_id: UserId) -> VacationStatus:
        """A player's vacation."""
        return self._holidays(await self.store.read(stored_vacations.vacations_of, user_id))

    async def begin(
        self, user_id: UserId, ends: Callable[[datetime], datetime], interaction_id: InteractionId
    ) -> VacationStatus:
        """Start a vacation now, or change the end of the current one.

        ``ends`` gives the end, given the instant from which days are counted: now, or the beginning
        of the current day of a vacation. Raises ``no_vacations``, ``vacation_past``,
        ``vacation_too_long``.
        """

        def decide(kept: tuple[VacationRow, ...], now: datetime) -> VacationRow:
            if not self.allowance:
                raise UserError("no_vacations")
            current = _current(kept, now)
            began = now if current is None else min(now, current.vacation.began_at)
            end = ends(now - (now - began) % DAY)
            if end <= now:
                raise UserError("vacation_past")
            others = tuple(each.vacation for each in kept if each is not current)
            wanted = Vacation(began, end)
            most = longest(others, self.allowance, began)
            if wanted.days > most:
                raise UserError("vacation_too_long", days=wanted.days, most=most)
            return _changed(user_id, kept, current, wanted, now=now, telling=VacationNotice(end))

        return await self._change(user_id, interaction_id, decide)

    async def end(self, user_id: UserId, interaction_id: InteractionId) -> VacationStatus:
        """End the current vacation now; its remaining days are given back.

        Raises ``not_on_vacation``.
        """

        def decide(kept: tuple[VacationRow, ...], now: datetime) -> VacationRow:
            current = _current(kept, now)
            if current is None:
                raise UserError("not_on_vacation")
            ended = replace(current.vacation, ends_at=max(now, current.vacation.began_at))
            return _changed(user_id, kept, current, ended, now=now, telling=VacationNotice(None))

        return await self._change(user_id, interaction_id, decide)

    async def _change(
        self,
        user_id: UserId,
        interaction_id: InteractionId,
        decide: Callable[[tuple[VacationRow, ...], datetime], VacationRow],
    ) -> VacationStatus:

        def changed(kept: tuple[VacationRow, ...]) -> VacationRow | None:
            if any((each.interaction_id or 0) >= interaction_id for each in kept):
                # Delivered again, or overtaken by a later wish of the same person.
                return None
            return replace(decide(kept, self.clock.now()), interaction_id=interaction_id)

        kept = await self.store.write(stored_vacations.change_vacations, user_id, changed)
        await self._bring_in_line(user_id)
        return self._holidays(kept)

    def _holidays(self, kept: tuple[VacationRow, ...]) -> VacationStatus:
        now = self.clock.now()
        current = _current(kept, now)
        every = tuple(each.vacation for each in kept)
        others = tuple(each.vacation for each in kept if each is not current)
        began = now if current is None else current.vacation.began_at
        return VacationStatus(
            None if current is None else current.vacation,
            days_left(every, self.allowance, now),
            longest(others, self.allowance, began),
            self.allowance,
        )

    # ---- by itself -------------------------------------------------------------------------

    async def begin_by_itself(self, match: Match, over: datetime) -> bool:
        """Start a vacation where the time of the player on turn has run out at ``over``.

        Only where the players of the match have agreed on that, and this one has days left. It
        takes all of them: a move ends it. One started since then is moved to begin at ``over``.
        Whether there is one now. Raises ``StoreUnavailable``.
        """
        control, times = match.clock, match.times
        if control is None or times is None or times.running is None:
            return False
        person = match.players[times.running]
        if person is None or control.vacations is not Vacations.AUTOMATIC:
            return False

        def begun(kept: tuple[VacationRow, ...]) -> VacationRow | None:
            if any(each.vacation.covers(over) for each in kept):
                return None
            now = self.clock.now()
            # Whatever has begun since is on the way between the deadline and now.
            met = next((each for each in kept if each.vacation.ends_at > over), None)
            others = tuple(each.vacation for each in kept if each is not met)
            most = longest(others, self.allowance, over)
            wanted = Vacation(over, over + most * DAY, by_itself=True)
            if met is not None:
                wanted = replace(met.vacation, began_at=over)
            if not 0 < wanted.days <= most:
                return None
            telling = VacationNotice(now) if met is None else None
            return _changed(person, kept, met, wanted, now=now, telling=telling)

        kept = await self.store.write(stored_vacations.change_vacations, person, begun)
        return any(each.vacation.covers(over) for each in kept)

    # ---- what follows ----------------------------------------------------------------------

    async def sweep(self) -> None:
        """Update matches of all vacations that have started or changed their end.

        One that fails for some of them is retried.
        """
        now = self.clock.now()
        for kept in await self.store.read(stored_vacations.vacations_to_line, now, _BATCH):
            if not await self._bring_in_line(kept.user_id):
                continue
            again = kept.changed_at + _ONCE_MORE
            lined = replace(kept, line_at=again if again > now else None)
            try:
                await self.store.write(stored_vacations.keep_vacation, lined)
            except Conflict:
                # It has just been changed once more.
                continue

    async def tidy(self) -> None:
        """Forget vacations and outages that are too old to count."""
        before = self.clock.now() - _KEPT
        await self.store.write(stored_vacations.forget, before)
        await self.store.write(stored_presence.forget, before)

    async def _bring_in_line(self, user_id: UserId) -> bool:
        """Reckon the clocks of a player's matches; whether all were done.

        The next sweep retries.
        """
        done = True
        try:
            for match in await self.store.read(transactions.active_of, user_id):
                if not _runs_for(match, user_id):
                    continue
                try:
                    await self._reckon(match.id, user_id)
                except StoreUnavailable:
                    raise
                except Exception:
                    # The others are brought in line all the same.
                    _log.exception("a bug while a match was brought in line", match=match.id)
                    done = False
        except StoreUnavailable:
            done = False
        except Exception:
            _log.exception("a bug while matches were brought in line with a vacation")
            done = False
        return done

    @retried
    async def _reckon(self, match_id: MatchId, user_id: UserId) -> None:
        """Reckon the clock of a match."""
        runs = partial(_runs_for, user_id=user_id)
        await host_changes.apply(self.store, self.clock, match_id, match_clock.credit, where=runs)


def _current(kept: tuple[VacationRow, ...], now: datetime) -> VacationRow | None:
    return next((each for each in kept if each.vacation.lasts(now)), None)


def _changed(
    user_id: UserId,
    kept: tuple[VacationRow, ...],
    before: VacationRow | None,
    wanted: Vacation,
    *,
    now: datetime,
    telling: VacationNotice | None,
) -> VacationRow:
    if before is None:
        number = kept[-1].number + 1 if kept else 1
        before = VacationRow(user_id, number, 0, wanted, now)
    return replace(before, vacation=wanted, changed_at=now, line_at=now, telling=telling)


def _runs_for(match: Match, user_id: UserId) -> bool:
    """Whether this player's clock runs in a match where vacations stop it."""
    if match.status is not MatchStatus.RUNNING or match.clock is None or match.times is None:
        return False
    running = match.times.running
    return match.clock.may_rest and running is not None and match.players[running] == user_id
