"""Player actions in a running match: move, resign, run out of time.

Only the game says who is on turn, which moves are legal and who has won. A move of the pie rule is
a move like any other.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any

from bot.domain.computers import is_computer
from bot.domain.events import Change, CommandContext, EventKind, advance
from bot.domain.game_state import GameState, check_running, game_state_of, keep, player_at
from bot.domain.ids import UserId
from bot.domain.match import RECENT, Actor, Ending, Match, MatchStatus, Result
from bot.domain.match_clock import next_times, runs_out, stood_payload, until_payload
from bot.domain.requests import Request, RequestKind
from bot.errors import UserError
from games.api import Outcome
from games.notation import plain


def acting_player(match: Match, actor: Actor, *, vacations: bool = False) -> int:
    """The player index of an actor who may act in a running match; refuses all others.

    Players can only leave a match that is set aside.
    """
    check_running(match, whole=not vacations)
    return seated(match, actor.user_id)


def seated(match: Match, user_id: UserId) -> int:
    """The player index of a person who still plays; refuses all others."""
    index = match.index_of(user_id)
    if index is None:
        raise UserError("not_a_player")
    if index in match.retired:
        raise UserError("have_left")
    return index


def winners_of(outcome: Outcome, seats: Sequence[int], retired: Collection[int]) -> tuple[int, ...]:
    """The player indices that have won by the rules.

    ``seats`` are the players by seat. A player who has left cannot win: if the rules know no other
    winner, the best of the remaining players win.
    """
    won = {seats[seat] for seat in outcome.winners}
    if won and won <= set(retired):
        scored = zip(seats, outcome.scores, strict=True)
        scores = {player: score for player, score in scored if player not in retired}
        won = {player for player, score in scores.items() if score == max(scores.values())}
    return tuple(sorted(won - set(retired)))


def _result(table: GameState, outcome: Outcome, retired: tuple[int, ...]) -> Result:
    winners = winners_of(outcome, table.game.seating(table.position), retired)
    return Result(Ending.GAME, outcome.reason, tuple(outcome.scores), winners)


def ended_by_players(table: GameState, ending: Ending, winners: tuple[int, ...]) -> Result:
    """The result of a match that its players ended: 1 for the winners' seats, else 0, or halves."""
    seats = table.game.seating(table.position)
    if not winners:
        return Result(ending, ending.value, (0.5,) * len(seats), ())
    scores = tuple(1.0 if player in winners else 0.0 for player in seats)
    return Result(ending, ending.value, scores, winners)


def play_on(
    match: Match,
    table: GameState,
    moves: tuple[tuple[int, str, Hashable], ...],
    retired: tuple[int, ...],
) -> dict[str, Any]:
    """The change of the head when these legal moves are played one after another.

    A move is the index of its player, its notation, and the position after it; ``retired`` are the
    players who have left by then.
    """
    before = match.state if len(moves) == 1 else table.game.encode(moves[-2][2])
    after = GameState(table.game, moves[-1][2])
    state = after.game.encode(after.position)
    keep(after.game, state, after.position)
    outcome = after.game.outcome(after.position)
    words = tuple(text for _, text, _ in moves)
    return {
        "state": state,
        "previous_state": before,
        "last_move": words[-1],
        "moved_by": moves[-1][0],
        "recent": (match.recent + words)[-RECENT:],
        "ply": match.ply + len(moves),
        "position_since": match.version + 1,
        "result": None if outcome is None else _result(after, outcome, retired),
        "status": MatchStatus.RUNNING if outcome is None else MatchStatus.FINISHED,
    }


def _for_the_retired(
    table: GameState, retired: tuple[int, ...]
) -> tuple[tuple[int, str, Hashable], ...]:
    """The moves for players who have left, until another player is on turn."""
    game = table.game
    played: list[tuple[int, str, Hashable]] = []
    while (seat := game.to_move(table.position)) is not None:
        player = player_at(table, seat)
        if player not in retired:
            break
        chosen: Any = game.move_for_absent(table.position)
        words = game.notation(table.position, chosen)
        table = GameState(game, game.play(table.position, chosen))
        played.append((player, words, table.position))
    return tuple(played)


def move(
    match: Match,
    act: CommandContext,
    actor: Actor,
    *,
    text: str,
    expected_version: int | None = None,
) -> Change:
    """Play the move that ``text`` means.

    ``expected_version`` is the version of the match that the player saw, if it is known: the move
    is refused if the position has changed since. Requests of other players expire. Raises
    :exc:`~bot.errors.UserError` and :exc:`games.errors.MoveError`.
    """
    player = acting_player(match, actor)
    table = game_state_of(match)
    if expected_version is not None and not (
        match.position_since <= expected_version <= match.version
    ):
        _refuse_repeated(match, player, text)
        raise UserError("position_changed", version=match.version)
    game = table.game
    seat = game.to_move(table.position)
    on_turn = player_at(table, seat) if seat is not None else None
    if on_turn != player:
        _refuse_repeated(match, player, text)
        raise UserError("not_your_turn", player=-1 if on_turn is None else on_turn)
    chosen = game.parse(table.position, text)
    words = game.notation(table.position, chosen)
    after = game.play(table.position, chosen)
    then = _for_the_retired(GameState(game, after), match.retired) if match.retired else ()
    payload: dict[str, Any] = {"move": words}
    if then:
        payload["then"] = [text for _, text, _ in then]
    changes = play_on(match, table, ((player, words, after), *then), match.retired)
    if match.clock is not None:
        last = GameState(game, then[-1][2] if then else after)
        changes |= next_times(match, act, table, last, interrupted=bool(then))
        payload |= stood_payload(match, act)
        payload |= until_payload(act, changes.get("times"), match.players)
    return advance(
        match,
        act,
        EventKind.MOVED,
        player=player,
        user_id=actor.user_id,
        payload=payload,
        requests=_asked_after_move(match.requests, player),
        departed=tuple(each for each in match.departed if each != player),
        **changes,
    )


def _refuse_repeated(match: Match, player: int, text: str) -> None:
    """Refuse a move that is on the board already as such: a double click is no mistake."""
    if match.moved_by == player and plain(text) == plain(match.last_move):
        raise UserError("already_played", move=match.last_move)


def resign(match: Match, act: CommandContext, actor: Actor) -> Change:
    """Give up.

    With two players the other wins. With more, the others play on if the game has a move for
    players who have left (:meth:`games.api.Game.move_for_absent`); otherwise, or if one player or
    only computers remain, the match ends and the remaining players win. Where the rules of the
    match are no longer installed, or its stored data is damaged, it is aborted.
    """
    player = acting_player(match, actor, vacations=True)
    return leave(match, act, player, EventKind.RESIGNED, Ending.RESIGNATION, user_id=actor.user_id)


def flag(match: Match, act: CommandContext) -> Change | None:
    """End the match, or a player's part in it, because their time has run out; None if it has not.

    A player who runs out of time leaves as if they resigned (:func:`resign`). A match whose first
    or second move never came has hardly begun: it is aborted without a loser.
    """
    over = runs_out(match, act.stopped_spans)
    if over is None or act.at < over or match.times is None or match.times.running is None:
        return None
    player = match.times.running
    if match.ply > 1:
        return leave(match, act, player, EventKind.FLAGGED, Ending.TIME, user_id=None)
    return advance(
        match,
        act,
        EventKind.FLAGGED,
        player=player,
        payload=stood_payload(match, act),
        status=MatchStatus.ABORTED,
    )


def leave(
    match: Match,
    act: CommandContext,
    player: int,
    kind: EventKind,
    ending: Ending,
    *,
    user_id: UserId | None,
) -> Change:
    """Remove a player from a running match, and let it go on or end: see :func:`resign`.

    ``kind`` and ``ending`` say how, ``user_id`` is the acting person; None for the clock.
    """
    try:
        table = game_state_of(match)
    except UserError:
        if user_id is None:
            raise  # The host decides nothing without the rules: they may come back.
        return without_rules(match, act, player, user_id)
    retired = (*match.retired, player)
    left = tuple(index for index in range(len(match.players)) if index not in retired)
    is_for_people = not all(is_computer(match.players[index]) for index in left)
    if len(left) > 1 and is_for_people and table.game.move_for_absent(table.position) is not None:
        return _leave_the_others(match, act, kind, table=table, retired=retired, user_id=user_id)
    return advance(
        match,
        act,
        kind,
        player=player,
        user_id=user_id,
        payload=stood_payload(match, act),
        status=MatchStatus.FINISHED,
        retired=retired,
        result=ended_by_players(table, ending, left),
    )


def without_rules(match: Match, act: CommandContext, player: int, user_id: UserId) -> Change:
    """Abort a match because a player leaves it and the others cannot play on.

    Its rules are gone, or its position cannot be relied on.
    """
    return advance(
        match,
        act,
        EventKind.RESIGNED,
        player=player,
        user_id=user_id,
        payload={"rules": "gone", **stood_payload(match, act)},
        status=MatchStatus.ABORTED,
    )


def _leave_the_others(
    match: Match,
    act: CommandContext,
    kind: EventKind,
    *,
    table: GameState,
    retired: tuple[int, ...],
    user_id: UserId | None,
) -> Change:
    player = retired[-1]
    played = _for_the_retired(table, retired)
    left = tuple(index for index in range(len(match.players)) if index not in retired)
    changes = play_on(match, table, played, retired) if played else {}
    if played:
        after = GameState(table.game, played[-1][2])
        changes |= next_times(match, act, table, after, interrupted=True)
    until = until_payload(act, changes.get("times"), match.players)
    return advance(
        match,
        act,
        kind,
        player=player,
        user_id=user_id,
        payload={"moves": [words for _, words, _ in played], **stood_payload(match, act), **until},
        retired=retired,
        requests=_asked_after_leaving(match.requests, player, left, moved=bool(played)),
        **changes,
    )


def _asked_after_move(requests: tuple[Request, ...], player: int) -> tuple[Request, ...]:
    """The open requests after a player has moved: their own, except a takeback.

    A move declines the requests of others, and a takeback belongs to a position that is gone.
    """
    if not requests:
        return requests
    return tuple(
        each for each in requests if player in each.agreed and each.wish is not RequestKind.TAKEBACK
    )


def _asked_after_leaving(
    requests: tuple[Request, ...], player: int, others: tuple[int, ...], *, moved: bool
) -> tuple[Request, ...]:
    """The open requests after a player has left and the ``others`` play on.

    The requests of that player go, and so do those that all the others want: there is nobody left
    to answer them, so they can be made again. If moves were played for the absent player, a
    takeback goes too.
    """
    return tuple(
        each
        for each in requests
        if player not in each.agreed
        and not set(others) <= set(each.agreed)
        and not (moved and each.wish is RequestKind.TAKEBACK)
    )
