"""The databases of the tests end with them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

_RUN = """
import time
from tests.support.databases import postgres_running

with postgres_running() as host:
    print(host, flush=True)
    time.sleep(600)
"""


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


@pytest.mark.postgres
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
@pytest.mark.long
def test_a_postgres_ends_with_the_tests_that_are_killed() -> None:
    with subprocess.Popen(
        (sys.executable, "-c", _RUN),
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as tests:
        assert tests.stdout is not None
        folder = Path(tests.stdout.readline().strip())
        server = int((folder / "postmaster.pid").read_text().split()[0])
        assert _runs(server)
        os.killpg(tests.pid, signal.SIGKILL)
    for _ in range(300):
        if not _runs(server) and not folder.exists():
            return
        time.sleep(0.1)
    os.kill(server, signal.SIGQUIT)
    raise AssertionError("it runs on")
