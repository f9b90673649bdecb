"""Messages of a tournament, and their sender."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.domain.ids import UserId
from bot.posts.sending import Posted
from bot.tournaments.domain.tournament import PlayedGame, Tournament
from bot.tournaments.posts import LATER, Content
from bot.tournaments.services.views import EventView


@dataclass(frozen=True, slots=True)
class Message(Content):
    """A message to be sent; its event is in the view that comes with it.

    ``shown`` is where it stands already, for HOME and for what edits the champion's, or the
    challenge, for ANSWERED. ``nonce`` lets Discord drop a second copy; ``may_exist`` says that an
    attempt may have succeeded, so look for it first. ``replaces`` is an older home message, which
    is put away once this one is noted.
    """

    shown: Posted | None = None
    nonce: str = ""
    may_exist: bool = False
    replaces: Posted | None = None


def round_robin_games(message: Message, t: Tournament) -> list[PlayedGame]:
    """The open games that the notice of a round robin names.

    All rounds are drawn and announced together as it begins; one that is paired again is announced
    by itself.
    """
    first = message.version if message.detail == LATER else 0
    return [
        each
        for each in t.of_entrant(message.entrant)
        if not each.is_over and first <= each.drawn <= message.version
    ]


def invited_by(message: Message, t: Tournament) -> tuple[UserId, ...]:
    """The people on an invitation who have not joined yet."""
    first = int(message.detail or message.version)
    return tuple(each.user_id for each in t.unanswered if first <= each.since <= message.version)


class Announcer(Protocol):
    """The sender of messages to Discord.

    Raises :exc:`~bot.posts.sending.Retry`, :exc:`~bot.posts.sending.Gone` (HOME: the message or its
    channel is gone) and :exc:`~bot.posts.sending.Refused`, as a
    :class:`~bot.services.notices.Messenger` does, and no other expected errors.
    """

    async def announce(self, message: Message, view: EventView) -> Posted | None:
        """Send or edit a message; returns its place, None if there was nothing to send."""
        ...

    async def look(self, posted: Posted) -> None:
        """Check whether a home message still exists."""
        ...

    async def put_away(self, older: Posted) -> None:
        """Delete a home message that a newer one has replaced, or at least remove its buttons."""
        ...


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """A message of a rehearsal, with the event at that time."""

    message: Message
    view: EventView
