"""Around a director's act: permission, reason and preview, and the log with undo."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bot.domain.ids import UserId
from bot.domain.match import MatchStatus
from bot.errors import UserError
from bot.tournaments.domain import acts, registration, undoing
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.fold import (
    TournamentAct,
    TournamentChange,
    TournamentEvent,
    undone_in,
)
from bot.tournaments.domain.tournament import Tournament
from bot.tournaments.posts import MessageKind
from bot.tournaments.services.consequences import messages_for
from bot.tournaments.services.views import AuditLine, Preview, Visitor
from bot.tournaments.store.records import MatchLink, StoredTournament


def is_director(visitor: Visitor, stored: StoredTournament) -> bool:
    """Whether a person may direct a tournament of the server where they are."""
    t, user = stored.tournament, visitor.actor.user_id
    if visitor.actor.guild_id != stored.home.guild_id:
        return False
    is_named = user in (t.created_by, *t.directors)
    return visitor.manages or is_named or bool(visitor.roles & set(t.setup.director_roles))


def checked_reason(act: acts.DirectorAct, reason: str) -> str:
    """The reason of an act as stored. Raises ``reason_wanted``, ``reason_long``."""
    plain = " ".join(reason.split())
    if len(plain) > acts.LONGEST_REASON:
        raise UserError("reason_long", most=acts.LONGEST_REASON)
    if act.wants_reason and not plain:
        raise UserError("reason_wanted")
    return plain


def preview_of(
    stored: StoredTournament, changes: Sequence[TournamentChange], links: Mapping[str, MatchLink]
) -> Preview:
    """The preview of an act with these facts."""
    t = stored.tournament
    if not changes:
        return Preview(0, ())
    after = changes[-1].tournament
    facts = tuple(each.event.fact for each in changes)
    scored = tuple(
        name
        for name, played in after.games.items()
        if name in t.games and played.points is not None and not t.games[name].is_over
    )
    undrawn = tuple(name for name in t.games if name not in after.games)
    running = sorted(name for name, link in links.items() if link.status is MatchStatus.RUNNING)
    ends = tuple(name for name in (*scored, *undrawn) if name in running)
    people = zip(t.entrants, after.entrants, strict=False)
    replaced = {new.number for old, new in people if old.user_id != new.user_id}
    seats = tuple(
        name for name in running if name in t.games and replaced & set(t.games[name].game.players)
    )
    messages = messages_for(t, changes)
    told = {each.user_id for each in messages if each.user_id is not None}
    for_some = (MessageKind.HOME, MessageKind.INVITED)
    is_posted = any(each.user_id is None and each.kind not in for_some for each in messages)
    preview = Preview(
        0,
        facts,
        scored,
        ends,
        tuple(each.round for each in facts if isinstance(each, f.Undrawn)),
        seats,
        len(told),
        _can_undo(t, changes),
        is_posted,
        tuple(name for each in facts if isinstance(each, f.Unpaired) for name in each.games),
        tuple(
            name
            for each in facts
            if isinstance(each, f.Excluded)
            for name in registration.left_tables(t, each.entrant)
            if name in running
        ),
        after.finish,
    )
    return replace(preview, key=_key_of(t, preview))


def moved_in(links: Mapping[str, MatchLink]) -> frozenset[str]:
    """The games in which a player has moved, or whose match is over."""
    return frozenset(
        name for name, link in links.items() if link.ply or link.status is not MatchStatus.RUNNING
    )


def _can_undo(before: Tournament, changes: Sequence[TournamentChange]) -> bool:
    """Whether the changes of an act could be undone right away."""
    events, after = [each.event for each in changes], changes[-1].tournament
    try:
        undoing.take_back(after, TournamentAct(events[-1].at), before, events)
    except UserError:
        return False
    return True


def _key_of(t: Tournament, preview: Preview) -> int:
    """A number of at most nine digits that identifies the content of a preview.

    It changes when a round is drawn, when the people or the result concerned change, and when the
    effect of the act would be different. The number of notified players changes with each game that
    ends, and a challenge's time or the last day after a pause with each moment; none of this asks
    for a second confirmation.
    """
    facts = tuple(_lasting(each, t) for each in preview.facts)
    about = [_about(t, each) for each in facts]
    shown = replace(preview, facts=facts, told=0, finish=None)
    return zlib.crc32(repr((t.status, len(t.rounds), about, shown)).encode()) % 10**9


def _lasting(fact: f.Fact, t: Tournament) -> f.Fact:
    """A fact without the fields that change while a director thinks it over."""
    match fact:
        case f.Entered():
            return replace(fact, entrant=0)
        case f.Challenged():
            return replace(fact, until=t.finish)
    return fact


def _about(t: Tournament, fact: f.Fact) -> object:
    """The result or the person that a fact changes, before the change."""
    match fact:
        case f.Corrected(game):
            return t.games[game].points, t.games[game].how
        case f.Withdrawn(entrant) | f.Excluded(entrant) | f.Replaced(entrant):
            return t.entrants[entrant - 1].user_id
    return None


def last_acts(history: Sequence[TournamentEvent]) -> Iterator[int]:
    """Acts of directors by their first events, the newest first, without undone ones."""
    undone, seq = undone_in(history), len(history)
    while seq > 0:
        first = undoing.group_of(history, seq)[0]
        if first.seq not in undone and undoing.by_director(first):
            yield first.seq
        seq = first.seq - 1


def audit_of(history: Sequence[TournamentEvent], can_undo: int | None) -> tuple[AuditLine, ...]:
    """The whole history, newest first; ``can_undo`` is the act that can be undone."""
    undone = undone_in(history)
    lines: list[AuditLine] = []
    holders: dict[int, UserId | None] = {}
    for event in history:
        fact, former = event.fact, None
        if isinstance(fact, f.Entered | f.Replaced):
            former = holders.get(fact.entrant)
            if event.seq not in undone:
                holders[fact.entrant] = event.subject_id
        lines.append(
            AuditLine(
                event.seq,
                event.at,
                fact,
                event.user_id,
                event.subject_id,
                event.note,
                undoing.by_director(event),
                event.seq in undone,
                event.seq == can_undo,
                former if isinstance(fact, f.Replaced) else None,
                lines[fact.events[0] - 1] if isinstance(fact, f.Undone) else None,
            )
        )
    return tuple(reversed(lines))
