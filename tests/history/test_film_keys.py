"""Films of files, which all have one name, are told apart by what is in the files."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.match import Result
from bot.history.domain.playback import sample_line
from bot.history.ui.replay import film_key
from games import catalog


def test_files_with_the_same_moves_but_other_rules_or_results_have_films_of_their_own() -> None:
    info = catalog.GAMES["quax"].info
    line = sample_line(info, info.samples[0], "file0")
    known = film_key(line.match, line)
    same = sample_line(info, info.samples[0], "file0")
    assert film_key(same.match, same) == known
    result = line.match.result
    assert isinstance(result, Result)
    others = (
        replace(line.match, game="quux"),
        replace(line.match, options={**line.match.options, "size": 5}),
        replace(line.match, result=replace(result, winners=())),
    )
    keys = {film_key(match, line) for match in others}
    assert len(keys | {known}) == 4
    hash(known)
