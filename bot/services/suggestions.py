"""Suggests moves while a player types, from memory."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from bot.domain.game_state import GameState, game_state_of
from bot.domain.match import Match, MatchStatus
from bot.errors import UserError
from games.errors import GameError
from games.view import Text

LIMIT = 25
"""As many as Discord shows."""
_LONGEST = 100
"""Characters that Discord takes of one."""


def suggest(match: Match, typed: str) -> tuple[str, ...]:
    """At most 25 legal moves in canonical notation that fit what has been typed.

    The one that it means comes first, then those that begin with it and those that contain it,
    each in the game's own order. Case, blanks and the width of letters don't matter.
    """
    if match.status is not MatchStatus.RUNNING:
        return ()
    try:
        table = game_state_of(match)
    except UserError:
        return ()
    wanted = _plain(typed[:100])
    moves = _notations(table)
    if not wanted:
        return tuple(words for words, _ in moves[:LIMIT])
    meant = _meant(table, typed[:100])
    first = [words for words, plain in moves if plain.startswith(wanted)]
    if len(first) < LIMIT:
        first += [
            words for words, plain in moves if wanted in plain and not plain.startswith(wanted)
        ]
    return tuple(dict.fromkeys([*meant, *first]))[:LIMIT]


def _meant(table: GameState, typed: str) -> tuple[str, ...]:
    """The move if it is whole already, though perhaps written in another way."""
    try:
        move = table.game.parse(table.position, typed)
    except GameError:
        return ()
    return (table.game.notation(table.position, move),)


def effects(match: Match, move: str) -> tuple[Text, ...]:
    """The immediate effects of a legal move, in a word each: it captures, or it wins."""
    table = game_state_of(match)
    game, position = table.game, table.position
    meant = game.parse(position, move)
    said = [Text.of("captures")] if game.takes(position, meant) else []
    outcome = game.outcome(game.play(position, meant))
    if outcome is not None and outcome.winners == (game.to_move(position),):
        said.append(Text.of("wins"))
    return tuple(said)


def suggest_line(match: Match, typed: str) -> tuple[str, ...]:
    """At most 25 lines of a plan that continue what has been typed by one legal move.

    Empty where that is no line, or holds a move that is not foreseen (``*``).
    """
    if match.status is not MatchStatus.RUNNING:
        return ()
    before, _, begun = typed[:200].replace("→", " ").rpartition(" ")
    try:
        table = game_state_of(match)
        game, position = table.game, table.position
        words = []
        for word in before.split():
            move = game.parse(position, word)
            words.append(game.notation(position, move))
            position = game.play(position, move)
    except (UserError, GameError):
        return ()
    wanted = _plain(begun)
    moves = [words for words, plain in _notations(GameState(game, position)) if wanted in plain]
    return tuple(" ".join([*words, move]) for move in moves[:LIMIT])


async def gathered(matches: Iterable[Match], each: Callable[[Match], Sequence[str]]) -> list[str]:
    """At most 25 suggestions for the matches.

    The event loop has its turn after each match, since some games take a while.
    """
    found: dict[str, None] = {}
    for match in matches:
        found.update(dict.fromkeys(text for text in each(match) if 1 <= len(text) <= _LONGEST))
        if len(found) >= LIMIT:
            break
        await asyncio.sleep(0)
    return list(found)[:LIMIT]


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


@lru_cache(maxsize=256)
def _notations(table: GameState) -> tuple[tuple[str, str], ...]:
    """Every legal move as written, and as compared: 0.05 ms, in Pux 5 ms a key."""
    game, position = table.game, table.position
    words = [game.notation(position, move) for move in game.legal_moves(position)]
    return tuple((text, _plain(text)) for text in words)
