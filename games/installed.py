"""Games of other packages.

Such a package names its game, and its lesson if it has one, in its ``pyproject.toml``::

    [project.entry-points."parlour.games"]
    hex = "parlour_hex:Hex"

    [project.entry-points."parlour.lessons"]
    hex = "parlour_hex:LESSON"

The name of each entry is the key of the game. Sentences are translated by the catalogues
``locales/<language>/parlour.po`` in the folder of the game's module, for those languages that
Parlour has.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from inspect import getfile
from pathlib import Path
from typing import Any

from games.api import Game, GameInfo
from games.lesson import Lesson

GROUP = "parlour.games"
LESSON_GROUP = "parlour.lessons"
_KEY = re.compile(r"[a-z][a-z0-9_]{0,19}")


@dataclass(frozen=True, slots=True)
class InstalledGame:
    """A game of another package; ``locales`` is the folder for its translations, if any."""

    kind: type[Game[Any, Any]]
    lesson: Lesson | None
    locales: Path


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An installed game that cannot be offered: its key, its package, and the reason."""

    key: str
    package: str
    reason: str

    def __str__(self) -> str:
        return f"{self.key} of {self.package}: {self.reason}"


def installed_games(taken: Collection[str]) -> tuple[dict[str, InstalledGame], tuple[LeftOut, ...]]:
    """The games of other packages by key, and those that are left out.

    Keys that are ``taken``, or that two packages use, are refused. A package that raises leaves the
    other games available.
    """
    found: dict[str, InstalledGame] = {}
    left_out: list[LeftOut] = []
    entries = sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, _package(entry)))
    lessons = entry_points(group=LESSON_GROUP)
    names = [entry.name for entry in entries]
    for entry in entries:
        try:
            is_taken = entry.name in taken or names.count(entry.name) > 1
            found[entry.name] = _load(entry, lessons, is_taken=is_taken)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            left_out.append(LeftOut(entry.name, _package(entry), reason[:300]))
    return found, tuple(left_out)


def _package(entry: EntryPoint) -> str:
    return str(getattr(entry.dist, "name", "?"))


def _load(entry: EntryPoint, lessons: Iterable[EntryPoint], *, is_taken: bool) -> InstalledGame:
    if is_taken:
        raise ValueError(f"another game has the key {entry.name}")
    if _KEY.fullmatch(entry.name) is None:
        raise ValueError("a key is up to 20 small letters, digits and underscores")
    kind = entry.load()
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise TypeError(f"{entry.value} is no class derived from games.api.Game")
    info: Any = getattr(kind, "info", None)
    if not isinstance(info, GameInfo) or info.key != entry.name:
        raise ValueError(f"its info has another key than {entry.name}")
    kind()  # An abstract class, or one whose defaults are not options, fails now.
    lesson = next((each.load() for each in lessons if each.name == entry.name), None)
    if not (lesson is None or isinstance(lesson, Lesson)):
        raise TypeError("its lesson is no games.lesson.Lesson")
    return InstalledGame(kind, lesson, Path(getfile(kind)).parent / "locales")
