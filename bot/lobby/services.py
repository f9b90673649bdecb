"""The lobby: one message in a server that lists its open offers.

A change of an open offer updates the server's lobby in the same transaction; it is a message that
is edited in place (:mod:`bot.store.standing`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import Match
from bot.posts.outgoing import Key, id_in
from bot.services.ratings import RatingService
from bot.store.records import PlayerRating


def server_of(key: Key) -> GuildId:
    """The server of a lobby, or of a role, by its key."""
    return GuildId(int(id_in(key).partition(".")[0]))


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """An open offer with its maker's rating."""

    match: Match
    rating: PlayerRating


async def described(ratings: RatingService, matches: Sequence[Match]) -> tuple[OpenOffer, ...]:
    """The offers with the ratings of their makers."""
    open_offers = []
    for match in matches:
        host = match.players[match.offered_by]
        assert host is not None  # noqa: S101 - an offer that is open has its host
        open_offers.append(OpenOffer(match, await ratings.standing(host, match.game)))
    return tuple(open_offers)


async def closed_to(
    ratings: RatingService, user_id: UserId, matches: Sequence[Match]
) -> Mapping[MatchId, PlayerRating]:
    """The offers that a player's rating excludes, each with that rating."""
    found = {}
    for match in matches:
        band = match.band_for(user_id)
        if band is not None and match.index_of(user_id) is None:
            standing = await ratings.standing(user_id, match.game)
            if standing.points not in band:
                found[match.id] = standing
    return found
