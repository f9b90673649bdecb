"""Between rows of tournaments and what they mean."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from sqlalchemy import Row

from bot.domain.events import micros, moment
from bot.domain.ids import (
    ChannelId,
    GuildId,
    InteractionId,
    MatchId,
    MessageId,
    TournamentId,
    UserId,
)
from bot.domain.tournaments.crosstable import Kind
from bot.domain.tournaments.event import TournamentEvent
from bot.domain.tournaments.facts import Created, Fixture, How
from bot.domain.tournaments.fold import TournamentChange
from bot.domain.tournaments.ladder import Climb
from bot.domain.tournaments.setup import FormatKey, Setup
from bot.domain.tournaments.tournament import (
    Apart,
    Challenge,
    Entrant,
    EntrantStatus,
    Invitation,
    PlayedGame,
    Round,
    Tournament,
    TournamentStatus,
)
from bot.domain.tournaments.writing import read_fact, write_fact
from bot.store.rows import maybe_micros, maybe_moment
from bot.store.tournaments.records import Home, Occasion, StoredTournament, Summary

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
OF_ENTRANT = (
    "rating",
    "standing",
    "since",
    "missed",
    "byes",
    "time_losses",
    "is_warned",
    "seed",
    "is_here",
)
OF_GAME = ("until", "points", "how", "late")


# ---- heads -----------------------------------------------------------------------------------


def head_row(t: Tournament, home: Home, previous: TournamentId | None) -> dict[str, Any]:
    """A new head as the columns of ``tournaments``."""
    return {
        "id": t.id,
        "guild_id": home.guild_id,
        "channel_id": home.channel_id,
        "message_id": home.message_id,
        "name": t.setup.name,
        "search": t.setup.name.casefold(),
        "format": t.setup.format.value,
        "game": t.setup.game,
        "setup": _dump(write_fact(Created(t.setup, t.lots))["setup"]),
        "lots": t.lots,
        "created_by": t.created_by,
        "created_at": micros(t.created_at),
        "previous_id": previous,
        **changing_row(t),
    }


def changing_row(t: Tournament) -> dict[str, Any]:
    """The columns that an event may change."""
    return {
        "version": t.version,
        "head_hash": t.head_hash,
        "status": t.status.value,
        "is_over": int(t.status.is_final),
        "updated_at": micros(t.updated_at),
        "closes": micros(t.closes),
        "begins": micros(t.begins),
        "finish": micros(t.finish),
        "paused_at": maybe_micros(t.paused_at),
        "rounds": _dump(
            [
                [each.number, micros(each.until), _kinds(each.byes), each.drawn, each.apart]
                for each in t.rounds
            ]
        ),
        "ladder": _dump(
            [
                t.by_rung,
                [[each.challenger, each.challenged, micros(each.until)] for each in t.challenges],
                {str(number): count for number, count in t.declines.items()},
                [[each.entrant, each.before, each.after, micros(each.at)] for each in t.climbs],
            ]
        ),
        "entrants": len(t.active),
        "apart": _dump([[each.entrants, each.last] for each in t.apart]),
    }


def _kinds(byes: Mapping[int, Kind]) -> dict[str, str]:
    return {str(number): kind.value for number, kind in byes.items()}


def _byes(found: Mapping[str, str]) -> Mapping[int, Kind]:
    return MappingProxyType({int(number): Kind(kind) for number, kind in found.items()})


def _groups(found: Sequence[Sequence[int]] = ()) -> tuple[tuple[int, ...], ...]:
    """Who was not to meet in a round; rounds of before the revision 0003 do not say."""
    return tuple(tuple(each) for each in found)


def _setup(text: str) -> Setup:
    found = read_fact("created", {"setup": json.loads(text), "lots": 0})
    assert isinstance(found, Created)  # noqa: S101 - it was asked for
    return found.setup


def stored_of(
    row: Row[Any],
    entrants: Sequence[Row[Any]],
    games: Sequence[Row[Any]],
    directors: tuple[UserId, ...],
    invited: Sequence[Row[Any]],
) -> StoredTournament:
    """A tournament from all its rows. Raises :exc:`ValueError` and its like for damaged ones."""
    rungs, challenges, declines, climbs = json.loads(row.ladder)
    tournament = Tournament(
        id=TournamentId(row.id),
        version=row.version,
        head_hash=row.head_hash,
        setup=_setup(row.setup),
        lots=row.lots,
        status=TournamentStatus(row.status),
        created_by=None if row.created_by is None else UserId(row.created_by),
        created_at=moment(row.created_at),
        updated_at=moment(row.updated_at),
        closes=moment(row.closes),
        begins=moment(row.begins),
        finish=moment(row.finish),
        entrants=tuple(_entrant(each) for each in entrants),
        rounds=tuple(
            Round(number, moment(until), _byes(byes), drawn, _groups(*apart))
            for number, until, byes, drawn, *apart in json.loads(row.rounds)
        ),
        games=MappingProxyType({each.game: _game(each) for each in games}),
        paused_at=maybe_moment(row.paused_at),
        by_rung=tuple(rungs),
        challenges=tuple(Challenge(one, two, moment(until)) for one, two, until in challenges),
        declines=MappingProxyType({int(number): count for number, count in declines.items()}),
        climbs=tuple(Climb(one, old, new, moment(at)) for one, old, new, at in climbs),
        directors=directors,
        apart=tuple(Apart(tuple(group), last) for group, last in json.loads(row.apart)),
        invited=tuple(
            Invitation(UserId(each.user_id), each.seed, each.rating, each.since) for each in invited
        ),
    )
    ended = sorted(
        (each for each in games if each.ended_at is not None),
        key=lambda each: (each.ended_at, each.drawn, each.position),
    )
    return StoredTournament(
        tournament,
        home_of(row),
        MappingProxyType(
            {each.game: MatchId(each.match_id) for each in games if each.match_id is not None}
        ),
        tuple(each.game for each in ended if each.points is None),
        MappingProxyType({each.game: moment(each.ended_at) for each in ended}),
        maybe_moment(row.due_at),
        None if row.previous_id is None else TournamentId(row.previous_id),
        None if row.next_id is None else TournamentId(row.next_id),
        bool(row.home_gone),
        maybe_moment(row.set_aside_at),
        frozenset(row.troubles.split()),
    )


def home_of(row: Row[Any]) -> Home:
    """Where an event lives."""
    message = None if row.message_id is None else MessageId(row.message_id)
    return Home(GuildId(row.guild_id), ChannelId(row.channel_id), message)


def occasion_of(row: Row[Any]) -> Occasion:
    """The event and the round of one game."""
    return Occasion(row.name, _setup(row.setup), row.round)


def summary_of(row: Row[Any]) -> Summary:
    """A line of a list."""
    return Summary(
        TournamentId(row.id),
        row.name,
        FormatKey(row.format),
        row.game,
        TournamentStatus(row.status),
        row.paused_at is not None,
        row.entrants,
        len(json.loads(row.rounds)),
        moment(row.begins),
        moment(row.finish),
        home_of(row),
    )


# ---- entrants --------------------------------------------------------------------------------


def entrant_row(tournament_id: TournamentId, entrant: Entrant) -> dict[str, Any]:
    """An entrant as the columns of ``tournament_entrants``."""
    return {
        "tournament_id": tournament_id,
        "number": entrant.number,
        "user_id": entrant.user_id,
        **changing_entrant(entrant),
    }


def changing_entrant(entrant: Entrant) -> dict[str, Any]:
    """The columns that an event may change, except the person."""
    return {
        "rating": entrant.rating,
        "standing": entrant.standing.value,
        "since": entrant.since,
        "missed": entrant.missed.value,
        "byes": _dump(_kinds(entrant.byes)),
        "time_losses": entrant.time_losses,
        "is_warned": int(entrant.is_warned),
        "seed": entrant.seed,
        "is_here": int(entrant.is_here),
    }


def _entrant(row: Row[Any]) -> Entrant:
    return Entrant(
        row.number,
        None if row.user_id is None else UserId(row.user_id),
        row.rating,
        EntrantStatus(row.standing),
        row.since,
        Kind(row.missed),
        _byes(json.loads(row.byes)),
        row.time_losses,
        bool(row.is_warned),
        row.seed,
        bool(row.is_here),
    )


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
    points = None if played.points is None else _dump([str(each) for each in played.points])
    how = None if played.how is None else played.how.value
    late = _dump(played.late) if played.late else None
    return {"until": micros(played.until), "points": points, "how": how, "late": late}


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
    return [
        {
            "tournament_id": each.event.tournament_id,
            "seq": each.event.seq,
            "kind": each.event.kind,
            "payload": _dump(dict(each.event.payload)),
            "at": micros(each.event.at),
            "user_id": each.event.user_id,
            "subject_id": each.event.subject_id,
            "note": each.event.note,
            "interaction_id": each.event.interaction_id if place == 0 else None,
            "prev_hash": each.event.prev_hash,
            "hash": each.event.hash,
        }
        for place, each in enumerate(changes)
    ]


def event_of(row: Row[Any]) -> TournamentEvent:
    """The event that a row holds; one without a hash if it cannot be read."""
    try:
        payload = MappingProxyType(json.loads(row.payload))
        digest = row.hash
    except (TypeError, ValueError):
        payload, digest = MappingProxyType({}), ""
    return TournamentEvent(
        TournamentId(row.tournament_id),
        row.seq,
        row.kind,
        payload,
        moment(row.at),
        None if row.user_id is None else UserId(row.user_id),
        None if row.subject_id is None else UserId(row.subject_id),
        row.note,
        None if row.interaction_id is None else InteractionId(row.interaction_id),
        row.prev_hash,
        digest,
    )
