"""Taking moves back: what is left of a history, and the position after it.

A history only ever grows. An event that takes moves back says how many (``undone``), and
these are left out where moves are read from events (:func:`bot.domain.playthrough.moves_of`). The
position is not kept for this purpose: the game plays what is left from the start.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.domain.events import Event, EventKind
from bot.domain.game_state import GameState, game_state_of, keep, player_at
from bot.domain.match import RECENT, Match
from bot.domain.playthrough import moves_of, start_of


def own_last(events: Iterable[Event], player: int) -> int | None:
    """How many moves came before the last one that a player has made; None if they made none.

    What was played for a player who has left is nobody's own move.
    """
    makers: list[int | None] = []
    for event in events:
        undone = event.payload.get("undone")
        if isinstance(undone, int):
            del makers[len(makers) - undone :]
        if event.kind is EventKind.MOVED:
            makers.append(event.player)
        played = event.payload.get("then") or event.payload.get("moves")
        if isinstance(played, list):
            makers.extend(None for _ in played)
    for ply in range(len(makers) - 1, -1, -1):
        if makers[ply] == player:
            return ply
    return None


def rewound(match: Match, events: Iterable[Event], ply: int) -> tuple[GameState, dict[str, Any]]:
    """The table after the first ``ply`` moves, and the fields of the head that change with it."""
    events = tuple(events)
    game = game_state_of(match).game
    moves = moves_of(events)[:ply]
    before, state = "", start_of(events)
    position = game.decode(state)
    moved_by: int | None = None
    for number, text in enumerate(moves, 1):
        seat = game.to_move(position)
        assert seat is not None  # noqa: S101 - a move was played here
        if number == ply:
            before = state if number == 1 else game.encode(position)
            moved_by = player_at(GameState(game, position), seat)
        position = game.play(position, game.parse(position, text))
    if moves:
        state = game.encode(position)
    keep(game, state, position)
    return GameState(game, position), {
        "state": state,
        "previous_state": before,
        "last_move": moves[-1] if moves else "",
        "moved_by": moved_by,
        "recent": moves[-RECENT:],
        "ply": ply,
        "position_since": match.version + 1,
    }
