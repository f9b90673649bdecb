"""Matches to make records of, played at random by all the means that players have."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from bot.domain import hosted, play, request_rules, stalled
from bot.domain.clock import TimeControl
from bot.domain.events import Event
from bot.domain.game_state import game_state_of, player_on_turn
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.playthrough import own_last
from bot.domain.requests import RequestKind
from bot.history.domain import Person, Record, record_of
from games import catalog
from tests.domain.people import accepted, at, offered
from tests.support.kit import ANN, START, person


@dataclass
class Played:
    match: Match
    events: list[Event]

    def record(self, *names: str) -> Record:
        people = [
            Person(names[index] if index < len(names) else f"Player {index + 1}", str(user))
            for index, user in enumerate(self.match.players)
        ]
        return record_of(self.match, self.events, people)

    def then(self, command: Any, *args: Any, **named: Any) -> None:
        change = command(self.match, *args, **named)
        self.events.append(change.event)
        self.match = change.match


def begun(
    key: str, options: dict[str, Any], *, seed: int = 0, clock: TimeControl | None = None
) -> Played:
    """A match whose chairs are all taken."""
    seats = len(catalog.create(key, options).seats)
    others = [person(number) for number in range(2, seats + 1)]
    change = offered(*others, game=key, options=options, seed=seed, clock=clock)
    found = Played(change.match, [change.event])
    for other in others:
        found.then(accepted, other)
    return found


def play_at_random(found: Played, rng: Random, *, most: int = 10_000) -> None:
    """Play so many moves, or to the end."""
    while found.match.status is MatchStatus.RUNNING and most:
        most -= 1
        table = game_state_of(found.match)
        move = rng.choice(list(table.game.legal_moves(table.position)))
        words = table.game.notation(table.position, move)
        found.then(play.move, at(2), person(_on_turn(found)), text=words)


def _on_turn(found: Played) -> int:
    index = player_on_turn(found.match)
    assert index is not None
    user = found.match.players[index]
    assert user is not None
    return user


CLOCK = TimeControl(timedelta(days=3), timedelta(hours=6), cap=timedelta(days=5))


def _out_of_time(found: Played, rng: Random) -> Played:
    """Some moves, and then nobody comes back."""
    play_at_random(found, rng, most=rng.randrange(30))
    while found.match.deadline is not None:
        late = (found.match.deadline - START).total_seconds()
        found.then(play.flag, at(late))
    return found


def take_back(found: Played, rng: Random) -> None:
    """Take a player's last move back, if there is one."""
    playing = [
        person(user)
        for index, user in enumerate(found.match.players)
        if index not in found.match.retired and user is not None
    ]
    asker = rng.choice(playing)
    made = own_last(found.events, playing_index(found, asker))
    if found.match.status is not MatchStatus.RUNNING or made is None:
        return
    for each in (asker, *(other for other in playing if other is not asker)):
        past = tuple(found.events)
        command = request_rules.ask if each is asker else partial(request_rules.answer, accept=True)
        found.then(command, at(3), each, RequestKind.TAKEBACK, past=past)
    assert found.match.ply == made


def playing_index(found: Played, actor: Actor) -> int:
    index = found.match.index_of(actor.user_id)
    assert index is not None
    return index


def random_match(key: str, options: dict[str, Any], seed: int) -> Played:
    """A match that ends in one of the ways in which matches end, or has not ended."""
    rng = Random(f"{key} {sorted(options.items())} {seed}")
    found = begun(key, options, seed=seed)
    info = catalog.GAMES[key].info
    aside = Random(f"takebacks {key} {sorted(options.items())} {seed}")
    takes_back = aside.random() < 0.4
    how = rng.choice(["game", "game", "resign", "resign", "draw", "abort", "running", "time"])
    if how == "time":
        return _out_of_time(begun(key, options, seed=seed, clock=CLOCK), rng)
    if how == "abort":
        play_at_random(found, rng, most=rng.randrange(2))
        if found.match.status is MatchStatus.RUNNING:
            found.then(stalled.abort, at(3), ANN)
        return found
    if how != "game":
        play_at_random(found, rng, most=rng.randrange(30))
    if takes_back:
        play_at_random(found, aside, most=aside.randrange(4))
        take_back(found, aside)
    if how == "running" and found.match.status is MatchStatus.RUNNING and seed % 2:
        points = [Fraction(aside.randrange(3)) for _ in found.match.players]
        found.then(hosted.adjudicate, at(4), points, "director")
    while how == "resign" and found.match.status is MatchStatus.RUNNING:
        left = [
            user
            for index, user in enumerate(found.match.players)
            if user is not None and index not in found.match.retired
        ]
        found.then(play.resign, at(4), person(rng.choice(left)))
        if rng.random() < 0.6:
            play_at_random(found, rng, most=rng.randrange(12))
        if takes_back:
            take_back(found, aside)
        if rng.random() < 0.2:
            how = "game"
    if how == "draw" and info.allows_draw_offer and found.match.status is MatchStatus.RUNNING:
        for user in found.match.players:
            assert user is not None
            found.then(request_rules.ask, at(5), person(user), RequestKind.DRAW)
    if how == "game":
        play_at_random(found, rng)
    return found
