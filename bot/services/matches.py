"""Matches, as people ask for them.

Every call that changes something names the interaction that asked for it. The same interaction
again, from whatever process, changes nothing and gets the same :class:`Answer`. Refusals are
:exc:`bot.errors.UserError`, or :exc:`games.errors.GameError` where the rules of the game refuse.

A change is decided in memory on the match as it was read and committed only if the match still has
that version; otherwise it is decided again on the newer one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random
from typing import TypeVar
from weakref import WeakValueDictionary

from bot.domain import offers, play
from bot.domain.change import Change, CommandContext
from bot.domain.clock import Span, TimeControl
from bot.domain.computer_turns import has_computer, starts_at_once
from bot.domain.events import Event, EventKind
from bot.domain.game_state import check_whole
from bot.domain.ids import ChannelId, InteractionId, MatchId, UserId, new_match_id
from bot.domain.match import Actor, Match, MatchStatus, Place, Scope, Venue
from bot.domain.match_clock import runs_out
from bot.domain.match_view import board_view
from bot.domain.rating_range import RatingRange
from bot.domain.request_rules import code_of
from bot.errors import UserError
from bot.failpoints import hit
from bot.services.deliveries import calls_at_home, deliveries_for
from bot.services.lobby import LobbyService
from bot.services.pairing import Pairing
from bot.services.people_store import PairingCheck
from bot.services.ports import (
    AlreadyDone,
    Availability,
    ChannelBusy,
    Clock,
    Conflict,
    Store,
    StoreUnavailable,
)
from bot.services.presence import PATIENCE
from bot.services.sending import LEASE, DeliveryKind, Outbox
from bot.services.timeouts import AutoVacation, is_late, standing
from games.api import OptionValue

T = TypeVar("T")
Decide = Callable[..., Change]
"""What is to be done with a match in an act, and if it needs them with its ``past`` events."""

_TRIES = 50
"""How often a change is decided again when other processes keep getting in first."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a command.

    ``code`` is the value of the :class:`~bot.domain.events.EventKind`, for what players ask one
    another for with its name before it (:func:`bot.domain.request_rules.code_of`); ``params`` has
    ``move`` where one was played; ``match`` is the match after it (for a repeated command: as it is
    now); ``repeated`` says that the interaction had been carried out before.
    """

    code: str
    match: Match
    params: Mapping[str, str | int] = field(default_factory=dict, hash=False)
    repeated: bool = False


def _answer(event: Event, match: Match, *, repeated: bool = False) -> Answer:
    params: dict[str, str | int] = {}
    if event.kind is EventKind.MOVED:
        params["move"] = str(event.payload["move"])
    if event.kind is EventKind.OFFERED and starts_at_once(match):
        return Answer(EventKind.STARTED.value, match, params, repeated)
    return Answer(code_of(event), match, params, repeated)


class MatchService:
    """All that can be done with matches.

    ``outbox`` makes what is to be sent in this process; without one another process does.
    ``pairing`` says who may be brought together; without it everybody may.
    ``lobby`` knows which offers need no message of their own.
    ``patience`` is how old a heartbeat may be before nobody counts as able to act since.
    ``relief`` lets vacations begin by themselves; without it none do.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        rng: Random,
        *,
        outbox: Outbox | None = None,
        offers_last: timedelta = timedelta(days=3),
        pairing: Pairing | None = None,
        patience: timedelta = PATIENCE,
        lobby: LobbyService | None = None,
        relief: AutoVacation | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._rng = rng
        self._outbox = outbox
        self._offers_last = offers_last
        self._pairing = pairing
        self._lobby = lobby
        self._patience = patience
        self._relief = relief
        self.wake_computers: Callable[[], None] = lambda: None
        """Called when there may be something for a computer to do."""
        self._order: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()

    # ---- offers ----------------------------------------------------------------------------

    async def challenge(
        self,
        actor: Actor,
        place: Place,
        *,
        game: str,
        interaction_id: InteractionId,
        options: Mapping[str, OptionValue] | None = None,
        opponents: tuple[Actor, ...] = (),
        seat: int | None = None,
        venue: Venue = Venue.THREAD,
        lasts: timedelta | None = None,
        rated: bool = False,
        clock: TimeControl | None = None,
        band: RatingRange | None = None,
        start: str | None = None,
    ) -> Answer:
        """Offer a match to ``opponents``; chairs that are not kept for one of them are open to all.

        ``seat`` is the player index that the actor wants (0 begins), None draws lots. ``venue`` is
        the caller's knowledge of where it can be played; a ``rated`` one counts for the players'
        ratings, and lots decide who begins; chairs open to all are for those whose rating lies in
        the ``band``. Computers among the opponents (:mod:`bot.domain.computers`) take their seats
        at once, and then it can begin with another position, ``start``. Answers ``offered``, or
        ``started`` if they took all of them. Refused with ``channel_busy`` where the channel has
        its one running match.
        """

        def decide(act: CommandContext) -> Change:
            return offers.offer(
                new_match_id(self._rng),
                act,
                actor,
                game=game,
                options=options or {},
                opponents=opponents,
                seat=seat,
                place=place,
                venue=venue,
                expires_at=act.at + (self._offers_last if lasts is None else lasts),
                rng=self._rng,
                rated=rated,
                clock=clock,
                band=band,
                start=start,
            )

        return await self.offer(
            actor, place, opponents, decide, venue=venue, interaction_id=interaction_id
        )

    async def offer(
        self,
        actor: Actor,
        place: Place,
        opponents: tuple[Actor, ...],
        decide: Callable[[CommandContext], Change],
        *,
        venue: Venue,
        interaction_id: InteractionId,
    ) -> Answer:
        """Make an offer to these people, if they may be brought together: ``offered``.

        Raises :exc:`~bot.services.ports.Conflict` if there is a match of that id.
        """
        done = await self.done(interaction_id)
        if done is not None:
            return done
        if venue is Venue.CHANNEL:
            await self._check_free(place.channel_id, actor.scope)
        change = decide(CommandContext(self._clock.now(), interaction_id))
        check = None
        if self._pairing is not None:
            check = await self._pairing.for_offer(actor, opponents, change.match)
        try:
            await self._commit(change, check, quietly=await self._in_lobby(change.match))
        except AlreadyDone as already:
            return await self._again(already.event)
        match = change.match
        if has_computer(match):
            # Computers have taken their seats, and perhaps the match has started.
            match = (await self._read(self._store.load(match.id, None))).match or match
        return _answer(change.event, match)

    async def accept(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId
    ) -> Answer:
        """Take a chair: ``joined``, or ``started`` if it was the last one."""
        return await self.change(
            actor,
            match_id,
            interaction_id,
            lambda match, act: offers.accept(
                match, act, actor, initial=lambda game: game.encode(game.initial(self._rng))
            ),
            sits=True,
        )

    async def decline(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId | None
    ) -> Answer:
        """Refuse an offer made to this person: ``declined``."""
        return await self.change(
            actor, match_id, interaction_id, lambda match, act: offers.decline(match, act, actor)
        )

    async def withdraw(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId | None
    ) -> Answer:
        """Take one's offer back (``withdrawn``) or leave another's before it starts (``left``)."""
        return await self.change(
            actor, match_id, interaction_id, lambda match, act: offers.withdraw(match, act, actor)
        )

    # ---- play ------------------------------------------------------------------------------

    async def move(
        self,
        actor: Actor,
        match_id: MatchId,
        *,
        text: str,
        interaction_id: InteractionId | None,
        expected_version: int | None = None,
    ) -> Answer:
        """Play the move that ``text`` means: ``moved``, with ``move`` in canonical notation.

        ``expected_version`` is the version of the match that the player saw; without it the move
        is tried on the match as it is now.
        """
        return await self.change(
            actor,
            match_id,
            interaction_id,
            lambda match, act: play.move(
                match, act, actor, text=text, expected_version=expected_version
            ),
        )

    async def resign(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId | None
    ) -> Answer:
        """Give up: ``resigned``."""
        return await self.change(
            actor, match_id, interaction_id, lambda match, act: play.resign(match, act, actor)
        )

    async def abort(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId
    ) -> Answer:
        """End a match that has hardly begun, without a result: ``aborted``."""
        return await self.change(
            actor, match_id, interaction_id, lambda match, act: play.abort(match, act, actor)
        )

    async def done(self, interaction_id: InteractionId) -> Answer | None:
        """What this interaction has caused already, in whatever match; None if nothing."""
        event = await self._read(self._store.done(interaction_id))
        return None if event is None else await self._again(event)

    # ---- looking ---------------------------------------------------------------------------

    async def match(self, actor: Actor, match_id: MatchId) -> Match:
        """A match that this person may see; ``no_such_match`` otherwise."""
        match = await self._read(self._store.match(match_id, actor.scope))
        if match is None:
            raise UserError("no_such_match")
        return match

    async def running_in(self, actor: Actor, channel_id: ChannelId) -> tuple[Match, ...]:
        """The running matches of a channel or thread, those of this person first."""
        found = await self._read(self._store.running_in(channel_id, actor.scope))
        return tuple(sorted(found, key=lambda match: match.index_of(actor.user_id) is None))

    async def matches_of(self, user_id: UserId) -> tuple[Match, ...]:
        """Every match of a person that is running or on offer, in all servers."""
        return await self._read(self._store.active_of(user_id))

    async def history(self, actor: Actor, match_id: MatchId) -> tuple[Event, ...]:
        """All events of a match that this person may see; ``no_such_match`` otherwise."""
        events = await self._read(self._store.history(match_id, actor.scope))
        if not events:
            raise UserError("no_such_match")
        return events

    async def show_again(self, actor: Actor, match_id: MatchId) -> Match:
        """Have the board of a match posted anew in its home; returns the match."""
        match = await self.match(actor, match_id)
        check_whole(match)
        await self._read(self._store.show_again(match_id, self._clock.now()))
        if self._outbox is not None:
            self._outbox.wake()
        return match

    async def move_here(self, actor: Actor, match_id: MatchId, place: Place) -> Match:
        """Go on with a running match in the channel or thread where its player says so.

        The player on turn is called there, unless it is they who say so: the line that called them
        is elsewhere, or gone with its thread.
        Raises :exc:`~bot.errors.UserError`: ``not_a_player``, ``match_over``, ``not_started``,
        ``other_server``, ``channel_busy``.
        """
        match = await self.match(actor, match_id)
        if match.index_of(actor.user_id) is None:
            raise UserError("not_a_player")
        if match.status is not MatchStatus.RUNNING:
            over = match.status.is_final
            raise UserError("match_over" if over else "not_started", status=match.status.value)
        check_whole(match)
        if match.venue is Venue.DIRECT or place.guild_id != match.origin.guild_id:
            raise UserError("other_server")
        now = self._clock.now()
        calls = calls_at_home(match, actor)
        try:
            await self._read(self._store.show_again(match_id, now, place.channel_id, calls))
        except ChannelBusy as busy:
            raise UserError("channel_busy", match=busy.match_id or "") from None
        if self._outbox is not None:
            self._outbox.wake()
        return match

    # ---- how a change is made --------------------------------------------------------------

    async def change(
        self,
        actor: Actor,
        match_id: MatchId,
        interaction_id: InteractionId | None,
        decide: Decide,
        *,
        sits: bool = False,
        past: bool = False,
    ) -> Answer:
        """Decide a change on the match as it is and commit it; again if somebody was faster.

        Without an ``interaction_id`` it is one of several that a person has confirmed at once.
        ``sits`` says that the actor takes a seat by it, and so is brought together with others;
        ``past`` that the history is needed, to be given as ``past``, and that deciding may take as
        long as the match takes to be played through.
        Within one process the changes of a match queue up, so that they do not all fail but one
        and try again; between processes only the version counts.
        """
        async with self._turn(match_id):
            check = None
            for _ in range(_TRIES):
                loaded = await self._read(self._store.load(match_id, interaction_id))
                if loaded.done is not None:
                    return await self._again(loaded.done)
                match = loaded.match
                if match is None or not match.is_visible(actor.scope):
                    raise UserError("no_such_match")
                act, presumed = await self._act(match, interaction_id, actor)
                if is_late(match, act, presumed):
                    await self._flag(match, act, actor)
                    continue
                if past:
                    events = await self._read(self._store.history(match_id, actor.scope))
                    known = events[: match.version]
                    change = await asyncio.to_thread(decide, match, act, past=known)
                else:
                    change = decide(match, act)
                if sits and self._pairing is not None:
                    check = await self._pairing.for_seat(actor, match)
                starts = change.match.status is MatchStatus.RUNNING is not match.status
                if starts and match.venue is Venue.CHANNEL:
                    await self._check_free(match.origin.channel_id, actor.scope)
                try:
                    await self._commit(change, check)
                except Conflict:
                    continue
                except AlreadyDone as already:
                    return await self._again(already.event)
                return _answer(change.event, change.match)
        raise UserError("store_unavailable", reason="contended")

    async def _act(
        self, match: Match, interaction_id: InteractionId | None, actor: Actor
    ) -> tuple[CommandContext, Availability]:
        """The act of this moment; with what a running clock is to be given back, and who is away.

        Since the last heartbeat there may be a gap that is not written down yet.
        """
        now = self._clock.now()
        if match.clock is None or (match.deadline is None and not match.clock.may_rest):
            return CommandContext(now, interaction_id), Availability()
        presumed = await self._read(
            standing(self._store, match, now, joining=None if match.state else actor.user_id)
        )
        away = presumed.away(now)
        if match.deadline is None:
            return CommandContext(now, interaction_id, away=away), presumed
        stood = presumed.stood
        if presumed.seen is not None and now - presumed.seen > self._patience:
            stood = (*stood, Span(presumed.seen, now))
        return CommandContext(now, interaction_id, stood, away), presumed

    async def _flag(self, match: Match, act: CommandContext, actor: Actor) -> None:
        """Let the flag fall before anything else happens, and tell whose it is.

        Not where its player was not told of the turn, or a vacation begins in its place.
        """
        if await self._read(self._store.spare_unreached(match.id, act.at)):
            return
        over = runs_out(match, act.stood)
        if self._relief is not None and over is not None:
            try:
                if await self._relief.begin_by_itself(match, over):
                    return
            except StoreUnavailable as error:
                raise UserError("store_unavailable", reason=error.reason) from error
        change = play.flag(match, replace(act, interaction_id=None))
        if change is None:
            return
        try:
            await self._commit(change)
        except Conflict:
            return
        if change.event.player == match.index_of(actor.user_id):
            raise UserError("time_over")

    def _turn(self, match_id: MatchId) -> asyncio.Lock:
        lock = self._order.get(match_id)
        if lock is None:
            lock = self._order[match_id] = asyncio.Lock()
        return lock

    async def _in_lobby(self, match: Match) -> bool:
        """Whether the lobby of its channel tells of an offer, so that nothing else need."""
        return self._lobby is not None and await self._lobby.shows(match)

    async def _commit(
        self, change: Change, check: PairingCheck | None = None, *, quietly: bool = False
    ) -> None:
        hit("c3")
        lease = None if self._outbox is None else change.event.at + LEASE
        deliveries = () if quietly else deliveries_for(change)
        if any(each.kind is DeliveryKind.BOARD for each in deliveries):
            # The board is wanted as soon as the store has the change. To work it out now, right
            # after the rules have been at work, takes a quarter of the time.
            with contextlib.suppress(Exception):  # It is asked for again where bugs are told of.
                board_view(change.match)
        try:
            batch = await self._store.commit(change, deliveries, lease, check)
        except ChannelBusy:
            raise UserError("channel_busy", match="") from None
        except StoreUnavailable as error:
            raise UserError("store_unavailable", reason=error.reason) from error
        hit("c5")
        if self._outbox is not None:
            self._outbox.take(batch)
        if has_computer(change.match):
            self.wake_computers()

    async def _check_free(self, channel_id: ChannelId, scope: Scope) -> None:
        for match in await self._read(self._store.running_in(channel_id, scope)):
            if match.venue is Venue.CHANNEL:
                raise UserError("channel_busy", match=match.id)

    async def _again(self, event: Event) -> Answer:
        loaded = await self._read(self._store.load(event.match_id, None))
        if loaded.match is None:
            raise UserError("no_such_match")
        return _answer(event, loaded.match, repeated=True)

    @staticmethod
    async def _read(question: Awaitable[T]) -> T:
        try:
            return await question
        except StoreUnavailable as error:
            raise UserError("store_unavailable", reason=error.reason) from error
