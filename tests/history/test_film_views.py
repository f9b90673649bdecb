"""Replays say with every position which move it is and whose, and close with the result."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.ids import UserId
from bot.domain.match import MatchStatus, Result
from bot.history.domain.playback import sample_line
from bot.history.ui.replay import FilmViews, film_key, plain_outcome
from bot.i18n import Languages
from games import catalog
from renderers import Style, replay

pytestmark = pytest.mark.slow

ENGLISH = Languages().default
NAMES = ("Ada {x}", "Bo", "Cy", "Di")


@pytest.mark.parametrize("key", list(catalog.GAMES))
def test_each_position_has_its_move_and_the_end_card_the_result(key: str) -> None:
    info = catalog.GAMES[key].info
    if not info.samples:
        return
    line = sample_line(info, info.samples[0], "s0x00")
    shown = FilmViews(line, NAMES, "Bo {wins}!", ENGLISH)
    views = [shown[number] for number in range(len(shown))]
    assert len(views) == line.plies + 2
    said = [[ENGLISH(text) for text in view.captions] for view in views]
    assert said[0] == [f"Start of the match ({line.plies} moves)"]
    first = line.at(0)
    side = ENGLISH(first.game.seats[line.seats[0]].name)
    by = NAMES[first.game.seating(first.position)[line.seats[0]]]
    move = f"Move 1 of {line.plies}: {line.notations[0]} by {side} ({by})"
    assert said[1] == [move]
    assert said[-2][0].startswith(f"Move {line.plies} of {line.plies}: {line.notations[-1]} by ")
    assert said[-1] == ["Bo {wins}!", f"{line.plies} moves"]
    assert replace(views[-1], captions=()) == replace(views[-2], captions=())
    few = [views[0], views[1], views[-1]]
    assert replay(few, Style(names=NAMES)).frames == 3


def test_a_running_match_has_no_end_card_and_pictures_have_names_for_mentions() -> None:
    info = catalog.GAMES["quax"].info
    line = sample_line(info, info.samples[0], "s0x00")
    match = replace(line.match, players=(UserId(11), UserId(12)))
    said = plain_outcome(match, "<@12> wins!\n<@11> \\*resigned\\*.", ("Ada", "Bo"), ENGLISH)
    assert said == "Bo wins! Ada *resigned*."
    running = replace(match, status=MatchStatus.RUNNING)
    assert plain_outcome(running, "<@12> is to move", ("Ada", "Bo"), ENGLISH) == ""
    assert len(FilmViews(line, NAMES, "", ENGLISH)) == line.plies + 1


# ---- films of files, which all have one name, are told apart by what is in the files -------------


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
