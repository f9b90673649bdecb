"""Proofs of searches, compared with exhaustive search by the rules alone."""

from __future__ import annotations

from functools import cache
from random import Random
from time import process_time
from typing import Any

import pytest

from engines.alphabeta import AlphaBeta
from engines.api import Oversights
from engines.beginner import Beginner
from engines.board import RulesBoard
from engines.catalog import engine_for
from engines.match import seconds_for
from engines.maxn import MaxN
from engines.puct import PlayoutBoard, Puct
from engines.pux.board import PuxBoard
from engines.pythagoras.board import PythagorasBoard
from engines.quax.board import QuaxBoard
from engines.quux.board import QuuxBoard
from engines.references import AtRandom, PlainAlphaBeta, Uct
from engines.watchful import Watchful
from engines.ziggurat.board import ZigguratBoard
from games import catalog
from games.api import Game, Seat
from games.quux import Quux
from games.search import Search
from tests.games.toy import Walk
from tests.sixth_game import Rows


def holds(game: Game[Any, Any], position: Any, found: Any, plies: int) -> int:
    """Check each proof of a win or a loss by exhaustive search; answers how many there were."""
    mover = game.to_move(position)
    assert mover is not None
    count = 0
    for each in found:
        if not each.is_proved or each.value == 0.5:
            continue
        after = game.play(position, each.move)
        winner = mover if each.is_won else 1 - mover
        assert Search(game, Seat(winner)).wins_within(after, plies), game.notation(
            position, each.move
        )
        count += 1
    return count


@pytest.mark.parametrize("last", ["wins", "loses"])
def test_puct_solves_a_walk(last: str) -> None:
    game = Walk({"length": 9, "last": last})
    search = Puct(PlayoutBoard(RulesBoard(game)))
    position = game.initial(Random(1))
    while game.outcome(position) is None:
        found = search.candidates(position, 400, Random(2))
        assert holds(game, position, found, 9)
        assert all(each.is_proved for each in found[:1])
        position = game.play(position, found[0].move)


def test_three_by_three_is_solved_as_the_page_says() -> None:
    """Table A6: who wins after each first stone of Quax, found by every move to the end."""
    game = catalog.create("quax", {"size": 3, "pie": "off"})
    start = game.initial(Random(1))
    search = Puct(QuaxBoard(3))
    for rank, row in zip((3, 2, 1), ("RBR", "BBB", "RBR"), strict=True):
        for file, winner in zip("abc", row, strict=True):
            position = game.play(start, game.parse(start, f"{file}{rank}"))
            best = search.candidates(position, 3000, Random(1))[0]
            assert best.is_proved
            assert best.value == (1.0 if winner == "R" else 0.0), f"{file}{rank}"


def test_quax_proofs_hold_on_four_by_four() -> None:
    game = catalog.create("quax", {"size": 4, "pie": "off"})
    search, rng = Puct(QuaxBoard(4)), Random(5)
    proofs = 0
    for _ in range(6):
        position = game.initial(rng)
        for _ in range(11):
            if game.outcome(position) is None:
                position = game.play(position, rng.choice(list(game.legal_moves(position))))
        if game.outcome(position) is None:
            found = search.candidates(position, 300, rng)
            proofs += holds(game, position, found[:4], 8)
    assert proofs > 5


@pytest.mark.parametrize(
    ("key", "options", "board_of", "plies"),
    [
        ("quux", {"size": 3, "pie": "off"}, lambda game: QuuxBoard(game, 3), 7),
        ("ziggurat", {}, lambda _: ZigguratBoard(), 70),
    ],
)
@pytest.mark.long
def test_alpha_beta_proofs_hold(key: str, options: Any, board_of: Any, plies: int) -> None:
    game = catalog.create(key, options)
    search, rng = AlphaBeta(board_of(game), deepest=3), Random(7)
    proofs = 0
    for _ in range(12):
        position = game.initial(rng)
        for _ in range(plies):
            if game.outcome(position) is None:
                position = game.play(position, rng.choice(list(game.legal_moves(position))))
        if game.outcome(position) is None:
            found = search.candidates(position, 4000, rng, compare=True)
            # Three plies, one more where loud moves end it; the first has been made.
            proofs += holds(game, position, found, 3)
    assert proofs > 5


def test_alpha_beta_without_comparison_finds_moves_as_good() -> None:
    game = catalog.create("ziggurat")
    board, rng = ZigguratBoard(), Random(9)
    search = AlphaBeta(board, deepest=3)
    for _ in range(4):
        position = game.initial(rng)
        for _ in range(30):
            position = game.play(position, rng.choice(list(game.legal_moves(position))))
        if game.outcome(position) is not None:
            continue
        whole = {
            each.move: each.value for each in search.candidates(position, 10**6, rng, compare=True)
        }
        found = search.candidates(position, 10**6, rng)
        assert {each.move for each in found} == set(whole)
        assert whole[found[0].move] == pytest.approx(max(whole.values()), abs=0.02)


def test_a_position_that_comes_again_counts_as_a_draw() -> None:
    game, board, rng = catalog.create("ziggurat"), ZigguratBoard(), Random(3)
    search = AlphaBeta(board, deepest=1)
    seen = 0
    for _ in range(12):
        position = game.initial(rng)
        while game.outcome(position) is None:
            past = board.past(position)
            if len(past) > 2:
                state = board.start(position)
                for each in search.candidates(position, 10**4, rng, compare=True):
                    after = board.play(state, board.number(each.move))
                    if board.key(after) in past:
                        assert each.value == 0.5
                        assert not each.is_proved
                        seen += 1
            position = game.play(position, rng.choice(list(game.legal_moves(position))))
    assert seen > 10


def test_max_n_takes_the_win_and_tells_shares() -> None:
    game = Rows({"players": 3, "size": 4})
    position = game.decode("..../..../xx../o+.. x")
    found = MaxN(RulesBoard(game)).candidates(position, 200, Random(1))
    assert found[0].move == "c2"
    assert found[0].is_won
    assert {each.move for each in found} == set(game.legal_moves(position))


@cache
def certain(game: Game[Any, Any], position: Any) -> tuple[tuple[float, float], ...]:
    """The least and the greatest reward of each player against any play, by the rules alone."""
    seats = range(len(game.seats))
    outcome = game.outcome(position)
    if outcome is not None:
        winners = outcome.winners or seats
        shares = [float(seat in winners) / len(winners) for seat in seats]
        return tuple((share, share) for share in shares)
    after = [certain(game, game.play(position, move)) for move in game.legal_moves(position)]
    mover = game.to_move(position)
    least = [(max if seat == mover else min)(each[seat][0] for each in after) for seat in seats]
    return tuple(
        (low, min(max(each[seat][1] for each in after), 1 - sum(least) + low))
        for seat, low in zip(seats, least, strict=True)
    )


@pytest.mark.long
def test_max_n_proves_only_what_no_other_player_can_change() -> None:
    game, rng = catalog.create("pythagoras", {"seats": 4}), Random(11)
    search, proofs, losses = MaxN(PythagorasBoard(4)), 0, 0
    for _ in range(30):
        position = game.initial(rng)
        while moves := list(game.legal_moves(position)):
            if sum(PythagorasBoard(4).start(position).hands) <= 9 and len(moves) > 1:
                mover = game.to_move(position)
                assert mover is not None
                for each in search.candidates(position, 150, rng):
                    low, high = certain(game, game.play(position, each.move))[mover]
                    if each.is_proved:
                        assert low == each.value
                        assert high == pytest.approx(low)
                        proofs, losses = proofs + 1, losses + each.is_lost
            position = game.play(position, rng.choice(moves))
    assert proofs > losses > 50


def test_watchful_sees_two_plies_whatever_it_wraps() -> None:
    game = Rows({})
    board = RulesBoard(game)
    search = Watchful(board, AtRandom(board))
    stop = game.decode(".../oo./x.x o")  # a line of its own first
    assert search.candidates(stop, 0, Random(1))[0].move == "c2"
    must = game.decode(".../o../x.x o")
    assert search.candidates(must, 0, Random(1))[0].move == "b1"
    lost = [each for each in search.candidates(must, 0, Random(1)) if each.is_lost]
    assert len(lost) == 5


@pytest.mark.parametrize(
    ("oversights", "stops"),
    [
        (Oversights(plans=1, far=0, quiet=0, second=0), True),
        (Oversights(plans=1, far=0, quiet=1, second=0), False),
        (Oversights(plans=1, far=1, quiet=0, second=0), False),
    ],
)
def test_a_beginner_stops_what_it_sees_alone(oversights: Oversights, *, stops: bool) -> None:
    """White is about to win on a4; Black's own plans are on the other side of the board."""
    game = Quux({"pie": "off"})
    position = game.decode("4/L,2,l/L,2,l/L,2,l B 244 244 p")
    search = Beginner(QuuxBoard(game, 4), oversights)
    is_stopped: list[bool] = []
    for seed in range(8):  # Which of its equal favourites it looks from is chance.
        found = search.candidates(position, 1, Random(seed))
        assert {each.move for each in found} == set(game.legal_moves(position))
        after = game.play(position, found[0].move)
        wins = [game.outcome(game.play(after, move)) for move in game.legal_moves(after)]
        is_stopped.append(not any(wins))
    assert all(is_stopped) is stops


@pytest.mark.parametrize("number", [1, 2])
def test_beginners_of_pux_take_what_hangs(number: int) -> None:
    game = catalog.create("pux")
    engine = engine_for(game)
    position = game.decode("3xxx2/4xx2/4x3/8/3w4/2w2ww1/4w3/2w5 x x ")
    for seed in range(8):
        taken = game.notation(position, engine.choose(position, engine.level(number), seed))
        assert taken == "f7:f3"


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("text", ["8/8/8/8/8/8/WW6/6X1 w -", "8/8/8/2W5/3XW3/8/8/W7 w -"])
def test_beginners_of_pux_come_near_and_do_not_carry_what_they_hunt(number: int, text: str) -> None:
    game = catalog.create("pux")
    engine, board = engine_for(game), PuxBoard()
    position = game.decode(text)
    for seed in range(6):
        after = game.play(position, engine.choose(position, engine.level(number), seed))
        assert after.black == position.black
        before, now = (board.standings(board.start(each))[0] for each in (position, after))
        assert now > before


@pytest.mark.parametrize("number", [1, 2])
def test_beginners_of_quax_join_a_chain_that_stands(number: int) -> None:
    game = catalog.create("quax", {"size": 7, "pie": "off"})
    engine = engine_for(game)
    for seed in range(4):
        position = game.decode("7/1uu4/u6/3xxx1/1xx3x/x6/5uu x -")
        for answer in ("a7", "b7", "c7"):
            position = game.play(position, engine.choose(position, engine.level(number), seed))
            if game.outcome(position) is None:
                position = game.play(position, game.parse(position, answer))
        outcome = game.outcome(position)
        assert outcome is not None
        assert outcome.winners == (0,)


def test_the_first_level_of_pythagoras_keeps_large_pyramids_for_where_they_count() -> None:
    game = catalog.create("pythagoras", {"seats": "2"})
    engine = engine_for(game)
    position = game.decode("5/6,B3,2/6,G3,5/6,Y3,5/6,R3,1,B1,3 R 455 455 455 454 - - - - ---")
    for seed in range(6):
        move = game.notation(position, engine.choose(position, engine.level(1), seed))
        assert move.startswith("1")


def test_plain_alpha_beta_finds_a_win_in_one() -> None:
    game, board = catalog.create("pux"), PuxBoard()
    position = game.decode("8/8/8/3x4/3W4/3w4/8/8 w -")
    found = PlainAlphaBeta(board).candidates(position, 500, Random(1))
    assert {each.move for each in found} == set(game.legal_moves(position))
    assert game.notation(position, found[0].move) == "d4:d5"


def test_uct_finds_a_win_in_one() -> None:
    game = Rows({})
    position = game.decode(".../oo./xx. x")
    found = Uct(RulesBoard(game)).candidates(position, 300, Random(1))
    assert found[0].move == "c1"


def test_uct_by_the_clock_takes_its_time_and_finds_a_win_in_one() -> None:
    game = Rows({})
    began = process_time()
    move = Uct(RulesBoard(game)).best(game.decode(".../oo./xx. x"), 0.05, Random(1))
    assert process_time() - began >= 0.05
    assert move == "c1"


@pytest.mark.parametrize("turns", [[0, 3], [4, 3], [3, 4]])
def test_the_clock_of_uct_is_one_turn_ahead_of_ten_times_the_other(turns: list[int]) -> None:
    # The other took 0.2 s in each of its turns; ten times that and one turn more is asked for.
    taken = [0.2 * turns[0], 1.5]
    expected = 10 * (taken[0] + 0.2) - 1.5 if turns[0] else 0.1
    assert seconds_for(10, 1, taken, turns) == pytest.approx(max(0.1, expected))
    assert seconds_for(10, 1, [0.8, 99.0], [4, 3]) == pytest.approx(0.2)


@pytest.mark.parametrize("key", ["quax", "quux", "ziggurat", "pux", "pythagoras"])
def test_games_played_on_at_random_share_one_win(key: str) -> None:
    board, game, rng = engine_for(catalog.create(key)).board, catalog.create(key), Random(5)
    for _ in range(20):
        rewards = board.playout(board.start(game.initial(rng)), rng)
        assert sum(rewards) == pytest.approx(1)
        assert min(rewards) >= 0


def test_random_games_that_nobody_can_win_end_as_even() -> None:
    """Each side has a pile that moves on for ever, and what is on top of it has left once."""
    game, board = catalog.create("ziggurat"), ZigguratBoard()
    position = game.decode("dq,5/6/6/6/6/DW,5 S -|- QW|qw")
    assert board.playout(board.start(position), Random(1)) == (0.5, 0.5)
    assert Uct(board).candidates(position, 30, Random(1))[0].value == 0.5


def test_a_chain_of_quax_wins_however_the_board_is_filled() -> None:
    game = catalog.create("quax", {"size": 4, "pie": "off"})
    board, rng = engine_for(game).board, Random(7)
    for _ in range(40):
        position, before = game.initial(rng), None
        while game.outcome(position) is None:
            before = position
            position = game.play(position, rng.choice(list(game.legal_moves(position))))
        state = board.start(position)
        assert board.playout(state._replace(winner=-1), rng) == board.rewards(state)
        # One move before the end the winner wins at least some of the filled boards.
        mover = board.mover(board.start(before))
        won = sum(board.playout(board.start(before), rng)[mover] for _ in range(60))
        assert won > 0
