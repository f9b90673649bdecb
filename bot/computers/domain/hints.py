"""Hints: where to look, what to play, and why, from the result of a search.

A person who plays computers alone gets hints without the consent of others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from bot.domain.game_state import GameState
from bot.domain.ids import UserId
from bot.domain.match import Match

_CLEARLY = 0.12
_AHEAD = 0.6
_PLACES = 3
"""The number of moves pointed out before the best one is shown."""


@dataclass(frozen=True, slots=True)
class FoundMove:
    """A move that a search has found: its value from 0 to 1 for the player, and how it goes on.

    ``proof`` is ``win``, ``draw`` or ``loss`` where that is certain, else None; ``within`` how many
    moves the winner of a win or a loss then makes at most, if that is known.
    """

    move: str
    value: float
    line: tuple[str, ...] = ()
    proof: str | None = None
    within: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search in a position: its moves, the best first."""

    moves: tuple[FoundMove, ...]

    @property
    def best(self) -> FoundMove:
        """The move to play."""
        return self.moves[0]

    def of(self, move: str) -> FoundMove | None:
        """The result for one move; None if the search has none."""
        return next((each for each in self.moves if each.move == move), None)


class Why(Enum):
    """An argument for a move."""

    WINS_NOW = "wins_now"
    WINS_IN = "wins_in"
    """``n``: own moves until then."""
    WINS = "wins"
    ONLY = "only"
    """All other moves lose."""
    DRAWS = "draws"
    OTHERS_WEAKER = "others_weaker"
    """``move``, the next best one, and ``reply``, what the opponent would answer to it."""
    REPLY = "reply"
    """``reply``: the opponent's best answer."""
    AHEAD = "ahead"
    EVEN = "even"
    BEHIND = "behind"


@dataclass(frozen=True, slots=True)
class Reason:
    """One argument for a move, with its details."""

    why: Why
    params: dict[str, str | int] = field(default_factory=dict, hash=False)


def may_have_hint(match: Match, user_id: UserId) -> bool:
    """Whether this person may get hints in a match."""
    return match.has_hints and match.index_of(user_id) is not None


def touched(table: GameState, move: str) -> tuple[str, ...]:
    """The cells that a move touches; none for a move like a pass."""
    game = table.game
    parsed: Any = game.parse(table.position, move)
    marks = game.marks(table.position, parsed)
    ends = [end for link in marks.last_links for end in link]
    return tuple(dict.fromkeys((*marks.origins, *marks.last, *ends)))


def where_to_look(table: GameState, found: Found) -> tuple[str, ...]:
    """The cells of a few good moves in the order of the board, the best move's among them."""
    cells: set[str] = set()
    for each in found.moves[:_PLACES]:
        cells.update(touched(table, each.move))
    return tuple(sorted(cells))


def reasons(table: GameState, found: Found) -> tuple[Reason, ...]:
    """The arguments for the best move, the strongest first."""
    best, others = found.best, found.moves[1:]
    said: list[Reason] = []
    if best.proof == "win":
        said.append(_win(table, best))
    elif others and all(each.proof == "loss" for each in others):
        said.append(Reason(Why.ONLY))
    elif best.proof == "draw":
        said.append(Reason(Why.DRAWS))
    if not said and others and best.value - others[0].value >= _CLEARLY:
        weaker = others[0]
        if len(weaker.line) > 1:
            params: dict[str, str | int] = {"move": weaker.move, "reply": weaker.line[1]}
            said.append(Reason(Why.OTHERS_WEAKER, params))
    if best.proof != "win":
        if len(best.line) > 1:
            said.append(Reason(Why.REPLY, {"reply": best.line[1]}))
        said.append(Reason(_standing(best.value, len(table.game.seats))))
    return tuple(said)


def _win(table: GameState, best: FoundMove) -> Reason:
    """The distance of a proved win, if that is known."""
    game, position = table.game, table.position
    if game.outcome(game.play(position, game.parse(position, best.move))) is not None:
        return Reason(Why.WINS_NOW)
    return Reason(Why.WINS) if best.within is None else Reason(Why.WINS_IN, {"n": best.within})


def _standing(value: float, seats: int) -> Why:
    """The player's chances in words; with more than two players, half the win is a lot."""
    even = 1 / seats
    if value >= even + (_AHEAD - 0.5):
        return Why.AHEAD
    return Why.EVEN if value > even - (_AHEAD - 0.5) else Why.BEHIND
