"""Names for the numbers that Discord gives out, and our own match ids."""

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
"""A channel or a thread; Discord numbers both alike."""
MessageId = NewType("MessageId", int)
RoleId = NewType("RoleId", int)
InteractionId = NewType("InteractionId", int)

_BEYOND = 1 << 63
"""Discord's ids, and what the database takes for a number, are below it."""


def is_id(number: int) -> bool:
    """Whether a number may be one that Discord gives out.

    They have 64 bits, the first of which is never set for those born before 2084
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
    """A fresh id, 50 random bits; the store refuses one that it has already."""
    return MatchId("".join(rng.choices(_ALPHABET, k=MATCH_ID_LENGTH)))


def is_match_id(text: str) -> bool:
    """Whether a text may be the id of a match."""
    return len(text) == MATCH_ID_LENGTH and set(text) <= set(_ALPHABET)


def new_tournament_id(rng: Random) -> TournamentId:
    """A fresh id, as for a match."""
    return TournamentId(new_match_id(rng))


def game_match_id(tournament_id: TournamentId, game: str, drawn: int) -> MatchId:
    """The id of the match of a tournament's game: two who begin it make the same match.

    ``drawn`` is since when its round is drawn: one that is paired again has other matches.
    """
    return _hashed(f"game {game} of {tournament_id} since {drawn}")


def season_id(tournament_id: TournamentId) -> TournamentId:
    """The id of the season of a league that follows on one: two who begin it make the same."""
    return TournamentId(_hashed(f"season after {tournament_id}"))


def next_offer_id(match_id: MatchId) -> MatchId:
    """The id of the offer that follows when one for several matches has started its match."""
    return _hashed(f"offer after {match_id}")


def _hashed(words: str) -> MatchId:
    found = sha256(words.encode("ascii")).digest()
    return MatchId("".join(_ALPHABET[byte % 32] for byte in found[:MATCH_ID_LENGTH]))


def substitute_id(match_id: MatchId, number: int) -> MatchId:
    """The id of the match in which a match goes on with a substitute, as :func:`rematch_id`."""
    return _hashed(f"substitute {number} in {match_id}")


def rematch_id(match_id: MatchId, number: int) -> MatchId:
    """The id of the rematch of a match, after so many that were offered and came to nothing.

    Two players who ask for a rematch in the same instant ask for the same match, which the store
    makes only once.
    """
    return _hashed(f"rematch {number} of {match_id}")
