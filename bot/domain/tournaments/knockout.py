"""Knockout brackets: single and double elimination, byes to the top seeds, third place, reset.

A bracket is a fixed list of ties; who plays in them follows from the results (:func:`resolve`).
Seeds count from 1, the highest. A tie is one meeting of two players, of one to three games
(:mod:`bot.domain.tournaments.ties`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

THIRD_FROM = 4
"""With fewer players there is no match for third place."""


class Take(Enum):
    """Who gets a place in a tie."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True)
class Source:
    """A seed, or the winner or loser of a tie named in ``tie``."""

    take: Take
    seed: int = 0
    tie: str = ""


@dataclass(frozen=True, slots=True)
class Tie:
    """A place in the bracket, played in round ``round`` of the event.

    ``id`` is ``W1.2`` (winners' round 1, tie 2), ``L2.1``, ``F1``, ``F2`` (the reset final) or
    ``T`` (third place).
    """

    id: str
    round: int
    one: Source
    two: Source


@dataclass(frozen=True, slots=True)
class Bracket:
    """All ties of an event in the order in which they can be played."""

    entrants: int
    ties: tuple[Tie, ...]

    @property
    def rounds(self) -> int:
        """How many rounds there may be, the reset final among them."""
        return max((tie.round for tie in self.ties), default=0)


@dataclass(frozen=True, slots=True)
class Contest:
    """Who is in a tie: seeds, None for nobody (a bye).

    ``is_known`` says that it is settled who they are; ``winner`` is who goes on, known at once
    where the other is nobody.
    """

    one: int | None
    two: int | None
    is_known: bool
    is_over: bool
    winner: int | None
    loser: int | None


def seeds(size: int) -> tuple[int, ...]:
    """The seeds of a bracket of ``size`` (a power of two) from top to bottom.

    The first two can meet only in the final, the first four only in the semi-finals, and so on.
    """
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for each in order for seed in (each, total - each)]
    return tuple(order)


def bracket(entrants: int, *, double: bool = False, third: bool = False) -> Bracket:
    """The bracket for so many players. Raises :exc:`ValueError` for fewer than two.

    A third-place match belongs to single elimination with at least four players; in double
    elimination the losers' final decides third place.
    """
    if entrants < 2:
        raise ValueError("a knockout needs two players")
    depth = (entrants - 1).bit_length()
    order = seeds(1 << depth)
    ties: list[Tie] = []
    for number in range(1, depth + 1):
        for index in range(1 << (depth - number)):
            if number == 1:
                ones = (
                    Source(Take.SEED, order[2 * index]),
                    Source(Take.SEED, order[2 * index + 1]),
                )
            else:
                before = f"W{number - 1}"
                ones = (
                    Source(Take.WINNER, tie=f"{before}.{2 * index + 1}"),
                    Source(Take.WINNER, tie=f"{before}.{2 * index + 2}"),
                )
            at = number if not double or number == 1 else 2 * number - 2
            ties.append(Tie(f"W{number}.{index + 1}", at, *ones))
    if double:
        ties += _losers(depth)
    elif third and entrants >= THIRD_FROM:
        before = f"W{depth - 1}"
        ties.append(
            Tie(
                "T",
                depth,
                Source(Take.LOSER, tie=f"{before}.1"),
                Source(Take.LOSER, tie=f"{before}.2"),
            )
        )
    return Bracket(entrants, tuple(sorted(ties, key=lambda tie: tie.round)))


def _losers(depth: int) -> list[Tie]:
    """The losers' bracket and the final. Losers drop in crosswise, so that few meet again soon."""
    ties: list[Tie] = []
    last = 2 * (depth - 1)
    for number in range(1, last + 1):
        count = 1 << (depth - 1 - (number + 1) // 2)
        for index in range(count):
            if number == 1:
                sources = (
                    Source(Take.LOSER, tie=f"W1.{2 * index + 1}"),
                    Source(Take.LOSER, tie=f"W1.{2 * index + 2}"),
                )
            elif number % 2:
                sources = (
                    Source(Take.WINNER, tie=f"L{number - 1}.{2 * index + 1}"),
                    Source(Take.WINNER, tie=f"L{number - 1}.{2 * index + 2}"),
                )
            else:
                upper = number // 2 + 1
                crossed = count - 1 - index if upper % 2 == 0 else (index + count // 2) % count
                sources = (
                    Source(Take.LOSER, tie=f"W{upper}.{crossed + 1}"),
                    Source(Take.WINNER, tie=f"L{number - 1}.{index + 1}"),
                )
            ties.append(Tie(f"L{number}.{index + 1}", number + 1, *sources))
    champion = Source(Take.WINNER, tie=f"W{depth}.1")
    other = Source(Take.WINNER, tie=f"L{last}.1") if last else Source(Take.LOSER, tie="W1.1")
    final = last + 2
    ties.append(Tie("F1", final, champion, other))
    ties.append(Tie("F2", final + 1, Source(Take.WINNER, tie="F1"), Source(Take.LOSER, tie="F1")))
    return ties


def resolve(ties: Bracket, won: Mapping[str, int | None]) -> Mapping[str, Contest]:
    """The players in each tie, given the winners of those that are over.

    ``won`` may name None: nobody goes on, since neither player came. Where only one player is left
    in a tie they go on without a game. The reset final is over at once, with the same winner,
    unless the player from the losers' bracket has won the first.
    """
    found: dict[str, Contest] = {}
    for tie in ties.ties:
        one, one_known = _who(tie.one, ties.entrants, found)
        two, two_known = _who(tie.two, ties.entrants, found)
        if not (one_known and two_known):
            found[tie.id] = Contest(one, two, False, False, None, None)
        elif is_needless(tie.id, found):
            found[tie.id] = Contest(one, two, True, True, one, two)
        elif one is None or two is None:
            winner = two if one is None else one
            found[tie.id] = Contest(one, two, True, True, winner, None)
        elif tie.id in won:
            winner = won[tie.id]
            if winner not in (None, one, two):
                raise ValueError(f"{winner} is not in {tie.id}")
            loser = None if winner is None else two if winner == one else one
            found[tie.id] = Contest(one, two, True, True, winner, loser)
        else:
            found[tie.id] = Contest(one, two, True, False, None, None)
    return MappingProxyType(found)


def is_needless(tie: str, found: Mapping[str, Contest]) -> bool:
    """Whether a tie is a reset final that is not played: the one before it has decided all."""
    return tie == "F2" and found["F1"].is_over and found["F1"].winner == found["F1"].one


def _who(source: Source, entrants: int, found: Mapping[str, Contest]) -> tuple[int | None, bool]:
    if source.take is Take.SEED:
        return (source.seed if source.seed <= entrants else None), True
    before = found[source.tie]
    if source.take is Take.WINNER:
        return before.winner, before.is_over
    return before.loser, before.is_over


def placed(ties: Bracket, contests: Mapping[str, Contest]) -> Sequence[tuple[int, ...]]:
    """Groups of seeds by place, the best first, as far as it is decided.

    Players put out in the same round share a place, behind those put out later.
    """
    lives = 2 if any(tie.id == "F1" for tie in ties.ties) else 1
    lost: Counter[int] = Counter()
    out: dict[int, tuple[int, int]] = {}
    for tie in ties.ties:
        contest = contests[tie.id]
        pair = [each for each in (contest.one, contest.two) if each is not None]
        if not contest.is_over:
            if tie.id == "T":
                out = {each: at for each, at in out.items() if each not in pair}
        elif tie.id == "T":
            # Behind the loser of the final, which is in the same round, and not level with them.
            for each in pair:
                out[each] = (tie.round, -1 if each == contest.winner else -2)
        else:
            for each in pair:
                if each != contest.winner:
                    lost[each] += lives if contest.winner is None else 1
                    if lost[each] >= lives:
                        out.setdefault(each, (tie.round, 0))
    groups = [
        tuple(sorted(each for each, when in out.items() if when == at))
        for at in sorted(set(out.values()), reverse=True)
    ]
    left = tuple(each for each in range(1, ties.entrants + 1) if each not in out)
    over = all(contest.is_over for contest in contests.values())
    return [left, *groups] if over and left else groups
