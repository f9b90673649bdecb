"""Taking a director's act back, as long as nothing has followed from it.

The history only grows: one more fact names the events of the act, and the tournament is what the
history leads to without them. No act has a rule of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import reduce
from itertools import chain, combinations
from typing import Any

from bot.errors import UserError
from bot.tournaments.domain import challenges, registration
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.fold import (
    IMPOSSIBLE,
    TournamentAct,
    TournamentChange,
    TournamentEvent,
    add,
    apply,
    undone_in,
)
from bot.tournaments.domain.tournament import EntrantStatus, Tournament

_OWN = (f.Entered, f.Withdrawn, f.ByeGiven)
"""Facts that players cause themselves, and directors for them."""
_PLAYERS = (f.CheckedIn, f.Challenged, f.Declined, f.Drawn)
"""Facts that players cause, and nobody for them."""
_NOT_COMPARED = ("version", "head_hash", "updated_at", "climbs", "created_at", "setup")

Piece = tuple[Any, ...]
"""The name of a piece of a tournament, as ``("games", "1.1", "until")``."""


def by_director(event: TournamentEvent) -> bool:
    """Whether a director did it."""
    if event.user_id is None or isinstance(event.fact, _PLAYERS):
        return False
    return event.user_id != event.subject_id or not isinstance(event.fact, _OWN)


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
    t: Tournament, act: TournamentAct, history: Sequence[TournamentEvent], seq: int
) -> tuple[TournamentChange, ...]:
    """The facts that take an act back; ``history`` is all that has happened to ``t``.

    Raises :exc:`~bot.errors.UserError`: ``no_such_act``, ``cannot_undo`` (it was no director's, or
    a round was to be paired again), ``undo_followed`` (something rests on it, or it was undone).
    """
    history = history[: t.version]
    group, undone = group_of(history, seq), undone_in(history)
    if group[0].seq == 1:
        raise UserError("cannot_undo")
    _need(undone.isdisjoint(each.seq for each in group))
    created = apply(None, history[0], history[0].fact)
    before = _fold(created, history[1 : group[0].seq - 1], undone)
    later = history[group[-1].seq :]
    return take_back(t, act, before, group, later=later, undone=undone)


def take_back(
    t: Tournament,
    act: TournamentAct,
    before: Tournament,
    group: Sequence[TournamentEvent],
    *,
    later: Sequence[TournamentEvent] = (),
    undone: AbstractSet[int] = frozenset(),
) -> tuple[TournamentChange, ...]:
    """The facts that take back an act, these events, which followed ``before``. Raises as above."""
    if not by_director(group[0]) or any(isinstance(each.fact, f.Undone) for each in group):
        raise UserError("cannot_undo")
    about = {each.subject_id for each in group} - {None}
    if len(about) > 1:  # of a list, people with later events stay on it
        about -= {each.subject_id for each in later}
        _need(bool(about))
    taken = [each for each in group if each.subject_id in {None, *about}]
    gone = undone | {each.seq for each in taken}
    before, after = _fold(before, group, gone), _fold(before, group)
    try:
        without = _fold(before, later, gone)
    except IMPOSSIBLE as error:  # one of the later events cannot be without it
        raise UserError("undo_followed") from error
    if without.games.keys() != t.games.keys():
        raise UserError("cannot_undo")  # some were to be paired again
    _need(not any(_followed(before, after, t, without)))
    fact = f.Undone(tuple(each.seq for each in taken))
    event = add(t, act, fact, taken[0].subject_id).event
    changes = [TournamentChange(event, apply(without, event, fact))]
    again = (each.game.players for each in without.pending if t.games[each.game.id].is_over)
    for number in sorted({number for players in again for number in players}):
        if not without.entrants[number - 1].is_active:  # who has left since
            changes += registration.forfeit(changes[-1].tournament, act, number, begun=False)
    waiting = {(each.challenger, each.challenged) for each in t.challenges}
    for pair in ((each.challenger, each.challenged) for each in without.challenges):
        if pair not in waiting:
            changes.append(challenges.asked(changes[-1].tournament, act, *pair))
    _need(not any(_late(t, changes[-1].tournament, act.at)))
    return tuple(changes)


def _fold(
    t: Tournament, events: Sequence[TournamentEvent], undone: AbstractSet[int] = frozenset()
) -> Tournament:
    return reduce(lambda t, x: apply(t, x, x.fact, is_undone=x.seq in undone), events, t)


def _need(holds: bool) -> None:
    if not holds:
        raise UserError("undo_followed")


def _changed(one: Tournament, other: Tournament) -> dict[Piece, object]:
    """The pieces in which a tournament differs from another one, as they are in the other."""
    found: dict[Piece, object] = {}
    for name in (each.name for each in fields(other) if each.name not in _NOT_COMPARED):
        this, that = getattr(one, name), getattr(other, name)
        if this != that:
            found |= _differing(_keyed(name, this), _keyed(name, that), (name,))
    return found


def _keyed(name: str, value: Any) -> Any:
    """A list by what its things are called, or with the things themselves as keys."""
    if not isinstance(value, tuple):
        return value
    if name in ("entrants", "rounds"):
        return dict(enumerate(value, 1))
    if name == "challenges":
        return {(each.challenger, each.challenged): each for each in value}
    return dict.fromkeys(combinations(value, 2) if name == "by_rung" else value, True)


def _differing(one: Any, other: Any, at: Piece) -> Iterator[tuple[Piece, object]]:
    if one == other:
        return
    these, those = (
        {x.name: getattr(each, x.name) for x in fields(each)} if is_dataclass(each) else each
        for each in (one, other)
    )
    if not isinstance(these, Mapping) and not isinstance(those, Mapping):
        yield at, other
        return
    these, those = these or {}, those or {}
    for key in {**these, **those}:
        yield from _differing(these.get(key), those.get(key), (*at, key))


def _followed(
    before: Tournament, after: Tournament, now: Tournament, without: Tournament
) -> Iterator[bool]:
    """Whether anything rests on an act, asked in one way after another."""
    done = _changed(before, after).keys()
    since, goes = _changed(after, now).keys(), _changed(now, without).keys()
    things, people = {x[:2] for x in done}, {x[1] for x in done if x[0] == "entrants"}
    # It does not stand as it was done, or would not go, or something else would go with it. On a
    # ladder the others move on without a player who is out.
    yield not goes or not done.isdisjoint(since)
    yield any(
        x[0] not in ("by_rung", "challenges") for x in done & _changed(before, without).keys()
    )
    others = {x for x in goes if x[:2] not in things}
    yield any(x[0] != "by_rung" or people.isdisjoint(x[1]) for x in others)
    # The event has ended, or a round or a game was drawn.
    used = {x for x in done if x[0] not in ("directors", "invited")}
    yield bool(used) and now.status.is_final and not after.status.is_final
    used = {x for x in used if x[-1] != "user_id"}
    days = any(x[0] in ("finish", "rounds") for x in used)
    rests = days or (bool(used) and now.setup.format.facts.has_rounds)
    yield rests and any(each.drawn > after.version for each in now.rounds)
    games = [now.games[x[1]] for x in used if x[0] == "games"]
    drawn_with = {x[1] for x in used if x[0] == "entrants"}
    drawn_with |= {number for each in games for number in each.game.players}
    new = [x.game.players for x in now.games.values() if x.drawn > after.version]
    yield bool(new) and (days or not drawn_with.isdisjoint(chain.from_iterable(new)))
    yield any(x[3] in drawn_with for x in since if x[0] == "rounds" and x[2] == "byes")
    # A game that was played would have no result.
    yield any(
        x.is_over and x.has_begun and not without.games[k].is_over for k, x in now.games.items()
    )
    for number, each in ((number, without.entrants[number - 1]) for number in people):
        # At a table of four the others have played on.
        was_put_out = after.entrants[number - 1].standing is EntrantStatus.EXCLUDED
        yield was_put_out and bool(registration.left_tables(before, number))
        # Another person has the place, has done something in it, or is not there any more.
        mine = {x[2] for x in since if x[:2] == ("entrants", number)}
        is_substitute = ("entrants", number, "user_id") in done
        yield is_substitute and (bool(mine) or any(x.is_over for x in now.of_entrant(number)))
        yield ("entrants", number, "standing") in done and "user_id" in mine
        yield each.is_active and (each.user_id or 0) < 0
    yield any(each < 0 for each in {*without.directors} - {*now.directors})
    users = [each.user_id for each in without.active]
    yield not len(users) == len({*users}) <= max(now.setup.most, len(now.active))


def _late(t: Tournament, back: Tournament, now: datetime) -> Iterator[bool]:
    """Whether a day that counts again has passed, or the event begins earlier than was said."""
    yield back.begins < t.begins and (t.paused_at is not None or back.paused_at is None)
    for piece, day in _changed(t, back).items():
        if isinstance(day, datetime) and piece[0] not in ("paused_at", "closes"):
            yield day <= (back.paused_at or now)
    if t.paused_at is not None and back.paused_at is None:
        first = [back.finish] if back.rounds else [back.finish, back.begins]
        waits: list[Any] = [*back.rounds, *back.pending, *back.challenges]
        yield any(t.paused_at < day <= now for day in (*first, *(x.until for x in waits)))
