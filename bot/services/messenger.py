"""The port that sends messages to Discord.

It raises :exc:`~bot.posts.sending.Retry`, :exc:`~bot.posts.sending.Gone` or
:exc:`~bot.posts.sending.Refused`, and nothing else that is expected.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from bot.domain.ids import ChannelId, UserId
from bot.domain.match import Match
from bot.domain.vacation import UserVacation, Vacation
from bot.posts.sending import News, Notice, Posted, Recipient, RequestNews


class Messenger(Protocol):
    """Sends, finds and edits messages for the outbox.

    A ``nonce`` of at most 25 characters names a post for good: Discord answers a retry with the
    message that it made the first time. Posts are silent, except notices, and offers for the
    players they name. ``find_`` methods look for a message that an earlier attempt, ``since`` an
    instant, may have posted. Direct messages raise :exc:`~bot.posts.sending.DirectRefused`.
    """

    async def post_offer(
        self, match: Match, to: Recipient, *, nonce: str, pings: tuple[UserId, ...] = ()
    ) -> Posted:
        """Post an offer with its buttons."""

    async def find_offer(self, match: Match, to: Recipient, *, since: datetime) -> Posted | None:
        """Find an offer."""

    async def update_offer(self, match: Match, posted: Posted, to: Recipient) -> None:
        """Update the message of an offer, which was posted there."""

    async def make_thread(
        self, match: Match, offer: Posted | None, *, may_exist: bool = False
    ) -> ChannelId:
        """Make the thread of a match, on the message of its offer if there is one.

        A message has at most one thread; an existing one is the answer. Without a message, an
        earlier attempt's thread is looked for if it ``may_exist``.
        """

    async def post_board(
        self,
        match: Match,
        to: Recipient,
        *,
        nonce: str,
        pings: tuple[UserId, ...] = (),
        vacations: tuple[UserVacation, ...] = (),
    ) -> Posted:
        """Post the present board; ``pings`` are notified."""

    async def find_board(
        self, match: Match, to: Recipient, *, version: int, since: datetime, but: Posted | None
    ) -> Posted | None:
        """Find the newest board of a match from a ``version`` on, other than ``but``."""

    def posted_at(self, posted: Posted) -> datetime:
        """When Discord received a message."""

    async def outdate_board(self, match: Match, posted: Posted) -> None:
        """Mark a board as old: the present one cannot be posted there."""

    async def close_request(
        self, match: Match, posted: Posted, player: int | None, how: RequestNews
    ) -> None:
        """Say on the message of a request how it ended, and remove its buttons."""

    async def redraw(
        self,
        match: Match,
        posted: Posted | None,
        to: Recipient,
        *,
        vacations: tuple[UserVacation, ...] = (),
    ) -> None:
        """Update the names of players on a board and in the name of its thread.

        An archived thread is archived again. A thread that people renamed keeps its name.
        """

    async def retire_board(self, match: Match, posted: Posted) -> None:
        """Remove the buttons of an old board."""

    async def notify(self, notice: Notice, to: Recipient, *, silent: bool = False) -> Posted | None:
        """Notify a player; None if there is nobody to notify. ``silent`` wakes nobody."""

    async def find_call(
        self, match: Match, player: int, to: Recipient, *, since: datetime
    ) -> Posted | None:
        """Find the first line that called a player for a move made by now."""

    def around(self, match: Match) -> ChannelId | None:
        """The channel around a match's thread, for notices; None if nothing can be posted there."""

    async def remind(
        self, match: Match, player: int, deadline: datetime, to: Recipient, *, nonce: str
    ) -> Posted:
        """Remind the player on turn of a deadline."""

    async def find_reminder(
        self, match: Match, player: int, deadline: datetime, to: Recipient, *, since: datetime
    ) -> Posted | None:
        """Find such a reminder."""

    async def test_notice(self, user_id: UserId, to: Recipient, *, nonce: str) -> Posted:
        """Send a test notice."""

    async def tell_of_vacation(
        self,
        user_id: UserId,
        match: Match | None,
        vacation: Vacation,
        to: Recipient,
        *,
        is_over: bool,
        nonce: str,
    ) -> Posted:
        """Tell a player that their vacation has started by itself, or is over.

        ``match`` is one of theirs that waits for them.
        """

    async def find_word_of_vacation(
        self, user_id: UserId, match: Match | None, to: Recipient, *, is_over: bool, since: datetime
    ) -> Posted | None:
        """Find such a notice."""

    async def digest(
        self,
        user_id: UserId,
        matches: tuple[Match, ...],
        *,
        asked: tuple[Match, ...] = (),
        news: tuple[News, ...] = (),
        nonce: str,
    ) -> None:
        """Send a digest: matches that wait for a move, requests (``asked``) and ``news``."""

    async def find_digest(self, user_id: UserId, *, since: datetime) -> Posted | None:
        """Find such a digest."""

    async def erase(self, posted: Posted) -> None:
        """Delete a message."""
