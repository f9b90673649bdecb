"""Reviews: what a search thought of each position of a match, and the moments that decided it.

A *moment* is a move that gave away much of the win. It makes a *puzzle* if the best move there is
proved to be better than every other.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from bot.domain.hints import Found
from bot.domain.ids import MatchId
from bot.domain.playthrough import Playthrough
from games.api import Seat

MOMENTS = 3
_MATTERS = 0.1
"""A move that gives away less than this is no mistake worth a word."""
_PROVED = {"loss": 0, "draw": 1, "win": 2}
_LINE = 6


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move that was played, and the best one in its position.

    ``best`` is in canonical notation with the ``line`` that it starts; ``value`` and ``played``
    are what the best move and the one played were worth to the player, from 0 to 1; ``proof`` is
    that of the best one: ``win``, ``draw``, ``loss`` or None. ``is_only`` says that the best one is
    proved to be better than every other.
    """

    best: str
    value: float
    played: float
    line: tuple[str, ...] = ()
    proof: str | None = None
    is_only: bool = False

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
    known = found.of(played) or best
    worth = min(known.value, best.value)
    is_only = best.proof is not None and all(
        each.proof is not None and _PROVED[each.proof] < _PROVED[best.proof]
        for each in found.moves[1:]
    )
    return ReviewedMove(
        best.move, round(best.value, 3), round(worth, 3), best.line[:_LINE], best.proof, is_only
    )


def settled(review: Review, played: Playthrough) -> Review:
    """The review with each move held against the position after it.

    A move was worth at least what its player could expect after it, so a move that the search had
    hardly looked at is called no mistake unless things stood worse for it. Of more than two players
    only the last move can be judged like that: by how the game ended.
    """
    moves = list(review.moves)
    for ply, each in enumerate(review.moves):
        after = _worth_after(review, played, ply)
        if after is not None:
            moves[ply] = replace(each, played=min(each.value, max(each.played, after)))
    return replace(review, moves=tuple(moves))


def _worth_after(review: Review, played: Playthrough, ply: int) -> float | None:
    """What the player who made a move could expect after it, None if that is not known."""
    game, after = played.table.game, played.positions[ply + 1]
    outcome = game.outcome(after)
    if outcome is not None:
        mine = Seat(game.seating(after).index(played.mover(ply)))
        share = outcome.winners or tuple(map(Seat, range(len(game.seats))))
        return (mine in share) / len(share)
    if len(game.seats) != 2 or ply + 1 >= len(review.moves):
        return None
    value = review.moves[ply + 1].value
    return value if played.mover(ply + 1) == played.mover(ply) else 1 - value


def moments(review: Review) -> tuple[int, ...]:
    """The plies, in order, at which most was given away: at most :data:`MOMENTS`."""
    lost = [(each.loss, -ply) for ply, each in enumerate(review.moves) if each.loss >= _MATTERS]
    return tuple(sorted(-number for _, number in sorted(lost, reverse=True)[:MOMENTS]))


def puzzle_in(review: Review, own: Collection[int] = ()) -> int | None:
    """The moment that makes a puzzle; None if there is none.

    Of several the one at which most was given away, and first those of the plies ``own``.
    """
    every = [ply for ply in moments(review) if review.moves[ply].is_only]
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
    rows = [
        [each.best, each.value, each.played, list(each.line), each.proof, each.is_only]
        for each in moves
    ]
    return json.dumps(rows, separators=(",", ":"))


def read_moves(text: str) -> tuple[ReviewedMove, ...]:
    """Entries as the store keeps them; older ones do not say ``is_only``."""
    return tuple(
        ReviewedMove(best, value, played, tuple(line), *rest)
        for best, value, played, line, *rest in json.loads(text)
    )
