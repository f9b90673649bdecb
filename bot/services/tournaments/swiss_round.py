"""Pairs a Swiss round, also where the rules do not allow a pairing of all players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from bot.domain.tournaments.crosstable import Kind
from bot.domain.tournaments.swiss_pairing import NoPairing, Paired, PairingEngine, PairingRequest

_TRIES = 16
"""Of so many players it is tried whether the others can be paired without them."""


async def pair_round(engine: PairingEngine, request: PairingRequest) -> Paired:
    """The pairing of a round.

    In a small event with many forfeits it happens that an odd number is left and each of them has
    had a full point without a game, so that none may have the bye (FIDE C.04.1 article 4). One
    player then sits out for half a point: the lowest that makes a pairing of the others possible
    (:attr:`~bot.domain.tournaments.swiss_pairing.Paired.out`).

    Raises :exc:`~bot.domain.tournaments.swiss_pairing.NoPairing` where nothing is possible, and
    :exc:`~bot.domain.tournaments.swiss_pairing.PairingFailed` if the engine does not answer.
    """
    try:
        (paired,) = await engine.pair((request,))
    except NoPairing:
        for number, fewer in _one_out(request):
            try:
                (paired,) = await engine.pair((fewer,))
            except NoPairing:
                continue
            return replace(paired, out=number)
        raise
    return paired


def _one_out(request: PairingRequest) -> Iterator[tuple[int, PairingRequest]]:
    """The same round of an odd number with one player out, the lowest first."""
    present = sorted(request.present, key=lambda each: (each.points, -each.number))
    if len(present) % 2 == 0:
        return
    byes = request.report.byes.get(request.round, {})
    for each in present[:_TRIES]:
        more = MappingProxyType({**byes, each.number: Kind.HALF_BYE})
        all_byes = MappingProxyType({**request.report.byes, request.round: more})
        yield each.number, replace(request, report=replace(request.report, byes=all_byes))
