"""Computers at play: runs their jobs in other processes, and acts for them like any player.

A computer acts through :class:`~bot.services.matches.MatchService`, for the version of the match
that its move was computed for. So it acts once, however often it was computed, and never overrules
a faster player.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection, Hashable, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

from bot.clock import Clock
from bot.computers import store as jobs
from bot.computers.domain.hints import Found
from bot.computers.domain.questions import LEASE, Question, Think, ThinkingFailed, Thought
from bot.computers.domain.reviews import Review, looked_at, next_look
from bot.computers.domain.turns import awaited, seed_of
from bot.domain import play, request_rules
from bot.domain.computers import advising_level, is_computer, level_of
from bot.domain.events import Event
from bot.domain.game_state import GameState, player_on_turn
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Actor, Match, MatchStatus, Scope
from bot.domain.playthrough import play_through
from bot.domain.requests import Request, RequestKind, find
from bot.errors import UserError
from bot.logs import logger
from bot.services.heavy_work import HeavyWork
from bot.services.matches import MatchService
from bot.services.rate_limits import Cooldowns
from bot.store import Store, transactions
from bot.store.errors import StoreUnavailable
from bot.store.records import Job, JobKind, Queue
from bot.trouble import Trouble
from games.api import Game

_log = logger(__name__)

_OFTEN = 20
"""A computer offers a draw at most once in so many plies."""
_ASIDE = timedelta(minutes=10)
_A_TURN = timedelta(seconds=2)
"""The time after which a review lets other jobs run."""
_MOST_ASKING = 20
"""The limit of players waiting for an analysis."""
_OPENING = 4
"""The first plies of a match are an opening, which its players may study."""
_SEED = 1
_FIRST_WAIT = timedelta(seconds=1)
_AWAY = 1.0
_BESIDE_ANOTHER = 1.0


@dataclass(eq=False)
class ComputerService:
    """Runs the jobs of computers, ``workers`` at once.

    Without workers, other processes run them, and only questions of players are answered. ``nap``
    is the number of seconds between looks for jobs without a wake-up. Computers answer
    ``moves_a_minute`` of one player.
    """

    store: Store
    matches: MatchService
    think: Think
    clock: Clock
    _: KW_ONLY
    heavy: HeavyWork
    workers: int = 1
    moves_a_minute: InitVar[int] = 10
    nap: float = 15.0
    _awake: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _asking: set[UserId] = field(default_factory=set, init=False)

    def __post_init__(self, moves_a_minute: int) -> None:
        self._moves = Cooldowns(
            moves_a_minute / 60, moves_a_minute, clock=lambda: self.clock.now().timestamp()
        )

    # ---- for people --------------------------------------------------------------------------

    async def review(self, actor: Actor, match_id: MatchId) -> Review:
        """The review of a match that this person may see; asks for one if needed.

        Raises :exc:`~bot.errors.UserError`: ``no_such_match``, ``review_over``, ``review_empty``,
        ``still_played``, ``computers_busy``, ``reviews_waiting``, ``store_unavailable``.
        """
        match = await self.matches.match(actor, match_id)
        if match.status is not MatchStatus.FINISHED:
            raise UserError("review_over")
        if not match.ply:
            raise UserError("review_empty")
        found = await self.store.read(jobs.review, match_id)
        if found is None or found.is_done:
            await self._check_fair(actor.user_id, match)
        now = self.clock.now()
        if found is None:
            await self.store.write(jobs.ask_review, match, actor.user_id, match.ply, now)
            self.wake()
            found = Review(match_id, match.ply)
        if found.is_done:
            return found
        return replace(found, ahead=await self.store.read(jobs.before_review, match_id, now))

    def rests(self, user_id: UserId) -> bool:
        """Whether a person has had their share of computer answers and must wait for the next."""
        return self._moves.wait(user_id) > 0

    async def queue(self) -> Queue:
        """The queue of the computers; empty if it cannot be read."""
        try:
            return await self.store.read(jobs.queue, self.clock.now())
        except StoreUnavailable:
            return Queue()

    async def analyse(
        self, user_id: UserId, match: Match, table: GameState, line: Sequence[Hashable], plies: int
    ) -> Found:
        """An engine's analysis of a position of a match, at the level for players' questions.

        ``line`` has the positions of the match and those from there to this one. A person asks one
        question at a time. Raises :exc:`~bot.errors.UserError`: ``still_played``,
        ``still_thinking``, ``computers_busy``, ``computer_failed``, ``store_unavailable``.
        """
        await self._check_fair(user_id, match, table, line)
        if user_id in self._asking:
            raise UserError("still_thinking")
        if len(self._asking) >= _MOST_ASKING:
            raise UserError("computers_busy")
        self._asking.add(user_id)
        try:
            state, level = table.game.encode(table.position), advising_level(match.game)
            question = Question(match.game, match.options, state, level, _SEED, plies, "analysis")
            return (await self.think(question)).found
        except ThinkingFailed as error:
            _log.warning("no analysis", match=match.id, error=str(error))
            raise UserError("computer_failed") from error
        finally:
            self._asking.discard(user_id)

    async def _check_fair(
        self,
        user_id: UserId,
        match: Match,
        table: GameState | None = None,
        line: Sequence[Hashable] = (),
    ) -> None:
        """Refuse help with a line that leads to a match which this player plays without hints.

        They could open a file of it, or play the same moves with a friend. Without a ``table`` the
        line is that of the match. Raises ``still_played`` and ``store_unavailable``.
        """
        mine = await self.store.read(transactions.active_of, user_id)
        states = {
            state
            for each in mine
            if each.status is MatchStatus.RUNNING and each.game == match.game
            if each.ply >= _OPENING and not each.has_hints
            for state in (each.state, each.previous_state)
        }
        if not states:
            return
        if table is None:
            events = await self._events(match)
            played = await self.heavy.run(user_id, play_through, match, events)
            table, line = played.table, played.positions
        if await self.heavy.run(user_id, _leads_to, table.game, line, states):
            raise UserError("still_played")

    # ---- for computers -----------------------------------------------------------------------

    def wake(self) -> None:
        """Look for jobs at once."""
        self._awake.set()

    async def run(self) -> None:
        """Run jobs until cancelled; jobs of an earlier process are run again."""
        with contextlib.suppress(StoreUnavailable):
            await self.store.write(jobs.release)
        async with asyncio.TaskGroup() as group:
            for _ in range(self.workers):
                group.create_task(self._work())

    async def _work(self) -> None:
        trouble = Trouble(_log, "computers cannot play")
        while True:
            self._awake.clear()
            done, pause = False, _AWAY
            with trouble.guard(StoreUnavailable):
                done = await self.work_once()
                pause = 0.0 if done else await self._pause()
            if not done:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._awake.wait()

    async def _pause(self) -> float:
        due = await self.store.read(jobs.next_due)
        if due is None:
            return self.nap
        left = (due - self.clock.now()).total_seconds()
        # A due job that could not be taken waits for another one of its server.
        return min(left if left > 0 else _BESIDE_ANOTHER, self.nap)

    async def work_once(self) -> bool:
        """Run the next job; whether there was one."""
        now = self.clock.now()
        job = await self.store.write(jobs.claim, now, now + LEASE)
        if job is None:
            return False
        wait, anew = None, False
        retry = min(_FIRST_WAIT * 2 ** min(job.attempts, 20), _ASIDE)
        try:
            wait, anew = await self._do(job), True
        except asyncio.CancelledError:
            with contextlib.suppress(StoreUnavailable):
                await asyncio.shield(self.store.write(jobs.put_off, job, now))
            raise
        except UserError as error:
            wait = None if error.code in _OVERTAKEN else retry
        except ThinkingFailed as error:
            _log.warning(str(error), match=job.match_id, attempt=job.attempts + 1)
            wait = retry
        except Exception:
            _log.exception("a bug while a computer was to play", match=job.match_id)
            wait = retry
        if wait is None:
            await self.store.write(jobs.finish, job)
        else:
            await self.store.write(jobs.put_off, job, self.clock.now() + wait, anew=anew)
        return True

    async def _do(self, job: Job) -> timedelta | None:
        """Run a job; returns after how long it is to go on, if it is not done."""
        match = await self.store.read(transactions.match, job.match_id)
        if match is None or match.version != job.version:
            return None
        if match.set_aside_at is not None:
            return _ASIDE
        if job.kind is JobKind.REVIEW:
            return await self._review_on(match, job)
        player = awaited(match)
        user = None if player is None else match.players[player]
        if player is None or user is None:
            return None
        # At a table of several computers, a computer's move after another one counts as one answer.
        follows = match.moved_by is not None and is_computer(match.players[match.moved_by])
        if job.user_id is not None and not follows and not self._moves.take(job.user_id):
            return timedelta(seconds=self._moves.wait(job.user_id))
        actor = Actor(user, match.origin.guild_id)
        request = next((each for each in match.requests if player not in each.agreed), None)
        if request is not None:
            await self._answer(match, actor, player, request, job=job)
        else:
            await self._play(match, actor, job)
        return None

    async def _review_on(self, match: Match, job: Job) -> timedelta | None:
        """Look at the next few moves, then let other jobs run."""
        before = await self.store.read(jobs.review, match.id)
        if before is None or before.is_done:
            return None
        played = await asyncio.to_thread(play_through, match, await self._events(match))
        after, began = before, self.clock.now()
        while (look := next_look(after)) is not None:
            question = Question(
                match.game,
                match.options,
                played.table.game.encode(played.positions[look.ply]),
                job.level,
                _SEED,
                look.ply,
                "moment" if look.closely else "review",
                job.attempts,
                played.notations[look.ply],
                after.plies,
            )
            found = (await self.think(question)).found
            after = looked_at(after, look, found, played)
            if self.clock.now() - began > _A_TURN:
                break
        await self.store.write(jobs.keep_review, before, after)
        return None if after.is_done else timedelta()

    async def _events(self, match: Match) -> tuple[Event, ...]:
        person = next((user for user in match.players if user is not None), None)
        return await self.store.read(
            transactions.history, match.id, Scope(match.origin.guild_id, person)
        )

    async def _answer(
        self, match: Match, actor: Actor, player: int, request: Request, *, job: Job
    ) -> None:
        """Accept takebacks and pauses; let the engine decide about draws."""
        accept = True
        if request.wish is RequestKind.DRAW:
            mine = player_on_turn(match) == player
            about = "draw on turn" if mine else "draw"
            accept = (await self._thought(match, actor, job, about=about)).accepts
        answer = partial(
            request_rules.answer, wish=request.wish, accept=accept, version=request.version
        )
        await self.matches.act(actor, match.id, answer, interaction_id=None, past=True)

    async def _play(self, match: Match, actor: Actor, job: Job) -> None:
        thought = await self._thought(match, actor, job)
        if thought.resigns:
            # At a table of two no other player can change the position meanwhile.
            await self.matches.act(actor, match.id, play.resign, interaction_id=None)
            return
        pending = find(match.requests, RequestKind.DRAW)
        if thought.offers_draw and pending is None and match.ply % _OFTEN < len(match.players):
            ask = partial(request_rules.request, wish=RequestKind.DRAW)
            await self.matches.act(actor, match.id, ask, interaction_id=None, past=True)
        await self.matches.move(
            actor,
            match.id,
            text=thought.move or "",
            interaction_id=None,
            expected_version=match.version,
        )

    async def _thought(
        self, match: Match, actor: Actor, job: Job, *, about: str = "move"
    ) -> Thought:
        level, seed = level_of(actor.user_id), seed_of(match)
        question = Question(
            match.game, match.options, match.state, level, seed, match.ply, about, job.attempts
        )
        return await self.think(question)


def _leads_to(game: Game[Any, Any], line: Sequence[Hashable], states: Collection[str]) -> bool:
    """Whether one of the positions is one of the encoded states.

    An encoded position begins with its text, which is short; the past after it may be very long.
    """
    for position in line:
        text = game.position_text(position)
        if any(state.startswith(text) for state in states) and game.encode(position) in states:
            return True
    return False


_OVERTAKEN = frozenset(
    {
        "already_played",
        "have_left",
        "match_over",
        "no_such_match",
        "not_your_turn",
        "position_changed",
        "request_gone",
    }
)
"""Refusals that mean that the match has moved on."""
