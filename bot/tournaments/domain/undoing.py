"""Taking a director's act back, as long as nothing has followed from it.

The history only grows: an act is undone by the opposite act, where there is one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.tournaments.domain import challenges, directing, inviting, registration
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.fold import (
    TournamentAct,
    TournamentChange,
    TournamentEvent,
    add,
    apply,
    as_changes,
    replay,
)
from bot.tournaments.domain.formats.knockout import misplaced, walkovers_in
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import Tournament, TournamentStatus

Changes = tuple[TournamentChange, ...]
UNDOABLE = (
    f.Closed,
    f.Reopened,
    f.Entered,
    f.Invited,
    f.Seeded,
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
    f.Parted,
    f.Rejoined,
)


@dataclass(frozen=True, slots=True)
class _Done:
    """The effect of an act: the tournament before and after it, and the facts between."""

    before: Tournament
    after: Tournament
    facts: Sequence[f.Fact]


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
    """The facts that take an act back; ``history`` is all that has happened to ``t``.

    ``moved`` are games in which a player has moved or whose match is over.

    Raises :exc:`~bot.errors.UserError`: ``no_such_act``, ``cannot_undo`` (there is no opposite),
    ``undo_followed`` (a game has been played or a round drawn since, or it was undone before).
    """
    group = group_of(history, seq)
    if group[0].seq == 1:
        raise UserError("cannot_undo")
    return take_back(t, act, replay(history[: group[0].seq - 1]), group, moved=moved)


def take_back(
    t: Tournament,
    act: TournamentAct,
    before: Tournament,
    group: Sequence[TournamentEvent],
    *,
    moved: Collection[str] = (),
) -> Changes:
    """The facts that take back an act, these events, which followed ``before``. Raises as above."""
    facts = [each.fact for each in group]
    chief = next((each for each in facts if isinstance(each, UNDOABLE)), None)
    # A list that was taken back is sent again, with its message.
    is_final = any(isinstance(each, f.Undrawn | f.Unpaired | f.Uninvited) for each in facts)
    if chief is None or is_final:
        raise UserError("cannot_undo")
    after = before
    for event, fact in zip(group, facts, strict=True):
        after = apply(after, event, fact)
    try:
        if isinstance(chief, f.Appointed | f.Dismissed):
            found = _director(t, act, chief, group[facts.index(chief)].subject_id)
        elif isinstance(chief, f.Invited | f.Seeded):
            people = [each.subject_id for each in group]
            found = inviting.take_off(t, act, before, after, people)
        else:
            found = _opposite(t, act, _Done(before, after, facts), moved)
    except UserError as error:
        if error.code in ("undo_followed", "cannot_undo"):
            raise
        raise UserError("undo_followed") from error
    if not found:
        raise UserError("undo_followed")
    return found


def _opposite(t: Tournament, act: TournamentAct, done: _Done, moved: Collection[str]) -> Changes:
    before, after = done.before, done.after
    chief = next(each for each in done.facts if isinstance(each, UNDOABLE))
    if isinstance(chief, f.Decided | f.Corrected | f.Extended) and chief.game:
        _need(chief.game in t.games)
    match chief:
        case f.Closed():
            return as_changes(registration.reopen(t, act, before.closes))
        case f.Reopened():
            _need(before.begins == t.begins)
            return as_changes(registration.close(t, act))
        case f.Entered(entrant):
            _need(not t.of_entrant(entrant) and _is_same_player(t, after, entrant))
            return registration.withdraw(t, act, entrant)
        case f.Withdrawn(entrant) | f.Excluded(entrant):
            return _readmit(t, act, entrant, done)
        case f.Replaced(entrant):
            former = before.entrants[entrant - 1].user_id
            _need(former is not None and former > 0 and _is_same_player(t, after, entrant))
            assert former is not None  # noqa: S101 - just needed
            return as_changes(registration.replace(t, act, entrant, former))
        case f.Decided(game):
            _need(not t.games[game].has_begun and len(t.rounds) == len(before.rounds))
            _need(t.games[game].how is f.How.DIRECTOR and not t.status.is_final)
            _need(not _play_on(t, after, game))
            _need(after.by_rung in (t.by_rung, before.by_rung))
            rungs = t.by_rung if before.by_rung == after.by_rung else before.by_rung
            return _left_forfeit(act, add(t, act, f.Annulled(game, rungs)), (game,))
        case f.Corrected(game):
            former_result = before.games[game]
            assert former_result.points is not None  # noqa: S101 - it was corrected
            assert former_result.how is not None  # noqa: S101 - it was corrected
            _need(t.games[game].points == chief.points)
            points, how = former_result.points, former_result.how
            return directing.correct(t, act, game, points, how, moved=moved)
        case f.Extended(number, game):
            return _shorten(t, act, number, game, done)
        case f.Parted(entrants) | f.Rejoined(entrants):
            _need(not any(each.drawn > after.version for each in t.rounds))
            _need(t.apart_of(entrants) == after.apart_of(entrants) and not t.status.is_final)
            was = before.apart_of(entrants)
            back = f.Rejoined(entrants) if was is None else f.Parted(entrants, was.last)
            return (add(t, act, back),)
        case f.Paused():
            return as_changes(directing.resume(t, act))
        case f.Resumed():
            return as_changes(directing.pause(t, act))
        case _:  # it was cancelled
            _need(t.status is TournamentStatus.CANCELLED)
            return (add(t, act, f.Revived(before.status is TournamentStatus.CLOSED)),)


def _is_same_player(t: Tournament, after: Tournament, entrant: int) -> bool:
    return t.entrants[entrant - 1].user_id == after.entrants[entrant - 1].user_id


def _director(t: Tournament, act: TournamentAct, chief: f.Fact, person: UserId | None) -> Changes:
    _need(person is not None and person > 0)
    is_appointed = isinstance(chief, f.Appointed)
    _need((person in t.directors) is is_appointed)
    opposite = f.Dismissed() if is_appointed else f.Appointed()
    return (add(t, act, opposite, person),)


def _play_on(t: Tournament, after: Tournament, game: str) -> bool:
    """Whether a player of a game has another one that was drawn since."""
    return any(
        each.drawn > after.version
        and not set(each.game.players).isdisjoint(t.games[game].game.players)
        for each in t.games.values()
    )


def _shorten(t: Tournament, act: TournamentAct, number: int, game: str, done: _Done) -> Changes:
    """The days as they were, if they have not moved since and no other round rests on them."""
    before, after = done.before, done.after
    _need(not t.status.is_final and len(t.rounds) == len(before.rounds))
    days = [
        each.games[game].until if game else each.rounds[number - 1].until
        for each in (before, after, t)
    ]
    _need(days[2] == days[1] and days[0] > act.at and not (game and t.games[game].is_over))
    finish = before.finish if t.finish == after.finish else t.finish
    changes = [add(t, act, f.Extended(number, game, days[0], finish))]
    for played in () if game else before.in_round(number):
        name = played.game.id
        # One that had more time than the round, and less than it had then, gets it back.
        if played.until > days[0] and not t.games[name].is_over and t.games[name].until == days[1]:
            fact = f.Extended(number, name, played.until, finish)
            changes.append(add(changes[-1].tournament, act, fact))
    return tuple(changes)


def _readmit(t: Tournament, act: TournamentAct, entrant: int, done: _Done) -> Changes:
    """Only if their games of that act were never begun, and no round was drawn without them.

    On a ladder they stand where they stood: if all others do too, as if nothing had been. The
    challenges that ended are made anew, as far as both players are free.
    """
    before, after = done.before, done.after
    mine = t.entrants[entrant - 1]
    _need(before.entrants[entrant - 1].is_active and not t.status.is_final)
    _need(mine.standing is after.entrants[entrant - 1].standing)
    user = mine.user_id
    _need(user is not None and user > 0)
    assert user is not None  # noqa: S101 - just needed
    now = t.entrant_of(user)
    _need(now is None or not now.is_active)
    games = tuple(each.game for each in done.facts if isinstance(each, f.Scored))
    _need(all(name in t.games for name in games))
    _need(not any(t.games[name].has_begun or _play_on(t, after, name) for name in games))
    if any(isinstance(each, f.Excluded) for each in done.facts):
        _need(not registration.left_tables(before, entrant))
    rungs = t.by_rung
    if entrant in before.by_rung:
        place = before.by_rung.index(entrant)
        is_same = t.by_rung == after.by_rung
        rungs = before.by_rung if is_same else (*rungs[:place], entrant, *rungs[place:])
    if t.rounds and t.setup.format.facts.has_rounds:
        last = t.rounds[-1]
        there = any(entrant in each.game.players for each in t.in_round(last.number))
        _need(there or entrant in last.byes)
    back = _left_forfeit(act, add(t, act, f.Readmitted(entrant, games, rungs), user), games)
    ended = [x for x in before.challenges if entrant in (x.challenger, x.challenged)]
    return (*back, *challenges.renewed(back[-1].tournament, act, ended))


def _left_forfeit(act: TournamentAct, undone: TournamentChange, games: Sequence[str]) -> Changes:
    """The games that have no result any more, forfeited by players who have left since.

    Nothing that was drawn may rest on the results that are gone.
    """
    changes = [undone]
    players = {each for name in games for each in undone.tournament.games[name].game.players}
    for number in sorted(players):
        if not undone.tournament.entrants[number - 1].is_active:
            changes += registration.forfeit(changes[-1].tournament, act, number, begun=False)
    t = changes[-1].tournament
    if t.setup.format is FormatKey.KNOCKOUT:
        _need(not misplaced(t))
        _need(all(each.byes.keys() <= walkovers_in(t, each.number) for each in t.rounds))
    return tuple(changes)


def _need(holds: bool) -> None:
    if not holds:
        raise UserError("undo_followed")
