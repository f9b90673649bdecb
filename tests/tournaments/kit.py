"""A club with tournaments: services on a store, an engine that pairs by hand, and who was told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any

import pytest

from bot.domain.game_state import game_state_of, player_on_turn
from bot.domain.history import verify
from bot.domain.ids import ChannelId, GuildId, MatchId, MessageId, TournamentId, UserId
from bot.domain.match import Actor, Ending, Match, MatchStatus, Scope, Venue
from bot.domain.quiet_hours import QuietHours
from bot.errors import UserError
from bot.posts.notices import NoticeKind
from bot.posts.outgoing import TOURNAMENT
from bot.posts.sending import Gone, Posted, Refused, Retry
from bot.services.outbox_worker import OutboxWorker
from bot.services.pairing import Limits
from bot.services.timeouts import sweep_flags
from bot.store import Store, match_feed, outbox, ratings, standing, transactions
from bot.tournaments.delivery.messages import DiscordTournaments
from bot.tournaments.delivery.telling import TournamentTelling
from bot.tournaments.domain import acts, challenges, registration
from bot.tournaments.domain.acts import DirectorAct
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.fold import replay
from bot.tournaments.domain.formats.base import Ask
from bot.tournaments.domain.formats.swiss import met_all_the_same
from bot.tournaments.domain.notices import MessageKind
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.domain.swiss_pairing import NoPairing, Paired, PairingFailed, PairingRequest
from bot.tournaments.domain.tournament import Tournament, TournamentStatus
from bot.tournaments.posts import Message
from bot.tournaments.services.changes import TournamentChanges
from bot.tournaments.services.games import Games
from bot.tournaments.services.runner import TournamentRunner
from bot.tournaments.services.service import TournamentService
from bot.tournaments.services.verifying import verify_tournaments
from bot.tournaments.services.views import AuditLine, EventView, Preview, Visitor, Wait
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.store import writing as tournament_writing
from bot.tournaments.store.records import StoredTournament
from tests.support.kit import GUILD, PLACE, START, Club, HandClock, PaperDiscord, head, person
from tests.tournaments.events_made import paired_by_hand
from tests.tournaments.scenario import act_of, instant, length, told_event

DIRECTOR = person(500)


class HandEngine:
    """Pairs without a program, and not by FIDE's rules; ``fails`` are raised instead."""

    def __init__(self) -> None:
        self.fails: list[Exception] = []

    async def pair(self, requests: Sequence[PairingRequest]) -> Sequence[Paired]:
        if self.fails:
            raise self.fails.pop(0)
        found = [paired_by_hand(Ask(each, ())) for each in requests]
        if None in found:
            raise NoPairing("none")
        return [each for each in found if each is not None]


class PaperAnnouncer(DiscordTournaments):
    """Writes down what is announced; ``fails`` raises instead, by the kind of message."""

    def __init__(self) -> None:
        self.told: list[tuple[Message, EventView]] = []
        self.sent: list[tuple[Message, Posted]] = []
        self.fails: dict[str, list[Exception]] = {}
        self.meanwhile: list[Callable[[], Awaitable[object]]] = []
        """What happens during the announcements to come."""
        self.gone: set[int] = set()
        self.looked = 0
        self.homes: list[int] = []
        """The home messages that stand."""
        self._next = 7000

    async def announce(self, message: Message, view: EventView) -> Posted | None:
        if self.meanwhile:
            await self.meanwhile.pop()()
        self._fail(message.kind.value)
        if message.shown is not None and message.shown.message_id in self.gone:
            raise Gone("message")
        self.told.append((message, view))
        if message.shown is not None:
            return message.shown
        if message.kind is MessageKind.HOME:
            older = None if message.replaces is None else message.replaces.message_id
            found = [each for each in self.homes if each != older]
            if message.may_exist and found:
                return Posted(view.home.channel_id, MessageId(found[-1]))
            self.homes.append(self._next + 1)
        self._next += 1
        self.sent.append((message, Posted(view.home.channel_id, MessageId(self._next))))
        return self.sent[-1][1]

    async def look(self, posted: Posted) -> None:
        self.looked += 1
        if posted.message_id in self.gone:
            raise Gone("message")

    def _fail(self, what: str) -> None:
        if self.fails.get(what):
            raise self.fails[what].pop(0)

    async def put_away(self, older: Posted) -> None:
        self._fail("put_away")
        if older.message_id in self.homes:
            self.homes.remove(older.message_id)

    def kinds(self, user: int | None = None) -> list[MessageKind]:
        return [each.kind for each, _ in self.told if user is None or each.user_id == user]


def a_setup(form: FormatKey, *, now: datetime = START, **about: Any) -> Setup:
    """An event of rows that begins in a day and lasts a while."""
    begins = now + timedelta(days=1)
    rounds = {FormatKey.SWISS: 3, FormatKey.TABLES: 2}.get(form)
    lasts = timedelta(hours=2) if form is FormatKey.ARENA else timedelta(days=120)
    made = Setup(
        "Spring",
        form,
        "pythagoras" if form is FormatKey.TABLES else "rows",
        begins,
        begins,
        begins + lasts,
        clock="5m+3s" if form is FormatKey.ARENA else "1d/move",
        rounds=rounds,
        no_show=timedelta(minutes=1) if form is FormatKey.ARENA else timedelta(days=1),
    )
    return replace(made, least=form.facts.seats, **about)


class Hall:
    """Where tournaments are held: one process on a store."""

    def __init__(
        self,
        store: Store,
        clock: HandClock | None = None,
        *,
        seed: int = 7,
        limits: Limits | None = None,
        discord: PaperDiscord | None = None,
    ) -> None:
        self.seed, self.limits = seed, limits
        self.left: set[int] = set()
        self.unsure: set[int] = set()
        self.marks: dict[str, Any] = {}
        self.seen: Preview | None = None
        self.club = Club(store, clock, seed=seed, limits=limits, discord=discord)
        self.store, self.clock = store, self.club.clock
        self.engine = HandEngine()
        pairing = None if limits is None else self.club.pairing
        self.desk = TournamentChanges(store, self.clock, pairing)
        self.games = Games(store, self.clock, Random(seed), pairing)
        self.runner = TournamentRunner(self.desk, self.games, self.engine.pair)
        self.service = TournamentService(
            self.desk, self.club.ratings, self.engine.pair, Random(seed), at_once=20
        )
        announcer: Any = PaperAnnouncer()
        self.announcer: PaperAnnouncer = announcer
        self.telling = TournamentTelling(
            store,
            self.clock,
            self.club.notices,
            announcer,
            pairing=pairing,
            is_member=self.is_member,
        )
        self.worker = OutboxWorker(store, self.clock, *self.club.handlers, self.telling)

    async def is_member(self, guild_id: GuildId, user_id: UserId) -> bool | None:
        """Whether a person is in the server: but those who have ``left``, or are ``unsure``."""
        return None if user_id in self.unsure else user_id not in self.left

    def restart(self) -> None:
        """Another process follows on the same store; Discord and the engine are as before."""
        discord, seed = self.club.discord, self.seed + 1
        other = Hall(self.store, self.clock, seed=seed, limits=self.limits, discord=discord)
        other.club.click = self.club.click  # ids go on
        announcer: Any = self.announcer
        other.announcer = other.telling.announcer = announcer
        other.engine.fails = self.engine.fails
        vars(self).update(vars(other))

    async def create(self, setup: Setup, by: Actor = DIRECTOR) -> TournamentId:
        click = self.club.click()
        view = await self.service.create(Visitor(by), PLACE, setup, interaction_id=click)
        return view.tournament.id

    async def join(self, id_: TournamentId, *users: int) -> None:
        for user in users:
            click = self.club.click()
            for _ in range(2):
                await self.service.join(Visitor(person(user)), id_, interaction_id=click)

    async def direct(
        self, id_: TournamentId, act: DirectorAct, *, reason: str = "because", **more: Any
    ) -> EventView:
        more.setdefault("interaction_id", self.club.click())
        return await self.service.direct(Visitor(DIRECTOR), id_, act, reason=reason, **more)

    async def preview(self, id_: TournamentId, act: DirectorAct) -> Preview:
        return await self.service.preview(Visitor(DIRECTOR), id_, act)

    async def audit(self, id_: TournamentId) -> Sequence[AuditLine]:
        return await self.service.audit(Visitor(DIRECTOR), id_)

    async def does(
        self, user: int, id_: TournamentId, rule: Callable[..., Any], *about: Any
    ) -> EventView:
        """A player does something, by a click that comes twice."""
        click = self.club.click()
        for _ in range(2):
            view = await self.service.play(
                Visitor(person(user)), id_, rule, *about, interaction_id=click
            )
        return view

    async def stored(self, id_: TournamentId) -> StoredTournament:
        found = await self.store.read(tournament_reading.stored, id_)
        assert found is not None
        return found

    async def head(self, id_: TournamentId) -> Tournament:
        return (await self.stored(id_)).tournament

    async def begun(self, form: FormatKey, players: int, **about: Any) -> TournamentId:
        """An event that has begun: players have ids from 1."""
        id_ = await self.create(a_setup(form, now=self.clock.at, **about))
        await self.join(id_, *range(1, players + 1))
        self.clock.at = (await self.head(id_)).begins
        await self.sweep()
        # Rounds are announced once their matches are there.
        self.clock.forward(seconds=5)
        await self.worker.drain()
        return id_

    async def sweep(self) -> None:
        """Everything that goes on by itself."""
        await sweep_flags(self.store, self.clock)
        await self.runner.sweep()
        await self.worker.drain()

    async def match_of(self, id_: TournamentId, game: str) -> Match:
        return await head(self.store, (await self.stored(id_)).matches[game])

    async def win(self, id_: TournamentId, game: str, seat: int = 0) -> None:
        """The player of a seat wins: every other resigns, after a move of each."""
        match = await self.match_of(id_, game)
        await self._open(match.id)
        for index, user in enumerate(match.players):
            now = await self.match_of(id_, game)
            plays = now.status is MatchStatus.RUNNING and index not in now.retired
            if index != seat and plays and user is not None:
                await self.club.resign(person(user), match.id)

    async def _open(self, match_id: MatchId) -> None:
        """A move of each player, so that the match has begun for all."""
        for _ in range(4):
            match = await head(self.store, match_id)
            if match.ply >= len(match.players) or match.status is not MatchStatus.RUNNING:
                return
            await self._move(match)

    async def move(self, id_: TournamentId, game: str) -> None:
        """The player on turn moves, if the match of a game runs."""
        match = await self.match_of(id_, game)
        if match.status is MatchStatus.RUNNING:
            await self._move(match)

    async def _move(self, match: Match) -> None:
        table = game_state_of(match)
        move = next(iter(table.game.legal_moves(table.position)))
        index = player_on_turn(match)
        assert index is not None
        user = match.players[index]
        await self.club.service.move(
            person(int(user or 0)),
            match.id,
            text=table.game.notation(table.position, move),
            interaction_id=self.club.click(),
        )

    async def play_out(self, id_: TournamentId, rng: Random | None = None) -> Tournament:
        """Play all that can be played until the event is over."""
        for _ in range(300):
            await self.sweep()
            t = await self.head(id_)
            if t.status.is_final:
                self.clock.forward(seconds=5)
                await self.sweep()
                return t
            running = [each for each in t.pending if each.has_begun]
            if not running:
                self.clock.at = (await self.stored(id_)).due_at or self.clock.at
                self.clock.forward(seconds=1)
                continue
            played = running[0]
            seat = 0 if rng is None else rng.randrange(len(played.game.players))
            await self.win(id_, played.game.id, seat)
            self.clock.forward(seconds=20)
        raise AssertionError("does not end")

    async def check(self, id_: TournamentId) -> Tournament:
        """Whatever happened: the head is what the history leads to, and matches fit the games."""
        stored = await self.stored(id_)
        history = await self.store.read(tournament_reading.history, id_)
        again = replay(history)
        assert again == stored.tournament
        assert list(again.games) == list(stored.tournament.games)
        begun = [name for name, each in again.games.items() if each.has_begun]
        assert sorted(stored.matches) == sorted(begun)
        for name, match_id in stored.matches.items():
            match = await head(self.store, match_id)
            assert match.tournament is not None
            assert (match.tournament.tournament_id, match.tournament.game) == (id_, name)
            if match.status is MatchStatus.RUNNING:
                numbers = again.games[name].game.players
                assert match.players == tuple(again.entrants[n - 1].user_id for n in numbers)
        assert len(set(stored.matches.values())) == len(stored.matches)
        return again

    # ---- told as a text ------------------------------------------------------------------------

    async def told(self, text: str, **more: Any) -> TournamentId:
        """An event as a text: ``swiss 4 at_once=1 | win 1.1 | sweep | ? status == "running"``.

        As :class:`~tests.tournaments.scenario.Scenario` has them, but that users have ids
        from 1, matches are played, and all goes on by itself at a ``sweep``. ``first`` is the first
        game that runs. Each act of a director is ``seen`` before, then confirmed twice, and counts
        once.
        """
        form, players, about, steps = told_event(text)
        about |= more
        if players:
            id_ = await self.begun(form, players, **about)
        else:
            id_ = await self.create(a_setup(form, now=self.clock.at, **about))
        await self.tell(id_, *steps)
        return id_

    async def tell(self, id_: TournamentId, *steps: str) -> None:
        """Further events; in the end everything is consistent."""
        for step in (x for each in steps for x in re.split(r"\n|\|", each)):
            act, mark, code = (each.strip() for each in re.split(r"(!|$)", step, maxsplit=1))
            if act.startswith("?"):
                await self._holds(id_, f"{act}{mark}{code}")
            elif mark:
                with pytest.raises(UserError) as refused:
                    await self._take(id_, *act.split())
                assert refused.value.code == code, step
            elif act:
                await self._take(id_, *act.split())
        await self.check(id_)
        for match_id in (await self.stored(id_)).matches.values():
            history = await self.store.read(transactions.history, match_id, Scope(GUILD))
            verify(await head(self.store, match_id), history)
        assert (await verify_tournaments(self.store)).problems == ()

    async def _holds(self, id_: TournamentId, text: str) -> None:
        stored = await self.stored(id_)
        t, told, kinds = stored.tournament, self.announcer.told, self.announcer.kinds
        every = [
            match
            async for match, _ in self.store.all_matches()
            if match.tournament is not None and match.tournament.tournament_id == id_
        ]
        names = {
            "t": t,
            "stored": stored,
            "status": t.status.value,
            "matches": {name: await self.match_of(id_, name) for name in stored.matches},
            "aborted": [each for each in every if each.status is MatchStatus.ABORTED],
            "told": lambda user, kind: kinds(user).count(MessageKind(kind)),
            "messages": lambda kind: [m for m, _ in told if m.kind.value == kind],
            "views": lambda kind: [view for m, view in told if m.kind.value == kind],
            "troubles": [(m.user_id, m.detail) for m, _ in told if m.kind is MessageKind.TROUBLE],
            "homes": self.announcer.homes,
            "may_challenge": partial(challenges.may_challenge, t, self.clock.at),
            "sent": lambda kind: [
                (m.user_id, posted) for m, posted in self.announcer.sent if m.kind.value == kind
            ],
            "calls": lambda match: [
                each
                for each in self.club.discord.told
                if (each.match_id, each.notice) == (match.id, NoticeKind.TURN)
            ],
            "left_of": lambda match: [
                (each.kind, each.version)
                for each in self.club.discord.messages.values()
                if each.match_id == match.id and not each.retired
            ],
            "looked": self.announcer.looked,
            "now": self.clock.at,
            "met": partial(met_all_the_same, t),
            "kinds": lambda user: [each.value for each in kinds(user)],
            "points": lambda game: ":".join(map(str, t.games[game].points or ())),
            "names": lambda things: [type(each).__name__ for each in things],
            "seen": self.seen,
            **self.marks,
            **{each.__name__: each for each in (How, Kind, Venue, Ending, Wait, timedelta)},
        }
        if "view." in text:
            names["view"] = await self.service.tournament(Visitor(person(1)), id_)
        if "log" in text:
            names["log"] = await self.audit(id_)
        if "next_due" in text:
            names["next_due"] = await self.store.read(outbox.next_due)
        wanted = text[1:].strip()
        left = wanted.partition(" == ")[0]
        assert eval(wanted, names), f"{text}: {eval(left, names)}"

    async def _take(self, id_: TournamentId, name: str, *about: str) -> None:
        if about[:1] == ("first",):  # of the games that run
            begun = (each for each in (await self.head(id_)).pending if each.has_begun)
            about = (next(begun).game.id, *about[1:])
        users = [int(each) for each in about if each.isdigit()]
        match name:
            case _ if name in _BY_PLAYERS:
                await self.does(users[0], id_, _BY_PLAYERS[name], *users[1:])
            case "join":
                await self.join(id_, *users)
            case "left_server":
                await self.service.member_left(GUILD, UserId(users[0]))
            case "away":  # from the server, which nobody has told yet
                self.left |= set(users)
            case "block":
                await self.club.preferences.block(UserId(users[0]), UserId(users[1]))
            case "win":
                await self.win(id_, about[0], *map(int, about[1:]))
            case "won":  # by the player of a number
                players = (await self.head(id_)).games[about[0]].game.players
                await self.win(id_, about[0], players.index(int(about[1])))
            case "win_all":
                for played in (await self.head(id_)).pending:
                    if played.has_begun:
                        await self.win(id_, played.game.id)
            case "move":
                await self.move(id_, about[0])
            case "moves":
                await self.club.play((await self.match_of(id_, about[0])).id, " ".join(about[1:]))
            case "open":
                await self._open((await self.match_of(id_, about[0])).id)
            case "resign":  # the player of a seat
                match = await self.match_of(id_, about[0])
                await self.club.resign(person(int(match.players[users[0]] or 0)), match.id)
            case "rates":  # a user: matches that count, won, drawn; also when all is reckoned anew
                record = (await self.club.ratings.standing(UserId(users[0]), "rows")).record
                assert [record.matches, record.won, record.drawn] == users[1:], about
                assert (await self.store.write(ratings.rebuild))[1] == 0
            case "sweep":
                await self.sweep()
            case "run":  # but no clock runs out
                await self.runner.sweep()
                await self.worker.drain()
            case "drain":
                await self.worker.drain()
            case "wait":
                self.clock.at += length(about[0])
            case "until":
                self.clock.at = instant(about[0], self.clock.at, await self.head(id_))
            case "unplayed":  # nobody does anything until nothing is due any more
                while (due := (await self.stored(id_)).due_at) is not None:
                    self.clock.at = max(due, self.clock.at)
                    await self.sweep()
            case "restart":
                self.restart()
            case "starts":  # and looks for home messages
                await self.store.write(standing.look_again, TOURNAMENT, self.clock.at)
            case "thread_moves":
                match_id, channel = (await self.stored(id_)).matches[about[0]], ChannelId(users[0])
                await self.store.write(match_feed.show_again, match_id, self.clock.at, channel)
            case "mark":  # what matches the event has, and how they are
                stored = await self.stored(id_)
                self.marks[about[0]] = {x: await self.match_of(id_, x) for x in stored.matches}
            case "again":  # the home message is to be posted again, so many times at once
                times = users[0] if users else 1
                await asyncio.gather(*(self._again(id_) for _ in range(times)))
            case "meanwhile":  # somebody presses it once more as the next announcement is made
                self.announcer.meanwhile.append(partial(self._again, id_))
            case "deleted":  # the home message
                self.announcer.gone.add(self.announcer.homes.pop())
            case "undo":
                found = (x for x in await self.audit(id_) if about or x.can_undo)
                of_kind = (
                    x.seq for x in found if not about or type(x.fact).__name__.lower() == about[0]
                )
                await self._confirmed(id_, acts.Undo(next(of_kind)))
            case "fails":  # announcements of a kind, so many times, or in these ways
                errors: list[Exception] = [_ERRORS[x] for x in about[1:] if x in _ERRORS]
                self.announcer.fails[about[0]] = errors * max([1, *users])
            case "mends":
                self.announcer.fails.clear()
            case "engine":  # has no pairing, or is late, so many times
                wrong = NoPairing("none") if about[0] == "none" else PairingFailed("late")
                self.engine.fails = [wrong] * int(about[1])
            case "asleep":  # a user, between these hours from the begin
                begins = (await self.head(id_)).begins
                hours = ((begins + timedelta(hours=int(each))).hour for each in about[1:])
                quiet = QuietHours(*hours)
                await self.club.preferences.change(
                    UserId(users[0]), lambda chosen: replace(chosen, quiet=quiet, zone="UTC")
                )
            case "threads":  # come only after a time, so many times
                wait = Retry(length(about[0]).total_seconds())
                self.club.discord.trouble += [("make_thread", wait)] * int(about[1])
            case "play":
                assert (await self.play_out(id_)).status is TournamentStatus.FINISHED
            case _:
                await self._confirmed(id_, await self.act(id_, name, *about))

    async def act(self, id_: TournamentId, name: str, *about: str) -> DirectorAct:
        return act_of(name, about, self.clock.at, await self.head(id_))

    async def _again(self, id_: TournamentId) -> None:
        await self.store.write(tournament_writing.show_again, id_, self.clock.now())

    async def _confirmed(self, id_: TournamentId, act: DirectorAct) -> None:
        self.seen = await self.preview(id_, act)
        click = self.club.click()
        for _ in range(2):
            await self.direct(id_, act, seen=self.seen.key, interaction_id=click)


_BY_PLAYERS: dict[str, Callable[..., Any]] = {
    "leaves": registration.leave,
    "check_in": registration.check_in,
    "bye": registration.ask_bye,
    "challenge": challenges.challenge,
    "accept": challenges.accept,
    "decline": challenges.decline,
}
_ERRORS = {"gone": Gone("10003"), "refused": Refused("50013"), "retry": Retry()}
