"""Sends what has been committed.

Messages are written with the event that causes them, and as a rule leased to the process that
writes them. The worker sends those of a key one after another, while keys do not wait for each
other; one more transaction records what came of them and takes what has been added meanwhile. If
the process of a lease dies, another takes over after it, under the same nonce.

The handler of its kind sends a message. One that Discord cannot take now is tried again with
growing patience, or when Discord says; one that it refuses rests for an hour, or until something
changes (:mod:`bot.services.blocked`); a bug is logged with an id, and the message tried again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

from bot import metrics
from bot.clock import Clock
from bot.domain.ids import GuildId
from bot.errors import UserError
from bot.logs import bug_id, logger
from bot.posts.outgoing import LEASE, Batch, Claim, Handler, Key, Outcome, Outcomes, PutOff
from bot.posts.sending import Gone, Refused, Retry
from bot.store import Store, outbox
from bot.store.errors import StoreUnavailable
from bot.tasks import cancel
from bot.trouble import Trouble

_log = logger(__name__)

POLL = 1.0
"""Seconds between looks when nobody wakes the worker."""
_FIRST_WAIT = timedelta(seconds=1)
_LONGEST_WAIT = timedelta(minutes=10)
_PARKED = timedelta(hours=1)
"""The time for which a refused message rests, if nothing wakes it."""

Settled = Callable[[Batch, Outcomes], Awaitable[None]]
"""Called once the outcomes of a batch are recorded."""


class OutboxWorker:
    """Sends messages until it is stopped; commits wake it (:attr:`Store.wake_sender`).

    ``at_once`` is how many keys it serves together.
    ``settled`` is told what came of each batch.
    """

    def __init__(self, store: Store, clock: Clock, *handlers: Handler, at_once: int = 8) -> None:
        self._store = store
        store.wake_sender = self.wake
        self._clock = clock
        self._handlers = {kind: handler for handler in handlers for kind in handler.kinds}
        self._at_once = at_once
        self.settled: Settled | None = None
        self.serves: Callable[[Key], bool] = lambda _: True
        """Whether this process can send what is about this at present; else others do."""
        self.reached: Callable[[GuildId | None], bool] | None = None
        """Whether a server is on a shard of this process, where others have the rest."""
        self._hurries = 0
        self._awake = asyncio.Event()
        self._stopping = False
        self._serving: set[asyncio.Task[None]] = set()

    def wake(self) -> None:
        """Look at once."""
        self._awake.set()

    def retry_now(self) -> None:
        """Look at once: what was refused may be accepted now, also what is just being sent."""
        self._hurries += 1
        self._awake.set()

    async def run(self) -> None:
        """Send messages until :meth:`stop`."""
        trouble = Trouble(_log, "the outbox cannot be looked at")
        while not self._stopping:
            self._awake.clear()
            found = 0
            with trouble.guard():
                found = await self._look()
            if found or self._stopping:
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL):
                    await self._awake.wait()
        if self._serving:
            await asyncio.wait(self._serving)

    async def stop(self, *, within: float = 10.0) -> None:
        """Take nothing more, and wait for what is being sent, but no longer than ``within`` s."""
        self._stopping = True
        self._awake.set()
        if self._serving:
            await asyncio.wait(self._serving, timeout=within)

    async def end(self) -> None:
        """Send nothing any more: the rest is sent once its lease is over, or after a start."""
        await cancel(self._serving)

    async def drain(self) -> None:
        """Send everything that is due now, then return; :meth:`run` need not be running."""
        while True:
            # A sending that ends while we look may leave something that is due.
            was_serving = bool(self._serving)
            found = await self._look()
            if self._serving:
                await asyncio.wait(self._serving)
            elif not (found or was_serving):
                return

    def reaches(self, guild_id: GuildId | None) -> bool:
        """Whether this process sends what is about a server, or about none."""
        return self.reached is None or self.reached(guild_id)

    def take(self, batch: Batch) -> None:
        """Send a batch that was leased together with its commit."""
        if batch:
            task = asyncio.create_task(self._serve(batch))
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)

    async def _look(self) -> int:
        """Claim what is due and begin sending it; returns how many keys that were."""
        free = self._at_once - len(self._serving)
        if free <= 0:
            await asyncio.wait(self._serving, return_when=asyncio.FIRST_COMPLETED)
            return 1
        now = self._clock.now()
        try:
            due = await self._store.read(outbox.next_due)
            if due is None or due > now:
                return 0
            batches = await self._store.write(
                outbox.claim, now, now + LEASE, free, self.serves, reaches=self.reached
            )
        except StoreUnavailable:
            return 0
        for batch in batches:
            self.take(batch)
        return len(batches)

    async def _serve(self, batch: Batch) -> None:
        """Send the messages of a batch, then those of its key that follow."""
        while batch:
            made, outcomes = batch, await self._make_all(batch)
            now = self._clock.now()
            lease = None if self._stopping else now + LEASE
            try:
                batch = await self._store.write(outbox.settle, made, outcomes, now, lease)
            except StoreUnavailable:
                return
            _count(made, outcomes, now)
            if self.settled is not None:
                await self.settled(made, outcomes)
            if any(isinstance(each, PutOff) and each.due_at <= now for each in outcomes):
                self.wake()

    async def _make_all(self, batch: Batch) -> Outcomes:
        """Send the messages of a batch in order, as far as none of them is in the way."""
        outcomes: list[Outcome] = []
        parked: PutOff | None = None
        for claim in batch:
            outcome = await self._attempt(replace(claim, parked=parked))
            outcomes.append(outcome)
            if isinstance(outcome, PutOff) and parked is None and claim.blocks_later:
                if not outcome.refused:
                    break
                parked = outcome
        return tuple(outcomes)

    async def _attempt(self, claim: Claim) -> Outcome:
        """Send a message, perhaps past one that is parked; the outcome."""
        hurries = self._hurries
        try:
            handler = self._handlers[claim.kind]
            if claim.parked is not None and claim.kind not in handler.passing:
                return claim.parked
            return await handler.make(claim)
        except Retry as retry:
            wait = _patience(claim) if retry.after is None else timedelta(seconds=retry.after)
            return self._put_off(wait, "retry", certain=not retry.sent)
        except (Gone, Refused) as error:
            _log.warning("not sent", of=_said(claim.key), kind=claim.kind, reason=error.reason)
            rest = _PARKED if hurries == self._hurries else _FIRST_WAIT
            reason = f"gone_{error.reason}" if isinstance(error, Gone) else error.reason
            return self._put_off(rest, reason, refused=True)
        except StoreUnavailable:
            # Perhaps after it was posted, when that was to be noted.
            return self._put_off(_patience(claim), "store", certain=False)
        except UserError as error:
            # The rules of a match are gone, or it is set aside; either may come to an end.
            _log.warning("not sent", of=_said(claim.key), kind=claim.kind, reason=error.code)
            return self._put_off(_PARKED, error.code)
        except Exception:
            bug = bug_id()
            _log.exception("not sent", bug=bug, of=_said(claim.key), kind=claim.kind)
            return self._put_off(_patience(claim), f"bug {bug}", certain=False)

    def _put_off(
        self, wait: timedelta, trouble: str, *, certain: bool = True, refused: bool = False
    ) -> PutOff:
        due: datetime = self._clock.now() + wait
        return PutOff(due, trouble, certain=certain, refused=refused)


def _count(batch: Batch, outcomes: Outcomes, now: datetime) -> None:
    """Count the outcomes of a batch in the series."""
    for claim, outcome in zip(batch, outcomes, strict=False):
        if isinstance(outcome, PutOff):
            came = "refused" if outcome.refused else "put_off"
        else:
            came = "done"
            metrics.POST_AGE_SECONDS.observe(max(0.0, (now - claim.due_at).total_seconds()))
        metrics.POSTS.labels(claim.kind, came).inc()


def _patience(claim: Claim) -> timedelta:
    doubled: timedelta = _FIRST_WAIT * (1 << min(claim.attempts - 1, 16))
    return min(doubled, _LONGEST_WAIT)


def _said(key: Key) -> str:
    return key.replace(":", " ", 1)
