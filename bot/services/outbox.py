"""Telling the world what has been committed.

Whatever is to be sent was written together with the event that caused it, and as a rule leased in
the same transaction to the process that wrote it. The worker makes the deliveries of a match one
after another, so a match's posts keep their order, while matches do not wait for each other; in
one more transaction it records what came of them and takes what has been added meanwhile. If the
process of a lease dies, another takes over when the lease has run out, under the same nonce, so
that Discord answers with the message that exists already.

What cannot be sent now is tried again with growing patience; what Discord will not do at all falls
back: no thread, then the channel; a home that is gone, then a new one. Nothing here can change or
lose a move.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.domain.ids import ChannelId
from bot.domain.match import MatchStatus, Venue
from bot.domain.preferences import NoticeWay
from bot.errors import UserError
from bot.failpoints import hit
from bot.services.notices import Notices, Told
from bot.services.pairing import Pairing
from bot.services.ports import Clock, Store, StoreUnavailable
from bot.services.sending import (
    LEASE,
    Batch,
    Claim,
    DeliveryKind,
    Done,
    Gone,
    Messenger,
    Outcome,
    Posted,
    PutOff,
    Recipient,
    Refused,
    Retry,
)
from bot.trouble import Trouble

log = logging.getLogger(__name__)

POLL = 1.0
"""Seconds between looks when nobody wakes the worker."""
_FIRST_WAIT = timedelta(seconds=1)
_LONGEST_WAIT = timedelta(minutes=10)
_PARKED = timedelta(hours=1)
"""How long a delivery rests that Discord has refused, if nothing wakes it
(:mod:`bot.services.blocked`)."""


def nonce_of(claim: Claim) -> str:
    """The name of a post for Discord, the same however often it is tried; at most 25 characters."""
    letter = claim.delivery.kind.value[0]
    return f"{claim.match.id}{letter}{claim.delivery.version:x}.{claim.id:x}"[:25]


Settled = Callable[[Batch, tuple[Outcome, ...]], Awaitable[None]]
"""What is done once it is written down what came of a batch."""


@dataclass(frozen=True, slots=True)
class _Replaced:
    """The board and the line, if any, that a new board has replaced, while they are put away."""

    board: asyncio.Task[Outcome] | None
    line: asyncio.Task[Outcome] | None

    def added_to(self, made: Outcome) -> Outcome:
        """What came of the new board, with when to try again to put away what it has replaced."""
        board, line = _due(self.board), _due(self.line)
        if not isinstance(made, Done) or (board is None and line is None):
            return made
        return replace(made, retire_at=board, erase_at=line)


def _due(attempt: asyncio.Task[Outcome] | None) -> datetime | None:
    """When to try again what has been tried; None if it was done."""
    outcome = None if attempt is None else attempt.result()
    return outcome.due_at if isinstance(outcome, PutOff) else None


class OutboxWorker:
    """Makes deliveries until it is stopped. ``at_once`` is how many matches it serves together.

    ``notices`` knows how people want to be told, ``pairing`` how many threads a server may have.
    ``settled`` is told what came of each batch.
    """

    def __init__(
        self,
        store: Store,
        messenger: Messenger,
        clock: Clock,
        *,
        at_once: int = 8,
        notices: Notices | None = None,
        pairing: Pairing | None = None,
    ) -> None:
        self._store = store
        self._messenger = messenger
        self._clock = clock
        self._at_once = at_once
        self._notices = notices or Notices(messenger, clock)
        self._pairing = pairing
        self.settled: Settled | None = None
        self._hurries = 0
        self._awake = asyncio.Event()
        self._stopping = False
        self._serving: set[asyncio.Task[None]] = set()
        self._make: dict[DeliveryKind, Callable[..., Awaitable[Outcome]]] = {
            DeliveryKind.OFFER: self._offer,
            DeliveryKind.OFFER_UPDATE: self._offer_update,
            DeliveryKind.THREAD: self._thread,
            DeliveryKind.BOARD: self._board,
            DeliveryKind.NOTICE: self._notice,
            DeliveryKind.RETIRE: self._retire,
            DeliveryKind.ERASE: self._erase,
            DeliveryKind.CLOSE: self._close,
        }

    def wake(self) -> None:
        """Look at once: something has been committed."""
        self._awake.set()

    def hurry(self) -> None:
        """Look at once: what was refused may be accepted now, also what is just being sent."""
        self._hurries += 1
        self._awake.set()

    async def run(self) -> None:
        """Make deliveries until :meth:`stop`."""
        trouble = Trouble(log, "the outbox cannot be looked at")
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

    async def drain(self) -> None:
        """Make everything that is due now, then return; :meth:`run` need not be running."""
        while True:
            found = await self._look()
            if self._serving:
                await asyncio.wait(self._serving)
            elif not found:
                return

    def take(self, batch: Batch) -> None:
        """Make a batch that was leased together with its commit."""
        if batch:
            task = asyncio.create_task(self._serve(batch))
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)

    async def _look(self) -> int:
        """Claim what is due and begin making it; returns how much it was."""
        free = self._at_once - len(self._serving)
        if free <= 0:
            await asyncio.wait(self._serving, return_when=asyncio.FIRST_COMPLETED)
            return 1
        now = self._clock.now()
        try:
            due = await self._store.next_due()
            if due is None or due > now:
                return 0
            batches = await self._store.claim(now, now + LEASE, free)
        except StoreUnavailable:
            return 0
        for batch in batches:
            self.take(batch)
        return len(batches)

    async def _serve(self, batch: Batch) -> None:
        """Make the deliveries of a batch, then those of its match that follow."""
        while batch:
            outcomes: list[Outcome] = []
            replaced: dict[int, _Replaced] = {}
            parked: PutOff | None = None
            async with asyncio.TaskGroup() as group:
                for number, claim in enumerate(batch):
                    kind = claim.delivery.kind
                    if parked is None:
                        outcome = await self._attempt(claim, kind)
                    else:
                        outcome = await self._attempt_past(claim, parked)
                    outcomes.append(outcome)
                    if isinstance(outcome, PutOff):
                        if kind is DeliveryKind.BOARD and outcome.refused:
                            parked = await self._outdated(claim, outcome)
                            outcomes[number] = parked
                        if parked is None:
                            break
                    elif kind is DeliveryKind.BOARD:
                        replaced[number] = self._put_away(claim, outcome, group)
            for number, old in replaced.items():
                outcomes[number] = old.added_to(outcomes[number])
            now = self._clock.now()
            lease = None if self._stopping else now + LEASE
            made = batch
            try:
                batch = await self._store.settle(made, tuple(outcomes), now, lease)
            except StoreUnavailable:
                return
            if self.settled is not None:
                await self.settled(made, tuple(outcomes))
            if any(isinstance(each, PutOff) and each.home_id is not None for each in outcomes):
                self.wake()

    async def _attempt_past(self, claim: Claim, parked: PutOff) -> Outcome:
        """Of what is behind a board that Discord will not have only direct messages get through."""
        if claim.delivery.kind is not DeliveryKind.NOTICE:
            return replace(parked, line_gone=False)
        return await self._attempt(claim, DeliveryKind.NOTICE, parked)

    async def _outdated(self, claim: Claim, parked: PutOff) -> PutOff:
        """Where a board is refused, say so on the old one, whose line calls who is not on turn."""
        if claim.shown is not None and claim.attempts == 1:
            with contextlib.suppress(Gone, Refused, Retry):
                await self._messenger.outdate_board(claim.match, claim.shown)
        if claim.line is None:
            return parked
        came = await self._attempt(claim, DeliveryKind.ERASE, claim.line)
        return replace(parked, line_gone=isinstance(came, Done))

    async def _attempt(self, claim: Claim, kind: DeliveryKind, *more: Posted | PutOff) -> Outcome:
        """Make a delivery, or do by its ``kind`` what is to be done with what it has replaced."""
        hurries = self._hurries
        try:
            return await self._make[kind](claim, *more)
        except Retry as retry:
            wait = self._patience(claim) if retry.after is None else timedelta(seconds=retry.after)
            return PutOff(self._clock.now() + wait, "retry", certain=not retry.sent)
        except (Gone, Refused) as error:
            log.warning("match %s: %s not sent: %s", claim.match.id, kind.value, error.reason)
            rest = _PARKED if hurries == self._hurries else _FIRST_WAIT
            reason = f"gone_{error.reason}" if isinstance(error, Gone) else error.reason
            return PutOff(self._clock.now() + rest, reason, certain=True, refused=True)
        except StoreUnavailable:
            return PutOff(self._clock.now() + self._patience(claim), "store", certain=True)
        except UserError as error:
            # Its rules are gone, or it is set aside; either may come to an end.
            log.warning("match %s: %s not sent: %s", claim.match.id, kind.value, error.code)
            return PutOff(self._clock.now() + _PARKED, error.code, certain=True)
        except Exception:
            bug = secrets.token_hex(4)
            log.exception("bug %s: match %s: %s not sent", bug, claim.match.id, kind.value)
            return PutOff(self._clock.now() + self._patience(claim), f"bug {bug}", certain=False)

    def _put_away(self, claim: Claim, made: Done, group: asyncio.TaskGroup) -> _Replaced:
        """Begin to put away what a new board has replaced, as far as that can be done now.

        The board before loses its buttons, or goes if it shows the same position in the same place,
        so that a channel has one board a move; and the line that belonged to it goes. Nobody need
        wait for that: what follows the board is sent meanwhile.
        """

        def begin(kind: DeliveryKind, target: Posted | None) -> asyncio.Task[Outcome] | None:
            if target is None:
                return None
            return group.create_task(self._attempt(claim, kind, target))

        posted, shown = made.posted, claim.shown
        if posted is None:
            return _Replaced(None, None)
        goes = (
            shown is not None and shown.channel_id == posted.channel_id and _shows_the_same(claim)
        )
        kind = DeliveryKind.ERASE if goes else DeliveryKind.RETIRE
        return _Replaced(
            begin(kind, None if shown == posted else shown),
            begin(DeliveryKind.ERASE, claim.line),
        )

    @staticmethod
    def _patience(claim: Claim) -> timedelta:
        doubled: timedelta = _FIRST_WAIT * (1 << min(claim.attempts - 1, 16))
        return min(doubled, _LONGEST_WAIT)

    # ---- each kind of delivery -------------------------------------------------------------

    async def _offer(self, claim: Claim) -> Done:
        to = _audience(claim, claim.match.origin.channel_id)
        posted = None
        if claim.tried_at is not None:
            with contextlib.suppress(Gone, Refused):
                posted = await self._messenger.find_offer(claim.match, to, since=claim.tried_at)
        if posted is None and not claim.overtaken:
            posted = await self._messenger.post_offer(claim.match, to, nonce=nonce_of(claim))
        return Done(posted)

    async def _offer_update(self, claim: Claim) -> Done:
        if claim.shown is not None:
            with _ignored(claim):
                to = _audience(claim, claim.shown.channel_id)
                await self._messenger.update_offer(claim.match, claim.shown, to)
        return Done()

    async def _thread(self, claim: Claim) -> Done:
        """Make the match's thread, or play in the channel where that is not to be had."""
        return Done(home_id=await self._make_thread(claim, claim.shown))

    async def _make_thread(self, claim: Claim, offer: Posted | None) -> ChannelId:
        """A thread under an offer, in place of the one before; the channel if none can be made."""
        match, gone = claim.match, claim.match.home_id
        pairing = self._pairing
        if pairing is not None and not await pairing.reserve_thread(match, gone):
            log.info("match %s: no thread: too many in this hour", match.id)
            return match.origin.channel_id
        try:
            return await self._messenger.make_thread(match, offer, may_exist=claim.may_exist)
        except (Gone, Refused) as error:
            log.info("match %s: no thread: %s", match.id, error.reason)
        if pairing is not None:
            await pairing.return_thread(match, gone)
        return match.origin.channel_id

    async def _board(self, claim: Claim) -> Outcome:
        match = claim.match
        home = match.home_id or match.origin.channel_id
        to = _audience(claim, home)
        if to.channel_id is None:
            return await self._direct_board(claim, to)
        found = await self._found(claim, to)
        if found is not None or claim.overtaken:
            return self._board_made(found)
        try:
            posted = await self._messenger.post_board(match, to, nonce=nonce_of(claim))
        except Gone as gone:
            new_home = await self._new_home(claim)
            if new_home is None:
                raise
            # Kept before anything is posted there, so that no second one is made; and all that
            # follows the board goes there as well.
            log.info("match %s: its %s is gone", match.id, gone.reason)
            return PutOff(self._clock.now(), "moved", certain=True, home_id=new_home)
        return self._board_made(posted)

    async def _direct_board(self, claim: Claim, to: Recipient) -> Done:
        """A board in direct messages: if one player does not get it, the others are not to wait."""
        if to.user_id is None or to.user_id < 0:
            return Done()  # erased, and nobody any more
        posted = await self._found(claim, to)
        if posted is None and not claim.overtaken:
            with _ignored(claim):
                posted = await self._messenger.post_board(claim.match, to, nonce=nonce_of(claim))
        return self._board_made(posted)

    async def _found(self, claim: Claim, to: Recipient) -> Posted | None:
        """The board that an earlier attempt may have posted: Discord forgets a nonce in minutes.

        The match may go on elsewhere since then.
        """
        if claim.tried_at is None:
            return None
        places = [to]
        if claim.shown is not None and to.channel_id is not None:
            places.append(Recipient(claim.shown.channel_id))
        for place in dict.fromkeys(places):
            with contextlib.suppress(Gone, Refused):
                found = await self._messenger.find_board(
                    claim.match,
                    place,
                    version=claim.delivery.version,
                    since=claim.tried_at,
                    but=claim.shown,
                )
                if found is not None:
                    return found
        return None

    @staticmethod
    def _board_made(posted: Posted | None) -> Done:
        hit("c8")
        return Done(posted)

    async def _new_home(self, claim: Claim) -> ChannelId | None:
        """Where to go on when the thread of a match has been deleted: a new one, or the channel."""
        match = claim.match
        if match.venue is not Venue.THREAD or match.home_id in (None, match.origin.channel_id):
            return None
        return await self._make_thread(claim, None)

    async def _retire(self, claim: Claim, replaced: Posted | None = None) -> Done:
        hit("c9")
        target = replaced or claim.delivery.target
        if target is not None:
            with _ignored(claim):
                await self._messenger.retire_board(claim.match, target)
        return Done()

    async def _erase(self, claim: Claim, replaced: Posted | None = None) -> Done:
        target = replaced or claim.delivery.target
        if target is not None:
            with _ignored(claim):
                await self._messenger.erase(target)
        return Done()

    async def _notice(self, claim: Claim, parked: PutOff | None = None) -> Outcome:
        """Tell a player something; of what calls for a move one knows where it is, to erase it.

        Where the match is played nothing can be posted if its board is ``parked``. A call that is
        refused although the board was not waits like a board.
        """
        player, notice = claim.delivery.audience, claim.delivery.notice
        if claim.overtaken:
            if player is not None and claim.tried_at is not None:
                await self._notices.take_back_calls(claim.match, player, since=claim.tried_at)
            return Done()
        told: Told = None
        if player is not None and notice is not None:
            try:
                told = await self._notices.tell(
                    claim.match,
                    player,
                    notice,
                    nonce=nonce_of(claim),
                    since=claim.tried_at,
                    blocked=None if parked is None else parked.trouble,
                )
            except (Gone, Refused) as error:
                if parked is not None:
                    return replace(parked, line_gone=False)
                if notice.is_call and claim.match.venue is not Venue.DIRECT:
                    raise
                log.info("match %s: notice given up: %s", claim.match.id, error.reason)
        if isinstance(told, datetime):
            return PutOff(told, "quiet", certain=True)
        if told is NoticeWay.DIGEST:
            return Done(for_digest=True)
        hit("c10")
        return Done(told if notice is not None and notice.post is not None else None)

    async def _close(self, claim: Claim) -> Done:
        """Say on a request's message how it ended."""
        target, how = claim.delivery.target, claim.delivery.notice
        if target is not None and how is not None:
            with _ignored(claim):
                player = claim.delivery.audience
                await self._messenger.close_request(claim.match, target, player, how)
        return Done()


def _shows_the_same(claim: Claim) -> bool:
    """Whether a board tells something else than a move: a pause, or a clock that stands."""
    match = claim.match
    return match.status is MatchStatus.RUNNING and claim.delivery.version > match.position_since


def _audience(claim: Claim, channel_id: ChannelId) -> Recipient:
    """The person a delivery is for, or the channel."""
    player = claim.delivery.audience
    if player is None:
        return Recipient(channel_id=channel_id)
    match = claim.match
    return Recipient(user_id=match.players[player] or match.invited[player])


@contextlib.contextmanager
def _ignored(claim: Claim) -> Iterator[None]:
    """Go on without what Discord cannot do any more: nobody misses it."""
    try:
        yield
    except (Gone, Refused) as error:
        kind = claim.delivery.kind.value
        log.info("match %s: %s given up: %s", claim.match.id, kind, error.reason)
