"""Advances every tournament.

Any process may do so at any time: every step can be repeated. A step is decided on the stored
tournament and written only if that is still the same. The engine is asked for a pairing outside of
any transaction, and again if the event has moved on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime, timedelta

from bot.domain.ids import ChannelId, GuildId, TournamentId, season_id
from bot.domain.match import Venue
from bot.logs import logger
from bot.store.errors import StoreUnavailable
from bot.store.store import retried
from bot.tournaments.domain import challenges, registration, running
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.fold import TournamentAct, TournamentChange, add, as_changes
from bot.tournaments.domain.formats.base import Ask
from bot.tournaments.domain.formats.open_ended import Arena
from bot.tournaments.domain.notices import (
    FALLEN,
    RISEN,
    MessageKind,
    NewMessage,
    TournamentTrouble,
    messages_for,
    to_directors,
)
from bot.tournaments.domain.seasons import is_league, moved, next_season
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.swiss_pairing import (
    NoPairing,
    Pair,
    Paired,
    PairingFailed,
    PairingRequest,
)
from bot.tournaments.domain.tournament import Tournament, TournamentStatus
from bot.tournaments.services.changes import DecidedChanges, TournamentChanges
from bot.tournaments.services.games import Games
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.store import writing as tournament_writing
from bot.tournaments.store.records import CALLED, StoredTournament, Writing
from bot.trouble import Troubles

_log = logger(__name__)

_BATCH = 50
_STEPS = 500
"""Steps of one tournament before others get their turn."""
_WAIT = timedelta(minutes=1)
"""The time until a game that waits for a thread, or an engine that failed, is tried again."""
_LEAST = timedelta(seconds=1)
_ARENA_LOOK = timedelta(seconds=5)
"""The longest time that a free player of an arena waits for a better opponent."""


@dataclass(eq=False)
class TournamentRunner:
    """Looks for due work, and does it."""

    changes: TournamentChanges
    games: Games
    pair: Pair
    _: KW_ONLY
    may_thread: Callable[[GuildId, ChannelId], bool] = lambda _guild, _channel: True
    """Whether threads can be made in a channel, as far as is known."""
    reaches: Callable[[GuildId], bool] = lambda _guild: True
    """Whether this process reaches a server; other servers are left to others."""
    troubles: Troubles = field(default_factory=lambda: Troubles(_log))
    failing: set[TournamentId] = field(default_factory=set)
    """Those whose next round cannot be paired."""

    async def sweep(self) -> int:
        """Advance every due tournament; returns the number of steps.

        Raises :exc:`~bot.store.errors.StoreUnavailable`.
        """
        steps = 0
        for each in await self.changes.store.read(
            tournament_reading.due, self.changes.clock.now(), _BATCH
        ):
            trouble = self.troubles.of(f"tournament {each} cannot be carried on")
            with trouble.guard(StoreUnavailable):
                steps += await self.carry_on(each)
        return steps

    async def carry_on(self, tournament_id: TournamentId) -> int:
        """Do all possible steps in one tournament; returns their number."""
        for step in range(_STEPS):
            if not await self._carry_on_once(tournament_id):
                return step
        return _STEPS

    @retried
    async def _carry_on_once(self, tournament_id: TournamentId) -> bool:
        """Do the next step in a tournament; returns whether there was one."""
        stored = await self.changes.store.read(tournament_reading.stored, tournament_id)
        if stored is None or stored.set_aside_at is not None:
            return False
        if not self.reaches(stored.home.guild_id):
            return False
        now = self.changes.clock.now()
        writing = await self._step(stored, now)
        if writing is None:
            await self._rest(stored, now)
            return False
        await self.changes.commit(writing)
        return True

    async def _rest(self, stored: StoredTournament, now: datetime) -> None:
        """Note when to look next."""
        t = stored.tournament
        due = next_look(t, now)
        if due is not None and due <= now:
            due = now + _LEAST
        if due is not None and (t.id in self.failing or running.startable(t)):
            due = min(due, now + _WAIT)
        if due != stored.due_at:
            await tournament_writing.commit(self.changes.store, Writing(t, (), due))

    # ---- steps ---------------------------------------------------------------------------------

    async def _step(self, stored: StoredTournament, now: datetime) -> Writing | None:
        """The next step, None if there is none now."""
        t, act = stored.tournament, TournamentAct(now)
        if t.status.is_final:
            return self._season(stored, act)
        if stored.ended:
            changes, unreachable = await self.games.results(stored, act)
            trouble = TournamentTrouble.UNREACHABLE
            more = tuple(to_directors(t, trouble, game=name) for name in unreachable)
            if written := self._writing(stored, changes, now, more=more):
                return written
        if t.paused_at is not None:
            return None
        called = self._call(stored, now)
        if called is not None:
            return called
        if t.status is TournamentStatus.REGISTRATION:
            closed = registration.close(t, act) if t.closes <= now else None
            return self._writing(stored, closed, now)
        for step in (self._late, self._draw, self._begin, self._of_ladder):
            writing = await step(stored, act)
            if writing is not None:
                return writing
        return None

    @staticmethod
    def _writing(
        stored: StoredTournament,
        decided: DecidedChanges,
        now: datetime,
        *,
        more: tuple[NewMessage, ...] = (),
    ) -> Writing | None:
        """What is decided with its messages, and ``more`` of them; None if nothing is."""
        t, changes = stored.tournament, as_changes(decided)
        if not changes:
            return None
        return Writing(t, changes, now, (*messages_for(t, changes), *more))

    @staticmethod
    def _call(stored: StoredTournament, now: datetime) -> Writing | None:
        """Call the players once to check in, as soon as they can."""
        t = stored.tournament
        if t.checks_in is None or t.checks_in > now or stored.has_called:
            return None
        told = (
            NewMessage(MessageKind.CHECK_IN, t.version, each.number, each.user_id)
            for each in t.active
            if each.user_id is not None and not each.is_here
        )
        news = (NewMessage(MessageKind.HOME), *told)
        return Writing(t, (), now, news, troubles=stored.troubles | {CALLED})

    async def _late(self, stored: StoredTournament, act: TournamentAct) -> Writing | None:
        """Decide games whose last day has come, and end events on their promised day."""
        t = stored.tournament
        if t.status is TournamentStatus.CLOSED:
            over = add(t, act, f.Cancelled()) if t.finish <= act.at else None
            return self._writing(stored, over, act.at)
        boards = await self.games.boards(stored, act.at)
        changes = running.overdue(t, act, boards)
        writing = self._writing(stored, changes, act.at)
        if writing is not None:
            if t.setup.format is FormatKey.ARENA:
                return writing  # a game not over on the minute goes on as an ordinary match
            ends = await self.changes.decided_matches(stored, changes, act.at, why="unfinished")
            return replace(writing, matches=ends)
        ended = running.end(t, act) if t.finish <= act.at and not t.pending else None
        return self._writing(stored, ended, act.at)

    async def _draw(self, stored: StoredTournament, act: TournamentAct) -> Writing | None:
        t = stored.tournament
        if t.status is TournamentStatus.CLOSED and t.begins > act.at:
            return None
        more: tuple[NewMessage, ...] = ()
        try:
            found = await draw(self.pair, t, act, _last_games(stored))
        except NoPairing:
            found = as_changes(running.end(t, act))
            more = (to_directors(t, TournamentTrouble.NO_PAIRING),)
        except PairingFailed as error:
            return self._engine_failed(stored, act, error)
        self.failing.discard(t.id)
        return self._writing(stored, found, act.at, more=more)

    def _engine_failed(
        self, stored: StoredTournament, act: TournamentAct, error: PairingFailed
    ) -> Writing | None:
        """Notify the directors once, and ask again in a while."""
        t, trouble = stored.tournament, TournamentTrouble.PAIRING_FAILS
        self.troubles.of(f"tournament {t.id} cannot be paired").met(str(error))
        self.failing.add(t.id)
        name = f"{trouble.value}.{len(t.rounds) + 1}"
        if name in stored.troubles:
            return None
        told = (to_directors(t, trouble),)
        return Writing(t, (), act.at + _WAIT, told, troubles=stored.troubles | {name})

    async def _begin(self, stored: StoredTournament, act: TournamentAct) -> Writing | None:
        """Begin all games that can; directors learn once about waiting games or missing threads."""
        t, home = stored.tournament, stored.home
        begun = await self.games.begin(stored, act)
        met = {}
        if begun.in_direct:
            met[TournamentTrouble.NO_THREADS.value] = TournamentTrouble.NO_THREADS
        has_threads = any(each.match.venue is Venue.THREAD for each in begun.matches)
        if has_threads and not self.may_thread(home.guild_id, home.channel_id):
            met[TournamentTrouble.SIDE_BY_SIDE.value] = TournamentTrouble.SIDE_BY_SIDE
        for name in begun.waiting:
            number = t.games[name].game.round
            met[f"{TournamentTrouble.WAITING.value}.{number}"] = TournamentTrouble.WAITING
        news = {name: each for name, each in met.items() if name not in stored.troubles}
        if not news and not begun.changes:
            return None
        told = tuple(to_directors(t, each) for each in dict.fromkeys(news.values()))
        writing = self._writing(stored, begun.changes, act.at, more=told)
        return replace(
            writing or Writing(t, (), act.at, told),
            matches=tuple(begun.matches),
            begun=begun.ids,
            troubles=stored.troubles | news.keys() if news else None,
        )

    async def _of_ladder(self, stored: StoredTournament, act: TournamentAct) -> Writing | None:
        t = stored.tournament
        if t.setup.format is not FormatKey.LADDER or t.status is not TournamentStatus.RUNNING:
            return None
        expired = self._writing(stored, challenges.unanswered(t, act), act.at)
        if expired is not None or challenges.sink(t, act, _last_games(stored)) is None:
            return expired
        # They may have entered or sunk later than that; only then is the history read.
        history = await self.changes.store.read(tournament_reading.history, t.id)
        last = await asyncio.to_thread(challenges.last_played, history)
        return self._writing(stored, challenges.sink(t, act, last), act.at)

    def _season(self, stored: StoredTournament, act: TournamentAct) -> Writing | None:
        """Begin the next season of a league that is over."""
        t = stored.tournament
        if stored.next is not None or not is_league(t):
            return None
        changes = next_season(t, act, season_id(t.id))
        if not changes:
            return None
        new = changes[-1].tournament
        up, down = moved(t)
        told = [
            NewMessage(
                MessageKind.SEASON,
                new.version,
                each.number,
                each.user_id,
                detail=RISEN if each.user_id in up else FALLEN if each.user_id in down else "",
            )
            for each in new.active
            if each.user_id is not None and each.user_id > 0
        ]
        home = replace(stored.home, message_id=None)
        return Writing(
            None, changes, act.at, (NewMessage(MessageKind.HOME), *told), home=home, previous=t.id
        )


def next_look(t: Tournament, now: datetime) -> datetime | None:
    """When to look again, unless something happens before; None: never by itself."""
    if t.status.is_final or t.paused_at is not None:
        return None
    if t.status in (TournamentStatus.REGISTRATION, TournamentStatus.CLOSED):
        until = t.closes if t.status is TournamentStatus.REGISTRATION else t.begins
        is_to_come = t.checks_in is not None and t.checks_in > now
        return min(until, t.checks_in) if t.checks_in is not None and is_to_come else until
    found = [t.finish, *(each.until for each in t.pending)]
    found += (each.until for each in t.challenges)
    if t.setup.format is FormatKey.LADDER:
        found.append(now + challenges.LOOK)
    if t.setup.format is FormatKey.ARENA:
        busy = t.playing
        if sum(each.number not in busy for each in t.active) > 1:
            found.append(now + _ARENA_LOOK)
    return min(found)


def _last_games(stored: StoredTournament) -> dict[int, datetime]:
    """When each active player's last game ended; without one, when play began."""
    t = stored.tournament
    found = dict.fromkeys((each.number for each in t.active), t.begins)
    for name, ended in stored.ended_at.items():
        if name in t.games:
            found |= dict.fromkeys(t.games[name].game.players, ended)
    return found


_TRIES = 16
"""The most players who are tried as the one to sit out."""


async def draw(
    pair: Pair, t: Tournament, act: TournamentAct, free_since: Mapping[int, datetime]
) -> tuple[TournamentChange, ...]:
    """All possible draws, and the end if everything is over. Raises as :func:`pair_round`.

    ``free_since`` is when the last game of each player ended, for an arena.
    """
    if t.setup.format is FormatKey.ARENA and t.rounds:
        drawn = Arena().pairs(t, free_since, act.at)
        return () if drawn is None else (running.draw_games(t, act, drawn),)
    # A search for tables of four, or many rounds together, may take a while.
    found = await asyncio.to_thread(running.draw, t, act)
    if isinstance(found, Ask):
        paired = await pair_round(pair, found.request)
        found = await asyncio.to_thread(running.draw, t, act, paired)
    return () if isinstance(found, Ask) else found


async def pair_round(pair: Pair, request: PairingRequest) -> Paired:
    """The pairing of a round.

    Directors' choices give way to the rules: if no pairing keeps all those players apart, the
    newest choices are dropped, as few as necessary.

    In a small event with many forfeits it happens that an odd number is left and each of them has
    had a full point without a game, so that none may have the bye (FIDE C.04.1 article 4). One
    player then sits out for half a point: the lowest that makes a pairing of the others possible
    (:attr:`~bot.tournaments.domain.swiss_pairing.Paired.out`).

    Raises :exc:`~bot.tournaments.domain.swiss_pairing.NoPairing` if there is none, and
    :exc:`~bot.tournaments.domain.swiss_pairing.PairingFailed` if the engine does not answer.
    """
    found = await _pair(pair, request) or await _with_fewer_wishes(pair, request)
    if found is not None:
        return found
    bare = [_with_wishes(request, 0)] if request.report.forbidden else []
    for asked in (request, *bare):
        for number, fewer in _one_out(asked):
            found = await _pair(pair, fewer)
            if found is not None:
                return replace(found, out=number)
    raise NoPairing(f"round {request.round}")


async def _pair(pair: Pair, request: PairingRequest) -> Paired | None:
    try:
        (paired,) = await pair((request,))
    except NoPairing:
        return None
    return paired


async def _with_fewer_wishes(pair: Pair, request: PairingRequest) -> Paired | None:
    """The pairing with as many of the choices as possible, the oldest first; not all are."""
    possible, too_many = 0, len(request.report.forbidden)
    found = await _pair(pair, _with_wishes(request, 0)) if too_many else None
    while found is not None and too_many - possible > 1:
        middle = (possible + too_many) // 2
        better = await _pair(pair, _with_wishes(request, middle))
        if better is None:
            too_many = middle
        else:
            possible, found = middle, better
    return found


def _with_wishes(request: PairingRequest, kept: int) -> PairingRequest:
    """The same round with the first ``kept`` of its forbidden pairings."""
    report = request.report
    return replace(request, report=replace(report, forbidden=report.forbidden[:kept]))


def _one_out(request: PairingRequest) -> Iterator[tuple[int, PairingRequest]]:
    """The same round of an odd number with one player out, the lowest first."""
    present = sorted(request.present, key=lambda each: (each.points, -each.number))
    if len(present) % 2 == 0:
        return
    byes = request.report.byes.get(request.round, {})
    for each in present[:_TRIES]:
        more = {**byes, each.number: Kind.HALF_BYE}
        all_byes = {**request.report.byes, request.round: more}
        yield each.number, replace(request, report=replace(request.report, byes=all_byes))
