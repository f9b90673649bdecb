"""A tournament of ours, with all that may happen, before gacrux's own checker."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.ids import UserId
from bot.tournaments.domain import directing, registration, running
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.fold import replay
from bot.tournaments.domain.formats.base import Ask
from bot.tournaments.domain.formats.catalog import placings
from bot.tournaments.domain.formats.swiss import report_of
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import TournamentStatus
from bot.tournaments.domain.trf_writing import write_trf
from bot.tournaments.swiss.engine import pair_now
from tests.tournaments.events_made import Event, a_setup

ROUNDS = 4


@pytest.mark.parametrize(("lots", "accelerated"), [(1, False), (2, False), (1, True)])
@pytest.mark.long
def test_every_round_of_a_tournament_passes_the_checker(
    lots: int, accelerated: bool, tmp_path: Path
) -> None:
    setup = a_setup(FormatKey.SWISS, rounds=ROUNDS, late_entry=True, accelerated=accelerated)
    event = Event(setup, lots=lots)
    event.enter(*range(1, 12), ratings=[2000 - 50 * each for each in range(11)])
    event.do(registration.ask_bye, 4, 2, Kind.HALF_BYE)
    event.do(registration.close)
    for number in range(1, ROUNDS + 1):
        asked = running.draw(event.t, event.act())
        assert isinstance(asked, Ask)
        paired = pair_now([asked.request])[0]
        drawn = running.draw(event.t, event.act(), paired)
        assert not isinstance(drawn, Ask)
        event.take(drawn)
        assert len(event.t.rounds) == number
        for index, played in enumerate(event.t.pending):
            first, second = played.game.players
            if index == number:
                event.do(running.no_show, played.game.id, (second,))
            elif index % 3 == 2:
                event.score(played.game.id, "1/2", "1/2")
            else:
                won = int((first + number) % 3 > 0)
                event.score(played.game.id, won, 1 - won, how=How.PLAYED)
        if number == 1:
            # The newcomer's rating is the lowest, so that the seeds of the others stay.
            event.do(registration.enter, UserId(50), rating=900)
            # The first and second in the standings, who would meet.
            best = [each.number for each in placings(event.t)[:3]]
            event.do(directing.part, best, 2)
        if number == 2:
            assert not any({*each.game.players} <= {*best} for each in event.t.in_round(2))
            event.do(registration.withdraw, 7)
    event.do(running.draw)
    assert event.t.status is TournamentStatus.FINISHED
    assert replay(event.events) == event.t

    report, _ = report_of(event.t, ROUNDS)
    file = tmp_path / "ours.trf"
    file.write_text(write_trf(replace(report, byes={})), encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "gacrux.pairingchecker", "-c", "-i", str(file), "-d", "T"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Check: True" in checked.stdout, checked.stdout + checked.stderr
