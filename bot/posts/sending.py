"""Messages to Discord: kinds of deliveries and notices, and what may come of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from typing import ClassVar, Literal

from bot.domain.ids import ChannelId, MatchId, MessageId, UserId
from bot.domain.match import Match, Venue
from bot.domain.vacation import UserVacation
from bot.posts.notices import PLACES, AnyNotice, RequestNews
from bot.posts.outgoing import Claim, Done, Outgoing, Payload, PutOff, match_key

CARD_AFTER = timedelta(minutes=1)
"""The time after which the card in the channel follows a move: many in a row make one edit."""


class DeliveryKind(Enum):
    """The kinds of tasks of the outbox for a match."""

    OFFER = "offer"
    """Have the offer's message show what is true now; post it while the match is only offered."""
    BOARD = "board"
    """Have a board of at least this version stand, and show what is true now: edit it, and the name
    of its thread; or post it, in a thread that is made for the match if it is to have one."""
    NOTICE = "notice"
    """Tell one player something."""
    TIDY = "tidy"
    """The match has changed: delete or change each post that is past
    (:func:`bot.posts.deliveries.fates`)."""
    REMINDER = "reminder"
    """Remind the player on turn of the deadline, or look for the next hour to do so."""

    @classmethod
    def _missing_(cls, value: object) -> DeliveryKind | None:
        """The kind that has taken the place of a retired one, of which rows may be left."""
        return RETIRED.get(str(value))


RETIRED = {
    "offer_update": DeliveryKind.OFFER,
    "card": DeliveryKind.OFFER,
    "thread": DeliveryKind.BOARD,
    "redraw": DeliveryKind.BOARD,
}


@dataclass(frozen=True, slots=True)
class Posted:
    """A message that exists."""

    channel_id: ChannelId
    message_id: MessageId


Ending = RequestNews | Literal["goes", "said"]
"""The end of the content of a post: it is past, or how its request ended; or that is said."""
Fate = RequestNews | Literal["goes", "retires"]
"""The fate of a post: it is deleted, loses its buttons, or says how its request ended."""


@dataclass(frozen=True, slots=True)
class StandingPost:
    """A message that stands for a match.

    ``kind`` is as what it is remembered, ``audience`` the player index it is for, None for all.
    ``version`` is that of the match which it shows. ``ended`` is what a change has made of it that
    the match itself does not tell later.
    """

    kind: str
    audience: int | None
    posted: Posted
    version: int
    ended: Ending | None = None

    @property
    def place(self) -> tuple[str, int | None]:
        """Of the posts in one place the newest counts."""
        return PLACES.get(self.kind, self.kind), self.audience


def newest(posts: Sequence[StandingPost], kind: str, audience: int | None) -> StandingPost | None:
    """The newest post of a kind for an audience; the ``posts`` are in order."""
    return next((each for each in reversed(posts) if each.place == (kind, audience)), None)


@dataclass(frozen=True, slots=True)
class Reminder:
    """The deadline of a player on turn comes near."""

    deadline: datetime

    is_call: ClassVar = False


@dataclass(frozen=True, slots=True)
class VacationNews:
    """A vacation has begun by itself, and lasts until then; None: it is over."""

    until: datetime | None

    is_call: ClassVar = False


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell a person in a line of words, once; of a ``match``, or of none.

    ``nonce`` names its message. Where an attempt may have succeeded ``since`` an instant, what it
    made is looked for first, among messages that are not ``known`` already. ``blocked`` is why
    nothing can be posted where the match is played, if that is so.
    """

    match: Match | None
    person: UserId
    kind: AnyNotice | Reminder | VacationNews
    nonce: str
    since: datetime | None = None
    blocked: str | None = None
    known: frozenset[Posted] = frozenset()


@dataclass(frozen=True, slots=True)
class Recipient:
    """Where something goes: a channel or thread, or a person's direct messages."""

    channel_id: ChannelId | None = None
    user_id: UserId | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """Something to send, as it is written together with the event that causes it.

    ``audience`` is a player index where it concerns one player alone (a notice; a board or an offer
    in direct messages), else None. ``version`` is that of the match after the event. ``notice`` is
    set for notices, ``hours`` for reminders: so many before the deadline. A message shown ``later``
    follows after :data:`CARD_AFTER`.
    """

    kind: DeliveryKind
    version: int
    audience: int | None = None
    notice: AnyNotice | None = None
    hours: int | None = None
    later: bool = False

    @property
    def blocks_later(self) -> bool:
        """Whether what follows waits for it.

        Tidying up holds nothing up, nor does a message that waits for its hour. Of boards in direct
        messages each player has their own: one is not to wait for another's.
        """
        if self.kind is DeliveryKind.OFFER:
            return not self.later
        return self.kind is DeliveryKind.BOARD and self.audience is None

    @property
    def is_call(self) -> bool:
        """Whether it calls its player for a move."""
        return self.notice is not None and self.notice.is_call

    def board_in(self, posts: Sequence[StandingPost], match: Match) -> StandingPost | None:
        """The board that is only to be edited; None where another one is to be posted."""
        shown = newest(posts, "board", self.audience)
        if shown is None or shown.version < self.version or shown.ended == "said":
            return None
        home = match.home_id or match.origin.channel_id
        return shown if self.audience is not None or shown.posted.channel_id == home else None

    def payload(self) -> Payload:
        """All of it but the kind, for the outbox."""
        return {
            "version": self.version,
            "audience": self.audience,
            "notice": None if self.notice is None else self.notice.value,
            "hours": self.hours,
        }

    def message(self, match_id: MatchId, due_at: datetime) -> Outgoing:
        """It as a message of the outbox."""
        slot = None
        if self.kind in (DeliveryKind.OFFER, DeliveryKind.REMINDER, DeliveryKind.TIDY):
            is_of_all = self.audience is None or self.kind is DeliveryKind.REMINDER
            slot = self.kind.value if is_of_all else f"{self.kind.value}{self.audience}"
        return Outgoing(
            self.kind.value,
            match_key(match_id),
            due_at + CARD_AFTER if self.later else due_at,
            self.payload(),
            slot=slot,
            blocks_later=self.blocks_later,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchClaim(Claim):
    """A delivery of a match that this process is to make.

    ``match`` is the head when it was claimed. ``posts`` are the messages that stand for it, the
    newest last; the claims of a batch share them, and each adds what it posts. With a board come
    the ``vacations`` of its players, and the indices of those who are still to hear that the match
    is ``over``: a board can call them by itself, so that no line follows it for each of them.
    """

    delivery: Delivery
    match: Match
    posts: list[StandingPost] = field(hash=False)
    vacations: tuple[UserVacation, ...] = ()
    over: tuple[int, ...] = ()

    @property
    def wants_thread(self) -> bool:
        """Whether it is a board in a thread that is still to be made."""
        is_board, match = self.delivery.kind is DeliveryKind.BOARD, self.match
        return is_board and match.venue is Venue.THREAD and match.home_id is None

    @property
    def shows(self) -> tuple[object, ...]:
        """Its kind and reader: of those with the same the last one shows the state.

        A board for all that holds nothing up is an edit of the one that stands, and overtakes none.
        """
        is_board = self.delivery.kind is DeliveryKind.BOARD
        return self.delivery.kind, self.delivery.audience, is_board and self.blocks_later

    def post(self, posted: Posted) -> StandingPost | None:
        """As what the message that came of it is remembered; None where it just stays.

        Like a board a call stands in the channel for everybody, or in the direct messages of one.
        """
        delivery, match, notice = self.delivery, self.match, self.delivery.notice
        if delivery.kind in (DeliveryKind.OFFER, DeliveryKind.BOARD):
            version = delivery.version if self.may_exist else match.version
            return StandingPost(delivery.kind.value, delivery.audience, posted, version)
        kind = "reminder" if notice is None else notice.post
        is_line = kind in ("line", "reminder") and match.venue is not Venue.DIRECT
        audience = None if is_line else delivery.audience
        # How a request has ended is worth reading late, and goes with the next turn that is over.
        version = match.version if kind == "word" else delivery.version
        return None if kind is None else StandingPost(kind, audience, posted, version)


@dataclass(frozen=True, slots=True)
class MatchDone(Done):
    """A delivery was made: the message that now stands for its audience.

    ``for_digest`` says that the next digest is to tell what the notice would have told. ``tidied``
    is what has become of posts.
    """

    posted: Posted | None = None
    for_digest: bool = False
    tidied: tuple[tuple[StandingPost, Fate], ...] = ()


@dataclass(frozen=True, slots=True)
class MatchPutOff(PutOff):
    """A delivery of a match could not be made.

    ``home_id`` is where the match goes on from now on, if not where it was; then it is due at once.
    """

    home_id: ChannelId | None = None


@dataclass(frozen=True, slots=True)
class News:
    """A notice in a digest, in place of a message of its own.

    ``match`` is the match as it is now, ``version`` the one to which the event led.
    """

    match: Match
    version: int
    notice: AnyNotice


class Retry(Exception):
    """Discord cannot do it now.

    ``after`` seconds at least, None for the outbox's own patience. ``sent`` says whether it may
    have been done although the answer was lost, so that the next try must be recognisable.
    """

    def __init__(self, after: float | None = None, *, sent: bool = False) -> None:
        super().__init__(after, sent)
        self.after = after
        self.sent = sent


class Never(Exception):
    """It will not be done. ``reason`` is a word for the log."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Gone(Never):
    """The message or channel is gone."""


class Refused(Never):
    """Discord will not do it, now or later (no permission)."""


class DirectRefused(Refused):
    """The person takes no direct messages from us."""
