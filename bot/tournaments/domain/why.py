"""The reasons of a pairing: the facts that the rules weigh, as data for pages.

All is from before the round. Numbers of articles are those of the FIDE Dutch system (Handbook
C.04.3). It holds for any format of two; a Swiss pairing follows from it, others do not.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import combinations

from bot.tournaments.domain.crosstable import (
    LOSS,
    Competitor,
    Crosstable,
    CrosstableLine,
    Kind,
    Side,
)
from bot.tournaments.domain.facts import Fixture
from bot.tournaments.domain.formats.swiss import Acceleration
from bot.tournaments.domain.tournament import Tournament


class Strength(Enum):
    """The strength of a player's claim to a side (article 1.7)."""

    NONE = "none"
    """No game so far."""
    MILD = "mild"
    """Both sides equally often: the other side's turn."""
    STRONG = "strong"
    """One side once more often."""
    ABSOLUTE = "absolute"
    """One side twice more often, or in both of the last games."""


class Float(Enum):
    """Whether a round was played outside one's own score group (article 1.4)."""

    DOWN = "down"
    """Against an opponent with fewer points, or with points but without an opponent."""
    UP = "up"
    LEVEL = "level"


@dataclass(frozen=True, slots=True)
class WhyPlayer:
    """A player in a pairing: points, sides so far, the due side, floats of the last two rounds.

    ``firsts`` and ``seconds`` are played games. ``floats`` has the last round last.
    """

    number: int
    points: Fraction
    firsts: int
    seconds: int
    due: Side | None
    strength: Strength
    floats: tuple[Float, ...]
    byes: tuple[int, ...]
    """Rounds with a bye."""


@dataclass(frozen=True, slots=True)
class WhyPairing:
    """Two players of a round, the one who moves first named first.

    ``group`` are all players with the points of the higher one. ``met_before`` is the round in
    which they met already; a game that wasn't played, in round ``not_played``, is no meeting.
    ``bonus`` are additional points of some players for pairing an accelerated round.
    """

    round: int
    first: WhyPlayer
    second: WhyPlayer
    group: tuple[int, ...]
    met_before: int | None
    not_played: int | None = None
    bonus: Fraction = LOSS

    @property
    def is_float(self) -> bool:
        """Whether the two had different points."""
        return self.first.points != self.second.points

    @property
    def wishes_granted(self) -> tuple[bool, bool]:
        """Whether the first and the second player have their due side."""
        return (self.first.due is not Side.SECOND, self.second.due is not Side.FIRST)


@dataclass(frozen=True, slots=True)
class WhyBye:
    """The player left over: ``spared`` had as many points or fewer but could not be.

    They had a bye, or a point without a game, before (article 1.5 of C.04.1); ``others`` could have
    been left over too.
    """

    round: int
    player: WhyPlayer
    spared: tuple[int, ...]
    others: tuple[int, ...]
    bonus: Fraction = LOSS


_NONE = Acceleration()


def why_pairing(
    table: Crosstable, number: int, first: int, second: int, more: Acceleration = _NONE
) -> WhyPairing:
    """Why two players meet in a round of a table; points are those for the pairing."""
    before = table.until(number - 1)
    players = before.competitors
    one, two = (_player(before, each, number, more) for each in (first, second))
    high = max(one.points, two.points)
    group = tuple(
        each
        for each in _present(table, number)
        if players[each].points + more.points(number, each) == high
    )
    paired = [line for line in players[first].lines if line.opponent == second]
    met = next((line.round for line in paired if line.kind is not Kind.FORFEIT), None)
    missed = next((line.round for line in paired if line.kind is Kind.FORFEIT), None)
    return WhyPairing(number, one, two, group, met, missed, more.bonus(number))


def why_bye(table: Crosstable, number: int, left_over: int, more: Acceleration = _NONE) -> WhyBye:
    """Why a player was left over in a round of a table."""
    before = table.until(number - 1)
    player = _player(before, left_over, number, more)
    rest = [
        each
        for each in _present(table, number)
        if each != left_over
        and before.competitors[each].points + more.points(number, each) <= player.points
    ]
    spared = tuple(each for each in rest if _had_point_without_game(before, each))
    others = tuple(each for each in rest if each not in spared)
    return WhyBye(number, player, spared, others, more.bonus(number))


def _present(table: Crosstable, number: int) -> list[int]:
    """Players to be paired in a round: those with a game in it, or left over."""
    found = []
    for each in table.competitors.values():
        line = each.in_round(number)
        if line is not None and (line.opponent is not None or line.kind is Kind.PAIRING_BYE):
            found.append(each.number)
    return found


def _had_point_without_game(table: Crosstable, number: int) -> bool:
    return any(
        line.kind in (Kind.PAIRING_BYE, Kind.FULL_BYE)
        or (line.kind is Kind.FORFEIT and line.points == table.win)
        for line in table.competitors[number].lines
    )


def _player(table: Crosstable, number: int, at: int, more: Acceleration) -> WhyPlayer:
    player = table.competitors[number]
    sides = [line.side for line in player.lines if line.kind is Kind.PLAYED and line.side]
    firsts, seconds = sides.count(Side.FIRST), sides.count(Side.SECOND)
    due, strength = _due(sides)
    floats = tuple(_float(table, player, line, more) for line in player.lines[-2:])
    return WhyPlayer(
        number,
        player.points + more.points(at, number),
        firsts,
        seconds,
        due,
        strength,
        floats,
        tuple(line.round for line in player.lines if line.kind.is_bye),
    )


def _due(sides: list[Side]) -> tuple[Side | None, Strength]:
    """The due side of a player after games with these sides (article 1.7)."""
    if not sides:
        return None, Strength.NONE
    more = sides.count(Side.FIRST) - sides.count(Side.SECOND)
    last = sides[-1]
    if len(sides) > 1 and sides[-2] is last and abs(more) < 2:
        return last.other, Strength.ABSOLUTE
    if more:
        strength = Strength.ABSOLUTE if abs(more) > 1 else Strength.STRONG
        return (Side.SECOND if more > 0 else Side.FIRST), strength
    return last.other, Strength.MILD


def _float(
    table: Crosstable, player: Competitor, line: CrosstableLine, more: Acceleration
) -> Float:
    if line.opponent is None or line.kind is Kind.FORFEIT:
        return Float.DOWN if line.points else Float.LEVEL
    other = table.competitors[line.opponent]
    mine, theirs = (
        each.until(line.round - 1).points + more.points(line.round, each.number)
        for each in (player, other)
    )
    if mine == theirs:
        return Float.LEVEL
    return Float.DOWN if mine > theirs else Float.UP


def earlier(t: Tournament, fixture: Fixture) -> list[Fixture]:
    """The games before this one: in earlier rounds, or drawn before where there are none."""
    if not t.setup.format.facts.has_rounds:
        order = list(t.games)
        return [t.games[name].game for name in order[: order.index(fixture.id)]]
    return [each.game for each in t.games.values() if each.game.round < fixture.round]


def met_before(t: Tournament, fixture: Fixture) -> dict[tuple[int, int], int]:
    """The number of earlier meetings of each two players of a game."""
    met = Counter(
        pair for game in earlier(t, fixture) for pair in combinations(sorted(game.players), 2)
    )
    return {pair: met[pair] for pair in combinations(sorted(fixture.players), 2)}
