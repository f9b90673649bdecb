"""What a tournament tells by itself, and what sends it to Discord."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from bot.domain.ids import UserId
from bot.domain.tournaments.tournament import PlayedGame, Tournament
from bot.services.sending import Posted
from bot.services.tournaments.views import EventView

LATER = "later"
"""The detail of the notice of a round that was drawn when the event had begun."""

RISEN, FALLEN = "risen", "fallen"
"""The details of the notice of a league's next season."""


class MessageKind(Enum):
    """What is told. In brackets: to whom."""

    HOME = "home"
    """The home message as it is now: post it, or edit it where it stands. [channel]"""
    ROUND = "round"
    """A round was drawn: all one's games in it, or the bye; ``detail`` is :data:`LATER` if the
    event had begun before. [entrant]"""
    NO_FINAL = "no_final"
    """The final table was drawn, and you are not at it: your place is settled. [entrant]"""
    WARNED = "warned"
    """One more loss on time puts you out. [entrant]"""
    WITHDRAWN = "withdrawn"
    """You are out, and why: see ``Leaving`` in the event. [entrant]"""
    EXCLUDED = "excluded"
    """A director put you out, with the reason. [entrant]"""
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
    """There is more time, until when. [entrant] The promised day has moved. [channel]"""
    PAUSED = "paused"
    """[channel]"""
    RESUMED = "resumed"
    """[channel]"""
    CANCELLED = "cancelled"
    """There will be no result, and why: too few entered, or a director's reason. [entrant;
    directors, if none of them did it]"""
    CHALLENGED = "challenged"
    """A player of the ladder challenges you; accept or decline until then. ``detail`` names them
    where it is said anew: you took another player's place, or a cancellation was taken back.
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
    """Something keeps the event from going on: ``detail`` is a code. [directors]"""
    APPOINTED = "appointed"
    """You direct the event from now on. [person]"""
    DISMISSED = "dismissed"
    """You direct it no longer. [person]"""
    SEASON = "season"
    """The next season of the league is open; you are in unless you leave. ``detail`` is
    :data:`RISEN` or :data:`FALLEN` for those who change their division. [entrant]"""


PODIUM_AGAIN = "podium_again"
"""A player is called something else since the champion was announced."""


class TournamentTrouble(Enum):
    """What keeps an event from going on; the ``detail`` of a TROUBLE message."""

    HOME_GONE = "home_gone"
    """The home channel was deleted or may not be written in."""
    NO_THREADS = "no_threads"
    """No thread can be made for now: games for one sitting are played in direct messages."""
    SIDE_BY_SIDE = "side_by_side"
    """Threads are not allowed in the home channel: all boards of a round come into it."""
    WAITING = "waiting"
    """Games wait until there is room for them in the server, and their clocks with them."""
    NO_PAIRING = "no_pairing"
    """The rules allow no further pairing; the event ends as it stands."""
    PAIRING_FAILS = "pairing_fails"
    """The pairing program gives no answer; it is asked again."""
    DIRECTOR_LEFT = "director_left"
    """A director has left the server or erased their data."""
    UNREACHABLE = "unreachable"
    """A player could not be told of their turn for too long; ``game`` was decided by the rule."""


@dataclass(frozen=True, slots=True)
class Message:
    """One thing to tell.

    ``id`` is the number of the row; ``version`` the event that caused it (its ``seq``), to be
    found in :attr:`EventView.event` of the view that comes with it; ``entrant`` is the one it is
    for, 0 if it is for the channel, ``user_id`` the person to tell (None: the channel). ``game``
    names a game where it is about one. ``detail`` is a code. ``shown`` is where the message stands
    already, for HOME and for what edits the champion's, or the challenge, for ANSWERED. ``nonce``
    lets Discord drop a second copy; ``may_exist`` says that an attempt may have succeeded, so look
    for it first. ``replaces`` is an older home message, which is put away once this one is noted.
    """

    id: int
    kind: MessageKind
    version: int
    entrant: int = 0
    user_id: UserId | None = None
    game: str = ""
    detail: str = ""
    shown: Posted | None = None
    nonce: str = ""
    may_exist: bool = False
    replaces: Posted | None = None


def round_robin_games(message: Message, t: Tournament) -> list[PlayedGame]:
    """The open games that the notice of a round robin names.

    All rounds are drawn and told together as it begins; one that is paired again is told by itself.
    """
    first = message.version if message.detail == LATER else 0
    return [
        each
        for each in t.of_entrant(message.entrant)
        if not each.is_over and first <= each.drawn <= message.version
    ]


class Announcer(Protocol):
    """Who sends messages to Discord.

    Raises :exc:`~bot.services.sending.Retry`, :exc:`~bot.services.sending.Gone` (HOME: the message
    or its channel is gone) and :exc:`~bot.services.sending.Refused`, as a
    :class:`~bot.services.sending.Messenger` does, and nothing else that is expected.
    """

    async def announce(self, message: Message, view: EventView) -> Posted | None:
        """Send or edit a message; where it stands, None if there was nothing to send."""
        ...

    async def look(self, posted: Posted) -> None:
        """Look whether a home message is there."""
        ...

    async def put_away(self, older: Posted) -> None:
        """Delete a home message that a newer one has replaced, or at least take its buttons off."""
        ...


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What would be told, with the event as it was then."""

    message: Message
    view: EventView


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A whole tournament with made-up results: numbers below 0 stand for people."""

    told: tuple[Rehearsed, ...]
    last: EventView
