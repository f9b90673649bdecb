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
_PLAYERS = (f.CheckedIn, f.Challenged, f.Declined, f.Drawn)
"""Facts that only players cause themselves."""
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
    _need(not _States(before, after, t, without).is_followed())
    fact = f.Undone(tuple(each.seq for each in taken))
    event = add(t, act, fact, taken[0].subject_id).event
    changes = [TournamentChange(event, apply(without, event, fact))]
    again = (each.game.players for each in without.pending if t.games[each.game.id].is_over)
    for number in sorted({number for players in again for number in players}):
        if not without.entrants[number - 1].is_active:  # a person has left since
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


class _States:
    """A tournament before an act, right after it, now, and now without the act.

    A later event depends on the act if it continued from a piece that the act had changed. The
    differences of two states show the changes of the act, later changes, and those that would go
    with it.
    """

    def __init__(
        self, before: Tournament, after: Tournament, now: Tournament, without: Tournament
    ) -> None:
        self.before, self.after, self.now, self.without = before, after, now, without
        self.done = _changed(before, after).keys()
        self.since = _changed(after, now).keys()
        self.goes = _changed(now, without).keys()
        self.people = {x[1] for x in self.done if x[0] == "entrants"}

    def is_followed(self) -> bool:
        """Whether anything depends on the act."""
        return (
            self._is_no_longer_as_done()
            or self._takes_more_along()
            or self._is_drawn_upon()
            or self._loses_a_game()
            or any(map(self._has_gone_on, self.people))
            or self._has_impossible_people()
        )

    def _is_no_longer_as_done(self) -> bool:
        """Whether it changed since, or would not go; a ladder moves on without its player."""
        if not self.goes or not self.done.isdisjoint(self.since):
            return True
        stays = self.done & _changed(self.before, self.without).keys()
        return any(x[0] not in ("by_rung", "challenges") for x in stays)

    def _takes_more_along(self) -> bool:
        """Whether other things would go than those of the act, except rungs of other players."""
        things = {x[:2] for x in self.done}
        others = {x for x in self.goes if x[:2] not in things}
        return any(x[0] != "by_rung" or self.people.isdisjoint(x[1]) for x in others)

    def _is_drawn_upon(self) -> bool:
        """Whether the event has ended with it, or a round or a game was drawn by it."""
        after, now = self.after, self.now
        used = {x for x in self.done if x[0] not in ("directors", "invited")}
        if used and now.status.is_final and not after.status.is_final:
            return True
        used = {x for x in used if x[-1] != "user_id"}
        has_days = any(x[0] in ("finish", "rounds") for x in used)
        is_paired_by = has_days or (bool(used) and now.setup.format.facts.has_rounds)
        if is_paired_by and any(each.drawn > after.version for each in now.rounds):
            return True
        games = [now.games[x[1]] for x in used if x[0] == "games"]
        players = {x[1] for x in used if x[0] == "entrants"}
        players |= {number for each in games for number in each.game.players}
        new = [each.game.players for each in now.games.values() if each.drawn > after.version]
        if new and (has_days or not players.isdisjoint(chain.from_iterable(new))):
            return True
        return any(x[3] in players for x in self.since if x[0] == "rounds" and x[2] == "byes")

    def _loses_a_game(self) -> bool:
        """Whether a played game would lose its result."""
        return any(
            each.is_over and each.has_begun and not self.without.games[name].is_over
            for name, each in self.now.games.items()
        )

    def _has_gone_on(self, number: int) -> bool:
        """Whether an entrant's table or place has gone on, or their player is erased."""
        was_put_out = self.after.entrants[number - 1].standing is EntrantStatus.EXCLUDED
        if was_put_out and registration.left_tables(self.before, number):
            return True  # the other players of the table have played on
        mine = {x[2] for x in self.since if x[:2] == ("entrants", number)}
        has_played = any(each.is_over for each in self.now.of_entrant(number))
        if ("entrants", number, "user_id") in self.done and (mine or has_played):
            return True  # a substitute has acted in the place
        if ("entrants", number, "standing") in self.done and "user_id" in mine:
            return True  # another person has it
        back = self.without.entrants[number - 1]
        return back.is_active and (back.user_id or 0) < 0

    def _has_impossible_people(self) -> bool:
        """Whether a director is erased, or players are there twice or too many."""
        now, without = self.now, self.without
        if any(each < 0 for each in {*without.directors} - {*now.directors}):
            return True
        users = [each.user_id for each in without.active]
        return not len(users) == len({*users}) <= max(now.setup.most, len(now.active))


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
