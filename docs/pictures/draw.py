"""Draw the pictures of the documentation again: ``python docs/pictures/draw.py``."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from random import Random

from PIL import Image

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

from event_page import photograph_event  # noqa: E402
from page import photograph  # noqa: E402

from bot.history.domain.playback import sample_line  # noqa: E402
from bot.history.ui.replay import FilmViews  # noqa: E402
from bot.i18n import Languages  # noqa: E402
from games import catalog  # noqa: E402
from games.api import SampleGame  # noqa: E402
from games.view import BoardView, Marks, Text  # noqa: E402
from renderers import (  # noqa: E402
    Picture,
    Style,
    draw_bracket,
    draw_crosstable,
    draw_table,
    render,
    replay,
)
from tests.gallery import events  # noqa: E402

NAMES = ("Zoë Åström", "Дмитрий", "Δημήτρης", "Łukasz Żółć")
QUAX = (
    "11/3u7/1x1uu6/2x1uu1x3/3x1uxu3/4x1x1u2/5x1u3/5xu4/3xuuxx3/4ux5/11"
    " x c8d7,d7e6,f5g6,f4g3,e9f8,e8f7,h7i6,g4h5"
)
SHOWN: dict[str, tuple[str, str]] = {"quax": (QUAX, "b9c8")}
"""A position and the move to play in it."""
REPLAYED = (
    "h5 d7 e6 c3 c4 g4 f6 b4 g5 d6 d5 c5 c2 b2 f4 b1 d9 e8 e9 f9 f1 g9 e1 d1 h4 a3 g8 d3 b7 i5 i2 "
    "h7 c1 f2 g3 b6 g1 h3 b8 a1 a2 e7 a5 h6 b5 b4c5 f8 e8f9 a9 b3 h1 c6"
)
"""A whole game of Quax on a board of nine, of two computers."""
LARGEST_REPLAY = 900_000
ROW_HEIGHT, ROW_GAP = 520, 12
AT_RANDOM = {"quux": (4, 18), "ziggurat": (5, 44), "pux": (3, 40), "pythagoras": (3, 44)}
"""For the other games a seed and how many plies to play at random."""


def shown(key: str) -> BoardView:
    """The view of a position of the game, with the marks of the last move."""
    game = catalog.create(key)
    if key in SHOWN:
        text, last = SHOWN[key]
        before = game.decode(text)
        move = game.parse(before, last)
        return game.view(game.play(before, move), None).with_marks(game.marks(before, move))
    seed, plies = AT_RANDOM.get(key, (1, 12))
    random = Random(seed)  # noqa: S311
    position = game.initial(random)
    marks = Marks()
    for _ in range(plies):
        move = random.choice(list(game.legal_moves(position)))
        marks = game.marks(position, move)
        position = game.play(position, move)
    return game.view(position, None).with_marks(marks)


def whole_game() -> list[BoardView]:
    """The game that is replayed, as a player gets it."""
    info, players = catalog.GAMES["quax"].info, (Text.of("Zoë"), Text.of("Bo"))
    sample = SampleGame(Text.of("Replay"), players, REPLAYED, {"size": 9, "pie": "off"})
    line = sample_line(info, sample, "replay")
    result = line.match.result
    assert result is not None  # noqa: S101 - the game is played to its end
    english = Languages().default
    names = [english(each) for each in players]
    won = english.say("{player} wins!", player=names[result.winners[0]])
    views = FilmViews(line, names, f"{won} {english(info.reasons[result.reason])}", english)
    return [views[number] for number in range(len(views))]


def in_a_row(pictures: list[Picture]) -> Image.Image:
    """Pictures beside each other, all of one height."""
    images = [Image.open(io.BytesIO(picture.png)).convert("RGB") for picture in pictures]
    images = [
        image.resize((round(image.width * ROW_HEIGHT / image.height), ROW_HEIGHT))
        for image in images
    ]
    width = sum(image.width + ROW_GAP for image in images) - ROW_GAP
    row = Image.new("RGB", (width, ROW_HEIGHT), (36, 40, 52))
    left = 0
    for image in images:
        row.paste(image, (left, 0))
        left += image.width + ROW_GAP
    return row.quantize(128, dither=Image.Dither.NONE)


def main() -> int:
    """Write one picture a game beside this file, and what shows more than one board."""
    boards = {key: render(shown(key), Style(names=NAMES)) for key in (*SHOWN, *AT_RANDOM)}
    for key, picture in boards.items():
        (HERE / f"{key}.png").write_bytes(picture.png)
    in_a_row(list(boards.values())).save(HERE / "boards.png", optimize=True)
    film = replay(whole_game(), Style(names=("Zoë", "Bo")), limit=LARGEST_REPLAY)
    (HERE / "replay.gif").write_bytes(film.gif)
    themes = [render(shown("ziggurat"), Style(theme=key, names=NAMES)) for key in ("wood", "sea")]
    in_a_row(themes).save(HERE / "themes.png", optimize=True)
    for name, event in {
        "standings": draw_table(events.standings(12), Style()),
        "crosstable": draw_crosstable(events.round_robin(8), Style()),
        "bracket": draw_bracket(events.knockout(8), Style()),
    }.items():
        (HERE / f"{name}.png").write_bytes(event.png)
    if not (photograph(HERE) and photograph_event(HERE)):
        sys.stderr.write(
            "match, offer, panel, setup, home and why are as they were: to draw them, install"
            " Chromium as /usr/bin/chromium.\n"
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
