"""Why a game is paired as it is, and who was left over, by format."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType

from bot.domain.tournaments.arena import arena_points
from bot.domain.tournaments.crosstable import LOSS, Kind
from bot.domain.tournaments.facts import Fixture
from bot.domain.tournaments.formats.knockout import members
from bot.domain.tournaments.formats.swiss import acceleration
from bot.domain.tournaments.running import played_game
from bot.domain.tournaments.setup import FormatKey
from bot.domain.tournaments.tournament import Tournament
from bot.domain.tournaments.why import WhyBye, why_bye, why_pairing
from bot.errors import UserError
from bot.services.tournaments.views import WhyGame

_BY_POINTS = (FormatKey.SWISS, FormatKey.ROUND_ROBIN)


def why_game(t: Tournament, game: str) -> WhyGame:
    """Why a game is paired as it is. Raises ``no_such_game``."""
    fixture = played_game(t, game).game
    points = tuple(_points_before(t, fixture, number) for number in fixture.players)
    if t.setup.format in _BY_POINTS:
        # The first game of a pairing tells of it.
        games = t.pairings(t.in_round(fixture.round))
        here = next(each for each in games if fixture in (x.game for x in each))
        first, second = here[0].game.players
        table = t.crosstable()
        why = why_pairing(table, fixture.round, first, second, acceleration(t))
        return WhyGame(game, why, fixture.division, points=points)
    if t.setup.format is FormatKey.KNOCKOUT:
        seeds = members(t)
        numbers = tuple(seeds.index(number) + 1 for number in fixture.players)
        return WhyGame(game, seeds=numbers, points=points)
    met = _met_before(t, fixture)
    return WhyGame(game, met=MappingProxyType(met), points=points)


def why_left_over(t: Tournament, round_number: int, entrant: int) -> WhyBye | None:
    """What was weighed where a Swiss pairing left an entrant over; None for another bye.

    Raises ``no_round``, ``not_entered``.
    """
    if not 0 < round_number <= len(t.rounds):
        raise UserError("no_round")
    if entrant not in t.rounds[round_number - 1].byes:
        raise UserError("not_entered")
    kind = t.rounds[round_number - 1].byes[entrant]
    if t.setup.format is not FormatKey.SWISS or kind is not Kind.PAIRING_BYE:
        return None
    return why_bye(t.crosstable(), round_number, entrant, acceleration(t))


def _earlier(t: Tournament, fixture: Fixture) -> list[Fixture]:
    """The games before this one: those of rounds before, or drawn before where there are none."""
    if not t.setup.format.facts.has_rounds:
        order = list(t.games)
        return [t.games[name].game for name in order[: order.index(fixture.id)]]
    return [each.game for each in t.games.values() if each.game.round < fixture.round]


def _points_before(t: Tournament, fixture: Fixture, number: int) -> Fraction:
    found = []
    for game in _earlier(t, fixture):
        points = t.games[game.id].points
        if points is not None and number in game.players:
            found.append(points[game.players.index(number)])
    if t.setup.format is FormatKey.ARENA:
        return Fraction(sum(arena_points(found)))
    return sum(found, LOSS)


def _met_before(t: Tournament, fixture: Fixture) -> dict[tuple[int, int], int]:
    met = Counter(
        pair for game in _earlier(t, fixture) for pair in combinations(sorted(game.players), 2)
    )
    return {pair: met[pair] for pair in combinations(sorted(fixture.players), 2)}
