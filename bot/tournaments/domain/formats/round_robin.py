"""Round robin: divisions of at most ten, by FIDE's Berger tables (Handbook C.05, annex 1).

All rounds are known from the start, and drawn together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.tournaments.domain.crosstable import ROUND_ROBIN, Kind, Placing, standings
from bot.tournaments.domain.facts import Bye, Fixture
from bot.tournaments.domain.formats.base import Draw, Effort, Format, Idle, Step, with_both_sides
from bot.tournaments.domain.setup import LARGEST_DIVISION, FormatKey, Setup
from bot.tournaments.domain.swiss_pairing import Paired
from bot.tournaments.domain.tournament import Tournament


def berger(size: int, *, double: bool = False) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The rounds of a division, each a list of pairs with the player who moves first.

    Pairs are in FIDE's order. With an odd ``size`` one player a round has no game: that pair is
    left out. ``double`` adds a second cycle with sides exchanged; the last two rounds of the first
    are then exchanged, so that no player has the same side three times in a row. Raises
    :exc:`ValueError` for fewer than two.
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
    """A round for an even number of players: the opponent of the last, then around them."""
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
    """Players in seeding order as divisions of at most ``largest``, as equal as possible.

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
    promoted: int,
    staying: frozenset[int],
    largest: int = LARGEST_DIVISION,
) -> tuple[tuple[int, ...], ...]:
    """The divisions of a league's next season.

    ``tables`` are the final places of each division, the highest division first. The first
    ``promoted`` of each rise, as many of the last fall, where there is a division to go to; in a
    small one rising has priority. Players who are not ``staying`` leave first and count neither
    among the first nor the last; gaps are filled from below.
    """
    present = [[each for each in table if each in staying] for table in tables]
    rising, falling = movers(present, promoted)
    level: dict[int, tuple[float, int]] = {}
    for index, table in enumerate(present):
        for place, each in enumerate(table):
            # Rising players come behind all who stay above; falling players, before all below.
            moved = (each in falling) * 0.75 - (each in rising) * 0.75
            level[each] = (index + moved, place)
    return divide(sorted(level, key=lambda each: level[each]), largest)


def movers(tables: Sequence[Sequence[int]], promoted: int) -> tuple[frozenset[int], frozenset[int]]:
    """The players who rise and fall, of those who stay, by the final places of each division."""
    rising: set[int] = set()
    falling: set[int] = set()
    for index, table in enumerate(tables):
        risen = min(promoted, len(table)) if index else 0
        fallen = min(promoted, len(table) - risen) if index < len(tables) - 1 else 0
        rising |= set(table[:risen])
        falling |= set(table[len(table) - fallen :])
    return frozenset(rising), frozenset(falling)


class RoundRobin(Format, key=FormatKey.ROUND_ROBIN):
    """All players meet within their division, which is by rating."""

    def effort(self, setup: Setup, entrants: int) -> Effort:
        """See :class:`~bot.tournaments.domain.formats.base.Format`."""
        cycles = 2 if setup.double else 1
        largest = max(map(len, divide(range(entrants), setup.division)), default=0)
        each = setup.games_at_once
        games = cycles * (largest - 1) * each
        rounds = cycles * (largest - 1 + largest % 2)
        at_once = max(setup.at_once // each, 1) * each if setup.at_once else games
        return Effort(rounds, games, min(at_once, games), each)

    def step(self, t: Tournament, paired: Paired | None = None) -> Step:
        """The next round; smaller divisions have no games in the last ones."""
        del paired
        number = len(t.rounds) + 1
        divisions = self._divisions(t)
        tables = [
            berger(len(each), double=t.setup.double) if len(each) > 1 else () for each in divisions
        ]
        if number > max((len(each) for each in tables), default=0):
            return Idle.WAIT if t.pending else Idle.OVER
        games: list[Fixture] = []
        byes = []
        for index, (members, rounds) in enumerate(zip(divisions, tables, strict=True), 1):
            pairs = rounds[number - 1] if number <= len(rounds) else ()
            for first, second in pairs:
                board = len(games) + 1
                pair = (members[first - 1], members[second - 1])
                games.append(Fixture(f"{number}.{board}", number, board, pair, division=index))
            inside = {each for pair in pairs for each in pair}
            byes += [
                Bye(each, Kind.ZERO_BYE)
                for place, each in enumerate(members, 1)
                if place not in inside
            ]
        return Draw(number, with_both_sides(t.setup, games), tuple(byes))

    def places(self, t: Tournament) -> tuple[Placing, ...]:
        """Each division by itself, the highest first."""
        found: list[Placing] = []
        for index, members in enumerate(self._divisions(t), 1):
            table = t.crosstable(fixed=True, division=index)
            missing = [each for each in members if each not in table.competitors]
            found += (replace(each, division=index) for each in standings(table, ROUND_ROBIN))
            found += (Placing(len(members), each, t.points_of(each), (), index) for each in missing)
        return tuple(found)

    def _divisions(self, t: Tournament) -> tuple[tuple[int, ...], ...]:
        """The divisions of all active entrants or, once games are drawn, of all who were drawn."""
        if t.rounds:
            drawn = {each for played in t.games.values() for each in played.game.players}
            drawn |= {each for a_round in t.rounds for each in a_round.byes}
            members = [each for each in t.seeding if each in drawn]
        else:
            members = [each for each in t.seeding if t.entrants[each - 1].is_active]
        return divide(members, t.setup.division)
