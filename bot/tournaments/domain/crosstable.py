"""The results of every player in every round, and the standings that follow from them.

Points are exact (:class:`fractions.Fraction`): three players who share first place at a table of
four have 7/3 points each. *First* is the side that makes the first move, White in chess.

Standings are by points, then tie-breaks by FIDE's rules of 1 March 2026 (Handbook C.07), which
explain themselves: a :class:`Value` is a sum; its terms name the opponent, the counted score and
its reason, and whether the term was cut. Numbers of articles are those of C.07.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction

WIN = Fraction(1)
DRAW = Fraction(1, 2)
LOSS = Fraction(0)


class Side(Enum):
    """The sides of a game of two: the first moves first."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Side:
        """The opponent's side."""
        return Side.SECOND if self is Side.FIRST else Side.FIRST


class Kind(Enum):
    """The kinds of rounds for one player."""

    PLAYED = "played"
    PENDING = "pending"
    """Paired, and not decided yet."""
    FORFEIT = "forfeit"
    """Paired, but won or lost without a game."""
    PAIRING_BYE = "pairing_bye"
    """Left over by the pairing; worth a win."""
    FULL_BYE = "full_bye"
    HALF_BYE = "half_bye"
    ZERO_BYE = "zero_bye"
    """Requested, or absent. Half-point and zero-point byes are *requested* byes."""

    @property
    def is_bye(self) -> bool:
        """Whether there was no opponent."""
        return self in _BYES

    @property
    def is_requested(self) -> bool:
        """Whether it is a requested bye (FIDE C.07 article 16.1.1)."""
        return self in (Kind.HALF_BYE, Kind.ZERO_BYE)


_BYES = frozenset({Kind.PAIRING_BYE, Kind.FULL_BYE, Kind.HALF_BYE, Kind.ZERO_BYE})


@dataclass(frozen=True, slots=True)
class CrosstableLine:
    """One round of one player. ``opponent`` is a competitor's number, None in a bye."""

    round: int
    opponent: int | None
    side: Side | None
    points: Fraction
    kind: Kind

    @property
    def is_voluntary(self) -> bool:
        """Whether it is a voluntary unplayed round: a requested bye or a forfeit loss (16.1.2)."""
        return self.kind.is_requested or (self.kind is Kind.FORFEIT and self.points == LOSS)

    @property
    def is_over(self) -> bool:
        """Whether it counts: decided, or a bye."""
        return self.kind is not Kind.PENDING


@dataclass(frozen=True, slots=True)
class Competitor:
    """One player: a constant number (1 is the highest seed), and the rounds in order."""

    number: int
    name: str = ""
    rating: int | None = None
    lines: tuple[CrosstableLine, ...] = ()

    @property
    def points(self) -> Fraction:
        """All points so far, byes and forfeits too."""
        return sum((line.points for line in self.lines), LOSS)

    def until(self, last: int) -> Competitor:
        """The same player after ``last`` rounds."""
        return replace(self, lines=tuple(line for line in self.lines if line.round <= last))

    def renumbered(self, numbers: Mapping[int, int]) -> Competitor:
        """The same with other numbers for this player and all opponents."""
        lines = tuple(
            line if line.opponent is None else replace(line, opponent=numbers[line.opponent])
            for line in self.lines
        )
        return replace(self, number=numbers[self.number], lines=lines)

    def in_round(self, number: int) -> CrosstableLine | None:
        """The player's line of a round; None if there is none."""
        return next((line for line in self.lines if line.round == number), None)


@dataclass(frozen=True, slots=True)
class Crosstable:
    """All competitors of one tournament or division, by number.

    ``rounds`` is the number of drawn rounds; ``fixed`` says that all pairings were known from the
    start (round robin), so that a forfeited game still counts as one against that opponent (FIDE
    C.07 article 15.2). ``win`` and ``draw`` are their points.
    """

    competitors: Mapping[int, Competitor] = field(hash=False)
    rounds: int
    fixed: bool = False
    win: Fraction = WIN
    draw: Fraction = DRAW

    @classmethod
    def of(
        cls,
        competitors: Iterable[Competitor],
        *,
        fixed: bool = False,
        win: Fraction = WIN,
        draw: Fraction = DRAW,
    ) -> Crosstable:
        """A table of these players."""
        competitors = tuple(competitors)
        by_number = {each.number: each for each in competitors}
        rounds = max((line.round for each in competitors for line in each.lines), default=0)
        return cls(by_number, rounds, fixed, win, draw)

    def until(self, last: int) -> Crosstable:
        """The table after ``last`` rounds."""
        cut = {key: each.until(last) for key, each in self.competitors.items()}
        return replace(self, competitors=cut, rounds=min(last, self.rounds))


class TieBreak(Enum):
    """Tie-breaks between equal points; the value is FIDE's code."""

    POINTS = "PTS"
    DIRECT_ENCOUNTER = "DE"
    """Among players who are equal so far: see :func:`encounters`."""
    BUCHHOLZ = "BH"
    BUCHHOLZ_CUT_1 = "BH/C1"
    MEDIAN_BUCHHOLZ = "BH/M1"
    SONNEBORN_BERGER = "SB"
    WINS = "WIN"
    """Rounds with the points of a win, also without a game (article 7.1)."""
    KOYA = "KS"
    """Points against opponents with at least half of the possible points (article 9.2)."""


class Basis(Enum):
    """The basis of a sum's term."""

    SCORE = "score"
    """The opponent's score."""
    ADJUSTED = "adjusted"
    """The same, with byes requested at the end counted as draws (16.3.2)."""
    OWN = "own"
    """No game was played: an opponent with one's own score is assumed (16.4)."""
    OWN_AT_MOST_OPPONENT = "own_at_most_opponent"
    """The same after a forfeit, limited to the opponent's lower score (16.4.1)."""
    OWN_AT_MOST_DRAWS = "own_at_most_draws"
    """The same after a bye, limited to a draw in every round (16.4.2)."""
    NOTHING = "nothing"
    """It does not count here."""


class Cut(Enum):
    """The reason why a term is left out."""

    LEAST = "least"
    LEAST_UNPLAYED = "least_unplayed"
    """A voluntary unplayed round goes before the lowest score (16.5)."""
    GREATEST = "greatest"


@dataclass(frozen=True, slots=True)
class Term:
    """One round in a sum: ``value`` counts unless it is ``cut``.

    ``score`` is the opponent's counted score, ``points`` the player's points in that round.
    """

    round: int
    opponent: int | None
    basis: Basis
    score: Fraction
    points: Fraction
    value: Fraction
    is_voluntary: bool = False
    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """A tie-break of one player, and its sum."""

    tie_break: TieBreak
    total: Fraction
    terms: tuple[Term, ...]

    @property
    def compares(self) -> bool:
        """Whether there is something to compare: not without games between the tied players.

        A direct encounter has none where the place is decided before, or they have not met.
        """
        return self.tie_break is not TieBreak.DIRECT_ENCOUNTER or bool(self.terms)


def adjusted_score(table: Crosstable, player: Competitor) -> tuple[Fraction, tuple[int, ...]]:
    """A player's score for the tie-breaks of their opponents, and the rounds counted as draws.

    A requested bye in the last round, or with nothing but voluntary unplayed rounds after it,
    counts as a draw (16.2.5, 16.3.2). Where all pairings were known before there is no adjustment.
    """
    if table.fixed:
        return player.points, ()
    drawn: list[int] = []
    total = player.points
    for line in reversed(player.lines):
        if not line.is_voluntary:
            break
        if line.kind.is_requested:
            total += table.draw - line.points
            drawn.append(line.round)
    return total, tuple(reversed(drawn))


def value_of(table: Crosstable, number: int, tie_break: TieBreak) -> Value:
    """A tie-break of one player of a table.

    Raises :exc:`KeyError` for :attr:`TieBreak.DIRECT_ENCOUNTER`, which compares several players.
    """
    terms = tuple(_terms(table, table.competitors[number], tie_break))
    total = sum((term.value for term in terms if term.cut is None), Fraction(0))
    return Value(tie_break, total, terms)


def _own(line: CrosstableLine) -> Term:
    """A round that counts its own points."""
    return Term(line.round, line.opponent, Basis.NOTHING, LOSS, line.points, line.points)


def _terms(table: Crosstable, player: Competitor, tie_break: TieBreak) -> list[Term]:
    over = [line for line in player.lines if line.is_over]
    match tie_break:
        case TieBreak.POINTS:
            return [_own(line) for line in over]
        case TieBreak.WINS:
            wins = [Fraction(int(line.points == table.win)) for line in over]
            return [replace(_own(line), value=won) for line, won in zip(over, wins, strict=True)]
        case TieBreak.KOYA:
            players = table.competitors.values()
            most = max(sum(line.opponent is not None for line in each.lines) for each in players)
            bound = table.win * (most if table.fixed else table.rounds) / 2
            terms = []
            for line in over:
                if line.opponent is not None:
                    score = table.competitors[line.opponent].points
                    term = replace(_own(line), score=score)
                    counts = score >= bound
                    terms.append(
                        replace(term, basis=Basis.SCORE) if counts else replace(term, value=LOSS)
                    )
            return terms
        case TieBreak.SONNEBORN_BERGER:
            terms = _terms(table, player, TieBreak.BUCHHOLZ)
            return [replace(term, value=term.score * term.points) for term in terms]
        case TieBreak.BUCHHOLZ:
            met = [line for line in over if line.opponent is not None or not table.fixed]
            return [_opposition(table, player, line) for line in met]
        case TieBreak.BUCHHOLZ_CUT_1:
            # Without the least; a voluntary unplayed round goes first (14.1, 16.5).
            terms = _terms(table, player, TieBreak.BUCHHOLZ)
            if terms:
                voluntary = [at for at, term in enumerate(terms) if term.is_voluntary]
                least = min(voluntary or range(len(terms)), key=lambda at: terms[at].value)
                reason = Cut.LEAST_UNPLAYED if voluntary else Cut.LEAST
                terms[least] = replace(terms[least], cut=reason)
            return terms
        case TieBreak.MEDIAN_BUCHHOLZ:
            # Without the least and the greatest (14.3).
            terms = _terms(table, player, TieBreak.BUCHHOLZ_CUT_1)
            rest = [at for at, term in enumerate(terms) if term.cut is None]
            if rest:
                greatest = max(rest, key=lambda at: terms[at].value)
                terms[greatest] = replace(terms[greatest], cut=Cut.GREATEST)
            return terms
    raise KeyError(tie_break)


def _opposition(table: Crosstable, player: Competitor, line: CrosstableLine) -> Term:
    """The share of an opponent, or of an assumed one, in a sum."""
    opponent = None if line.opponent is None else table.competitors[line.opponent]
    other, drawn = (None, ()) if opponent is None else adjusted_score(table, opponent)
    if other is not None and (table.fixed or line.kind is Kind.PLAYED):
        score, basis = other, Basis.ADJUSTED if drawn else Basis.SCORE
    else:
        score, basis = player.points, Basis.OWN
        if other is not None:
            if other < score:
                score, basis = other, Basis.OWN_AT_MOST_OPPONENT
        elif table.draw * table.rounds < score:
            score, basis = table.draw * table.rounds, Basis.OWN_AT_MOST_DRAWS
    voluntary = line.is_voluntary and not table.fixed
    return Term(line.round, line.opponent, basis, score, line.points, score, voluntary)


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
class Placing:
    """A place in the table. Players that no tie-break separates share a ``rank`` (1, 2, 2, 4).

    ``division`` counts from 1, 0 where there are none.
    """

    rank: int
    number: int
    points: Fraction
    values: tuple[Value, ...] = ()
    division: int = 0

    def value(self, tie_break: TieBreak) -> Value | None:
        """One of the values, None if it was not requested."""
        return next((each for each in self.values if each.tie_break is tie_break), None)


@dataclass(frozen=True, slots=True)
class Encounter:
    """A player's games with those they are tied with: ``most`` if they won all unplayed ones."""

    score: Fraction
    most: Fraction
    terms: tuple[Term, ...]


def standings(table: Crosstable, order: Sequence[TieBreak] = SWISS) -> tuple[Placing, ...]:
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
            found_places.append(Placing(rank, number, points, tuple(values[number])))
        rank += len(group)
    return tuple(found_places)


def _by_last(group: Sequence[int], values: Mapping[int, Sequence[Value]]) -> list[list[int]]:
    totals = sorted({values[number][-1].total for number in group}, reverse=True)
    return [[each for each in group if values[each][-1].total == total] for total in totals]


def encounters(table: Crosstable, tied: Sequence[int]) -> Mapping[int, Encounter]:
    """The games among tied players; several with one opponent count by their average."""
    found: dict[int, Encounter] = {}
    for number in tied:
        by_opponent: dict[int, list[Term]] = {}
        for line in table.competitors[number].lines:
            if line.opponent is None or line.opponent not in tied or not line.is_over:
                continue
            if line.kind is Kind.PLAYED or table.fixed:
                by_opponent.setdefault(line.opponent, []).append(_own(line))
        score = LOSS
        terms: list[Term] = []
        for games in by_opponent.values():
            score += sum((each.value for each in games), LOSS) / len(games)
            terms += games
        missing = 0 if table.fixed else len(tied) - 1 - len(by_opponent)
        found[number] = Encounter(score, score + missing * table.win, tuple(terms))
    return found


def split(table: Crosstable, tied: Sequence[int]) -> list[list[int]]:
    """Players who are tied, in groups by direct encounter, the best first (article 6).

    If all have met, their scores decide (6.1). If not, a player gets a place only if none of the
    others could catch up by winning every unplayed game (6.2). Players who are still tied are
    compared again among themselves, as long as that separates any of them.
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
