"""The store: every method one transaction, the same on both databases."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import datetime
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from bot.domain.events import Change, Event
from bot.domain.ids import UserId
from bot.domain.match import Match
from bot.domain.session_budget import Moments
from bot.domain.tournaments.event import TournamentEvent
from bot.logs import logger
from bot.services.outgoing import Batch
from bot.services.people_store import AuditEntry, PairingCheck
from bot.services.ports import (
    AlreadyDone,
    ChannelBusy,
    Conflict,
    OutcomeUnknown,
    StoreUnavailable,
)
from bot.services.tournaments.ports import StoredTournament, Writing
from bot.store import (
    blocked,
    follows,
    jobs,
    lobbies,
    match_feed,
    notices,
    outbox,
    outgoing,
    pairing,
    people,
    plans,
    privacy,
    rating_lists,
    ratings,
    standing,
    times,
    transactions,
    upkeep,
)
from bot.store.database import Database
from bot.store.guards import HighWater
from bot.store.tournaments import reading as tournaments
from bot.store.tournaments import writing as tournament_writing

_log = logger(__name__)
P = ParamSpec("P")
T = TypeVar("T")
_Transaction = Callable[Concatenate[Connection, P], T]
_Method = Callable[Concatenate["SqlStore", P], Coroutine[Any, Any, T]]


def _read(transaction: _Transaction[P, T]) -> _Method[P, T]:
    """The method that runs a transaction which changes nothing."""

    @functools.wraps(transaction)
    async def method(store: SqlStore, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store.database.read(lambda c: transaction(c, *args, **kwargs))

    return method


def _write(transaction: _Transaction[P, T]) -> _Method[P, T]:
    """The method that runs a transaction."""

    @functools.wraps(transaction)
    async def method(store: SqlStore, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store.database.write(lambda c: transaction(c, *args, **kwargs))

    return method


def _write_first(transaction: _Transaction[P, T]) -> _Method[P, T]:
    """The same; the second of two that add a row of the same key meets a conflict."""
    write = _write(transaction)

    @functools.wraps(transaction)
    async def method(store: SqlStore, /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await write(store, *args, **kwargs)
        except IntegrityError as error:
            raise Conflict from error

    return method


class SqlStore:
    """Everything that is stored, on a :class:`Database`.

    It is the :class:`~bot.services.ports.Store` of the services and all their other stores; what
    is promised of a method stands in their protocols.
    """

    def __init__(self, database: Database, *, mark: HighWater | None = None) -> None:
        self.database = database
        self._mark = mark

    async def close(self) -> None:
        """Let running transactions end and close the database."""
        await self.database.close()
        if self._mark is not None:
            self._mark.close()

    @property
    def is_well(self) -> bool:
        """Whether the database works, as far as the last questions tell."""
        return self.database.is_well

    # ---- matches -------------------------------------------------------------------------------

    async def commit(
        self,
        change: Change,
        *,
        quietly: bool = False,
        lease_until: datetime | None = None,
        check: PairingCheck | None = None,
        entry: AuditEntry | None = None,
        ends: Change | None = None,
    ) -> Batch:
        """Write a change and what follows from it."""

        def note() -> None:
            if self._mark is not None:
                self._mark.note(change.event)

        try:
            return await self.database.write(
                lambda c: transactions.commit(
                    c,
                    change,
                    quietly=quietly,
                    lease_until=lease_until,
                    check=check,
                    entry=entry,
                    ends=ends,
                ),
                after=note,
            )
        except OutcomeUnknown as unknown:
            if unknown.outcome.done():
                await self._check_done(change)
                raise StoreUnavailable(unknown.reason) from unknown
            raise
        except IntegrityError as error:
            await self._check_done(change)
            if not _is_duplicate(error):
                raise
            if "channel" in str(error.orig):
                raise ChannelBusy from None
            raise Conflict from error

    async def _check_done(self, change: Change) -> None:
        """Raise :exc:`AlreadyDone` if the interaction of a change has caused an event."""
        interaction_id = change.event.interaction_id
        event = None if interaction_id is None else await self.done(interaction_id)
        if event is not None:
            raise AlreadyDone(event) from None

    async def all_matches(self) -> AsyncIterator[tuple[Match, tuple[Event, ...]]]:
        """Every match with its history, a hundred to a transaction."""
        after = ""
        while found := await self._matches_after(after, 100):
            for each in found:
                yield each
            after = found[-1][0].id

    _matches_after = _read(transactions.matches_after)
    load = _read(transactions.load)
    done = _read(transactions.done)
    match = _read(transactions.match)
    running_in = _read(transactions.running_in)
    active_of = _read(transactions.active_of)
    history = _read(transactions.history)
    lapsed_offers = _read(transactions.lapsed_offers)
    lapsed_requests = _read(transactions.lapsed_requests)
    over_in = _read(transactions.over_in)
    over_of = _read(transactions.over_of)
    met = _read(transactions.met)
    quiet_since = _read(transactions.quiet_since)
    running_in_server = _read(transactions.running_in_server)
    plan = _read(plans.plan)
    keep_plan = _write(plans.keep_plan)
    owe = _write(notices.owe)
    all_owed = _read(notices.all_owed)
    told = _write(notices.answer_told)

    # ---- tournaments ---------------------------------------------------------------------------

    async def commit_tournament(self, writing: Writing) -> None:
        """Write what happened to a tournament, with its matches and messages."""

        def note() -> None:
            if self._mark is not None:
                for change in writing.matches:
                    self._mark.note(change.event)

        try:
            await self.database.write(lambda c: tournament_writing.commit(c, writing), after=note)
        except IntegrityError as error:
            if not _is_duplicate(error):
                raise
            raise Conflict from error

    async def all_tournaments(
        self,
    ) -> AsyncIterator[tuple[StoredTournament, tuple[TournamentEvent, ...]]]:
        """Every tournament with its history, ten to a transaction."""
        after = ""
        while found := await self._tournaments_after(after, 10):
            for each in found:
                yield each
            after = found[-1][0].tournament.id

    _tournaments_after = _read(tournaments.after)
    load_tournament = _read(tournaments.load)
    tournament_name = _read(tournaments.name)
    tournament_done = _read(tournaments.done)
    tournament_history = _read(tournaments.history)
    tournament_event = _read(tournaments.event)
    tournament_replaced = _read(tournaments.replaced)
    tournament_links = _read(tournaments.links)
    tournaments_due = _read(tournaments.due)
    next_tournament_due = _read(tournaments.next_due)
    tournaments_not_over = _read(tournaments.not_over)
    tournaments_of_server = _read(tournaments.of_server)
    tournaments_of_person = _read(tournaments.of_person)
    tournaments_in_channel = _read(tournaments.in_channel)
    directed_by = _read(tournaments.directed_by)
    blocked_among = _read(tournaments.blocked_among)
    set_home = _write(tournament_writing.set_home)
    show_tournament_again = _write(tournament_writing.show_again)
    reinstate_tournament = _write(tournament_writing.reinstate)
    set_tournament_aside = _write(tournament_writing.set_aside)

    # ---- what is to be sent --------------------------------------------------------------------

    claim = _write(outbox.claim)
    settle = _write(outbox.settle)
    next_due = _read(outbox.next_due)
    show_again = _write(match_feed.show_again)
    plan_messages = _write(outgoing.plan)
    hurry = _write(blocked.hurry)
    hurry_troubled = _write(blocked.hurry_troubled)
    hurry_standing = _write(standing.hurry)
    board_of = _read(blocked.board_of)
    notice_told = _write(blocked.notice_told)
    replace_line = _write_first(match_feed.replace_line)

    # ---- what computers have to do --------------------------------------------------------------

    claim_job = _write(jobs.claim)
    finish_job = _write(jobs.finish)
    put_off_job = _write(jobs.put_off)
    release_jobs = _write(jobs.release)
    job_queue = _read(jobs.queue)
    next_job = _read(jobs.next_due)
    review = _read(jobs.review)
    ask_review = _write(jobs.ask_review)
    add_to_review = _write(jobs.add_to_review)
    last_against_computer = _read(jobs.last_against_computer)

    # ---- turns whose players were not told ------------------------------------------------------

    reached = _write(blocked.reached)
    spare_unreached = _write(match_feed.spare)
    unreached_to_settle = _read(blocked.to_settle)
    unreached_settled = _write(blocked.settled)
    forget_unreached = _write(blocked.forget)
    blocked = _read(blocked.blockages)

    # ---- deadlines, heartbeats and outages -----------------------------------------------------

    overdue = _read(times.overdue)
    next_deadline = _read(times.next_deadline)
    beat = _write(times.beat)
    note_outages = _write(times.note_outages)
    presumed = _read(times.presumed)
    newest_outages = _read(times.newest_outages)
    open_outages = _read(times.open_outages)
    servers_playing = _read(times.servers_playing)

    # ---- reminders and digests -----------------------------------------------------------------

    turn_of = _read(notices.turn_of)
    news_for = _read(notices.news_for)
    news_told = _write(notices.news_told)
    hand_news_back = _write(notices.hand_back)

    # ---- people and servers --------------------------------------------------------------------

    person = _read(people.person)
    keep_person = _write_first(people.keep_person)
    server = _read(people.server)
    keep_server = _write_first(people.keep_server)
    log_act = _write(people.log_act)
    audit_of = _read(people.audit_of)
    block = _write(people.block)
    unblock = _write(people.unblock)
    blocked_by = _read(people.blocked_by)
    follow = _write(follows.follow)
    unfollow = _write(follows.unfollow)
    follows_no_more = _write(follows.follows_no_more)
    followed = _read(follows.followed)
    shows_followed = _write(follows.shows_followed)
    followed_by = _read(follows.followed_by)
    become_fan = _write(follows.become_fan)
    be_no_fan = _write(follows.be_no_fan)
    fan_of = _read(follows.fan_of)
    tell_in_digest = _write(follows.tell_in_digest)
    server_load = _read(pairing.server_load)
    reserve_thread = _write(pairing.reserve_thread)
    return_thread = _write(pairing.return_thread)
    forget_tallies = _write(pairing.forget_tallies)
    vacations_of = _read(times.vacations_of)
    keep_vacation = _write_first(times.keep_vacation)
    leaves = _read(times.lasting_vacations)
    vacations_to_line = _read(times.vacations_to_line)
    forget_vacations = _write(times.forget_vacations)
    held_about = _read(privacy.held_about)

    async def forget(self, user_id: UserId, pseudonym: UserId, now: datetime) -> int:
        """Erase a person, and what is left of the erased in the files."""
        kept = await self.database.write(lambda c: privacy.forget(c, user_id, pseudonym, now))
        try:
            await self.database.scrub()
        except StoreUnavailable as error:
            _log.warning(
                "what is erased stays in the write-ahead log until that is emptied",
                reason=error.reason,
            )
        return kept

    kept_of = _read(plans.notes_of)
    keep_note = _write(plans.keep_note)
    keep_favourite = _write(plans.keep_favourite)
    favourites = _read(plans.favourites_of)
    attempts = _read(people.attempts_of)
    change_attempt = _write(people.change_attempt)

    # ---- lobbies and other messages that stand -------------------------------------------------

    open_offers = _read(lobbies.open_offers)
    lobby_of = _read(lobbies.note)
    take_call = _write(lobbies.take_call)
    standing_message = _read(standing.standing_of)
    stands = _write(standing.stands)
    stands_no_more = _write(standing.stands_no_more)
    look_again = _write(standing.look_again)
    note_place = _write(standing.note_place)
    noted_places = _read(standing.noted_places)
    forget_place = _write(standing.forget_place)

    # ---- ratings -------------------------------------------------------------------------------

    ratings_of = _read(rating_lists.ratings_of)
    placings_of = _read(rating_lists.placings_of)
    leaders = _read(rating_lists.leaders)
    best_wins = _read(rating_lists.best_wins)
    ahead = _read(rating_lists.ahead)
    gains = _read(rating_lists.gains)
    rebuild_ratings = _write(ratings.rebuild)

    # ---- the database itself -------------------------------------------------------------------

    async def change_session_starts(self, change: Callable[[Moments], tuple[Moments, T]]) -> T:
        """Replace what is remembered, one process after another."""
        return await self.database.write(lambda c: times.change_session_starts(c, change))

    session_starts = _read(times.session_starts)
    applications = _read(upkeep.served)
    serve = _write(upkeep.serve)
    is_used = _read(upkeep.is_used)
    to_verify = _read(upkeep.to_verify)
    verified = _write(upkeep.verified)
    verified_at = _read(upkeep.verified_at)
    set_aside = _write(upkeep.set_aside)
    all_set_aside = _read(upkeep.all_set_aside)
    reinstate = _write(upkeep.reinstate)


def _is_duplicate(error: IntegrityError) -> bool:
    """Whether a key exists already; every other broken constraint is a bug of ours."""
    name = getattr(error.orig, "sqlite_errorname", "")
    state = getattr(error.orig, "sqlstate", "")
    return state == "23505" or name in ("SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY")
