"""The rules of a match and its position, as its game knows them.

Decoding a position costs more than anything else on the way of a move, and the same positions come
back (the move, the board after it, suggestions while somebody types), so games and positions are
kept in small caches. Both are values: nothing can go stale. A position that was just played is put
there as it is (:func:`keep`), not read back from its own text. The table last asked for is kept as
well, because whatever shows a match asks for it several times in a row.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bot.domain.match import Match, MatchStatus
from bot.errors import UserError
from games import catalog
from games.api import Game, OptionValue, Seat
from games.errors import OptionError


@dataclass(frozen=True, slots=True)
class GameState:
    """A game under the options of one match, and a position in it."""

    game: Game[Any, Any]
    position: Hashable


@lru_cache(maxsize=256)
def _game(
    kind: type[Game[Any, Any]], options: tuple[tuple[str, OptionValue], ...]
) -> Game[Any, Any]:
    return kind(dict(options))


_MOST_POSITIONS = 1024
_positions: OrderedDict[tuple[Game[Any, Any], str], Hashable] = OrderedDict()
"""By their game and text. Threads may share it: every step on it is whole by itself, and a position
that is gone between two steps is read from its text again."""


def keep(game: Game[Any, Any], state: str, position: Hashable) -> None:
    """Remember which position a text means, in place of the one asked for least recently."""
    _positions[game, state] = position
    if len(_positions) > _MOST_POSITIONS:
        _positions.popitem(last=False)


def position_of(game: Game[Any, Any], state: str) -> Hashable:
    """The position that a text means."""
    try:
        _positions.move_to_end((game, state))
        return _positions[game, state]
    except KeyError:
        position: Hashable = game.decode(state)
        keep(game, state, position)
        return position


def game_of(key: str, options: Mapping[str, OptionValue]) -> Game[Any, Any]:
    """The game of that key under these options. Raises :exc:`games.errors.OptionError`."""
    kind = catalog.GAMES.get(key)
    if kind is None:
        return catalog.create(key, options)
    return _game(kind, tuple(sorted(options.items())))


def check_whole(match: Match) -> None:
    """Refuse a match that is set aside because what is stored of it is damaged."""
    if match.set_aside_at is not None:
        running = match.status is MatchStatus.RUNNING
        raise UserError("match_damaged" if running else "history_damaged")


_latest: tuple[tuple[object, ...], GameState] | None = None
"""The table last asked for, and what it follows from; put there whole, so threads may share it."""


def game_state_of(match: Match) -> GameState:
    """The game and the position of a match that has started.

    Raises :exc:`~bot.errors.UserError` (``not_started``, ``game_gone``, ``rules_changed``,
    ``match_damaged``, ``history_damaged``).
    """
    check_whole(match)
    global _latest  # noqa: PLW0603 - one value, which is replaced
    kind = catalog.GAMES.get(match.game)
    asked, latest = (kind, match.options, match.rules_version, match.state), _latest
    if latest is not None and latest[0] == asked:
        return latest[1]
    if not match.state:
        raise UserError("not_started")
    try:
        game = game_of(match.game, match.options)
    except OptionError as error:
        raise UserError("game_gone", game=match.game) from error
    if game.info.rules_version != match.rules_version:
        raise UserError("rules_changed", game=game.info.name)
    table = GameState(game, position_of(game, match.state))
    _latest = (asked, table)
    return table


def player_at(table: GameState, seat: Seat) -> int:
    """The player index of who sits at a seat in this position."""
    return table.game.seating(table.position)[seat]


def player_on_turn(match: Match) -> int | None:
    """The player index of who is to move, None where nobody is."""
    if match.status is not MatchStatus.RUNNING:
        return None
    table = game_state_of(match)
    seat = table.game.to_move(table.position)
    return None if seat is None else player_at(table, seat)


def is_on_turn(match: Match, player: int) -> bool:
    """Whether a player index is to move, as far as the rules of the game are there to say so."""
    try:
        return player_on_turn(match) == player
    except UserError:
        return False
