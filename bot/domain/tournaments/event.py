"""The history of a tournament: facts in order, each sealed by a hash over all before it.

The seal covers the tournament, number, kind, payload and time. It leaves out user ids and what a
director wrote: a player may ask for their data to be erased, and the chain must still hold.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.events import GENESIS, JsonValue, micros
from bot.domain.ids import InteractionId, TournamentId, UserId
from bot.domain.tournaments.facts import Fact
from bot.domain.tournaments.writing import read_fact

_canonical = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), sort_keys=True).encode


class HistoryBroken(Exception):
    """A stored history does not hold. ``code`` as in :class:`bot.domain.history.HistoryError`."""

    def __init__(self, code: str, seq: int) -> None:
        super().__init__(code, seq)
        self.code = code
        self.seq = seq


@dataclass(frozen=True, slots=True)
class TournamentEvent:
    """One thing that happened to a tournament; ``seq`` counts from 1.

    ``user_id`` acted, None for the host; ``subject_id`` is the person it concerns, where there is
    one; ``note`` is what a director gave as the reason.
    """

    tournament_id: TournamentId
    seq: int
    kind: str
    payload: Mapping[str, JsonValue] = field(hash=False)
    at: datetime
    user_id: UserId | None
    subject_id: UserId | None
    note: str
    interaction_id: InteractionId | None
    prev_hash: str
    hash: str

    @property
    def fact(self) -> Fact:
        """What happened. Raises :exc:`ValueError` where its payload is none of its kind."""
        return read_fact(self.kind, self.payload)


def seal(event: TournamentEvent) -> str:
    """The hash of an event: SHA-256 over canonical JSON, 64 hexadecimal digits."""
    about = [event.tournament_id, event.seq, event.kind, dict(event.payload), micros(event.at)]
    return hashlib.sha256(_canonical([event.prev_hash, *about]).encode("ascii")).hexdigest()


def check_chain(events: Sequence[TournamentEvent]) -> None:
    """Raise :exc:`HistoryBroken` unless numbers and hashes are in order."""
    if not events:
        raise HistoryBroken("empty", 0)
    before = GENESIS
    for number, event in enumerate(events, 1):
        if event.seq != number:
            raise HistoryBroken("gap", number)
        if event.prev_hash != before or event.hash != seal(event):
            raise HistoryBroken("chain", number)
        before = event.hash
