"""The task of a computer in a match, and the seats that computers take by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

from bot.domain import offer_answers
from bot.domain.computers import is_computer
from bot.domain.events import Change, CommandContext, EventKind, OnVacation
from bot.domain.game_state import known_turn
from bot.domain.ids import UserId
from bot.domain.match import Actor, Match, MatchStatus
from games.api import Game


def sits(change: Change, away: tuple[OnVacation, ...] = ()) -> Iterator[Change]:
    """The changes after an offer that names computers: each takes its seat at once.

    The start of the match, if that was the last seat, depends on the id of the match alone.
    """
    if change.event.kind is not EventKind.OFFERED:
        return
    match = change.match
    act = CommandContext(change.event.at, away=away)
    dice = Random(match.id)  # noqa: S311 - no secret
    start = change.event.payload.get("start")

    def initial(game: Game[Any, Any]) -> str:
        return start if isinstance(start, str) else game.encode(game.initial(dice))

    for guest in match.invited:
        if guest is not None and is_computer(guest):
            actor = Actor(guest, match.origin.guild_id)
            change = offer_answers.accept(match, act, actor, initial=initial)
            match = change.match
            yield change


def people_of(match: Match) -> tuple[UserId, ...]:
    """The people at the table in the order of their seats."""
    return tuple(user for user in match.players if user is not None and user > 0)


def awaited(match: Match) -> int | None:
    """The player index of the computer that has to act now: to answer first, or else to move."""
    if match.status is not MatchStatus.RUNNING or match.set_aside_at is not None:
        return None
    answering = to_answer(match)
    if answering is not None:
        return answering
    if match.is_paused:
        return None
    player = known_turn(match)
    return player if player is not None and is_computer(match.players[player]) else None


def to_answer(match: Match) -> int | None:
    """The player index of the first computer that has not answered a player's request."""
    for request in match.requests:
        for index, user in enumerate(match.players):
            if is_computer(user) and index not in match.retired and index not in request.agreed:
                return index
    return None


def seed_of(match: Match) -> int:
    """The seed for a computer's action in this position: the same in every process."""
    found = sha256(f"{match.id} {match.position_since}".encode("ascii")).digest()
    return int.from_bytes(found[:6], "big")
