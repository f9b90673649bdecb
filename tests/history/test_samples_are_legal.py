"""Each sample to replay can be played as its package says."""

from __future__ import annotations

import pytest

from bot.domain.match import Ending
from bot.history.domain.playback import sample_line
from games import catalog
from games.api import SampleGame

ALL = [(key, each) for key, kind in catalog.GAMES.items() for each in kind.info.samples]


@pytest.mark.parametrize(("key", "sample"), ALL)
def test_a_sample_is_a_whole_game_with_a_result(key: str, sample: SampleGame) -> None:
    line = sample_line(catalog.GAMES[key].info, sample, "s0x00")
    assert line.plies == len(sample.moves.split())
    result = line.match.result
    assert result is not None
    assert len(sample.players) == len(line.match.players)
    if sample.resigned is None:
        assert result.ending is Ending.GAME
        assert result.winners
    else:
        assert sample.resigned not in result.winners
    assert line.view(0).to_move is not None
    assert line.view(line.plies).to_move is None


@pytest.mark.parametrize("key", list(catalog.GAMES))
def test_what_a_game_says_of_its_players_and_time_makes_sense(key: str) -> None:
    facts = catalog.GAMES[key].info.facts
    if facts is not None:
        assert facts.minutes[0] < facts.minutes[1]
        assert 1 <= facts.depth <= 5
        assert len(catalog.create(key).seats) in facts.players
