"""All parts put together, in the one place that knows them all.

:func:`create_bot` builds a bot without a token and without a connection; its parts can be replaced.
"""

from __future__ import annotations

import math
import os
import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any, cast

import discord

import bot.features  # noqa: F401 - registers what they do
from bot.app.life import Bot
from bot.app.periodic import PeriodicWork
from bot.clock import Clock, DiscordClock, SystemClock, seconds_passed
from bot.computers.domain.questions import Think
from bot.computers.services import ComputerService
from bot.computers.thinking.pool import WorkerPool
from bot.connection.client import ParlourClient
from bot.connection.fleet import Fleet
from bot.connection.gateway import Timeouts
from bot.connection.left_sessions import LeftSessions
from bot.connection.services import SessionStarts
from bot.domain.ids import UserId
from bot.follows.delivery import FollowedMatches
from bot.i18n import Languages
from bot.learn.delivery import DailyPuzzles
from bot.learn.ui.help import welcome
from bot.lobby.delivery import DiscordLobby, Lobbies, OfferCalls
from bot.lobby.services import server_of
from bot.logs import logger
from bot.media.pictures import PictureMaker, give_way
from bot.owner.delivery import DiscordHostMessages
from bot.plans.services import PlanService
from bot.posts.outgoing import CALL, HOST, LOBBY, Key, subject_of
from bot.privacy.services import PrivacyService
from bot.services.blocked import Blocked
from bot.services.departures import DepartureWatch
from bot.services.heavy_work import HeavyWork
from bot.services.lost_answers import LostAnswers
from bot.services.match_changes import MatchChanges
from bot.services.matches import MatchService
from bot.services.outbox_worker import OutboxWorker
from bot.services.pairing import Limits, Pairing
from bot.services.preferences import PreferenceService
from bot.services.presence import Presence
from bot.services.rate_limits import Cooldowns, ServerShares
from bot.services.ratings import RatingService
from bot.services.untold_turns import UntoldTurns
from bot.services.vacations import VacationService, vacations_of_players
from bot.services.verification import Verifier
from bot.settings import Settings
from bot.store import Store
from bot.store.presence import shard_scopes
from bot.tournaments.delivery.messages import DiscordTournaments, occasion
from bot.tournaments.delivery.telling import TournamentTelling
from bot.tournaments.services.changes import TournamentChanges
from bot.tournaments.services.games import Games
from bot.tournaments.services.members import MemberWatch
from bot.tournaments.services.runner import TournamentRunner
from bot.tournaments.services.service import TournamentService
from bot.tournaments.services.views import document
from bot.tournaments.swiss.engine import WorkerEngine
from bot.ui.delivery.match_deliveries import MatchDeliveries
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.delivery.notices import Notices
from bot.ui.delivery.timed import Digests, Reminders, VacationWords
from bot.ui.interaction import slash
from bot.ui.interaction.answer_lifecycle import AnswerLifecycle
from bot.ui.interaction.context import Services
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.obstacles import Obstacles
from bot.ui.interaction.permissions import is_member
from bot.ui.interaction.results import MissedTurns
from bot.ui.pages.display_names import NameBook
from bot.ui.pages.reader import Reader
from bot.ui.rest import FAILURES, Background, may_post, may_thread
from bot.ui.router import Router
from bot.webhooks.delivery import HttpsPoster
from bot.webhooks.services import Webhooks
from renderers import render

_log = logger(__name__)

_NAP = 0.5
"""Seconds after which a computer process without a bot looks for work again."""


def create_bot(
    settings: Settings,
    *,
    store: Store,
    clock: Clock | None = None,
    rng: random.Random | None = None,
    pictures: PictureMaker | None = None,
    languages: Languages | None = None,
    guild_ready_timeout: float = 2.0,
    timeouts: Timeouts | None = None,
    by_hand: bool = False,
) -> Bot:
    """A bot on this store, not yet connected to anything.

    It is ready when no other server has been announced for ``guild_ready_timeout`` seconds. With
    ``by_hand`` it may use the reserve of session starts.
    """
    rng = rng or random.SystemRandom()
    clock = clock or DiscordClock()
    languages = languages or Languages(default=settings.language)
    # On PostgreSQL processes divide the shards among themselves, unless a person has done it.
    divided = settings.shard_ids is None and not settings.database_url().startswith("sqlite")
    client = ParlourClient(
        languages,
        SessionStarts(
            store, clock, by_hand=by_hand, between=timedelta(seconds=settings.session_seconds)
        ),
        clock,
        shard_count=settings.shard_count,
        shard_ids=settings.shard_ids,
        guild_ready_timeout=guild_ready_timeout,
        timeouts=timeouts,
        divided=divided,
    )
    if isinstance(clock, DiscordClock):
        client.time = clock
    sessions = LeftSessions(client, store, clock)
    client.connection.left = sessions.take
    scopes = () if divided else shard_scopes(settings.shard_ids, settings.shard_count)
    presence = Presence(store, clock, scopes=scopes)
    ratings = RatingService(store, clock)
    blocked = Blocked(store, clock, may_post=partial(may_post, client))
    seconds = clock.seconds if isinstance(clock, DiscordClock) else seconds_passed
    shares = ServerShares(clock, settings.server_messages, seconds=seconds)
    obstacles = Obstacles(client, blocked, shares.is_used_up)
    reader = Reader(
        pictures or PictureMaker(render, threads=max(1, (os.cpu_count() or 1) - 1)),
        NameBook(_name_from(client)),
        languages.default,
        theme=settings.theme,
        standstills=presence.standstills,
        stopped=blocked.stopped_spans,
        obstacles=obstacles.of,
        gains=ratings.gains,
        vacations=partial(vacations_of_players, store, clock),
    )
    preferences = PreferenceService(store, clock)
    pairing = Pairing(store, preferences, clock, _limits(settings), ratings=ratings)
    messenger = DiscordMessenger(client, reader, languages, preferences, partial(occasion, store))
    notices = Notices(messenger, clock, preferences, shares)
    reminding = Reminders(store, notices, clock)

    def serves(key: Key) -> bool:
        """Whether this process sends messages of a key: about lobbies and from the host.

        A lobby waits until the permissions of its channels are known.
        """
        if subject_of(key) not in (LOBBY, CALL, HOST):
            return True
        guild_id = server_of(key)
        is_away = subject_of(key) != HOST and guild_id in presence.away
        return client.knows(guild_id) and not is_away

    telling = TournamentTelling(
        store,
        clock,
        notices,
        DiscordTournaments(client, messenger, reader, preferences, clock),
        shares=shares,
        pairing=pairing,
        is_member=partial(is_member, client),
    )
    lobby_board = DiscordLobby(client, messenger, preferences, ratings, store, clock)
    webhooks = Webhooks(store, clock, HttpsPoster().post, partial(document, store))
    outbox = OutboxWorker(
        store,
        clock,
        MatchDeliveries(messenger, notices, clock, pairing, shares),
        reminding,
        Digests(store, notices, clock),
        VacationWords(store, notices, clock),
        FollowedMatches(store, clock, notices, messenger, client=client, reaches=client.reaches),
        Lobbies(store, lobby_board, clock),
        OfferCalls(store, preferences, lobby_board, clock),
        telling,
        DailyPuzzles(messenger, preferences, clock),
        webhooks,
        DiscordHostMessages(client, messenger),
    )
    outbox.settled = blocked.settled
    outbox.serves = serves
    outbox.reached = client.reaches if divided else None
    blocked.hurried = outbox.retry_now
    untold_turns = UntoldTurns(store, clock)
    background = Background()
    answers = AnswerLifecycle(blocked, untold_turns, obstacles, background)
    blocked.on_posted, blocked.on_refused = answers.posted, answers.refused
    vacations = VacationService(store, clock, allowance=settings.vacation_days)
    changes = MatchChanges(store, clock, outbox=outbox, pairing=pairing, vacations=vacations)
    service = MatchService(store, clock, rng, changes, offers_last=settings.offers_last)
    pair = WorkerEngine(settings.pairing_program).pair
    events = TournamentChanges(store, clock, pairing)
    tournaments = TournamentService(events, ratings, pair, rng, at_once=settings.server_tournaments)
    # Hints have to come at once, so they are thought out here even if matches are left to others.
    thinker = WorkerPool(max(1, settings.workers), memory=settings.worker_memory)
    # Films are made one at a time, so that there is a thread for the rest.
    heavy = HeavyWork(ThreadPoolExecutor(2, "heavy", initializer=give_way))
    computers = ComputerService(
        store,
        service,
        thinker.think,
        clock,
        heavy=heavy,
        workers=settings.workers,
        moves_a_minute=settings.computer_moves,
    )
    changes.wake_computers = computers.wake
    services = Services(
        store=store,
        matches=service,
        owed=LostAnswers(store, service, clock),
        ratings=ratings,
        reader=reader,
        languages=languages,
        clock=clock,
        preferences=preferences,
        vacations=vacations,
        blocked=blocked,
        answers=answers,
        background=background,
        features={
            type(each): each
            for each in (
                computers,
                PlanService(store, service),
                PrivacyService(store, service, clock, rng, tournaments),
                tournaments,
                messenger,
                notices,
                reminding,
            )
        },
        heavy=heavy,
        commands=Cooldowns(settings.commands_per_second, settings.commands_burst),
        typing=Cooldowns(
            settings.suggestions_per_second, math.ceil(settings.suggestions_per_second)
        ),
        settings=settings,
        limits=pairing.limits,
        started_at=clock.now(),
    )
    handler = InteractionHandler(services, MissedTurns(store, blocked, untold_turns, obstacles))
    client.router = Router(handler)
    client.presence = presence
    client.welcome = lambda guild: background.start(
        welcome(client, guild, languages, services.mentions)
    )
    client.blocked = blocked
    slash.build(client.tree, handler, owner_server=settings.owner_server)
    periodic = PeriodicWork(
        store=store,
        clock=clock,
        client=client,
        pairing=pairing,
        presence=presence,
        vacations=vacations,
        blocked=blocked,
        untold_turns=untold_turns,
        verifier=Verifier(store, clock),
        tournaments=TournamentRunner(
            events,
            Games(store, clock, rng, pairing),
            pair,
            may_thread=partial(may_thread, client),
            reaches=client.reaches,
        ),
        members=MemberWatch(store, tournaments, clock, partial(is_member, client)),
        departures=DepartureWatch(store, clock, partial(is_member, client)),
        fleet=Fleet(client, store, presence, sessions) if divided else None,
    )
    return Bot(
        settings=settings,
        client=client,
        store=store,
        service=service,
        outbox=outbox,
        services=services,
        handler=handler,
        clock=clock,
        messenger=messenger,
        periodic=periodic,
        computers=computers,
        thinker=thinker,
        sessions=sessions,
    )


def thinking_alone(settings: Settings, store: Store, think: Think) -> ComputerService:
    """The computers in a process without a connection to Discord.

    It looks for work by itself, since nobody there can wake it; what is to be posted, the bots
    on the same database see.
    """
    clock = SystemClock()
    changes = MatchChanges(store, clock)
    matches = MatchService(store, clock, random.SystemRandom(), changes)
    workers = max(1, settings.workers)
    heavy = HeavyWork(ThreadPoolExecutor(1, "heavy"))
    return ComputerService(
        store,
        matches,
        think,
        clock,
        heavy=heavy,
        workers=workers,
        moves_a_minute=settings.computer_moves,
        nap=_NAP,
    )


def _limits(settings: Settings) -> Limits:
    return Limits(
        open_offers=settings.open_offers,
        offers_to_one=settings.offers_to_one,
        cool_down=timedelta(hours=settings.cool_down_hours),
        running=settings.running_matches,
        running_in_server=settings.server_matches,
        threads_an_hour=settings.server_threads,
        rated_with_one=settings.rated_with_one,
        computer_matches=settings.computer_matches,
        computers_waiting=settings.computers_waiting,
    )


class _NoStore:
    """Takes the place of a store, for work that has nothing to do with matches."""

    def __getattr__(self, name: str) -> Any:
        msg = f"there is no store here to {name}"
        raise RuntimeError(msg)


def no_store() -> Store:
    """A missing store, for a bot that only talks to Discord."""
    return cast(Store, _NoStore())


def _name_from(client: discord.Client) -> Any:
    async def fetch(user_id: UserId) -> str | None:
        """Ask Discord for the name of a person; None if it gives none."""
        try:
            return (await client.fetch_user(user_id)).display_name
        except (*FAILURES, AttributeError, LookupError, TypeError, RuntimeError) as error:
            # A bot that stops has closed the session that the request would take.
            _log.info("a name could not be had", error=type(error).__name__)
            return None

    return fetch
