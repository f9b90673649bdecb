"""A league's next season: divisions exchange their first and last players."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.domain.ids import TournamentId, UserId
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.fold import TournamentAct, TournamentChange, add, begin
from bot.tournaments.domain.formats.catalog import FORMATS
from bot.tournaments.domain.formats.round_robin import movers, next_divisions
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import Tournament, TournamentStatus

_OPEN = (timedelta(days=1), timedelta(days=14))
"""The least and the most time of registration for a season."""


def is_league(t: Tournament) -> bool:
    """Whether it is a finished season of a league, which another one follows."""
    is_one = t.setup.format is FormatKey.ROUND_ROBIN and t.setup.promoted > 0
    return is_one and t.status is TournamentStatus.FINISHED


def next_season(
    t: Tournament, act: TournamentAct, id_: TournamentId
) -> tuple[TournamentChange, ...]:
    """The season after one that is over: registration and season last as long as before.

    Remaining players are in, the best division first; each may leave before it begins, and
    newcomers join at the bottom. No season if none are left.
    """
    setup = t.setup
    staying = _staying(t)
    if not staying:
        return ()
    divisions = next_divisions(
        _tables(t), promoted=setup.promoted, staying=staying, largest=setup.division
    )
    least, most = _OPEN
    closes = act.at + min(max(setup.closes - t.created_at, least), most)
    begins = closes + (setup.begins - setup.closes)
    new = replace(
        setup,
        closes=closes,
        begins=begins,
        finish=begins + (setup.finish - setup.begins),
        season=setup.season + 1,
    )
    creator = t.created_by if t.created_by is not None and t.created_by > 0 else None
    changes = [begin(id_, replace(act, user_id=creator), f.Created(new, t.lots + 1))]
    for person in t.directors:
        if person > 0:
            changes.append(add(changes[-1].tournament, act, f.Appointed(), person))
    for number in (each for division in divisions for each in division):
        entrant = t.entrants[number - 1]
        fact = f.Entered(len(changes[-1].tournament.entrants) + 1, entrant.rating)
        changes.append(add(changes[-1].tournament, act, fact, entrant.user_id))
    return tuple(changes)


def moved(t: Tournament) -> tuple[frozenset[UserId], frozenset[UserId]]:
    """The players who rise and fall after a season that is over."""
    staying = _staying(t)
    present = [[each for each in table if each in staying] for table in _tables(t)]
    up, down = movers(present, t.setup.promoted)
    return _people(t, up), _people(t, down)


def _people(t: Tournament, numbers: frozenset[int]) -> frozenset[UserId]:
    return frozenset(x for each in numbers if (x := t.entrants[each - 1].user_id) is not None)


def _staying(t: Tournament) -> frozenset[int]:
    return frozenset(
        each.number for each in t.active if each.user_id is not None and each.user_id > 0
    )


def _tables(t: Tournament) -> list[list[int]]:
    """The final places of each division, the highest division first."""
    tables: dict[int, list[int]] = {}
    for place in FORMATS[t.setup.format].places(t):
        tables.setdefault(place.division, []).append(place.number)
    return [tables[key] for key in sorted(tables)]
