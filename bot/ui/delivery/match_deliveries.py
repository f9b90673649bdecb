"""The messages of a match: its offer, its thread, its boards, and the notices to its players.

There are fallbacks for all that Discord will not do: no thread, then the channel; a home that is
gone, then a new one; a board that is refused, then direct messages to those who want them. Nothing
here can change or lose a move.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from bot.clock import Clock
from bot.domain.ids import ChannelId
from bot.domain.match import MatchStatus, Venue
from bot.domain.preferences import NoticeWay
from bot.domain.untold_turns import AT_MOST
from bot.errors import UserError
from bot.failpoints import hit
from bot.logs import logger
from bot.posts.deliveries import fates
from bot.posts.notices import NoticeKind, RequestNews
from bot.posts.outgoing import MOVED, Claim, Done, Handler, Outcome, PutOff
from bot.posts.sending import (
    RETIRED,
    Delivery,
    DeliveryKind,
    Fate,
    Gone,
    MatchClaim,
    MatchDone,
    MatchPutOff,
    Notice,
    Posted,
    Recipient,
    Refused,
    Retry,
    StandingPost,
    newest,
)
from bot.services.pairing import Pairing
from bot.services.rate_limits import CROWDED, ServerShares
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.delivery.notices import Notices, first_found, waited_for

_log = logger(__name__)


def nonce_of(claim: MatchClaim) -> str:
    """The name of a post for Discord, the same however often it is tried; at most 25 characters."""
    letter = claim.delivery.kind.value[0]
    return f"{claim.match.id}{letter}{claim.delivery.version:x}.{claim.id:x}"[:25]


@dataclass(eq=False)
class MatchDeliveries(Handler):
    """Makes the deliveries of matches.

    ``notices`` knows how people want to be told, ``pairing`` how many threads a server may have,
    ``shares`` how many messages.
    """

    messenger: DiscordMessenger
    notices: Notices
    clock: Clock
    pairing: Pairing
    shares: ServerShares
    kinds = frozenset(
        {*RETIRED, *(each.value for each in DeliveryKind if each is not DeliveryKind.REMINDER)}
    )
    # Direct messages get through behind a board that Discord will not have.
    passing = frozenset({DeliveryKind.NOTICE.value, DeliveryKind.TIDY.value})

    async def make(self, claim: Claim) -> Outcome:
        """Make a delivery."""
        assert isinstance(claim, MatchClaim)  # noqa: S101 - the store loads matches with them
        if _is_posted(claim):
            due = self.shares.take(claim.match.origin.guild_id, nonce_of(claim))
            if due is not None:
                return PutOff(due, CROWDED, certain=True)
        make = {
            DeliveryKind.OFFER: self._offer,
            DeliveryKind.BOARD: self._board,
            DeliveryKind.NOTICE: self._notice,
            DeliveryKind.TIDY: self._tidy,
        }[claim.delivery.kind]
        made = await make(claim)
        post = claim.post(made.posted) if isinstance(made, MatchDone) and made.posted else None
        if post is not None:
            claim.posts.append(post)
        return made

    # ---- each kind of delivery -------------------------------------------------------------

    async def _offer(self, claim: MatchClaim) -> Done:
        """Have the message of an offer show what is true now: edit it, or post it.

        Named opponents that it does not mention get a notice of their own. A rematch that was
        declined goes, as its maker is told.
        """
        match, posted = claim.match, None
        offer = newest(claim.posts, "offer", claim.delivery.audience)
        if offer is not None:
            with _ignored(claim):
                if match.is_rematch and match.status is MatchStatus.DECLINED:
                    await self.messenger.erase(offer.posted)
                elif not claim.overtaken:
                    to = _audience(claim, offer.posted.channel_id)
                    await self.messenger.show_offer(match, to, offer.posted)
            return Done()
        to = _audience(claim, match.origin.channel_id)
        if claim.tried_at is not None:
            with contextlib.suppress(Gone, Refused):
                posted = await self.messenger.find_offer(match, to, since=claim.tried_at)
        if posted is None and (claim.overtaken or match.status is not MatchStatus.OFFERED):
            return Done()
        called = await self.notices.called_by_offer(match, to)
        posted = posted or await self.messenger.show_offer(
            match, to, nonce=nonce_of(claim), pings=called
        )
        now, version, challenged = self.clock.now(), claim.delivery.version, NoticeKind.CHALLENGED
        told = tuple(
            Delivery(DeliveryKind.NOTICE, version, player, challenged).message(match.id, now)
            for player, person in waited_for(match)
            if person not in called and to.user_id in (None, person)
        )
        return MatchDone(posted=posted, then=told)

    async def _board(self, claim: MatchClaim) -> Outcome:
        """Have the present board stand, once its thread is there or is known not to be had.

        Of those in direct messages the last one is given up where it is refused; any other waits.
        A board that stands and cannot be edited any more stays as it is.
        """
        match = claim.match
        if claim.wants_thread:
            offer = newest(claim.posts, "offer", None)
            return await self._goes_on_in_thread(claim, None if offer is None else offer.posted)
        to = _audience(claim, match.home_id or match.origin.channel_id)
        is_direct = to.channel_id is None
        is_erased = is_direct and (to.user_id or -1) < 0
        posted = None if is_erased else await self._found(claim, to)
        stands, show = claim.delivery.board_in(claim.posts, match), self.messenger.show_board
        if stands is not None:
            with _ignored(claim), contextlib.suppress(UserError):
                await show(match, to, stands.posted, vacations=claim.vacations)
        elif posted is None and not (is_erased or claim.overtaken):
            called = () if is_direct else await self.notices.called_by_board(match, claim.over)
            try:
                posted = await show(
                    match, to, nonce=nonce_of(claim), pings=called, vacations=claim.vacations
                )
            except (Gone, Refused) as error:
                is_lost = isinstance(error, Gone) and match.home_id != match.origin.channel_id
                if is_lost and match.venue is Venue.THREAD:
                    _log.info("the place of a match is gone", match=match.id, reason=error.reason)
                    return await self._goes_on_in_thread(claim, None)
                if not is_direct or match.status is MatchStatus.RUNNING:
                    # The old one calls a player who is not on turn now.
                    shown = newest(claim.posts, "board", claim.delivery.audience)
                    if shown is not None and claim.attempts == 1:
                        with contextlib.suppress(Gone, Refused, Retry):
                            await self.messenger.outdate_board(match, shown.posted)
                    raise
                _log.info("no last board", match=match.id, reason=error.reason)
        hit("c8")
        return MatchDone(posted=posted)

    async def _goes_on_in_thread(self, claim: MatchClaim, offer: Posted | None) -> MatchPutOff:
        """Make a thread for a match, under its offer or in place of the one before.

        Where none is to be had the match goes on in the channel. The new home is kept before
        anything is posted there, so that no second one is made.
        """
        match, gone = claim.match, claim.match.home_id
        home = match.origin.channel_id
        if await self.pairing.reserve_thread(match, gone):
            try:
                home = await self.messenger.make_thread(match, offer, may_exist=claim.may_exist)
            except (Gone, Refused) as error:
                _log.info("no thread", match=match.id, reason=error.reason)
                await self.pairing.return_thread(match, gone)
        else:
            _log.info("no thread: too many in this hour", match=match.id)
        return MatchPutOff(self.clock.now(), MOVED, certain=True, home_id=home)

    async def _found(self, claim: MatchClaim, to: Recipient) -> Posted | None:
        """The board that an earlier attempt may have posted: Discord forgets a nonce in minutes.

        The match may go on elsewhere since then.
        """
        if claim.tried_at is None:
            return None
        places, shown = [to], newest(claim.posts, "board", claim.delivery.audience)
        if shown is not None and to.channel_id is not None:
            places.append(Recipient(shown.posted.channel_id))
        but, since = None if shown is None else shown.posted, claim.tried_at
        return await first_found(
            dict.fromkeys(places),
            lambda place: self.messenger.find_board(
                claim.match, place, version=claim.delivery.version, since=since, but=but
            ),
        )

    async def _tidy(self, claim: MatchClaim) -> Done:
        """Have each message that is past go, lose its buttons, or say how its request ended."""
        found = fates(claim.posts, claim.match)
        tried = (self._end(claim, post, end) for post, end in found.items())
        for each in await asyncio.gather(*tried, return_exceptions=True):
            if each is not None:
                raise each
        return MatchDone(tidied=tuple(found.items()))

    async def _end(self, claim: MatchClaim, post: StandingPost, end: Fate) -> None:
        with _ignored(claim):
            if isinstance(end, RequestNews):
                await self.messenger.close_request(claim.match, post.posted, post.audience, end)
            elif end == "goes":
                await self.messenger.erase(post.posted)
            else:
                hit("c9")
                await self.messenger.retire_board(post.posted)

    async def _notice(self, claim: MatchClaim) -> Outcome:
        """Tell a player something.

        Where the match is played nothing can be posted if its board is parked. A call that is
        refused although the board was not waits like a board; so does, where the match is played in
        direct messages, whatever else its player is to hear: they have no other place to read it,
        and are told at their next interaction (:meth:`bot.services.blocked.Blocked.owed_to`).
        """
        match, kind, player = claim.match, claim.delivery.notice, claim.delivery.audience
        assert player is not None and kind is not None  # noqa: S101, PT018 - notices have both
        person = (match.invited if kind is NoticeKind.CHALLENGED else match.players)[player]
        if person is None or person < 0:
            return Done()  # erased, or a computer
        blocked = None if claim.parked is None else claim.parked.trouble
        known = frozenset(each.posted for each in claim.posts)
        notice = Notice(match, person, kind, nonce_of(claim), claim.tried_at, blocked, known)
        if claim.overtaken:
            return MatchDone(posted=await self.notices.found(notice))
        board, told = newest(claim.posts, "board", None), None
        if board is not None and board.version < claim.delivery.version:
            board = None  # it does not show yet what is told
        try:
            told = await self.notices.tell(notice, board=None if board is None else board.posted)
        except (Gone, Refused) as error:
            if claim.parked is not None:
                return claim.parked
            if kind.is_call or self._waits_for_its_player(claim):
                raise
            _log.info("a notice given up", match=match.id, reason=error.reason)
        if isinstance(told, PutOff):
            return told
        if told is NoticeWay.DIGEST:
            return MatchDone(for_digest=True)
        hit("c10")
        return MatchDone(posted=None if kind.post is None else told)

    def _waits_for_its_player(self, claim: MatchClaim) -> bool:
        """Whether a refused notice is kept for its player; two quiet weeks are long enough."""
        match = claim.match
        return match.venue is Venue.DIRECT and self.clock.now() - match.updated_at < AT_MOST


def _is_posted(claim: MatchClaim) -> bool:
    """Whether a delivery is a message that counts towards the share of its server.

    Of notices those that are said there, which :class:`~bot.ui.delivery.notices.Notices` knows.
    """
    kind, match = claim.delivery.kind, claim.match
    is_posted = kind is DeliveryKind.BOARD and not claim.delivery.board_in(claim.posts, match)
    if kind is DeliveryKind.OFFER and newest(claim.posts, "offer", None) is None:
        is_posted = match.status is MatchStatus.OFFERED
    return is_posted and match.venue is not Venue.DIRECT and not claim.overtaken


def _audience(claim: MatchClaim, channel_id: ChannelId) -> Recipient:
    """The person a delivery is for, or the channel."""
    player = claim.delivery.audience
    if player is None:
        return Recipient(channel_id=channel_id)
    match = claim.match
    return Recipient(user_id=match.players[player] or match.invited[player])


@contextlib.contextmanager
def _ignored(claim: MatchClaim) -> Iterator[None]:
    """Go on without what Discord can no longer do: nobody misses it."""
    try:
        yield
    except (Gone, Refused) as error:
        kind = claim.delivery.kind.value
        _log.info("given up", match=claim.match.id, kind=kind, reason=error.reason)
