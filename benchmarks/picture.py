"""The cost of a picture, next to common alternatives.

In one run, taking turns so that a busy machine affects all of them, in CPU time of the thread:

* ours: every position along a game that was never drawn before, each once, from its view to PNG
  bytes, after one other game of the same kind; the mean a picture, for each game of the catalogue;
* the usual chess bot: python-chess's SVG through cairosvg, 1000 pixels wide;
* naive Pillow: the last of those positions at four times its size, resampled with LANCZOS. For
  Quax the scene is really drawn in that size; for the other games only the resampling and the PNG
  of such a page are counted, which a naive drawing would need as well.

Also: the standings of 64 players, all three pages, as results come in, next to a board; the largest
file, the first picture in a fresh process, and the growth of memory over all games, themes, sizes
and sides. Ends with an error where a bound is missed.
"""

from __future__ import annotations

import argparse
import io
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw

from games import catalog
from games.view import BoardView
from renderers import THEMES, Style, render
from renderers.fonts import text_mask
from renderers.incremental.images import RGB, store
from renderers.incremental.sheet import latest
from renderers.layout import layout_of
from renderers.picture import compose
from renderers.tables import Table, draw_table, page_count
from renderers.themes import theme_named
from tests import gallery
from tests.gallery import events

RESULTS = Path(__file__).parent / "results" / "picture.json"
AT_LEAST = {"cairosvg": 12.0, "naive": 30.0}
MOST_BYTES = 110 * 1024
MOST_MEMORY = 64 * 1024 * 1024
MOST_NAIVE_FIRST = 3.0
MOST_OF_A_BOARD = 1.5
NAMES = ("Zoë Åström", "Дмитрий", "Δημήτρης", "Łukasz Żółć")
_CHESS = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 0 8"


def chess_svg() -> bytes:
    """A chess board with its last move, as drawn by users of python-chess."""
    import cairosvg
    import chess
    import chess.svg

    board = chess.Board(_CHESS)
    last = chess.Move.from_uci("f8e7")
    svg = chess.svg.board(board, lastmove=last, size=1000)
    return bytes(cairosvg.svg2png(bytestring=svg.encode(), output_width=1000))


def naive(view: BoardView) -> bytes:
    """Our scene drawn completely at four times its size and resampled, an RGB PNG."""
    large = 4
    theme = theme_named("dark")
    where = layout_of(view, 1.0, flipped=False, caption_lines=0)
    inks = theme.inks(view.palette, 2)
    image = Image.new("RGB", (where.width * large, where.height * large), theme.card)
    draw = ImageDraw.Draw(image)

    def box(corners: tuple[float, float, float, float], fill: RGB) -> None:
        draw.rectangle([value * large for value in corners], fill=fill)

    def disc(x: float, y: float, radius: float, fill: RGB) -> None:
        corners = (x - radius, y - radius, x + radius, y + radius)
        draw.ellipse([value * large for value in corners], fill=fill)

    def stroke(ends: list[tuple[float, float]], width: float, fill: RGB) -> None:
        points = [(x * large, y * large) for x, y in ends]
        draw.line(points, fill=fill, width=round(width * large))

    place = where.grids[0]
    board, cell = place.box, where.cell
    frame = where.rim + where.edge
    box(
        (board.left - frame, board.top, board.right + frame, board.bottom),
        inks[0].body,
    )
    box(
        (board.left, board.top - frame, board.right, board.bottom + frame),
        inks[1].body,
    )
    box((board.left, board.top, board.right, board.bottom), theme.cell)
    for index in range(place.grid.files + 1):
        x, y = board.left + index * cell, board.top + index * cell
        stroke([(x, board.top), (x, board.bottom)], 3, theme.grid)
        stroke([(board.left, y), (board.right, y)], 3, theme.grid)
    reach = cell * 0.293
    for across in range(1, place.grid.files):
        for down in range(1, place.grid.ranks):
            x, y = board.left + across * cell, board.top + down * cell
            corners = [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]
            points = [(a * large, b * large) for a, b in corners]
            draw.polygon(points, fill=theme.diamond, outline=theme.grid, width=3 * large)
    for link in view.links:
        ends = [
            (float(x), float(y))
            for x, y in (where.centre(view.cell(name)) for name in (link.start, link.end))
        ]
        ink = inks[link.colour]
        for width, tone in ((0.34, ink.rim), (0.29, ink.body), (0.05, ink.ink)):
            stroke(ends, cell * width, tone)
    for one in view.cells:
        if one.stack:
            x, y = where.centre(one)
            ink = inks[one.stack[-1].colour]
            for radius, tone in ((0.405, ink.rim), (0.38, ink.body), (0.2, ink.ink)):
                disc(x, y, cell * radius, tone)
            disc(x, y, cell * 0.14, ink.body)
    for text, x, y in (*where.files, *where.ranks):
        letters = text_mask(text, 33 * large)
        image.paste(theme.text, (x * large - letters.width // 2, y * large - 24 * large), letters)
    for colour, bar in enumerate(where.bars):
        edges = [value * large for value in (bar.left, bar.top, bar.right, bar.bottom)]
        draw.rounded_rectangle(edges, 18 * large, fill=theme.bar)
        letters = text_mask(NAMES[colour], 38 * large, bold=True)
        image.paste(theme.text, ((bar.left + 106) * large, bar.top * large), letters)
        disc(bar.left + 54, bar.top + 50, 30, inks[colour].body)
    buffer = io.BytesIO()
    image.resize((where.width, where.height), Image.Resampling.LANCZOS).save(buffer, "PNG")
    return buffer.getvalue()


def upscaled(view: BoardView, style: Style) -> Callable[[], bytes]:
    """The last step of any drawing at four times the size."""
    page = compose(view, style).whole()
    large = page.resize((page.width * 4, page.height * 4), Image.Resampling.NEAREST)

    def work() -> bytes:
        buffer = io.BytesIO()
        large.resize(page.size, Image.Resampling.LANCZOS).save(buffer, "PNG")
        return buffer.getvalue()

    return work


def positions(key: str, seed: int) -> list[BoardView]:
    """The views of a random game, each with the marks of the last moves."""
    game = catalog.create(key)
    random = Random(seed)
    position = game.initial(random)
    views = [game.view(position, None)]
    told: list[str] = []
    for _ in range(60):
        moves = list(game.legal_moves(position))
        if not moves:
            break
        move = random.choice(moves)
        marks = game.marks(position, move)
        told.append(game.notation(position, move))
        position = game.play(position, move)
        earlier = game.earlier_marks(position, told[-8:])
        views.append(game.view(position, None).with_marks(marks, earlier))
    return views


def cost(work: Callable[[], object]) -> float:
    """CPU milliseconds of this thread."""
    started = time.thread_time()
    work()
    return (time.thread_time() - started) * 1000


def along(views: list[BoardView], before: list[BoardView], style: Style) -> float:
    """CPU milliseconds a picture, right after another game."""
    store.clear()
    latest.clear()
    for view in before:
        render(view, style)
    return cost(lambda: [render(view, style) for view in views]) / len(views)


def tables(pages: list[Table], style: Style) -> float:
    """CPU milliseconds of all pages of standings, right after one result."""
    store.clear()
    latest.clear()
    for page in range(page_count(pages[0])):
        draw_table(pages[0], style, page)
    shown = [(table, page) for table in pages[1:] for page in range(page_count(table))]
    return cost(lambda: [draw_table(table, style, page) for table, page in shown]) / len(pages[1:])


def results_coming_in(seed: int) -> list[Table]:
    """The standings of 64 players: at first, and after each of twenty results."""
    random = Random(seed)
    table = events.standings(64, seed=seed)
    found = [table]
    for _ in range(20):
        rows = list(table.rows)
        risen = random.randrange(1, len(rows))
        row = rows.pop(risen)
        to = max(0, risen - random.randrange(6))
        values = (events.points(random.randrange(11)), *row.values[1:])
        rows.insert(to, replace(row, values=values))
        placed = (replace(row, place=str(place)) for place, row in enumerate(rows, 1))
        table = replace(table, rows=tuple(placed))
        found.append(table)
    return found


def fresh_process() -> float:
    """CPU milliseconds of the first picture in a fresh process, imports aside."""
    code = (
        "import time; from renderers import Style, render; from tests import gallery;"
        "view = gallery.linked_played(); started = time.process_time();"
        "render(view, Style(names=('Zoë', 'Bo')));"
        "print((time.process_time() - started) * 1000)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[1],
    )
    return float(done.stdout)


def memory_growth(games: dict[str, list[BoardView]]) -> int:
    """The growth in bytes of the process's peak over all possible drawings, twice."""
    render(gallery.linked_played(), Style(names=NAMES))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(2):
        for theme in THEMES:
            styles = (
                Style(theme=theme, names=NAMES),
                Style(theme=theme, names=NAMES, flipped=True),
                Style(theme=theme, names=NAMES, larger=True),
            )
            for style in styles:
                for size in range(3, 16):
                    render(gallery.linked_scattered(size, full=True, seed=size), style)
                for views in games.values():
                    render(views[-1], style)
                    render(views[len(views) // 2], style)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024


def largest_file(games: dict[str, list[BoardView]]) -> int:
    """Bytes of the largest picture: the densest boards of Quax, and every position above."""
    dense = [gallery.linked_scattered(15, full=True, seed=seed) for seed in range(3)]
    shown = [view for views in games.values() for view in views[::6]]
    return max(
        len(render(view, Style(theme=theme, names=NAMES)).png)
        for theme in THEMES
        for view in (*dense, *shown)
    )


def main() -> int:
    """Measure, print, store; 1 if a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="times each is run (9)")
    rounds = parser.parse_args().rounds

    style = Style(names=NAMES)
    games = {key: positions(key, 7) for key in catalog.GAMES}
    growth = memory_growth(games)
    first = statistics.median(fresh_process() for _ in range(3))
    naive_works: dict[str, Callable[[], bytes]] = {
        key: upscaled(views[-1], style) for key, views in games.items()
    }
    naive_works["quax"] = lambda: naive(games["quax"][-1])
    chess_svg()
    ours: dict[str, list[float]] = {key: [] for key in games}
    naives: dict[str, list[float]] = {key: [] for key in games}
    svgs: list[float] = []
    standings: list[float] = []
    for number in range(rounds):
        standings.append(tables(results_coming_in(number), style))
        svgs.append(cost(chess_svg))
        for key, views in games.items():
            ours[key].append(along(positions(key, 100 + number), views, style))
            naives[key].append(cost(naive_works[key]))
    svg = statistics.median(svgs)
    largest = largest_file(games)
    event = statistics.median(standings)

    missed: list[str] = []
    table: dict[str, dict[str, float]] = {}
    print(f"{'CPU ms a picture':18}{'ours':>8}{'naive':>9}{'times':>7}{'cairosvg':>10}{'times':>7}")
    for key in games:
        mine, other = statistics.median(ours[key]), statistics.median(naives[key])
        ratios = {"cairosvg": svg / mine, "naive": other / mine}
        table[key] = {"ours_ms": mine, "naive_ms": other, **ratios}
        print(
            f"{key:18}{mine:8.2f}{other:9.1f}{ratios['naive']:7.0f}"
            f"{svg:10.1f}{ratios['cairosvg']:7.0f}"
        )
        missed += [
            f"{key}: {ratios[name]:.1f} times {name}, at least {least:.0f} wanted"
            for name, least in AT_LEAST.items()
            if ratios[name] < least
        ]
    board = statistics.mean(row["ours_ms"] for row in table.values())
    print(f"standings of 64: {event:.2f} ms, {event / board:.2f} of a board (at most 1.5)")
    if event > MOST_OF_A_BOARD * board:
        missed.append(f"standings: {event / board:.2f} of a board")
    share = first / table["quax"]["naive_ms"]
    print("at least 12 times cairosvg (aim 25) and 30 times naive (aim 60)")
    print(f"first picture in a fresh process: {first:.0f} ms, {share:.2f} naive (at most 3)")
    print(f"largest file: {largest / 1024:.1f} KiB (at most 110)")
    print(f"memory over all there is: {growth / 2**20:.1f} MiB more (at most 64)")
    if largest > MOST_BYTES:
        missed.append(f"largest file: {largest} bytes")
    if growth > MOST_MEMORY:
        missed.append(f"memory: {growth} bytes more")
    if share > MOST_NAIVE_FIRST:
        missed.append(f"first picture: {first:.0f} ms")
    found = {
        "games": table,
        "cairosvg_ms": svg,
        "standings_ms": event,
        "first_picture_ms": first,
        "largest_bytes": largest,
        "memory_growth_bytes": growth,
        "missed": missed,
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    for miss in missed:
        print(f"MISSED: {miss}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
