"""Computers as players: their ids and their strength.

A computer has a seat like a person, with an id that Discord never gives out: all of these are
negative. Those down to :data:`_LAST` are computers, those far below stand for people whose data was
erased. Several computers of one level at a table have a number each, so that every player of a
match is a different one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.domain.ids import UserId
from engines.levels import levels_of, rating_of

_MOST_LEVELS = 100
_LAST = -999
_LAST_MADE_UP = -1999
"""Ids below those of computers are for the made-up players of a rehearsal."""


def computer(level: int, number: int = 0) -> UserId:
    """The id of a computer; ``number`` distinguishes those of one level, from 1, at a table."""
    if not 1 <= level < _MOST_LEVELS or not 0 <= number < 9:
        raise ValueError(f"no computer has level {level} and number {number}")
    return UserId(-(number * _MOST_LEVELS + level))


def is_computer(user_id: UserId | None) -> bool:
    """Whether this player is a computer."""
    return user_id is not None and _LAST <= user_id < 0


def made_up(number: int) -> UserId:
    """The id of a made-up player by a number from 1, for a rehearsal without people."""
    if not 1 <= number <= _LAST - _LAST_MADE_UP:
        raise ValueError(f"no made-up player has number {number}")
    return UserId(_LAST - number)


def number_made_up(user_id: UserId) -> int | None:
    """The number of a made-up player, None for anyone else."""
    return _LAST - user_id if _LAST_MADE_UP <= user_id < _LAST else None


def is_erased(user_id: UserId | None) -> bool:
    """Whether the id stands for a person whose data was erased."""
    return user_id is not None and user_id < _LAST_MADE_UP


def level_of(user_id: UserId) -> int:
    """The level of a computer."""
    return -user_id % _MOST_LEVELS


def number_of(user_id: UserId) -> int:
    """The number of a computer among those of its level at a table, from 0."""
    return -user_id // _MOST_LEVELS


def told_apart(users: Iterable[UserId]) -> tuple[UserId, ...]:
    """The same players, with a number for each computer of the same level."""
    found: list[UserId] = []
    for user in users:
        each = user
        if is_computer(user):
            number = 0
            while (each := computer(level_of(user), number)) in found:
                number += 1
        found.append(each)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class OfferedLevel:
    """A level of a game; ``rating`` compares it with the others, None: not measured."""

    number: int
    rating: int | None


def levels_for(game: str) -> tuple[OfferedLevel, ...]:
    """The levels of a game's computer, the weakest first, by the game's key."""
    return tuple(
        OfferedLevel(number, rating_of(game, number)) for number in range(1, levels_of(game) + 1)
    )


def has_level(game: str, user_id: UserId) -> bool:
    """Whether a computer of that level plays a game."""
    return 1 <= level_of(user_id) <= levels_of(game)


def advising_level(game: str) -> int:
    """The level that gives hints and reviews: the strongest that takes about a second."""
    return levels_of(game)


@dataclass(frozen=True, slots=True)
class PlayedComputer:
    """A person's last match against a computer: its level, and their share of the win, 0 to 1."""

    level: int
    score: float


def about_as_strong(game: str, rating: int | None, last: PlayedComputer | None) -> int:
    """The level to suggest to a person.

    One above or below that of their ``last`` match against a computer, if they won or lost it;
    without one, the level whose rating is nearest to theirs; without a ``rating`` to rely on, the
    second, against which a beginner has a chance.
    """
    offered = levels_for(game)
    if last is not None:
        step = (last.score > 0.5) - (last.score < 0.5)
        return min(max(last.level + step, 1), len(offered))
    if rating is None:
        return min(2, len(offered))
    measured = [each for each in offered if each.rating is not None]
    if not measured:
        return min(2, len(offered))
    return min(measured, key=lambda each: abs((each.rating or 0) - rating)).number
