"""Vacations of people, and what they do to the clocks of their matches.

A vacation is one row, and it is the truth: whenever a clock is reckoned (a move, a flag, a page),
the vacations of its player are asked for, and their time does not count. So nobody can run out of
time between the moment at which a vacation begins and that at which the last of their matches has
been told. The telling follows at once: each match in which it is their turn gets an event of its
own with the new deadline, and a board that shows it. The row says itself that this is still to be
done, so another process goes on with it if this one stops half way.

The interaction that changed a row is kept with it: delivered again, it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.domain import match_clock
from bot.domain.clock import Vacations
from bot.domain.ids import InteractionId, MatchId, UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.vacation import DAY, UserVacation, Vacation, days_left, longest
from bot.errors import UserError
from bot.logs import logger
from bot.posts.outgoing import Outbox
from bot.services.presence import standing
from bot.store import Store, transactions
from bot.store import times as stored_times
from bot.store.errors import Conflict, StoreUnavailable
from bot.store.records import VacationNotice, VacationRow
from bot.store.store import retried

_log = logger(__name__)

_BATCH = 50
_ONCE_MORE = timedelta(minutes=1)
"""After so long matches are looked at a second time: a player may have been about to move, knowing
nothing yet, when they were looked at first."""
_KEPT = timedelta(days=2 * 366)


@dataclass(frozen=True, slots=True)
class VacationStatus:
    """A player's vacation.

    ``current`` is the one they are on, if any; ``left`` how many days of this year they have beside
    it, of ``allowance``; ``most`` how many days a vacation could have that began now, or the
    current one in all.
    """

    current: Vacation | None
    left: int
    most: int
    allowance: int


async def vacations_of_players(
    store: Store, clock: Clock, people: tuple[UserId, ...]
) -> tuple[UserVacation, ...]:
    """Who of these people is on vacation; nobody where that cannot be read now."""
    try:
        return await store.read(stored_times.lasting_vacations, people, clock.now())
    except StoreUnavailable:
        return ()


class VacationService:
    """Begins and ends vacations, and brings matches in line with them.

    ``allowance`` is how many days a year everybody has.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        allowance: int,
        outbox: Outbox,
    ) -> None:
        self._store = store
        self._clock = clock
        self._allowance = allowance
        self._outbox = outbox

    # ---- what people ask for ---------------------------------------------------------------

    async def of(self, user_id: UserId) -> VacationStatus:
        """A player's vacation."""
        return self._holidays(await self._store.read(stored_times.vacations_of, user_id))

    async def begin(
        self, user_id: UserId, ends: Callable[[datetime], datetime], interaction_id: InteractionId
    ) -> VacationStatus:
        """Begin a vacation now, or give the current one another end.

        ``ends`` tells when it is to end, given from when on days are counted: from now, or from the
        begin of the current day of a vacation, which counts already. Raises
        :exc:`~bot.errors.UserError`: ``no_vacations`` where there are none, ``vacation_past``,
        ``vacation_too_long``.
        """

        def decide(kept: tuple[VacationRow, ...], now: datetime) -> VacationRow:
            if not self._allowance:
                raise UserError("no_vacations")
            current = _current(kept, now)
            began = now if current is None else min(now, current.vacation.began_at)
            end = ends(now - (now - began) % DAY)
            if end <= now:
                raise UserError("vacation_past")
            others = tuple(each.vacation for each in kept if each is not current)
            wanted = Vacation(began, end)
            most = longest(others, self._allowance, began)
            if wanted.days > most:
                raise UserError("vacation_too_long", days=wanted.days, most=most)
            return _changed(user_id, kept, current, wanted, now=now, telling=VacationNotice(end))

        return await self._change(user_id, interaction_id, decide)

    async def end(self, user_id: UserId, interaction_id: InteractionId) -> VacationStatus:
        """End the current vacation now; days of it that have not begun are given back.

        Raises :exc:`~bot.errors.UserError` (``not_on_vacation``).
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
        """Write what is decided on a player's vacations."""

        def changed(kept: tuple[VacationRow, ...]) -> VacationRow | None:
            if any((each.interaction_id or 0) >= interaction_id for each in kept):
                # Delivered again, or overtaken by a later wish of the same person.
                return None
            return replace(decide(kept, self._clock.now()), interaction_id=interaction_id)

        kept = await self._store.write(stored_times.change_vacations, user_id, changed)
        await self._bring_in_line(user_id)
        return self._holidays(kept)

    def _holidays(self, kept: tuple[VacationRow, ...]) -> VacationStatus:
        now = self._clock.now()
        current = _current(kept, now)
        every = tuple(each.vacation for each in kept)
        others = tuple(each.vacation for each in kept if each is not current)
        began = now if current is None else current.vacation.began_at
        return VacationStatus(
            None if current is None else current.vacation,
            days_left(every, self._allowance, now),
            longest(others, self._allowance, began),
            self._allowance,
        )

    # ---- by itself -------------------------------------------------------------------------

    async def begin_by_itself(self, match: Match, over: datetime) -> bool:
        """Let a vacation begin where the time of the player on turn has run out at ``over``.

        Only where the players of the match have agreed on that, and this one has days left. It
        takes all of them: a move ends it. One that has begun since then begins earlier. Returns
        whether there is one now. Raises :exc:`~bot.store.errors.StoreUnavailable`.
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
            now = self._clock.now()
            # Whatever has begun since is on the way between the deadline and now.
            met = next((each for each in kept if each.vacation.ends_at > over), None)
            others = tuple(each.vacation for each in kept if each is not met)
            most = longest(others, self._allowance, over)
            wanted = Vacation(over, over + most * DAY, by_itself=True)
            if met is not None:
                wanted = replace(met.vacation, began_at=over)
            if not 0 < wanted.days <= most:
                return None
            telling = VacationNotice(now) if met is None else None
            return _changed(person, kept, met, wanted, now=now, telling=telling)

        kept = await self._store.write(stored_times.change_vacations, person, begun)
        return any(each.vacation.covers(over) for each in kept)

    # ---- what follows ----------------------------------------------------------------------

    async def sweep(self) -> None:
        """Bring matches in line with all vacations that have begun or got another end.

        One with which that could not be done for all of them stays to be done.
        """
        now = self._clock.now()
        for kept in await self._store.read(stored_times.vacations_to_line, now, _BATCH):
            if not await self._bring_in_line(kept.user_id):
                continue
            again = kept.changed_at + _ONCE_MORE
            lined = replace(kept, line_at=again if again > now else None)
            try:
                await self._store.write(stored_times.keep_vacation, lined)
            except Conflict:
                # It has just been changed once more.
                continue

    async def tidy(self) -> None:
        """Forget vacations and outages that are too old to count."""
        await self._store.write(stored_times.forget, self._clock.now() - _KEPT)

    async def _bring_in_line(self, user_id: UserId) -> bool:
        """Reckon the clocks of a person's matches anew; whether that was done for all of them.

        What fails is done by the next sweep.
        """
        done, touched = True, False
        try:
            for match in await self._store.read(transactions.active_of, user_id):
                if not _runs_for(match, user_id):
                    continue
                try:
                    touched |= await self._reckon(match.id, user_id)
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
        if touched:
            # Also of a part: the next sweep finds it done.
            self._outbox.wake()
        return done

    @retried
    async def _reckon(self, match_id: MatchId, user_id: UserId) -> bool:
        """Reckon the clock of a match anew; returns whether that changed anything."""
        match = (await self._store.read(transactions.load, match_id, None)).match
        if match is None or not _runs_for(match, user_id):
            return False
        now = self._clock.now()
        availability = await standing(self._store, match, now)
        change = match_clock.credit(match, availability.act(now))
        if change is not None:
            await self._store.commit(change)
        return change is not None


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
    """A vacation in the place of another, or a new one."""
    if before is None:
        number = kept[-1].number + 1 if kept else 1
        before = VacationRow(user_id, number, 0, wanted, now)
    return replace(before, vacation=wanted, changed_at=now, line_at=now, telling=telling)


def _runs_for(match: Match, user_id: UserId) -> bool:
    """Whether the clock of this person runs in a match whose clock vacations stop."""
    if match.status is not MatchStatus.RUNNING or match.clock is None or match.times is None:
        return False
    running = match.times.running
    return match.clock.may_rest and running is not None and match.players[running] == user_id
