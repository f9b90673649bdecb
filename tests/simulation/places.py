"""The places of tournaments, reckoned anew: by gacrux for a Swiss, by plain sums elsewhere."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

from bot.tournaments.domain.crosstable import SWISS, TieBreak
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.formats.swiss import report_of
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import Tournament
from bot.tournaments.domain.trf_writing import write_trf
from bot.tournaments.services.views import EventView
from tests.simulation.brackets import excluded, last_are_excluded, wrong_knockout
from tests.tournaments.gacrux_places import places_of_gacrux

Points = Mapping[str, tuple[Fraction, ...]]
_ONE, _HALF, _NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)
_SITS_OUT = Fraction(7, 4)


def wrong_places(view: EventView, results: Points, changed: Set[str]) -> Iterator[str]:
    """Where the standings shown differ from those reckoned from the bare results.

    ``changed`` are games whose results are a director's: rounds that were drawn before can't be
    paired again, and games that were played before may look superfluous.
    """
    t = view.tournament
    if not t.rounds:
        return
    match t.setup.format:
        case FormatKey.ROUND_ROBIN:
            yield from _round_robin(view, results)
        case FormatKey.SWISS:
            yield from _swiss(view, is_corrected=bool(changed))
        case FormatKey.KNOCKOUT:
            yield from wrong_knockout(view, results, changed)
        case FormatKey.TABLES:
            yield from _tables(view, results)
        case FormatKey.ARENA:
            yield from _arena(view, results)
        case FormatKey.LADDER:
            yield from _ladder(view, results)


def _shown(view: EventView) -> dict[int, tuple[int, Fraction]]:
    return {each.number: (each.rank, each.points) for each in view.standings}


def _compare(view: EventView, ours: Mapping[int, tuple[int, Fraction]]) -> Iterator[str]:
    """Places and points, those shown and ours."""
    shown = _shown(view)
    for number in sorted(shown.keys() | ours.keys()):
        if shown.get(number) != ours.get(number):
            yield f"entrant {number}: place and points {shown.get(number)}, not {ours.get(number)}"


def _excluded_last(t: Tournament, ranks: Mapping[int, int]) -> dict[int, int]:
    """Places of one division without the excluded, and then theirs, each of its own."""
    out = excluded(t)
    kept = {number: rank for number, rank in ranks.items() if number not in out}
    found = {
        number: 1 + sum(other < rank for other in kept.values()) for number, rank in kept.items()
    }
    last = sorted(ranks.keys() & out, key=lambda number: (ranks[number], number))
    return found | {number: len(kept) + 1 + at for at, number in enumerate(last)}


def _ranked(keys: Mapping[int, Sequence[Fraction]]) -> dict[int, int]:
    """Places by keys, the highest first; equals share one."""
    return {
        number: 1 + sum(tuple(other) > tuple(mine) for other in keys.values())
        for number, mine in keys.items()
    }


# ---- everyone against everyone -----------------------------------------------------------------


def _round_robin(view: EventView, results: Points) -> Iterator[str]:
    t = view.tournament
    parts: dict[int, dict[tuple[int, int], list[Fraction]]] = defaultdict(lambda: defaultdict(list))
    for name, played in t.games.items():
        points = results.get(name, (_NOTHING, _NOTHING))
        one, two = played.game.players
        parts[played.game.division][one, two].append(points[0])
        parts[played.game.division][two, one].append(points[1])
    ours: dict[int, tuple[int, Fraction]] = {}
    for met in parts.values():
        numbers = sorted({one for one, _ in met})
        found = _all_against_all(numbers, met)
        ranks = _excluded_last(t, {number: rank for number, (rank, _) in found.items()})
        ours |= {number: (ranks[number], points) for number, (_, points) in found.items()}
    yield from _compare(view, ours)


def _all_against_all(
    numbers: Sequence[int], met: Mapping[tuple[int, int], list[Fraction]]
) -> dict[int, tuple[int, Fraction]]:
    def against(one: int, others: Iterable[int]) -> Fraction:
        return sum((sum(met[one, x], _NOTHING) for x in others if x != one), _NOTHING)

    games = max(sum(len(met[one, x]) for x in numbers if x != one) for one in numbers)
    total = {one: against(one, numbers) for one in numbers}

    def direct(tied: list[int]) -> list[list[int]]:
        scores = {one: against(one, tied) for one in tied}
        parts = [
            [one for one in tied if scores[one] == score]
            for score in sorted(set(scores.values()), reverse=True)
        ]
        return parts if len(parts) == 1 else [x for part in parts for x in direct(part)]

    def later(one: int) -> tuple[Fraction, ...]:
        others = [x for x in numbers if x != one]
        beaten = sum((sum(met[one, x], _NOTHING) * total[x] for x in others), _NOTHING)
        wins = sum(each == _ONE for x in others for each in met[one, x])
        half = [x for x in others if total[x] * 2 >= games]
        return beaten, Fraction(wins), against(one, half)

    found: dict[int, tuple[int, Fraction]] = {}
    place = 1
    for score in sorted(set(total.values()), reverse=True):
        for tied in direct([one for one in numbers if total[one] == score]):
            for one, rank in _ranked({each: later(each) for each in tied}).items():
                found[one] = (place + rank - 1, total[one])
            place += len(tied)
    return found


# ---- Swiss -------------------------------------------------------------------------------------


def _swiss(view: EventView, *, is_corrected: bool) -> Iterator[str]:
    """Gacrux pairs every round again, and reckons points, tie-breaks and places."""
    t = view.tournament
    if t.pending:
        return  # gacrux reads no report of a round that is being played
    ended = t.status.is_final
    planned = len(t.rounds) if ended else max(len(t.rounds), t.setup.rounds or 0)
    report, numbers = report_of(t, planned)
    text = write_trf(replace(report, byes=MappingProxyType({})))
    order = tuple(each for each in SWISS if each is not TieBreak.DIRECT_ENCOUNTER)
    theirs = places_of_gacrux(text, SWISS)
    values = places_of_gacrux(text, order)
    places = {each.number: theirs[numbers.index(each.number) + 1][0] for each in view.standings}
    ranks = _excluded_last(t, places)
    for each in view.standings:
        seed = numbers.index(each.number) + 1
        if each.rank != ranks[each.number]:
            yield f"entrant {each.number}: place {each.rank}, gacrux says {ranks[each.number]}"
        mine = [
            value.total for value in each.values
            if value.tie_break is not TieBreak.DIRECT_ENCOUNTER
        ]  # fmt: skip
        if mine != values[seed][1]:
            yield f"entrant {each.number}: {mine}, gacrux says {values[seed][1]}"
    # A late entry has changed the seeds of others as well.
    if not is_corrected and all(each.since == 1 for each in t.entrants):
        yield from _checked(text)


def _checked(text: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "event.trf"
        file.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "gacrux.pairingchecker", "-c", "-i", str(file), "-d", "T"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "Check: True" not in done.stdout:
        yield f"gacrux pairs otherwise: {done.stdout[-500:]}{done.stderr[-500:]}"


# ---- the others --------------------------------------------------------------------------------


def _tables(view: EventView, results: Points) -> Iterator[str]:
    """Points of all tables, and 7/4 for each round sat out."""
    t = view.tournament
    total = dict.fromkeys((each.number for each in t.entrants), _NOTHING)
    for name, played in t.games.items():
        points = results.get(name, ())
        if points and sum(points) != 7:
            yield f"game {name}: {[str(each) for each in points]} are not 7 points"
        if played.game.round > (t.setup.rounds or 3):
            continue  # the final table orders its four, and adds no points
        for number, worth in zip(played.game.players, points, strict=False):
            total[number] += worth
    for a_round in t.rounds:
        for number, kind in a_round.byes.items():
            total[number] += _SITS_OUT if kind.value == "pairing_bye" else _NOTHING
    ranks = {each.number: each.rank for each in view.standings}
    for each in view.standings:
        if each.points != total[each.number]:
            yield f"entrant {each.number}: {each.points} points, not {total[each.number]}"
    kept = {number: x for number, x in total.items() if number in ranks.keys() - excluded(t)}
    yield from last_are_excluded(view)
    for one, mine in kept.items():
        for two, theirs in kept.items():
            if mine > theirs and ranks[one] >= ranks[two] and not t.setup.final_table:
                yield f"entrant {one} with {mine} is not before {two} with {theirs}"


def _arena(view: EventView, results: Points) -> Iterator[str]:
    """2, 1, 0, doubled after two wins in a row; fewer games first."""
    t = view.tournament
    keys: dict[int, tuple[Fraction, Fraction]] = {}
    for entrant in t.entrants:
        total = streak = games = 0
        for name, played in t.games.items():
            if entrant.number not in played.game.players or name not in results:
                continue
            if played.how is How.UNFINISHED:
                continue  # still on at the end: it counts for nothing, and as no game
            result = results[name][played.game.players.index(entrant.number)]
            total += int(result * 2) * (2 if streak >= 2 else 1)
            streak = streak + 1 if result == _ONE else 0
            games += 1
        keys[entrant.number] = (Fraction(total), Fraction(-games))
    there = {each.number for each in view.standings}
    ranks = _excluded_last(t, _ranked({each: key for each, key in keys.items() if each in there}))
    yield from _compare(view, {number: (ranks[number], keys[number][0]) for number in ranks})


def _ladder(view: EventView, results: Points) -> Iterator[str]:
    """Every rung once, for everybody who is in, with as many points as games won."""
    t = view.tournament
    active = {each.number for each in t.active}
    if {each.number for each in view.standings} != active or len(view.standings) != len(active):
        yield "the rungs are not those of the players"
    for rung, each in enumerate(view.standings, 1):
        won = sum(
            results[name][played.game.players.index(each.number)] == _ONE
            for name, played in t.games.items()
            if name in results and each.number in played.game.players
        )
        if each.rank != rung or each.points != won:
            yield f"rung {rung}: entrant {each.number} has {each.points}, not {won}"
