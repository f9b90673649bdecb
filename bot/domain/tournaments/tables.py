"""Tables of four: who sits with whom and where, what a place is worth, and who is ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from random import Random
from types import MappingProxyType

from bot.domain.tournaments.designs import DESIGNS, design

PLACES = (Fraction(4), Fraction(2), Fraction(1), Fraction(0))
"""Points for the places at a table; players who tie share those of their places."""
BYE = sum(PLACES, Fraction(0)) / len(PLACES)
"""Points for a round without a table, where numbers do not divide by four: the average place."""

_TRIES = 400
"""Exchanges tried for each table of a round that is searched."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A round: tables of four numbers in the order of the seats, and who sits out."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableResult:
    """A table that was played: the players in the order of seats, and the points of each."""

    players: tuple[int, ...]
    points: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A player's place: points, then points at tables with those who have as many, then wins."""

    rank: int
    number: int
    points: Fraction
    together: Fraction
    wins: int


def place_points(scores: Sequence[float], absent: Sequence[int] = ()) -> tuple[Fraction, ...]:
    """The points of each seat for the scores of a game, the highest first; ties share.

    ``absent`` are seats whose player left or did not come: they have nothing, and the others the
    places from the first. Where fewer than four sit, the first places are given.
    """
    found = [Fraction(0)] * len(scores)
    present = [seat for seat in range(len(scores)) if seat not in absent]
    place = 0
    for score in sorted({scores[seat] for seat in present}, reverse=True):
        level = [seat for seat in present if scores[seat] == score]
        shared = sum(PLACES[place : place + len(level)], Fraction(0)) / len(level)
        for each in level:
            found[each] = shared
        place += len(level)
    return tuple(found)


def seat(
    numbers: Sequence[int], past: Sequence[Seated], *, seed: int, rounds: int | None = None
) -> Seated:
    """The tables of the next round for these players, ``past`` being the rounds before.

    Where a design fits, all its rounds are: no pair meets again before it must (see
    :mod:`bot.domain.tournaments.designs`). Else, or once a player has left, a search that draws by
    ``seed`` keeps repeated meetings few and seats even. Players who do not fill a table sit out,
    those first who have done so least. ``rounds`` is how many rounds there will be; seats of a
    design are balanced over them. Raises :exc:`ValueError` for fewer than four players.
    """
    if len(numbers) < 4:
        raise ValueError("a table needs four players")
    order = sorted(numbers)
    if _follows(order, past, seed, rounds):
        return _designed(tuple(order), seed, rounds or DESIGNS[len(order)])[len(past)]
    rng = Random(seed * 1009 + len(past))  # noqa: S311 - lots, not secrets
    sat_out = Counter(each for before in past for each in before.byes)
    drawn = sorted(order, key=lambda each: (sat_out[each], rng.random()))
    byes = tuple(sorted(drawn[: len(order) % 4]))
    playing = [each for each in order if each not in byes]
    met: Counter[tuple[int, int]] = Counter()
    seats: Counter[tuple[int, int]] = Counter()
    for before in past:
        for table in before.tables:
            met.update(combinations(sorted(table), 2))
            seats.update((each, at) for at, each in enumerate(table))
    tables = _search(playing, met, rng)
    return Seated(tuple(_best_seats(table, seats) for table in tables), byes)


def _follows(order: list[int], past: Sequence[Seated], seed: int, rounds: int | None) -> bool:
    """Whether the next round is one of a design that the rounds before followed."""
    if len(order) not in DESIGNS or len(past) >= DESIGNS[len(order)]:
        return False
    planned = _designed(tuple(order), seed, rounds or DESIGNS[len(order)])
    return len(past) < len(planned) and list(past) == list(planned[: len(past)])


def _designed(order: tuple[int, ...], seed: int, rounds: int) -> list[Seated]:
    """The rounds of a design for these players, lots drawn for who is which, seats balanced."""
    lots = list(order)
    Random(seed).shuffle(lots)  # noqa: S311 - lots, not secrets
    plan = [
        [[lots[each] for each in table] for table in tables]
        for tables in design(len(order))[:rounds]
    ]
    found = []
    for start in range(0, len(plan), 4):
        found += _even_seats(plan[start : start + 4])
    return [Seated(tuple(tables)) for tables in found]


def _even_seats(plan: list[list[list[int]]]) -> list[list[tuple[int, ...]]]:
    """Seats for up to four rounds so that nobody has a seat twice.

    That is colouring the edges between tables and players with four colours, which always goes
    (König): along a chain of two colours these are exchanged until both ends have one free.
    """
    at_table: dict[tuple[int, int], dict[int, int]] = {}
    of_player: dict[int, dict[int, tuple[int, int]]] = {}
    for number, tables in enumerate(plan):
        for index, table in enumerate(tables):
            here = at_table.setdefault((number, index), {})
            for player in table:
                there = of_player.setdefault(player, {})
                free = next(s for s in range(4) if s not in here)
                wanted = next(s for s in range(4) if s not in there)
                if free != wanted and free in there:
                    _exchange(at_table, of_player, player, free, wanted)
                here[free] = player
                there[free] = (number, index)
    return [
        [tuple(at_table[number, index][at] for at in range(4)) for index in range(len(tables))]
        for number, tables in enumerate(plan)
    ]


def _exchange(
    at_table: dict[tuple[int, int], dict[int, int]],
    of_player: dict[int, dict[int, tuple[int, int]]],
    player: int,
    free: int,
    wanted: int,
) -> None:
    """Exchange two seats along the chain that begins at a player, so that ``free`` is free."""
    chain: list[tuple[tuple[int, int], int, int]] = []
    seat_now, who = free, player
    while seat_now in of_player[who]:
        table = of_player[who][seat_now]
        chain.append((table, who, seat_now))
        seat_now = wanted if seat_now == free else free
        who = at_table[table][seat_now]
        chain.append((table, who, seat_now))
        seat_now = wanted if seat_now == free else free
    for table, each, old in chain:
        at_table[table].pop(old, None)
        of_player[each].pop(old, None)
    for table, each, old in chain:
        new = wanted if old == free else free
        at_table[table][new] = each
        of_player[each][new] = table


def _search(playing: list[int], met: Counter[tuple[int, int]], rng: Random) -> list[list[int]]:
    """Tables with as few repeated meetings as exchanging players two by two finds."""
    lots = list(playing)
    rng.shuffle(lots)
    tables = [lots[start : start + 4] for start in range(0, len(lots), 4)]

    def again(player: int, others: Sequence[int]) -> int:
        # A third meeting is worse than two second ones.
        return sum(
            2 * met[min(player, each), max(player, each)] + 1
            for each in others
            if each != player and met[min(player, each), max(player, each)]
        )

    if len(tables) == 1:
        return tables
    for _ in range(_TRIES * len(tables)):
        one, two = rng.sample(tables, 2)
        at, to = rng.randrange(4), rng.randrange(4)
        a, b = one[at], two[to]
        rest_one, rest_two = [x for x in one if x != a], [x for x in two if x != b]
        now = again(a, rest_one) + again(b, rest_two)
        if now and again(b, rest_one) + again(a, rest_two) <= now:
            one[at], two[to] = b, a
    return tables


def _best_seats(table: list[int], seats: Mapping[tuple[int, int], int]) -> tuple[int, ...]:
    """The order of seats in which the four have sat there least."""
    return min(
        permutations(sorted(table)),
        key=lambda order: (
            sum((2 * seats[each, at] + 1) for at, each in enumerate(order)),
            max(seats[each, at] for at, each in enumerate(order)),
        ),
    )


def ranked(
    numbers: Sequence[int],
    results: Sequence[TableResult],
    byes: Mapping[int, int] = MappingProxyType({}),
) -> tuple[TablePlace, ...]:
    """The standings: points of all tables and byes (``byes``: how many each has had).

    Equal points are told apart by points at those tables where players with as many met, then by
    tables won outright or shared.
    """
    points = {each: BYE * byes.get(each, 0) for each in numbers}
    wins = Counter[int]()
    for result in results:
        best = max(result.points)
        for each, got in zip(result.players, result.points, strict=True):
            points[each] += got
            wins[each] += got == best and best > 0
    together = dict.fromkeys(numbers, Fraction(0))
    for result in results:
        for each, got in zip(result.players, result.points, strict=True):
            if any(other != each and points[other] == points[each] for other in result.players):
                together[each] += got
    keys = {each: (points[each], together[each], wins[each]) for each in numbers}
    order = sorted(numbers, key=lambda each: (*(-part for part in keys[each]), each))
    rank = {key: 1 + sum(other > key for other in keys.values()) for key in keys.values()}
    return tuple(
        TablePlace(rank[keys[each]], each, points[each], together[each], wins[each])
        for each in order
    )
