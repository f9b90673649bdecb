"""A club with tournaments: services on a store, an engine that pairs by hand, and who was told."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any

import pytest

from bot.domain.game_state import game_state_of, player_on_turn
from bot.domain.ids import GuildId, MatchId, MessageId, TournamentId, UserId
from bot.domain.match import Actor, Match, MatchStatus, Venue
from bot.domain.quiet_hours import QuietHours
from bot.errors import UserError
from bot.posts.sending import Gone, Posted, Refused, Retry
from bot.services.outbox.worker import OutboxWorker
from bot.services.pairing import Limits
from bot.services.timeouts import sweep_flags
from bot.store import Store, transactions
from bot.tournaments.domain import acts, challenges, registration
from bot.tournaments.domain.acts import DirectorAct
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.fold import check_chain, replay
from bot.tournaments.domain.formats.base import Ask
from bot.tournaments.domain.formats.swiss import met_all_the_same
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.domain.swiss_pairing import NoPairing, Paired, PairingFailed, PairingRequest
from bot.tournaments.domain.tournament import Tournament, TournamentStatus
from bot.tournaments.posts import Message, MessageKind
from bot.tournaments.services.changes import TournamentChanges
from bot.tournaments.services.games import Games
from bot.tournaments.services.runner import TournamentRunner
from bot.tournaments.services.service import TournamentService
from bot.tournaments.services.telling import TournamentTelling
from bot.tournaments.services.views import AuditLine, EventView, Preview, Visitor
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.store.records import StoredTournament
from tests.support.kit import GUILD, PLACE, START, Club, HandClock, PaperDiscord, person
from tests.tournaments.events_made import paired_by_hand
from tests.tournaments.scenario import choice, group, length, points_in

DIRECTOR = person(500)


class HandEngine:
    """Pairs without a program, and not by FIDE's rules; ``fails`` are raised instead."""

    def __init__(self) -> None:
        self.fails: list[Exception] = []
        self.asked = 0

    async def pair(self, requests: Sequence[PairingRequest]) -> Sequence[Paired]:
        self.asked += 1
        if self.fails:
            raise self.fails.pop(0)
        found = [paired_by_hand(Ask(each, ())) for each in requests]
        if None in found:
            raise NoPairing("none")
        return [each for each in found if each is not None]


class PaperAnnouncer:
    """Writes down what is announced; ``fails`` raises instead, by the kind of message."""

    def __init__(self) -> None:
        self.told: list[tuple[Message, EventView]] = []
        self.fails: dict[MessageKind, list[Exception]] = {}
        self.gone: set[int] = set()
        self.looked = 0
        self.homes: list[int] = []
        """The home messages that stand."""
        self._next = 7000

    async def announce(self, message: Message, view: EventView) -> Posted | None:
        waiting = self.fails.get(message.kind)
        if waiting:
            raise waiting.pop(0)
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
        return Posted(view.home.channel_id, MessageId(self._next))

    async def look(self, posted: Posted) -> None:
        self.looked += 1
        if posted.message_id in self.gone:
            raise Gone("message")

    async def put_away(self, older: Posted) -> None:
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
        self.left: set[int] = set()
        self.club = Club(store, clock, seed=seed, limits=limits, discord=discord)
        self.store, self.clock = store, self.club.clock
        self.engine = HandEngine()
        pairing = None if limits is None else self.club.pairing
        self.desk = TournamentChanges(store, self.clock, self.club.worker, pairing)
        self.games = Games(store, self.clock, Random(seed), pairing)
        self.runner = TournamentRunner(self.desk, self.games, self.engine)
        self.service = TournamentService(
            self.desk, self.club.ratings, self.engine, Random(seed), at_once=20
        )
        self.announcer = PaperAnnouncer()
        self.telling = TournamentTelling(
            store, self.clock, self.club.notices, self.announcer, pairing=pairing, membership=self
        )
        self.worker = OutboxWorker(store, self.clock, *self.club.handlers, self.telling)

    async def is_member(self, guild_id: GuildId, user_id: UserId) -> bool | None:
        """Whether a person is in the server: all are but those who have ``left``."""
        return user_id not in self.left

    def restarted(self) -> Hall:
        """Another process, after this one, on the same store."""
        limits, discord = self.club.pairing.limits, self.club.discord
        other = Hall(self.store, self.clock, seed=11, limits=limits, discord=discord)
        other.club.click = self.club.click  # ids go on
        return other

    async def create(self, setup: Setup, by: Actor = DIRECTOR) -> TournamentId:
        view = await self.service.create(
            Visitor(by), PLACE, setup, interaction_id=self.club.click()
        )
        return view.tournament.id

    async def join(self, id_: TournamentId, *users: int) -> None:
        for user in users:
            await self.service.join(Visitor(person(user)), id_, interaction_id=self.club.click())

    async def direct(
        self, id_: TournamentId, act: DirectorAct, *, reason: str = "because", **more: Any
    ) -> EventView:
        more.setdefault("interaction_id", self.club.click())
        return await self.service.direct(Visitor(DIRECTOR), id_, act, reason=reason, **more)

    async def preview(self, id_: TournamentId, act: DirectorAct) -> Preview:
        return await self.service.preview(Visitor(DIRECTOR), id_, act)

    async def audit(self, id_: TournamentId) -> Sequence[AuditLine]:
        return await self.service.audit(Visitor(DIRECTOR), id_)

    async def leave(self, id_: TournamentId, user: int) -> None:
        visitor = Visitor(person(user))
        await self.service.play(visitor, id_, registration.leave, interaction_id=self.club.click())

    async def challenge(self, user: int, id_: TournamentId, number: int) -> EventView:
        """A player challenges the entrant of a number."""
        visitor = Visitor(person(user))
        return await self.service.play(
            visitor, id_, challenges.challenge, number, interaction_id=self.club.click()
        )

    async def answer(self, user: int, id_: TournamentId, number: int, *, accept: bool) -> EventView:
        """A player answers the challenge by the entrant of a number."""
        visitor, click = Visitor(person(user)), self.club.click()
        rule = challenges.accept if accept else challenges.decline
        return await self.service.play(visitor, id_, rule, number, interaction_id=click)

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
        await sweep_flags(self.store, self.clock, self.club.worker)
        await self.runner.sweep()
        await self.worker.drain()

    async def match_of(self, id_: TournamentId, game: str) -> Match:
        match_id = (await self.stored(id_)).matches[game]
        match = (await self.store.read(transactions.load, match_id, None)).match
        assert match is not None
        return match

    async def win(self, id_: TournamentId, game: str, seat: int = 0) -> None:
        """The player of a seat wins: every other resigns, after a move of each."""
        match = await self.match_of(id_, game)
        await self._open(match.id)
        for index, user in enumerate(match.players):
            now = await self.match_of(id_, game)
            plays = now.status is MatchStatus.RUNNING and index not in now.retired
            if index != seat and plays and user is not None:
                await self.club.service.resign(
                    person(user), match.id, interaction_id=self.club.click()
                )

    async def _open(self, match_id: MatchId) -> None:
        """A move of each player, so that the match has begun for all."""
        for _ in range(4):
            match = (await self.store.read(transactions.load, match_id, None)).match
            assert match is not None
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
        check_chain(history)
        again = replay(history)
        assert again == stored.tournament
        assert list(again.games) == list(stored.tournament.games)
        begun = [name for name, each in again.games.items() if each.has_begun]
        assert sorted(stored.matches) == sorted(begun)
        for name, match_id in stored.matches.items():
            match = (await self.store.read(transactions.load, match_id, None)).match
            assert match is not None
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
        from 1, matches are played, and all goes on by itself at a ``sweep``.
        """
        head, *steps = (each.strip() for each in re.split(r"\n|\|", text.strip()))
        form, players, *choices = head.split()
        about = dict(map(choice, choices)) | more
        if int(players):
            id_ = await self.begun(FormatKey(form), int(players), **about)
        else:
            id_ = await self.create(a_setup(FormatKey(form), now=self.clock.at, **about))
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

    async def _holds(self, id_: TournamentId, text: str) -> None:
        stored = await self.stored(id_)
        t, told = stored.tournament, self.announcer.told

        def count(user: int | None, kind: str) -> int:
            return self.announcer.kinds(user).count(MessageKind(kind))

        names = {
            "t": t,
            "stored": stored,
            "status": t.status.value,
            "matches": {name: await self.match_of(id_, name) for name in stored.matches},
            "told": count,
            "messages": lambda kind: [m for m, _ in told if m.kind.value == kind],
            "views": lambda kind: [view for m, view in told if m.kind.value == kind],
            "troubles": [(m.user_id, m.detail) for m, _ in told if m.kind is MessageKind.TROUBLE],
            "now": self.clock.at,
            "met": partial(met_all_the_same, t),
            "kinds": lambda user: [each.value for each in self.announcer.kinds(user)],
            "points": lambda game: ":".join(map(str, t.games[game].points or ())),
            "How": How,
            "Kind": Kind,
            "Venue": Venue,
        }
        wanted = text[1:].strip()
        left = wanted.partition(" == ")[0]
        assert eval(wanted, names), f"{text}: {eval(left, names)}"

    async def _take(self, id_: TournamentId, name: str, *about: str) -> None:
        if about[:1] == ("first",):  # of the games that run
            begun = (each for each in (await self.head(id_)).pending if each.has_begun)
            about = (next(begun).game.id, *about[1:])
        users = [int(each) for each in about if each.isdigit()]
        match name:
            case "join":
                await self.join(id_, *users)
            case "leaves":
                await self.leave(id_, users[0])
            case "left_server":
                await self.service.member_left(GUILD, UserId(users[0]))
            case "challenge":
                await self.challenge(users[0], id_, users[1])
            case "accept" | "decline":
                await self.answer(users[0], id_, users[1], accept=name == "accept")
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
            case "open":
                await self._open((await self.match_of(id_, about[0])).id)
            case "resign":  # the player of a seat
                match = await self.match_of(id_, about[0])
                await self.club.resign(person(int(match.players[users[0]] or 0)), match.id)
            case "sweep":
                await self.sweep()
            case "run":  # but no clock runs out
                await self.runner.sweep()
                await self.worker.drain()
            case "wait":
                self.clock.at += length(about[0])
            case "until":
                t = await self.head(id_)
                self.clock.at = t.rounds[0].until if about[0] == "round" else getattr(t, about[0])
            case "undo":
                line = next(each for each in await self.audit(id_) if each.can_undo)
                await self.direct(id_, acts.Undo(line.seq))
            case "fails":  # announcements of a kind, so many times
                error = {"gone": Gone("10003"), "refused": Refused("50013"), "retry": Retry()}
                self.announcer.fails[MessageKind(about[0])] = [error[about[1]]] * int(about[2])
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
                read: dict[str, Callable[[str], Any]]
                read = {"n": int, "u": _user, "g": str, "p": points_in, "*": group}
                values = [read[kind](x) for kind, x in zip(KINDS[name], about, strict=True)]
                await self.direct(id_, acts.ACTS[name](*values))


def _user(text: str) -> UserId:
    return UserId(int(text))


KINDS = {
    "appoint": "u",
    "cancel": "",
    "close": "",
    "correct": "gp",
    "decide": "gp",
    "exclude": "n",
    "part": "*n",
    "pause": "",
    "redraw": "",
    "replace": "nu",
    "resume": "",
    "withdraw": "n",
}
"""The arguments of directors' acts, in order."""
