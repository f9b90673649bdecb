"""Fifty tournaments that another program paired (bbpPairings 6): the same pairs, sides and byes.

Where there is a bbpPairings, ``make long`` has it pair them once more, called as Parlour does.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from bot.tournaments.domain.swiss_pairing import PairingRequest, paired_in, request_for
from bot.tournaments.domain.trf import Report, read_trf
from bot.tournaments.domain.trf_writing import Edition, write_trf
from bot.tournaments.swiss.engine import pair_now
from tests.reference import FOLDER

FILES = sorted((FOLDER / "swiss").glob("*.trf"))
PAIRED = FILES if "PARLOUR_SOAK" in os.environ else FILES[::4]


@pytest.mark.parametrize(
    "program", [None, pytest.param("bbpPairings", marks=pytest.mark.long)], ids=str
)
def test_every_round_is_paired_as_the_reference_program_did(program: str | None) -> None:
    path = program and shutil.which(program)
    if program is not None and path is None:
        pytest.skip(f"there is no {program}")
    asked: list[tuple[str, Report, PairingRequest]] = []
    for file in PAIRED:
        report = read_trf(file.read_text(encoding="utf-8"))
        asked += (
            (file.name, report, request_for(report, number))
            for number in range(1, report.paired + 1)
        )
    assert len(FILES) == 50
    assert len(asked) >= len(PAIRED)

    answers = pair_now([request for *_, request in asked], Path(path) if path else None)

    for (name, report, request), answer in zip(asked, answers, strict=True):
        wanted = paired_in(report, request.round)
        where = f"{name} round {request.round}"
        assert set(answer.pairs) == set(wanted.pairs), where
        assert answer.bye == wanted.bye, where


def test_players_are_written_to_the_letter_as_they_were_read() -> None:
    for file in PAIRED:
        text = file.read_text(encoding="utf-8")
        report = read_trf(text)
        wanted = [line for line in text.splitlines() if line.startswith("001")]
        for edition in Edition:
            for end in ("\r", "\n", "\r\n"):
                written = write_trf(report, edition).replace("\n", end)
                assert [x for x in written.split(end) if x.startswith("001")] == wanted, file.name
                again = read_trf(written)
                assert (again.players, again.ranks) == (report.players, report.ranks)
                assert again.byes == report.byes
