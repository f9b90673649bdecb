"""Round robin in divisions of at most ten, by FIDE's Berger tables (Handbook C.05, annex 1)."""

from __future__ import annotations

from collections.abc import Sequence

LARGEST_DIVISION = 10


def berger(size: int, *, double: bool = False) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The rounds of a division, each a list of pairs, the player who moves first named first.

    Pairs are in FIDE's order. With an odd ``size`` one player a round has no game: that pair is
    left out. ``double`` adds a second cycle with sides exchanged; the last
    two rounds of the first are then exchanged, so that nobody has the same side three times
    running. Raises :exc:`ValueError` for fewer than two.
    """
    if size < 2:
        raise ValueError("a round robin needs two players")
    even = size + size % 2
    rounds = [_round(even, number) for number in range(1, even)]
    if double:
        if len(rounds) > 1:
            rounds[-2:] = rounds[:-3:-1]
        rounds += [
            [(second, first) for first, second in pairs]
            for pairs in (_round(even, number) for number in range(1, even))
        ]
    return tuple(tuple(pair for pair in pairs if max(pair) <= size) for pairs in rounds)


def _round(size: int, number: int) -> list[tuple[int, int]]:
    """A round for an even number of players: who meets the last, then around them."""
    circle = size - 1
    against_last = (number + 1) * (size // 2) % circle or circle
    first = (against_last, size) if against_last <= size // 2 else (size, against_last)
    pairs = [first]
    for step in range(1, size // 2):
        above = (against_last + step - 1) % circle + 1
        below = (against_last - step - 1) % circle + 1
        low, high = sorted((above, below))
        pairs.append((low, high) if (low + high) % 2 else (high, low))
    return pairs


def divide(numbers: Sequence[int], largest: int = LARGEST_DIVISION) -> tuple[tuple[int, ...], ...]:
    """Players in seeding order as divisions, none larger than said, as equal as can be.

    The best are together; the upper divisions are the larger ones.
    """
    if not numbers:
        return ()
    count = -(-len(numbers) // largest)
    each, rest = divmod(len(numbers), count)
    found = []
    at = 0
    for index in range(count):
        size = each + (index < rest)
        found.append(tuple(numbers[at : at + size]))
        at += size
    return tuple(found)


def next_divisions(
    tables: Sequence[Sequence[int]],
    *,
    up: int,
    down: int,
    staying: frozenset[int],
    joining: Sequence[int] = (),
    largest: int = LARGEST_DIVISION,
) -> tuple[tuple[int, ...], ...]:
    """The divisions of a league's next season.

    ``tables`` are the final places of each division, the highest division first. The first ``up``
    of each rise, the last ``down`` fall, where there is a division to go to. Players who are not
    ``staying`` leave first and count neither among the first nor the last; newcomers join at the
    bottom, and gaps are filled from below. ``up`` and ``down`` of one division together are cut to
    what it has, rising first.
    """
    present = [[each for each in table if each in staying] for table in tables]
    rising, falling = movers(present, up=up, down=down)
    level: dict[int, tuple[float, int]] = {}
    for index, table in enumerate(present):
        for place, each in enumerate(table):
            # Those who rise come behind all who stay above; those who fall, before all below.
            moved = (each in falling) * 0.75 - (each in rising) * 0.75
            level[each] = (index + moved, place)
    ordered = sorted(level, key=lambda each: level[each])
    return divide((*ordered, *joining), largest)


def movers(
    tables: Sequence[Sequence[int]], *, up: int, down: int
) -> tuple[frozenset[int], frozenset[int]]:
    """Who rises and who falls, of the players who stay, by the final places of each division."""
    rising: set[int] = set()
    falling: set[int] = set()
    for index, table in enumerate(tables):
        risen = min(up, len(table)) if index else 0
        fallen = min(down, len(table) - risen) if index < len(tables) - 1 else 0
        rising |= set(table[:risen])
        falling |= set(table[len(table) - fallen :])
    return frozenset(rising), frozenset(falling)
