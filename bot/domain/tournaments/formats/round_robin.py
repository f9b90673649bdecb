"""Round robin: all rounds are known from the start, and drawn at once."""

from __future__ import annotations

from bot.domain.tournaments.crosstable import Kind
from bot.domain.tournaments.facts import Bye, Fixture
from bot.domain.tournaments.formats.base import Draw, Effort, Idle, Placing, Step, with_both_sides
from bot.domain.tournaments.round_robin import berger, divide
from bot.domain.tournaments.setup import Setup
from bot.domain.tournaments.standings import ROUND_ROBIN, standings
from bot.domain.tournaments.swiss_pairing import Paired
from bot.domain.tournaments.tournament import Tournament


class RoundRobin:
    """Everyone meets everyone in their division, which is by rating."""

    seats = 2

    def effort(self, setup: Setup, entrants: int) -> Effort:
        """See :class:`~bot.domain.tournaments.formats.base.Format`."""
        cycles = 2 if setup.double else 1
        sizes = [len(one) for one in divide(range(entrants), setup.division)]
        largest = max(sizes, default=0)
        each = setup.games_at_once
        games = cycles * (largest - 1) * each
        rounds = cycles * (largest - 1 + largest % 2)
        total = cycles * sum(size * (size - 1) // 2 for size in sizes) * each
        at_once = max(setup.at_once // each, 1) * each if setup.at_once else games
        return Effort(rounds, games, min(at_once, games), total, each)

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
            found += (
                Placing(each.rank, each.number, each.points, each.values, index)
                for each in standings(table, ROUND_ROBIN)
            )
            found += (Placing(len(members), each, t.points_of(each), (), index) for each in missing)
        return tuple(found)

    def _divisions(self, t: Tournament) -> tuple[tuple[int, ...], ...]:
        """The divisions of all who are in or, once games are drawn, of all who were drawn."""
        if t.rounds:
            drawn = {each for played in t.games.values() for each in played.game.players}
            drawn |= {each for a_round in t.rounds for each in a_round.byes}
            members = [each for each in t.seeding if each in drawn]
        else:
            members = [each for each in t.seeding if t.entrants[each - 1].is_active]
        return divide(members, t.setup.division)
