"""A short game of each of the five, to be played through where a move costs seconds.

Each ends with a winner. They were found by searches for games in which both sides work for an early
end, so they are no examples of good play; but each has in it what is special about its game: a link
in Quax, reinforcements and captures in Ziggurat, transports with riders in Pux, pins and the pit in
Pythagoras.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShortGame:
    """A game by key and options as typed, its moves in order, and what is said of its end.

    ``result`` follows upon the name of the winner, who is the ``winner``-th of two people.
    """

    key: str
    options: str
    moves: tuple[str, ...]
    winner: int
    result: str


SHORT_GAMES = (
    ShortGame(
        "quax",
        "size 3, pie off",
        ("a2", "a3", "b2", "b1", "c1", "a1", "b2c1"),
        0,
        "A chain joins two opposite sides.",
    ),
    ShortGame(
        "quux",
        "size 3",
        ("Lc2", "Lb2", "Mc3", "Ma1", "Lc1"),
        0,
        "A chain of tops connects two opposite sides.",
    ),
    ShortGame(
        "ziggurat",
        "",
        (
            *("b1-d3", "f6-d4", "D@b1", "a6xd3", "e1-c3", "Q@f6", "c1-d2", "d3xd2"),
            *("b1-d3", "c6-b5", "d3-c4", "d4xc3", "a1-b2", "b5xc4"),
        ),
        1,
        "One side controls all pieces of a kind that the other still needs.",
    ),
    ShortGame(
        "pux",
        "",
        (
            *("c2,c1d2-c3", "c7,b7d7-b6", "b2:b6", "f7,g7-c4", "g2:c6", "f8,e8g8-g7"),
            *("d3:c4", "g7,f7-f6", "c4:a6", "e6-g4", "g1:g4", "h7-g6", "e2:e7", "d8-d6"),
            *("c6:d6", "c8-d7", "d6:d7", "b8-a7", "a6:a7", "g6-f5", "d1:d4", "f6-g5"),
            *("c2:f5", "g5-h4", "f2:h4"),
        ),
        0,
        "All stones of one side are captured.",
    ),
    ShortGame(
        "pythagoras",
        "seats 2",
        (
            *("3i1", "3f1", "3b1", "2l1", "3l2", "1k1", "3f2", "3h1", "3f3", "1l3"),
            *("3i2", "3i3", "3i4", "2k2", "3k3", "3h2", "3h3", "3h4", "3g1", "2g2"),
            *("2b2", "3b3", "2b4", "3b5", "3a1", "2!", "3d1", "2a2", "3xg2", "2d2"),
        ),
        1,
        "Points: Red and Green 54 · Yellow and Blue 58.",
    ),
)
