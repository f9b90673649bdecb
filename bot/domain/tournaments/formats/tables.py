"""Tables of four: so many rounds, and a final table of the best four where wanted."""

from __future__ import annotations

from fractions import Fraction

from bot.domain.tournaments.crosstable import Kind
from bot.domain.tournaments.facts import Bye, Fixture
from bot.domain.tournaments.formats.base import Draw, Effort, Idle, Placing, Step
from bot.domain.tournaments.setup import Setup
from bot.domain.tournaments.swiss_pairing import Paired
from bot.domain.tournaments.tables import Seated, TablePlace, TableResult, ranked, seat
from bot.domain.tournaments.tournament import Tournament


def preliminary_rounds(setup: Setup) -> int:
    """How many rounds there are before a final table."""
    return setup.rounds or 3


class Tables:
    """Four at a table, 4-2-1-0 points. A player who sits out gets what an average place brings."""

    seats = 4

    def effort(self, setup: Setup, entrants: int) -> Effort:
        """See :class:`~bot.domain.tournaments.formats.base.Format`."""
        rounds = preliminary_rounds(setup)
        last = int(setup.final_table)
        return Effort(rounds + last, rounds + last, 1, rounds * (entrants // 4) + last)

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
            best = [each.number for each in self._ranked(t, rounds) if each.number in active]
            return Draw(number, (Fixture(f"{number}.1", number, 1, tuple(best[:4])),))
        seated = seat(active, self._past(t), seed=t.lots, rounds=rounds)
        games = tuple(
            Fixture(f"{number}.{board}", number, board, players)
            for board, players in enumerate(seated.tables, 1)
        )
        return Draw(number, games, tuple(Bye(each, Kind.PAIRING_BYE) for each in seated.byes))

    def places(self, t: Tournament) -> tuple[Placing, ...]:
        """By points; the final table orders its four, before all others."""
        rounds = preliminary_rounds(t.setup)
        found = self._ranked(t, rounds)
        final = next((each for each in t.in_round(rounds + 1) if each.points), None)
        if final is not None and final.points is not None:
            won = dict(zip(final.game.players, final.points, strict=True))

            def key(each: TablePlace) -> tuple[bool, Fraction, int]:
                return each.number not in won, -won.get(each.number, Fraction(0)), each.rank

            keys = sorted(map(key, found))
            # Who had the same place before and the same points at the final table shares a place.
            return tuple(
                Placing(keys.index(key(each)) + 1, each.number, each.points)
                for each in sorted(found, key=key)
            )
        return tuple(Placing(each.rank, each.number, each.points) for each in found)

    def before_final(self, t: Tournament) -> tuple[TablePlace, ...]:
        """The places of all tables but the final one, with what decides between equal points."""
        return self._ranked(t, preliminary_rounds(t.setup))

    def _past(self, t: Tournament) -> list[Seated]:
        return [
            Seated(
                tuple(each.game.players for each in t.in_round(done.number)),
                tuple(sorted(n for n, kind in done.byes.items() if kind is Kind.PAIRING_BYE)),
            )
            for done in t.rounds
        ]

    def _ranked(self, t: Tournament, rounds: int) -> tuple[TablePlace, ...]:
        results = [
            TableResult(each.game.players, each.points)
            for each in t.games.values()
            if each.points is not None and each.game.round <= rounds
        ]
        byes: dict[int, int] = {}
        for done in t.rounds:
            for number, kind in done.byes.items():
                byes[number] = byes.get(number, 0) + (kind is Kind.PAIRING_BYE)
        return ranked([each.number for each in t.entrants], results, byes)
