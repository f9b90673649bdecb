"""The messages of tournaments: their kinds and readers, and their rows in the outbox."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import cast

from bot.domain.codec import read, write
from bot.domain.events import JsonValue, micros, moment
from bot.domain.ids import MessageId, TournamentId, UserId
from bot.posts.outgoing import TOURNAMENT, Key, Outgoing, Payload, key_of
from bot.tournaments.domain.tournament import Tournament

LATER = "later"
"""The detail of the notice of a round that was drawn after the event had begun."""
RISEN, FALLEN = "risen", "fallen"
"""The details of the notice of a league's next season."""


class MessageKind(Enum):
    """The kinds of messages, each with its readers in brackets."""

    HOME = "home"
    """The present home message: post it, or edit it in its place. [channel]"""
    ROUND = "round"
    """A round was drawn: all one's games in it, or the bye; ``detail`` is :data:`LATER` if the
    event had begun before. [entrant]"""
    NO_FINAL = "no_final"
    """The final table was drawn, and you are not at it: your place is settled. [entrant]"""
    WARNED = "warned"
    """One more loss on time puts you out. [entrant]"""
    WITHDRAWN = "withdrawn"
    """You are out, with the reason: see ``Leaving`` in the event. [entrant]"""
    EXCLUDED = "excluded"
    """A director put you out, with the reason. [entrant]"""
    INVITED = "invited"
    """A director listed you; you are in once you join. [person]

    The same once for a whole list, whose first event is ``detail``. [channel]
    """
    CHECK_IN = "check_in"
    """Confirm that you are there, or you are not paired. [entrant]"""
    ENTERED = "entered"
    """A director entered you, or you replace a player. [entrant]"""
    REPLACED = "replaced"
    """Another person plays in your place. [person]"""
    OPPONENT = "opponent"
    """Another player sits opposite you in a game that is not over. [entrant]"""
    DECIDED = "decided"
    """A director gave your game its result, with the reason. [entrant]"""
    CORRECTED = "corrected"
    """A director changed the result of your game, with the reason. [entrant]"""
    UNFINISHED = "unfinished"
    """The last day came, and the stated rule decided your game. [entrant]"""
    FORFEITED = "forfeited"
    """A game ended without being played, lost by the player who did not come. [entrant]"""
    REDRAWN = "redrawn"
    """A round was undone and will be paired again. [entrant]"""
    EXTENDED = "extended"
    """There is more time, with its end. [entrant] The promised day has moved. [channel]"""
    PAUSED = "paused"
    """[channel]"""
    RESUMED = "resumed"
    """[channel]"""
    CANCELLED = "cancelled"
    """There will be no result, and why: too few entered, or a director's reason. [entrant;
    directors, if none of them did it]"""
    CHALLENGED = "challenged"
    """A player of the ladder challenges you; accept or decline until then. ``detail`` names them
    where it is repeated: you took another player's place, or a cancellation was taken back.
    [entrant]"""
    ANSWERED = "answered"
    """The challenge by the entrant that ``detail`` names has ended, or another player answers it
    now: its message says so, and has no buttons any more. [entrant] [person]"""
    DECLINED = "declined"
    """Your challenge was declined or not answered. [entrant]"""
    SUNK = "sunk"
    """You stand one rung lower on the ladder, since you haven't played for long. [entrant]"""
    REVIVED = "revived"
    """A cancellation was taken back. [entrant]"""
    FINISHED = "finished"
    """The champion, with the table or bracket; said once, apart from the home message. Edited where
    it stands if ``detail`` is :data:`PODIUM_AGAIN`. [channel]"""
    BLOCKED_PAIRS = "blocked_pairs"
    """Entrants have blocked one another, seen when one joined: ``1-3 2-3``. [directors]

    Where no director is left, it is for people who manage the server, like a TROUBLE. [channel]"""
    TROUBLE = "trouble"
    """Something hinders the event: ``detail`` is a code. [directors]"""
    APPOINTED = "appointed"
    """You direct the event from now on. [person]"""
    DISMISSED = "dismissed"
    """You are no longer a director. [person]"""
    SEASON = "season"
    """The next season of the league is open; you are in unless you leave. ``detail`` is
    :data:`RISEN` or :data:`FALLEN` for those who change their division. [entrant]"""


PODIUM_AGAIN = "podium_again"
"""The detail if a player's name has changed since the champion was announced."""


class TournamentTrouble(Enum):
    """Troubles that hinder an event; the ``detail`` of a TROUBLE message."""

    HOME_GONE = "home_gone"
    """The home channel was deleted, or Parlour may not post in it."""
    NO_THREADS = "no_threads"
    """No thread can be made for now: games for one sitting are played in direct messages."""
    SIDE_BY_SIDE = "side_by_side"
    """Threads are not allowed in the home channel: all boards of a round come into it."""
    WAITING = "waiting"
    """Games wait until there is room for them in the server, and their clocks with them."""
    NO_PAIRING = "no_pairing"
    """The rules allow no further pairing; the event ends in its present state."""
    PAIRING_FAILS = "pairing_fails"
    """The pairing program gives no answer; it is asked again."""
    DIRECTOR_LEFT = "director_left"
    """A director has left the server or erased their data."""
    GAVE_WAY = "gave_way"
    """Players who were kept apart meet in a round, that of ``game``; it goes on."""
    UNREACHABLE = "unreachable"
    """A player could not be notified of their turn for too long; the rule decided ``game``."""


ALL_DIRECTORS = -1
"""All present directors when a message is sent."""


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a message, and its reader.

    ``version`` is the number of the event that causes it, ``entrant`` the one it is for (0: the
    channel), ``user_id`` the person to tell (None: the channel). ``game`` names a game where it is
    about one; ``detail`` is a code.
    """

    kind: MessageKind
    version: int = 0
    entrant: int = 0
    user_id: UserId | None = None
    game: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class NewMessage(Content):
    """Something to tell, as it is written with the event that causes it.

    ``version`` is 0 for the last event of the act. The reader is the player of an ``entrant`` when
    it is sent, or the one before (``former``); a ``director`` (0 is the creator, then those
    appointed, or :data:`ALL_DIRECTORS` ``but`` one); the person the event is about (``subject``);
    or else the channel. ``user_id`` is that person now; it is not kept.
    """

    director: int | None = None
    but: int | None = None
    former: bool = False
    subject: bool = False


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


def home_in_place_of(older: MessageId, tournament_id: TournamentId, now: datetime) -> Outgoing:
    """Have the home message posted again, and the older one deleted.

    It has a slot of its own, since an update planned later must not take its place. Two requests
    post it once, as long as the older one exists.
    """
    return of_home(tournament_id, now, str(older), slot=AGAIN)


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
