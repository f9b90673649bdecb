"""A page as text: its words as they are, its controls with label, marks and custom id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from bot.tournaments.ui.setup_page import CARRIER
from bot.ui.pages.components import Control, Page, Reply

_STYLES = {1: "primary", 3: "success", 4: "danger"}
_ENTITIES = {5: "users", 6: "roles", 8: "channels"}


def as_text(shown: Page | Reply) -> str:
    """All that a person sees of a page, and what its controls send."""
    page = shown.page if isinstance(shown, Reply) else shown
    assert page is not None
    return "".join(f"{line}".rstrip() + "\n" for line in _lines(page.components))


def _lines(components: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for each in components:
        match each["type"]:
            case 1:
                yield from _lines(each["components"])
            case 2:
                style = _STYLES.get(each["style"], "")
                marks = [style, *(["disabled"] if each.get("disabled") else [])]
                said = "".join(f" ({mark})" for mark in marks if mark)
                yield f"[{each.get('label')}]{said} {_id(each)}"
            case 3 | 5 | 6 | 8:
                yield from _menu(each)
            case 9:
                yield from _lines(each["components"])
                yield from (f"    {line}" for line in _lines([each["accessory"]]))
            case 10:
                yield from each["content"].split("\n")
            case 12:
                yield from (f"(picture: {item['description']})" for item in each["items"])
            case 13:
                yield f"(file: {each['file']['url'].removeprefix('attachment://')})"
            case 17:
                yield f"+-- #{each.get('accent_color') or 0:06x}"
                yield from (f"| {line}" for line in _lines(each["components"]))
            case other:
                yield f"({other})"


def _id(part: Mapping[str, Any]) -> str:
    """The custom id, but for a draft that is carried in it, whose letters depend on zlib."""
    control = Control.read(part["custom_id"])
    assert control is not None
    return str(replace(control, arg="") if control.action.startswith(CARRIER) else control)


def _menu(part: Mapping[str, Any]) -> Iterator[str]:
    least, most = part["min_values"], part["max_values"]
    count = "" if (least, most) == (1, 1) else f" ({least} to {most})"
    of = _ENTITIES.get(part["type"])
    yield f"<{part['placeholder']}>{f' of {of}' if of else ''}{count} {_id(part)}"
    for each in part.get("options") or ():
        note = f" -- {each['description']}" if each.get("description") else ""
        mark = "*" if each.get("default") else "-"
        yield f"  {mark} {each['label']}{note} = {each['value']}"
    for each in part.get("default_values") or ():
        yield f"  * {each['type']} {each['id']}"
