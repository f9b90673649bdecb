"""Matches of two players: paired openings, sides exchanged, the same moves from the same seed.

Each opening is a few random moves from the start and is played twice, the second time with the
sides exchanged. At a table of more than two each player takes every other seat, or the first and
the last ones; the second time the seats are exchanged too.

Players are named: ``3`` a level, ``n500`` the engine's search with 500 nodes, ``random``,
``oneply``, ``ab500`` plain alpha-beta with 500 nodes, ``uct1000`` plain UCT with 1000 random games
on the same board, ``uctx10`` plain UCT with ten times the CPU time of the other player in the same
game, ``general500`` the shared search by the rules alone. All but ``uctx10``, which needs a clock,
play the same from the same seed.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engines.api import Level
from engines.board import RulesBoard, ScoredBoard
from engines.catalog import engine_for, general_search
from engines.pie import swap_of
from engines.references import AtRandom, PlainAlphaBeta, Uct
from engines.statistics import Sprt, elo, is_admitted, wilson
from games.api import Game


@dataclass(frozen=True, slots=True)
class Player:
    """A player: ``choose`` returns a move for a position, a seed and seconds of CPU time.

    ``times`` is its multiple of the other player's CPU time; if it is 0, the player has its own
    budget and ignores the seconds.
    """

    choose: Callable[[Any, int, float], Any]
    times: int = 0


_NAME = re.compile(
    r"(?P<level>[0-9]{1,2})|(?P<kind>n|ab|uctx|uct|general)(?P<nodes>[0-9]{1,7})|"
    r"(?P<word>random|oneply)"
)


def player(game: Game[Any, Any], name: str) -> Player:
    """The player of that name; :exc:`ValueError` if there is none."""
    form = _NAME.fullmatch(name)
    if form is None:
        raise ValueError(f"no player is called {name!r}")
    engine = engine_for(game)
    if form["level"]:
        level = engine.level(int(form["level"]))
        return Player(lambda position, seed, _: engine.choose(position, level, seed))
    if form["kind"] == "n":
        level = Level(9, int(form["nodes"]))
        return Player(lambda position, seed, _: engine.choose(position, level, seed))
    if form["word"] == "oneply":
        return _searching(game, engine.one_ply, 0)
    if form["word"] == "random":
        return _searching(game, AtRandom(RulesBoard(game)), 0)
    if form["kind"] == "uctx":
        uct = Uct(engine.board)
        return Player(
            lambda position, seed, seconds: uct.best(position, seconds, Random(seed)),
            times=int(form["nodes"]),
        )
    if form["kind"] == "ab":
        if not isinstance(engine.board, ScoredBoard):
            raise ValueError(f"{game.info.key} has no evaluation for alpha-beta")
        return _searching(game, PlainAlphaBeta(engine.board), int(form["nodes"]))
    if form["kind"] == "uct":
        return _searching(game, Uct(engine.board), int(form["nodes"]))
    return _searching(game, general_search(RulesBoard(game)), int(form["nodes"]))


def _searching(game: Game[Any, Any], search: Any, nodes: int) -> Player:
    def choose(position: Any, seed: int, seconds: float) -> Any:  # noqa: ARG001
        rng = Random(f"{seed} {game.encode(position)}")
        return search.candidates(position, nodes, rng)[0].move

    return Player(choose)


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a match. ``seats`` has 0 or 1 for each player of the game."""

    seats: tuple[int, ...]
    seed: int
    opening: int
    moves: tuple[str, ...]
    reason: str
    score: float
    """The score of the first of the two players: 1 for a win, 0.5 for a draw."""
    seconds: tuple[float, float]
    """The CPU time of each of the two."""


@dataclass(slots=True)
class Tally:
    """The games of a match so far."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    score: float = 0.0
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    moves: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, played: Played) -> None:
        """Count one more game."""
        self.games += 1
        self.wins += played.score > 0.5
        self.draws += played.score == 0.5
        self.score += played.score
        for which in (0, 1):
            self.seconds[which] += played.seconds[which]

    def lines(self, first: str, second: str) -> Iterator[str]:
        """The result of the match with its figures, line by line."""
        losses = self.games - self.wins - self.draws
        yield f"{first} v {second}: {self.wins} won, {self.draws} drawn, {losses} lost"
        if not self.games:
            return
        interval = wilson(self.score, self.games)
        share = self.score / self.games
        points = elo(share)
        yield f"score {share:.1%}, 95 % interval {interval.low:.1%} to {interval.high:.1%}"
        yield f"elo {'out of scale' if points is None else f'{points:+.0f}'}"
        test = Sprt()
        yield (
            f"sprt elo0={test.elo0:g} elo1={test.elo1:g}: {test.verdict(self.score, self.games)}"
            f" ({test.ratio(self.score, self.games):+.2f} of {test.bound:.2f})"
        )
        admitted = "yes" if is_admitted(self.score, self.games) else "no"
        yield f"at least 60 % with 90 % confidence: {admitted}"
        mine, theirs = (each / self.games for each in self.seconds)
        yield f"CPU a game: {mine:.2f} s and {theirs:.2f} s"


_LONGEST = 600
_FIRST_TURN = 0.1
"""The assumed seconds of the other player's first turn."""


def play_match(
    game: Game[Any, Any], names: tuple[str, str], *, games: int, seed: int, plies: int
) -> Iterator[Played]:
    """The games of a match, one after another; ``games`` is rounded up to an even number."""
    players = (player(game, names[0]), player(game, names[1]))
    for pair in range((games + 1) // 2):
        opening = _opening(game, Random(f"{seed} {pair}"), plies)
        seats = _seats(len(game.seats), pair)
        for exchanged in (seats, tuple(1 - who for who in seats)):
            yield _play(game, players, exchanged, opening, seed * 1_000_003 + pair)


def _seats(count: int, pair: int) -> tuple[int, ...]:
    if count == 2:
        return (0, 1)
    # Of four seats first every other one, then the first two, then the first and the last.
    patterns = ((0, 1, 0, 1), (0, 0, 1, 1), (0, 1, 1, 0))
    pattern = patterns[pair % len(patterns)]
    return tuple(pattern[seat % 4] for seat in range(count))


def _opening(game: Game[Any, Any], rng: Random, plies: int) -> list[Any]:
    """Random moves that neither end the game nor swap."""
    while True:
        position = game.initial(rng)
        line: list[Any] = []
        while len(line) < plies and game.outcome(position) is None:
            swap = swap_of(game, position)
            moves = [move for move in game.legal_moves(position) if move != swap]
            move = moves[int(rng.random() * len(moves))]
            line.append(move)
            position = game.play(position, move)
        if game.outcome(position) is None:
            return line


def _play(
    game: Game[Any, Any],
    players: tuple[Player, Player],
    seats: tuple[int, ...],
    opening: list[Any],
    seed: int,
) -> Played:
    board = RulesBoard(game)
    position = game.initial(Random(seed))
    line: list[str] = []
    seconds, turns = [0.0, 0.0], [0, 0]
    for move in opening:
        line.append(game.notation(position, move))
        position = game.play(position, move)
    while (rewards := board.rewards(position)) is None:
        if len(line) >= _LONGEST:
            rewards = (1 / board.players,) * board.players
            break
        who = seats[board.mover(position)]
        may_take = seconds_for(players[who].times, who, seconds, turns)
        began = time.process_time()
        move = players[who].choose(position, seed * 2 + who, may_take)
        seconds[who] += time.process_time() - began
        turns[who] += 1
        line.append(game.notation(position, move))
        position = game.play(position, move)
    outcome = game.outcome(position)
    score = sum(reward for reward, who in zip(rewards, seats, strict=True) if who == 0)
    reason = outcome.reason if outcome else "too_long"
    return Played(seats, seed, len(opening), tuple(line), reason, score, (seconds[0], seconds[1]))


def seconds_for(times: int, who: int, seconds: Sequence[float], turns: Sequence[int]) -> float:
    """The thinking time by which that player reaches ``times`` the CPU time of the other.

    It stays one turn ahead, since the last turn of the game may be the other's.
    """
    other = 1 - who
    mean = seconds[other] / turns[other] if turns[other] else _FIRST_TURN
    return max(mean, times * (seconds[other] + mean) - seconds[who])


def record(game: Game[Any, Any], names: tuple[str, str], played: Played) -> str:
    """The whole game as one line of JSON."""
    return json.dumps(
        {
            "game": game.info.key,
            "options": dict(game.options),
            "players": [names[who] for who in played.seats],
            "seed": played.seed,
            "opening": played.opening,
            "moves": list(played.moves),
            "reason": played.reason,
            "score": round(played.score, 4),
            "seconds": [round(each, 2) for each in played.seconds],
        }
    )
