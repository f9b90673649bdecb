"""What one player has asked the others for, and they have not all answered yet.

A :class:`Request` is part of the head of a match; how it is made, answered and ended is told in
:mod:`bot.domain.request_rules`. Of each wish there is one request at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum


class RequestKind(Enum):
    """What players can ask one another for."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    PAUSE = "pause"
    ABORT = "abort"


@dataclass(frozen=True, slots=True)
class Request:
    """Something that was asked for.

    ``agreed``
        the player indices that want it, who asked first.
    ``version``
        that of the match which the asking led to: it tells one request from an earlier one.
    ``expires_at``
        when it lapses, None if only by what happens on the board.
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
    """The request for this, if there is one."""
    return next((each for each in requests if each.wish is wish), None)
