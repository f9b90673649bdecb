"""Matches, as people ask for them.

Every call that changes something names the interaction that asked for it. The same interaction
again, from whatever process, changes nothing and gets the same :class:`Answer`. Refusals are
:exc:`bot.errors.UserError`, or :exc:`games.errors.GameError` where the rules of the game refuse.
How a change is made is told in :mod:`bot.services.match_changes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any, Unpack

from bot.clock import Clock
from bot.domain import managed, offer_answers, offers, play, stalled
from bot.domain.events import Change, CommandContext, Event, JsonValue
from bot.domain.game_state import check_whole
from bot.domain.ids import (
    ChannelId,
    GuildId,
    InteractionId,
    MatchId,
    UserId,
    new_match_id,
    next_offer_id,
)
from bot.domain.match import Actor, Match, MatchStatus, Place, Venue
from bot.errors import UserError
from bot.posts.deliveries import calls_at_home
from bot.posts.outgoing import Outbox
from bot.services.match_changes import Answer, Decision, MatchChanges, answer_again
from bot.store import Store, match_feed, transactions
from bot.store.records import AuditEntry
from games.api import Game, OptionValue

_LOOKED_AT = 50
_MET = 500


class MatchService:
    """All that can be done with matches.

    ``outbox`` is told what is to be sent again; without one another process looks.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        rng: Random,
        changes: MatchChanges,
        *,
        outbox: Outbox | None = None,
        offers_last: timedelta = timedelta(days=3),
    ) -> None:
        self._store = store
        self._clock = clock
        self._rng = rng
        self._changes = changes
        self._outbox = outbox
        self._offers_last = offers_last

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
        start: str | None = None,
        matches: int = 1,
        **terms: Unpack[offers.Terms],
    ) -> Answer:
        """Offer a match to ``opponents``; chairs that are not kept for one of them are open to all.

        ``seat`` is the player index that the actor wants (0 begins), None draws lots. ``venue`` is
        the caller's knowledge of where it can be played; a ``rated`` one counts for the players'
        ratings, and lots decide who begins; chairs open to all are for those whose rating lies in
        the ``band``. Computers among the opponents (:mod:`bot.domain.computers`) take their seats
        at once, and then it can begin with another position, ``start``. ``hints`` allows
        them to all players of a casual match. An offer open to all may start several ``matches``.
        Answers ``offered``, or ``started`` if they took all of them. Refused with ``channel_busy``
        where the channel has its one running match.
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
                start=start,
                matches=matches,
                **terms,
            )

        return await self._changes.begin(
            actor, place, opponents, decide, venue=venue, interaction_id=interaction_id
        )

    async def accept(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId
    ) -> Answer:
        """Take a chair: ``joined``, or ``started`` if it was the last one.

        Where another player was faster, in an offer for several matches, it is one in the next.
        """
        for _ in range(offers.MOST_MATCHES):
            try:
                return await self._changes.change(
                    actor, match_id, interaction_id, self._take_seat, sits=True
                )
            except UserError as error:
                if error.code != "offer_closed":
                    raise
                match = await self.match(actor, match_id)
                is_guest = match.index_of(actor.user_id) not in (None, match.offered_by)
                if not match.state or not match.repeats or is_guest:
                    raise
                match_id = next_offer_id(match_id)
        raise UserError("offer_closed", status=MatchStatus.RUNNING.value)

    def _take_seat(
        self, match: Match, act: CommandContext, actor: Actor, *, before: Match | None
    ) -> Change:
        """Accept an offer; its match begins with the position of the one ``before``, if any."""

        def initial(game: Game[Any, Any]) -> str:
            return game.encode(game.initial(self._rng)) if before is None else before.state

        return offer_answers.accept(match, act, actor, initial=initial)

    async def check_declinable(self, actor: Actor, match_id: MatchId) -> Match:
        """An offer that this person may decline; raises what declining it would."""
        match = await self.match(actor, match_id)
        offer_answers.check_declinable(match, self._clock.now(), actor)
        return match

    async def decline(
        self,
        actor: Actor,
        match_id: MatchId,
        *,
        interaction_id: InteractionId | None,
        reason: offer_answers.DeclineReason | None = None,
    ) -> Answer:
        """Refuse an offer made to this person: ``declined``; its maker hears the ``reason``."""
        decide = partial(offer_answers.decline, reason=reason)
        return await self._changes.change(actor, match_id, interaction_id, decide)

    async def withdraw(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId | None
    ) -> Answer:
        """Take one's offer back (``withdrawn``) or leave another's before it starts (``left``)."""
        return await self._changes.change(actor, match_id, interaction_id, offer_answers.withdraw)

    async def clear(self, guild_id: GuildId, match_id: MatchId) -> Answer:
        """Withdraw an open offer of a server for its managers: ``withdrawn``.

        That they may is the caller's to check.
        """
        host = Actor(UserId(0), guild_id)
        return await self._changes.change(
            host, match_id, None, lambda match, act, _: offer_answers.clear(match, act)
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
        decide = partial(play.move, text=text, expected_version=expected_version)
        return await self._changes.change(actor, match_id, interaction_id, decide)

    async def resign(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId | None
    ) -> Answer:
        """Give up: ``resigned``."""
        return await self._changes.change(actor, match_id, interaction_id, play.resign)

    async def abort(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId
    ) -> Answer:
        """End a match that has hardly begun, without a result: ``aborted``."""
        return await self._changes.change(actor, match_id, interaction_id, stalled.abort)

    async def nudge(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId
    ) -> Answer:
        """Remind an opponent who has been silent for long in a match without a clock: ``nudged``.

        Raises what :func:`bot.domain.stalled.nudge` raises.
        """
        return await self._changes.change(actor, match_id, interaction_id, stalled.nudge)

    async def claim(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId
    ) -> Answer:
        """Claim a match whose player on turn was nudged and stayed silent: ``claimed``.

        Raises what :func:`bot.domain.stalled.claim` raises.
        """
        return await self._changes.change(actor, match_id, interaction_id, stalled.claim, past=True)

    async def end(self, manager: Actor, match_id: MatchId, why: str) -> Answer:
        """Abort a running match of the manager's server: ``aborted``.

        It is in the audit log of the server. That they may is the caller's to check. Raises what
        :func:`bot.domain.managed.end` raises, and ``no_such_match`` for one of another server.
        """
        return await self._manage(
            manager,
            match_id,
            lambda match, act, _: managed.end(match, act, why),
            "ended",
            {"reason": why},
        )

    async def decide(
        self, manager: Actor, match_id: MatchId, places: Sequence[int], why: str, *, counts: bool
    ) -> Answer:
        """Give a running match of the manager's server a result: ``adjudicated``.

        As :meth:`end`; raises what :func:`bot.domain.managed.decide` raises. Nobody decides their
        own match so that it counts for ratings, which go beyond their server.
        """
        return await self._manage(
            manager,
            match_id,
            lambda match, act, _: managed.decide(
                match, act, places, why, counts=counts and match.index_of(manager.user_id) is None
            ),
            "decided",
            {"reason": why, "places": list(places)},
        )

    async def _manage(
        self,
        manager: Actor,
        match_id: MatchId,
        decide: Decision,
        name: str,
        about: dict[str, JsonValue],
    ) -> Answer:
        if manager.guild_id is None:
            raise UserError("no_such_match")
        entry = AuditEntry(
            self._clock.now(),
            manager.guild_id,
            manager.user_id,
            name,
            {},
            {"match": str(match_id), **about},
        )
        host = Actor(UserId(0), manager.guild_id)
        return await self._changes.change(host, match_id, None, decide, entry=entry)

    async def done(self, interaction_id: InteractionId) -> Answer | None:
        """What this interaction has caused already, in whatever match; None if nothing."""
        event = await self._store.read(transactions.done, interaction_id)
        return None if event is None else await answer_again(self._store, event)

    # ---- looking ---------------------------------------------------------------------------

    async def match(self, actor: Actor, match_id: MatchId) -> Match:
        """A match that this person may see; ``no_such_match`` otherwise."""
        match = await self._store.read(transactions.match, match_id, actor.scope)
        if match is None:
            raise UserError("no_such_match")
        return match

    async def running_in(self, actor: Actor, channel_id: ChannelId) -> tuple[Match, ...]:
        """The running matches of a channel or thread, those of this person first."""
        found = await self._store.read(transactions.running_in, channel_id, actor.scope)
        return tuple(sorted(found, key=lambda match: match.index_of(actor.user_id) is None))

    async def matches_of(self, user_id: UserId) -> tuple[Match, ...]:
        """Every match of a person that is running or on offer, in all servers."""
        return await self._store.read(transactions.active_of, user_id)

    async def over_in(self, actor: Actor, channel_id: ChannelId) -> tuple[Match, ...]:
        """The matches that were played in a channel or thread and are over, the newest first."""
        return await self._store.read(transactions.over_in, channel_id, actor.scope, _LOOKED_AT)

    async def over_of(
        self, actor: Actor, user_id: UserId, limit: int, skipped: int = 0
    ) -> tuple[Match, ...]:
        """The matches that a person played and that are over, the last to end first.

        Of another player the actor sees those of the server where they ask.
        """
        return await self._store.read(transactions.over_of, user_id, actor.scope, limit, skipped)

    async def met(self, user_id: UserId, other: UserId) -> tuple[Match, ...]:
        """The finished matches in which a person met another, in all servers, the last first."""
        return await self._store.read(transactions.met, user_id, other, _MET)

    async def running_in_server(
        self, guild_id: GuildId, limit: int, skipped: int = 0
    ) -> tuple[Match, ...]:
        """The matches that run in a server, those with the newest moves first."""
        return await self._store.read(transactions.running_in_server, guild_id, limit, skipped)

    async def history(self, actor: Actor, match_id: MatchId) -> tuple[Event, ...]:
        """All events of a match that this person may see; ``no_such_match`` otherwise."""
        events = await self._store.read(transactions.history, match_id, actor.scope)
        if not events:
            raise UserError("no_such_match")
        return events

    async def show_again(self, actor: Actor, match_id: MatchId) -> Match:
        """Have the board of a match posted anew in its home; returns the match."""
        match = await self.match(actor, match_id)
        check_whole(match)
        await self._store.write(match_feed.show_again, match_id, self._clock.now())
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
        await self._store.write(match_feed.show_again, match_id, now, place.channel_id, calls)
        if self._outbox is not None:
            self._outbox.wake()
        return match
