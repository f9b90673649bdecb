"""Tables of four: a fixed number of rounds, and a final table of the best four where wanted.

For 16, 28, 40 and 52 players the rounds are resolvable designs with blocks of four: each pair of
players meets exactly once. All come from one round by a group that turns it into the others: the
players are three copies of an abelian group and one more, the fixed player. The first round has the
table of the fixed player with the three zeros, and the blocks of :data:`_BLOCKS`, each in the three
rotations of the copies. For 8 players it is the affine space of three dimensions over two elements:
seven rounds, each pair meets three times. Other numbers are seated by a search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from random import Random

from bot.tournaments.domain.crosstable import Kind, Placing
from bot.tournaments.domain.facts import Bye, Fixture
from bot.tournaments.domain.formats.base import Draw, Effort, Format, Idle, Step
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.domain.swiss_pairing import Paired
from bot.tournaments.domain.tournament import Tournament

PLACES = (Fraction(4), Fraction(2), Fraction(1), Fraction(0))
"""Points for the places at a table; players who tie share those of their places."""
BYE = sum(PLACES, Fraction(0)) / len(PLACES)
"""Points for a round without a table, if the number is no multiple of four: the average place."""

_TRIES = 400
"""Exchanges tried for each table of a searched round."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A round: tables of four numbers in the order of the seats, and the players who sit out."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


Result = tuple[Sequence[int], Sequence[Fraction]]
"""A played table: the players in the order of seats, and their points."""


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A player's place: points, then points at tables with players of equal points, then wins."""

    rank: int
    number: int
    points: Fraction
    together: Fraction
    wins: int


def place_points(scores: Sequence[float], absent: Sequence[int] = ()) -> tuple[Fraction, ...]:
    """The points of each seat for the scores of a game, the highest first; ties share.

    ``absent`` are seats whose player left or did not come: they have nothing, and the others the
    places from the first. With fewer than four players, the first places are given.
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

    If a design fits, all its rounds are used: no pair meets again too early. Else, or once a player
    has left, a search that draws by ``seed`` keeps repeated meetings few and seats even. Players
    who do not fill a table sit out, first those who have done so least. ``rounds`` is the total
    number of rounds; seats of a design are balanced over them. Raises :exc:`ValueError` for fewer
    than four players.
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
    """Whether the next round belongs to a design that the rounds before followed."""
    if len(order) not in DESIGNS or len(past) >= DESIGNS[len(order)]:
        return False
    planned = _designed(tuple(order), seed, rounds or DESIGNS[len(order)])
    return len(past) < len(planned) and list(past) == list(planned[: len(past)])


def _designed(order: tuple[int, ...], seed: int, rounds: int) -> list[Seated]:
    """The rounds of a design for these players, in random order, with balanced seats."""
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
    """Seats for up to four rounds so that no player has a seat twice.

    That is colouring the edges between tables and players with four colours, which is always
    possible (König): along a chain of two colours these are exchanged until both ends have one
    free.
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
    """Tables with as few repeated meetings as pairwise exchanges of players find."""
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
    results: Sequence[Result],
    byes: Mapping[int, int] = {},
) -> tuple[TablePlace, ...]:
    """The standings: points of all tables and byes (``byes``: the number of each player's).

    Equal points are separated by points at tables with players of equal points, then by tables won
    outright or shared.
    """
    points = {each: BYE * byes.get(each, 0) for each in numbers}
    wins = Counter[int]()
    for players, found in results:
        best = max(found)
        for each, got in zip(players, found, strict=True):
            points[each] += got
            wins[each] += got == best and best > 0
    together = dict.fromkeys(numbers, Fraction(0))
    for players, found in results:
        for each, got in zip(players, found, strict=True):
            if any(other != each and points[other] == points[each] for other in players):
                together[each] += got
    keys = {each: (points[each], together[each], wins[each]) for each in numbers}
    order = sorted(numbers, key=lambda each: (*(-part for part in keys[each]), each))
    rank = {key: 1 + sum(other > key for other in keys.values()) for key in keys.values()}
    return tuple(
        TablePlace(rank[keys[each]], each, points[each], together[each], wins[each])
        for each in order
    )


_Element = tuple[int, ...]
_BLOCKS: Mapping[int, tuple[tuple[int, ...], tuple[tuple[tuple[_Element, int], ...], ...]]] = {
    16: ((5,), ((((1,), 0), ((2,), 1), ((3,), 1), ((4,), 0)),)),
    28: (
        (3, 3),
        (
            (((0, 1), 0), ((0, 2), 0), ((1, 1), 1), ((2, 2), 0)),
            (((1, 0), 0), ((1, 2), 1), ((2, 0), 2), ((2, 1), 0)),
        ),
    ),
    40: (
        (13,),
        (
            (((1,), 0), ((5,), 1), ((8,), 1), ((12,), 0)),
            (((2,), 0), ((3,), 1), ((10,), 1), ((11,), 0)),
            (((4,), 0), ((6,), 1), ((7,), 1), ((9,), 0)),
        ),
    ),
    52: (
        (17,),
        (
            (((1,), 0), ((3,), 1), ((7,), 1), ((15,), 2)),
            (((2,), 0), ((5,), 0), ((12,), 2), ((13,), 0)),
            (((4,), 0), ((8,), 1), ((14,), 0), ((16,), 0)),
            (((6,), 0), ((9,), 2), ((10,), 2), ((11,), 1)),
        ),
    ),
}
DESIGNS: Mapping[int, int] = {8: 7, 16: 5, 28: 9, 40: 13, 52: 17}
"""Numbers of players, and the number of rounds of each."""


@cache
def design(players: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The rounds, each a list of tables of players numbered from 0. Seats are not settled here.

    Raises :exc:`KeyError` for a number not in :data:`DESIGNS`.
    """
    if players == 8:
        return _of_eight()
    orders, blocks = _BLOCKS[players]
    elements = list(product(*(range(order) for order in orders)))
    index = {
        (element, copy): 1 + 3 * number + copy
        for number, element in enumerate(elements)
        for copy in range(3)
    }
    rounds = []
    for shift in elements:
        tables = [(0, *(index[shift, copy] for copy in range(3)))]
        for block in blocks:
            for turn in range(3):
                moved = (
                    (
                        tuple(
                            (a + b) % order
                            for a, b, order in zip(element, shift, orders, strict=True)
                        ),
                        (copy + turn) % 3,
                    )
                    for element, copy in block
                )
                tables.append(tuple(index[each] for each in moved))
        rounds.append(tuple(tables))
    return tuple(rounds)


def _of_eight() -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Each of the seven ways to halve the cube by a plane through the origin and its complement."""
    rounds = []
    for normal in range(1, 8):
        half = tuple(each for each in range(8) if (each & normal).bit_count() % 2 == 0)
        rounds.append((half, tuple(each for each in range(8) if each not in half)))
    return tuple(rounds)


def preliminary_rounds(setup: Setup) -> int:
    """The number of rounds before a final table."""
    return setup.rounds or 3


class Tables(Format, key=FormatKey.TABLES):
    """Four at a table, 4-2-1-0 points.

    A player who sits out gets the points of an average place.
    """

    def effort(self, setup: Setup, entrants: int) -> Effort:
        """See :class:`~bot.tournaments.domain.formats.base.Format`."""
        del entrants
        rounds = preliminary_rounds(setup) + setup.final_table
        return Effort(rounds, rounds, 1)

    def step(self, t: Tournament, paired: Paired | None = None) -> Step:
        """The next round, or the final table."""
        del paired
        if t.pending:
            return Idle.WAIT
        number = len(t.rounds) + 1
        rounds = preliminary_rounds(t.setup)
        active = [each.number for each in t.active]
        if number > rounds + t.setup.final_table or len(active) < 4:
            return Idle.OVER
        if number > rounds:
            best = [each.number for each in self.before_final(t) if each.number in active]
            return Draw(number, (Fixture(f"{number}.1", number, 1, tuple(best[:4])),))
        seated = seat(active, self._past(t), seed=t.lots, rounds=rounds)
        games = tuple(
            Fixture(f"{number}.{board}", number, board, players)
            for board, players in enumerate(seated.tables, 1)
        )
        return Draw(number, games, tuple(Bye(each, Kind.PAIRING_BYE) for each in seated.byes))

    def places(self, t: Tournament) -> tuple[Placing, ...]:
        """By points; the final table orders its four, before all others."""
        won = {
            number: points
            for each in t.in_round(preliminary_rounds(t.setup) + 1)
            for number, points in zip(each.game.players, each.points or (), strict=False)
        }

        def key(each: TablePlace) -> tuple[bool, Fraction, int]:
            return each.number not in won, -won.get(each.number, Fraction(0)), each.rank

        found = sorted(self.before_final(t), key=key)
        keys = [key(each) for each in found]
        # Players with the same place before and the same points at the final table share a place.
        return tuple(
            Placing(keys.index(mine) + 1, each.number, each.points)
            for each, mine in zip(found, keys, strict=True)
        )

    def _past(self, t: Tournament) -> list[Seated]:
        return [
            Seated(
                tuple(each.game.players for each in t.in_round(done.number)),
                tuple(sorted(n for n, kind in done.byes.items() if kind is Kind.PAIRING_BYE)),
            )
            for done in t.rounds
        ]

    def before_final(self, t: Tournament) -> tuple[TablePlace, ...]:
        """The places of all tables but the final one, with the tie-breaks."""
        rounds = preliminary_rounds(t.setup)
        results = [
            (each.game.players, each.points)
            for each in t.games.values()
            if each.points is not None and each.game.round <= rounds
        ]
        byes = Counter(
            number
            for done in t.rounds
            for number, kind in done.byes.items()
            if kind is Kind.PAIRING_BYE
        )
        return ranked([each.number for each in t.entrants], results, byes)
