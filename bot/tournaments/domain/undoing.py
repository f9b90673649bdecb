"""Undoing a director's act, as long as nothing has followed from it.

The history only grows: one more fact names the events of the act, and the tournament results from
the history without them. No act has a rule of its own.
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
"""Facts that players cause themselves, or directors for them."""
_PLAYERS = (f.CheckedIn, f.Challenged, f.Declined, f.Drawn, f.Scored)
"""Facts that players alone cause, or that follow from what anybody did."""
_NOT_COMPARED = ("version", "head_hash", "updated_at", "climbs", "created_at", "setup")

Piece = tuple[Any, ...]
"""The name of a piece of a tournament, as ``("games", "1.1", "until")``."""


def by_director(event: TournamentEvent) -> bool:
    """Whether a director caused it."""
    if event.user_id is None or isinstance(event.fact, _PLAYERS):
        return False
    return event.user_id != event.subject_id or not isinstance(event.fact, _OWN)


def group_of(history: Sequence[TournamentEvent], seq: int) -> tuple[TournamentEvent, ...]:
    """The events of one act, by any of them: same person, same instant."""
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
    """The facts that undo an act; ``history`` is the whole history of ``t``.

    Raises :exc:`~bot.errors.UserError`: ``no_such_act``, ``cannot_undo`` (it was no director's, or
    a round was to be paired again), ``undo_followed`` (something depends on it, or it was undone).
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
    """The facts that undo an act, these events, which followed ``before``. Raises as above."""
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
    except IMPOSSIBLE as error:  # one of the later events is impossible without it
        raise UserError("undo_followed") from error
    if without.games.keys() != t.games.keys():
        raise UserError("cannot_undo")  # some were to be paired again
    _need(not any(_followed(before, after, t, without)))
    fact = f.Undone(tuple(each.seq for each in taken))
    event = add(t, act, fact, taken[0].subject_id).event
    changes = [TournamentChange(event, apply(without, event, fact))]
    again = (each.game.players for each in without.pending if t.games[each.game.id].is_over)
    for number in sorted({number for players in again for number in players}):
        if not without.entrants[number - 1].is_active:  # a person has left since
            changes += registration.forfeit(changes[-1].tournament, act, number, begun=False)
    waiting = {each.pair for each in t.challenges}
    for pair in (each.pair for each in without.challenges):
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
    """The pieces in which a tournament differs from another one, with the other's values."""
    found: dict[Piece, object] = {}
    for name in (each.name for each in fields(other) if each.name not in _NOT_COMPARED):
        this, that = getattr(one, name), getattr(other, name)
        if this != that:
            found |= _differing(_keyed(name, this), _keyed(name, that), (name,))
    return found


def _keyed(name: str, value: Any) -> Any:
    """A list by the names of its items, or with the items themselves as keys."""
    if not isinstance(value, tuple):
        return value
    if name in ("entrants", "rounds"):
        return dict(enumerate(value, 1))
    if name == "challenges":
        return {each.pair: each for each in value}
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
    """The ways in which something may depend on an act: whether it does.

    These are the tournament before the act, right after it, now, and now without the act. A later
    event depends on the act if it continued from a piece that the act had changed. The differences
    of two states show the changes of the act, later changes, and those that would go with it.
    """
    done, since = _changed(before, after).keys(), _changed(after, now).keys()
    goes, stays = _changed(now, without).keys(), _changed(before, without).keys()
    people = {x[1] for x in done if x[0] == "entrants"}
    # It changed since, or would not go; a ladder moves on without its player.
    yield not goes or not done.isdisjoint(since)
    yield any(x[0] not in ("by_rung", "challenges") for x in done & stays)
    # Other things would go than those of the act, except rungs of other players.
    things = {x[:2] for x in done}
    others = {x for x in goes if x[:2] not in things}
    yield any(x[0] != "by_rung" or people.isdisjoint(x[1]) for x in others)
    # The event has ended with it, or a round or a game was drawn by it.
    used = {x for x in done if x[0] not in ("directors", "invited")}
    yield bool(used) and now.status.is_final and not after.status.is_final
    used = {x for x in used if x[-1] != "user_id"}
    has_days = any(x[0] in ("finish", "rounds") for x in used)
    is_paired_by = has_days or (bool(used) and now.setup.format.facts.has_rounds)
    yield is_paired_by and any(each.drawn > after.version for each in now.rounds)
    players = {x[1] for x in used if x[0] == "entrants"}
    for game in (now.games.get(x[1]) for x in used if x[0] == "games"):
        players.update(() if game is None else game.game.players)
    new = [each.game.players for each in now.games.values() if each.drawn > after.version]
    yield bool(new) and (has_days or not players.isdisjoint(chain.from_iterable(new)))
    yield any(x[3] in players for x in since if x[0] == "rounds" and x[2] == "byes")
    # A played game would lose its result.
    played = {name for name, each in now.games.items() if each.is_over and each.has_begun}
    yield any(not without.games[name].is_over for name in played)
    for number in people:
        mine = {x[2] for x in since if x[:2] == ("entrants", number)}
        # The other players of a table have played on without an excluded one.
        is_out = after.entrants[number - 1].standing is EntrantStatus.EXCLUDED
        yield is_out and bool(registration.left_tables(before, number))
        # A substitute has acted in the place.
        acted = bool(mine) or any(each.is_over for each in now.of_entrant(number))
        yield ("entrants", number, "user_id") in done and acted
        # Another person has the place, or the player is erased.
        yield ("entrants", number, "standing") in done and "user_id" in mine
        back = without.entrants[number - 1]
        yield back.is_active and (back.user_id or 0) < 0
    # A director is erased, or players are there twice or too many.
    yield any(each < 0 for each in {*without.directors} - {*now.directors})
    users = [each.user_id for each in without.active]
    yield not len(users) == len({*users}) <= max(now.setup.most, len(now.active))


def _late(t: Tournament, back: Tournament, now: datetime) -> Iterator[bool]:
    """Whether a restored day has passed, or the event begins earlier than announced."""
    yield back.begins < t.begins and (t.paused_at is not None or back.paused_at is None)
    for piece, day in _changed(t, back).items():
        if isinstance(day, datetime) and piece[0] not in ("paused_at", "closes"):
            yield day <= (back.paused_at or now)
    if t.paused_at is not None and back.paused_at is None:
        first = [back.finish] if back.rounds else [back.finish, back.begins]
        waits: list[Any] = [*back.rounds, *back.pending, *back.challenges]
        yield any(t.paused_at < day <= now for day in (*first, *(x.until for x in waits)))
