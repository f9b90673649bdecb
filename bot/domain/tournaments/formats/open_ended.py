"""Arena and ladder: games come up as players are free or challenge, not in rounds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction

from bot.domain.tournaments.arena import REMATCH, Waiting, arena_places, arena_points, pair_free
from bot.domain.tournaments.crosstable import LOSS, WIN
from bot.domain.tournaments.facts import Fixture, How
from bot.domain.tournaments.formats.base import Draw, Effort, Idle, Placing, Step
from bot.domain.tournaments.ladder import check_challenge
from bot.domain.tournaments.setup import Setup
from bot.domain.tournaments.swiss_pairing import Paired
from bot.domain.tournaments.tournament import PlayedGame, Tournament


class _OpenEnded:
    """One game at a time for each player, as many as the time allows."""

    seats = 2

    def effort(self, setup: Setup, entrants: int) -> Effort:
        """How many games there will be is not known."""
        del setup, entrants
        return Effort(1, 0, 1, 0)

    def step(self, t: Tournament, paired: Paired | None = None) -> Step:
        """Nothing: games are drawn as players are free, or accept a challenge."""
        del t, paired
        return Idle.WAIT


class Arena(_OpenEnded):
    """As many games as the time allows; the clock ends it."""

    def pairs(self, t: Tournament, free_since: dict[int, datetime], now: datetime) -> Draw | None:
        """Games for the players who are free, if any two are.

        Two who just met wait for others who still play, or games that end one by one would bring
        the same two together all evening; after a while they meet again.
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
        last = None
        if mine:
            last = next(each for each in mine[-1].game.players if each != number)
        firsts = sum(1 if each.game.players[0] == number else -1 for each in mine)
        return Waiting(number, sum(self.score(t, number)), since, last, firsts)

    def score(self, t: Tournament, number: int) -> tuple[int, ...]:
        """The points of an entrant's games that count, in their order."""
        return arena_points(_points(each, number) for each in self.counted(t, number))

    def counted(self, t: Tournament, number: int) -> list[PlayedGame]:
        """An entrant's games that count: one still on at the end is as if it had never begun."""
        mine = t.of_entrant(number)
        return [each for each in mine if each.is_over and each.how is not How.UNFINISHED]


class Ladder(_OpenEnded):
    """Always open; a player who beats one above takes that rung."""

    def challenge(self, t: Tournament, challenger: int, challenged: int) -> Draw:
        """The game of a challenge that was accepted; the challenged player moves first.

        Raises :exc:`~bot.errors.UserError`, see
        :func:`~bot.domain.tournaments.ladder.check_challenge`.
        """
        check_challenge(t.by_rung, challenger, challenged, reach=t.setup.reach, busy=t.playing)
        found = _draw(t, ((challenged, challenger),))
        assert found is not None  # noqa: S101 - there is a pair
        return found

    def places(self, t: Tournament) -> tuple[Placing, ...]:
        """The rungs."""
        return tuple(
            Placing(rung, number, Fraction(sum(_wins(t, number))))
            for rung, number in enumerate(t.by_rung, 1)
        )


def _draw(t: Tournament, pairs: Sequence[tuple[int, int]]) -> Draw | None:
    start = len(t.games)
    games = tuple(
        Fixture(f"1.{board}", 1, board, pair) for board, pair in enumerate(pairs, start + 1)
    )
    return Draw(1, games) if games else None


def _points(played: PlayedGame, number: int) -> Fraction:
    return (played.points or (LOSS, LOSS))[played.game.players.index(number)]


def _wins(t: Tournament, number: int) -> list[int]:
    return [int(_points(each, number) == WIN) for each in t.of_entrant(number) if each.is_over]
