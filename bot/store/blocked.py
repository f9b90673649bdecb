"""Refused messages and untold turns, inside transactions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, exists, func, insert, or_, select, update

from bot.domain import match_clock
from bot.domain.game_state import known_turn
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.untold_turns import PATIENCE, UntoldTurn
from bot.posts.deliveries import untold
from bot.posts.outgoing import MATCH, MOVED, QUIET, Key, Outcome, PutOff
from bot.posts.sending import (
    Delivery,
    DeliveryKind,
    MatchClaim,
    MatchDone,
    Posted,
    StandingPost,
)
from bot.store import notices, outgoing, rows, standing
from bot.store import statements as sql
from bot.store.records import Blockages, RefusedDelivery
from bot.store.tables import matches, outbox, reminders, untold_turns

_c = untold_turns.c
_NEWEST = (
    select(untold_turns)
    .where(_c.match_id == bindparam("of_match"))
    .order_by(_c.since.desc())
    .limit(1)
)
_with_match = select(untold_turns, matches.c.players).join(matches, matches.c.id == _c.match_id)
_is_parked = or_(outbox.c.trouble.like("refused%"), outbox.c.trouble.like("gone%"))

# ---- turns that could not be told ------------------------------------------------------------


def newest(connection: Connection, match_id: MatchId) -> UntoldTurn | None:
    """The last turn of a match that could not be told in time, perhaps one that is over."""
    found = connection.execute(_NEWEST, {"of_match": match_id}).all()
    return _turn(found[0]) if found else None


def credited(connection: Connection, match: Match, now: datetime) -> Match:
    """A match as it is to be shown to a player who has not been told yet: their time begins now."""
    turn = newest(connection, match.id)
    if turn is None or not turn.is_of(match):
        return match
    return match_clock.credited(match, (turn.span(now),))


def note(connection: Connection, match: Match, now: datetime) -> bool:
    """Note that the player on turn could not be called, if Discord has kept us from it."""
    player = known_turn(match)
    if player is None:
        return False
    turn = newest(connection, match.id)
    if turn is not None and turn.since == match.position_since:
        return turn.ended_at is None
    if all(trouble in (None, QUIET, MOVED) for _, trouble in _pending(connection, match)):
        return False
    if not _is_untold(connection, match, player):
        return False
    _add(connection, match, player, now=now, ended_at=None)
    return True


def review(
    connection: Connection, batch: Sequence[MatchClaim], outcomes: Sequence[Outcome], now: datetime
) -> None:
    """See what came of a batch: a turn that cannot be told now, or one that was told at last."""
    match_id = batch[0].match.id
    waits = [
        came
        for each, came in zip(batch, outcomes, strict=False)
        if isinstance(came, PutOff) and came.is_trouble and _tells(each.delivery)
    ]
    turn = newest(connection, match_id)
    if not waits and (turn is None or turn.ended_at is not None):
        return
    row = connection.execute(sql.MATCH, {"of_match": match_id}).one()
    match = rows.match_of(row)
    player = known_turn(match)
    if player is None:
        return
    if turn is not None and turn.since != match.position_since:
        is_past = (_c.match_id == match_id, _c.since < match.position_since)
        connection.execute(delete(untold_turns).where(*is_past))
        turn = None
    was_called = any(
        _calls(each, came, player, match.position_since)
        for each, came in zip(batch, outcomes, strict=False)
    )
    if turn is not None:
        if turn.ended_at is None and (was_called or not _is_untold(connection, match, player)):
            reached(connection, match_id, player, now)
        return
    began = _began(match, now)
    is_long = any(each.refused or each.due_at - began > PATIENCE for each in waits)
    if not is_long or not _is_untold(connection, match, player):
        return
    _add(connection, match, player, now=now, ended_at=now if was_called else None)
    if not was_called and any(each.refused for each in waits):
        outgoing.add_deliveries(connection, match_id, untold(match, player), now)


def _tells(delivery: Delivery) -> bool:
    """Whether a player learns of a turn by a delivery; one that reminds or tidies up can wait."""
    return delivery.kind not in (DeliveryKind.REMINDER, DeliveryKind.TIDY)


def _calls(claim: MatchClaim, came: Outcome, player: int, since: int) -> bool:
    """Whether a delivery has called the player on turn."""
    delivery = claim.delivery
    return (
        isinstance(came, MatchDone)
        and came.posted is not None
        and delivery.is_call
        and delivery.audience == player
        and delivery.version >= since
    )


def _is_untold(connection: Connection, match: Match, player: int) -> bool:
    """Whether the board of a turn, or the line that calls its player, is still to be sent.

    A line that waits for the end of quiet hours waits because its player wants it to.
    """
    pending = _pending(connection, match)
    is_board_due = any(
        each.kind is DeliveryKind.BOARD and each.audience in (None, player) for each, _ in pending
    )
    if is_board_due and not any(
        each.version >= match.position_since for each in _boards(connection, match.id, player)
    ):
        return True
    return any(
        each.is_call and each.audience == player and trouble != QUIET for each, trouble in pending
    )


def _boards(connection: Connection, match_id: MatchId, player: int) -> list[StandingPost]:
    """The boards that stand for a player, those of everybody too, the newest last."""
    mine = (None, player)
    found = outgoing.posts_of(connection, match_id)
    return [each for each in found if each.kind == "board" and each.audience in mine]


def _pending(connection: Connection, match: Match) -> list[tuple[Delivery, str | None]]:
    """The deliveries of the present turn of a match that are not made yet, and why."""
    return [
        (each, trouble)
        for each, trouble in outgoing.waiting_deliveries(connection, match.id)
        if each.version >= match.position_since and _tells(each)
    ]


def _began(match: Match, now: datetime) -> datetime:
    """When the turn began, as far as its clock is concerned."""
    times = match.times
    return min(now, match.updated_at if times is None or times.since is None else times.since)


def _add(
    connection: Connection, match: Match, player: int, *, now: datetime, ended_at: datetime | None
) -> None:
    connection.execute(
        insert(untold_turns),
        {
            "match_id": match.id,
            "since": match.position_since,
            "player": player,
            "began_at": _began(match, now),
            "ended_at": ended_at,
        },
    )


def reached(connection: Connection, match_id: MatchId, player: int, now: datetime) -> bool:
    """The player on turn knows of it; whether that was not known before."""
    is_open = (_c.match_id == match_id, _c.player == player, _c.ended_at.is_(None))
    ended = update(untold_turns).where(*is_open).values(ended_at=now)
    return connection.execute(ended).rowcount > 0


def to_settle(connection: Connection, limit: int) -> tuple[UntoldTurn, ...]:
    """Turns that were told at last and whose clocks are still to be reckoned."""
    found = _with_match.where(_c.settled == 0, _c.ended_at.is_not(None))
    found = found.order_by(_c.began_at).limit(limit)
    return tuple(_turn(row, row.players) for row in connection.execute(found).all())


def settled(connection: Connection, turn: UntoldTurn) -> None:
    """Note that the clock of such a turn has been reckoned."""
    is_it = (_c.match_id == turn.match_id, _c.since == turn.since)
    connection.execute(update(untold_turns).where(*is_it).values(settled=True))


def forget(connection: Connection) -> None:
    """Remove what is about turns that are over."""
    for table in (untold_turns, reminders):
        is_over = or_(
            matches.c.status != MatchStatus.RUNNING, matches.c.position_since > table.c.since
        )
        of_it = select(matches.c.id).where(matches.c.id == table.c.match_id, is_over)
        connection.execute(delete(table).where(exists(of_it)))


def _turn(row: Row[Any], people: tuple[UserId | None, ...] = ()) -> UntoldTurn:
    return rows.made(UntoldTurn, row, user_id=people[row.player] if people else None)


# ---- what Discord has refused ----------------------------------------------------------------


def blockages(connection: Connection, match_id: MatchId | None = None) -> Blockages:
    """All that is blocked at present, in one match or in all."""
    parked = (
        select(
            matches, outbox.c.id.label("parked"), outbox.c.kind, outbox.c.payload, outbox.c.trouble
        )
        .join(outbox, matches.c.id == func.substr(outbox.c.key, len(MATCH) + 2))
        .where(outbox.c.trouble.is_not(None), _is_parked)
        .order_by(outbox.c.id)
    )
    turns = _with_match.where(
        _c.settled == 0,
        _c.ended_at.is_(None),
        matches.c.status == MatchStatus.RUNNING,
        matches.c.position_since == _c.since,
    ).order_by(_c.began_at)
    if match_id is not None:
        parked, turns = parked.where(matches.c.id == match_id), turns.where(_c.match_id == match_id)
    return Blockages(
        tuple(_parked(row) for row in connection.execute(parked).all()),
        tuple(_turn(row, row.players) for row in connection.execute(turns).all()),
        standing.not_shown(connection) if match_id is None else frozenset(),
        notices.unread(connection) if match_id is None else frozenset(),
    )


def _parked(row: Any) -> RefusedDelivery:
    delivery = outgoing.delivery_of(row.kind, row.payload)
    return RefusedDelivery(row.parked, rows.match_of(row), delivery, row.trouble)


def retry_troubled(connection: Connection, now: datetime) -> None:
    """Try at once what Discord could not do before, in all matches."""
    c = outbox.c
    found = select(c.key).where(
        c.key.startswith(f"{MATCH}:"),
        c.kind != DeliveryKind.REMINDER.value,
        c.trouble == "retry",
        c.due_at > now,
        c.lease_until <= now,
    )
    outgoing.retry_now(connection, map(Key, connection.execute(found).scalars()), now)


def board_of(connection: Connection, match_id: MatchId, player: int) -> Posted | None:
    """The board that stands for a player: that of everybody, or their own."""
    return next((each.posted for each in reversed(_boards(connection, match_id, player))), None)


def notice_told(connection: Connection, parked: RefusedDelivery) -> None:
    """Drop a notice that its player has read elsewhere, unless it is just being sent."""
    is_it = (outbox.c.id == parked.id, outbox.c.lease_by.is_(None), _is_parked)
    connection.execute(delete(outbox).where(*is_it))
