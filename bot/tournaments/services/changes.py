"""Changes of a tournament: decided on the stored state, and written if it is still the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.clock import Clock
from bot.domain import hosted
from bot.domain.events import Change, CommandContext, Event
from bot.domain.ids import InteractionId, TournamentId, UserId
from bot.domain.match import Match, Scope
from bot.errors import UserError
from bot.services.pairing import Pairing
from bot.store import Store, presence, transactions
from bot.store.store import retried
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.fold import TournamentChange, TournamentEvent, as_changes
from bot.tournaments.domain.notices import MessageKind, messages_for, to_directors
from bot.tournaments.domain.registration import left_tables
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.store import writing as tournament_writing
from bot.tournaments.store.records import StoredTournament, Writing

DecidedChanges = Sequence[TournamentChange] | TournamentChange | None


@dataclass(frozen=True, slots=True)
class ActOutcome:
    """The tournament after an act, and the changes; none if it was done before."""

    stored: StoredTournament
    changes: tuple[TournamentChange, ...] = ()


async def match_of(store: Store, stored: StoredTournament, game: str) -> Match | None:
    """The match of a game, if it has begun."""
    match_id = stored.matches.get(game)
    return None if match_id is None else await store.read(transactions.match, match_id)


async def events_of(store: Store, match: Match) -> tuple[Event, ...]:
    """The events of a match."""
    return await store.read(transactions.history, match.id, Scope(match.origin.guild_id))


@dataclass(slots=True)
class TournamentChanges:
    """Changes tournaments: loads, decides and commits, again if another change was faster."""

    store: Store
    clock: Clock
    pairing: Pairing | None = None

    @retried
    async def change(
        self,
        tournament_id: TournamentId,
        interaction_id: InteractionId | None,
        decide: Callable[[StoredTournament, datetime], Awaitable[DecidedChanges]],
    ) -> ActOutcome:
        """Decide on the present tournament and commit. Raises ``no_such_tournament``."""
        stored, done = await self.load(tournament_id, interaction_id)
        if done is not None:
            return ActOutcome(stored)
        if stored.set_aside_at is not None:
            raise UserError("tournament_damaged")
        now = self.clock.now()
        changes = as_changes(await decide(stored, now))
        if not changes:
            return ActOutcome(stored)
        t = stored.tournament
        writing = Writing(t, changes, now, messages_for(t, changes))
        matches = await self.matches_after(stored, changes, now)
        await self.commit(replace(writing, matches=matches))
        after = replace(stored, tournament=changes[-1].tournament, due_at=now)
        return ActOutcome(after, changes)

    async def load(
        self, tournament_id: TournamentId, interaction_id: InteractionId | None = None
    ) -> tuple[StoredTournament, TournamentEvent | None]:
        """A tournament, and the event of an interaction. Raises ``no_such_tournament``."""
        stored, done = await self.store.read(tournament_reading.load, tournament_id, interaction_id)
        if stored is None:
            raise UserError("no_such_tournament")
        return stored, done

    async def commit(self, writing: Writing) -> None:
        """Commit, and have its messages sent. Raises :exc:`~bot.store.errors.Conflict`."""
        await tournament_writing.commit(self.store, writing)

    async def matches_after(
        self, stored: StoredTournament, changes: Sequence[TournamentChange], now: datetime
    ) -> tuple[Change, ...]:
        """The effect of these changes on matches: ends, substitutes, calling off, exclusions.

        Raises ``game_begun`` or ``round_begun`` after a move that rules the change out.
        """
        found = [*await self.decided_matches(stored, changes, now)]
        t = before = stored.tournament
        for change in changes:
            after, fact = change.tournament, change.event.fact
            for old, new in zip(before.entrants, after.entrants, strict=False):
                if old.user_id == new.user_id or new.user_id is None:
                    continue
                # In matches that have begun a substitute takes the seat.
                for played in t.of_entrant(new.number):
                    if match := await match_of(self.store, stored, played.game.id):
                        seat = played.game.players.index(new.number)
                        found.append(await self._substitute(match, seat, new.user_id, now))
            for name in before.games.keys() - after.games.keys():
                # A game that is paired again, without moves in its match.
                if match := await match_of(self.store, stored, name):
                    act = await self._context(match, now)
                    found.append(hosted.call_off(match, act, change.event.note))
            out = fact.entrant if isinstance(fact, f.Excluded) else 0
            for name in left_tables(t, out):
                # At a table of four the other players play on.
                if match := await match_of(self.store, stored, name):
                    seat = t.games[name].game.players.index(out)
                    without = hosted.put_out(match, await self._context(match, now), seat)
                    found += [] if without is None else [without]
            before = after
        return tuple(found)

    async def _substitute(self, match: Match, seat: int, person: UserId, now: datetime) -> Change:
        past = await events_of(self.store, match)
        act = await self._context(match, now, joining=person)
        return hosted.substitute(match, act, seat, person, past=past)

    async def _context(
        self, match: Match, now: datetime, *, joining: UserId | None = None
    ) -> CommandContext:
        return (await self.store.read(presence.availability_of, match, now, joining)).act(now)

    async def decided_matches(
        self,
        stored: StoredTournament,
        changes: Sequence[TournamentChange],
        now: datetime,
        *,
        why: str = "director",
    ) -> tuple[Change, ...]:
        """The ends of running matches whose games get a result by these changes.

        A finished match may get another result.
        """
        before, found = stored.tournament, []
        after = changes[-1].tournament if changes else before
        for name, played in after.games.items():
            old = before.games.get(name)
            if played.points is None or old is None or old.points == played.points:
                continue
            if match := await match_of(self.store, stored, name):
                act = await self._context(match, now)
                change = hosted.adjudicate(match, act, played.points, why)
                found += [] if change is None else [change]
        return tuple(found)

    @retried
    async def tell_directors(
        self,
        tournament_id: TournamentId,
        kind: MessageKind,
        detail: str,
        *,
        but: UserId | None = None,
    ) -> None:
        """Notify the directors of something that follows from no event.

        The others are told once that one of them, ``but``, has left.
        """
        stored, _done = await self.load(tournament_id)
        t, troubles = stored.tournament, stored.troubles
        place = t.all_directors.index(but) if but in t.all_directors else None
        if place is not None:
            troubles |= {f"{detail}.{place}"}
            if troubles == stored.troubles:
                return
        told = to_directors(t, kind, detail, but=place)
        news = troubles if place is not None else None
        await self.commit(Writing(t, (), stored.due_at, (told,), troubles=news))
