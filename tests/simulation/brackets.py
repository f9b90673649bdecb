"""Knockouts judged without a bracket: meetings won and lost, counted player by player."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from bot.tournaments.domain.setup import Decider
from bot.tournaments.domain.tournament import (
    EntrantStatus,
    PlayedGame,
    Tournament,
    TournamentStatus,
)
from bot.tournaments.services.views import EventView

Points = Mapping[str, tuple[Fraction, ...]]
_NOTHING, _HALF, _ONE = Fraction(0), Fraction(1, 2), Fraction(1)


@dataclass
class _Lives:
    """How many meetings each has lost, and in which round they were out."""

    most: int
    lost: Counter[int] = field(default_factory=Counter)
    out: dict[int, int] = field(default_factory=dict)

    def lose(self, number: int, a_round: int, *, all_of_them: bool = False) -> None:
        self.lost[number] += self.most if all_of_them else 1
        if self.lost[number] >= self.most:
            self.out.setdefault(number, a_round)


def excluded(t: Tournament) -> frozenset[int]:
    """The excluded players, who come last in any case."""
    return frozenset(each.number for each in t.entrants if each.standing is EntrantStatus.EXCLUDED)


def last_are_excluded(view: EventView) -> Iterator[str]:
    """Complaints about players placed behind an excluded one."""
    out = excluded(view.tournament)
    best = min((each.rank for each in view.standings if each.number in out), default=None)
    yield from (
        f"entrant {each.number} is {each.rank}, not before one who was excluded"
        for each in view.standings
        if best is not None and each.number not in out and each.rank >= best
    )


def wrong_knockout(
    view: EventView, results: Points, changed: Set[str] = frozenset()
) -> Iterator[str]:
    """Complaints about players who play on after they are out, or whose place has the wrong round.

    A player who has left is out of later meetings without a game. ``changed`` are games with
    results by a director: games from before the change may look superfluous.
    """
    t = view.tournament
    meetings: dict[str, list[PlayedGame]] = defaultdict(list)
    for played in t.games.values():
        meetings[played.game.tie].append(played)
    lives = _Lives(2 if t.setup.double else 1)
    for tie, games in sorted(meetings.items(), key=lambda each: each[1][0].game.round):
        pair = sorted(games[0].game.players, key=t.seeding.index)
        a_round = games[0].game.round
        if tie != "T":
            yield from (
                f"entrant {number} was out in round {lives.out[number]} and plays {tie}"
                for number in pair
                if number in lives.out
            )
        yield from _wrong_legs(t, tie, games, results, changed)
        if any(each.game.id not in results for each in games):
            continue
        if any(set(each.game.players) != set(pair) for each in games):
            yield f"{tie} is played by others than {pair}"
            continue
        winner = _winner(t, pair, [(each.game.players, results[each.game.id]) for each in games])
        if tie == "T" or winner is _UNDECIDED:
            continue
        if tie == "F2" and lives.lost[pair[0]] + lives.lost[pair[1]] != 2:
            yield "the final was played again although its winner had lost no meeting"
        for number in pair:
            if number != winner:
                lives.lose(number, a_round, all_of_them=winner is None)
    yield from _wrong_ranks(view, lives)


_UNDECIDED = -1


def _winner(
    t: Tournament, pair: Sequence[int], games: Sequence[tuple[tuple[int, ...], Sequence[Fraction]]]
) -> int | None:
    """The winner of a meeting; None where neither came; one who was left alone if it broke off."""
    high, low = pair
    most = t.setup.best_of
    score = dict.fromkeys(pair, _NOTHING)
    for players, points in games[:most]:
        for number, worth in zip(players, points, strict=True):
            score[number] += worth
    to_come = max(most - len(games), 0)
    if score[high] > score[low] + to_come:
        return high
    if score[low] > score[high] + to_come:
        return low
    if to_come:
        there = [each for each in pair if t.entrants[each - 1].is_active]
        return there[0] if len(there) == 1 else _UNDECIDED
    if not any(any(points) for _, points in games):
        return None
    if t.setup.decider is Decider.HIGHER_SEED:
        return high
    if len(games) == most:
        return _UNDECIDED
    players, points = games[most]
    if points[0] != points[1]:
        return players[points.index(max(points))]
    return low if t.setup.decider is Decider.SECOND_WINS_DRAW and any(points) else high


def _wrong_legs(
    t: Tournament, tie: str, games: Sequence[PlayedGame], results: Points, changed: Set[str]
) -> Iterator[str]:
    """Sides are exchanged from game to game, and none is played that could change nothing."""
    extra = t.setup.decider is not Decider.HIGHER_SEED
    if len(games) > t.setup.best_of + extra:
        yield f"{tie} has {len(games)} games"
    exchanged = games[: t.setup.best_of]
    for one, two in pairwise(exchanged):
        if one.game.players != tuple(reversed(two.game.players)):
            yield f"{two.game.id} is played with the sides of {one.game.id}"
    won: Counter[int] = Counter()
    for number, each in enumerate(exchanged):
        is_changed = any(earlier.game.id in changed for earlier in exchanged[:number])
        if won and max(won.values()) > t.setup.best_of / 2 and not is_changed:
            yield f"{each.game.id} could change nothing"
        points = results.get(each.game.id, ())
        if len(points) == 2 and points[0] != points[1] and number < t.setup.best_of - 1:
            won[each.game.players[points.index(max(points))]] += 1


def _wrong_ranks(view: EventView, lives: _Lives) -> Iterator[str]:
    gone = excluded(view.tournament)
    ranks = {each.number: each.rank for each in view.standings if each.number not in gone}
    out = {number: a_round for number, a_round in lives.out.items() if number in ranks}
    yield from last_are_excluded(view)
    for one, first in out.items():
        for two, second in out.items():
            if first > second and ranks[one] >= ranks[two]:
                yield f"entrant {one} is {ranks[one]}, and {two}, out earlier, is {ranks[two]}"
    entrants = view.tournament.entrants
    left = [each for each in ranks if each not in out and entrants[each - 1].is_active]
    yield from (
        f"entrant {one} was never out and is {ranks[one]}, behind {two}"
        for one in left
        for two in out
        if ranks[one] >= ranks[two]
    )
    is_over = view.tournament.status is TournamentStatus.FINISHED
    if is_over and len(left) > 1:
        yield f"it is over, and {left} are all still in"
