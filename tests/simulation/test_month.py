"""A few days of a small club; ``make month`` plays a month of a large one."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.simulation.host import EVENT_POINTS
from tests.simulation.judge import judge
from tests.simulation.month import Plan, month
from tests.simulation.programme import few_days


@pytest.fixture
def _outages_are_no_errors() -> Iterator[None]:
    # The library says as an error that it cannot connect, which is what an outage is.
    log = logging.getLogger("discord.shard")
    before = log.level
    log.setLevel(logging.CRITICAL)
    yield
    log.setLevel(before)


@pytest.mark.long
@pytest.mark.first
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("_outages_are_no_errors")
async def test_days_of_a_club_with_restarts_kills_and_an_outage(tmp_path: Path) -> None:
    plan = Plan(
        seed=10,
        players=12,
        matches=26,
        days=3.5,
        restarts=1,
        kills=2,
        deaths=2,
        event_deaths=2,
        programme=few_days(),
    )
    async with month(tmp_path, plan) as made:
        await made.run()
        found = await judge(made)
    assert not found.problems, "\n".join(found.problems)
    assert made.counts["matches"] > 10
    assert made.counts["outages"] == 1
    assert made.counts["redeploys"] == 2
    assert made.counts["killed at a line"] >= 1
    assert found.facts["calls"] > 20
    assert found.facts["flags"] > 0
    assert made.counts["vacations"] > 0
    assert made.counts["vacations by themselves"] > 0
    assert made.counts["matches of events"] >= 4
    assert made.counts["corrections"] == 1
    assert found.facts["ended: round_robin"] == found.facts["ended: knockout"] == 1
    assert found.facts["notices of events"] > 5
    assert any(made.counts[point] for point in EVENT_POINTS)
    assert made.counts["kills"] >= 4
