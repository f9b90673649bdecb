"""Knockout: a bracket by seeds, meetings of several games, round after round."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import chain

from bot.domain.tournaments.crosstable import Kind
from bot.domain.tournaments.facts import Bye, Fixture
from bot.domain.tournaments.formats.base import Draw, Effort, Idle, Placing, Step, with_both_sides
from bot.domain.tournaments.knockout import (
    Bracket,
    Contest,
    Source,
    Take,
    Tie,
    bracket,
    is_needless,
    placed,
    resolve,
)
from bot.domain.tournaments.setup import Setup
from bot.domain.tournaments.swiss_pairing import Paired
from bot.domain.tournaments.ties import Decider, Leg, Meeting, meeting
from bot.domain.tournaments.tournament import PlayedGame, Tournament


class Knockout:
    """Losing a meeting puts a player out; in double elimination, losing two."""

    seats = 2

    def effort(self, setup: Setup, entrants: int) -> Effort:
        """See :class:`~bot.domain.tournaments.formats.base.Format`."""
        if entrants < 2:
            return Effort(0, 0, 0, 0)
        ties = bracket(entrants, double=setup.double, third=setup.third_place)
        legs = setup.best_of + (setup.decider is not Decider.HIGHER_SEED)
        rounds = ties.rounds
        meetings = sum(tie.id[0] != "W" or tie.round > 1 for tie in ties.ties)
        first = entrants - (1 << ((entrants - 1).bit_length() - 1))
        each = setup.games_at_once
        return Effort(rounds, rounds * legs, each, (meetings + first) * legs, each)

    def step(self, t: Tournament, paired: Paired | None = None) -> Step:
        """The next games of the first round that is not over."""
        del paired
        seeds = members(t)
        if len(seeds) < 2:
            return Idle.OVER
        ties = _bracket(t, len(seeds))
        found = contests(t, ties, seeds)
        left = [tie for tie in ties.ties if not found[tie.id].is_over]
        if not left:
            return Idle.WAIT if t.pending else Idle.OVER
        number = min(left[0].round, len(t.rounds) + 1)
        here = [tie for tie in ties.ties if tie.round == number]
        games = tuple(
            game
            for board, tie in enumerate(here, 1)
            for game in _next_games(t, tie, found[tie.id], seeds, board)
        )
        if games or number > len(t.rounds):
            known = t.rounds[number - 1].byes if number <= len(t.rounds) else {}
            byes = _byes(here, found, seeds)
            return Draw(number, games, tuple(each for each in byes if each.entrant not in known))
        return Idle.WAIT

    def places(self, t: Tournament) -> tuple[Placing, ...]:
        """Players still in share first place; below them are the places that are decided."""
        seeds = members(t)
        if len(seeds) < 2:
            return tuple(Placing(1, each, Fraction(0)) for each in seeds)
        ties = _bracket(t, len(seeds))
        found = contests(t, ties, seeds)
        groups = list(placed(ties, found))
        out = set(chain.from_iterable(groups))
        still = tuple(seed for seed in range(1, len(seeds) + 1) if seed not in out)
        if still:
            groups.insert(0, still)
        result = []
        rank = 1
        for group in groups:
            result += [
                Placing(rank, seeds[seed - 1], t.points_of(seeds[seed - 1])) for seed in group
            ]
            rank += len(group)
        return tuple(result)


def members(t: Tournament) -> tuple[int, ...]:
    """Entrants by seed: those of the first round or, before it is drawn, those still in."""
    if not t.rounds:
        return tuple(each for each in t.seeding if t.entrants[each - 1].is_active)
    first = {each for played in t.in_round(1) for each in played.game.players}
    return tuple(each for each in t.seeding if each in first or each in t.rounds[0].byes)


def contests(t: Tournament, ties: Bracket, seeds: tuple[int, ...]) -> Mapping[str, Contest]:
    """Who is in each tie, by seed. Where one of two has left early the other goes on."""
    won: dict[str, int | None] = {}
    found = resolve(ties, won)
    for tie in ties.ties:
        contest = found[tie.id]
        if not contest.is_known or contest.is_over:
            continue
        stands = _meeting(t, tie, contest, seeds)
        if stands.is_over:
            won[tie.id] = stands.winner
        else:
            present = [
                seed
                for seed in (contest.one, contest.two)
                if seed is not None and t.entrants[seeds[seed - 1] - 1].is_active
            ]
            if len(present) == 2 or any(not each.is_over for each in _games(t, tie)):
                continue
            went_on = _went_on(t, ties, tie, contest, seeds)
            won[tie.id] = went_on or (present[0] if present else None)
        found = resolve(ties, won)
    return found


def _went_on(
    t: Tournament, ties: Bracket, tie: Tie, contest: Contest, seeds: tuple[int, ...]
) -> int | None:
    """Which player of a broken-off meeting was paired later; they stay the winner if they leave.

    In double elimination the loser may be paired later too, but not where the winner goes.
    """
    winner = Source(Take.WINNER, tie=tie.id)
    ahead = {each.id for each in ties.ties if winner in (each.one, each.two)}
    games = [each.game for each in t.games.values() if each.game.round > tie.round]
    later = {number for game in games for number in game.players}
    first = {number for game in games if game.tie in ahead for number in game.players}
    pair = [seed for seed in (contest.one, contest.two) if seed is not None]
    return next((x for there in (first, later) for x in pair if seeds[x - 1] in there), None)


def is_decided(t: Tournament, tie: str) -> bool:
    """Whether a tie was won by its games, no matter which player has left since."""
    seeds = members(t)
    ties = _bracket(t, len(seeds))
    contest = contests(t, ties, seeds)[tie]
    found = next(each for each in ties.ties if each.id == tie)
    return contest.is_known and _meeting(t, found, contest, seeds).is_over


def pairs(t: Tournament) -> Mapping[str, tuple[int, ...]]:
    """Who plays in each tie of the bracket as the results stand: entrants, in order of number."""
    seeds = members(t)
    found = contests(t, _bracket(t, len(seeds)), seeds)
    return {
        tie: tuple(sorted(seeds[x - 1] for x in (each.one, each.two) if x is not None))
        for tie, each in found.items()
        if not is_needless(tie, found)
    }


def misplaced(t: Tournament) -> frozenset[str]:
    """The games of players who do not meet there as the results stand."""
    if not t.games:
        return frozenset()  # there may be too few players for a bracket
    now_in = pairs(t)
    return frozenset(
        name
        for name, each in t.games.items()
        if tuple(sorted(each.game.players)) != now_in.get(each.game.tie)
    )


def walkovers_in(t: Tournament, number: int) -> frozenset[int]:
    """The entrants who go on without a game in a round, as the results stand."""
    seeds = members(t)
    ties = _bracket(t, len(seeds))
    here = [tie for tie in ties.ties if tie.round == number]
    return frozenset(each.entrant for each in _byes(here, contests(t, ties, seeds), seeds))


def _bracket(t: Tournament, entrants: int) -> Bracket:
    return bracket(entrants, double=t.setup.double, third=t.setup.third_place)


def _games(t: Tournament, tie: Tie) -> list[PlayedGame]:
    return [each for each in t.games.values() if each.game.tie == tie.id]


def _meeting(t: Tournament, tie: Tie, contest: Contest, seeds: tuple[int, ...]) -> Meeting:
    one, two = contest.one or 0, contest.two or 0
    high, low = min(one, two), max(one, two)
    legs = [
        Leg(seeds.index(each.game.players[0]) + 1, each.points[0], is_void=not any(each.points))
        for each in _games(t, tie)
        if each.points is not None
    ]
    return meeting(high, low, legs, best_of=t.setup.best_of, decider=t.setup.decider, begins=high)


def _next_games(
    t: Tournament, tie: Tie, contest: Contest, seeds: tuple[int, ...], board: int
) -> tuple[Fixture, ...]:
    """The next game of a meeting; both at once where it has two, and then one if it is level."""
    if contest.is_over or not contest.is_known:
        return ()
    before = _games(t, tie)
    first = _meeting(t, tie, contest, seeds).next_first
    if first is None or any(not each.is_over for each in before):
        return ()
    second = contest.two if first == contest.one else contest.one
    pair = (seeds[first - 1], seeds[(second or 0) - 1])
    game = Fixture(f"{tie.id}.{len(before) + 1}", tie.round, board, pair, tie=tie.id)
    return (game,) if before else with_both_sides(t.setup, [game])


def _byes(here: list[Tie], found: Mapping[str, Contest], seeds: tuple[int, ...]) -> tuple[Bye, ...]:
    """Players who go on without a game; the bye also shows that they are in the event."""
    return tuple(
        Bye(seeds[found[tie.id].winner - 1], Kind.PAIRING_BYE)  # type: ignore[operator]
        for tie in here
        if found[tie.id].winner is not None and None in (found[tie.id].one, found[tie.id].two)
    )
