"""Matches, as players ask for them.

Every change names its interaction. The same interaction again, from whatever process, changes
nothing and gets the same :class:`Answer`. Refusals are :exc:`bot.errors.UserError`, or
:exc:`games.errors.GameError` by the rules of the game. How a change is made is in
:mod:`bot.services.match_changes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any, Unpack

from bot.clock import Clock
from bot.domain import managed, offer_answers, offers, play, substitutes
from bot.domain.events import Change, CommandContext, Event, JsonValue
from bot.domain.game_state import check_running, check_whole
from bot.domain.ids import (
    ChannelId,
    GuildId,
    InteractionId,
    MatchId,
    UserId,
    new_match_id,
    next_offer_id,
    rematch_id,
    substitute_id,
)
from bot.domain.match import Actor, Match, MatchStatus, Place, Venue
from bot.errors import UserError
from bot.logs import logger
from bot.posts.deliveries import calls_at_home
from bot.services.match_changes import Answer, Decision, MatchChanges, answer_again
from bot.store import Store, match_feed, transactions
from bot.store.errors import Conflict
from bot.store.records import AuditEntry
from bot.store.store import retried
from games.api import Game

_log = logger(__name__)

_LOOKED_AT = 50
_CAME_TO_NOTHING = frozenset(
    {MatchStatus.DECLINED, MatchStatus.WITHDRAWN, MatchStatus.EXPIRED, MatchStatus.ABORTED}
)


@dataclass(eq=False)
class MatchService:
    """Everything that players do with matches."""

    store: Store
    clock: Clock
    rng: Random
    changes: MatchChanges
    offers_last: timedelta = timedelta(days=3)

    # ---- offers ----------------------------------------------------------------------------

    async def challenge(
        self,
        actor: Actor,
        place: Place,
        *,
        interaction_id: InteractionId,
        opponents: tuple[Actor, ...] = (),
        venue: Venue = Venue.THREAD,
        lasts: timedelta | None = None,
        **wanted: Unpack[offers.Proposal],
    ) -> Answer:
        """Offer a match to ``opponents``, as :func:`bot.domain.offers.offer` says.

        Computers (:mod:`bot.domain.computers`) take their seats at once. Answers ``offered``, or
        ``started`` if computers took all seats. Raises ``channel_busy`` where the channel has its
        one running match.
        """

        def decide(act: CommandContext) -> Change:
            return offers.offer(
                new_match_id(self.rng),
                act,
                actor,
                opponents=opponents,
                place=place,
                venue=venue,
                expires_at=act.at + (self.offers_last if lasts is None else lasts),
                rng=self.rng,
                **wanted,
            )

        return await self.changes.begin(
            actor, place, opponents, decide, venue=venue, interaction_id=interaction_id
        )

    async def accept(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId
    ) -> Answer:
        """Take a seat: ``joined``, or ``started`` if it was the last one.

        If another player was faster, in an offer for several matches, it is a seat in the next.
        """
        for _ in range(offers.MOST_MATCHES):
            try:
                return await self.changes.change(
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
        """Accept an offer; it begins with the position of the match ``before``, if any."""

        def initial(game: Game[Any, Any]) -> str:
            return game.encode(game.initial(self.rng)) if before is None else before.state

        return offer_answers.accept(match, act, actor, initial=initial)

    async def check_declinable(self, actor: Actor, match_id: MatchId) -> Match:
        """An offer that this player may decline; raises what declining it would."""
        match = await self.match(actor, match_id)
        offer_answers.check_declinable(match, self.clock.now(), actor)
        return match

    async def clear(self, guild_id: GuildId, match_id: MatchId) -> Answer:
        """Withdraw an open offer for managers of its server: ``withdrawn``.

        The caller checks them.
        """
        host = Actor(UserId(0), guild_id)
        return await self.changes.change(
            host, match_id, None, lambda match, act, _: offer_answers.clear(match, act)
        )

    # ---- offers that follow on a match ---------------------------------------------------------

    async def rematch(
        self,
        actor: Actor,
        match_id: MatchId,
        place: Place,
        venue: Venue,
        *,
        interaction_id: InteractionId,
    ) -> Answer:
        """Offer a rematch (``offered``), or take the seat in one (``joined``, ``started``).

        Refused with ``not_over``, ``not_a_player``, ``not_played_here`` in another server,
        ``rematch_pending`` if one's own offer waits, ``rematch_made`` if there has been a rematch,
        ``player_erased``, and as every offer is.
        """
        before = await self.match(actor, match_id)
        if before.index_of(actor.user_id) is None:
            raise UserError("not_a_player")
        if place.guild_id != before.origin.guild_id:
            raise UserError("not_played_here")

        def decide(wanted: MatchId, act: CommandContext) -> Change:
            return offers.rematch(
                wanted,
                act,
                actor,
                of=before,
                place=place,
                venue=venue,
                expires_at=act.at + self.offers_last,
            )

        others = tuple(each for each in before.players if each != actor.user_id)
        return await self._offered(
            actor, before, others, rematch_id, decide, place, venue, interaction_id
        )

    async def substitute(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId
    ) -> Answer:
        """Offer to go on with a substitute (``offered``), or take one's seat in such an offer.

        Refused as :func:`bot.domain.substitutes.continuation` does, and as every offer is.
        """
        before = await self.match(actor, match_id)

        def decide(wanted: MatchId, act: CommandContext) -> Change:
            expires_at = act.at + self.offers_last
            return substitutes.continuation(wanted, act, actor, of=before, expires_at=expires_at)

        invited = decide(before.id, CommandContext(self.clock.now())).match.invited
        return await self._offered(
            actor,
            before,
            invited,
            substitute_id,
            decide,
            before.origin,
            before.venue,
            interaction_id,
        )

    @retried
    async def _offered(  # noqa: PLR0917 - what an offer takes
        self,
        actor: Actor,
        before: Match,
        people: tuple[UserId | None, ...],
        numbered: Callable[[MatchId, int], MatchId],
        make: Callable[[MatchId, CommandContext], Change],
        place: Place,
        venue: Venue,
        interaction_id: InteractionId,
    ) -> Answer:
        """Make an offer that follows on a match, or take the seat in the existing one.

        Its id follows from that of the match before it: when all players ask at the same time, in
        whatever process, the first makes the offer and the others accept it.
        """
        others = tuple(Actor(each, place.guild_id) for each in people if each is not None)
        done = await self.done(interaction_id)
        if done is not None:
            return done
        number = 0
        while True:
            wanted = numbered(before.id, number)
            found = await self.store.read(transactions.match, wanted)
            if found is None:
                decide = partial(make, wanted)
                return await self.changes.begin(
                    actor, place, others, decide, venue=venue, interaction_id=interaction_id
                )
            if found.status not in _CAME_TO_NOTHING and not self._is_over(found):
                break
            number += 1
        if found.status is not MatchStatus.OFFERED:
            raise UserError("rematch_made")
        if found.index_of(actor.user_id) is not None:
            raise UserError("rematch_pending")
        try:
            return await self.accept(actor, wanted, interaction_id=interaction_id)
        except UserError as error:
            if error.code != "offer_closed":
                raise
            raise Conflict from None

    def _is_over(self, match: Match) -> bool:
        """Whether an offer has expired, even if that is not recorded yet."""
        open_until = match.expires_at
        return open_until is not None and open_until <= self.clock.now()

    # ---- play ------------------------------------------------------------------------------

    async def act(
        self,
        actor: Actor,
        match_id: MatchId,
        decide: Decision,
        *,
        interaction_id: InteractionId | None,
        past: bool = False,
    ) -> Answer:
        """Do what ``decide`` says: a function of :mod:`bot.domain`, such as ``play.resign``.

        Raises what that raises. With ``past`` it also gets the events so far.
        """
        return await self.changes.change(actor, match_id, interaction_id, decide, past=past)

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

        ``expected_version`` is the version of the match that the player saw; None is the present
        one.
        """
        decide = partial(play.move, text=text, expected_version=expected_version)
        return await self.act(actor, match_id, decide, interaction_id=interaction_id)

    async def end(self, manager: Actor, match_id: MatchId, why: str) -> Answer:
        """Abort a running match of the manager's server: ``aborted``.

        It is logged. The caller checks the manager. Raises what :func:`bot.domain.managed.end`
        raises, and ``no_such_match`` for one of another server.
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

        As :meth:`end`; raises what :func:`bot.domain.managed.decide` raises. Managers' own matches
        don't count for ratings, which go beyond their server.
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
            self.clock.now(),
            manager.guild_id,
            manager.user_id,
            name,
            {},
            {"match": str(match_id), **about},
        )
        host = Actor(UserId(0), manager.guild_id)
        return await self.changes.change(host, match_id, None, decide, entry=entry)

    async def done(self, interaction_id: InteractionId) -> Answer | None:
        """The answer that this interaction already had, if any."""
        event = await self.store.read(transactions.done, interaction_id)
        return None if event is None else await answer_again(self.store, event)

    # ---- looking ---------------------------------------------------------------------------

    async def match(self, actor: Actor, match_id: MatchId) -> Match:
        """A match that this player may see; ``no_such_match`` otherwise."""
        match = await self.store.read(transactions.match, match_id, actor.scope)
        if match is None:
            raise UserError("no_such_match")
        return match

    async def running_in(self, actor: Actor, channel_id: ChannelId) -> tuple[Match, ...]:
        """The running matches of a channel or thread, those of this player first."""
        found = await self.store.read(transactions.running_in, channel_id, actor.scope)
        return tuple(sorted(found, key=lambda match: match.index_of(actor.user_id) is None))

    async def matches_of(self, user_id: UserId) -> tuple[Match, ...]:
        """Every running or offered match of a player, in all servers."""
        return await self.store.read(transactions.active_of, user_id)

    async def over_in(self, actor: Actor, channel_id: ChannelId) -> tuple[Match, ...]:
        """The matches of a channel or thread that are over, the newest first."""
        return await self.store.read(transactions.over_in, channel_id, actor.scope, _LOOKED_AT)

    async def over_of(
        self, actor: Actor, user_id: UserId, limit: int, skipped: int = 0
    ) -> tuple[Match, ...]:
        """The matches of a player that are over, the last to end first.

        Of another player the actor sees those of the same server.
        """
        return await self.store.read(transactions.over_of, user_id, actor.scope, limit, skipped)

    async def history(self, actor: Actor, match_id: MatchId) -> tuple[Event, ...]:
        """All events of a match that this player may see; ``no_such_match`` otherwise."""
        events = await self.store.read(transactions.history, match_id, actor.scope)
        if not events:
            raise UserError("no_such_match")
        return events

    async def show_again(self, actor: Actor, match_id: MatchId) -> Match:
        """Post the board of a match again; the match."""
        match = await self.match(actor, match_id)
        check_whole(match)
        await self.store.write(match_feed.show_again, match_id, self.clock.now())
        return match

    async def move_here(self, actor: Actor, match_id: MatchId, place: Place) -> Match:
        """Continue a running match in another channel or thread.

        The player on turn is notified there, unless they are the actor. Raises ``not_a_player``,
        ``match_over``, ``not_started``, ``other_server``, ``channel_busy``.
        """
        match = await self.match(actor, match_id)
        if match.index_of(actor.user_id) is None:
            raise UserError("not_a_player")
        check_running(match)
        if match.venue is Venue.DIRECT or place.guild_id != match.origin.guild_id:
            raise UserError("other_server")
        now = self.clock.now()
        calls = calls_at_home(match, actor)
        await self.store.write(match_feed.show_again, match_id, now, place.channel_id, calls)
        return match
