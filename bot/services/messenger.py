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
    """Discord, as far as the outbox needs it.

    A ``nonce`` of at most 25 characters names a post for good: the same post tried again has the
    same nonce, and Discord answers with the message that it made the first time. Posts are silent
    but for notices, and the one that an offer itself is for the people it names.
    """

    async def post_offer(
        self, match: Match, to: Recipient, *, nonce: str, pings: tuple[UserId, ...] = ()
    ) -> Posted:
        """Post an offer with its buttons."""

    async def find_offer(self, match: Match, to: Recipient, *, since: datetime) -> Posted | None:
        """Such an offer, posted since an instant, if it is there already."""

    async def update_offer(self, match: Match, posted: Posted, to: Recipient) -> None:
        """Show on an offer's message, which was posted there, what has become of the offer."""

    async def make_thread(
        self, match: Match, offer: Posted | None, *, may_exist: bool = False
    ) -> ChannelId:
        """Make the match's thread, on the offer's message if there is one, else without.

        A message has at most one thread; if it has it already, that is the answer. Without a
        message, also where it has been deleted, one that an earlier attempt has made is looked for
        if it ``may_exist``.
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
        """Post the board as it stands in ``match``, with its buttons; ``pings`` hear of it.

        ``vacations`` are those of its players.
        """

    async def find_board(
        self, match: Match, to: Recipient, *, version: int, since: datetime, but: Posted | None
    ) -> Posted | None:
        """The newest board of a match from a ``version`` on that is there already, if any.

        It was posted ``since`` an instant, and is known by what stands at its foot; not ``but``.
        """

    def posted_at(self, posted: Posted) -> datetime:
        """When a message was posted, as Discord says."""

    async def outdate_board(self, match: Match, posted: Posted) -> None:
        """Say on a board that it is not the present one, which cannot be posted there."""

    async def close_request(
        self, match: Match, posted: Posted, player: int | None, how: RequestNews
    ) -> None:
        """Say on the message that asked a player for something how that ended.

        Its buttons go.
        """

    async def redraw(
        self,
        match: Match,
        posted: Posted | None,
        to: Recipient,
        *,
        vacations: tuple[UserVacation, ...] = (),
    ) -> None:
        """Have the board that stands name its players as they are called now, and so its thread.

        A thread that was archived is archived again. One that people gave a name keeps that.
        """

    async def retire_board(self, match: Match, posted: Posted) -> None:
        """Take the buttons off an old board."""

    async def notify(self, notice: Notice, to: Recipient, *, silent: bool = False) -> Posted | None:
        """Tell a person something; None if nobody is there to be told.

        Nobody is woken if ``silent``.

        Raises :exc:`DirectRefused` where it was to be a direct message and none may be sent.
        """

    async def find_call(
        self, match: Match, player: int, to: Recipient, *, since: datetime
    ) -> Posted | None:
        """The first line posted since an instant that called a player for a move made by now."""

    def around(self, match: Match) -> ChannelId | None:
        """The channel around the thread of a match, where its players can be called instead.

        None if there is none, or nothing can be posted there either, as far as is known.
        """

    async def remind(
        self, match: Match, player: int, deadline: datetime, to: Recipient, *, nonce: str
    ) -> Posted:
        """Remind the person at a player index, who is on turn, of a deadline.

        Raises :exc:`DirectRefused` where it was to be a direct message and none may be sent.
        """

    async def find_reminder(
        self, match: Match, player: int, deadline: datetime, to: Recipient, *, since: datetime
    ) -> Posted | None:
        """Such a reminder, posted since an instant, if it is there already."""

    async def test_notice(self, user_id: UserId, to: Recipient, *, nonce: str) -> Posted:
        """Show a player how they are told of their turns."""

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
        """Tell a player that their vacation has begun by itself, or that it is over.

        ``match`` is one of theirs that waits for them. Raises :exc:`DirectRefused` where no direct
        message may be sent.
        """

    async def find_word_of_vacation(
        self, user_id: UserId, match: Match | None, to: Recipient, *, is_over: bool, since: datetime
    ) -> Posted | None:
        """Such a word, posted since an instant, if it is there already."""

    async def digest(
        self,
        user_id: UserId,
        matches: tuple[Match, ...],
        *,
        asked: tuple[Match, ...] = (),
        news: tuple[News, ...] = (),
        nonce: str,
    ) -> None:
        """Tell a person directly of all matches that wait for their move.

        And of those that wait for their answer to what is ``asked``, and of what has happened.
        Raises :exc:`DirectRefused` where no direct message may be sent.
        """

    async def find_digest(self, user_id: UserId, *, since: datetime) -> Posted | None:
        """Such a digest, posted since an instant, if it is there already."""

    async def erase(self, posted: Posted) -> None:
        """Delete a message."""
