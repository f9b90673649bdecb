"""``parlour tournament``: pair, check and rank the tournament in a report file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from bot.tournaments.domain.crosstable import SWISS, Crosstable, TieBreak, standings
from bot.tournaments.domain.swiss_pairing import (
    NoPairing,
    Paired,
    PairingFailed,
    paired_in,
    request_for,
)
from bot.tournaments.domain.trf import Report, TrfError, decode, read_trf
from bot.tournaments.swiss.engine import pair_now

DIFFERS = 1
UNREADABLE = 2

Answer = tuple[int, Sequence[str]]
"""An exit code, and the lines to print."""

_ORDER = (*SWISS[:3], TieBreak.MEDIAN_BUCHHOLZ, *SWISS[3:], TieBreak.KOYA)


def run(action: str, file: Path, program: Path | None = None) -> int:
    """Do one of :data:`ACTIONS`; returns the exit code, :data:`UNREADABLE` after one line with why.

    ``program`` pairs instead of gacrux.
    """
    try:
        report = read_trf(decode(file.read_bytes()))
        code, lines = ACTIONS[action](report, program and program.resolve())
    except OSError as error:
        return _refuse(file, error.strerror or "cannot be read")
    except (TrfError, NoPairing, PairingFailed) as error:
        return _refuse(file, str(error))
    if report.contradictions:
        _warn(file, report.contradictions)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return code


def _refuse(file: Path, reason: str) -> int:
    sys.stderr.write(f"{file}: {reason}\n")
    return UNREADABLE


def _warn(file: Path, contradictions: Sequence[TrfError]) -> None:
    others = len(contradictions) - 1
    more = f" (and {others} more like this)" if others else ""
    sys.stderr.write(f"{file}: {contradictions[0]}{more}\n")


def _check_pairable(report: Report) -> None:
    """Raise for records that would change pairs beyond the report's own rules and points."""
    for error in (*report.unpairable, *report.contradictions):
        raise error


def _pair(report: Report, program: Path | None) -> Answer:
    """Pair the round after the last: a pair a line, the bye last."""
    number = report.paired + 1
    if report.planned is not None and number > report.planned:
        raise TrfError(0, f"all {report.planned} rounds have been paired")
    pending = [
        each.number
        for each in report.players
        for line in each.lines
        if not line.is_over and line.round < number
    ]
    if pending:
        raise TrfError(0, f"the game of player {pending[0]} is not over yet")
    _check_pairable(report)
    request = request_for(report, number)
    if not request.present:
        raise TrfError(0, f"nobody is present in round {number}")
    paired = pair_now([request], program)[0]
    lines = [f"Round {number}"]
    for board, (first, second) in enumerate(paired.pairs, 1):
        lines.append(f"{board:3}. {first:4} - {second:4}")
    if paired.bye is not None:
        lines.append(f"Bye: {paired.bye}")
    return 0, lines


def _check(report: Report, program: Path | None) -> Answer:
    """Pair every round again; a line for each, with the differences."""
    _check_pairable(report)
    requests = [request_for(report, number) for number in range(1, report.paired + 1)]
    differs = 0
    lines = []
    for request, paired in zip(requests, pair_now(requests, program), strict=True):
        said = paired_in(report, request.round)
        if set(said.pairs) == set(paired.pairs) and said.bye == paired.bye:
            lines.append(f"Round {request.round}: equal")
            continue
        differs += 1
        lines += (
            f"Round {request.round}: differs",
            f"  file:    {_in_one_line(said, paired)}",
            f"  program: {_in_one_line(paired, said)}",
        )
    lines.append(f"{len(requests)} rounds paired again, {differs} differ.")
    return DIFFERS if differs else 0, lines


def _in_one_line(paired: Paired, other: Paired) -> str:
    words = [f"{first}-{second}" for first, second in sorted(set(paired.pairs) - set(other.pairs))]
    if paired.bye != other.bye:
        words.append(f"bye {paired.bye}")
    return " ".join(words)


def _standings(report: Report, _program: Path | None) -> Answer:
    """Places with all tie-breaks, tab-separated."""
    table = Crosstable.of(
        report.players,
        fixed=report.is_round_robin,
        win=report.scoring["W"],
        draw=report.scoring["D"],
    )
    names = {each.number: each.name for each in report.players}
    lines = ["\t".join(("Rank", "No", "Name", *(each.value for each in _ORDER)))]
    for place in standings(table, _ORDER):
        values = (_number(each.total) for each in place.values)
        lines.append("\t".join((str(place.rank), str(place.number), names[place.number], *values)))
    return 0, lines


def _number(value: Fraction) -> str:
    return f"{float(value):g}"


ACTIONS: Mapping[str, Callable[[Report, Path | None], Answer]] = {
    "pair": _pair,
    "check": _check,
    "standings": _standings,
}
"""The commands about a report."""
