"""The request to a program that pairs a Swiss round, and its answer.

The rest of Parlour sees only :data:`Pair`, not the program behind it.
:func:`check_paired` checks every answer, from any engine.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from bot.tournaments.domain.crosstable import Competitor, Kind, Side
from bot.tournaments.domain.trf import Report


class NoPairing(Exception):
    """The rules allow no pairing of this round: a director must decide."""


class PairingFailed(Exception):
    """The program did not answer, or not correctly; trying again may help."""


@dataclass(frozen=True, slots=True)
class PairingRequest:
    """A report with all rounds before ``round``, and the byes given in it."""

    report: Report
    round: int

    @property
    def present(self) -> tuple[Competitor, ...]:
        """The players to be paired: those without a bye in that round."""
        absent = self.report.byes.get(self.round, {})
        return tuple(each for each in self.report.players if each.number not in absent)


@dataclass(frozen=True, slots=True)
class Paired:
    """A round: pairs of numbers in the order of the boards, the player who moves first named first.

    ``bye`` is the player left over, and ``out`` a player who sits out for half a point because the
    rules allowed no pairing with them.
    """

    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None
    out: int | None = None


Pair = Callable[[Sequence[PairingRequest]], Awaitable[Sequence[Paired]]]
"""Has a program pair by the FIDE Dutch system, in the order of the requests.

Raises :exc:`NoPairing` where the rules allow none, :exc:`PairingFailed` if there is no answer.
"""


def request_for(report: Report, number: int) -> PairingRequest:
    """The request for a round of a report, which may have been paired already.

    The number of rounds must be known, as the last one has rules of its own: without it in the
    report, it is the number of paired rounds.
    """
    players = tuple(each.until(number - 1) for each in report.players)
    planned = report.planned or max(report.paired, number)
    byes = {key: value for key, value in report.byes.items() if key == number}
    side = report.first_side or first_side_of(report.players)
    cut = replace(report, players=players, planned=planned, byes=byes, first_side=side)
    return PairingRequest(cut, number)


def first_side_of(players: Sequence[Competitor]) -> Side:
    """The side of the highest seed that was paired in round 1; the first if none was."""
    for player in players:
        line = player.in_round(1)
        if line is not None and line.side is not None:
            return line.side
    return Side.FIRST


def paired_in(report: Report, number: int) -> Paired:
    """The pairing of a round in a report, without the order of the boards."""
    pairs = []
    bye = None
    for player in report.players:
        line = player.in_round(number)
        if line is None:
            continue
        if line.kind is Kind.PAIRING_BYE:
            bye = player.number
        elif line.opponent is not None and line.side is Side.FIRST:
            pairs.append((player.number, line.opponent))
    return Paired(tuple(pairs), bye)


def check_paired(request: PairingRequest, paired: Paired) -> None:
    """Raise :exc:`PairingFailed` unless an answer is a valid pairing.

    All present players are in it once; no two players meet again, or against a rule; only an odd
    number leaves a player over, who has not had a full point without a game before.
    """
    players = {each.number: each for each in request.present}
    seen = [number for pair in paired.pairs for number in pair]
    seen += [] if paired.bye is None else [paired.bye]
    if sorted(seen) != sorted(players):
        raise PairingFailed("not everyone is paired exactly once")
    for first, second in paired.pairs:
        if any(
            line.opponent == second and line.kind is not Kind.FORFEIT
            for line in players[first].lines
        ):
            raise PairingFailed(f"{first} and {second} have met before")
        if any(
            begin <= request.round <= end and {first, second} <= set(numbers)
            for begin, end, numbers in request.report.forbidden
        ):
            raise PairingFailed(f"{first} and {second} must not meet")
    if paired.bye is not None and any(
        line.kind is Kind.PAIRING_BYE for line in players[paired.bye].lines
    ):
        raise PairingFailed(f"{paired.bye} has had a bye before")
