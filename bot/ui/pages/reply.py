"""What a player is answered: a page of components, and words in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.ui.pages.components import Container, File, Part

if TYPE_CHECKING:
    from discord.types import components as api


class Page:
    """A layout of components for one message.

    The library's own views listen for what is clicked on them. Here what a control means is in its
    custom id, and nothing about a message is kept in memory.
    """

    def __init__(self, *components: Part | Container) -> None:
        self.components = list(components)

    def texts(self) -> Iterator[api.TextComponent]:
        """All that is there to be read, from top to bottom, but for what controls are called."""
        return _texts(self.components)


def _texts(components: Iterable[api.Component]) -> Iterator[api.TextComponent]:
    for each in components:
        if each["type"] == 10:  # words
            yield each
        elif each["type"] in (9, 17):  # a section or a container
            yield from _texts(each["components"])


@dataclass(frozen=True, slots=True)
class Reply:
    """What a person is answered: words, or a page with pictures and controls.

    ``plain`` is what remains of it if Discord refuses the page; it must say the essential.
    """

    plain: str
    page: Page | None = None
    files: tuple[File, ...] = ()
