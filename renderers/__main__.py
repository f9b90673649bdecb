"""``python -m renderers``: look at pictures, and store what is made from them.

``palettes`` fits and stores the palettes; ``pictures FOLDER`` writes the gallery as PNG files.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from PIL import Image

from games.view import BoardView
from renderers import gallery
from renderers.palettes import write
from renderers.picture import compose, render
from renderers.style import Style
from renderers.themes import THEMES

__all__ = ["main"]


def _views() -> dict[str, BoardView]:
    return {
        "quax": gallery.linked_marked(),
        "quax-won": gallery.linked_won(),
        "quax-3": gallery.linked_scattered(3, full=False, seed=3),
        "quax-15": gallery.linked_scattered(15, full=True, seed=15),
    }


def _pages(theme: str, role: str) -> Iterator[Image.Image]:
    for view in _views().values():
        style = Style(theme=theme, names=gallery.NAMES)
        yield compose(replace(view, palette=role), style)
        yield compose(replace(view, palette=role, to_move=1), style)


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m renderers", description=__doc__)
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


if __name__ == "__main__":
    main()
