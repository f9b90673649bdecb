"""Whether players may meet: block lists, rating ranges, and limits.

:class:`~bot.services.matches.MatchService` asks here for a check of every offer and every seat. The
store runs the check in the transaction that writes the offer or the seat, so that nothing done at
the same time, in this process or another, gets beyond a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.domain.computers import is_computer
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.match import Actor, Match, Venue
from bot.errors import UserError
from bot.services.preferences import PreferenceService
from bot.services.ratings import RatingService
from bot.store import Store, pairing
from bot.store.records import PairingCheck, PairingFacts, TallyKind

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_KEEP = timedelta(days=2)
RATED_WITHIN = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one player and one server.

    ``offers_to_one`` counts within a day the offers by name to one player who has not accepted
    them; after a refusal, ``cool_down`` must pass before another for the same game.
    ``rated_with_one`` is the number of rated matches of a game between two players within
    :data:`RATED_WITHIN`. ``computer_matches`` is the number of running matches of one player
    against computers; ``computers_waiting`` the number of jobs beyond which computers take on no
    other match.
    """

    open_offers: int = 10
    offers_to_one: int = 3
    cool_down: timedelta = timedelta(hours=24)
    running: int = 25
    running_in_server: int = 200
    threads_an_hour: int = 30
    rated_with_one: int = 10
    computer_matches: int = 2
    computers_waiting: int = 50


@dataclass(frozen=True, slots=True)
class Room:
    """The further matches and threads that a server may have now.

    ``next_thread`` is when one more may be made, if none may now.
    """

    matches: int
    threads: int
    next_thread: datetime | None = None


@dataclass(eq=False)
class Pairing:
    """Makes the checks; every refusal is a :exc:`~bot.errors.UserError` of its own."""

    store: Store
    preferences: PreferenceService
    clock: Clock
    limits: Limits
    _: KW_ONLY
    ratings: RatingService

    async def for_offer(
        self, actor: Actor, opponents: tuple[Actor, ...], match: Match
    ) -> PairingCheck:
        """The check of an offer.

        It raises ``you_blocked``, ``cannot_invite``, ``too_many_offers``, ``offers_to_one``,
        ``cool_down``, ``too_many_matches``, ``server_full``, ``rated_often``, ``computer_matches``,
        ``computers_busy``, and in direct messages ``wants_no_messages``.
        """
        people = (each.user_id for each in opponents if not is_computer(each.user_id))
        others = tuple(dict.fromkeys(people))
        most_in_server = await self._most_in_server(match.origin.guild_id)
        unwilling = await self._unwilling(match, others)

        def judge(facts: PairingFacts) -> None:
            for other in others:
                if (actor.user_id, other) in facts.blocks:
                    raise UserError("you_blocked", player=other)
            if facts.blocks:
                raise UserError("cannot_invite")
            if unwilling is not None:
                raise UserError("wants_no_messages", player=unwilling)
            if facts.offers >= self.limits.open_offers:
                raise UserError("too_many_offers", most=self.limits.open_offers)
            for other in others:
                self._check_pestering(facts, other, match.game)
            self._check_running(facts, actor.user_id)
            _check_server(facts, most_in_server)
            self._check_rated(facts, others)
            self._check_computers(facts)

        return self._check((actor.user_id, *others), match, judge)

    async def _unwilling(self, match: Match, others: tuple[UserId, ...]) -> UserId | None:
        """A player who would get the offer in direct messages, but has not allowed that."""
        if match.venue is not Venue.DIRECT:
            return None
        for other in others:
            chosen = await self.preferences.surely_of(other)
            if not chosen.allows_messages:
                return other
        return None

    def _check_computers(self, facts: PairingFacts) -> None:
        if facts.with_computers is None:
            return
        if facts.with_computers >= self.limits.computer_matches:
            raise UserError("computer_matches", most=self.limits.computer_matches)
        if facts.computers_waiting >= self.limits.computers_waiting:
            raise UserError("computers_busy")
        if 2 * facts.computers_waiting_here >= self.limits.computers_waiting:
            raise UserError("computers_busy_here")

    def _check_pestering(self, facts: PairingFacts, other: UserId, game: str) -> None:
        now = self.clock.now()
        between = [each for each in facts.tallies if each.other == other]
        declined = [
            each.at for each in between if each.kind is TallyKind.DECLINE and each.game == game
        ]
        again = max(declined, default=now - 2 * self.limits.cool_down) + self.limits.cool_down
        if again > now:
            raise UserError("cool_down", player=other, time=int(again.timestamp()) + 1)
        asked = [
            each.at for each in between if each.kind is TallyKind.OFFER and each.at > now - _DAY
        ]
        if len(asked) >= self.limits.offers_to_one:
            raise UserError("offers_to_one", player=other, most=self.limits.offers_to_one)

    async def for_seat(self, actor: Actor, match: Match) -> PairingCheck:
        """The check of a seat, given the match before it is taken.

        It raises ``you_blocked_here``, ``cannot_join``, ``too_many_matches``, ``player_busy``,
        ``server_full``, ``outside_band``, ``rated_often``, ``computer_matches``,
        ``computers_busy``.
        """
        seated = tuple(dict.fromkeys(_people(match.players)))
        people = (*seated, *_people(match.invited))
        others = tuple(dict.fromkeys(each for each in people if each != actor.user_id))
        most_in_server = await self._most_in_server(match.origin.guild_id)
        check_band = await self._band_check(actor.user_id, match)

        def judge(facts: PairingFacts) -> None:
            for one, other in facts.blocks:
                if one == actor.user_id:
                    raise UserError("you_blocked_here", player=other)
            if any(other == actor.user_id for _, other in facts.blocks):
                raise UserError("cannot_join")
            self._check_running(facts, actor.user_id)
            for player in seated:
                if facts.running[player] >= self.limits.running:
                    raise UserError("player_busy", player=player)
            _check_server(facts, most_in_server)
            check_band()
            self._check_rated(facts, seated)
            self._check_computers(facts)

        return self._check((actor.user_id, *others), match, judge)

    async def _band_check(self, user_id: UserId, match: Match) -> Callable[[], None]:
        """The check of a rating against the range of the free seats, by the number shown."""
        band = match.band_for(user_id)
        if band is None:
            return lambda: None
        standing = await self.ratings.standing(user_id, match.game)

        def check() -> None:
            if standing.points not in band:
                raise UserError("outside_band", band=str(band), rating=str(standing))

        return check

    def _check_rated(self, facts: PairingFacts, others: tuple[UserId, ...]) -> None:
        most = self.limits.rated_with_one
        for other in others:
            if facts.rated.get(other, 0) >= most:
                raise UserError("rated_often", player=other, most=most, days=RATED_WITHIN.days)

    def _check_running(self, facts: PairingFacts, user_id: UserId) -> None:
        if facts.running[user_id] >= self.limits.running:
            raise UserError("too_many_matches", most=self.limits.running)

    async def _most_in_server(self, guild_id: GuildId | None) -> int | None:
        if guild_id is None:
            return None
        chosen = (await self.preferences.server(guild_id)).running
        return _lower(self.limits.running_in_server, chosen)

    def _check(
        self,
        people: tuple[UserId, ...],
        match: Match,
        judge: Callable[[PairingFacts], None],
    ) -> PairingCheck:
        now = self.clock.now()
        return PairingCheck(
            people,
            match.origin.guild_id,
            now - max(_DAY, self.limits.cool_down),
            match.game if match.rated else None,
            now - RATED_WITHIN,
            judge,
            match.has_computer,
        )

    async def reserve_thread(self, match: Match, gone: ChannelId | None) -> bool:
        """Whether a thread may be made for a match now, in place of one that is gone.

        It counts from here on; return it if it can't be made. Raises ``StoreUnavailable``.
        """
        guild_id = match.origin.guild_id
        if guild_id is None:
            return True
        chosen = (await self.preferences.server(guild_id)).threads_an_hour
        most = _lower(self.limits.threads_an_hour, chosen)
        now = self.clock.now()
        return await self.store.write(pairing.reserve_thread, match, gone, now, now - _HOUR, most)

    async def room(self, guild_id: GuildId) -> Room:
        """The further matches and threads that a server may have. Raises ``StoreUnavailable``."""
        chosen = await self.preferences.server(guild_id)
        load = await self.store.read(pairing.server_load, guild_id, self.clock.now() - _HOUR)
        running = _lower(self.limits.running_in_server, chosen.running)
        threads = _lower(self.limits.threads_an_hour, chosen.threads_an_hour)
        # So many of those that were made must be older than an hour for another to be made.
        over = load.threads - threads
        again = (
            load.made[min(over, len(load.made) - 1)] + _HOUR if over >= 0 and load.made else None
        )
        return Room(max(running - load.running, 0), max(-over, 0), again)

    async def return_thread(self, match: Match, gone: ChannelId | None) -> None:
        """Return a reserved thread that could not be made. Raises ``StoreUnavailable``."""
        await self.store.write(pairing.return_thread, match, gone)

    async def tidy(self) -> None:
        """Forget counts that are too old for any limit."""
        longest = max(_KEEP, 2 * self.limits.cool_down)
        await self.store.write(pairing.forget_tallies, self.clock.now() - longest)


def _people(users: Iterable[UserId | None]) -> tuple[UserId, ...]:
    return tuple(each for each in users if each is not None and not is_computer(each))


def _check_server(facts: PairingFacts, most: int | None) -> None:
    if most is not None and facts.running_in_server >= most:
        raise UserError("server_full", most=most)


def _lower(host: int, chosen: int | None) -> int:
    return host if chosen is None else min(host, chosen)
