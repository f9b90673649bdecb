"""The history of a tournament: facts in order, sealed by hashes, and the tournament they lead to.

The seal covers the tournament, number, kind, payload and time. It leaves out user ids and a
director's own words: a player may have their data erased, and the chain must still hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, cast

from bot.domain.codec import read, write
from bot.domain.events import GENESIS, JsonValue, digest, micros
from bot.domain.history import HistoryError, check_chain
from bot.domain.ids import InteractionId, TournamentId, UserId
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.facts import KINDS, Fact
from bot.tournaments.domain.formats.open_ended import after_decline, after_result, climbs_after
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import (
    Entrant,
    EntrantStatus,
    Invitation,
    PlayedGame,
    Round,
    Tournament,
    TournamentStatus,
)


@dataclass(frozen=True, slots=True)
class TournamentAct:
    """The time, the user (None: the host), the interaction and the reason of an act."""

    at: datetime
    user_id: UserId | None = None
    interaction_id: InteractionId | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class TournamentChange:
    """An event and the tournament after it."""

    event: TournamentEvent
    tournament: Tournament


def as_changes(
    decided: Sequence[TournamentChange] | TournamentChange | None,
) -> tuple[TournamentChange, ...]:
    """A decision as a tuple; empty for None."""
    if decided is None:
        return ()
    return (decided,) if isinstance(decided, TournamentChange) else tuple(decided)


def begin(id_: TournamentId, act: TournamentAct, created: f.Created) -> TournamentChange:
    """The first event of a tournament."""
    return _change(id_, None, act, created, None)


def add(
    before: Tournament, act: TournamentAct, fact: f.Fact, subject: UserId | None = None
) -> TournamentChange:
    """The next event of a tournament, and the tournament after it."""
    return _change(before.id, before, act, fact, subject)


def _change(
    id_: TournamentId,
    before: Tournament | None,
    act: TournamentAct,
    fact: f.Fact,
    subject: UserId | None,
) -> TournamentChange:
    event = TournamentEvent(
        id_,
        1 if before is None else before.version + 1,
        type(fact).__name__.lower(),
        cast("Mapping[str, JsonValue]", write(fact)),
        act.at,
        act.user_id,
        subject,
        act.note,
        act.interaction_id,
        GENESIS if before is None else before.head_hash,
        "",
    )
    event = replace(event, hash=event.seal)
    return TournamentChange(event, apply(before, event, fact))


IMPOSSIBLE = (ValueError, KeyError, IndexError)
"""The exceptions of :func:`apply` for an event that cannot be the next."""


def replay(events: Sequence[TournamentEvent]) -> Tournament:
    """The tournament that a history leads to. Raises :exc:`HistoryError`."""
    check_chain(events)
    found: Tournament | None = None
    try:
        undone = undone_in(events)
        for event in events:
            found = apply(found, event, event.fact, is_undone=event.seq in undone)
    except IMPOSSIBLE as error:
        seq = 1 if found is None else found.version + 1
        raise HistoryError("impossible", seq) from error
    assert found is not None  # noqa: S101 - there was an event
    return found


def undone_in(events: Iterable[TournamentEvent]) -> frozenset[int]:
    """The numbers of the events of a history that a later one undoes."""
    facts = (each.fact for each in events if each.kind == "undone")
    return frozenset(seq for fact in facts if isinstance(fact, f.Undone) for seq in fact.events)


def apply(
    before: Tournament | None, event: TournamentEvent, fact: f.Fact, *, is_undone: bool = False
) -> Tournament:
    """The tournament after an event; an undone one counts as if it had not happened.

    Raises one of :data:`IMPOSSIBLE` for an event that cannot be the next.
    """
    if before is None:
        if not isinstance(fact, f.Created):
            raise ValueError("the first event must create the tournament")
        return Tournament(
            id=event.tournament_id,
            version=1,
            head_hash=event.hash,
            setup=fact.setup,
            lots=fact.lots,
            status=TournamentStatus.REGISTRATION,
            created_by=event.user_id,
            created_at=event.at,
            updated_at=event.at,
            closes=fact.setup.closes,
            begins=fact.setup.begins,
            finish=fact.setup.finish,
        )
    changes = _undone(before, event, fact) if is_undone else _changes(before, event, fact)
    rungs = changes.get("by_rung", before.by_rung)
    changes["climbs"] = climbs_after(before.climbs, before.by_rung, rungs, event.at)
    return replace(before, version=event.seq, head_hash=event.hash, updated_at=event.at, **changes)


def _undone(t: Tournament, event: TournamentEvent, fact: f.Fact) -> dict[str, Any]:
    """No changes, but a new entrant counts as withdrawn: entrants keep their numbers."""
    if not isinstance(fact, f.Entered) or t.entrant(fact.entrant) is not None:
        return {}
    entered = _entered(t, event, fact)
    return entered | _with(replace(t, **entered), fact.entrant, standing=EntrantStatus.WITHDRAWN)


def _changes(t: Tournament, event: TournamentEvent, fact: f.Fact) -> dict[str, Any]:
    """The changes of the head by a fact."""
    match fact:
        case f.Created():
            raise ValueError("created twice")
        case f.Undone():
            return {}  # the events that it names are left out
        case f.Closed():
            return {"status": TournamentStatus.CLOSED}
        case f.Reopened(until):
            return {
                "status": TournamentStatus.REGISTRATION,
                "closes": until,
                "begins": max(until, t.begins),
            }
        case f.Finished():
            return {"status": TournamentStatus.FINISHED, "paused_at": None}
        case f.Cancelled():
            return {"status": TournamentStatus.CANCELLED}
        case f.Paused():
            return {"paused_at": event.at}
        case f.Resumed():
            return _later(t, event.at)
        case f.Appointed() | f.Dismissed():
            person = _subject(event)
            others = tuple(each for each in t.directors if each != person)
            new = (person,) if isinstance(fact, f.Appointed) else ()
            return {"directors": (*others, *new)}
        case f.Parted(entrants) | f.Rejoined(entrants):
            if any(t.entrant(each) is None for each in entrants):
                raise ValueError("who is it?")
            apart = tuple(each for each in t.apart if each.entrants != entrants)
            return {"apart": (*apart, fact) if isinstance(fact, f.Parted) else apart}
        case f.Invited(seed, rating):
            person = _subject(event)
            mine = t.invitation_of(person)
            if mine is None:
                return {"invited": (*t.invited, Invitation(person, seed, rating, event.seq))}
            line = replace(mine, seed=seed, rating=rating)
            return {"invited": tuple(line if each is mine else each for each in t.invited)}
        case f.Seeded(seeds, ratings):
            if t.rounds:
                raise ValueError("seeds stay once a round is drawn")
            given = zip(t.entrants, seeds, ratings, strict=True)
            seeded = (replace(x, seed=seed, rating=rating) for x, seed, rating in given)
            return {"entrants": tuple(seeded)}
        case f.Challenged(challenger, challenged):
            if not {challenger, challenged} <= {*t.by_rung}:
                raise ValueError("not on the ladder")
            return {"challenges": (*_without_challenges(t, (challenger, challenged)), fact)}
        case f.Declined(challenger, challenged):
            declined = t.declines.get(challenged, 0) + 1
            rungs = after_decline(t.by_rung, challenger, challenged, declined)
            return {
                "challenges": _without_challenges(t, (challenger, challenged)),
                "by_rung": rungs,
                "declines": {**t.declines, challenged: declined if rungs == t.by_rung else 0},
            }
        case f.Moved(rungs):
            if sorted(rungs) != sorted(t.by_rung):
                raise ValueError("other players on the ladder")
            return {"by_rung": rungs}
        case f.Undrawn(number):
            if number != len(t.rounds):
                raise ValueError("only the last round can be drawn once more")
            names = [each.game.id for each in t.in_round(number)]
            return {"rounds": t.rounds[:-1], **_unpaired(t, names)}
        case f.Drawn():
            return _drawn(t, fact)
        case f.Unpaired(names):
            return _unpaired(t, names)
        case f.Begun(game):
            return {"games": {**t.games, game: replace(t.games[game], has_begun=True)}}
        case f.Extended():
            return _extended(t, fact)
        case f.Scored() | f.Decided() | f.Corrected():
            return _of_result(t, fact)
        case f.Entered():
            return _entered(t, event, fact)
        case f.CheckedIn(entrant):
            return _with(t, entrant, is_here=True)
        case f.Replaced(entrant):
            return _with(t, entrant, user_id=event.subject_id)
        case f.ByeGiven(entrant, number, kind):
            byes = {**t.entrants[entrant - 1].byes, number: kind}
            return _with(t, entrant, byes=byes)
        case f.Withdrawn(entrant):
            return _with(t, entrant, standing=EntrantStatus.WITHDRAWN)
        case f.Excluded(entrant):
            return _with(t, entrant, standing=EntrantStatus.EXCLUDED)
        case f.Warned(entrant):
            return _with(t, entrant, is_warned=True)
    raise ValueError("nothing follows from it")


def _subject(event: TournamentEvent) -> UserId:
    if event.subject_id is None:
        raise ValueError("who is it?")
    return event.subject_id


def _entered(t: Tournament, event: TournamentEvent, fact: f.Entered) -> dict[str, Any]:
    # Players who enter during check-in are checked in.
    is_here = bool(t.setup.check_in) and t.begins - t.setup.check_in <= event.at
    number, mine = fact.entrant, t.entrant(fact.entrant)
    foot = (number,) if t.setup.format is FormatKey.LADDER else ()
    if mine is not None:
        if (mine.user_id, mine.standing) != (event.subject_id, EntrantStatus.WITHDRAWN):
            raise ValueError("only the player who withdrew can come back")
        active = EntrantStatus.ACTIVE
        again = {"rating": fact.rating, "seed": fact.seed, "is_here": is_here}
        back = _with(t, number, standing=active, **again)
        return back | {"by_rung": (*back["by_rung"], *foot)}
    if number != len(t.entrants) + 1:
        raise ValueError("entrants are numbered in order")
    since = len(t.rounds) + 1 if t.setup.format.facts.has_rounds else 1
    new = Entrant(
        number,
        event.subject_id,
        fact.rating,
        since=since,
        missed=fact.missed,
        seed=fact.seed,
        is_here=is_here,
    )
    rounds = t.rounds
    if since > 1:
        rounds = tuple(replace(each, byes={**each.byes, number: fact.missed}) for each in rounds)
    return {"entrants": (*t.entrants, new), "rounds": rounds, "by_rung": (*t.by_rung, *foot)}


def _without_challenges(t: Tournament, pair: tuple[int, ...]) -> tuple[f.Challenged, ...]:
    """The challenges of others: a player has one at a time."""
    return tuple(x for x in t.challenges if {*pair}.isdisjoint(x.pair))


def _with(t: Tournament, number: int, **changes: Any) -> dict[str, Any]:
    """The entrants with one changed; one who leaves the event leaves its ladder too."""
    if t.entrant(number) is None:
        raise ValueError(f"no entrant {number}")
    entrants = tuple(
        replace(each, **changes) if each.number == number else each for each in t.entrants
    )
    if "standing" not in changes:
        return {"entrants": entrants}
    rungs = tuple(each for each in t.by_rung if each != number)
    still = tuple(each for each in t.challenges if number not in each.pair)
    return {"entrants": entrants, "by_rung": rungs, "challenges": still}


def _drawn(t: Tournament, fact: f.Drawn) -> dict[str, Any]:
    if any(game.id in t.games for game in fact.games):
        raise ValueError("a game was drawn twice")
    number, version = fact.round, t.version + 1
    games = {game.id: PlayedGame(game, fact.until, drawn=version) for game in fact.games}
    byes = {bye.entrant: bye.kind for bye in fact.byes}
    if number > len(t.rounds) + 1:
        raise ValueError("a round was left out")
    rounds = tuple(
        replace(each, byes={**each.byes, **byes}) if each.number == number else each
        for each in t.rounds
    )
    if number > len(rounds):
        apart = tuple(each.entrants for each in t.apart if each.holds_in(number))
        rounds = (*rounds, Round(number, fact.until, byes, version, apart))
    ladder: dict[str, Any] = {}
    if t.setup.format is FormatKey.LADDER and fact.games:
        pair = fact.games[0].players
        ladder["challenges"] = _without_challenges(t, pair)
        ladder["declines"] = {**t.declines, pair[0]: 0, pair[1]: 0}
    running = TournamentStatus.RUNNING
    return {"status": running, "rounds": rounds, "games": {**t.games, **games}, **ladder}


def _unpaired(t: Tournament, names: Iterable[str]) -> dict[str, Any]:
    games = dict(t.games)
    gone = [games.pop(name) for name in names]
    if any(each.is_played for each in gone):
        raise ValueError("a game that was played for")
    return {"games": games, "entrants": _with_losses(t, fewer=gone)}


def _extended(t: Tournament, fact: f.Extended) -> dict[str, Any]:
    games, number, until = dict(t.games), fact.round, fact.until
    if fact.game:
        games[fact.game] = replace(games[fact.game], until=until)
        return {"games": games, "finish": fact.finish}
    was = t.rounds[number - 1].until
    rounds = tuple(
        replace(each, until=until) if each.number == number else each for each in t.rounds
    )
    for key, each in games.items():
        # A game with an extension of its own keeps it.
        if each.game.round == number and not each.is_over and each.until <= max(was, until):
            games[key] = replace(each, until=until)
    return {"rounds": rounds, "games": games, "finish": fact.finish}


def _of_result(t: Tournament, fact: f.Scored | f.Decided | f.Corrected) -> dict[str, Any]:
    before = t.games[fact.game]
    how = f.How.DIRECTOR if isinstance(fact, f.Decided) else fact.how
    if len(fact.points) != len(before.game.players):
        raise ValueError("points for another number of seats")
    if before.is_over and not isinstance(fact, f.Corrected):
        raise ValueError("a game has one result")
    late = fact.late if isinstance(fact, f.Scored) else before.late
    after = replace(before, points=fact.points, how=how, late=late)
    rungs = t.by_rung
    if t.setup.format is FormatKey.LADDER and not before.is_over:
        rungs = after_result(rungs, before.game.players, fact.points)
    entrants = _with_losses(t, more=[after], fewer=[before])
    return {"games": {**t.games, fact.game: after}, "entrants": entrants, "by_rung": rungs}


def _with_losses(
    t: Tournament, *, more: Sequence[PlayedGame] = (), fewer: Sequence[PlayedGame]
) -> tuple[Entrant, ...]:
    """The entrants with their losses on time in some games added, and in others removed."""
    by = Counter(number for played in more for number in played.lost_on_time)
    by.subtract(number for played in fewer for number in played.lost_on_time)
    return tuple(
        replace(each, time_losses=each.time_losses + by[each.number]) if by[each.number] else each
        for each in t.entrants
    )


def _later(t: Tournament, now: datetime) -> dict[str, Any]:
    """All days to come, moved by the length of the pause."""
    if t.paused_at is None:
        raise ValueError("not paused")
    by = now - t.paused_at
    games = {
        key: each if each.is_over else replace(each, until=each.until + by)
        for key, each in t.games.items()
    }
    rounds = tuple(
        replace(each, until=each.until + by) if each.until > t.paused_at else each
        for each in t.rounds
    )
    return {
        "paused_at": None,
        "closes": t.closes + by if t.closes > t.paused_at else t.closes,
        "begins": t.begins + by if t.begins > t.paused_at else t.begins,
        "finish": t.finish + by,
        "challenges": tuple(replace(each, until=each.until + by) for each in t.challenges),
        "games": games,
        "rounds": rounds,
    }


@dataclass(frozen=True, slots=True)
class TournamentEvent:
    """One thing that happened to a tournament; ``seq`` counts from 1.

    ``user_id`` acted, None for the host; ``subject_id`` is the person concerned, if any; ``note``
    is a director's reason.
    """

    tournament_id: TournamentId
    seq: int
    kind: str
    payload: Mapping[str, JsonValue] = field(hash=False)
    at: datetime
    user_id: UserId | None
    subject_id: UserId | None
    note: str
    interaction_id: InteractionId | None
    prev_hash: str
    hash: str

    @property
    def seal(self) -> str:
        """The hash that it must have."""
        about = (self.tournament_id, self.seq, self.kind)
        return digest(self.prev_hash, *about, dict(self.payload), micros(self.at))

    @property
    def fact(self) -> Fact:
        """Its fact. Raises :exc:`ValueError` for an invalid payload."""
        return read_fact(self.kind, self.payload)


def read_fact(kind: str, payload: Mapping[str, JsonValue]) -> Fact:
    """The fact of a kind and payload. Raises :exc:`ValueError` for an invalid one."""
    try:
        return cast("Fact", read(KINDS[kind], payload))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no fact: {kind}") from error
