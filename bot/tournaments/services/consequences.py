"""Consequences of a tournament's events: the messages, and the time of the next look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.tournaments.domain import facts as f
from bot.tournaments.domain.challenges import LOOK
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.fold import TournamentChange
from bot.tournaments.domain.formats.swiss import met_all_the_same
from bot.tournaments.domain.formats.tables import preliminary_rounds
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import Tournament, TournamentStatus
from bot.tournaments.posts import ALL_DIRECTORS, LATER, MessageKind, NewMessage, TournamentTrouble

ARENA_LOOK = timedelta(seconds=5)
"""The longest time that a free player of an arena waits for a better opponent."""

_FOR_ACTOR_TOO = frozenset({MessageKind.CHALLENGED, MessageKind.ANSWERED})


def messages_for(
    before: Tournament | None, changes: Sequence[TournamentChange], *, made_up: bool = False
) -> tuple[NewMessage, ...]:
    """The messages about an act, each once; the home message follows every change.

    People get no notice of their own acts, except challenges, which have buttons; nor do people
    whose data was erased. ``made_up`` is for rehearsals, in which people have negative ids.
    """
    found: list[NewMessage] = [NewMessage(MessageKind.HOME)]
    t = before
    for change in changes:
        for each in (*_of_change(t, change), *_ended_challenges(t, change)):
            if each.entrant and each.user_id is None:
                continue
            if each.user_id is not None:
                if each.user_id == change.event.user_id and each.kind not in _FOR_ACTOR_TOO:
                    continue
                if each.user_id < 0 and not made_up:
                    continue
            if made_up and each.kind is MessageKind.ANSWERED:
                continue  # no message is repeated
            found.append(each)
        t = change.tournament
    found += _rounds(before, changes, made_up=made_up)
    found += _invitations(before, changes)
    return tuple(dict.fromkeys(found))


def to_directors(
    t: Tournament, kind: MessageKind, detail: str, *, game: str = "", but: int | None = None
) -> NewMessage:
    """A message to the present directors when it is sent, without the one at place ``but``.

    If there are none, it goes to the server, for people who manage it.
    """
    return NewMessage(kind, t.version, game=game, detail=detail, director=ALL_DIRECTORS, but=but)


def _to(
    t: Tournament, kind: MessageKind, numbers: Iterable[int], seq: int, game: str = ""
) -> Iterator[NewMessage]:
    for number in numbers:
        yield NewMessage(kind, seq, number, t.entrants[number - 1].user_id, game)


def hearing_of(t: Tournament, drawn: f.Drawn) -> frozenset[int]:
    """The entrants who are notified of a round: players, and those left out against their wish."""
    out = (
        each.entrant
        for each in drawn.byes
        if each.kind is not Kind.ZERO_BYE and drawn.round not in t.entrants[each.entrant - 1].byes
    )
    return frozenset(out).union(*(each.players for each in drawn.games))


def _rounds(
    before: Tournament | None, changes: Sequence[TournamentChange], *, made_up: bool
) -> Iterator[NewMessage]:
    """One notice for each player of all rounds drawn together. An arena notifies by the match."""
    t = changes[-1].tournament if changes else before
    if t is None or t.setup.format is FormatKey.ARENA:
        return
    drawn = [(change, fact) for change in changes if isinstance(fact := change.event.fact, f.Drawn)]
    if not drawn:
        return
    last, _ = drawn[-1]
    games = [game for _, fact in drawn for game in fact.games]
    about = games[0].id if t.setup.format is FormatKey.LADDER and games else ""
    had_begun = before is not None and before.status is TournamentStatus.RUNNING
    there = {number for _, fact in drawn for number in hearing_of(t, fact)}
    for each in _to(t, MessageKind.ROUND, sorted(there), last.event.seq, game=about):
        user = each.user_id
        if user in (None, last.event.user_id) or not t.entrants[each.entrant - 1].is_active:
            continue
        if made_up or (user is not None and user > 0):
            yield replace(each, detail=LATER if had_begun else "")


def _invitations(
    before: Tournament | None, changes: Sequence[TournamentChange]
) -> Iterator[NewMessage]:
    """One message for all newly listed people, and one for each who wants it alone."""
    was = {each.user_id for each in before.invited} if before is not None else set()
    t = changes[-1].tournament if changes else None
    new = [each for each in t.unanswered if each.user_id not in was] if t is not None else []
    for each in new:
        yield NewMessage(MessageKind.INVITED, each.since, user_id=each.user_id, subject=True)
    if new:
        detail = str(min(each.since for each in new))
        yield NewMessage(MessageKind.INVITED, max(each.since for each in new), detail=detail)


def _of_change(before: Tournament | None, change: TournamentChange) -> Iterator[NewMessage]:
    t, seq = change.tournament, change.event.seq
    fact = change.event.fact
    match fact:
        case f.Undrawn() | f.Unpaired() if before is not None:
            gone = [each for name, each in before.games.items() if name not in t.games]
            players = (x for played in gone for x in played.game.players)
            yield from _to(t, MessageKind.REDRAWN, dict.fromkeys(players), seq)
        case f.Scored(game, _, f.How.UNFINISHED):
            yield from _to(t, MessageKind.UNFINISHED, _there(t, game), seq, game)
        case f.Scored(game, _, f.How.NO_SHOW) if t.games[game].has_begun:
            pass  # a player who never moved has seen its end
        case f.Scored(game, _, f.How.NO_SHOW | f.How.DIRECTOR):
            yield from _to(t, MessageKind.FORFEITED, _there(t, game), seq, game)
        case f.Decided(game):
            yield from _to(t, MessageKind.DECIDED, _there(t, game), seq, game)
        case f.Corrected(game):
            yield from _to(t, MessageKind.CORRECTED, _there(t, game), seq, game)
        case f.Drawn(number) if t.setup.final_table and number > preliminary_rounds(t.setup):
            out = (each.number for each in t.active if each.number not in hearing_of(t, fact))
            yield from _to(t, MessageKind.NO_FINAL, out, seq)
        case f.Drawn(number) if met := met_all_the_same(t, number):
            detail = TournamentTrouble.GAVE_WAY.value
            yield to_directors(t, MessageKind.TROUBLE, detail, game=met[0].id)
        case f.Extended(number, game):
            games = [t.games[game]] if game else t.in_round(number)
            players = (x for each in games if not each.is_over for x in each.game.players)
            yield from _to(t, MessageKind.EXTENDED, dict.fromkeys(players), seq, game=game)
            if before is not None and before.finish != t.finish:
                yield NewMessage(MessageKind.EXTENDED, seq)
        case f.Paused():
            yield NewMessage(MessageKind.PAUSED, seq)
        case f.Resumed():
            yield NewMessage(MessageKind.RESUMED, seq)
        case f.Undone() if before is not None:
            yield from _of_undone(before, t, seq)
        case f.Finished():
            yield NewMessage(MessageKind.FINISHED, seq)
        case f.Cancelled():
            active = (each.number for each in t.active)
            yield from _to(t, MessageKind.CANCELLED, active, seq)
            if change.event.user_id is None:
                yield to_directors(t, MessageKind.CANCELLED, "")
        case f.Challenged(challenger, challenged):
            yield from _to(t, MessageKind.CHALLENGED, (challenged,), seq)
        case f.Declined(challenger, challenged):
            yield from _to(t, MessageKind.DECLINED, (challenger,), seq)
        case f.Moved(rungs) if before is not None:
            sunk = (each for at, each in enumerate(rungs) if at > before.by_rung.index(each))
            yield from _to(t, MessageKind.SUNK, sunk, seq)
        case f.Warned(number):
            yield from _to(t, MessageKind.WARNED, (number,), seq)
        case f.Withdrawn(number, f.Leaving.TIME | f.Leaving.ASKED | f.Leaving.ABSENT):
            yield from _to(t, MessageKind.WITHDRAWN, (number,), seq)
        case f.Excluded(number):
            yield from _to(t, MessageKind.EXCLUDED, (number,), seq)
        case f.Entered(number) if change.event.user_id is not None:
            yield from _to(t, MessageKind.ENTERED, (number,), seq)
    if before is not None:
        yield from _of_people(before, t, change)


def _there(t: Tournament, game: str) -> list[int]:
    """The players of a game who are still in."""
    return [x for x in t.games[game].game.players if t.entrants[x - 1].is_active]


def _challenged_anew(t: Tournament, seq: int) -> Iterator[NewMessage]:
    """Open challenges, announced again."""
    for each in t.challenges:
        (asked,) = _to(t, MessageKind.CHALLENGED, (each.challenged,), seq)
        yield replace(asked, detail=str(each.challenger))


def _ended_challenges(before: Tournament | None, change: TournamentChange) -> Iterator[NewMessage]:
    """Challenges that no longer wait for an answer, for any reason."""
    t = change.tournament
    if before is None or before.status.is_final:
        return
    still = () if t.status.is_final else t.challenges
    pairs = {(each.challenger, each.challenged) for each in still}
    for each in before.challenges:
        if (each.challenger, each.challenged) not in pairs:
            (told,) = _to(t, MessageKind.ANSWERED, (each.challenged,), change.event.seq)
            yield replace(told, detail=str(each.challenger))
            gone = isinstance(change.event.fact, f.Finished | f.Withdrawn | f.Excluded)
            if gone and t.entrants[each.challenger - 1].is_active:
                (told,) = _to(t, MessageKind.DECLINED, (each.challenger,), change.event.seq)
                yield replace(told, detail=str(each.challenged))


def _of_undone(before: Tournament, t: Tournament, seq: int) -> Iterator[NewMessage]:
    """Notices to players after an act was undone."""
    if t.status is not before.status is TournamentStatus.CANCELLED:
        yield from _to(t, MessageKind.REVIVED, (each.number for each in t.active), seq)
        yield from _challenged_anew(t, seq)
    if before.paused_at != t.paused_at:
        yield NewMessage(MessageKind.REVIVED if t.paused_at is None else MessageKind.PAUSED, seq)
        return  # all days have moved
    told: dict[int, tuple[MessageKind, str]] = {}
    for old, new in zip(before.entrants, t.entrants, strict=True):
        if old.standing is not new.standing:
            told[new.number] = MessageKind.ENTERED if new.is_active else MessageKind.WITHDRAWN, ""
    for name, played in t.games.items():
        was = before.games[name]
        if was.points != played.points or (was.until != played.until and not played.is_over):
            is_same = was.points == played.points
            kind = MessageKind.EXTENDED if is_same else MessageKind.CORRECTED
            told = dict.fromkeys(_there(t, name), (kind, name)) | told
    for number, (kind, game) in told.items():
        yield from _to(t, kind, (number,), seq, game=game)
    if before.finish != t.finish:
        yield NewMessage(MessageKind.EXTENDED, seq)


def _of_people(before: Tournament, t: Tournament, change: TournamentChange) -> Iterator[NewMessage]:
    """Notices to new directors and players."""
    seq, person = change.event.seq, change.event.subject_id
    if before.directors != t.directors:
        kind = MessageKind.APPOINTED if person in t.directors else MessageKind.DISMISSED
        yield NewMessage(kind, seq, 0, person, subject=True)
    for old, new in zip(before.entrants, t.entrants, strict=False):
        number = new.number
        if old.user_id == new.user_id:
            continue
        yield from _to(t, MessageKind.ENTERED, (number,), seq)
        if old.user_id is not None:
            yield NewMessage(MessageKind.REPLACED, seq, number, old.user_id, former=True)
        games = (each for each in t.of_entrant(number) if not each.is_over)
        others = {x for each in games for x in each.game.players if x != number}
        for told in _to(t, MessageKind.OPPONENT, sorted(others), seq):
            yield replace(told, detail=str(number))
        for asked in _challenged_anew(t, seq):
            if asked.entrant == number:
                yield asked
                yield replace(asked, kind=MessageKind.ANSWERED, user_id=old.user_id, former=True)


def next_look(t: Tournament, now: datetime) -> datetime | None:
    """When to look again, unless something happens before; None: never by itself."""
    if t.status.is_final or t.paused_at is not None:
        return None
    if t.status in (TournamentStatus.REGISTRATION, TournamentStatus.CLOSED):
        until = t.closes if t.status is TournamentStatus.REGISTRATION else t.begins
        is_to_come = t.checks_in is not None and t.checks_in > now
        return min(until, t.checks_in) if t.checks_in is not None and is_to_come else until
    found = [t.finish, *(each.until for each in t.pending)]
    found += (each.until for each in t.challenges)
    if t.setup.format is FormatKey.LADDER:
        found.append(now + LOOK)
    if t.setup.format is FormatKey.ARENA:
        busy = t.playing
        if sum(each.number not in busy for each in t.active) > 1:
            found.append(now + ARENA_LOOK)
    return min(found)
