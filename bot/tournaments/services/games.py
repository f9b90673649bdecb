"""The begin of a tournament's games as matches, and the results of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from random import Random

from bot.clock import Clock
from bot.domain import hosted
from bot.domain.clock import DAY, TimeControl, Vacations
from bot.domain.clock_text import read_clock
from bot.domain.events import Change, CommandContext, Event
from bot.domain.game_state import game_of
from bot.domain.ids import MatchId, game_match_id
from bot.domain.match import Place, TournamentGame, Venue
from bot.services.pairing import Pairing, Room
from bot.store import Store, presence
from bot.tournaments.domain import running
from bot.tournaments.domain.facts import Fixture, How
from bot.tournaments.domain.fold import TournamentAct, TournamentChange
from bot.tournaments.domain.results import (
    UNDECIDED,
    OnBoard,
    late_at_table,
    result_of,
    scores_on_board,
)
from bot.tournaments.domain.setup import FormatKey, Setup, Unfinished
from bot.tournaments.services.changes import events_of, match_of
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.store.records import StoredTournament

AT_ONCE = 10
"""Games begun in one transaction."""
_ROOMY = Room(1 << 30, 1 << 30)


@dataclass(slots=True)
class Beginning:
    """Games that begin now: their facts, matches and match ids.

    ``waiting`` are games that wait for room in the server; ``in_direct`` are played in direct
    messages because no thread can be made.
    """

    changes: list[TournamentChange] = field(default_factory=list)
    matches: list[Change] = field(default_factory=list)
    ids: dict[str, MatchId] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    in_direct: list[str] = field(default_factory=list)


def control_of(setup: Setup) -> TimeControl | None:
    """The clock of an event's games; vacations stop it only where the event says so."""
    control = None if setup.clock is None else read_clock(setup.clock)
    if control is not None and control.bank >= DAY and not setup.vacations:
        return replace(control, vacations=Vacations.NEVER)
    return control


def is_patient(setup: Setup) -> bool:
    """Whether games of an event can wait for a thread: those for one sitting can't."""
    control = control_of(setup)
    return control is None or control.bank >= DAY


@dataclass(eq=False)
class Games:
    """Begins the games of tournaments and reads their results."""

    store: Store
    clock: Clock
    rng: Random
    pairing: Pairing | None

    async def begin(self, stored: StoredTournament, act: TournamentAct) -> Beginning:
        """Begin all games that can begin."""
        t, begun = stored.tournament, Beginning()
        can = running.startable(t)
        if not can:
            return begun
        room = _ROOMY if self.pairing is None else await self.pairing.room(stored.home.guild_id)
        control = control_of(t.setup)
        patient = is_patient(t.setup)
        threads = room.threads
        for _, pairing in groupby(can, key=lambda each: each.pairing):
            games = tuple(pairing)
            venue = Venue.DIRECT if stored.home_gone else t.setup.venue
            if venue is Venue.THREAD and threads < len(games) and not patient:
                venue = Venue.DIRECT
            has_thread = venue is Venue.DIRECT or threads >= len(games)
            count = len(begun.matches) + len(games)
            if count > room.matches or not has_thread:
                begun.waiting += (each.id for each in games)
                continue
            if count > AT_ONCE:
                break
            if venue is not t.setup.venue and not stored.home_gone:
                begun.in_direct += (each.id for each in games)
            for fixture in games:
                threads -= venue is Venue.THREAD
                change = await self._set_up(stored, fixture, control, venue, act.at)
                fact = running.begin_game(t, act, fixture.id)
                assert fact is not None  # noqa: S101 - it was startable
                t = fact.tournament
                begun.changes.append(fact)
                begun.matches.append(change)
                begun.ids[fixture.id] = change.match.id
        return begun

    async def _set_up(
        self,
        stored: StoredTournament,
        fixture: Fixture,
        control: TimeControl | None,
        venue: Venue,
        now: datetime,
    ) -> Change:
        t = stored.tournament
        setup = t.setup
        people = tuple(t.entrants[number - 1].user_id for number in fixture.players)
        match_id = game_match_id(t.id, fixture.id, t.games[fixture.id].drawn)
        place = Place(stored.home.guild_id, stored.home.channel_id)
        rules = game_of(setup.game, setup.options)
        act = CommandContext(now)
        if control is not None and control.may_rest:
            known = tuple(each for each in people if each is not None)
            found = await self.store.read(
                presence.availability, place.guild_id, now, now, known, match_id
            )
            act = replace(act, away=found.away(now))
        return hosted.set_up(
            match_id,
            act,
            game=setup.game,
            options=setup.options,
            players=people,
            place=place,
            venue=venue,
            rated=setup.rated,
            clock=control,
            tournament=TournamentGame(t.id, fixture.id, setup.takebacks, setup.no_show),
            state=rules.encode(rules.initial(self.rng)),
        )

    async def results(
        self, stored: StoredTournament, act: TournamentAct
    ) -> tuple[tuple[TournamentChange, ...], tuple[str, ...]]:
        """The facts of all finished matches that are not recorded, in order of their ends.

        Also games whose players could not be notified of their turn.
        """
        t = stored.tournament
        changes: list[TournamentChange] = []
        unreachable = []
        for name in stored.ended:
            played = t.games.get(name)
            if played is None or played.is_over:
                continue
            match = await match_of(self.store, stored, name)
            if match is None or not match.status.is_final:
                continue
            past: Sequence[Event] = ()
            if match.result is None or played.is_table:
                past = await events_of(self.store, match)
            result = result_of(match, past)
            if match.was_put_aside:
                unreachable.append(name)
            ended = stored.ended_at[name]
            if t.setup.format is FormatKey.ARENA and ended > t.finish:
                result = UNDECIDED  # it ends on the minute
            spared: frozenset[int] = frozenset()
            on_time = result.how in (How.TIME, How.NO_SHOW) or bool(result.late)
            if on_time and any(t.entrants[each - 1].is_warned for each in played.game.players):
                # Only then is the history read.
                stored_events = await self.store.read(tournament_reading.history, t.id)
                history = (*stored_events, *(each.event for each in changes))
                spared = running.spared(t, name, ended, history)
            points = result.points or running.unfinished_points(
                t, played, OnBoard(left=match.retired)
            )
            found = running.record(
                t, act, name, points, result.how, late=result.late, spared=spared
            )
            if found:
                changes += found
                t = found[-1].tournament
        return tuple(changes), tuple(unreachable)

    async def boards(self, stored: StoredTournament, now: datetime) -> dict[str, OnBoard]:
        """The state of matches whose last day has come, as far as the rule needs it.

        These are the scores where they decide, and the players who left a table of four, and how.
        """
        t = stored.tournament
        by_score = t.setup.unfinished is Unfinished.SCORE
        found = {}
        for played in t.pending:
            if played.until > now or not (by_score or played.is_table):
                continue
            if match := await match_of(self.store, stored, played.game.id):
                scores = scores_on_board(match) if by_score else None
                past = await events_of(self.store, match) if match.retired else ()
                late = late_at_table(match, past)
                found[played.game.id] = OnBoard(scores, match.retired, late)
        return found
