"""Writing tournaments: FIDE's report format, of 2016 and of 2026, and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction

from bot.tournaments.domain.crosstable import Competitor, CrosstableLine, Kind, Side
from bot.tournaments.domain.trf import SCORING, Report


class Edition(Enum):
    """The edition of the format."""

    OF_2016 = "2016"
    OF_2026 = "2026"


_LETTERS = {
    Kind.PENDING: "X",
    Kind.PAIRING_BYE: "U",
    Kind.FULL_BYE: "F",
    Kind.HALF_BYE: "H",
    Kind.ZERO_BYE: "Z",
}
_PLAYED = {"W": "1", "D": "=", "L": "0"}


def write_trf(report: Report, edition: Edition = Edition.OF_2026) -> str:
    """A report as text; lines end in LF, though FIDE asks for CR: all programs read it.

    Records that 2016 did not have are left out of its edition, but for ``XXR``, from which pairing
    programs of its time read the number of rounds. Raises :exc:`ValueError` for points that are no
    multiple of a tenth, which the format cannot express.
    """
    lines = [
        *_header(report, edition),
        *(_player(each, report, edition) for each in report.players),
    ]
    if edition is Edition.OF_2026:
        lines += _byes(report)
        lines += (
            f"250      {decimal(points):>4} {first:3} {last:3} {begin:4} {end:4}"
            for points, first, last, begin, end in report.accelerated
        )
        lines += (
            f"260 {first:03} {last:03} " + " ".join(f"{number:4}" for number in numbers)
            for first, last, numbers in report.forbidden
        )
    return "".join(f"{line.rstrip()}\n" for line in (*lines, *report.other))


def _header(report: Report, edition: Edition) -> Iterable[str]:
    rated = sum(each.rating is not None for each in report.players)
    yield f"012 {_plain(report.name)}"
    for code, words in (("022", report.city), ("032", report.federation)):
        if words:
            yield f"{code} {_plain(words)}"
    for code, day in (("042", report.starts), ("052", report.ends)):
        if day is not None:
            yield f"{code} {day:%Y/%m/%d}"
    yield f"062 {len(report.players)}"
    yield f"072 {rated}"
    if report.system:
        yield f"092 {_plain(report.system)}"
    if edition is Edition.OF_2016:
        if report.planned is not None:
            yield f"XXR {report.planned}"
        return
    if report.planned is not None:
        yield f"142 {report.planned}"
    if report.first_side is not None:
        yield "152 W" if report.first_side is Side.FIRST else "152 B"
    if report.scoring != SCORING:
        # The default points of a bye depend on those of a win, so all are written; but bbpPairings
        # refuses X, a game that is not over, and by default it is worth a draw.
        silent = "X" if report.scoring["X"] == report.scoring["D"] else ""
        points = ((key, value) for key, value in report.scoring.items() if key != silent)
        fields = (f"{key}{decimal(value):>4}" for key, value in points)
        yield "162  " + "    ".join(fields)
    if report.system:
        yield f"192 {_plain(report.system)}"


def _player(player: Competitor, report: Report, edition: Edition) -> str:
    name = _plain(player.name)[:33]
    rank = _or_blank(report.ranks.get(player.number))
    static = f"001 {player.number:4} {'':4} {name:<33} {_or_blank(player.rating):>4}"
    cells = {line.round: _cell(line, report.scoring) for line in player.lines}
    if edition is Edition.OF_2016:  # which has no record 240 for byes to come
        for number, those in report.byes.items():
            if player.number in those:
                cells.setdefault(number, f"0000 - {_LETTERS[those[player.number]]}")
    drawn = "  ".join(
        f"{cells.get(number, ''):8}" for number in range(1, max(cells, default=0) + 1)
    )
    return f"{static:<80}{decimal(player.points):>4} {rank:>4}  {drawn}"


def _cell(line: CrosstableLine, scoring: Mapping[str, Fraction]) -> str:
    if line.opponent is None:
        return f"0000 - {_LETTERS[line.kind]}"
    side = "w" if line.side is Side.FIRST else "b"
    if line.kind is Kind.FORFEIT:
        letter = "+" if line.points == scoring["W"] else "-"
    elif line.kind is Kind.PENDING:
        letter = "X"
    else:
        letter = next(_PLAYED[key] for key in "WDL" if scoring[key] == line.points)
    return f"{line.opponent:4} {side} {letter}"


def _byes(report: Report) -> Iterable[str]:
    for number, those in sorted(report.byes.items()):
        for kind in (Kind.FULL_BYE, Kind.HALF_BYE, Kind.ZERO_BYE):
            whose = sorted(each for each, given in those.items() if given is kind)
            if whose:
                players = " ".join(f"{each:4}" for each in whose)
                yield f"240 {_LETTERS[kind]} {number:03} {players}"


def decimal(value: Fraction) -> str:
    """Points with one digit after the point. Raises :exc:`ValueError` if that is not exact."""
    tenths = value * 10
    if tenths.denominator != 1:
        raise ValueError(f"{value} has no decimal form with one digit")
    whole, digit = divmod(tenths.numerator, 10)
    return f"{whole}.{digit}"


def _plain(words: str) -> str:
    """Words on one line; a report has no quotes."""
    return " ".join(words.split())


def _or_blank(value: int | None) -> str:
    return "" if value is None else str(value)


def write_csv(header: Sequence[str], rows: Iterable[Sequence[str | int | Fraction | None]]) -> str:
    """A table as comma-separated values with CRLF line ends (RFC 4180).

    Points are decimals where they have a short one. A text that looks like a formula of a
    spreadsheet gets an apostrophe in front, so that no player's name is ever computed.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(header)
    writer.writerows([_csv_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _csv_cell(value: str | int | Fraction | None) -> str:
    if value is None:
        return ""
    if isinstance(value, Fraction):
        short = value.denominator in (1, 2, 4, 5, 10)
        return f"{float(value):g}" if short else f"{float(value):.4f}"
    words = str(value)
    return f"'{words}" if isinstance(value, str) and words[:1] in _FORMULA else words


_FORMULA = ("=", "+", "-", "@", "\t", "\r")
