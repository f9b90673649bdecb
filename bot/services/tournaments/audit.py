"""The log of a tournament, as its players may read it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.ids import UserId
from bot.domain.tournaments import facts as f
from bot.domain.tournaments import undoing
from bot.domain.tournaments.event import TournamentEvent
from bot.domain.tournaments.fold import TournamentAct
from bot.domain.tournaments.tournament import Tournament
from bot.errors import UserError
from bot.services.tournaments.decisions import read_reason
from bot.services.tournaments.views import AuditLine

_TRIED = 5
"""Of so many last acts of directors it is found out whether they can be undone."""
_OWN = (f.Entered, f.Withdrawn, f.ByeGiven, f.Challenged, f.Declined, f.Drawn)
"""Facts that players cause themselves."""


def audit_of(t: Tournament, history: Sequence[TournamentEvent]) -> tuple[AuditLine, ...]:
    """All that happened, newest first. Takes as long as the history takes to be replayed."""
    facts = [each.fact for each in history]
    undone: set[int] = set()
    for event in history:
        _, number = read_reason(event.note)
        if number is not None and 0 < number <= len(history):
            undone |= {each.seq for each in undoing.group_of(history, number)}
    can_undo = _undoable(t, history, facts, undone)
    lines = []
    holders: dict[int, UserId | None] = {}
    for event, fact in zip(history, facts, strict=True):
        former = None
        if isinstance(fact, f.Entered | f.Replaced):
            former = holders.get(fact.entrant)
            holders[fact.entrant] = event.subject_id
        reason, _ = read_reason(event.note)
        lines.append(
            AuditLine(
                event.seq,
                event.at,
                fact,
                event.user_id,
                event.subject_id,
                reason,
                _by_director(event, fact),
                event.seq in undone,
                event.seq in can_undo,
                former if isinstance(fact, f.Replaced) else None,
            )
        )
    return tuple(reversed(lines))


def _by_director(event: TournamentEvent, fact: f.Fact) -> bool:
    if event.user_id is None:
        return False
    if isinstance(fact, f.Entered | f.Withdrawn | f.ByeGiven):
        return event.user_id != event.subject_id
    return not isinstance(fact, _OWN)


def _undoable(
    t: Tournament, history: Sequence[TournamentEvent], facts: Sequence[f.Fact], undone: set[int]
) -> set[int]:
    """The numbers of the last acts that can be taken back."""
    found: set[int] = set()
    seen: set[int] = set()
    tried = 0
    for event, fact in zip(reversed(history), reversed(facts), strict=True):
        if tried == _TRIED:
            break
        if event.user_id is None or event.seq in seen or not isinstance(fact, undoing.UNDOABLE):
            continue
        group = undoing.group_of(history, event.seq)
        seen |= {each.seq for each in group}
        if event.seq in undone or (event.user_id == event.subject_id and not _acts(fact)):
            continue
        tried += 1
        try:
            undoing.undo(t, TournamentAct(t.updated_at), history, event.seq)
        except UserError:
            continue
        found.add(event.seq)
    return found


def _acts(fact: f.Fact) -> bool:
    """Whether only a director does this, be it about themselves."""
    return not isinstance(fact, _OWN)
