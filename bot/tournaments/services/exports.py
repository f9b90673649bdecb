"""A tournament as files: the report for rating officers, a table, and the records of all games."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from bot.errors import UserError
from bot.history.domain import Person, record_of, write_text
from bot.tournaments.domain.formats.catalog import FORMATS
from bot.tournaments.domain.formats.swiss import report_of
from bot.tournaments.domain.planning import event_plan
from bot.tournaments.domain.tiebreaks import Placing, TieBreak
from bot.tournaments.domain.tournament import Tournament
from bot.tournaments.domain.trf_writing import Edition, write_csv, write_trf
from bot.tournaments.services.views import BegunGame, Download

Names = Mapping[int, str]


def file_name(t: Tournament, ending: str) -> str:
    """A name for a file about a tournament: plain letters only."""
    plain = re.sub(r"[^a-z0-9]+", "-", t.setup.name.casefold()).strip("-")[:40]
    return f"{plain or 'tournament'}-{t.id}.{ending}"


def trf_of(t: Tournament, names: Names, edition: Edition) -> Download:
    """The report. Raises ``no_trf`` where it cannot express the event."""
    rounds = [
        (number, games[0].game.round)
        for games in t.pairings(t.games.values())
        for number in games[0].game.players
    ]
    if not t.setup.format.facts.report or max(Counter(rounds).values(), default=0) > 1:
        raise UserError("no_trf")
    report, numbers = report_of(t, _rounds(t))
    players = zip(numbers, report.players, strict=True)
    seed = {number: place for place, number in enumerate(numbers, 1)}
    report = replace(
        report,
        players=tuple(replace(each, name=names.get(number, "")) for number, each in players),
        starts=t.begins.date(),
        ends=t.updated_at.date() if t.status.is_final else t.finish.date(),
        byes={},
        ranks={seed[each.number]: each.rank for each in FORMATS[t.setup.format].places(t)},
    )
    return Download(file_name(t, f"{edition.value}.trf"), write_trf(report, edition).encode())


def _rounds(t: Tournament) -> int:
    """The number of rounds; after an early end, as many as were drawn."""
    if t.status.is_final:
        return len(t.rounds)
    return max(event_plan(t.setup, len(t.entrants)).rounds, len(t.rounds))


def csv_of(t: Tournament, places: Sequence[Placing], names: Names) -> Download:
    """The table: places, points, tie-breaks by their codes."""
    kinds = [value.tie_break for value in places[0].values] if places else []
    # Points have a column of their own already, in every format.
    codes = [each.value for each in kinds if each is not TieBreak.POINTS]
    header = ["Place", "Division", "Player", "Rating", "Points", *codes]
    rows: list[list[str | int | Fraction | None]] = [
        [
            each.rank,
            each.division or None,
            names.get(each.number, f"Player {each.number}"),
            t.entrants[each.number - 1].rating,
            each.points,
            *(
                value.total if value.compares else None
                for value in each.values
                if value.tie_break is not TieBreak.POINTS
            ),
        ]
        for each in places
    ]
    return Download(file_name(t, "csv"), ("\ufeff" + write_csv(header, rows)).encode())


def records_of(t: Tournament, played: Sequence[BegunGame], names: Names) -> Download:
    """The records of games, one after another; those without installed rules are left out."""
    texts = []
    for each in played:
        people = [
            Person(names.get(number, f"Player {number}"))
            for number in t.games[each.id].game.players
        ]
        try:
            record = record_of(each.match, each.events, people)
        except UserError:
            continue
        texts.append(write_text(replace(record, event=t.setup.name, round=each.id)))
    return Download(file_name(t, "txt"), "\n".join(texts).encode())
