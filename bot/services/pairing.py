"""Whether people may be brought together: block lists, rating bands, and limits.

Every way to a match leads through :class:`~bot.services.matches.MatchService`, which asks here
before an offer is made and before a seat is taken, so that no new way can forget it. Limits are
counted and then kept to, without a lock: two offers in the same instant may go one beyond, and no
further.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from bot.domain.ids import GuildId, UserId
from bot.domain.match import Actor, Match
from bot.errors import UserError
from bot.services.people_store import Circumstances, PeopleStore, TallyKind
from bot.services.ports import Clock, StoreUnavailable
from bot.services.preferences import PreferenceService
from bot.services.ratings import RatingService

__all__ = ["RATED_WITHIN", "Limits", "Pairing"]

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_KEEP = timedelta(days=2)
RATED_WITHIN = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one person and one server may use up.

    ``offers_to_one`` counts within a day what one person offered to another by name and the other
    has not accepted; ``cool_down`` is how long after a refusal one may not ask that person again.
    ``rated_with_one`` is how many rated matches of a game the same two people may have within
    :data:`RATED_WITHIN`, so that nobody is given a rating by a friend.
    """

    open_offers: int = 10
    offers_to_one: int = 3
    cool_down: timedelta = timedelta(hours=24)
    running: int = 25
    running_in_server: int = 200
    threads_an_hour: int = 30
    rated_with_one: int = 10


class Pairing:
    """Refuses what should not be; every refusal is a :exc:`~bot.errors.UserError` of its own."""

    def __init__(
        self,
        store: PeopleStore,
        preferences: PreferenceService,
        clock: Clock,
        limits: Limits | None = None,
        *,
        ratings: RatingService,
    ) -> None:
        self._store = store
        self._ratings = ratings
        self._preferences = preferences
        self._clock = clock
        self.limits = limits or Limits()

    async def check_offer(self, actor: Actor, opponents: tuple[Actor, ...], match: Match) -> None:
        """Refuse an offer that should not be made.

        Raises ``you_blocked``, ``cannot_invite``, ``too_many_offers``, ``offers_to_one``,
        ``cool_down``, ``too_many_matches``, ``server_full``, ``rated_often``.
        """
        place = match.origin
        others = tuple(dict.fromkeys(each.user_id for each in opponents))
        facts = await self._circumstances((actor.user_id, *others), place.guild_id)
        for other in others:
            if (actor.user_id, other) in facts.blocks:
                raise UserError("you_blocked", player=other)
        if facts.blocks:
            raise UserError("cannot_invite")
        if facts.offers >= self.limits.open_offers:
            raise UserError("too_many_offers", most=self.limits.open_offers)
        for other in others:
            self._check_pestering(facts, other)
        self._check_running(facts, actor.user_id)
        await self._check_server(facts, place.guild_id)
        await self._check_rated(match, actor.user_id, others)

    def _check_pestering(self, facts: Circumstances, other: UserId) -> None:
        now = self._clock.now()
        between = [each for each in facts.tallies if each.other == other]
        declined = [each.at for each in between if each.kind is TallyKind.DECLINE]
        again = max(declined, default=now - 2 * self.limits.cool_down) + self.limits.cool_down
        if again > now:
            raise UserError("cool_down", player=other, time=int(again.timestamp()) + 1)
        asked = [
            each.at for each in between if each.kind is TallyKind.OFFER and each.at > now - _DAY
        ]
        if len(asked) >= self.limits.offers_to_one:
            raise UserError("offers_to_one", player=other, most=self.limits.offers_to_one)

    async def check_seat(self, actor: Actor, match: Match) -> None:
        """Refuse a seat in a match that should not be taken.

        Raises ``you_blocked_here``, ``cannot_join``, ``too_many_matches``, ``player_busy``,
        ``server_full``, ``outside_band``, ``rated_often``.
        """
        around = (*match.players, *match.invited)
        others = tuple(
            dict.fromkeys(each for each in around if each not in (None, actor.user_id) and each)
        )
        facts = await self._circumstances((actor.user_id, *others), match.origin.guild_id)
        for one, other in facts.blocks:
            if one == actor.user_id:
                raise UserError("you_blocked_here", player=other)
        if any(other == actor.user_id for _, other in facts.blocks):
            raise UserError("cannot_join")
        self._check_running(facts, actor.user_id)
        for player in match.players:
            if player is not None and facts.running[player] >= self.limits.running:
                raise UserError("player_busy", player=player)
        await self._check_server(facts, match.origin.guild_id)
        await self._check_band(match, actor.user_id)
        seated = tuple(player for player in match.players if player not in (None, actor.user_id))
        await self._check_rated(match, actor.user_id, tuple(p for p in seated if p is not None))

    async def _check_band(self, match: Match, user_id: UserId) -> None:
        """The rating that everybody sees decides, also while it is uncertain."""
        band = match.band_for(user_id)
        if band is None:
            return
        try:
            standing = await self._ratings.standing(user_id, match.game)
        except StoreUnavailable as error:
            raise UserError("store_unavailable", reason=error.reason) from error
        if standing.points not in band:
            mark = "?" if standing.is_provisional else ""
            raise UserError("outside_band", band=str(band), rating=f"{standing.points}{mark}")

    async def _check_rated(self, match: Match, user_id: UserId, others: tuple[UserId, ...]) -> None:
        """Refuse one more rated match of people who have had many lately."""
        if not match.rated or not others:
            return
        try:
            had = await self._ratings.rated_lately(user_id, others, match.game, RATED_WITHIN)
        except StoreUnavailable as error:
            raise UserError("store_unavailable", reason=error.reason) from error
        for other, count in had.items():
            if count >= self.limits.rated_with_one:
                raise UserError(
                    "rated_often",
                    player=other,
                    most=self.limits.rated_with_one,
                    days=RATED_WITHIN.days,
                )

    def _check_running(self, facts: Circumstances, user_id: UserId) -> None:
        if facts.running[user_id] >= self.limits.running:
            raise UserError("too_many_matches", most=self.limits.running)

    async def _check_server(self, facts: Circumstances, guild_id: GuildId | None) -> None:
        if guild_id is None:
            return
        chosen = (await self._preferences.server(guild_id)).running
        most = _lower(self.limits.running_in_server, chosen)
        if facts.running_in_server >= most:
            raise UserError("server_full", most=most)

    async def may_make_thread(self, guild_id: GuildId | None) -> bool:
        """Whether one more thread may be made in a server now."""
        if guild_id is None:
            return True
        chosen = (await self._preferences.server(guild_id)).threads_an_hour
        most = _lower(self.limits.threads_an_hour, chosen)
        try:
            made = await self._store.threads_since(guild_id, self._clock.now() - _HOUR)
        except StoreUnavailable:
            return True
        return made < most

    async def tidy(self) -> None:
        """Forget what no limit asks for any more."""
        longest = max(_KEEP, 2 * self.limits.cool_down)
        await self._store.forget_tallies(self._clock.now() - longest)

    async def _circumstances(
        self, users: tuple[UserId, ...], guild_id: GuildId | None
    ) -> Circumstances:
        since = self._clock.now() - max(_DAY, self.limits.cool_down)
        try:
            return await self._store.circumstances(users, guild_id, since)
        except StoreUnavailable as error:
            raise UserError("store_unavailable", reason=error.reason) from error


def _lower(host: int, chosen: int | None) -> int:
    """The limit of the host, or a lower one that has been chosen."""
    return host if chosen is None else min(host, chosen)
