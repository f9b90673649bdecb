"""Arena and ladder: games begin when players are free or accept a challenge, not in rounds.

An arena pairs free players of similar points immediately, counts streaks, and ends on the minute. A
ladder has rungs, challenges a bounded number of places up, and results that move the players.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from bot.errors import UserError
from bot.tournaments.domain.crosstable import DRAW, LOSS, WIN, Placing
from bot.tournaments.domain.facts import Fixture, How
from bot.tournaments.domain.formats.base import Draw, Effort, Format, Idle, Step
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.domain.swiss_pairing import Paired
from bot.tournaments.domain.tournament import Climb, PlayedGame, Tournament

SHORTEST = timedelta(minutes=30)
LONGEST = timedelta(hours=4)
REMATCH = timedelta(minutes=1)
"""How long two players who just met wait for other opponents while others play."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A free player: points so far, since when they wait, and their last opponent.

    ``firsts`` is how many more games they have moved first than second.
    """

    number: int
    points: int
    since: datetime
    last: int | None = None
    firsts: int = 0


def arena_points(results: Iterable[Fraction]) -> tuple[int, ...]:
    """Points for results in order: a win 2, a draw 1; after two wins in a row they count double.

    The streak ends with the first game that is not won; that game still counts double.
    """
    points: list[int] = []
    streak = 0
    for result in results:
        worth = 2 if result == WIN else 1 if result == DRAW else 0
        points.append(worth * 2 if streak >= 2 else worth)
        streak = streak + 1 if result == WIN else 0
    return tuple(points)


def pair_free(waiting: Sequence[Waiting], *, rematch: bool = True) -> tuple[tuple[int, int], ...]:
    """Pairs of free players, the one who moves first named first.

    The player with the most points is paired first, with the nearest in points they have not just
    met; of equals, the one who has waited longest. Two players who just met are paired only if no
    other is free, and not without ``rematch``. Sides alternate; if that does not decide, the player
    with fewer points moves first.
    """
    rest = sorted(waiting, key=lambda each: (-each.points, each.since, each.number))
    pairs = []
    may_meet_again = rematch and len(rest) == 2
    while len(rest) > 1:
        one = rest.pop(0)
        fit = [
            each
            for each in rest
            if may_meet_again or (each.number != one.last and one.number != each.last)
        ]
        if not fit:
            continue
        two = min(fit, key=lambda each: (one.points - each.points, each.since, each.number))
        rest.remove(two)
        first, second = (one, two) if one.firsts < two.firsts else (two, one)
        pairs.append((first.number, second.number))
    return tuple(pairs)


def arena_places(scores: Mapping[int, tuple[int, ...]]) -> tuple[tuple[int, int], ...]:
    """Rank and number, best first, from each player's points in order."""
    keys = {number: (-sum(each), len(each)) for number, each in scores.items()}
    order = sorted(keys, key=lambda number: (keys[number], number))
    return tuple(
        (1 + sum(other < keys[number] for other in keys.values()), number) for number in order
    )


ANSWER = timedelta(days=3)
"""The time for an answer to a challenge; then it counts as declined."""
INACTIVE = timedelta(days=30)
"""The time without a finished game of the ladder after which a player sinks by one rung."""


DECLINES = 1
"""How often a player may decline between two games; the next time counts as a lost game."""


CLIMBS = 5
"""The number of last climbs that are shown."""


def climbs_after(
    climbs: tuple[Climb, ...], before: tuple[int, ...], after: tuple[int, ...], at: datetime
) -> tuple[Climb, ...]:
    """The last climbs, the newest first, after the same players stand on other rungs.

    Entering or leaving the ladder is no climb.
    """
    if before == after or set(before) != set(after):
        return climbs
    new = tuple(
        Climb(number, before.index(number) + 1, rung, at)
        for rung, number in enumerate(after, 1)
        if before.index(number) + 1 > rung
    )
    return (*new, *climbs)[:CLIMBS]


def check_challenge(
    rungs: Sequence[int], challenger: int, challenged: int, *, reach: int, busy: Collection[int]
) -> None:
    """Raise :exc:`~bot.errors.UserError` unless a player may challenge another.

    The other must be above, not further than ``reach`` rungs, and neither may be in a challenge or
    a game of the ladder already (``busy``).
    """
    if challenger not in rungs or challenged not in rungs:
        raise UserError("not_entered")
    up = rungs.index(challenger) - rungs.index(challenged)
    if up <= 0:
        raise UserError("challenge_up")
    if up > reach:
        raise UserError("challenge_far", most=reach)
    if challenger in busy or challenged in busy:
        raise UserError("challenge_busy")


def after_result(
    rungs: tuple[int, ...], players: Sequence[int], points: Sequence[Fraction]
) -> tuple[int, ...]:
    """The rungs after a game: a player who beats one above takes that rung, others move down.

    A draw changes nothing, nor does a win over a player below, nor a game of a player who has left.
    """
    if len(players) != 2 or points[0] == points[1] or not set(players) <= set(rungs):
        return rungs
    winner, loser = players if points[0] > points[1] else reversed(players)
    if rungs.index(winner) < rungs.index(loser):
        return rungs
    rest = [each for each in rungs if each != winner]
    rest.insert(rest.index(loser), winner)
    return tuple(rest)


def after_decline(
    rungs: tuple[int, ...], challenger: int, challenged: int, declined: int
) -> tuple[int, ...]:
    """The rungs after a player declined, for the ``declined``-th time since their last game."""
    if declined <= DECLINES:
        return rungs
    return after_result(rungs, (challenger, challenged), (Fraction(1), Fraction(0)))


def after_inactivity(
    rungs: tuple[int, ...], last_game: dict[int, datetime], now: datetime
) -> tuple[int, ...]:
    """The rungs once each player inactive for :data:`INACTIVE` has sunk by one.

    From the bottom up, so that of two inactive neighbours neither passes the other. The last rung
    cannot sink.
    """
    found = list(rungs)
    for at in range(len(found) - 2, -1, -1):
        idle = now - last_game.get(found[at], now) >= INACTIVE
        below_idle = now - last_game.get(found[at + 1], now) >= INACTIVE
        if idle and not below_idle:
            found[at], found[at + 1] = found[at + 1], found[at]
    return tuple(found)


class _OpenEnded(Format):
    """One game at a time for each player, as many as the time allows."""

    def effort(self, setup: Setup, entrants: int) -> Effort:
        """The number of games is not known."""
        del setup, entrants
        return Effort(1, 0, 1)

    def step(self, t: Tournament, paired: Paired | None = None) -> Step:
        """Idle: games are drawn when players are free, or accept a challenge."""
        del t, paired
        return Idle.WAIT


class Arena(_OpenEnded, key=FormatKey.ARENA):
    """As many games as the time allows; the clock ends it."""

    def pairs(
        self, t: Tournament, free_since: Mapping[int, datetime], now: datetime
    ) -> Draw | None:
        """Games for the free players, if there are at least two.

        Two players who just met wait for others who still play, or games that end one by one would
        pair the same two all evening; after a while they meet again.
        """
        busy = t.playing
        waiting = [
            self._waiting(t, each.number, free_since[each.number])
            for each in t.active
            if each.number in free_since and each.number not in busy
        ]
        rematch = not busy or all(now - each.since >= REMATCH for each in waiting)
        return _draw(t, pair_free(waiting, rematch=rematch))

    def places(self, t: Tournament) -> tuple[Placing, ...]:
        """By points, then fewer games."""
        scores = {each.number: self.score(t, each.number) for each in t.entrants}
        return tuple(
            Placing(rank, number, Fraction(sum(scores[number])))
            for rank, number in arena_places(scores)
        )

    def _waiting(self, t: Tournament, number: int, since: datetime) -> Waiting:
        mine = t.of_entrant(number)
        last = next(each for each in mine[-1].game.players if each != number) if mine else None
        firsts = sum(1 if each.game.players[0] == number else -1 for each in mine)
        return Waiting(number, sum(self.score(t, number)), since, last, firsts)

    def score(self, t: Tournament, number: int) -> tuple[int, ...]:
        """The points of an entrant's games that count, in their order."""
        return arena_points(each.points_of(number) or LOSS for each in self.counted(t, number))

    def counted(self, t: Tournament, number: int) -> list[PlayedGame]:
        """An entrant's games that count: one still running at the end does not."""
        mine = t.of_entrant(number)
        return [each for each in mine if each.is_over and each.how is not How.UNFINISHED]


class Ladder(_OpenEnded, key=FormatKey.LADDER):
    """Always open; a player who beats one above takes that rung."""

    def challenge(self, t: Tournament, challenger: int, challenged: int) -> Draw:
        """The game of an accepted challenge; the challenged player moves first.

        Raises :exc:`~bot.errors.UserError`, see
        :func:`~bot.tournaments.domain.formats.open_ended.check_challenge`.
        """
        check_challenge(t.by_rung, challenger, challenged, reach=t.setup.reach, busy=t.playing)
        found = _draw(t, ((challenged, challenger),))
        assert found is not None  # noqa: S101 - there is a pair
        return found

    def places(self, t: Tournament) -> tuple[Placing, ...]:
        """The rungs."""
        return tuple(
            Placing(
                rung,
                number,
                Fraction([x.points_of(number) for x in t.of_entrant(number)].count(WIN)),
            )
            for rung, number in enumerate(t.by_rung, 1)
        )


def _draw(t: Tournament, pairs: Sequence[tuple[int, int]]) -> Draw | None:
    boards = enumerate(pairs, len(t.games) + 1)
    games = tuple(Fixture(f"1.{board}", 1, board, pair) for board, pair in boards)
    return Draw(1, games) if games else None
