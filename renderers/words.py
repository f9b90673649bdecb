"""The position in words: in full, as the alt text of a picture, and as a board of letters.

The full description names every piece, link and tray of the view and nothing else, so that the
position can be read back out of it: the tests compare views and pictures with it. The most
important comes first, because an alt text ends after 1024 characters.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from games.view import (
    Arrow,
    BoardView,
    Cell,
    Colour,
    Link,
    Piece,
    ScoreLine,
    Text,
    Topology,
    Tray,
    TraySlot,
)
from renderers.fonts import extras_would_draw
from renderers.letters import letters_of
from renderers.names import clean_name
from renderers.style import Style

ALT_TEXT_LIMIT = 1024
"""The most characters of an attachment's description (Discord, message attachments)."""

_corner = attrgetter("rank", "file")

_COMMA = "\0"
"""A placeholder between cells until it is clear whether there is room for commas."""


def describe(view: BoardView, style: Style) -> str:
    """The whole position in words, of any length; one sentence or list a line."""
    return "\n".join(_lines(view, style)).replace(_COMMA, ", ")


def alt_text(view: BoardView, style: Style) -> str:
    """The description in at most 1024 characters, ending at a word.

    Lists lose their commas first, then trays their empty places, grids their rules and scores their
    redundant parts; then letters replace pieces, where they can. The end is cut off if it still
    does not fit.
    """
    whole = " ".join(_lines(view, style))
    text = whole.replace(_COMMA, ", ")
    if len(text) > ALT_TEXT_LIMIT:
        text = whole.replace(_COMMA, " ")
    if len(text) > ALT_TEXT_LIMIT:
        text = " ".join(_lines(view, style, brief=True)).replace(_COMMA, " ")
    if len(text) > ALT_TEXT_LIMIT and (_is_plain(view) or _is_sized(view)):
        text = " ".join(_lines(view, style, brief=True, in_letters=True)).replace(_COMMA, " ")
    if len(text) > ALT_TEXT_LIMIT:
        text = text[: ALT_TEXT_LIMIT - 1]
        text = text[: text.rindex(" ")].rstrip(" ,;:.") + " …"
    return text


def player_name(view: BoardView, colour: int, style: Style) -> str:
    """The clean name of the player of a colour; empty if there is none."""
    for seat in view.seats:
        if colour in seat.colours and seat.player < len(style.names):
            return clean_name(style.names[seat.player])
    return ""


def who(view: BoardView, colour: int, style: Style) -> str:
    """A colour's word, with the name of its player where that is known."""
    word = style.translate(view.colours[colour].name)
    name = player_name(view, colour, style)
    return style.say("{name} ({colour})", name=name, colour=word) if name else word


def lacking_font(names: Iterable[str], style: Style) -> list[str]:
    """The clean names that a picture lacks for want of the extras' font; one sentence."""
    lacking = ", ".join(dict.fromkeys(name for name in names if extras_would_draw(name)))
    if not lacking:
        return []
    return [
        style.say(
            "No font here has the letters of {names}; the host can add one: make extras.",
            names=lacking,
        )
    ]


def last_move(view: BoardView, style: Style, *, brief: bool = False) -> str:
    """The last move, as far as the marks show it; empty if they do not.

    Unless ``brief`` it names the moved piece.
    """
    marks = view.marks
    parts = [_way(arrow, style, brief=brief) for arrow in marks.arrows]
    ends = {arrow.end for arrow in marks.arrows}
    others = [cell for cell in marks.last if cell not in ends]
    if parts and others:
        move = ", ".join(parts)
        cells = ", ".join(others)
        parts = [style.say("{move}, with others to {cells}", move=move, cells=cells)]
    elif not parts:
        parts = [f"{start}-{end}" for start, end in marks.last_links] or [
            cell if brief else _on(view, cell, style) for cell in others or marks.origins
        ]
    for mark in marks.trays:
        tray = _title(view, mark.key)
        if tray is not None:
            piece = style.translate(mark.piece.name)
            parts.append(f"{style.translate(tray)}: {piece}")
    return ", ".join(parts)


def earlier_moves(view: BoardView, style: Style) -> str:
    """The moves before the last one, as far as the marks show them."""
    return ", ".join(_on(view, cell, style) for cell in view.marks.earlier)


def _way(arrow: Arrow, style: Style, *, brief: bool) -> str:
    """The way of one arrow, with its pieces where they are known."""
    pieces = "" if brief else " + ".join(style.translate(piece.name) for piece in arrow.pieces)
    way = (
        style.say("{start} off the board", start=arrow.start)
        if arrow.end is None
        else style.say("{start} to {end}", start=arrow.start, end=arrow.end)
    )
    return style.say("{pieces} {way}", pieces=pieces, way=way) if pieces else way


def _on(view: BoardView, name: str, style: Style) -> str:
    """A cell with its top piece, if there is one."""
    stack = view.cell(name).stack
    if not stack:
        return name
    return style.say("{piece} on {cell}", piece=style.translate(stack[-1].name), cell=name)


def _title(view: BoardView, key: str) -> Text | None:
    trays = (tray for colour in view.colours for tray in colour.trays)
    return next((tray.title for tray in trays if tray.key == key), None)


def _lines(
    view: BoardView, style: Style, *, brief: bool = False, in_letters: bool = False
) -> list[str]:
    """The whole text, the most important first, with ``_COMMA`` between cells.

    ``brief`` leaves out empty places of trays, the rules of the grids, and the parts of the scores
    that follow from the rest; ``in_letters`` is for pieces that letters can replace.
    """
    say, marks = style.say, view.marks
    players = [who(view, colour, style) for colour in range(len(view.colours))]
    lines: list[str] = []
    if view.to_move is not None:
        lines.append(say("{player} to move.", player=players[view.to_move]))
    if view.result is not None:
        lines.append(say("{result}.", result=style.translate(view.result).rstrip(".")))
        if view.winners:
            names = ", ".join(players[colour] for colour in view.winners)
            lines.append(say("Winner: {names}.", names=names))
    move = last_move(view, style, brief=in_letters)
    if move:
        lines.append(say("Last move: {move}.", move=move))
    earlier = earlier_moves(view, style)
    if earlier:
        lines.append(say("Before that: {moves}.", moves=earlier))
    lines += [_sentence(style.translate(text)) for text in view.captions]
    called = (player_name(view, colour, style) for colour in range(len(players)))
    lines += lacking_font(called, style)

    links = [f"{start}-{end}" for start, end in marks.target_links]
    for sentence, cells in (
        (Text.of("Winning chain: {cells}."), marks.path),
        (Text.of("Not allowed at: {cells}."), marks.refused),
        (Text.of("Picked: {cells}."), marks.selected),
        (Text.of("Can be captured: {cells}."), marks.captures),
        (Text.of("Can be linked: {cells}."), links),
        (Text.of("Can go to: {cells}."), marks.targets),
    ):
        if cells:
            lines.append(style.translate(sentence.filled({"cells": _COMMA.join(cells)})))
    occupied = [cell for cell in view.cells if cell.stack]
    if in_letters and _is_plain(view):
        lines += _ranks(view, style)
    else:
        lines += _pieces(view, occupied, style)
    lines += _stacks_in_letters(view, style) if in_letters else _stacks(occupied, style)
    if not occupied:
        lines.append(say("The board is empty."))
    for player, about in zip(players, view.colours, strict=True):
        lines.append(_about(player, about, style))
        for tray in about.trays:
            slots = tuple(slot for slot in tray.slots if slot.count or not brief)
            if slots or not brief:
                lines.append(_tray(tray, slots, style))
    lines += _grids(view, style, brief=brief)
    if view.labels is not None:
        lines.append(_sentence(style.translate(view.labels)))
    return lines + score_parts(view, style, brief=brief)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _piece(piece: Piece, style: Style) -> str:
    name = style.translate(piece.name)
    return f"{name} {piece.label}" if piece.label else name


def _pieces(view: BoardView, occupied: Iterable[Cell], style: Style) -> list[str]:
    """For each colour the cells of each kind of single piece, and its links."""
    found: list[dict[str, list[str]]] = [{} for _ in view.colours]
    # Cells share equal stacks: each of those is put into words once.
    alike: dict[int, list[str]] = {}
    for cell in occupied:
        stack = cell.stack
        if len(stack) == 1:
            cells = alike.get(id(stack))
            if cells is None:
                kinds = found[stack[0].colour]
                cells = alike[id(stack)] = kinds.setdefault(_piece(stack[0], style), [])
            cells.append(cell.name)
    lines: list[str] = []
    for colour, kinds in enumerate(found):
        for word, cells in kinds.items():
            lines.append(style.say("{piece}: {cells}.", piece=word, cells=_COMMA.join(cells)))
        links = [f"{link.start}-{link.end}" for link in view.links if link.colour == colour]
        if links:
            name = style.translate(view.colours[colour].name)
            links_said = _COMMA.join(links)
            lines.append(style.say("{colour} links: {links}.", colour=name, links=links_said))
    return lines


def _is_plain(view: BoardView) -> bool:
    """Whether letters are enough: one grid, single pieces of one kind a colour, own links.

    An own link lies between stones of its colour.
    """
    stacks = {cell.name: cell.stack for cell in view.cells if cell.stack}
    kinds = {stack for stack in stacks.values() if len(stack) == 1}
    return (
        len(view.grids) == 1
        and all(len(stack) == 1 for stack in stacks.values())
        and len(kinds) == len({piece.colour for (piece,) in kinds})
        and all(
            [piece.colour for piece in (*stacks.get(link.start, ()), *stacks.get(link.end, ()))]
            == [link.colour] * 2
            for link in view.links
        )
    )


def _ranks(view: BoardView, style: Style) -> list[str]:
    """A plain board rank by rank, as letters with the length of each run, and its links."""
    letters = letters_of(view, style)
    pieces = {cell.stack[0].colour: cell.stack[0] for cell in view.cells if cell.stack}
    words = (
        f"{letters[colour]} {_piece(piece, style)}" for colour, piece in sorted(pieces.items())
    )

    def letter(cell: Cell) -> str:
        return letters[cell.stack[0].colour] if cell.stack else "-"

    def row(cells: Iterable[Cell]) -> str:
        runs = ((each, len(list(run))) for each, run in groupby(map(letter, cells)))
        return " ".join(f"{each}{count}" if count > 1 else each for each, count in runs)

    in_order = sorted(view.cells, key=_corner)
    told = "; ".join(
        f"{rank + 1} {row(cells)}" for rank, cells in groupby(in_order, attrgetter("rank"))
    )
    lines = [
        style.say(
            "Ranks from the left, {pieces}, - empty: {ranks}.", pieces=", ".join(words), ranks=told
        )
    ]
    return lines + _directions(view, style)


def _directions(view: BoardView, style: Style) -> list[str]:
    """Links by the rank and the file of their lower cell, for each of their two directions."""
    places = {cell.name: cell for cell in view.cells}

    def lower_first(link: Link) -> tuple[Cell, Cell]:
        start, end = sorted((places[link.start], places[link.end]), key=_corner)
        return start, end

    lines = []
    for rightwards, sentence in (
        (True, Text.of("Links up right from: {cells}.")),
        (False, Text.of("Links up left from: {cells}.")),
    ):
        starts = sorted(
            (
                start
                for start, end in map(lower_first, view.links)
                if (end.file > start.file) == rightwards
            ),
            key=_corner,
        )
        ranks = [
            f"{rank + 1} " + " ".join(_file(cell) for cell in cells)
            for rank, cells in groupby(starts, attrgetter("rank"))
        ]
        if ranks:
            lines.append(style.translate(sentence.filled({"cells": "; ".join(ranks)})))
    return lines


def _file(cell: Cell) -> str:
    """The letter of the file of a cell."""
    return cell.name.rstrip("0123456789")


def _stacks(occupied: Iterable[Cell], style: Style) -> list[str]:
    stacks = "; ".join(
        f"{cell.name} " + " + ".join(_piece(piece, style) for piece in cell.stack)
        for cell in occupied
        if len(cell.stack) > 1
    )
    return [style.say("Stacks, bottom first: {stacks}.", stacks=stacks)] if stacks else []


def _is_sized(view: BoardView) -> bool:
    """Whether colour and size alone identify a piece."""
    names = {
        (piece.colour, piece.size): (piece.name, piece.label)
        for cell in view.cells
        for piece in cell.stack
    }
    told = {name for name in names.values() if not name[1]}
    return any(size > 1 for _, size in names) and len(told) == len(names)


def _stacks_in_letters(view: BoardView, style: Style) -> list[str]:
    """Every stack with a letter and a size for each piece, and their meaning."""
    letters = letters_of(view, style)
    sizes: dict[int, Piece] = {}
    colours: set[int] = set()
    stacks = []
    for cell in view.cells:
        if len(cell.stack) < 2:
            continue
        for piece in cell.stack:
            colours.add(piece.colour)
            if piece.size not in sizes or piece.colour < sizes[piece.size].colour:
                sizes[piece.size] = piece
        stacks.append(
            f"{cell.name} " + "+".join(f"{letters[each.colour]}{each.size}" for each in cell.stack)
        )
    if not stacks:
        return []
    meant = [
        f"{letters[sizes[size].colour]}{size} {_piece(sizes[size], style)}"
        for size in sorted(sizes)
    ]
    meant += [
        f"{letters[each]} {style.translate(view.colours[each].name)}" for each in sorted(colours)
    ]
    return [
        style.say(
            "Stacks, bottom first, with {pieces}: {stacks}.",
            pieces=", ".join(meant),
            stacks="; ".join(stacks),
        )
    ]


def _about(player: str, about: Colour, style: Style) -> str:
    """The player of a colour, its goal, and its facts and score."""
    parts = [player]
    if about.goal is not None:
        parts.append(style.translate(about.goal))
    parts += [style.translate(note) for note in about.notes]
    parts += [style.translate(sign.words) for sign in about.signs]
    if about.score is not None:
        parts.append(style.say("score {points}", points=about.score))
    return _sentence(", ".join(parts))


def _tray(tray: Tray, slots: tuple[TraySlot, ...], style: Style) -> str:
    """The content of the tray, of these slots."""
    held = ", ".join(f"{_piece(slot.piece, style)} ×{slot.count}" for slot in slots)
    said = style.say(
        "{tray}: {pieces}.",
        tray=style.translate(tray.title),
        pieces=held or style.say("nothing"),
    )
    return said[:1].upper() + said[1:]


def _grids(view: BoardView, style: Style, *, brief: bool) -> list[str]:
    """The place of each grid, with its title and rules if it has any; the first alone if brief."""
    lines: list[str] = []
    if view.topology is Topology.HEXAGONS and not brief:
        lines.append(style.say("Hexagons, each rank half a cell to the right of the one below."))
    for grid in view.grids:
        start = view.at(grid.file, grid.rank).name
        end = view.at(grid.file + grid.files - 1, grid.rank + grid.ranks - 1).name
        captions = grid.captions[:1] if brief else grid.captions
        words = [style.translate(text) for text in (grid.title, *captions) if text]
        lines.append(
            style.say(
                "{title}, cells {start} to {end}.", title=", ".join(words), start=start, end=end
            )
            if words
            else style.say("Cells {start} to {end}.", start=start, end=end)
        )
    return lines


def score_parts_of(view: BoardView) -> tuple[ScoreLine, ...]:
    """The parts of the scores without their sum, which is given separately."""
    total = tuple(colour.score for colour in view.colours)
    return tuple(line for line in view.score_lines if line.points != total)


def score_parts(view: BoardView, style: Style, *, brief: bool = False) -> list[str]:
    """The leaders of the ranks, then the parts of the scores; nothing where none is counted.

    ``brief`` leaves out parts that are zero for all, sums given before, and the colours, which
    follow their order.
    """
    led = [
        style.say("{rank} {colour}", rank=rank, colour=style.translate(view.colours[leader].name))
        for rank, leader in enumerate(view.rank_leaders, start=1)
        if leader is not None
    ]
    lines = [style.say("Ranks led: {ranks}.", ranks=", ".join(led))] if led else []
    for line in score_parts_of(view) if brief else view.score_lines:
        if brief and not any(line.points):
            continue
        points = ", ".join(
            str(points) if brief else f"{style.translate(colour.name)} {points}"
            for colour, points in zip(view.colours, line.points, strict=False)
        )
        lines.append(
            style.say("{title}: {points}.", title=style.translate(line.title), points=points)
        )
    return lines
