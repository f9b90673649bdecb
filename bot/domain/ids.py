"""Types for Discord's ids, and ids of our own matches and tournaments."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import NewType

MatchId = NewType("MatchId", str)
"""Ten characters of ``a-z2-7``: short enough for custom ids and nonces."""
TournamentId = NewType("TournamentId", str)
"""Ten characters of ``a-z2-7``, as for matches."""
UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
ChannelId = NewType("ChannelId", int)
"""A channel or a thread; Discord numbers both in the same way."""
MessageId = NewType("MessageId", int)
RoleId = NewType("RoleId", int)
InteractionId = NewType("InteractionId", int)

_BEYOND = 1 << 63
"""Above all of Discord's ids and all integers of the database."""


def is_id(number: int) -> bool:
    """Whether a number can be an id of Discord.

    They have 64 bits; the first is 0 until 2084
    (https://docs.discord.com/developers/reference#snowflakes).
    """
    return 0 < number < _BEYOND


def read_id(text: str) -> int | None:
    """The id that a text means; None if it is none."""
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        return None
    found = int(text)
    return found if is_id(found) else None


_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
MATCH_ID_LENGTH = 10


def new_match_id(rng: Random) -> MatchId:
    """A fresh id, 50 random bits; the store refuses one that exists already."""
    return MatchId("".join(rng.choices(_ALPHABET, k=MATCH_ID_LENGTH)))


def is_match_id(text: str) -> bool:
    """Whether a text has the form of a match id."""
    return len(text) == MATCH_ID_LENGTH and set(text) <= set(_ALPHABET)


def new_tournament_id(rng: Random) -> TournamentId:
    """A fresh id, as for a match."""
    return TournamentId(new_match_id(rng))


def game_match_id(tournament_id: TournamentId, game: str, drawn: int) -> MatchId:
    """The id of the match of a tournament's game: concurrent starts make the same match.

    ``drawn`` is the time of the draw of its round: a round that is paired again has other matches.
    """
    return _hashed(f"game {game} of {tournament_id} since {drawn}")


def season_id(tournament_id: TournamentId) -> TournamentId:
    """The id of the next season of a league: concurrent starts make the same one."""
    return TournamentId(_hashed(f"season after {tournament_id}"))


def next_offer_id(match_id: MatchId) -> MatchId:
    """The id of the next offer, once an offer for several matches has started one."""
    return _hashed(f"offer after {match_id}")


def _hashed(words: str) -> MatchId:
    found = sha256(words.encode("ascii")).digest()
    return MatchId("".join(_ALPHABET[byte % 32] for byte in found[:MATCH_ID_LENGTH]))


def substitute_id(match_id: MatchId, number: int) -> MatchId:
    """The id of the match that continues this one with a substitute, as :func:`rematch_id`."""
    return _hashed(f"substitute {number} in {match_id}")


def rematch_id(match_id: MatchId, number: int) -> MatchId:
    """The id of the rematch of a match; ``number`` counts earlier offers that did not start.

    Two players who ask for a rematch in the same instant ask for the same match, which the store
    creates only once.
    """
    return _hashed(f"rematch {number} of {match_id}")
