"""The messages of tournaments as rows of the outbox."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import cast

from bot.domain.codec import read, write
from bot.domain.events import JsonValue, micros, moment
from bot.domain.ids import TournamentId, UserId
from bot.posts.outgoing import TOURNAMENT, Key, Outgoing, Payload, key_of
from bot.posts.sending import Posted
from bot.tournaments.domain.notices import (
    ALL_DIRECTORS,
    LATER,
    PODIUM_AGAIN,
    MessageKind,
    NewMessage,
)
from bot.tournaments.domain.tournament import PlayedGame, Tournament


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
