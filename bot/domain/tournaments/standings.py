"""Who is ahead: points, then tie-breaks in the order that a tournament states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from bot.domain.tournaments.crosstable import LOSS, Crosstable, Kind
from bot.domain.tournaments.tiebreaks import Basis, Term, TieBreak, Value, value_of

ROUND_ROBIN = (
    TieBreak.POINTS,
    TieBreak.DIRECT_ENCOUNTER,
    TieBreak.SONNEBORN_BERGER,
    TieBreak.WINS,
    TieBreak.KOYA,
)
SWISS = (
    TieBreak.POINTS,
    TieBreak.BUCHHOLZ_CUT_1,
    TieBreak.BUCHHOLZ,
    TieBreak.SONNEBORN_BERGER,
    TieBreak.DIRECT_ENCOUNTER,
    TieBreak.WINS,
)


@dataclass(frozen=True, slots=True)
class Standing:
    """A place in the table. Players that no tie-break separates share a ``rank`` (1, 2, 2, 4)."""

    rank: int
    number: int
    points: Fraction
    values: tuple[Value, ...]

    def value(self, tie_break: TieBreak) -> Value | None:
        """One of the values, None if it was not asked for."""
        return next((each for each in self.values if each.tie_break is tie_break), None)


@dataclass(frozen=True, slots=True)
class Encounter:
    """A player's games with those they are tied with: ``most`` if all not played were won."""

    score: Fraction
    most: Fraction
    terms: tuple[Term, ...]


def standings(table: Crosstable, order: Sequence[TieBreak] = SWISS) -> tuple[Standing, ...]:
    """The table of places, best first; equals by number."""
    values: dict[int, list[Value]] = {number: [] for number in table.competitors}
    groups = [sorted(table.competitors)] if table.competitors else []
    for tie_break in order:
        if tie_break is TieBreak.DIRECT_ENCOUNTER:
            for group in groups:
                for number, met in encounters(table, group).items():
                    values[number].append(Value(tie_break, met.score, met.terms))
            groups = [part for group in groups for part in split(table, group)]
            continue
        for number, found in values.items():
            found.append(value_of(table, number, tie_break))
        groups = [part for group in groups for part in _by_last(group, values)]
    found_places = []
    rank = 1
    for group in groups:
        for number in group:
            points = table.competitors[number].points
            found_places.append(Standing(rank, number, points, tuple(values[number])))
        rank += len(group)
    return tuple(found_places)


def _by_last(group: Sequence[int], values: Mapping[int, Sequence[Value]]) -> list[list[int]]:
    totals = sorted({values[number][-1].total for number in group}, reverse=True)
    return [[each for each in group if values[each][-1].total == total] for total in totals]


def encounters(table: Crosstable, tied: Sequence[int]) -> Mapping[int, Encounter]:
    """The games among players who are tied; several with one opponent count by their average."""
    found: dict[int, Encounter] = {}
    for number in tied:
        by_opponent: dict[int, list[Term]] = {}
        for line in table.competitors[number].lines:
            if line.opponent is None or line.opponent not in tied or not line.is_over:
                continue
            if line.kind is Kind.PLAYED or table.fixed:
                by_opponent.setdefault(line.opponent, []).append(
                    Term(line.round, line.opponent, Basis.NOTHING, LOSS, line.points, line.points)
                )
        score = LOSS
        terms: list[Term] = []
        for games in by_opponent.values():
            score += sum((each.value for each in games), LOSS) / len(games)
            terms += games
        missing = 0 if table.fixed else len(tied) - 1 - len(by_opponent)
        found[number] = Encounter(score, score + missing * table.win, tuple(terms))
    return MappingProxyType(found)


def split(table: Crosstable, tied: Sequence[int]) -> list[list[int]]:
    """Players who are tied, in groups by direct encounter, the best first (article 6).

    If all have met, their scores decide (6.1). If not, a player gets a place only if none of the
    others could catch up by winning every game that was not played (6.2). Players who are still
    tied are compared again among themselves, as long as that separates any of them.
    """
    if len(tied) < 2:
        return [list(tied)]
    met = encounters(table, tied)
    by_score = sorted(tied, key=lambda number: (-met[number].score, number))
    groups: list[list[int]] = []
    if all(each.score == each.most for each in met.values()):
        for number in by_score:
            if groups and met[groups[-1][0]].score == met[number].score:
                groups[-1].append(number)
            else:
                groups.append([number])
    else:
        rest = by_score
        while len(rest) > 1 and met[rest[0]].score > max(met[each].most for each in rest[1:]):
            groups.append([rest[0]])
            rest = rest[1:]
        groups.append(sorted(rest))
    if len(groups) == 1:
        return groups
    return [part for group in groups for part in split(table, group)]
