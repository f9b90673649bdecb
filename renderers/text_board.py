r"""A board of letters in a code block with sentences around it, for readers without pictures.

Every piece is its letter in moves; without one it is the letter of its colour, with its size where
sizes differ and its label if it has one. A stack is written bottom first. On boards of octagons a
link is on its diamond, between the lines of the two ranks: ``/`` or ``\``. Ranks of hexagons lean
as in the picture. No line of the block is longer than 40 letters, so that a phone does not break
it; grids come one below the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.view import BoardView, Cell, Grid, Piece, Topology
from renderers.letters import letters_of
from renderers.style import Style
from renderers.words import earlier_moves, last_move, score_parts, who

TEXT_BOARD_LIMIT = 2000
"""The most characters of a message's content (Discord, create message)."""

_FENCE = "```"
_FORMATTING = re.compile(r"([\\*_~`|<>#@\[\]])|(?<=:)(//)|^([-+]|\d+\.)(?= )")


def text_board(view: BoardView, style: Style) -> str:
    """The position in at most 2000 characters of Markdown; enough to play from."""
    letters = letters_of(view, style)
    board = "\n".join(_board(view, letters))
    head = [_plain(line) for line in _head(view, style)]
    block = f"{_FENCE}\n{board}\n{_FENCE}"
    used = sum(len(line) + 1 for line in head) + len(block)
    rest: list[str] = []
    for line in map(_plain, _legend(view, style, letters)):
        if used + len(line) + 1 > TEXT_BOARD_LIMIT:
            break
        rest.append(line)
        used += len(line) + 1
    return "\n".join([*head, block, *rest])


def _plain(text: str) -> str:
    """The text without anything that Discord would read as formatting, a link or a mention."""
    return _FORMATTING.sub(lambda found: f"\\{found[0]}", text)


def _head(view: BoardView, style: Style) -> list[str]:
    parts: list[str] = []
    if view.to_move is not None:
        parts.append(style.say("{player} to move.", player=who(view, view.to_move, style)))
    if view.result is not None:
        result = style.translate(view.result).rstrip(".")
        parts.append(style.say("{result}.", result=result))
        if view.winners:
            names = ", ".join(who(view, colour, style) for colour in view.winners)
            parts.append(style.say("Winner: {names}.", names=names))
    move, earlier = last_move(view, style), earlier_moves(view, style)
    if move:
        parts.append(style.say("Last move: {move}.", move=move))
    if earlier:
        parts.append(style.say("Before that: {moves}.", moves=earlier))
    return [" ".join(parts)] if parts else []


def _legend(view: BoardView, style: Style, letters: tuple[str, ...]) -> list[str]:
    lines = []
    sized, lettered = _has_sizes(view), _has_letters(view)
    for index, colour in enumerate(view.colours):
        player = who(view, index, style)
        parts = [player if lettered else f"{letters[index]} = {player}"]
        if colour.goal is not None:
            parts.append(style.translate(colour.goal))
        parts += [style.translate(note) for note in colour.notes]
        parts += [style.translate(sign.words) for sign in colour.signs]
        if colour.score is not None:
            parts.append(style.say("score {points}", points=colour.score))
        for tray in colour.trays:
            held = " ".join(
                f"{_letters(slot.piece, letters, sized=sized)}×{slot.count}" for slot in tray.slots
            )
            parts.append(f"{style.translate(tray.title)} {held or '-'}")
        lines.append(", ".join(parts))
    lines += [style.translate(text) for text in view.captions]
    lines += _key(view, style, letters)
    for grid in view.grids:
        words = [style.translate(text) for text in (grid.title, *grid.captions) if text]
        if words:
            lines.append(", ".join(words))
    return lines + score_parts(view, style)


def _key(view: BoardView, style: Style, letters: tuple[str, ...]) -> list[str]:
    """The meaning of the letters on the board beyond their colour.

    Where moves name pieces, each piece; else each size, of the first colour that has it; where all
    pieces are of one size, each stack.
    """
    names: dict[str, str] = {}
    sizes: dict[int, Piece] = {}
    if _has_letters(view):
        for piece in sorted(_pieces(view), key=lambda piece: (piece.colour, -piece.size)):
            names[piece.letter] = style.translate(piece.name)
    elif _has_sizes(view):
        for piece in sorted(_pieces(view), key=lambda piece: (-piece.size, -piece.colour)):
            sizes[piece.size] = piece
        for size, piece in sizes.items():
            names[f"{letters[piece.colour]}{size}"] = style.translate(piece.name)
    else:
        for cell in view.cells:
            if len(cell.stack) > 1:
                stack = "".join(letters[piece.colour] for piece in cell.stack)
                names[stack] = style.translate(cell.stack[-1].name)
    lines = [", ".join(f"{written} = {name}" for written, name in names.items())] if names else []
    return lines + ([style.translate(view.labels)] if view.labels is not None else [])


def _pieces(view: BoardView) -> Iterator[Piece]:
    """All visible pieces, on the board and in trays, including used-up kinds there."""
    for cell in view.cells:
        yield from cell.stack
    for colour in view.colours:
        for tray in colour.trays:
            yield from (slot.piece for slot in tray.slots)


def _has_sizes(view: BoardView) -> bool:
    return any(piece.size > 1 for piece in _pieces(view))


def _has_letters(view: BoardView) -> bool:
    return all(piece.letter for piece in _pieces(view)) and any(True for _ in _pieces(view))


def _letters(piece: Piece, letters: tuple[str, ...], *, sized: bool) -> str:
    if piece.letter:
        return piece.letter + piece.label
    return letters[piece.colour] + (str(piece.size) if sized else "") + piece.label


def _board(view: BoardView, letters: tuple[str, ...]) -> list[str]:
    sized = _has_sizes(view)
    lines: list[str] = []
    for grid in view.grids:
        if lines:
            lines.append("")
        lines += _grid(view, grid, letters, sized=sized)
    return lines


def _grid(view: BoardView, grid: Grid, letters: tuple[str, ...], *, sized: bool) -> Iterator[str]:
    """The lines of a grid from its top, and the letters of its files."""
    cells = {
        (cell.file, cell.rank): cell
        for cell in view.cells
        if 0 <= cell.file - grid.file < grid.files and 0 <= cell.rank - grid.rank < grid.ranks
    }
    texts = {
        place: "".join(_letters(piece, letters, sized=sized) for piece in cell.stack) or "."
        for place, cell in cells.items()
    }
    wide = max(len(text) for text in texts.values())
    files = range(grid.file, grid.file + grid.files)
    ranks = range(grid.rank + grid.ranks - 1, grid.rank - 1, -1)
    links = _links(view)
    is_leaning = view.topology is Topology.HEXAGONS
    for rank in ranks:
        row = " ".join(texts[file, rank].ljust(wide) for file in files)
        lean = " " * ((rank - grid.rank) * (wide + 1) // 2) if is_leaning else ""
        gap = " " if is_leaning else "  "
        yield f"{lean}{_rank_label(cells, files, rank):>2}{gap}{row}".rstrip()
        if view.topology is Topology.OCTAGONS and rank != ranks[-1]:
            gaps = "".join(" " * wide + links.get((file, rank - 1), " ") for file in files[:-1])
            yield f"    {gaps}".rstrip()
    feet = " ".join(_file_label(cells, ranks, file).ljust(wide) for file in files)
    yield f"{'   ' if is_leaning else '    '}{feet}".rstrip()


def _links(view: BoardView) -> dict[tuple[int, int], str]:
    """The stroke on each diamond that has a link, by the cell to its lower left."""
    places = {cell.name: (cell.file, cell.rank) for cell in view.cells}
    found: dict[tuple[int, int], str] = {}
    for link in view.links:
        (af, ar), (bf, br) = places[link.start], places[link.end]
        found[(min(af, bf), min(ar, br))] = "/" if (bf - af) * (br - ar) > 0 else "\\"
    return found


def _rank_label(names: dict[tuple[int, int], Cell], files: range, rank: int) -> str:
    cell = next(names[(file, rank)] for file in files if (file, rank) in names)
    return cell.name.lstrip("abcdefghijklmnopqrstuvwxyz") or str(rank + 1)


def _file_label(names: dict[tuple[int, int], Cell], ranks: range, file: int) -> str:
    cell = next(names[(file, rank)] for rank in ranks if (file, rank) in names)
    return cell.name.rstrip("0123456789") or str(file + 1)
