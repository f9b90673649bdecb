"""Small parts of pages: buttons, menus and pictures, within Discord's limits.

Documentation: https://docs.discord.com/developers/components/reference
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.ui.answers import File
from bot.ui.controls import Control
from bot.ui.words import cut

__all__ = ["LABEL", "TEXT", "Option", "Picture", "button", "gallery", "heading", "menu", "rows"]

LABEL = 80
OPTION = 100
ALT = 1024
TEXT = 4000
"""Characters of text in all the components of a message."""

PRIMARY = discord.ButtonStyle.primary
SECONDARY = discord.ButtonStyle.secondary
SUCCESS = discord.ButtonStyle.success
DANGER = discord.ButtonStyle.danger


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a menu."""

    value: str
    label: str
    note: str | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A file to show and its words for those who do not see it."""

    file: File
    alt_text: str


def button(
    control: Control,
    label: str,
    style: discord.ButtonStyle = SECONDARY,
    *,
    disabled: bool = False,
) -> discord.ui.Button[Any]:
    """A button that stands for a control."""
    return discord.ui.Button(
        style=style, label=cut(label, LABEL), custom_id=str(control), disabled=disabled
    )


def menu(
    control: Control, prompt: str, options: Iterable[Option], *, least: int = 1, most: int = 1
) -> discord.ui.ActionRow[Any]:
    """A row with a menu of which one option is to be chosen, or from ``least`` to ``most``."""
    select: discord.ui.Select[Any] = discord.ui.Select(
        custom_id=str(control),
        placeholder=cut(prompt, 150),
        min_values=least,
        max_values=most,
        options=[
            discord.SelectOption(
                value=option.value,
                label=cut(option.label, OPTION) or option.value,
                description=cut(option.note, OPTION) if option.note else None,
                default=option.chosen,
            )
            for option in options
        ],
    )
    return discord.ui.ActionRow(select)


def rows(buttons: Sequence[discord.ui.Button[Any]]) -> list[discord.ui.ActionRow[Any]]:
    """Buttons in as few rows of at most five as hold them, the rows about as long as each other."""
    if not buttons:
        return []
    longest = -(-len(buttons) // -(-len(buttons) // 5))
    return [
        discord.ui.ActionRow(*buttons[at : at + longest]) for at in range(0, len(buttons), longest)
    ]


def gallery(picture: Picture) -> discord.ui.MediaGallery[Any]:
    """A picture with its alt text, shown from the file uploaded with the message."""
    return discord.ui.MediaGallery(
        discord.MediaGalleryItem(
            f"attachment://{picture.file.name}", description=cut(picture.alt_text, ALT)
        )
    )


def heading(text: str) -> discord.ui.TextDisplay[Any]:
    """A small heading."""
    return discord.ui.TextDisplay(f"### {text}")
