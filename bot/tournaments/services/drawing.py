"""Draws the rounds of an event; a Swiss one also where not all players can be paired."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

from bot.tournaments.domain import running
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.fold import TournamentAct, TournamentChange
from bot.tournaments.domain.formats.base import Ask
from bot.tournaments.domain.swiss_pairing import NoPairing, Paired, PairingEngine, PairingRequest
from bot.tournaments.domain.tournament import Tournament

_TRIES = 16
"""The most players who are tried as the one to sit out."""


async def draw(
    engine: PairingEngine, t: Tournament, act: TournamentAct
) -> tuple[TournamentChange, ...]:
    """All possible draws, and the end if everything is over. Raises as :func:`pair_round`."""
    # A search for tables of four, or many rounds together, may take a while.
    found = await asyncio.to_thread(running.draw, t, act)
    if isinstance(found, Ask):
        paired = await pair_round(engine, found.request)
        found = await asyncio.to_thread(running.draw, t, act, paired)
    return () if isinstance(found, Ask) else found


async def pair_round(engine: PairingEngine, request: PairingRequest) -> Paired:
    """The pairing of a round.

    Directors' choices give way to the rules: if no pairing keeps all those players apart, the
    newest choices are dropped, as few as necessary.

    In a small event with many forfeits it happens that an odd number is left and each of them has
    had a full point without a game, so that none may have the bye (FIDE C.04.1 article 4). One
    player then sits out for half a point: the lowest that makes a pairing of the others possible
    (:attr:`~bot.tournaments.domain.swiss_pairing.Paired.out`).

    Raises :exc:`~bot.tournaments.domain.swiss_pairing.NoPairing` if there is none, and
    :exc:`~bot.tournaments.domain.swiss_pairing.PairingFailed` if the engine does not answer.
    """
    found = await _pair(engine, request) or await _with_fewer_wishes(engine, request)
    if found is not None:
        return found
    bare = [_with_wishes(request, 0)] if request.report.forbidden else []
    for asked in (request, *bare):
        for number, fewer in _one_out(asked):
            found = await _pair(engine, fewer)
            if found is not None:
                return replace(found, out=number)
    raise NoPairing(f"round {request.round}")


async def _pair(engine: PairingEngine, request: PairingRequest) -> Paired | None:
    try:
        (paired,) = await engine.pair((request,))
    except NoPairing:
        return None
    return paired


async def _with_fewer_wishes(engine: PairingEngine, request: PairingRequest) -> Paired | None:
    """The pairing with as many of the choices as possible, the oldest first; not all are."""
    possible, too_many = 0, len(request.report.forbidden)
    found = await _pair(engine, _with_wishes(request, 0)) if too_many else None
    while found is not None and too_many - possible > 1:
        middle = (possible + too_many) // 2
        better = await _pair(engine, _with_wishes(request, middle))
        if better is None:
            too_many = middle
        else:
            possible, found = middle, better
    return found


def _with_wishes(request: PairingRequest, kept: int) -> PairingRequest:
    """The same round with the first ``kept`` of its forbidden pairings."""
    report = request.report
    return replace(request, report=replace(report, forbidden=report.forbidden[:kept]))


def _one_out(request: PairingRequest) -> Iterator[tuple[int, PairingRequest]]:
    """The same round of an odd number with one player out, the lowest first."""
    present = sorted(request.present, key=lambda each: (each.points, -each.number))
    if len(present) % 2 == 0:
        return
    byes = request.report.byes.get(request.round, {})
    for each in present[:_TRIES]:
        more = {**byes, each.number: Kind.HALF_BYE}
        all_byes = {**request.report.byes, request.round: more}
        yield each.number, replace(request, report=replace(request.report, byes=all_byes))
