"""Making tournaments and letting things happen to them, without a pairing program."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from bot.domain.ids import TournamentId, UserId
from bot.tournaments.domain import registration, running
from bot.tournaments.domain.crosstable import (
    LOSS,
    Competitor,
    Crosstable,
    CrosstableLine,
    Kind,
    Side,
)
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.fold import TournamentAct, TournamentChange, TournamentEvent
from bot.tournaments.domain.formats.base import Ask
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.domain.swiss_pairing import Paired, PairingFailed, check_paired
from bot.tournaments.domain.tournament import PlayedGame, Tournament
from bot.tournaments.domain.trf import RESULTS, SCORING

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ID = TournamentId("abcdefghij")


def a_setup(form: FormatKey, **about: Any) -> Setup:
    begins = NOW + timedelta(days=1)
    made = Setup("Spring", form, "quax", begins, begins, NOW + timedelta(days=300))
    return replace(made, **about)


def told_table(*rows: str, fixed: bool = False) -> Crosstable:
    """A crosstable from a row for each player, a cell for each round, as reports have them.

    ``2w1`` beat number 2 and moved first, ``3b=`` drew with number 3, ``4w-`` lost to number 4 by
    forfeit, ``U`` is a pairing bye, ``.`` nothing.
    """
    sides = {"w": Side.FIRST, "b": Side.SECOND}
    players = []
    for number, row in enumerate(rows, 1):
        lines = []
        for at, (opponent, side, letter) in enumerate(re.findall(r"(\d*)([wb]?)(\S)", row), 1):
            if letter != ".":
                kind, worth = RESULTS[letter]
                points = LOSS if kind is Kind.PENDING else SCORING[worth]
                against = int(opponent) if opponent else None
                lines.append(CrosstableLine(at, against, sides.get(side), points, kind))
        players.append(Competitor(number, lines=tuple(lines)))
    return Crosstable.of(players, fixed=fixed)


def paired_by_hand(ask: Ask) -> Paired | None:
    """Some pairing without repeated meetings; None if there is none. Not by FIDE's rules."""
    not_none = list(ask.request.present)
    met = {
        each.number: {line.opponent for line in each.lines if line.opponent} for each in not_none
    }
    order = sorted(not_none, key=lambda each: (-each.points, each.number))
    numbers = [each.number for each in order]

    def match(rest: list[int]) -> list[tuple[int, int]] | None:
        if not rest:
            return []
        first, others = rest[0], rest[1:]
        for other in others:
            if other not in met[first] and not any(
                begin <= ask.request.round <= end and {first, other} <= {*group}
                for begin, end, group in ask.request.report.forbidden
            ):
                further = match([each for each in others if each != other])
                if further is not None:
                    return [(first, other), *further]
        return None

    byes: Sequence[int | None] = numbers[::-1] if len(numbers) % 2 else [None]
    for bye in byes:
        pairs = match([each for each in numbers if each != bye])
        if pairs is None:
            continue
        found = Paired(tuple(pairs), bye)
        try:
            check_paired(ask.request, found)
        except PairingFailed:  # one who had a bye before
            continue
        return found
    return None


class Event:
    """A tournament and all that has happened to it; the clock is ours."""

    def __init__(self, setup: Setup, *, lots: int = 1) -> None:
        self.at = NOW
        self.events: list[TournamentEvent] = []
        self.take(registration.create(ID, self.act(), setup, lots=lots))

    t: Tournament

    def act(self, user: int | None = None) -> TournamentAct:
        return TournamentAct(self.at, None if user is None else UserId(user))

    def take(
        self, change: TournamentChange | Sequence[TournamentChange] | None
    ) -> list[TournamentChange]:
        """Keep what was decided."""
        changes = [change] if isinstance(change, TournamentChange) else list(change or ())
        for each in changes:
            self.events.append(each.event)
            self.t = each.tournament
        return changes

    def do(
        self, decide: Callable[..., Any], *about: Any, by: int | None = None, **more: Any
    ) -> list[TournamentChange]:
        """Have something decided of the tournament as it is now, and keep it."""
        return self.take(decide(self.t, self.act(by), *about, **more))

    def direct(
        self, decide: Callable[..., Any], *about: Any, **more: Any
    ) -> list[TournamentChange]:
        """The same by a director, a minute later."""
        self.at += timedelta(minutes=1)
        return self.do(decide, *about, by=900, **more)

    def enter(self, *users: int, ratings: Sequence[int | None] = ()) -> None:
        for index, user in enumerate(users):
            rating = ratings[index] if index < len(ratings) else None
            self.take(registration.enter(self.t, self.act(user), UserId(user), rating=rating))

    def draw(self) -> list[TournamentChange]:
        """Draw what can be drawn, pairing by hand where that is asked for."""
        found = running.draw(self.t, self.act())
        if isinstance(found, Ask):
            paired = paired_by_hand(found)
            if paired is None:
                return self.take(running.end(self.t, self.act()))
            found = running.draw(self.t, self.act(), paired)
            assert not isinstance(found, Ask)
        return self.take(found)

    def begin(self, users: int, **about: Any) -> None:
        """So many enter (users 101, 102 ...), registration closes, the first round is drawn."""
        self.enter(*range(101, 101 + users))
        self.take(registration.close(self.t, self.act()))
        self.at = self.t.setup.begins
        self.draw()

    def score(
        self,
        game: str,
        *points: Fraction | int | str,
        how: How = How.PLAYED,
        late: tuple[int, ...] = (),
    ) -> list[TournamentChange]:
        values = tuple(Fraction(each) for each in points)
        return self.take(running.record(self.t, self.act(), game, values, how, late=late))

    def lower_wins(self, played: PlayedGame) -> None:
        """The lower the number of a player the better their place."""
        order = sorted(played.game.players)
        worth = (1, 0) if len(order) == 2 else (4, 2, 1, 0)
        self.score(played.game.id, *(worth[order.index(x)] for x in played.game.players))

    def play_out(self) -> None:
        """All games of rounds to come: the lower numbers win."""
        for _ in range(400):
            for played in self.t.pending:
                self.lower_wins(played)
            if not self.draw():
                return
        raise AssertionError("does not end")
