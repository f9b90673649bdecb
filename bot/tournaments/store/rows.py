"""Between rows of tournaments and what they mean."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, get_origin, get_type_hints

from sqlalchemy import Row

from bot.domain.events import moment
from bot.domain.ids import TournamentId, UserId
from bot.store.rows import maybe_moment
from bot.tournaments.domain.facts import Fixture, How
from bot.tournaments.domain.fold import TournamentChange, TournamentEvent
from bot.tournaments.domain.setup import Setup
from bot.tournaments.domain.tournament import (
    Entrant,
    Invitation,
    PlayedGame,
    Tournament,
    TournamentStatus,
)
from bot.tournaments.domain.writing import read, read_field, reader, write, write_flat
from bot.tournaments.store.records import Home, StoredTournament, Summary

_dump = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode

CHANGING = (
    "version",
    "head_hash",
    "status",
    "is_over",
    "updated_at",
    "closes",
    "begins",
    "finish",
    "paused_at",
    "rounds",
    "ladder",
    "entrants",
    "apart",
)
"""The columns of ``tournaments`` that an event may change."""
OF_ENTRANT = tuple(each.name for each in fields(Entrant) if each.name not in ("number", "user_id"))
OF_INVITED = tuple(each.name for each in fields(Invitation))
OF_GAME = ("until", "points", "how", "late")
_LADDER = ("by_rung", "challenges", "declines", "climbs")


def columns(value: Any, names: Iterable[str]) -> dict[str, Any]:
    """Fields of a dataclass as the columns of these names; what is no plain value is JSON."""
    found = {each: write_flat(getattr(value, each)) for each in names}
    return {
        key: _dump(each) if isinstance(each, list | dict) else each for key, each in found.items()
    }


@cache
def _readers(of: Any, *but: str) -> Mapping[str, Callable[[Any], Any]]:
    """The readers of columns that are called like the fields of a dataclass."""

    def of_column(wanted: Any) -> Callable[[Any], Any]:
        made = reader(wanted)
        is_json = get_origin(wanted) in (tuple, Mapping)
        return (lambda value: made(json.loads(value))) if is_json else made

    hints = get_type_hints(of)
    return {x.name: of_column(hints[x.name]) for x in fields(of) if x.name not in but}


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
        "setup": _dump(write(t.setup)),
        "previous_id": previous,
        **changing_row(t),
    }


def changing_row(t: Tournament) -> dict[str, Any]:
    """The columns that an event may change."""
    return {
        **columns(t, [each for each in CHANGING if each not in ("is_over", "ladder", "entrants")]),
        "is_over": int(t.status.is_final),
        "ladder": _dump([write_flat(getattr(t, each)) for each in _LADDER]),
        "entrants": len(t.active),
    }


def setup_of(text: str) -> Setup:
    """The set-up of an event."""
    found: Setup = read(Setup, json.loads(text))
    return found


def stored_of(
    row: Row[Any],
    entrants: Sequence[Row[Any]],
    games: Sequence[Row[Any]],
    directors: tuple[UserId, ...],
    invited: Sequence[Row[Any]],
) -> StoredTournament:
    """A tournament from all its rows. Raises :exc:`ValueError` and its like for damaged ones."""
    elsewhere = ("setup", "entrants", "games", "directors", "invited", *_LADDER)
    ladder = zip(_LADDER, json.loads(row.ladder), strict=True)
    tournament = Tournament(
        **_read(Tournament, row, *elsewhere),
        setup=setup_of(row.setup),
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
        {each.game: moment(each.ended_at) for each in ended},
        maybe_moment(row.due_at),
        row.next_id,
        bool(row.home_gone),
        maybe_moment(row.set_aside_at),
        frozenset(row.troubles.split()),
    )


def home_of(row: Row[Any]) -> Home:
    """Where an event lives."""
    return Home(**_read(Home, row))


def summary_of(row: Row[Any]) -> Summary:
    """A line of a list."""
    return Summary(
        TournamentId(row.id),
        row.name,
        row.game,
        TournamentStatus(row.status),
        row.entrants,
        moment(row.begins),
        home_of(row),
    )


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
        "numbers": _dump(game.players),
        "tie": game.tie,
        "division": game.division,
        "has_begun": 0,
        "match_id": None,
        "ended_at": None,
        **changing_game(played),
    }


def changing_game(played: PlayedGame) -> dict[str, Any]:
    """The columns that an event may change, but for the match."""
    return {**columns(played, OF_GAME), "late": _dump(played.late) if played.late else None}


@lru_cache(maxsize=256)
def _points(text: str) -> tuple[Fraction, ...]:
    """Points by seat. Few texts stand for all: 1,152 games are read in 24 instead of 59 ms."""
    return tuple(Fraction(each) for each in json.loads(text))


def _game(row: Row[Any]) -> PlayedGame:
    return PlayedGame(
        Fixture(
            row.game, row.round, row.board, tuple(json.loads(row.numbers)), row.tie, row.division
        ),
        moment(row.until),
        bool(row.has_begun),
        None if row.points is None else _points(row.points),
        None if row.how is None else How(row.how),
        row.drawn,
        () if row.late is None else tuple(json.loads(row.late)),
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
    try:
        payload = json.loads(row.payload)
    except (TypeError, ValueError):
        payload, about["hash"] = {}, ""
    return TournamentEvent(payload=payload, **about)
