"""The matches that count, the places of their players, and the ratings that follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.computers import is_computer
from bot.domain.game_state import game_state_of
from bot.domain.ids import UserId
from bot.domain.match import UNCOUNTED, Match, MatchStatus
from bot.domain.ratings.glicko import GLICKO
from bot.domain.ratings.system import SKILL, Rating, System
from bot.errors import UserError
from games import catalog
from games.api import GameInfo, IntOption, OptionValue

MOVES_EACH = 2
"""A rated match counts once this many moves for each player have been made."""

_DAY = timedelta(days=1)


def system_of(game: str) -> System:
    """The system that rates a game: Glicko-2 if it is usually for two, else OpenSkill."""
    kind = catalog.GAMES.get(game)
    return GLICKO if kind is None or len(kind({}).seats) == 2 else SKILL


def check_rated(
    info: GameInfo,
    options: Mapping[str, OptionValue],
    seat: int | None,
    opponents: tuple[UserId, ...] = (),
) -> None:
    """Raise :exc:`~bot.errors.UserError` unless a match can be rated.

    Rated matches are between people (``rated_computer``), have the sizes that the menus offer, as
    tiny boards prove nothing, and lots decide the first player (``rated_options``, ``rated_side``).
    """
    if any(map(is_computer, opponents)):
        raise UserError("rated_computer")
    for option in info.options:
        if isinstance(option, IntOption) and options[option.key] not in option.suggested:
            offered = ", ".join(str(value) for value in sorted(option.suggested))
            raise UserError("rated_options", option=option.key, offered=offered)
    if seat is not None:
        raise UserError("rated_side")


def counts(match: Match) -> bool:
    """Whether a match changes ratings: rated, ended with a result, and really played.

    A double forfeit in a tournament is no draw, and says nothing about strength.
    """
    return _could_count(match) and match.ply >= MOVES_EACH * len(match.players)


def is_too_short(match: Match) -> bool:
    """Whether a rated match changes no ratings because it had too few moves."""
    return _could_count(match) and not counts(match)


def _could_count(match: Match) -> bool:
    result = match.result
    return (
        match.rated
        and match.status is MatchStatus.FINISHED
        and not (result is not None and (result.reason == UNCOUNTED or result.is_lost_by_all))
    )


def ranks_of(match: Match) -> tuple[int, ...]:
    """The place of each player index in a match with a result, from 0; equal ones are tied.

    The winners come first and players who left last; between them the score decides.
    """
    result = match.result
    if result is None:
        raise ValueError(match.id)
    table = game_state_of(match)
    scores = dict(zip(table.game.seating(table.position), result.scores, strict=True))
    marks = [
        (index not in result.winners, index in match.retired, -scores[index])
        for index in range(len(match.players))
    ]
    order = sorted(set(marks))
    return tuple(order.index(mark) for mark in marks)


@dataclass(frozen=True, slots=True)
class RatingRecord:
    """A player's rating in one game, and the matches behind it."""

    rating: Rating
    matches: int = 0
    won: int = 0
    drawn: int = 0
    last_at: datetime | None = None

    @property
    def lost(self) -> int:
        """Matches neither won nor drawn."""
        return self.matches - self.won - self.drawn

    def aged(self, system: System, now: datetime) -> Rating:
        """The rating as it is now, after the time without a match."""
        if self.last_at is None:
            return self.rating
        return system.aged(self.rating, max(now - self.last_at, timedelta()) / _DAY)


def apply(
    system: System, records: tuple[RatingRecord, ...], ranks: tuple[int, ...], at: datetime
) -> tuple[RatingRecord, ...]:
    """The records of a match's players after it; ``at`` is its end."""
    rated = system.after(tuple(each.aged(system, at) for each in records), ranks)
    everybody = ranks.count(0) == len(ranks)
    return tuple(
        RatingRecord(
            rating,
            before.matches + 1,
            before.won + (rank == 0 and not everybody),
            before.drawn + everybody,
            at,
        )
        for before, rating, rank in zip(records, rated, ranks, strict=True)
    )
