"""No accepted move is lost by a power cut, at whatever instant it comes."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import Random

import pytest

from tests.store.power_cuts import Disk, check, record

CUTS = int(os.environ.get("PARLOUR_POWER_CUTS", "40"))
SEED = int(os.environ.get("PARLOUR_SEED", "1"))


@pytest.mark.long
@pytest.mark.timeout(0)
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace records writes and syncs")
async def test_no_accepted_move_is_lost_by_a_power_cut(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    accepted_in = os.fsencode(tmp_path / "acknowledged")
    calls = record(folder, 60 + CUTS // 4, seed=SEED)
    random, disk, accepted = Random(SEED), Disk(), list[bytes]()
    first = next(number for number, each in enumerate(calls) if each.texts[0] == accepted_in)
    # One in ten while the first start makes the database.
    cuts = random.choices(range(first), k=CUTS // 10)
    cuts += random.choices(range(first, len(calls)), k=CUTS - CUTS // 10)
    for number, call in enumerate(calls):
        if accepted_in in call.texts[:2]:
            accepted += call.texts[1].splitlines() if call.name == "write" else []
        else:
            disk.take(call)
        for cut in range(cuts.count(number)):
            place = tmp_path / f"{number}-{cut}"
            place.mkdir()
            for path, content in disk.left(random).items():
                (place / os.fsdecode(path).rpartition("/")[2]).write_bytes(content)
            await check(place, accepted)
            shutil.rmtree(place)
    assert len(accepted) == 60 + CUTS // 4
