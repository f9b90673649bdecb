"""Arguments and answers of transactions about tournaments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cache
from typing import Any, get_type_hints

from sqlalchemy import Row

from bot.domain.codec import read, read_field, reader, write, write_flat
from bot.domain.events import Change, Event
from bot.domain.ids import ChannelId, GuildId, MatchId, MessageId, TournamentId, UserId
from bot.domain.match import Match, MatchStatus
from bot.store.tables.base import DAMAGED
from bot.tournaments.domain.facts import Fixture, How
from bot.tournaments.domain.fold import TournamentChange, TournamentEvent
from bot.tournaments.domain.notices import NewMessage
from bot.tournaments.domain.setup import Setup
from bot.tournaments.domain.tournament import (
    Entrant,
    Invitation,
    PlayedGame,
    Tournament,
    TournamentStatus,
)


@dataclass(frozen=True, slots=True)
class Home:
    """Where an event lives: its server and channel, and the home message once it is posted."""

    guild_id: GuildId
    channel_id: ChannelId
    message_id: MessageId | None = None


@dataclass(frozen=True, slots=True)
class MatchLink:
    """The match of a game: where it is played, and how far it is.

    ``channel_id`` is None in direct messages and until the thread exists.
    """

    status: MatchStatus
    ply: int
    channel_id: ChannelId | None
    is_direct: bool = False


@dataclass(frozen=True, slots=True)
class BegunGame:
    """A game of a tournament, by its id there, with its match and all events of that."""

    id: str
    match: Match
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """A line in a list of tournaments."""

    id: TournamentId
    name: str
    game: str
    status: TournamentStatus
    entrants: int
    begins: datetime
    home: Home
    season: int = 1


CALLED = "called"
"""Among the troubles that directors hear of once: players have been called to check in."""


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament as it is kept.

    ``matches`` are those of games that have begun; ``ended`` are games whose match is over and
    whose result is not recorded, in the order in which they ended. ``home_gone`` says that nothing
    can be posted in the home channel. ``troubles`` are what directors have been told once.
    """

    tournament: Tournament
    home: Home
    matches: Mapping[str, MatchId] = field(default_factory=dict)
    ended: tuple[str, ...] = ()
    ended_at: Mapping[str, datetime] = field(default_factory=dict)
    due_at: datetime | None = None
    next: TournamentId | None = None
    home_gone: bool = False
    set_aside_at: datetime | None = None
    troubles: frozenset[str] = frozenset()

    @property
    def has_called(self) -> bool:
        """Whether players have been called to check in."""
        return CALLED in self.troubles


@dataclass(frozen=True, slots=True)
class Writing:
    """The content of one transaction.

    ``before`` is the tournament that it was decided on, None for a new one, which has a ``home``.
    ``matches`` are changes to matches: those of games that begin, which ``begun`` names, and those
    whose result the tournament decides. ``previous`` is the season before a new one. Without
    ``changes`` only ``due_at`` and messages are written. ``troubles`` are those that directors have
    been told once, with those of these messages; None if they stay as they are.
    """

    before: Tournament | None
    changes: tuple[TournamentChange, ...]
    due_at: datetime | None
    messages: tuple[NewMessage, ...] = ()
    matches: tuple[Change, ...] = ()
    begun: Mapping[str, MatchId] = field(default_factory=dict)
    home: Home | None = None
    previous: TournamentId | None = None
    troubles: frozenset[str] | None = None

    @property
    def after(self) -> Tournament:
        """The tournament after it."""
        if self.changes:
            return self.changes[-1].tournament
        assert self.before is not None  # noqa: S101 - a new one has an event
        return self.before


OF_ENTRANT = tuple(each.name for each in fields(Entrant) if each.name not in ("number", "user_id"))
OF_INVITED = tuple(each.name for each in fields(Invitation))
OF_GAME = ("until", "points", "how", "late")
_LADDER = ("by_rung", "challenges", "declines", "climbs")
_INSTANTS = (datetime, datetime | None)


def columns(value: Any, names: Iterable[str]) -> dict[str, Any]:
    """Fields of a dataclass as the columns of these names."""
    found = {name: getattr(value, name) for name in names}
    return {
        name: each if isinstance(each, datetime) else write_flat(each)
        for name, each in found.items()
    }


@cache
def _readers(of: Any, *but: str) -> Mapping[str, Callable[[Any], Any]]:
    """The readers of columns that are called like the fields of a dataclass, except some."""
    hints = {name: hint for name, hint in get_type_hints(of).items() if name not in but}
    return {name: _same if hint in _INSTANTS else reader(hint) for name, hint in hints.items()}


def _same(value: Any) -> Any:
    return value


def _read(of: Any, row: Row[Any], *but: str) -> dict[str, Any]:
    """The fields of a dataclass from columns of their names, except some."""
    return {name: read_it(getattr(row, name)) for name, read_it in _readers(of, *but).items()}


# ---- heads -----------------------------------------------------------------------------------


def head_row(t: Tournament, home: Home, previous: TournamentId | None) -> dict[str, Any]:
    """A new head as the columns of ``tournaments``."""
    return {
        **columns(t, ("id", "lots", "created_by", "created_at")),
        **columns(home, ("guild_id", "channel_id", "message_id")),
        **columns(t.setup, ("name", "format", "game")),
        "search": t.setup.name.casefold(),
        "setup": write(t.setup),
        "previous_id": previous,
        **changing_row(t),
    }


def changing_row(t: Tournament) -> dict[str, Any]:
    """The columns that an event may change."""
    return {
        **columns(t, ("version", "head_hash", "status", "updated_at", "paused_at")),
        **columns(t, ("closes", "begins", "finish", "rounds", "apart")),
        "is_over": t.status.is_final,
        "ladder": [write_flat(getattr(t, each)) for each in _LADDER],
        "entrants": len(t.active),
    }


def stored_of(
    row: Row[Any],
    entrants: Sequence[Row[Any]],
    games: Sequence[Row[Any]],
    directors: tuple[UserId, ...],
    invited: Sequence[Row[Any]],
) -> StoredTournament:
    """A tournament from all its rows. Raises :exc:`ValueError` and its like for damaged ones."""
    elsewhere = ("setup", "entrants", "games", "directors", "invited", *_LADDER)
    ladder = zip(_LADDER, row.ladder, strict=True)
    tournament = Tournament(
        **_read(Tournament, row, *elsewhere),
        setup=read(Setup, row.setup),
        entrants=tuple(Entrant(**_read(Entrant, each)) for each in entrants),
        games={each.game: _game(each) for each in games},
        directors=directors,
        invited=tuple(Invitation(**_read(Invitation, each)) for each in invited),
        **{name: read_field(Tournament, name, value) for name, value in ladder},
    )
    ended = sorted(
        (each for each in games if each.ended_at is not None),
        key=lambda each: (each.ended_at, each.drawn, each.position),
    )
    return StoredTournament(
        tournament,
        home_of(row),
        {each.game: each.match_id for each in games if each.match_id is not None},
        tuple(each.game for each in ended if each.points is None),
        {each.game: each.ended_at for each in ended},
        row.due_at,
        row.next_id,
        row.home_gone,
        row.set_aside_at,
        frozenset(row.troubles.split()),
    )


def home_of(row: Row[Any]) -> Home:
    """Where an event lives."""
    return Home(**_read(Home, row))


def summary_of(row: Row[Any]) -> Summary:
    """A line of a list."""
    season = row.setup.get("season", 1)
    return Summary(**_read(Summary, row, "home", "season"), home=home_of(row), season=season)


# ---- people ----------------------------------------------------------------------------------


def entrant_row(tournament_id: TournamentId, entrant: Entrant) -> dict[str, Any]:
    """An entrant as the columns of ``tournament_entrants``."""
    return {"tournament_id": tournament_id, **columns(entrant, ("number", "user_id", *OF_ENTRANT))}


# ---- games -----------------------------------------------------------------------------------


def game_row(tournament_id: TournamentId, position: int, played: PlayedGame) -> dict[str, Any]:
    """A game as the columns of ``tournament_games``; its match is set apart."""
    game = played.game
    return {
        "tournament_id": tournament_id,
        "game": game.id,
        "drawn": played.drawn,
        "position": position,
        "round": game.round,
        "board": game.board,
        "numbers": game.players,
        "tie": game.tie,
        "division": game.division,
        "has_begun": False,
        "match_id": None,
        "ended_at": None,
        **changing_game(played),
    }


def changing_game(played: PlayedGame) -> dict[str, Any]:
    """The columns that an event may change, but for the match."""
    return {**columns(played, OF_GAME), "late": played.late or None}


def _game(row: Row[Any]) -> PlayedGame:
    return PlayedGame(
        Fixture(row.game, row.round, row.board, row.numbers, row.tie, row.division),
        row.until,
        row.has_begun,
        row.points,
        None if row.how is None else How(row.how),
        row.drawn,
        row.late or (),
    )


# ---- events ----------------------------------------------------------------------------------


def event_rows(changes: Sequence[TournamentChange]) -> list[dict[str, Any]]:
    """The events of one act as the columns of ``tournament_events``.

    The first names the interaction that asked for it.
    """
    names = [each.name for each in fields(TournamentEvent)]
    found = [columns(each.event, names) for each in changes]
    return [found[0], *({**each, "interaction_id": None} for each in found[1:])]


def event_of(row: Row[Any]) -> TournamentEvent:
    """The event that a row holds; one without a hash if it cannot be read."""
    about = _read(TournamentEvent, row, "payload")
    if row.payload is DAMAGED:
        return TournamentEvent(payload={}, **{**about, "hash": ""})
    return TournamentEvent(payload=row.payload, **about)
