"""Reviews: the search's value of each position of a match, and the moments that decided it.

A *moment* is a move that gave away much of the win. It makes a *puzzle* if the best move there is
proved to be better than every other. A review looks at each move once, then more closely at the
moments and the positions after them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import pairwise
from math import exp
from typing import Any

from bot.computers.domain.hints import Found
from bot.domain.ids import MatchId
from bot.domain.playthrough import Playthrough
from games.api import Seat

MOMENTS = 3
MISTAKE = 0.1
"""The least loss of a mistake."""
BLUNDER = 0.3
_PROVED = {"loss": 0, "draw": 1, "win": 2}
_LINE = 6
_CLOSE_LOOKS = 8
"""The most positions of a match that are looked at more closely."""
_STEEP = (103.1668, 0.04354, 3.1669)
"""From https://lichess.org/page/accuracy."""
_UNSURE = 0.001
"""The least value of an unproved position, and its least distance from the win."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move that was played, and the best one in its position.

    ``best`` is in canonical notation with the ``line`` that it starts; ``value`` and ``played``
    are what the best move and the one played were worth to the player, from 0 to 1; ``proof`` is
    that of the best one: ``win``, ``draw``, ``loss`` or None. ``is_only`` says that the best one is
    proved to be better than every other, ``is_close`` that the position was looked at closely.
    """

    best: str
    value: float
    played: float
    line: tuple[str, ...] = ()
    proof: str | None = None
    is_only: bool = False
    is_close: bool = True

    @property
    def loss(self) -> float:
        """The share of the win that was given away."""
        return max(0.0, self.value - self.played)


@dataclass(frozen=True, slots=True)
class Review:
    """A review in its present state: an entry for each move looked at, of ``plies`` in all.

    ``ahead`` is the number of other matches that computers look at first.
    """

    match_id: MatchId
    plies: int
    moves: tuple[ReviewedMove, ...] = ()
    ahead: int = 0

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to look at."""
        return next_look(self) is None


@dataclass(frozen=True, slots=True)
class Look:
    """The next position for a review: the ply, and how closely to look."""

    ply: int
    closely: bool = False


def next_look(review: Review) -> Look | None:
    """The position to look at next, None if the review is done."""
    if len(review.moves) < review.plies:
        return Look(len(review.moves))
    if sum(each.is_close for each in review.moves) >= _CLOSE_LOOKS:
        return None
    for moment in moments(review):
        for ply in (moment, moment + 1):
            if ply < review.plies and not review.moves[ply].is_close:
                return Look(ply, closely=True)
    return None


def looked_at(review: Review, look: Look, found: Found, played: Playthrough) -> Review:
    """The review after a look."""
    entry = reviewed(found, played.notations[look.ply], is_close=look.closely)
    moves = (*review.moves[: look.ply], entry, *review.moves[look.ply + 1 :])
    after = replace(review, moves=moves)
    return settled(after, played) if len(moves) >= review.plies else after


def reviewed(found: Found, played: str, *, is_close: bool = False) -> ReviewedMove:
    """The entry of a review for an analysed position in which a move was played."""
    best = found.best
    known = found.of(played) or best
    worth = _rounded(known.value, known.proof)
    value = _rounded(best.value, best.proof)
    is_only = best.proof is not None and all(
        each.proof is not None and _PROVED[each.proof] < _PROVED[best.proof]
        for each in found.moves[1:]
    )
    return ReviewedMove(
        best.move, value, min(worth, value), best.line[:_LINE], best.proof, is_only, is_close
    )


def _rounded(value: float, proof: str | None) -> float:
    """A value as the store keeps it: 0 and 1 are for proved positions."""
    return round(value, 3) if proof else min(max(round(value, 3), _UNSURE), 1 - _UNSURE)


def settled(review: Review, played: Playthrough) -> Review:
    """The review with each move compared with the position after it.

    A move was worth at least the value of the position after it, so a move that the search had
    hardly looked at is no mistake unless the position became worse; a move after which the win is
    proved is as good as any. Of more than two players only the last move can be judged like that:
    by how the game ended.
    """
    moves = list(review.moves)
    for ply in range(len(moves) - 1, -1, -1):
        each, after = moves[ply], _worth_after(moves, played, ply)
        if after is None:
            continue
        if after < 1:
            moves[ply] = replace(each, played=min(each.value, max(each.played, after)))
        elif each.proof == "win":
            is_other = played.notations[ply] != each.best
            moves[ply] = replace(each, played=1.0, is_only=each.is_only and not is_other)
        else:
            best = played.notations[ply]
            rest = moves[ply + 1].line if ply + 1 < len(moves) else ()
            moves[ply] = ReviewedMove(
                best, 1.0, 1.0, (best, *rest)[:_LINE], "win", is_close=each.is_close
            )
    for ply, (each, then) in enumerate(pairwise(moves)):
        is_lost = each.played == 1 and played.mover(ply + 1) != played.mover(ply)
        if is_lost and len(played.match.players) == 2 and then.value > 0:
            moves[ply + 1] = replace(then, value=0.0, played=0.0, proof="loss", is_only=False)
    return replace(review, moves=tuple(moves))


def _worth_after(moves: Sequence[ReviewedMove], played: Playthrough, ply: int) -> float | None:
    """The value of the position after a move for its player, None if that is not known.

    It is 1 only if the win is proved.
    """
    game, after = played.table.game, played.positions[ply + 1]
    outcome = game.outcome(after)
    if outcome is not None:
        mine = Seat(game.seating(after).index(played.mover(ply)))
        share = outcome.winners or tuple(map(Seat, range(len(game.seats))))
        return (mine in share) / len(share)
    if len(game.seats) != 2 or ply + 1 >= len(moves):
        return None
    value = _rounded(moves[ply + 1].value, moves[ply + 1].proof)
    return value if played.mover(ply + 1) == played.mover(ply) else 1 - value


def moments(review: Review) -> tuple[int, ...]:
    """The plies, in order, of the greatest losses: at most :data:`MOMENTS`."""
    lost = [(each.loss, -ply) for ply, each in enumerate(review.moves) if each.loss >= MISTAKE]
    return tuple(sorted(-number for _, number in sorted(lost, reverse=True)[:MOMENTS]))


def puzzle_in(review: Review, own: Collection[int] = ()) -> int | None:
    """The moment that makes a puzzle; None if there is none.

    The one with the greatest loss, those of the plies ``own`` first.
    """
    every = [ply for ply in moments(review) if review.moves[ply].is_only]
    found = [ply for ply in every if ply in own] or every
    return max(found, key=lambda ply: (review.moves[ply].loss, -ply), default=None)


def chances(review: Review, movers: Sequence[int], player: int) -> tuple[float, ...]:
    """The chances of one of two players before each move, and after the last.

    ``movers`` has the player index that made each move. A proof for a move also holds after it.
    """
    found: list[float] = []
    for ply, (each, mover) in enumerate(zip(review.moves, movers, strict=False)):
        before = review.moves[ply - 1].played if ply else 0.5
        is_known = before in (0, 1)
        value, whose = (before, movers[ply - 1]) if is_known else (each.value, mover)
        found.append(value if whose == player else 1 - value)
    if review.moves:
        last, mover = review.moves[-1], movers[len(review.moves) - 1]
        found.append(last.played if mover == player else 1 - last.played)
    return tuple(found)


def percent(value: float) -> int:
    """A winning chance in whole percent: 100 and 0 are for proved positions."""
    return round(100 * value) if value in (0, 1) else min(max(round(100 * value), 1), 99)


def accuracy(review: Review, plies: Collection[int]) -> float | None:
    """How well the moves of these plies were played, from 0 to 100; None if there are none.

    The mean of what each is worth by the loss of winning chance, by the formula of lichess.org.
    """
    worth = [
        min(max(_STEEP[0] * exp(-_STEEP[1] * 100 * review.moves[ply].loss) - _STEEP[2], 0.0), 100.0)
        for ply in plies
    ]
    return sum(worth) / len(worth) if worth else None


def write_moves(moves: Sequence[ReviewedMove]) -> list[list[Any]]:
    """Entries as the store keeps them."""
    return [list(astuple(each)) for each in moves]


def read_moves(rows: Sequence[Sequence[Any]]) -> tuple[ReviewedMove, ...]:
    """Entries from the store; older ones have neither ``is_only`` nor ``is_close``."""
    return tuple(
        ReviewedMove(best, value, played, tuple(line), *rest)
        for best, value, played, line, *rest in rows
    )
