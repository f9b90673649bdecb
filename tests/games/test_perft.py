"""Counts of move sequences, as printed on the rules pages; ``test_vectors.py`` has more.

``PARLOUR_PERFT=deep`` adds the depths that take minutes (``make perft``).
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from games import catalog
from games.playout import divide, perft

DEEP = os.environ.get("PARLOUR_PERFT") == "deep"
LONG = 100_000
"""Positions that are counted in a second or so."""
OFF = {"pie": "off"}
TILES = (
    "5/9/6,G2,2,G1,2/3,R1,2,Y2,2,Y1B2,2/R3,G3,Y3,B3,R3,G2,R1,Y2,1,B3,G2,1"
    " B 353 434 424 345 - - - - ---"
)
DISCS = "M,lMs,l,m/lMs,LmS,L,lS/Ls,S,Ms,mS/Lm,l,LmS,Ms W 000 000 m"
PYRAMID = "q,D,w,3/2,w,3/4,d,1/1,w,1,dQ,2/D,W,QdW,q,1,D/Q,q,4 S W|- -|-"

COUNTS = [
    ("quax", OFF, "2/2 x -", "4 12 24 16 8 0"),
    (
        "quax",
        {**OFF, "size": 3},
        None,
        "9 72 504 3024 15792 65056 236000 592480 1331072 1896960 2248960 1543680 522240 0",
    ),
    ("quax", {**OFF, "size": 4}, None, "16 240 3360 43680 530712 5923904"),
    ("quax", {**OFF, "size": 5}, None, "25 600 13800 303600"),
    ("quax", OFF, None, "121 14520 1727880"),
    ("pux", {}, None, "270 70448"),
    ("pux", {}, "1xxxxxx1/1xxxx3/4xx2/1w6/2ww4/8/4www1/1wwwwww1 x -", "173"),
    ("pux", {}, "8/8/8/xwwWWx2/xWWWx3/8/8/8 w -", "370"),
    ("pux", {}, "1xxxxxx1/1xxxxxx1/8/8/8/8/1wwwwww1/1wwwwww1 w w", "246 63916"),
    ("pythagoras", {}, None, "36 1158 34874"),
    ("pythagoras", {}, TILES, "25 345 4243"),
    ("quux", {}, None, "16 240 6960 191760"),
    ("quux", {"supply": "any"}, None, "16 496 18016 711600"),
    ("quux", {}, DISCS, "7 61 478"),
    ("quux", {"path": "jump"}, DISCS, "17 278"),
    ("quux", {"supply": "paired"}, None, "16 240 6960 191760"),
    ("ziggurat", {}, None, "16 250 3896"),
    ("ziggurat", {}, PYRAMID, "19 266 4646"),
    ("ziggurat", {}, "q,3,d,q/3,w,2/6/d,5/1,W,D,1,Q,1/Dw,2,W,D,Q N W|qdw Q|-", "15 196 3005"),
]
if DEEP:
    COUNTS += [
        ("quax", {**OFF, "size": 4}, None, "16 240 3360 43680 530712 5923904 62024928"),
        ("quax", {**OFF, "size": 5}, None, "25 600 13800 303600 6407984"),
        ("quax", OFF, None, "121 14520 1727880 203889840"),
        ("pux", {}, None, "270 70448 14072692"),
        ("pythagoras", {}, None, "36 1158 34874 1010450 23236413"),
        ("quux", {}, None, "16 240 6960 191760 6283440"),
        ("quux", {"supply": "any"}, None, "16 496 18016 711600 26969520"),
        ("quux", {"supply": "paired"}, None, "16 240 6960 191760 4962960"),
        ("ziggurat", {}, None, "16 250 3896 59080 897154 13324490"),
    ]


def at(key: str, options: dict[str, Any], text: str | None) -> tuple[Any, ...]:
    game = catalog.create(key, options)
    return game, game.initial(Random(0)) if text is None else game.decode(text)


def _weighed(key: Any, options: Any, text: Any, counts: Any) -> Any:
    marks = pytest.mark.long if max(map(int, counts.split())) > LONG else ()
    return pytest.param(key, options, text, counts, marks=marks)


@pytest.mark.timeout(3600 if DEEP else 120)
@pytest.mark.parametrize(("key", "options", "text", "counts"), [_weighed(*each) for each in COUNTS])
def test_perft(key: str, options: dict[str, Any], text: str | None, counts: str) -> None:
    game, position = at(key, options, text)
    known = [int(count) for count in counts.split()]
    assert [perft(game, position, depth) for depth in range(1, len(known) + 1)] == known


def test_perft_with_the_swap_counts_it_as_a_move() -> None:
    game, position = at("quax", {"size": 3}, None)
    assert [perft(game, position, depth) for depth in (0, 1, 2, 3)] == [1, 9, 81, 576]


def test_divide_splits_perft_by_first_move() -> None:
    game, position = at("quax", {"size": 3, "pie": "off"}, None)
    found = divide(game, position, 6)
    assert list(found) == ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]
    assert sum(found.values()) == 65056
    assert (
        found["a1"]
        == found["c3"]
        == perft(game, game.play(position, game.parse(position, "a1")), 5)
    )
    assert divide(game, position, 1) == dict.fromkeys(found, 1)
