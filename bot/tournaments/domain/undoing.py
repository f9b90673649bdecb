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
from itertools import combinations
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
from bot.tournaments.domain.tournament import EntrantStatus, Tournament, TournamentStatus

_OWN = (f.Entered, f.Withdrawn, f.ByeGiven)
"""Facts that players cause themselves, and directors for them."""
_PLAYERS = (f.CheckedIn, f.Challenged, f.Declined, f.Drawn)
"""Facts that players cause, and nobody for them."""
_NOT_COMPARED = ("version", "head_hash", "updated_at", "climbs")

_LADDER = ("by_rung", "challenges")
"""Others move on, whoever is out of a ladder."""

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
    _need(seq not in undone)
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
    if len(about) > 1:  # of a list, those about whom there is more by now stay on it
        about -= {each.subject_id for each in later}
        _need(bool(about))
    events = tuple(x.seq for x in group if x.subject_id is None or x.subject_id in about)
    gone = undone | {*events}
    acts = _Act(_fold(before, group, gone), _fold(before, group), t)
    try:
        without = _fold(acts.before, later, gone)
    except IMPOSSIBLE as error:  # one of the later events cannot be without it
        raise UserError("undo_followed") from error
    if without.games.keys() - t.games.keys():
        raise UserError("cannot_undo")  # they were to be paired again
    acts.check_stands(without)
    acts.check_draws()
    acts.check_play(without)
    fact = f.Undone(events)
    event = add(t, act, fact, group[0].subject_id).event
    changes = [TournamentChange(event, apply(without, event, fact))]
    again = (each.game.players for each in without.pending if t.games[each.game.id].is_over)
    for number in sorted({number for players in again for number in players}):
        if not without.entrants[number - 1].is_active:  # who has left since
            changes += registration.forfeit(changes[-1].tournament, act, number, begun=False)
    asked = {(each.challenger, each.challenged) for each in t.challenges}
    for each in without.challenges:
        if (each.challenger, each.challenged) not in asked:
            changes.append(challenges.renewed(changes[-1].tournament, act, each))
    _check_days(t, changes[-1].tournament, act)
    return tuple(changes)


def _fold(
    t: Tournament, events: Sequence[TournamentEvent], undone: AbstractSet[int] = frozenset()
) -> Tournament:
    return reduce(lambda t, x: apply(t, x, x.fact, is_undone=x.seq in undone), events, t)


def _need(holds: bool) -> None:
    if not holds:
        raise UserError("undo_followed")


def _pieces(t: Tournament) -> Iterator[tuple[Piece, object]]:
    """All that a tournament says, piece by piece; of a list, which things are on it."""
    for name in (each.name for each in fields(t) if each.name not in _NOT_COMPARED):
        value: Any = getattr(t, name)
        if name in ("entrants", "rounds"):
            value = dict(enumerate(value, 1))
        elif isinstance(value, tuple):
            value = dict.fromkeys(combinations(value, 2) if name == "by_rung" else value, True)
        yield from _leaves(value, (name,))


def _leaves(value: Any, at: Piece) -> Iterator[tuple[Piece, object]]:
    if is_dataclass(value):
        value = {each.name: getattr(value, each.name) for each in fields(value)}
    if not isinstance(value, Mapping):
        yield at, value
        return
    for key, one in value.items():
        yield from _leaves(one, (*at, key))


def _changed(one: Tournament, other: Tournament) -> frozenset[Piece]:
    """The names of the pieces in which two tournaments differ."""
    these, those = dict(_pieces(one)), dict(_pieces(other))
    return frozenset(x for x in these.keys() | those.keys() if these.get(x) != those.get(x))


class _Act:
    """What an act has done, and what has happened since: the pieces that changed."""

    def __init__(self, before: Tournament, after: Tournament, now: Tournament) -> None:
        self.before, self.after, self.now = before, after, now
        self.done, self.since = _changed(before, after), _changed(after, now)
        self.people = {x[1] for x in self.done if x[0] == "entrants" and x[2] != "user_id"}
        self.replaced = {x[1] for x in self.done if x[0] == "entrants" and x[2] == "user_id"}

    def check_stands(self, without: Tournament) -> None:
        """What the act has done stands as it was done, and goes, and nothing else goes with it."""
        _need(self.done.isdisjoint(self.since))
        rests = {x for x in self.done & _changed(self.before, without) if x[0] not in _LADDER}
        goes, things = _changed(self.now, without), {x[:2] for x in self.done}
        others = {x for x in goes if x[:2] not in things}
        among = {x for x in others if x[0] == "by_rung" and not self.people.isdisjoint(x[1])}
        _need(bool(goes) and not rests and others == among)

    def check_draws(self) -> None:
        """No round, no game and no end of the event rests on it."""
        used = {x for x in self.done if x[0] not in ("directors", "invited")}
        ended = self.now.status.is_final and not self.after.status.is_final
        _need(not (ended and used))
        used = {x for x in used if x[-1] != "user_id"}
        days = any(x[0] in ("finish", "rounds") for x in used)
        rounds = self.now.setup.format.facts.has_rounds
        games = {x[1] for x in used if x[0] == "games"}
        people = self.people.union(*(self.now.games[x].game.players for x in games))
        for each in self.now.rounds:
            _need(each.drawn <= self.after.version or not (days or (rounds and used)))
        for played in self.now.games.values():
            rests = days or not people.isdisjoint(played.game.players)
            _need(played.drawn <= self.after.version or not rests)
        _need(people.isdisjoint(x[3] for x in self.since if x[0] == "rounds" and x[2] == "byes"))

    def check_play(self, without: Tournament) -> None:
        """What was played stays so, and the people who are in can be."""
        for name, played in self.now.games.items():
            _need(without.games[name].is_over or not (played.is_over and played.has_begun))
        for number in self.replaced:  # what has become of one player is nothing of another
            _need(all(x[:2] != ("entrants", number) for x in self.since))
            _need(not any(each.is_over for each in self.now.of_entrant(number)))
        for number in (x[1] for x in self.done if x[2:] == ("standing",)):
            _need(("entrants", number, "user_id") not in self.since)
        for number in self.people | self.replaced:
            each = without.entrants[number - 1]
            # At a table of four the others have played on.
            was_put_out = self.after.entrants[number - 1].standing is EntrantStatus.EXCLUDED
            _need(not (was_put_out and registration.left_tables(self.before, number)))
            _need(not each.is_active or (each.user_id or 0) > 0)
        _need(all(each > 0 for each in {*without.directors} - {*self.now.directors}))
        users = [each.user_id for each in without.active]
        most = max(self.now.setup.most, len(self.now.active))
        _need(len(users) == len({*users}) <= most)


def _check_days(t: Tournament, back: Tournament, act: TournamentAct) -> None:
    """No day that counts again has passed, and the event begins no earlier than was said."""
    known = _days(t)
    for what, day in _days(back).items():
        if t.paused_at is not None and back.paused_at is None:
            _need(not t.paused_at < day <= act.at)
        elif known.get(what) != day:
            _need(day > (back.paused_at or act.at))
    is_paused_again = t.paused_at is None and back.paused_at is not None
    _need(is_paused_again or back.begins >= t.begins)


def _days(t: Tournament) -> dict[object, datetime]:
    """The days that a tournament waits for."""
    found: dict[object, datetime] = {"finish": t.finish}
    found |= {each.number: each.until for each in t.rounds}
    if not t.rounds:
        found["begins"] = t.begins
    if t.status in (TournamentStatus.REGISTRATION, TournamentStatus.CANCELLED):
        found["closes"] = t.closes
    found |= {(each.challenger, each.challenged): each.until for each in t.challenges}
    return found | {each.game.id: each.until for each in t.pending}
