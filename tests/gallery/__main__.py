"""``python -m tests.gallery``: look at pictures, and store what is made from them.

``palettes`` fits and stores the palettes; ``pictures FOLDER`` writes the gallery and
the sample events as PNG files.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from PIL import Image

from games.view import BoardView, Topology
from renderers.bracket import draw_bracket
from renderers.crosstable import draw_crosstable
from renderers.palettes import write
from renderers.picture import Picture, compose, render
from renderers.style import Style
from renderers.tables import draw_table
from renderers.themes import THEMES
from tests import gallery
from tests.gallery import events


def _views() -> dict[str, BoardView]:
    return {
        "linked": gallery.linked_played(),
        "linked-marked": gallery.linked_marked(),
        "linked-won": gallery.linked_won(),
        "linked-3": gallery.linked_scattered(3, full=False, seed=3),
        "linked-15": gallery.linked_scattered(15, full=True, seed=15),
        "hexagons": gallery.hexagons(),
        "labelled": gallery.labelled(),
        "piled": gallery.piled(),
        "topped": gallery.topped(),
        "three-grids": gallery.three_grids(),
    }


def _events(style: Style) -> dict[str, Picture]:
    """The sample events in a style."""
    return {
        "standings": draw_table(events.standings(64), style),
        "round-robin": draw_crosstable(events.round_robin(10), style),
        "swiss": draw_crosstable(events.swiss_rounds(30, 11), style, 1),
        "knockout": draw_bracket(events.knockout(14), style),
        "knockout-64": draw_bracket(events.knockout(64, played=4), style, 4),
        "double-elimination": draw_bracket(events.double_elimination(8), style),
    }


def _pages(theme: str, role: str) -> Iterator[Image.Image]:
    """The gallery in the colours of one role, with either side on turn."""
    for view in _views().values():
        if len(view.colours) > len(THEMES[theme].roles[role]):
            view = gallery.three_grids(bars=2)  # noqa: PLW2901
        elif role == "four" and view.topology is not Topology.SQUARES:
            continue
        for colour in range(len(view.colours)):
            shown = replace(view, palette=role, to_move=colour)
            yield compose(shown, Style(theme=theme, names=gallery.NAMES), exact=True).whole()


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("palettes", help="fit and store the palettes")
    pictures = actions.add_parser("pictures", help="write the gallery as PNG files")
    pictures.add_argument("folder", type=Path)
    chosen = parser.parse_args()
    if chosen.action == "palettes":
        write(
            {(theme, role): _pages(theme, role) for theme in THEMES for role in THEMES[theme].roles}
        )
        return
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for key, view in _views().items():
        for theme in THEMES:
            picture = render(view, Style(theme=theme, names=gallery.NAMES))
            (chosen.folder / f"{key}-{theme}.png").write_bytes(picture.png)
    for theme in THEMES:
        for key, picture in _events(Style(theme=theme)).items():
            (chosen.folder / f"{key}-{theme}.png").write_bytes(picture.png)


if __name__ == "__main__":
    main()
