"""Long lists in pages: the lines of a page, which of how many it is, and the buttons to turn it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from bot.i18n import Language
from bot.ui.pages.components import Button, Control, button

T = TypeVar("T")


def paging(
    action: str, subject: str, page: int, pages: int, language: Language, *, arg: str = ""
) -> list[Button]:
    """Previous and Next of what the controls are about; a page's number is their version."""
    if pages < 2:
        return []
    back = Control(action, subject, (page - 1) % pages, f"{arg}.b")
    onward = Control(action, subject, (page + 1) % pages, f"{arg}.n")
    return [button(back, language.say("Previous")), button(onward, language.say("Next"))]


def cut_to_page(lines: Sequence[T], page: int, on_page: int) -> tuple[Sequence[T], int, int]:
    """The lines of a page, its number from 0, kept within the pages there are, and their count."""
    pages = max(1, -(-len(lines) // on_page))
    page = min(page, pages - 1)
    return lines[page * on_page : (page + 1) * on_page], page, pages


def page_note(page: int, pages: int, language: Language) -> list[str]:
    """The line that says which page this is, where there are several."""
    if pages < 2:
        return []
    return ["-# " + language.say("Page {number} of {count}", number=page + 1, count=pages)]
