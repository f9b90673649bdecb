"""Open requests of one player to the others, not yet answered by all.

A :class:`Request` is part of the head of a match; :mod:`bot.domain.request_rules` has the rules for
making, answering and ending it. There is one request of each kind at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum


class RequestKind(Enum):
    """The kinds of requests between players."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    PAUSE = "pause"
    ABORT = "abort"


@dataclass(frozen=True, slots=True)
class Request:
    """An open request.

    ``agreed``
        the player indices that want it, the asker first.
    ``version``
        the match's version after the asking: it distinguishes a request from earlier ones.
    ``expires_at``
        when it expires, None if only moves end it.
    ``ply``
        of a takeback: how many moves would remain.
    """

    wish: RequestKind
    agreed: tuple[int, ...]
    version: int
    expires_at: datetime | None = None
    ply: int | None = None

    @property
    def asker(self) -> int:
        """The player index of the player who asked."""
        return self.agreed[0]

    def with_agreement_of(self, player: int) -> Request:
        """The request after one more player has agreed."""
        return replace(self, agreed=(*self.agreed, player))


def find(requests: Iterable[Request], wish: RequestKind) -> Request | None:
    """The request of this kind, if there is one."""
    return next((each for each in requests if each.wish is wish), None)
