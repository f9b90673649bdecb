"""The messages of tournaments: their kinds and readers, and their rows in the outbox."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import cast

from bot.domain.codec import read, write
from bot.domain.events import JsonValue, micros, moment
from bot.domain.ids import TournamentId, UserId
from bot.posts.outgoing import TOURNAMENT, Key, Outgoing, Payload, key_of
from bot.posts.sending import Posted
from bot.tournaments.domain.tournament import PlayedGame, Tournament

LATER = "later"
"""The detail of the notice of a round that was drawn after the event had begun."""
RISEN, FALLEN = "risen", "fallen"
"""The details of the notice of a league's next season."""


class MessageKind(Enum):
    """The kinds of messages, to players where nothing else is said.

    Their words are in ``ui/message_pages.py``. Most follow from facts, see
    ``services/consequences.py``; others the runner sends.
    """

    HOME = "home"
    """The present home message: post it, or edit it in its place."""
    ROUND = "round"
    """All one's games in a round, or the bye; ``detail`` is :data:`LATER` if the event had begun
    before."""
    NO_FINAL = "no_final"
    WARNED = "warned"
    WITHDRAWN = "withdrawn"
    EXCLUDED = "excluded"
    INVITED = "invited"
    """To a listed person, and once in the channel for a whole list, whose first event is
    ``detail``."""
    CHECK_IN = "check_in"
    ENTERED = "entered"
    """A director entered you, or you replace a player."""
    REPLACED = "replaced"
    """To the player before."""
    OPPONENT = "opponent"
    """Another player sits opposite you in a game that is not over."""
    DECIDED = "decided"
    CORRECTED = "corrected"
    UNFINISHED = "unfinished"
    FORFEITED = "forfeited"
    REDRAWN = "redrawn"
    EXTENDED = "extended"
    """There is more time; in the channel: the promised day has moved."""
    PAUSED = "paused"
    """In the channel, as RESUMED."""
    RESUMED = "resumed"
    CANCELLED = "cancelled"
    """Also to the directors, if none of them did it."""
    CHALLENGED = "challenged"
    """``detail`` names the challenger where it is repeated: you took another player's place, or a
    cancellation was taken back."""
    ANSWERED = "answered"
    """The challenge by the entrant that ``detail`` names has ended, or another player answers it
    now: its message says so, and has no buttons any more."""
    DECLINED = "declined"
    SUNK = "sunk"
    REVIVED = "revived"
    """A cancellation was taken back."""
    FINISHED = "finished"
    """The champion, once, in the channel. Edited where it stands if ``detail`` is
    :data:`PODIUM_AGAIN`."""
    BLOCKED_PAIRS = "blocked_pairs"
    """To the directors, or if none is left to people who manage the server: entrants have blocked
    one another, ``1-3 2-3``."""
    TROUBLE = "trouble"
    """To the same people: something hinders the event, a :class:`TournamentTrouble`."""
    APPOINTED = "appointed"
    DISMISSED = "dismissed"
    SEASON = "season"
    """``detail`` is :data:`RISEN` or :data:`FALLEN` for those who change their division."""


PODIUM_AGAIN = "podium_again"
"""The detail if a player's name has changed since the champion was announced."""


class TournamentTrouble(Enum):
    """Troubles that hinder an event, explained in ``ui/message_pages.py``."""

    HOME_GONE = "home_gone"
    NO_THREADS = "no_threads"
    """For now; games for one sitting are played in direct messages."""
    SIDE_BY_SIDE = "side_by_side"
    """Threads are not allowed in the home channel."""
    WAITING = "waiting"
    NO_PAIRING = "no_pairing"
    PAIRING_FAILS = "pairing_fails"
    DIRECTOR_LEFT = "director_left"
    GAVE_WAY = "gave_way"
    """Players who were kept apart meet in a round, that of ``game``; it goes on."""
    UNREACHABLE = "unreachable"
    """A player could not be notified of their turn for too long; the rule decided ``game``."""


ALL_DIRECTORS = -1
"""All present directors when a message is sent."""


@dataclass(frozen=True, slots=True)
class NewMessage:
    """Something to tell, as it is written with the event that causes it.

    ``version`` is the number of that event, 0 for the last one of the act; ``game`` names a game
    where it is about one; ``detail`` is a code. The reader is the player of an ``entrant`` when it
    is sent, or the one before (``former``); a ``director`` (0 is the creator, then those appointed,
    or :data:`ALL_DIRECTORS` ``but`` one); the person the event is about (``subject``); or else the
    channel. ``user_id`` is that person, None for the channel; it is not kept.
    """

    kind: MessageKind
    version: int = 0
    entrant: int = 0
    user_id: UserId | None = None
    game: str = ""
    detail: str = ""
    director: int | None = None
    but: int | None = None
    former: bool = False
    subject: bool = False


@dataclass(frozen=True, slots=True)
class Message(NewMessage):
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


_TOGETHER = timedelta(seconds=5)
"""The home message is edited at most this often. A round is announced this much later than it is
drawn, so that its matches are there to be linked to."""
_MICROSECOND = timedelta(microseconds=1)
LOOK = "look"
"""The detail of an up-to-date home message that is only looked for."""
AGAIN = "again"
"""The slot of a home message that is posted again; its detail is the id of the older one."""
_PODIUM = "podium"
"""The name of the winners' announcement, and the slot of an edit of it."""


def outgoing_of(t: Tournament, message: NewMessage) -> Outgoing:
    """A message of a tournament as a row of the outbox; messages to one addressee stay in order."""
    is_home = message.kind is MessageKind.HOME
    to = "home" if is_home else f"{message.entrant}{'f' if message.former else ''}"
    if message.director is not None:
        to = "directors" if message.director == ALL_DIRECTORS else f"d{message.director}"
    if message.subject:
        to = f"s{message.version}"
    due = t.updated_at
    if is_home and t.version > 1:
        due = _next_showing(due)
    elif message.kind is MessageKind.ROUND:
        due += _TOGETHER
    return Outgoing(
        TOURNAMENT,
        key_to(t.id, to),
        due,
        _payload(replace(message, version=message.version or t.version)),
        slot="home" if is_home else None,
    )


def key_to(tournament_id: TournamentId, to: str | int) -> Key:
    """The key of messages to an entrant, by number, or another addressee of a tournament."""
    return key_of(TOURNAMENT, f"{tournament_id}.{to}")


def _payload(message: NewMessage) -> Payload:
    """A message as stored in a row: without the person, and its kind as ``message``."""
    found = cast("dict[str, JsonValue]", write(replace(message, user_id=None)))
    return {"message": found.pop("kind"), **{k: v for k, v in found.items() if k != "user_id"}}


def message_of(payload: Payload) -> NewMessage:
    """The message of a row."""
    about = {**payload, "kind": payload["message"]}
    return cast("NewMessage", read(NewMessage, {k: v for k, v in about.items() if k != "message"}))


def home_again(tournament_id: TournamentId, now: datetime) -> Outgoing:
    """Have the home message updated, for example when a match has got its thread."""
    return of_home(tournament_id, _next_showing(now))


def podium_again(tournament_id: TournamentId, version: int, now: datetime) -> Outgoing:
    """Have the winners' announcement updated with the present names of its players."""
    payload = _payload(NewMessage(MessageKind.FINISHED, version=version, detail=PODIUM_AGAIN))
    key = key_to(tournament_id, 0)
    return Outgoing(TOURNAMENT, key, now, payload, slot=_PODIUM, blocks_later=False)


def podium_key(tournament_id: TournamentId) -> Key:
    """The key of the winners' announcement."""
    return key_of(_PODIUM, tournament_id)


def of_home(
    tournament_id: TournamentId, due: datetime, detail: str = "", *, slot: str = "home"
) -> Outgoing:
    """A row for the home message; nothing waits for one that is only looked for."""
    payload = _payload(NewMessage(MessageKind.HOME, version=1, detail=detail))
    key, waits = key_to(tournament_id, "home"), detail != LOOK
    return Outgoing(TOURNAMENT, key, due, payload, slot=slot, blocks_later=waits)


def _next_showing(now: datetime) -> datetime:
    """An instant that stays the same for all changes until then."""
    return moment(-(-micros(now) // (_TOGETHER // _MICROSECOND)) * (_TOGETHER // _MICROSECOND))
