"""Taking a director's act back, as long as nothing has followed from it.

The history only grows: an act is undone by the opposite act, where there is one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.domain.ids import UserId
from bot.domain.tournaments import directing, registration
from bot.domain.tournaments import facts as f
from bot.domain.tournaments.event import TournamentEvent
from bot.domain.tournaments.fold import TournamentAct, TournamentChange, add, as_changes, replay
from bot.domain.tournaments.tournament import EntrantStatus, Tournament, TournamentStatus
from bot.domain.tournaments.writing import read_fact
from bot.errors import UserError

Changes = tuple[TournamentChange, ...]
UNDOABLE = (
    f.Closed,
    f.Reopened,
    f.Entered,
    f.Withdrawn,
    f.Excluded,
    f.Replaced,
    f.Decided,
    f.Corrected,
    f.Extended,
    f.Paused,
    f.Resumed,
    f.Cancelled,
    f.Appointed,
    f.Dismissed,
)


def group_of(history: Sequence[TournamentEvent], seq: int) -> tuple[TournamentEvent, ...]:
    """The events of one act, by any of them: those made by the same person at the same instant."""
    if not 0 < seq <= len(history):
        raise UserError("no_such_act")
    one = history[seq - 1]
    first = last = seq
    while first > 1 and _is_same(history[first - 2], one):
        first -= 1
    while last < len(history) and _is_same(history[last], one):
        last += 1
    return tuple(history[first - 1 : last])


def _is_same(event: TournamentEvent, one: TournamentEvent) -> bool:
    return event.user_id == one.user_id is not None and event.at == one.at


def undo(
    t: Tournament,
    act: TournamentAct,
    history: Sequence[TournamentEvent],
    seq: int,
    *,
    moved: Collection[str] = (),
) -> Changes:
    """What takes an act back; ``history`` is all that has happened to ``t``.

    ``moved`` are games in which a player has moved or whose match is over.

    Raises :exc:`~bot.errors.UserError`: ``no_such_act``, ``cannot_undo`` (there is no opposite),
    ``undo_followed`` (a game has been played or a round drawn since, or it was undone before).
    """
    group = group_of(history, seq)
    facts = [read_fact(each.kind, each.payload) for each in group]
    chief = next((each for each in facts if isinstance(each, UNDOABLE)), None)
    is_redrawn = any(isinstance(each, f.Undrawn | f.Unpaired) for each in facts)
    if chief is None or group[0].seq == 1 or is_redrawn:
        raise UserError("cannot_undo")
    before = replay(history[: group[0].seq - 1])
    try:
        if isinstance(chief, f.Appointed | f.Dismissed):
            found = _director(t, act, chief, group[facts.index(chief)].subject_id)
        else:
            found = _opposite(t, act, before, facts, moved)
    except UserError as error:
        if error.code in ("undo_followed", "cannot_undo"):
            raise
        raise UserError("undo_followed") from error
    if not found:
        raise UserError("undo_followed")
    return found


def _opposite(
    t: Tournament,
    act: TournamentAct,
    before: Tournament,
    facts: Sequence[f.Fact],
    moved: Collection[str],
) -> Changes:
    chief = next(each for each in facts if isinstance(each, UNDOABLE))
    match chief:
        case f.Closed():
            return as_changes(registration.reopen(t, act, before.closes))
        case f.Reopened():
            return as_changes(registration.close(t, act))
        case f.Entered(entrant):
            _need(not t.of_entrant(entrant))
            return registration.withdraw(t, act, entrant)
        case f.Withdrawn(entrant) | f.Excluded(entrant):
            return _readmit(t, act, entrant, facts)
        case f.Replaced(entrant):
            former = before.entrants[entrant - 1].user_id
            _need(former is not None and former > 0)
            assert former is not None  # noqa: S101 - just needed
            return as_changes(registration.replace(t, act, entrant, former))
        case f.Decided(game):
            _need(not t.games[game].has_begun and len(t.rounds) == len(before.rounds))
            _need(t.games[game].how is f.How.DIRECTOR and not t.status.is_final)
            return (add(t, act, f.Annulled(game)),)
        case f.Corrected(game):
            former_result = before.games[game]
            assert former_result.points is not None  # noqa: S101 - it was corrected
            assert former_result.how is not None  # noqa: S101 - it was corrected
            _need(t.games[game].points == chief.points)
            points, how = former_result.points, former_result.how
            return directing.correct(t, act, game, points, how, moved=moved)
        case f.Extended(number, game):
            was = before.games[game].until if game else before.rounds[number - 1].until
            return as_changes(directing.extend(t, act, number, was, game))
        case f.Paused():
            return as_changes(directing.resume(t, act))
        case f.Resumed():
            return as_changes(directing.pause(t, act))
        case f.Cancelled():
            _need(t.status is TournamentStatus.CANCELLED)
            return (add(t, act, f.Revived()),)
    raise UserError("cannot_undo")


def _director(t: Tournament, act: TournamentAct, chief: f.Fact, person: UserId | None) -> Changes:
    _need(person is not None and person > 0)
    is_appointed = isinstance(chief, f.Appointed)
    _need((person in t.directors) is is_appointed)
    opposite = f.Dismissed() if is_appointed else f.Appointed()
    return (add(t, act, opposite, person),)


def _readmit(t: Tournament, act: TournamentAct, entrant: int, facts: Sequence[f.Fact]) -> Changes:
    """Only if their games of that act were never begun, and no round was drawn without them."""
    mine = t.entrants[entrant - 1]
    _need(not t.status.is_final and mine.standing is not EntrantStatus.ACTIVE)
    user = mine.user_id
    _need(user is not None and user > 0)
    assert user is not None  # noqa: S101 - just needed
    now = t.entrant_of(user)
    _need(now is None or not now.is_active)
    games = tuple(each.game for each in facts if isinstance(each, f.Scored))
    _need(not any(t.games[name].has_begun for name in games if name in t.games))
    _need(all(name in t.games for name in games))
    if t.rounds:
        last = t.rounds[-1]
        there = any(entrant in each.game.players for each in t.in_round(last.number))
        _need(there or entrant in last.byes)
    return (add(t, act, f.Readmitted(entrant, games), user),)


def _need(holds: bool) -> None:
    if not holds:
        raise UserError("undo_followed")
