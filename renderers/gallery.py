"""Positions made by hand that show all that a picture can show.

They serve the contact sheets, the stored palettes and the tests. They follow no game's rules.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from games.view import (
    BoardView,
    Cell,
    Colour,
    Edge,
    Grid,
    Link,
    Marks,
    Piece,
    SeatView,
    Side,
    Text,
    Topology,
)

__all__ = ["NAMES", "linked", "linked_marked", "linked_played", "linked_scattered", "linked_won"]

NAMES = ("Zoë Åström", "Дмитрий", "Δημήτρης", "Łukasz Żółć")

_BLACK, _RED = 0, 1
_STONES = (
    Piece(_BLACK, "stone", Text.of("Black stone")),
    Piece(_RED, "stone", Text.of("Red stone")),
)


def linked(
    size: int,
    black: str,
    red: str,
    links: tuple[str, str] = ("", ""),
    marks: Marks | None = None,
) -> BoardView:
    """A board of octagons: cells parted by blanks, links as two cells with a hyphen."""
    owners = dict.fromkeys(black.split(), _BLACK) | dict.fromkeys(red.split(), _RED)
    cells = tuple(
        Cell(name, file, rank, (_STONES[owners[name]],) if name in owners else ())
        for rank in range(size)
        for file in range(size)
        for name in (f"{chr(97 + file)}{rank + 1}",)
    )
    laid_links = tuple(
        Link(start, end, colour)
        for colour, text in enumerate(links)
        for link in text.split()
        for start, end in (link.split("-"),)
    )
    counts = [list(owners.values()).count(colour) for colour in (_BLACK, _RED)]
    laid = [len(text.split()) for text in links]
    goals = (Text.of("joins left and right"), Text.of("joins top and bottom"))
    words = (Text.of("Black"), Text.of("Red"))
    return BoardView(
        game="linked",
        topology=Topology.OCTAGONS,
        palette="stones",
        grids=(Grid(size, size),),
        cells=cells,
        colours=tuple(
            Colour(
                words[colour],
                goals[colour],
                (
                    Text.of("{count} stones", count=counts[colour]),
                    Text.of("{count} links", count=laid[colour]),
                ),
            )
            for colour in (_BLACK, _RED)
        ),
        seats=(SeatView((_BLACK,), 0), SeatView((_RED,), 1)),
        to_move=_BLACK,
        links=laid_links,
        edges=(
            Edge(Side.LEFT, _BLACK),
            Edge(Side.RIGHT, _BLACK),
            Edge(Side.BOTTOM, _RED),
            Edge(Side.TOP, _RED),
        ),
        marks=marks or Marks(),
    )


def linked_marked() -> BoardView:
    """The middle of a game with every mark there is."""
    return replace(
        linked_played(),
        marks=Marks(
            last=("h5",),
            last_links=(("g4", "h5"),),
            origins=("j9",),
            selected=("d3",),
            targets=("c2", "d2", "c3"),
            captures=("e3",),
            target_links=(("d3", "e4"), ("d3", "c4")),
            refused=("j4",),
        ),
    )


def linked_played() -> BoardView:
    """The middle of a game as players see it."""
    return linked(
        11,
        "b9 c8 d7 e6 f5 g6 g7 h8 f4 g3 h3 d3 f2",
        "d10 d9 e9 e8 f8 f7 h7 i6 h5 g4 e3 f3 e2",
        ("b9-c8 c8-d7 d7-e6 f5-g6 f4-g3", "e9-f8 e8-f7 h7-i6 g4-h5"),
        Marks(last=("h5",)),
    )


def linked_won() -> BoardView:
    """A won game."""
    view = linked(
        11,
        "a6 b6 c7 d7 e6 f6 g5 h5 i6 j6 k6 c4 f9 g8",
        "c6 d6 e7 f7 g6 h6 d5 e5 b8 i4 h4 g3 d3",
        ("b6-c7 d7-e6 f6-g5 h5-i6", "f7-g6 h4-g3 d6-e5"),
    )
    path = ("a6", "b6", "c7", "d7", "e6", "f6", "g5", "h5", "i6", "j6", "k6")
    return replace(
        view,
        to_move=None,
        winners=(_BLACK,),
        result=Text.of("Black joined left and right"),
        marks=Marks(last=("k6",), path=path),
    )


def linked_scattered(size: int, *, full: bool, seed: int) -> BoardView:
    """Stones at random with every link that they allow; the whole board if ``full``."""
    random = Random(seed)  # noqa: S311
    names = [f"{chr(97 + file)}{rank + 1}" for rank in range(size) for file in range(size)]
    chosen = names if full else random.sample(names, len(names) * 2 // 5)
    owners = {name: random.randrange(2) for name in chosen}
    sides: tuple[list[str], list[str]] = ([], [])
    for file in range(size - 1):
        for rank in range(size - 1):
            corners = [
                [f"{chr(97 + file)}{rank + 1}", f"{chr(98 + file)}{rank + 2}"],
                [f"{chr(97 + file)}{rank + 2}", f"{chr(98 + file)}{rank + 1}"],
            ]
            for start, end in random.sample(corners, 2):
                colour = owners.get(start)
                if colour is not None and colour == owners.get(end):
                    sides[colour].append(f"{start}-{end}")
                    break
    black, red = (
        " ".join(name for name, owner in owners.items() if owner == colour)
        for colour in (_BLACK, _RED)
    )
    last = next(iter(owners))
    return linked(size, black, red, (" ".join(sides[0]), " ".join(sides[1])), Marks(last=(last,)))
