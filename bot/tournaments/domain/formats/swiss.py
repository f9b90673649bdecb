"""Swiss: players with equal points meet, by the FIDE Dutch system.

Accelerated rounds follow the Baku method (FIDE Handbook C.04.5.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bot.tournaments.domain.crosstable import LOSS, SWISS, Kind, Placing, standings
from bot.tournaments.domain.facts import Bye, Fixture
from bot.tournaments.domain.formats.base import (
    Ask,
    Draw,
    Effort,
    Format,
    Idle,
    Step,
    with_both_sides,
)
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.domain.swiss_pairing import Paired, PairingRequest
from bot.tournaments.domain.tournament import Tournament
from bot.tournaments.domain.trf import Report


@dataclass(frozen=True, slots=True)
class Acceleration:
    """Points that count in the pairing alone.

    ``upper`` are the entrants who have them, by seed from the first; ``spans`` are their numbers,
    and their rounds (first, last).
    """

    upper: tuple[int, ...] = ()
    spans: tuple[tuple[Fraction, int, int], ...] = ()

    def bonus(self, number: int) -> Fraction:
        """The virtual points of a round; 0 in one that is not accelerated."""
        return next((points for points, first, last in self.spans if first <= number <= last), LOSS)

    def points(self, number: int, entrant: int) -> Fraction:
        """An entrant's virtual points in a round."""
        return self.bonus(number) if entrant in self.upper else LOSS


def acceleration(t: Tournament) -> Acceleration:
    """The acceleration of a tournament; an empty one if it has none.

    The upper half of the entrants in the first round, rounded up to an even number, and later
    entrants above the last of them. Players who enter late don't change its rounds.
    """
    if not t.setup.accelerated:
        return Acceleration()
    rounds = _rounds(t, sum(each.since == 1 for each in t.entrants))
    order = t.seeding
    starters = _starters(t)
    first = [each for each in order if each in starters]
    half = 2 * -(-len(first) // 4)
    upper = order[: order.index(first[half - 1]) + 1] if len(first) > half else order
    accelerated = -(-rounds // 2)
    whole = -(-accelerated // 2)
    spans = [(Fraction(1), 1, whole), (Fraction(1, 2), whole + 1, accelerated)]
    return Acceleration(upper, tuple(each for each in spans if each[1] <= each[2]))


def _starters(t: Tournament) -> frozenset[int]:
    """The entrants in the first round, or with a requested bye in it."""
    if not t.rounds:
        return frozenset(each.number for each in t.entrants if each.is_active or 1 in each.byes)
    there = {number for each in t.in_round(1) for number in each.game.players}
    there |= {
        number
        for number, kind in t.rounds[0].byes.items()
        if kind is not Kind.ZERO_BYE or 1 in t.entrants[number - 1].byes
    }
    return frozenset(number for number in there if t.entrants[number - 1].since == 1)


class Swiss(Format, key=FormatKey.SWISS):
    """A fixed number of rounds; the engine pairs each once the one before is over."""

    def effort(self, setup: Setup, entrants: int) -> Effort:
        """See :class:`~bot.tournaments.domain.formats.base.Format`."""
        rounds = setup.rounds or usual_rounds(entrants)
        each = setup.games_at_once
        return Effort(rounds, rounds * each, each, each)

    def step(self, t: Tournament, paired: Paired | None = None) -> Step:
        """The next round, once an engine has paired it."""
        number = len(t.rounds) + 1
        rounds = _rounds(t, len(t.entrants))
        if t.pending:
            return Idle.WAIT
        if number > rounds or len(t.active) < 2:
            return Idle.OVER
        report, numbers = report_of(t, rounds)
        request = PairingRequest(report, number)
        if len(request.present) < 2:
            # There is no opponent, so the player who is present has a full-point bye.
            paired = Paired((), None)
        elif paired is None:
            return Ask(request, numbers)
        games = [
            Fixture(f"{number}.{board}", number, board, (numbers[first - 1], numbers[second - 1]))
            for board, (first, second) in enumerate(paired.pairs, 1)
        ]
        byes = [Bye(each, kind) for each, kind in byes_in(t, number).items()]
        if paired.bye is not None:
            byes.append(Bye(numbers[paired.bye - 1], Kind.PAIRING_BYE))
        if paired.out is not None:
            byes.append(Bye(numbers[paired.out - 1], Kind.HALF_BYE))
        if not paired.pairs:
            byes += [Bye(numbers[each.number - 1], Kind.FULL_BYE) for each in request.present]
        return Draw(number, with_both_sides(t.setup, games), tuple(byes))

    def most_rounds(self, t: Tournament) -> int:
        """The most rounds it can have; more players can still enter before the first."""
        return _rounds(t, len(t.entrants) if t.rounds else t.setup.most)

    def places(self, t: Tournament) -> tuple[Placing, ...]:
        """By FIDE's tie-breaks for Swiss tournaments."""
        return standings(t.crosstable(), SWISS)


def _rounds(t: Tournament, entrants: int) -> int:
    return min(t.setup.rounds or usual_rounds(entrants), entrants - 1 + entrants % 2)


def usual_rounds(entrants: int) -> int:
    """The rounds that find one winner: the logarithm of the number to base two, at least three."""
    return min(15, max(3, (max(entrants, 1) - 1).bit_length()))


def byes_in(t: Tournament, number: int) -> dict[int, Kind]:
    """Players who are not paired in a round: those with a bye in it, and those who have left."""
    return {
        each.number: each.byes.get(number, Kind.ZERO_BYE)
        for each in t.entrants
        if not each.is_active or number in each.byes
    }


def accelerated_in(t: Tournament, rounds: int) -> tuple[tuple[Fraction, int, int, int, int], ...]:
    """Additional points by rounds and seeds, in the form of a report."""
    found = acceleration(t)
    return tuple(
        (points, first, min(last, rounds), 1, len(found.upper))
        for points, first, last in found.spans
        if first <= rounds and found.upper
    )


def _meet(game: Fixture, group: tuple[int, ...]) -> bool:
    """Whether two of a group play this game."""
    return len({*game.players} & {*group}) > 1


def met_all_the_same(t: Tournament, number: int) -> tuple[Fixture, ...]:
    """The games of a round between players who were to be kept apart in it."""
    groups = t.rounds[number - 1].apart if number <= len(t.rounds) else ()
    games = (each.game for each in t.in_round(number))
    return tuple(game for game in games if any(_meet(game, group) for group in groups))


def forbidden_in(t: Tournament, rounds: int) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
    """The groups that may not meet and their rounds, by seeds, in the form of a report.

    For drawn rounds it is the rule at the time. Choices for rounds to come are last, and of those
    the newest.
    """
    seed = {number: place for place, number in enumerate(t.seeding, 1)}
    found = [
        (each.number, each.number, group)
        for each in t.rounds
        for group in each.apart
        if not any(_meet(played.game, group) for played in t.in_round(each.number))
    ]
    number = len(t.rounds) + 1
    if number <= rounds and not t.status.is_final:
        found += [
            (number, min(each.last or rounds, rounds), each.entrants)
            for each in t.apart
            if each.holds_in(number)
        ]
    spans: list[tuple[int, int, tuple[int, ...]]] = []
    for first, last, group in found:
        before = [each for each in spans if each[1:] == (first - 1, group)]
        for each in before:
            spans.remove(each)
        spans.append((before[0][0] if before else first, last, group))
    return tuple(
        (first, last, tuple(sorted(seed[each] for each in group))) for first, last, group in spans
    )


def report_of(t: Tournament, rounds: int) -> tuple[Report, tuple[int, ...]]:
    """The tournament as a report, and its entrants by their numbers there, which are seeds."""
    numbers = t.seeding
    seed = {number: place for place, number in enumerate(numbers, 1)}
    table = t.crosstable()
    players = tuple(table.competitors[number].renumbered(seed) for number in numbers)
    number = len(t.rounds) + 1
    byes = {seed[each]: kind for each, kind in byes_in(t, number).items()}
    system = t.setup.format.facts.report
    report = Report(
        players,
        name=t.setup.name,
        system=f"{system}_BAKU" if t.setup.accelerated else system,
        planned=rounds,
        first_side=t.first_side,
        byes={number: byes},
        forbidden=forbidden_in(t, rounds),
        accelerated=accelerated_in(t, rounds),
    )
    return report, numbers
