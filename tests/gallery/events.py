"""Events made by hand that show everything that tables, crosstables and brackets can show.

They are for the contact sheets, the benchmarks and the tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from renderers.bracket import Bracket, Match, Round, Slot, Stage
from renderers.crosstable import CrossRow, Crosstable, Meeting, Met
from renderers.tables import Row, Table

_FIRST = (
    "Zoë Åström",
    "Дмитрий Шостак",
    "Δημήτρης",
    "Łukasz Żółć",
    "Bartholomew Featherstonehaugh-Cholmondeley",
    "João",
    "עברית",
    "Nguyễn Thị Minh Khai",
    "مريم",
    "Bo",
    "田中さくら",
    "O'Brien",
)


def name_of(number: int) -> str:
    """The name of a player, by their number from 0."""
    first = _FIRST[number % len(_FIRST)]
    return first if number < len(_FIRST) else f"{first} {number // len(_FIRST) + 1}"


def standings(count: int, *, seed: int = 1) -> Table:
    """The table of a Swiss of ``count`` players after five rounds."""
    random = Random(seed)
    halves = sorted((random.randrange(11) for _ in range(count)), reverse=True)
    rows = tuple(
        Row(
            str(index + 1),
            name_of(index),
            (points(half), points(random.randrange(20, 60)), f"{random.randrange(900) / 100:.2f}"),
            f"#{index + 1}",
            stands_out=index == 0,
        )
        for index, half in enumerate(halves)
    )
    return Table("Autumn Swiss", ("Points", "Buchholz", "SB"), rows, "Round 5 of 7")


def points(halves: int) -> str:
    """Half points in letters."""
    return {0: "0", 1: "½"}.get(halves) or f"{halves // 2}{'½' if halves % 2 else ''}"


def round_robin(count: int, *, seed: int = 2) -> Crosstable:
    """A round robin of ``count`` players, in which a few games are not finished."""
    random = Random(seed)
    told = {2: Meeting(Met.WON, "1"), 1: Meeting(Met.DRAWN, "½"), 0: Meeting(Met.LOST, "0")}
    halves: dict[tuple[int, int], int] = {}
    for one in range(count):
        for two in range(one):
            if random.random() < 0.9:
                halves[one, two] = random.choice((0, 0, 1, 2, 2))
                halves[two, one] = 2 - halves[one, two]

    def cell(one: int, two: int) -> Meeting:
        if one == two:
            return Meeting(Met.SELF)
        return told[halves[one, two]] if (one, two) in halves else Meeting(Met.OPEN)

    sums = [sum(halves.get((one, two), 0) for two in range(count)) for one in range(count)]
    order = sorted(range(count), key=lambda one: -sums[one])
    rows = tuple(
        CrossRow(
            str(place),
            name_of(one),
            tuple(cell(one, two) for two in order),
            points(sums[one]),
            f"#{place}",
            stands_out=place == 1,
        )
        for place, one in enumerate(order, 1)
    )
    heads = tuple(str(place) for place in range(1, count + 1))
    return Crosstable("Division A", heads, "Points", rows, "Season 3 · two games are running")


def swiss_rounds(count: int, rounds: int) -> Crosstable:
    """The results of ``count`` players in ``rounds`` rounds, with opponents and sides."""
    random = Random(3)
    kinds = ((Met.WON, "1"), (Met.DRAWN, "½"), (Met.LOST, "0"))

    def cell() -> Meeting:
        if random.random() < 0.03:
            return Meeting(Met.WON, "1", "bye")
        met, letters = random.choice(kinds)
        return Meeting(met, letters, f"{random.randrange(1, count + 1)}{random.choice('wb')}")

    rows = tuple(
        CrossRow(
            str(index + 1),
            name_of(index),
            tuple(cell() for _ in range(rounds)),
            points(2 * rounds - index % (2 * rounds)),
            f"#{index + 1}",
        )
        for index in range(count)
    )
    heads = tuple(str(number) for number in range(1, rounds + 1))
    return Crosstable("Autumn Swiss", heads, "Points", rows, "w: first, b: second")


_TITLES = ("Final", "Semi-finals", "Quarter-finals", "Round of 16")


def _round_title(matches: int) -> str:
    step = matches.bit_length() - 1
    return _TITLES[step] if step < len(_TITLES) else f"Round of {2 * matches}"


def knockout(entrants: int, *, played: int = 99) -> Bracket:
    """A single elimination, seeded, byes to the top seeds, after ``played`` rounds."""
    size = 1 << max(1, (entrants - 1).bit_length())
    order = [1]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    alive: list[int | None] = [seed if seed <= entrants else None for seed in order]
    rounds: list[Round] = []
    lost: list[int] = []
    semi: list[int] = []
    while len(alive) > 1:
        number = len(rounds)
        first = 1 + sum(len(each.matches) for each in rounds)
        done = number < played
        pairs = [(alive[place], alive[place + 1]) for place in range(0, len(alive), 2)]
        last = len(pairs) == 1
        rounds.append(
            Round(
                _round_title(len(pairs)),
                tuple(
                    _match(pair, number, done, last, f"Match {first + at}", called=str(first + at))
                    for at, pair in enumerate(pairs)
                ),
            )
        )
        following: list[int | None] = []
        lost = []
        for one, two in pairs:
            if one is None or two is None:
                following.append(one or two)
            elif done:
                following.append(_winner(one, two))
                lost.append(one + two - _winner(one, two))
            else:
                following.append(0)
        if len(pairs) == 2:
            semi = lost
        alive = following
    place = None
    if entrants >= 4:
        one, two = semi if len(semi) == 2 else (0, 0)
        place = _match((one, two), 1, played > len(rounds) - 1, False, "Third place")
    return Bracket("Winter Cup", (Stage("", tuple(rounds), place),), "Best of three")


def _winner(one: int, two: int) -> int:
    """The better seed, except for a surprise now and then."""
    better, other = sorted((one, two))
    return other if (better * 7 + other) % 5 == 0 else better


def _match(
    pair: tuple[int | None, int | None],
    number: int,
    done: bool,
    last: bool,
    label: str = "",
    *,
    called: str = "",
) -> Match:
    def slot(seed: int, other: int | None) -> Slot:
        if not seed:
            return Slot("winner of 3", waiting=True)
        first = str(seed) if number == 0 else ""
        if other is None:
            return Slot(name_of(seed - 1), first, "bye", won=True, spare=f"#{seed}")
        won = done and bool(other) and _winner(seed, other) == seed
        score = ("2" if won else "01"[seed % 2]) if done and other else ""
        lost = done and bool(other) and not won
        return Slot(name_of(seed - 1), first, score, won, lost, spare=f"#{seed}")

    one, two = pair
    upper = None if one is None else slot(one, two)
    lower = None if two is None else slot(two, one)
    return Match(upper, lower, label, decides=last, number=called)


def double_elimination(entrants: int) -> Bracket:
    """A double elimination of a power of two players: complete except for the reset."""

    def slots(first: int, count: int, *, lower: str = "") -> Iterator[Match]:
        for index in range(count):
            one = Slot(name_of(first + 2 * index), "", "2", won=True, spare="#")
            two = Slot(name_of(first + 2 * index + 1), "", "1", lost=True, spare="#")
            yield Match(one, two, f"{lower}{index + 1}", number=f"{lower}{index + 1}")

    winners: list[Round] = []
    losers: list[Round] = []
    count = entrants // 2
    while count:
        winners.append(Round(_round_title(count), tuple(slots(0, count, lower="W"))))
        count //= 2
    count = entrants // 4
    while count:
        for half in (1, 2):
            title = f"Losers {len(losers) + 1}"
            losers.append(Round(title, tuple(slots(half, count, lower="L"))))
        count //= 2
    champion = Match(
        Slot(name_of(0), "", "2", won=True), Slot(name_of(1), "", "0", lost=True), decides=True
    )
    reset = Match(Slot("only if needed", waiting=True), Slot("only if needed", waiting=True))
    final = (Round("Final", (champion,)), Round("Reset", (reset,)))
    return Bracket(
        "Double Cup",
        (
            Stage("Winners", tuple(winners)),
            Stage("Losers", tuple(losers)),
            Stage("Finals", final),
        ),
    )
