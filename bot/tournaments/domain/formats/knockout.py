"""Knockout: a bracket by seeds, single or double elimination, round after round.

A bracket is a fixed list of ties; :func:`resolve` follows the results to the players of each. Seeds
count from 1, the highest. A tie is a meeting of two players, of one to three games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import chain

from bot.tournaments.domain.crosstable import LOSS, WIN, Kind, Placing
from bot.tournaments.domain.facts import Bye, Fixture
from bot.tournaments.domain.formats.base import Draw, Effort, Format, Idle, Step, with_both_sides
from bot.tournaments.domain.setup import Decider, FormatKey, Setup
from bot.tournaments.domain.swiss_pairing import Paired
from bot.tournaments.domain.tournament import PlayedGame, Tournament

THIRD_FROM = 4
"""With fewer players there is no match for third place."""


class Take(Enum):
    """The source of a place in a tie."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True)
class Source:
    """A seed, or the winner or loser of a tie named in ``tie``."""

    take: Take
    seed: int = 0
    tie: str = ""


@dataclass(frozen=True, slots=True)
class Tie:
    """A place in the bracket, played in round ``round`` of the event.

    ``id`` is ``W1.2`` (winners' round 1, tie 2), ``L2.1``, ``F1``, ``F2`` (the reset final) or
    ``T`` (third place).
    """

    id: str
    round: int
    one: Source
    two: Source


@dataclass(frozen=True, slots=True)
class Bracket:
    """All ties of an event in playing order."""

    entrants: int
    ties: tuple[Tie, ...]

    @property
    def rounds(self) -> int:
        """The most rounds, the reset final included."""
        return max((tie.round for tie in self.ties), default=0)


@dataclass(frozen=True, slots=True)
class Contest:
    """The two sides of a tie: seeds, None for an empty one (a bye).

    ``is_known`` says that the sides are settled; ``winner`` is the side that advances, known
    immediately if the other is empty.
    """

    one: int | None
    two: int | None
    is_known: bool
    is_over: bool
    winner: int | None

    @property
    def sides(self) -> list[int]:
        """The sides that are not empty."""
        return [each for each in (self.one, self.two) if each is not None]

    @property
    def loser(self) -> int | None:
        """The side that does not advance, None until one does."""
        if self.winner is None:
            return None
        return self.two if self.winner == self.one else self.one


def seeds(size: int) -> tuple[int, ...]:
    """The seeds of a bracket of ``size`` (a power of two) from top to bottom.

    The first two can meet only in the final, the first four only in the semi-finals, and so on.
    """
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for each in order for seed in (each, total - each)]
    return tuple(order)


def bracket(entrants: int, *, double: bool = False, third: bool = False) -> Bracket:
    """The bracket for this many players. Raises :exc:`ValueError` for fewer than two.

    A third-place match belongs to single elimination with at least four players; in double
    elimination the losers' final decides third place.
    """
    if entrants < 2:
        raise ValueError("a knockout needs two players")
    depth = (entrants - 1).bit_length()
    order = seeds(1 << depth)
    ties: list[Tie] = []
    for number in range(1, depth + 1):
        for index in range(1 << (depth - number)):
            if number == 1:
                one, two = (Source(Take.SEED, seed) for seed in order[2 * index : 2 * index + 2])
            else:
                one, two = _neighbours(Take.WINNER, f"W{number - 1}", index)
            at = max(2 * number - 2, 1) if double else number
            ties.append(Tie(f"W{number}.{index + 1}", at, one, two))
    if double:
        ties += _losers(depth)
    elif third and entrants >= THIRD_FROM:
        ties.append(Tie("T", depth, *_neighbours(Take.LOSER, f"W{depth - 1}", 0)))
    return Bracket(entrants, tuple(sorted(ties, key=lambda tie: tie.round)))


def _neighbours(take: Take, stage: str, index: int) -> tuple[Source, Source]:
    """The winners or the losers of two ties side by side, by the number of the pair from 0."""
    first = 2 * index + 1
    return Source(take, tie=f"{stage}.{first}"), Source(take, tie=f"{stage}.{first + 1}")


def _losers(depth: int) -> list[Tie]:
    """The losers' bracket and the final. Losers drop in crosswise, so that few meet again soon."""
    ties: list[Tie] = []
    last = 2 * (depth - 1)
    for number in range(1, last + 1):
        count = 1 << (depth - 1 - (number + 1) // 2)
        for index in range(count):
            if number == 1:
                sources = _neighbours(Take.LOSER, "W1", index)
            elif number % 2:
                sources = _neighbours(Take.WINNER, f"L{number - 1}", index)
            else:
                upper = number // 2 + 1
                crossed = count - 1 - index if upper % 2 == 0 else (index + count // 2) % count
                sources = (
                    Source(Take.LOSER, tie=f"W{upper}.{crossed + 1}"),
                    Source(Take.WINNER, tie=f"L{number - 1}.{index + 1}"),
                )
            ties.append(Tie(f"L{number}.{index + 1}", number + 1, *sources))
    champion = Source(Take.WINNER, tie=f"W{depth}.1")
    other = Source(Take.WINNER, tie=f"L{last}.1") if last else Source(Take.LOSER, tie="W1.1")
    final = last + 2
    ties.append(Tie("F1", final, champion, other))
    ties.append(Tie("F2", final + 1, Source(Take.WINNER, tie="F1"), Source(Take.LOSER, tie="F1")))
    return ties


def resolve(ties: Bracket, won: Mapping[str, int | None]) -> Mapping[str, Contest]:
    """The players in each tie, given the winners of those that are over.

    ``won`` may have None: no player advances, since neither came. Where only one player is left in
    a tie they advance without a game. The reset final is over immediately, with the same winner,
    unless the player from the losers' bracket has won the first.
    """
    found: dict[str, Contest] = {}
    for tie in ties.ties:
        one, two = (_who(each, ties.entrants, found) for each in (tie.one, tie.two))
        earlier = (found[x.tie] for x in (tie.one, tie.two) if x.take is not Take.SEED)
        is_known = is_over = all(each.is_over for each in earlier)
        winner = None
        if is_known and is_needless(tie.id, found):
            winner = one
        elif is_known and (one is None or two is None):
            winner = two if one is None else one
        elif is_known:
            winner, is_over = won.get(tie.id), tie.id in won
            if winner not in (None, one, two):
                raise ValueError(f"{winner} is not in {tie.id}")
        found[tie.id] = Contest(one, two, is_known, is_over, winner)
    return found


def is_needless(tie: str, found: Mapping[str, Contest]) -> bool:
    """Whether a tie is a reset final that is not played, since the one before it has decided."""
    return tie == "F2" and found["F1"].is_over and found["F1"].winner == found["F1"].one


def _who(source: Source, entrants: int, found: Mapping[str, Contest]) -> int | None:
    if source.take is Take.SEED:
        return source.seed if source.seed <= entrants else None
    before = found[source.tie]
    return before.winner if source.take is Take.WINNER else before.loser


def placed(ties: Bracket, contests: Mapping[str, Contest]) -> Sequence[tuple[int, ...]]:
    """Groups of seeds by place, the best first, as far as they are decided.

    Players who lost in the same round share a place, behind those who lost later.
    """
    lives = 2 if any(tie.id == "F1" for tie in ties.ties) else 1
    lost: Counter[int] = Counter()
    out: dict[int, tuple[int, int]] = {}
    for tie in ties.ties:
        contest = contests[tie.id]
        if not contest.is_over:
            if tie.id == "T":
                out = {each: at for each, at in out.items() if each not in contest.sides}
        elif tie.id == "T":
            # Behind the loser of the final, which is in the same round, not level with them.
            for each in contest.sides:
                out[each] = (tie.round, -1 if each == contest.winner else -2)
        else:
            for each in contest.sides:
                if each != contest.winner:
                    lost[each] += lives if contest.winner is None else 1
                    if lost[each] >= lives:
                        out.setdefault(each, (tie.round, 0))
    groups = [
        tuple(sorted(each for each, when in out.items() if when == at))
        for at in sorted(set(out.values()), reverse=True)
    ]
    left = tuple(each for each in range(1, ties.entrants + 1) if each not in out)
    over = all(contest.is_over for contest in contests.values())
    return [left, *groups] if over and left else groups


@dataclass(frozen=True, slots=True)
class Leg:
    """One game of a meeting: the player who moved first, and their points; the other has the rest.

    ``is_void`` is a game in which neither player came, without points.
    """

    first: int
    points: Fraction
    is_void: bool = False

    def of(self, player: int) -> Fraction:
        """The points of one of the two."""
        if self.is_void:
            return LOSS
        return self.points if player == self.first else WIN - self.points


@dataclass(frozen=True, slots=True)
class Meeting:
    """The state of a meeting. ``next_first`` begins the next game, None if there is none.

    ``winner`` is None while it is not over, and finally if neither player came to any game.
    """

    is_over: bool
    winner: int | None
    next_first: int | None


def meeting(
    high: int, low: int, legs: Sequence[Leg], *, best_of: int, decider: Decider, begins: int
) -> Meeting:
    """The state of the meeting of a higher and a lower seed.

    ``begins`` moves first in the first game, then sides are exchanged. Games that cannot change the
    result are not played. Raises :exc:`ValueError` for more than three games or fewer than one.
    """
    if not 1 <= best_of <= 3:
        raise ValueError("a meeting has one to three games")
    score = {each: sum((leg.of(each) for leg in legs[:best_of]), LOSS) for each in (high, low)}
    left = max(best_of - len(legs), 0)
    for each, other in ((high, low), (low, high)):
        if score[each] > score[other] + left:
            return Meeting(True, each, None)
    if left:
        other = low if begins == high else high
        return Meeting(False, None, begins if len(legs) % 2 == 0 else other)
    if all(leg.is_void for leg in legs):
        return Meeting(True, None, None)
    if decider is Decider.HIGHER_SEED:
        return Meeting(True, high, None)
    if len(legs) == best_of:
        last = legs[-1].first
        exchanged = low if last == high else high
        first = high if decider is Decider.SECOND_WINS_DRAW else exchanged
        return Meeting(False, None, first)
    extra = legs[best_of]
    if extra.of(high) == extra.of(low):
        drawn_for = low if decider is Decider.SECOND_WINS_DRAW and not extra.is_void else high
        return Meeting(True, drawn_for, None)
    winner = high if extra.of(high) > extra.of(low) else low
    return Meeting(True, winner, None)


class Knockout(Format, key=FormatKey.KNOCKOUT):
    """Losing a meeting puts a player out; in double elimination, losing two."""

    def effort(self, setup: Setup, entrants: int) -> Effort:
        """See :class:`~bot.tournaments.domain.formats.base.Format`."""
        if entrants < 2:
            return Effort(0, 0, 0)
        rounds = bracket(entrants, double=setup.double, third=setup.third_place).rounds
        legs = setup.best_of + (setup.decider is not Decider.HIGHER_SEED)
        return Effort(rounds, rounds * legs, setup.games_at_once, setup.games_at_once)

    def step(self, t: Tournament, paired: Paired | None = None) -> Step:
        """The next games of the first round that is not over."""
        del paired
        seeds, ties, found = bracket_of(t)
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
        """Players still in share first place; decided places are below them."""
        seeds = members(t)
        if len(seeds) < 2:
            return tuple(Placing(1, each, Fraction(0)) for each in seeds)
        _, ties, found = bracket_of(t)
        groups = placed(ties, found)
        out = set(chain.from_iterable(groups))
        still = [seed for seed in range(1, len(seeds) + 1) if seed not in out]
        result: list[Placing] = []
        for group in (still, *groups):
            numbers, rank = [seeds[seed - 1] for seed in group], len(result) + 1
            result += [Placing(rank, number, t.points_of(number)) for number in numbers]
        return tuple(result)


def members(t: Tournament) -> tuple[int, ...]:
    """Entrants by seed: those of the first round or, before it is drawn, those still in."""
    if not t.rounds:
        return tuple(each for each in t.seeding if t.entrants[each - 1].is_active)
    first = {each for played in t.in_round(1) for each in played.game.players}
    return tuple(each for each in t.seeding if each in first or each in t.rounds[0].byes)


def _contests(t: Tournament, ties: Bracket, seeds: tuple[int, ...]) -> Mapping[str, Contest]:
    """The players of each tie, by seed. If one of two has left early the other advances."""
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
            present = [x for x in contest.sides if t.entrants[seeds[x - 1] - 1].is_active]
            if len(present) == 2 or any(not each.is_over for each in _games(t, tie)):
                continue
            went_on = _went_on(t, ties, tie, contest, seeds)
            won[tie.id] = went_on or (present[0] if present else None)
        found = resolve(ties, won)
    return found


def _went_on(
    t: Tournament, ties: Bracket, tie: Tie, contest: Contest, seeds: tuple[int, ...]
) -> int | None:
    """The player of a broken-off meeting who was paired later; they stay the winner if they leave.

    In double elimination the loser may be paired later too, but not in the winner's place.
    """
    winner = Source(Take.WINNER, tie=tie.id)
    ahead = {each.id for each in ties.ties if winner in (each.one, each.two)}
    games = [each.game for each in t.games.values() if each.game.round > tie.round]
    later = {number for game in games for number in game.players}
    first = {number for game in games if game.tie in ahead for number in game.players}
    found = (x for there in (first, later) for x in contest.sides if seeds[x - 1] in there)
    return next(found, None)


def is_decided(t: Tournament, tie: str) -> bool:
    """Whether a tie was won by its games, no matter which player has left since."""
    seeds, ties, found = bracket_of(t)
    here = next(each for each in ties.ties if each.id == tie)
    return found[tie].is_known and _meeting(t, here, found[tie], seeds).is_over


def misplaced(t: Tournament) -> frozenset[str]:
    """The games of players who do not meet there by the present results."""
    if not t.games:
        return frozenset()  # there may be too few players for a bracket
    seeds, _, found = bracket_of(t)
    return frozenset(
        name
        for name, each in t.games.items()
        if is_needless(each.game.tie, found)
        or {*each.game.players} != {seeds[x - 1] for x in found[each.game.tie].sides}
    )


def walkovers_in(t: Tournament, number: int) -> frozenset[int]:
    """The entrants who advance without a game in a round, by the present results."""
    seeds, ties, found = bracket_of(t)
    here = [tie for tie in ties.ties if tie.round == number]
    return frozenset(each.entrant for each in _byes(here, found, seeds))


def bracket_of(t: Tournament) -> tuple[tuple[int, ...], Bracket, Mapping[str, Contest]]:
    """The entrants by seed, the ties between them, and their players by the present results."""
    seeds = members(t)
    ties = bracket(len(seeds), double=t.setup.double, third=t.setup.third_place)
    return seeds, ties, _contests(t, ties, seeds)


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
    """The next game of a meeting; both together where it has two, then one if it is level."""
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
    """Players who advance without a game; the bye also shows that they are in the event."""
    return tuple(
        Bye(seeds[found[tie.id].winner - 1], Kind.PAIRING_BYE)  # type: ignore[operator]
        for tie in here
        if found[tie.id].winner is not None and None in (found[tie.id].one, found[tie.id].two)
    )
