"""The published data of the levels agree with the stored results of the ladder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.levels import STEPS, Step
from engines.statistics import SequentialTest, is_admitted

_RESULTS = Path(__file__).parents[2] / "benchmarks" / "results" / "ladder"
_MEASURED = {
    "quax": "quax_size-9_pie-off",
    "quux": "quux_size-4_supply-paired_path-slide_pie-off",
    "ziggurat": "ziggurat",
    "pux": "pux",
    "pythagoras": "pythagoras_seats-2",
}
_FIXED = 30
"""Up to so many games a step may have been measured with a number of games fixed beforehand."""

_MEASURED_STEPS = [
    (game, upper, step)
    for game, steps in STEPS.items()
    for upper, step in enumerate(steps, start=2)
    if step is not None
]


@pytest.mark.parametrize(("game", "upper", "step"), _MEASURED_STEPS)
def test_a_step_is_what_its_records_say(game: str, upper: int, step: Step) -> None:
    stem = _RESULTS / _MEASURED[game]
    told = json.loads(stem.with_suffix(".json").read_text(encoding="utf-8"))
    kept = told[f"{upper} v {upper - 1}"]
    assert (kept["wins"], kept["draws"]) == (step.won, step.drawn)
    assert kept["games"] == step.won + step.drawn + step.lost
    records = Path(f"{stem}_{upper}_{upper - 1}.jsonl").read_text(encoding="utf-8").splitlines()
    scores = [json.loads(line)["score"] for line in records]
    assert [scores.count(each) for each in (1.0, 0.5, 0.0)] == [step.won, step.drawn, step.lost]


@pytest.mark.parametrize(("game", "upper", "step"), _MEASURED_STEPS)
def test_a_level_with_a_rating_is_admitted(game: str, upper: int, step: Step) -> None:
    wager = SequentialTest()
    for score, times in ((1.0, step.won), (0.5, step.drawn), (0.0, step.lost)):
        for _ in range(times):
            wager.add(score)
    games = step.won + step.drawn + step.lost
    fixed = games <= _FIXED and is_admitted(step.won + step.drawn / 2, games)
    assert wager.is_won or fixed, f"level {upper} of {game} is not admitted"
