"""Reviews: what a search thought of each position of a match, and the moments that decided it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.domain.hints import Found
from bot.domain.ids import MatchId

MOMENTS = 3
_MATTERS = 0.08
"""A move that gives away less than this is no mistake worth a word."""
_LINE = 6


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move that was played, and the best one in its position.

    ``best`` is in canonical notation with the ``line`` that it starts; ``value`` and ``played``
    are what the best move and the one played were worth to the player, from 0 to 1; ``proof`` is
    that of the best one: ``win``, ``draw``, ``loss`` or None.
    """

    best: str
    value: float
    played: float
    line: tuple[str, ...] = ()
    proof: str | None = None

    @property
    def loss(self) -> float:
        """How much of the win was given away."""
        return max(0.0, self.value - self.played)


@dataclass(frozen=True, slots=True)
class Review:
    """A review as far as it goes: an entry a move, of ``plies`` in all."""

    match_id: MatchId
    plies: int
    moves: tuple[ReviewedMove, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether every move has been looked at."""
        return len(self.moves) >= self.plies


def reviewed(found: Found, played: str) -> ReviewedMove:
    """What is kept of an analysis of the position in which a move was played."""
    best = found.best
    known = found.of(played)
    worth = best.value if best.move == played else found.moves[-1].value
    if known is not None:
        worth = min(known.value, best.value)
    return ReviewedMove(
        best.move, round(best.value, 3), round(worth, 3), best.line[:_LINE], best.proof
    )


def moments(review: Review) -> tuple[int, ...]:
    """The plies, in order, at which most was given away: at most :data:`MOMENTS`."""
    lost = [(each.loss, -ply) for ply, each in enumerate(review.moves) if each.loss >= _MATTERS]
    return tuple(sorted(-number for _, number in sorted(lost, reverse=True)[:MOMENTS]))


def worst(review: Review, own: Collection[int] = ()) -> int | None:
    """The one of the moments at which most was given away, the first of several; None without any.

    Those of the plies ``own`` come first, if any of them is a moment.
    """
    every = moments(review)
    found = [ply for ply in every if ply in own] or every
    return max(found, key=lambda ply: (review.moves[ply].loss, -ply), default=None)


def chances(review: Review, movers: Sequence[int], player: int) -> tuple[float, ...]:
    """What one of two players could expect before each move, and after the last.

    ``movers`` has the player index that made each move.
    """
    found = [
        each.value if mover == player else 1 - each.value
        for each, mover in zip(review.moves, movers, strict=False)
    ]
    if review.moves:
        last, mover = review.moves[-1], movers[len(review.moves) - 1]
        found.append(last.played if mover == player else 1 - last.played)
    return tuple(found)


def write_moves(moves: Sequence[ReviewedMove]) -> str:
    """Entries as the store keeps them."""
    rows = [[each.best, each.value, each.played, list(each.line), each.proof] for each in moves]
    return json.dumps(rows, separators=(",", ":"))


def read_moves(text: str) -> tuple[ReviewedMove, ...]:
    """Entries as the store keeps them."""
    return tuple(
        ReviewedMove(best, value, played, tuple(line), proof)
        for best, value, played, line, proof in json.loads(text)
    )
