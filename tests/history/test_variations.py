"""Variations of a record: what is tried beside a game is written, read and judged like the game."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.errors import UserError
from bot.history.domain import LARGEST, Record, read_record, write_text
from bot.history.domain.playback import playback, tree_of
from bot.history.domain.record import Tried
from bot.history.domain.variations import DEEPEST, MOST_TRIED, Tree, arranged
from games import catalog
from tests.history.recorded import begun, play_at_random


def record_of_random(key: str, seed: int = 0, most: int = 9) -> Record:
    found = begun(key, {})
    play_at_random(found, Random(seed), most=most)
    return replace(found.record("Ada", "Ben"), match="")


def tree_in(record: Record) -> Tree:
    judged = read_record(write_text(record).encode())
    return tree_of(playback(judged, "file0"), write_text(judged.record))


def tried_at_random(tree: Tree, rng: Random, count: int) -> tuple[Tried, ...]:
    """Moves tried here and there, most often where something was tried before."""
    for _ in range(count):
        at = rng.randrange(len(tree.positions) // 2, len(tree.positions))
        moves = list(tree.game.legal_moves(tree.positions[at]))
        if moves:
            tree.go(at, rng.choice(moves[:3]))
    return arranged(tree.plies, tree.tried)[0]


@pytest.mark.parametrize("key", sorted(catalog.GAMES))
def test_what_is_written_is_read_again(key: str) -> None:
    for seed, most in enumerate((0, 1, 9)):
        record = record_of_random(key, seed, most)
        tried = tried_at_random(tree_in(record), Random(seed), 30)
        whole = replace(record, tried=tried)
        assert len(tried) > 5
        judged = read_record(write_text(whole).encode())
        assert (judged.record.tried, judged.record.moves) == (tried, record.moves)
        again = tree_in(whole)
        assert tuple(again.tried) == tried, "numbers in a page are those of its file"
        assert arranged(again.plies, again.tried)[0] == tried


def text_with(variations: str) -> str:
    """A record of Quax with something after its second turn."""
    head = '[Game "Quax"]\n[Player1 "A"]\n[Player2 "B"]\n[Options "size=5 pie=off"]\n\n'
    return f"{head}1. a1 b1 {variations} 2. a2 b2\n"


def test_a_variation_stands_in_the_place_of_the_turn_before_it() -> None:
    text = text_with("(c1 (d1 e1) {a thought (of mine)} 2. d2 ... (e2) c3) (b1 c4) (b1 c4 c5)")
    record = read_record(text.encode()).record
    # Of the turns a1 b1 a2 b2, in place of b1; what begins with b1 goes on in the game.
    assert record.moves == ("a1", "b1", "a2", "b2")
    assert record.tried == (
        Tried(1, "c1"),
        Tried(5, "d2"),
        Tried(5, "e2"),
        Tried(6, "c3"),
        Tried(1, "d1"),
        Tried(9, "e1"),
        Tried(2, "c4"),
        Tried(11, "c5"),
    )


@pytest.mark.parametrize(
    ("variations", "code"),
    [
        ("(c1", "record_variation"),
        ("c1)", "record_variation"),
        ("(c1 c1)", "record_move"),
        ("(z9)", "record_move"),
        ("(a5 b1 b5 c1 c5 d1 e5 e1 d5)", "record_over"),
        ("(c1 " * 100 + ")" * 100, "record_variations"),
        ("(b1 a2 b2)" * 199, None),
        ("(b1 a2 b2)" * 201, "record_variations"),
        ("(b1 a2 b2 c1)" + "(b1 a2 b2)" * 199 + "(c2)", "record_variations"),
    ],
)
def test_a_variation_is_judged_like_the_game_and_bounded(variations: str, code: str | None) -> None:
    data = text_with(variations).encode()
    if code is None:
        assert not read_record(data).record.tried
        return
    with pytest.raises(UserError) as caught:
        read_record(data)
    assert (caught.value.code, caught.value.params["line"]) == (code, 6)


def test_a_tree_has_its_bounds_and_a_full_one_is_read_again() -> None:
    record = record_of_random("quax", most=2)
    tree = tree_in(record)
    at, depth = tree.plies, 0
    while (after := tree.go(at, next(iter(tree.game.legal_moves(tree.positions[at]))))) is not None:
        at, depth = after, depth + 1
    assert depth == DEEPEST
    assert not tree.has_room(at)
    while len(tree.tried) < MOST_TRIED:
        tried_at_random(tree, Random(1), 50)
    moves = list(tree.game.legal_moves(tree.positions[0]))
    assert tree.go(0, moves[-1]) is None
    whole = replace(record, tried=arranged(tree.plies, tree.tried)[0])
    text = write_text(whole)
    assert len(text.encode()) < LARGEST // 16
    assert read_record(text.encode()).record.tried == whole.tried


def test_removing_a_move_removes_what_follows_it() -> None:
    record = read_record(text_with("(c1 (d1 e1) d2 (e2) c3)").encode()).record
    tree = tree_in(record)
    assert [each.move for each in tree.tried] == ["c1", "d2", "e2", "c3", "d1", "e1"]
    assert tree.without(5) == (Tried(1, "d1"), Tried(5, "e1"))
    assert [each.move for each in tree.without(6)] == ["c1", "e2", "d1", "e1"]
    assert tree.path(8) == [5, 6, 8]
    assert (tree.base(8), tree.base(3)) == (1, 3)
    assert list(tree.next(1)) == ["b1", "c1", "d1"]
