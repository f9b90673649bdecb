"""Arguments and answers of transactions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from bot.domain.events import Event, JsonValue
from bot.domain.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.domain.match import Match, Venue
from bot.domain.ratings.rated import RatingRecord
from bot.domain.untold_turns import UntoldTurn
from bot.domain.vacation import Vacation
from bot.posts.sending import Delivery, DeliveryKind


@dataclass(frozen=True, slots=True)
class Overdue:
    """A running match whose deadline, as it is stored, has passed."""

    match_id: MatchId
    deadline: datetime


@dataclass(frozen=True, slots=True)
class Outage:
    """A span in which nobody in a scope (:mod:`bot.services.presence`) could act."""

    scope: str
    began_at: datetime
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An act of a person who manages a server, with the choices before and after it."""

    at: datetime
    guild_id: GuildId
    user_id: UserId
    act: str
    before: Mapping[str, JsonValue] = field(hash=False)
    after: Mapping[str, JsonValue] = field(hash=False)


class TallyKind(Enum):
    """The things that are counted for a while."""

    OFFER = "offer"
    """A match was offered to a person by name."""
    DECLINE = "decline"
    """The person declined it."""
    THREAD = "thread"
    """A thread was made in a server."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Something between the person who asks and another one."""

    kind: TallyKind
    other: UserId
    at: datetime
    game: str
    """The key of the game that was offered."""


@dataclass(frozen=True, slots=True)
class PairingFacts:
    """The facts that may keep some people from being brought together.

    ``blocks``
        among these people: the one who blocked and the one blocked.
    ``running``
        how many matches each of them has running; nobody is missing.
    ``offers``
        how many offers of the first of them are open.
    ``tallies``
        what was between the first of them and the others lately.
    ``running_in_server``
        how many matches run in the server.
    ``rated``
        how many rated matches of the game the first of them has or lately had with each of the
        others: those in which both have their seats and those rated since then. Nobody is missing,
        unless the match does not count for ratings.
    ``with_computers``
        how many matches against computers the first of them has running; None unless one sits at
        this table, too.
    ``computers_waiting``
        how much computers have to do that nobody is at, then.
    """

    blocks: frozenset[tuple[UserId, UserId]]
    running: Mapping[UserId, int] = field(hash=False)
    offers: int
    tallies: tuple[Tally, ...]
    running_in_server: int
    rated: Mapping[UserId, int] = field(hash=False)
    with_computers: int | None = None
    computers_waiting: int = 0
    computers_waiting_here: int = 0


@dataclass(frozen=True, slots=True)
class ServerLoad:
    """How many threads were made in a server lately or are to be made, and how many matches run.

    ``made`` is when each of those that were made was, the oldest first.
    """

    threads: int
    running: int
    made: tuple[datetime, ...] = ()


@dataclass(frozen=True, slots=True)
class PairingCheck:
    """The check of an offer or of a seat to be taken, in the transaction that writes it.

    ``people`` are those to be brought together, the one who asks first, in a server (None: in
    direct messages); tallies count from ``since``, and for a ``rated_game`` matches rated after
    ``rated_since``. ``judge`` raises the :exc:`~bot.errors.UserError` that refuses, and nothing is
    written; it may run on any thread.
    """

    people: tuple[UserId, ...]
    guild_id: GuildId | None
    since: datetime
    rated_game: str | None
    rated_since: datetime
    judge: Callable[[PairingFacts], None]
    has_computers: bool = False


@dataclass(frozen=True, slots=True)
class VacationNotice:
    """When a person is to be told about their vacation, None for never."""

    at: datetime | None


@dataclass(frozen=True, slots=True)
class VacationRow:
    """A vacation of a player, by its number from 1, and what is still to be done about it.

    ``version``
        how often it was written; 0 if never.
    ``changed_at``, ``interaction_id``
        when it was written last, and by which interaction (None: by the host itself).
    ``line_at``
        from when on matches that run are to be brought in line with it; None if that is done.
    ``telling``
        written with it: when its person is to be told about it next; None leaves that as it was.
    """

    user_id: UserId
    number: int
    version: int
    vacation: Vacation
    changed_at: datetime
    interaction_id: InteractionId | None = None
    line_at: datetime | None = None
    telling: VacationNotice | None = None


@dataclass(frozen=True, slots=True)
class MatchNotes:
    """A person's own notes on a match, by ply, and whether it is a favourite.

    Ply 0 is the start of the match.
    """

    is_favourite: bool = False
    notes: tuple[tuple[int, str], ...] = ()

    def note(self, ply: int) -> str:
        """The note on a ply, '' if there is none."""
        return dict(self.notes).get(ply, "")


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A rated match of a player: its id and end, their place from 0, the number shown after it."""

    match_id: MatchId
    at: datetime
    rank: int
    points: int


@dataclass(frozen=True, slots=True)
class Win:
    """A rated match that a player won: the opponent, and the rating shown for them after it."""

    match_id: MatchId
    game: str
    at: datetime
    other: UserId
    points: int


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """A player's present rating in a game, and whether it is provisional."""

    user_id: UserId
    game: str
    points: int
    is_provisional: bool
    record: RatingRecord

    def __str__(self) -> str:
        """The rating, with a question mark while it is provisional."""
        return f"{self.points}{'?' if self.is_provisional else ''}"


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The rating of a player before and after a match."""

    user_id: UserId
    before: int
    after: int


class JobKind(Enum):
    """The kinds of work for computers."""

    TURN = "turn"
    """Play, or answer what a player asks for, in a match in which a computer has a seat."""
    REVIEW = "review"
    """Look at the next moves of a match that is over."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job that is leased under the name ``lease``.

    ``version`` is that of the match for which it is to be done, ``level`` that of the computer;
    ``user_id`` is the person who waits for it. ``attempts`` counts how often it was taken before.
    """

    id: int
    kind: JobKind
    match_id: MatchId
    version: int
    level: int
    user_id: UserId | None
    attempts: int
    lease: str


@dataclass(frozen=True, slots=True)
class Queue:
    """How much is waiting: jobs that nobody is at, and how many are being done."""

    waiting: int = 0
    taken: int = 0


@dataclass(frozen=True, slots=True)
class RefusedDelivery:
    """A delivery that Discord has refused, and that waits for something to change.

    ``id`` is that of the delivery, ``match`` its head when it was looked at, ``trouble`` the word
    of the refusal.
    """

    id: int
    match: Match
    delivery: Delivery
    trouble: str

    @property
    def is_offer(self) -> bool:
        """Whether an offer could not be posted."""
        return self.delivery.kind is DeliveryKind.OFFER

    @property
    def channel_id(self) -> ChannelId:
        """Where it was to go."""
        channel = self.match.origin.channel_id
        return channel if self.is_offer else self.match.home_id or channel

    @property
    def user_id(self) -> UserId | None:
        """The person it concerns alone, if it does."""
        player = self.delivery.audience
        return None if player is None else self.match.players[player]

    @property
    def is_direct(self) -> bool:
        """Whether it is the board or the notice of one player in direct messages."""
        is_direct = self.match.venue is Venue.DIRECT and not self.is_offer
        return is_direct and self.delivery.audience is not None


@dataclass(frozen=True, slots=True)
class Blockages:
    """All that Discord has refused, and the turns that are not told for whatever reason.

    ``not_shown`` are the servers in which a lobby, or another message that stands, is not shown;
    ``unread`` the people who have news that no digest will tell.
    """

    parked: tuple[RefusedDelivery, ...] = ()
    turns: tuple[UntoldTurn, ...] = ()
    not_shown: frozenset[GuildId] = frozenset()
    unread: frozenset[UserId] = frozenset()


@dataclass(frozen=True, slots=True)
class Piece:
    """Some matches with their histories: those after an id, none after the last."""

    after: str
    found: tuple[tuple[Match, tuple[Event, ...]], ...]


@dataclass(frozen=True, slots=True)
class SetAside:
    """A match that is set aside, and since when."""

    match_id: MatchId
    since: datetime


ANY = 0
"""In the place of an application: the next one."""


@dataclass(frozen=True, slots=True)
class Turn:
    """When a turn began, and how many hours before its deadline its player was reminded of it."""

    began: datetime
    given: frozenset[int]
