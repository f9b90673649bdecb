"""Rematches: the same again, with the seats exchanged; and matches that go on with a substitute.

A rematch is an offer like any other, to the same people and under the same terms, so it is
accepted, declined, withdrawn and forgotten like any other. Its id follows from that of the match
before it: when all players ask for one at the same time, the first makes the offer and the others
accept it, whatever process they ask.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from bot.clock import Clock
from bot.domain import offers, substitutes
from bot.domain.events import Change, CommandContext
from bot.domain.ids import InteractionId, MatchId, UserId, rematch_id, substitute_id
from bot.domain.match import Actor, Match, MatchStatus, Place, Venue
from bot.errors import UserError
from bot.services.match_changes import Answer, MatchChanges
from bot.services.matches import MatchService
from bot.store import Store, transactions
from bot.store.errors import Conflict
from bot.store.store import retried

_CAME_TO_NOTHING = frozenset(
    {MatchStatus.DECLINED, MatchStatus.WITHDRAWN, MatchStatus.EXPIRED, MatchStatus.ABORTED}
)


class RematchService:
    """Offering and accepting rematches."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        matches: MatchService,
        changes: MatchChanges,
        *,
        last: timedelta,
    ) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches
        self._changes = changes
        self._last = last

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

        Refused with ``not_over``, ``not_a_player``, ``not_played_here`` in another server than the
        match before, ``rematch_pending`` if one's own offer waits, ``rematch_made`` if there has
        been a rematch, ``player_erased`` if a player had themselves erased, and as every offer is.
        """
        before = await self._matches.match(actor, match_id)
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
                expires_at=act.at + self._last,
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
        before = await self._matches.match(actor, match_id)

        def decide(wanted: MatchId, act: CommandContext) -> Change:
            expires_at = act.at + self._last
            return substitutes.continuation(wanted, act, actor, of=before, expires_at=expires_at)

        invited = decide(before.id, CommandContext(self._clock.now())).match.invited
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
        """Make an offer that follows on a match, or take the seat in the one that there is."""
        others = tuple(Actor(each, place.guild_id) for each in people if each is not None)
        done = await self._matches.done(interaction_id)
        if done is not None:
            return done
        number = 0
        while True:
            wanted = numbered(before.id, number)
            found = (await self._store.read(transactions.load, wanted, None)).match
            if found is None:
                decide = partial(make, wanted)
                return await self._changes.begin(
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
            return await self._matches.accept(actor, wanted, interaction_id=interaction_id)
        except UserError as error:
            if error.code != "offer_closed":
                raise
            raise Conflict from None

    def _is_over(self, match: Match) -> bool:
        """Whether an offer has lapsed, even if nobody has noticed."""
        open_until = match.expires_at
        return open_until is not None and open_until <= self._clock.now()
