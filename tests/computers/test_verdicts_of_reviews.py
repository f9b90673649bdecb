"""Reviews of positions whose end an exhaustive search knows, by the rules alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bot.computers.domain.hints import Found
from bot.computers.domain.questions import Question
from bot.computers.domain.reviews import Review, looked_at, next_look, percent
from bot.computers.thinking.pool import _move
from bot.computers.thinking.worker import answer
from bot.domain.ids import MatchId
from bot.domain.playthrough import Playthrough
from bot.history.domain.playback import sample_line
from engines.puzzle_book import Puzzle, puzzles
from games import catalog
from games.api import Game, SampleGame
from games.search import Search, TooMuchError
from games.view import Text

_MATCHES = 10
_BEFORE = 60
"""So many moves are taken to have led to each position, so that a review has little for each."""


def won_end(game: Game[Any, Any], puzzle: Puzzle) -> list[list[str]]:
    """From the position of a puzzle to the end: of each turn the winner's moves that win, or all.

    The last of each is played. Raises :exc:`TooMuchError` where that takes long to find out.
    """
    position, own, ways = game.decode(puzzle.state), puzzle.within, []
    winner = game.to_move(position)
    assert winner is not None
    search = Search(game, winner, most=400)
    while game.outcome(position) is None:
        own -= game.to_move(position) == winner
        legal = game.legal_moves(position)
        kept = [each for each in legal if search.wins_within(game.play(position, each), own)]
        ways.append([game.notation(position, each) for each in kept])
        position = game.play(position, kept[-1])
    return ways


def ends(key: str) -> Iterator[tuple[Playthrough, list[list[str]]]]:
    """Short ends of a game that the player on turn wins by force, and the moves that do so."""
    for puzzle in sorted(puzzles(), key=lambda each: each.within):
        if puzzle.game != key or puzzle.within > 3:
            continue
        game = catalog.create(key, dict(puzzle.options))
        try:
            ways = won_end(game, puzzle)
        except TooMuchError:
            continue
        names = tuple(Text.of("A") for _ in game.seats)
        moves = " ".join(each[-1] for each in ways)
        title, options = Text.of("An end"), dict(puzzle.options)
        sample = SampleGame(title, names, moves, options, start=puzzle.state)
        yield sample_line(game.info, sample, "s0"), ways


def reviewed(played: Playthrough) -> Review:
    """The review of these moves as if many had come before them."""
    match = played.match
    review = Review(MatchId("m"), played.plies)
    while (look := next_look(review)) is not None:
        question = Question(
            match.game,
            match.options,
            played.table.game.encode(played.positions[look.ply]),
            6,
            1,
            _BEFORE + look.ply,
            "moment" if look.closely else "review",
            played=played.notations[look.ply],
            of=_BEFORE + played.plies,
        )
        said = answer(json.loads(question.as_json()))
        review = looked_at(review, look, Found(tuple(map(_move, said["moves"]))), played)
    return review


@pytest.mark.parametrize("most", [1, pytest.param(_MATCHES, marks=pytest.mark.long)])
@pytest.mark.parametrize("key", sorted({each.game for each in puzzles()}))
def test_a_proved_win_is_worth_it_all_and_no_move_is_called_better(key: str, most: int) -> None:
    judged = 0
    for played, ways in ends(key):
        for ply, each in enumerate(reviewed(played).moves):
            if played.seats[ply] == played.seats[0]:
                assert percent(each.value) == percent(each.played) == 100
                assert each.best in ways[ply]
            elif len(played.match.players) == 2:
                assert percent(each.value) == percent(each.played) == 0
            assert each.loss == 0
        judged += 1
        if judged == most:
            return
    pytest.fail(f"only {judged} ends of {key}")
