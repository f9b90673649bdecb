"""What a picture costs, next to what people would use instead.

In one run, taking turns so that a busy machine hurts all alike, in CPU time of the thread:

* ours: the middle of a game of Quax, from its view to PNG bytes;
* the usual chess bot: python-chess's SVG through cairosvg, 1000 pixels wide;
* naive Pillow: the same scene drawn whole at four times its size and resampled with LANCZOS.

Also: the densest board's bytes, the first picture in a fresh process, and the growth of memory
over all themes, sizes and sides. Ends with an error where a bound is missed.
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
from pathlib import Path

from PIL import Image, ImageDraw

from games.view import BoardView
from renderers import THEMES, Style, gallery, render
from renderers.cache import store
from renderers.canvas import RGB
from renderers.fonts import text_mask
from renderers.layout import layout_of
from renderers.themes import theme_named

RESULTS = Path(__file__).parent / "results" / "picture.json"
AT_LEAST = {"cairosvg": 12.0, "naive": 30.0}
AIM = {"cairosvg": 25.0, "naive": 60.0}
MOST_BYTES = 110 * 1024
MOST_MEMORY = 64 * 1024 * 1024
MOST_NAIVE_FIRST = 3.0
_NAMES = ("Zoë Åström", "Дмитрий")
_CHESS = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 0 8"


def chess_svg() -> bytes:
    """A chess board with its last move, as python-chess's users draw it."""
    import cairosvg
    import chess
    import chess.svg

    board = chess.Board(_CHESS)
    last = chess.Move.from_uci("f8e7")
    svg = chess.svg.board(board, lastmove=last, size=1000)
    return bytes(cairosvg.svg2png(bytestring=svg.encode(), output_width=1000))


def naive(view: BoardView) -> bytes:
    """Our scene, all of it drawn at four times its size and resampled, an RGB PNG."""
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
        corners = [value * large for value in (bar.left, bar.top, bar.right, bar.bottom)]
        draw.rounded_rectangle(corners, 18 * large, fill=theme.bar)
        letters = text_mask(_NAMES[colour], 38 * large, bold=True)
        image.paste(theme.text, ((bar.left + 106) * large, bar.top * large), letters)
        disc(bar.left + 54, bar.top + 50, 30, inks[colour].body)
    buffer = io.BytesIO()
    image.resize((where.width, where.height), Image.Resampling.LANCZOS).save(buffer, "PNG")
    return buffer.getvalue()


def cost(work: Callable[[], object], repeats: int) -> float:
    """CPU milliseconds of this thread for one run of ``repeats``."""
    started = time.thread_time()
    for _ in range(repeats):
        work()
    return (time.thread_time() - started) * 1000 / repeats


def fresh_process() -> float:
    """CPU milliseconds of the first picture in a fresh process, imports aside."""
    code = (
        "import time; from renderers import Style, gallery, render;"
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


def memory_growth() -> int:
    """Bytes by which the process's peak grows over every theme, size and side, twice."""
    render(gallery.linked_played(), Style(names=_NAMES))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(2):
        for theme in THEMES:
            for size in range(3, 16):
                view = gallery.linked_scattered(size, full=True, seed=size)
                for flipped in (False, True):
                    render(view, Style(theme=theme, names=_NAMES, flipped=flipped))
                render(view, Style(theme=theme, names=_NAMES, larger=True))
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024


def main() -> int:
    """Measure, print, store; 1 where a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="times each is run (15)")
    rounds = parser.parse_args().rounds

    growth = memory_growth()
    view, style = gallery.linked_played(), Style(names=_NAMES)
    first = statistics.median(fresh_process() for _ in range(3))
    works: dict[str, Callable[[], object]] = {
        "ours": lambda: render(view, style),
        "cairosvg": chess_svg,
        "naive": lambda: naive(view),
    }
    for work in works.values():
        work()
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            # Ours is short: several at once, lest the grain of the clock decide.
            times[name].append(cost(work, 5 if name == "ours" else 1))
    medians = {name: statistics.median(values) for name, values in times.items()}
    ratios = {name: medians[name] / medians["ours"] for name in AT_LEAST}
    size = len(render(view, style).png)
    densest = max(
        len(render(gallery.linked_scattered(15, full=True, seed=seed), Style(theme=theme)).png)
        for theme in THEMES
        for seed in range(4)
    )

    print(f"{'':34}{'CPU ms':>9}{'times ours':>12}{'at least':>10}{'aim':>6}")
    print(f"{'ours, view to PNG':34}{medians['ours']:9.2f}")
    for name, label in (
        ("cairosvg", "python-chess SVG through cairosvg"),
        ("naive", "naive Pillow, 4x and LANCZOS"),
    ):
        bounds = f"{AT_LEAST[name]:10.0f}{AIM[name]:6.0f}"
        print(f"{label:34}{medians[name]:9.2f}{ratios[name]:12.1f}{bounds}")
    share = first / medians["naive"]
    print(f"{'first picture in a fresh process':34}{first:9.2f}  ({share:.2f} naive, at most 3)")
    print(f"bytes: {size / 1024:.1f} KiB, densest board {densest / 1024:.1f} KiB (at most 110)")
    print(f"memory over all themes, sizes and sides: {growth / 2**20:.1f} MiB (at most 64)")
    missed = [
        f"{name}: {ratios[name]:.1f} times, at least {least:.0f} wanted"
        for name, least in AT_LEAST.items()
        if ratios[name] < least
    ]
    if densest > MOST_BYTES:
        missed.append(f"densest board: {densest} bytes")
    if growth > MOST_MEMORY:
        missed.append(f"memory: {growth} bytes more")
    if share > MOST_NAIVE_FIRST:
        missed.append(f"first picture: {first:.0f} ms")
    found = {
        "cpu_ms": medians,
        "times_ours": ratios,
        "first_picture_ms": first,
        "bytes": size,
        "densest_bytes": densest,
        "memory_growth_bytes": growth,
        "kept_bytes": store.size,
        "missed": missed,
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    for miss in missed:
        print(f"MISSED: {miss}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
