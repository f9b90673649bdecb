"""Positions made by hand that show everything that a picture can show.

They are for the contact sheets, the stored palettes and the tests. They follow no game's rules.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from games.view import (
    Arrow,
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
    Tray,
    TraySlot,
)

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
                    Text.plural("{n} stone", "{n} stones", n=counts[colour]),
                    Text.plural("{n} link", "{n} links", n=laid[colour]),
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
        connects=True,
        marks=marks or Marks(),
    )


def hexagons(size: int = 11) -> BoardView:
    """A board of hexagons with every mark for cells."""
    random = Random(11)
    view = linked(size, "", "")
    cells = tuple(
        replace(cell, stack=(random.choice(_STONES),)) if random.random() < 0.4 else cell
        for cell in view.cells
    )
    empty = [cell.name for cell in cells if not cell.stack]
    taken = [cell.name for cell in cells if cell.stack]
    return replace(
        view,
        game="hexagons",
        topology=Topology.HEXAGONS,
        cells=cells,
        connects=False,
        marks=Marks(
            origins=tuple(empty[:1]),
            last=tuple(taken[:1]),
            selected=tuple(taken[3:4]),
            targets=(*empty[4:9], *taken[6:7]),
            captures=tuple(taken[8:9]),
            refused=tuple(empty[12:13]),
        ),
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
    random = Random(seed)
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


def labelled() -> BoardView:
    """A board of squares with labelled stones, some two high, and an arrow."""
    random = Random(8)
    words = (Text.of("White"), Text.of("Black"))
    names = (Text.of("White stone"), Text.of("Black stone"))
    cells = []
    for rank in range(8):
        for file in range(8):
            stack: tuple[Piece, ...] = ()
            if random.random() < 0.4:
                colour = random.randrange(2)
                top = Piece(colour, "stone", names[colour], label=str(random.randrange(1, 9)))
                below = Piece(colour, "stone", names[colour])
                stack = (below, top) if random.random() < 0.2 else (top,)
            cells.append(Cell(f"{chr(97 + file)}{rank + 1}", file, rank, stack))
    empty = [cell.name for cell in cells if not cell.stack]
    taken = [cell.name for cell in cells if cell.stack]
    return BoardView(
        game="labelled",
        topology=Topology.SQUARES,
        palette="chess",
        grids=(Grid(8, 8),),
        cells=tuple(cells),
        colours=tuple(
            Colour(
                words[colour],
                (Text.of("moves up"), Text.of("moves down"))[colour],
                (Text.plural("{n} stone", "{n} stones", n=11),),
                (
                    Tray(
                        "captured",
                        Text.of("captured"),
                        1 - colour,
                        (TraySlot(Piece(1 - colour, "stone", names[1 - colour]), colour * 2),),
                    ),
                ),
            )
            for colour in (0, 1)
        ),
        seats=(SeatView((0,), 0), SeatView((1,), 1)),
        to_move=1,
        marks=Marks(
            origins=(empty[0],),
            last=(taken[4],),
            arrows=(Arrow(empty[0], taken[4]),),
            selected=(taken[2],),
            targets=tuple(empty[3:9]),
            captures=(taken[7],),
            refused=(empty[12],),
        ),
    )


_SIZES = ("Small", "Medium", "Large")


def _pyramid(colour: int, size: int, word: str) -> Piece:
    return Piece(colour, "pyramid", Text.of(f"{_SIZES[size - 1]} {word}"), size)


def _some_pile(random: Random, words: tuple[str, ...]) -> tuple[Piece, ...]:
    """Up to three pyramids, sizes falling or rising, colours at random."""
    sizes = random.sample((1, 2, 3), random.choice((1, 1, 1, 2, 2, 3)))
    sizes.sort(reverse=random.random() < 0.5)
    colours = [random.randrange(len(words)) for _ in sizes]
    return tuple(
        _pyramid(colour, size, words[colour]) for colour, size in zip(colours, sizes, strict=True)
    )


def _trays(colour: int, word: str) -> tuple[Tray, ...]:
    pieces = [_pyramid(colour, size, word) for size in (3, 2, 1)]
    return (
        Tray(
            "exited",
            Text.of("exited"),
            colour,
            tuple(TraySlot(piece, int(piece.size == 1 + colour)) for piece in pieces),
        ),
        Tray(
            "reserve",
            Text.of("reserve"),
            colour,
            tuple(TraySlot(piece, piece.size - 1) for piece in pieces),
        ),
    )


def piled() -> BoardView:
    """A board of squares with pyramids, towers, keeps, empty home squares and an exit."""
    random = Random(6)
    words = ("South", "North")
    cells = []
    for rank in range(6):
        for file in range(6):
            stack = _some_pile(random, words) if random.random() < 0.5 else ()
            home = {0: 0, 5: 1}.get(rank)
            belongs = (
                None
                if home is None or stack
                else _pyramid(home, (3, 2, 1, 1, 2, 3)[file], words[home])
            )
            cells.append(Cell(f"{chr(97 + file)}{rank + 1}", file, rank, stack, belongs))
    empty = [cell.name for cell in cells if not cell.stack and not cell.ghost]
    taken = [cell.name for cell in cells if cell.stack]
    return BoardView(
        game="piled",
        topology=Topology.SQUARES,
        palette="pair",
        grids=(Grid(6, 6),),
        cells=tuple(cells),
        colours=tuple(
            Colour(
                Text.of(words[colour]),
                (Text.of("moves up"), Text.of("moves down"))[colour],
                (Text.of("{count} of 3 exited", count=1),),
                _trays(colour, words[colour]),
            )
            for colour in (0, 1)
        ),
        seats=(SeatView((0,), 0), SeatView((1,), 1)),
        to_move=0,
        marks=Marks(
            origins=(empty[0],),
            last=(taken[5],),
            arrows=(Arrow(empty[0], taken[5]), Arrow(taken[-1], None)),
            selected=(taken[3],),
            targets=tuple(empty[4:8]),
            captures=(taken[8],),
        ),
    )


def topped() -> BoardView:
    """Pyramids on a board whose sides are goals: a won game of tops."""
    view = piled()
    row = [cell for cell in view.cells if cell.rank == 2]
    top = _pyramid(0, 3, "South")
    cells = tuple(
        replace(cell, stack=(*cell.stack, top) if len(cell.stack) < 2 else (*cell.stack[:1], top))
        if cell in row
        else replace(cell, ghost=None)
        for cell in view.cells
    )
    path = tuple(cell.name for cell in row)
    return replace(
        view,
        game="topped",
        palette="chess",
        cells=cells,
        edges=(
            Edge(Side.LEFT, 0),
            Edge(Side.RIGHT, 0),
            Edge(Side.BOTTOM, 1),
            Edge(Side.TOP, 1),
        ),
        connects=True,
        to_move=None,
        winners=(0,),
        result=Text.of("South joined left and right"),
        marks=Marks(last=path[2:3], path=path),
    )


def three_grids(*, bars: int = 4) -> BoardView:
    """Three grids side by side with up to four sets of pyramids, scores and led ranks."""
    random = Random(4)
    words = ("Red", "Yellow", "Green", "Blue")[:bars]
    sizes = (5, 4, 3)
    grids, cells, start = [], [], 0
    laws = (
        "one size per rank; alike never touch in a column",
        "no colour twice in a line",
        "no size twice in a line",
    )
    for size, law in zip(sizes, laws, strict=True):
        captions = (Text.of("bonus {points}", points=size), Text.of(law))
        title = Text.of("{size} × {size}", size=size)
        grids.append(Grid(size, size, start, title=title, captions=captions))
        for rank in range(size):
            for file in range(start, start + size):
                stack = _some_pile(random, words) if random.random() < 0.7 else ()
                cells.append(Cell(f"{chr(97 + file)}{rank + 1}", file, rank, stack))
        start += size
    empty = [cell.name for cell in cells if not cell.stack]
    taken = [cell.name for cell in cells if cell.stack]
    return BoardView(
        game="three grids",
        topology=Topology.SQUARES,
        palette="four",
        grids=tuple(grids),
        cells=tuple(cells),
        colours=tuple(
            Colour(Text.of(word), trays=_trays(colour, word), score=12 - 5 * colour)
            for colour, word in enumerate(words)
        ),
        seats=tuple(SeatView((colour,), colour) for colour in range(len(words))),
        to_move=1,
        marks=Marks(last=(taken[9],), targets=tuple(empty[:6]), selected=(taken[2],)),
        rank_leaders=(1, None, 1, 0, None),
    )
