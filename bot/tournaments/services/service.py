"""Tournaments, for requests of people.

Every call that changes something takes its interaction; the same interaction again changes nothing
and gets the same answer. Refusals are :exc:`bot.errors.UserError`.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, fields, replace
from datetime import datetime
from functools import partial
from itertools import islice
from random import Random
from typing import Any

from bot.domain.ids import (
    GuildId,
    InteractionId,
    TournamentId,
    UserId,
    new_tournament_id,
)
from bot.domain.match import MatchStatus, Place
from bot.errors import UserError
from bot.services.ratings import RatingService
from bot.store.store import retried
from bot.tournaments.domain import acts, planning, registration, undoing
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.acts import DirectorAct
from bot.tournaments.domain.fold import (
    TournamentAct,
    TournamentChange,
    TournamentEvent,
    undone_in,
)
from bot.tournaments.domain.notices import MessageKind, TournamentTrouble, messages_for
from bot.tournaments.domain.setup import Setup
from bot.tournaments.domain.swiss_pairing import Pair
from bot.tournaments.domain.tournament import Tournament
from bot.tournaments.services.changes import ActOutcome, DecidedChanges, TournamentChanges
from bot.tournaments.services.rehearsal import Rehearsed, Rehearsing
from bot.tournaments.services.views import (
    AuditLine,
    EventView,
    Preview,
    Visitor,
    games_of,
    viewed,
)
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.store.records import BegunGame, Home, MatchLink, StoredTournament, Writing

_TRIED = 5
"""The number of last acts of directors that are checked for undoing."""
PlayerRule = Callable[..., DecidedChanges]
"""The rule of a player's act, given the tournament, the time and person, their number, and more.

They are in :mod:`~bot.tournaments.domain.registration` and ``challenges``.
"""


@dataclass(eq=False)
class TournamentService:
    """All actions on tournaments."""

    changes: TournamentChanges
    ratings: RatingService
    pair: Pair
    rng: Random
    _: KW_ONLY
    at_once: int = 3
    """The limit of open or running tournaments of a server."""

    # ---- organising ----------------------------------------------------------------------------

    @retried
    async def create(
        self, visitor: Visitor, place: Place, setup: Setup, *, interaction_id: InteractionId
    ) -> EventView:
        """Announce an event in a channel of a server; its home message follows by itself.

        Raises the errors of ``check_game`` and ``check_setup`` of ``planning``, ``server_only`` in
        direct messages, ``too_many_tournaments`` (``most``) at the server's limit.
        """
        if place.guild_id is None:
            raise UserError("server_only")
        store = self.changes.store
        done = await store.read(tournament_reading.done, interaction_id)
        if done is None:
            planning.check_game(setup)
            there = store.read(
                tournament_reading.of_server, place.guild_id, "", False, self.at_once
            )
            if len(await there) >= self.at_once:
                raise UserError("too_many_tournaments", most=self.at_once)
            act = TournamentAct(self.changes.clock.now(), visitor.actor.user_id, interaction_id)
            lots = self.rng.randrange(1 << 30)
            made = registration.create(new_tournament_id(self.rng), act, setup, lots=lots)
            home = Home(place.guild_id, place.channel_id)
            told = messages_for(None, (made,))
            await self.changes.commit(Writing(None, (made,), act.at, told, home=home))
            done = made.event
        stored, _ = await self.changes.load(done.tournament_id)
        return await self._viewed(stored)

    async def rehearse(self, visitor: Visitor, place: Place, setup: Setup) -> tuple[Rehearsed, ...]:
        """Play the whole event with made-up players and results, storing nothing."""
        if place.guild_id is None:
            raise UserError("server_only")
        planning.check_game(setup)
        home = Home(place.guild_id, place.channel_id)
        now = self.changes.clock.now()
        rng = Random(self.rng.random())  # noqa: S311 - made-up results
        rehearsing = Rehearsing(setup, home, visitor.actor.user_id, now, rng)
        return await rehearsing.play(self.pair)

    async def preview(
        self, visitor: Visitor, tournament_id: TournamentId, act: DirectorAct
    ) -> Preview:
        """The preview of a director's act. Raises the errors of :meth:`direct`."""
        stored, _ = await self.changes.load(tournament_id)
        what = TournamentAct(self.changes.clock.now(), visitor.actor.user_id)
        changes = await self._directed(visitor, stored, act, what)
        links = await self.changes.store.read(tournament_reading.links, tournament_id)
        return preview_of(stored, changes, links)

    async def direct(
        self,
        visitor: Visitor,
        tournament_id: TournamentId,
        act: DirectorAct,
        *,
        interaction_id: InteractionId,
        reason: str = "",
        seen: int | None = None,
    ) -> EventView:
        """Carry out a director's act; players are notified by messages.

        ``seen`` is the key of the preview that was confirmed. Raises ``not_director``,
        ``tournament_changed``, ``reason_wanted``, ``reason_long``, and the errors of the act.
        """
        note = checked_reason(act, reason)

        async def decide(stored: StoredTournament, now: datetime) -> DecidedChanges:
            what = TournamentAct(now, visitor.actor.user_id, interaction_id, note)
            changes = await self._directed(visitor, stored, act, what)
            if changes and seen is not None:
                links = await self.changes.store.read(tournament_reading.links, tournament_id)
                if preview_of(stored, changes, links).key != seen:
                    raise UserError("tournament_changed")
            return changes

        done = await self.changes.change(tournament_id, interaction_id, decide)
        if isinstance(act, acts.Add):
            await self._tell_blocked(done, act.user_id)
        return await self._viewed(done.stored)

    async def _directed(
        self, visitor: Visitor, stored: StoredTournament, act: DirectorAct, what: TournamentAct
    ) -> tuple[TournamentChange, ...]:
        if not is_director(visitor, stored):
            raise UserError("not_director")
        t, known, read = stored.tournament, dict[str, Any](), self.changes.store.read
        if "rating" in act.needs:
            known["rating"] = await self._rating(act.values[0], t.setup.game)
        if "history" in act.needs:
            known["history"] = await read(tournament_reading.history, t.id)
        if "moved" in act.needs:
            known["moved"] = moved_in(await read(tournament_reading.links, t.id))
        # To undo, the history is replayed.
        changes = await asyncio.to_thread(partial(act.decide, t, what, **known))
        try:
            # A move that rules the act out refuses it before the confirmation.
            await self.changes.matches_after(stored, changes, what.at)
        except UserError as error:
            if isinstance(act, acts.Undo):
                raise UserError("undo_followed") from error
            raise
        return changes

    # ---- the common part of all acts ---------------------------------------------------------

    async def _rating(self, user_id: UserId, game: str) -> int | None:
        """The rating for a player's seed; None for one who never played a rated match."""
        standing = await self.ratings.standing(user_id, game)
        return standing.points if standing.record.matches else None

    async def _tell_blocked(self, done: ActOutcome, user_id: UserId) -> None:
        """Tell the directors alone which players have blocked, or are blocked by, a new one."""
        t = done.stored.tournament
        mine = t.entrant_of(user_id)
        if mine is None or not done.changes:
            return
        numbers = {each.user_id: each.number for each in t.active if each.user_id is not None}
        among = await self.changes.store.read(tournament_reading.blocked_among, tuple(numbers))
        pairs = {
            tuple(sorted((numbers[one], numbers[other])))
            for one, other in among
            if user_id in (one, other)
        }
        if pairs:
            detail = " ".join(f"{one}-{other}" for one, other in sorted(pairs))
            await self.changes.tell_directors(t.id, MessageKind.BLOCKED_PAIRS, detail)

    async def _viewed(self, stored: StoredTournament) -> EventView:
        return await viewed(self.changes.store, stored, pairing=self.changes.pairing)

    # ---- playing -------------------------------------------------------------------------------

    async def join(
        self, visitor: Visitor, tournament_id: TournamentId, *, interaction_id: InteractionId
    ) -> EventView:
        """Enter. Raises ``role_wanted``, ``no_bots`` and the errors of ``registration.enter``.

        Invited people need no role, and can join in direct messages, where they may have read the
        invitation.
        """
        person = visitor.actor.user_id

        async def decide(stored: StoredTournament, now: datetime) -> DecidedChanges:
            t = stored.tournament
            is_invited, place = t.invitation_of(person) is not None, visitor.actor.guild_id
            if place != stored.home.guild_id and not (is_invited and place is None):
                raise UserError("no_such_tournament")
            if visitor.actor.is_bot:
                raise UserError("no_bots")
            if t.setup.roles and not is_invited and not visitor.roles & set(t.setup.roles):
                roles = tuple(f"<@&{each}>" for each in t.setup.roles)
                raise UserError("role_wanted", roles=roles)
            rating = await self._rating(person, t.setup.game)
            act = TournamentAct(now, person, interaction_id)
            return registration.enter(t, act, person, rating=rating)

        done = await self.changes.change(tournament_id, interaction_id, decide)
        await self._tell_blocked(done, person)
        return await self._viewed(done.stored)

    async def play(
        self,
        visitor: Visitor,
        tournament_id: TournamentId,
        rule: PlayerRule,
        *about: Any,
        interaction_id: InteractionId,
    ) -> EventView:
        """An entrant's act, by its rule: leave, check in, ask for a bye, challenge and answer.

        Raises ``you_not_entered`` for a person who is not in it, and the errors of the rule.
        """

        async def decide(stored: StoredTournament, now: datetime) -> DecidedChanges:
            t, act = stored.tournament, TournamentAct(now, visitor.actor.user_id, interaction_id)
            mine = t.entrant_of(visitor.actor.user_id)
            if mine is None:
                raise UserError("you_not_entered")
            return rule(t, act, mine.number, *about)

        done = await self.changes.change(tournament_id, interaction_id, decide)
        return await self._viewed(done.stored)

    # ---- looking -------------------------------------------------------------------------------

    async def tournament(self, visitor: Visitor, tournament_id: TournamentId) -> EventView:
        """A tournament of this server, or one that the person is in, or ``no_such_tournament``."""
        return await self._viewed(await self._seen(visitor, tournament_id))

    async def _seen(self, visitor: Visitor, tournament_id: TournamentId) -> StoredTournament:
        stored, _ = await self.changes.load(tournament_id)
        t, person = stored.tournament, visitor.actor.user_id
        is_in = (
            t.entrant_of(person) is not None
            or t.invitation_of(person) is not None
            or person in t.all_directors
        )
        if visitor.actor.guild_id != stored.home.guild_id and not is_in:
            raise UserError("no_such_tournament")
        return stored

    async def audit(self, visitor: Visitor, tournament_id: TournamentId) -> tuple[AuditLine, ...]:
        """The log, newest first; every player may read it."""
        stored = await self._seen(visitor, tournament_id)
        history = await self.changes.store.read(tournament_reading.history, tournament_id)
        can_undo = await self._last_undoable(stored, history)
        return await asyncio.to_thread(audit_of, history, can_undo)

    async def _last_undoable(
        self, stored: StoredTournament, history: Sequence[TournamentEvent]
    ) -> int | None:
        """The newest of the last acts that can be undone, also by the state of the matches."""
        act = TournamentAct(self.changes.clock.now())
        for seq in islice(last_acts(history), _TRIED):
            with suppress(UserError):
                changes = await asyncio.to_thread(
                    undoing.undo, stored.tournament, act, history, seq
                )
                await self.changes.matches_after(stored, changes, act.at)
                return seq
        return None

    async def games_begun(
        self, visitor: Visitor, tournament_id: TournamentId
    ) -> tuple[BegunGame, ...]:
        """All games whose match has begun."""
        stored = await self._seen(visitor, tournament_id)
        return await games_of(self.changes.store, stored)

    # ---- events of Discord --------------------------------------------------------------------

    async def member_left(self, guild_id: GuildId, user_id: UserId) -> None:
        """A person has left a server: they are withdrawn from its tournaments.

        If they directed one, the other directors are notified; without any it runs by itself, and
        the server's managers can direct it.
        """
        await self._gone(user_id, f.Leaving.LEFT_SERVER, guild_id)

    async def erased(self, user_id: UserId) -> None:
        """A person's data is being erased: they are withdrawn from every tournament first."""
        await self._gone(user_id, f.Leaving.ERASED)

    async def _gone(self, user_id: UserId, why: f.Leaving, guild_id: GuildId | None = None) -> None:
        """Notify the other directors, and withdraw a person: in one server, or everywhere."""
        store, detail = self.changes.store, TournamentTrouble.DIRECTOR_LEFT.value
        for each in await store.read(tournament_reading.directed_by, user_id):
            stored, _ = await self.changes.load(each)
            if guild_id in (None, stored.home.guild_id):
                await self.changes.tell_directors(each, MessageKind.TROUBLE, detail, but=user_id)

        async def decide(stored: StoredTournament, now: datetime) -> DecidedChanges:
            mine = stored.tournament.entrant_of(user_id)
            if mine is None or not mine.is_active or stored.tournament.status.is_final:
                return None
            return registration.withdraw(stored.tournament, TournamentAct(now), mine.number, why)

        for summary in await store.read(tournament_reading.of_person, user_id, 1000):
            if guild_id in (None, summary.home.guild_id) and not summary.status.is_final:
                await self.changes.change(summary.id, None, decide)


def is_director(visitor: Visitor, stored: StoredTournament | EventView) -> bool:
    """Whether a person may direct a tournament of the server where they are.

    The creator, people appointed or with a role for it, and those who manage the server.
    """
    t, user = stored.tournament, visitor.actor.user_id
    if visitor.actor.guild_id != stored.home.guild_id:
        return False
    is_named = user in t.all_directors
    return visitor.manages or is_named or bool(visitor.roles & set(t.setup.director_roles))


def checked_reason(act: acts.DirectorAct, reason: str) -> str:
    """The reason of an act as stored. Raises ``reason_wanted``, ``reason_long``."""
    plain = " ".join(reason.split())
    if len(plain) > acts.LONGEST_REASON:
        raise UserError("reason_long", most=acts.LONGEST_REASON)
    if act.wants_reason and not plain:
        raise UserError("reason_wanted")
    return plain


def preview_of(
    stored: StoredTournament, changes: Sequence[TournamentChange], links: Mapping[str, MatchLink]
) -> Preview:
    """The preview of an act with these facts."""
    t = stored.tournament
    if not changes:
        return Preview(0, ())
    after = changes[-1].tournament
    facts = tuple(each.event.fact for each in changes)
    scored = tuple(
        name
        for name, played in after.games.items()
        if name in t.games and played.points is not None and not t.games[name].is_over
    )
    undrawn = tuple(name for name in t.games if name not in after.games)
    running = sorted(name for name, link in links.items() if link.status is MatchStatus.RUNNING)
    ends = tuple(name for name in (*scored, *undrawn) if name in running)
    people = zip(t.entrants, after.entrants, strict=False)
    replaced = {new.number for old, new in people if old.user_id != new.user_id}
    seats = tuple(
        name for name in running if name in t.games and replaced & set(t.games[name].game.players)
    )
    can_undo, events = True, [each.event for each in changes]
    try:
        undoing.take_back(after, TournamentAct(events[-1].at), t, events)
    except UserError:
        can_undo = False
    messages = messages_for(t, changes)
    told = {each.user_id for each in messages if each.user_id is not None}
    for_some = (MessageKind.HOME, MessageKind.INVITED)
    is_posted = any(each.user_id is None and each.kind not in for_some for each in messages)
    preview = Preview(
        0,
        facts,
        scored,
        ends,
        tuple(each.round for each in facts if isinstance(each, f.Undrawn)),
        seats,
        len(told),
        can_undo,
        is_posted,
        tuple(name for each in facts if isinstance(each, f.Unpaired) for name in each.games),
        tuple(
            name
            for each in facts
            if isinstance(each, f.Excluded)
            for name in registration.left_tables(t, each.entrant)
            if name in running
        ),
        after.finish,
    )
    return replace(preview, key=_key_of(t, preview))


def moved_in(links: Mapping[str, MatchLink]) -> frozenset[str]:
    """The games in which a player has moved, or whose match is over."""
    return frozenset(
        name for name, link in links.items() if link.ply or link.status is not MatchStatus.RUNNING
    )


def _key_of(t: Tournament, preview: Preview) -> int:
    """A number of at most nine digits that identifies the content of a preview.

    It changes when a round is drawn, when the people or the result concerned change, and when the
    effect of the act would be different. The number of notified players changes with each game that
    ends, and a challenge's time or the last day after a pause with each moment; none of this asks
    for a second confirmation.
    """
    facts = tuple(_lasting(each, t) for each in preview.facts)
    about = [_about(t, each) for each in facts]
    shown = replace(preview, facts=facts, told=0, finish=None)
    return zlib.crc32(repr((t.status, len(t.rounds), about, shown)).encode()) % 10**9


def _lasting(fact: f.Fact, t: Tournament) -> f.Fact:
    """A fact without the fields that change while a director thinks it over."""
    match fact:
        case f.Entered():
            return replace(fact, entrant=0)
        case f.Challenged():
            return replace(fact, until=t.finish)
    return fact


def _about(t: Tournament, fact: f.Fact) -> object:
    """The result or the person that a fact changes, before the change."""
    match fact:
        case f.Corrected(game):
            return t.games[game].points, t.games[game].how
        case f.Withdrawn(entrant) | f.Excluded(entrant) | f.Replaced(entrant):
            return t.entrants[entrant - 1].user_id
    return None


def last_acts(history: Sequence[TournamentEvent]) -> Iterator[int]:
    """Acts of directors by their first events, the newest first, without undone ones."""
    undone, seq = undone_in(history), len(history)
    while seq > 0:
        first = undoing.group_of(history, seq)[0]
        if first.seq not in undone and undoing.by_director(first):
            yield first.seq
        seq = first.seq - 1


def audit_of(history: Sequence[TournamentEvent], can_undo: int | None) -> tuple[AuditLine, ...]:
    """The whole history, newest first; ``can_undo`` is the act that can be undone."""
    undone = undone_in(history)
    lines: list[AuditLine] = []
    holders: dict[int, UserId | None] = {}
    for event in history:
        fact, former = event.fact, None
        if isinstance(fact, f.Entered | f.Replaced):
            former = holders.get(fact.entrant)
            if event.seq not in undone:
                holders[fact.entrant] = event.subject_id
        line = AuditLine(
            **{each.name: getattr(event, each.name) for each in fields(event)},
            by_director=undoing.by_director(event),
            is_undone=event.seq in undone,
            can_undo=event.seq == can_undo,
            former_id=former if isinstance(fact, f.Replaced) else None,
            undoes=lines[fact.events[0] - 1] if isinstance(fact, f.Undone) else None,
        )
        lines.append(line)
    return tuple(reversed(lines))
