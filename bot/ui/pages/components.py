"""Messages as Discord reads them: components, custom ids, replies.

The meaning of a control is in its custom id, so components are plain data. A custom id says which
control it is and which state it was drawn for. It carries no authority: services check the user
each time, and whatever a client sends is read with suspicion. There is one template, anchored at
both ends, so an id is never ambiguous.

Documentation: https://docs.discord.com/developers/components/reference
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, combinations, pairwise
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, cast

import discord

from bot.i18n import Language
from bot.ui.pages.match_text import cut
from bot.ui.pages.told_apart import told_apart
from renderers.picture import Picture as Drawing

if TYPE_CHECKING:
    # Its modules import each other in a circle, so it can be read but not run.
    from discord.types import components as api

NO_MATCH = "-"
LONGEST_ID = 100
_TEMPLATE = re.compile(
    r"p1:(?P<match>[a-z0-9]{1,24}|-):(?P<version>[0-9]{1,9}):(?P<action>[a-z]{1,12})"
    r":(?P<arg>[A-Za-z0-9@^!+:x/=~.,_*-]*)",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Control:
    """A control of a message: its action, and its match with the version it was drawn for.

    ``match`` is :data:`NO_MATCH` and ``version`` 0 without a match. ``arg`` has ASCII letters,
    digits and ``@^!+:x/=~.,_*-``.
    """

    action: str
    match: str = NO_MATCH
    version: int = 0
    arg: str = ""

    def __str__(self) -> str:
        """The custom id; :exc:`ValueError` if it would not be read back as this control."""
        text = f"p1:{self.match}:{self.version}:{self.action}:{self.arg}"
        found = _TEMPLATE.fullmatch(text)
        mine = (self.match, str(self.version), self.action, self.arg)
        if found is None or found.groups() != mine or len(text) > LONGEST_ID:
            raise ValueError(text)
        return text

    @property
    def is_writable(self) -> bool:
        """Whether there is a custom id for this control, within Discord's limit."""
        try:
            return bool(str(self))
        except ValueError:
            return False

    @classmethod
    def read(cls, text: object) -> Control | None:
        """The control of a custom id, or None if it is none of ours."""
        if not isinstance(text, str) or len(text) > LONGEST_ID:
            return None
        found = _TEMPLATE.fullmatch(text)
        if found is None:
            return None
        return cls(found["action"], found["match"], int(found["version"]), found["arg"])


# ---- custom ids ----------------------------------------------------------------------------------

CHOICES = 25
"""Options of a menu, and entries of autocomplete."""
LABEL = 80
OPTION = 100
PROMPT = 150
ALT = 1024
TEXT = 4000
"""Characters of text in all components of a message."""

PRIMARY: api.ButtonStyle = 1
SECONDARY: api.ButtonStyle = 2
SUCCESS: api.ButtonStyle = 3
DANGER: api.ButtonStyle = 4

Button: TypeAlias = "api.ButtonComponent"
Row: TypeAlias = "api.ActionRow"
Container: TypeAlias = "api.ContainerComponent"
Part: TypeAlias = "api.ContainerChildComponent"


@dataclass(frozen=True, slots=True)
class File:
    """A file to upload, which can be sent again after a failure."""

    name: str
    data: bytes

    def open(self) -> discord.File:
        """The library's file, read from its beginning."""
        return discord.File(io.BytesIO(self.data), self.name)


Marks = tuple[str, ...]
"""Tell a choice from others with its label, the most telling first."""


@dataclass(frozen=True, slots=True)
class Option:
    """A line of a menu, or an entry of autocomplete.

    ``marks`` are shown where another one has its label.
    """

    value: str
    label: str
    note: str | None = None
    chosen: bool = False
    marks: Marks = ()


Line: TypeAlias = tuple[str, str] | tuple[str, str, str | None]
"""A value of a menu, its words, and perhaps more about it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A file and its alt text."""

    file: File
    alt_text: str


def picture(name: str, drawn: Drawing | None) -> Picture | None:
    """A drawing as a file of that name; None if it can't be drawn."""
    return None if drawn is None else Picture(File(f"{name}.png", drawn.png), drawn.alt_text)


def text(content: str, *, number: int | None = None) -> api.TextComponent:
    """Text with markup; a ``number`` identifies it in the message."""
    made: api.TextComponent = {"type": 10, "content": content}
    if number is not None:
        made["id"] = number
    return made


def heading(title: str, *said: str, lead: str = "") -> str:
    """A title with what is said below it; ``lead``, what has just happened, comes first."""
    return "\n".join([f"### {title}", *([f"**{lead}**"] if lead else []), *said])


def button(
    control: Control, label: str, style: api.ButtonStyle = SECONDARY, *, disabled: bool = False
) -> Button:
    """A button with a control."""
    return {
        "type": 2,
        "style": style,
        "disabled": disabled,
        "label": cut(label, LABEL),
        "custom_id": str(control),
    }


# ---- rows of buttons, which a phone wraps where they are too wide --------------------------------

PHONE = 330
"""Pixels for buttons in a frame on a phone of 400."""
FRAMELESS = 365
"""The same without a frame."""


def _evenly(number: int, count: int) -> list[int]:
    """The sizes of ``count`` rows, the longer ones first."""
    size, over = divmod(number, max(count, 1))
    return [size + 1] * over + [size] * (count - over)


def lines_on_a_phone(widths: Sequence[int], whole: int = PHONE) -> list[int]:
    """The number of buttons in each line into which a phone wraps a row."""
    lines: list[int] = []
    room = 0
    for wide in widths:
        if not lines or wide > room:
            lines.append(0)
            room = whole
        lines[-1] += 1
        room -= wide
    return lines


def leaves_one_alone(widths: Sequence[int]) -> bool:
    """Whether a phone wraps a row so that the last line has one button."""
    ways = [lines_on_a_phone(widths, whole) for whole in (PHONE, FRAMELESS)]
    return any(len(lines) > 1 and lines[-1] == 1 for lines in ways)


def _without_lone(widths: Sequence[int]) -> list[int]:
    """The sizes of parts of a row: of all of it, unless that leaves one button alone."""
    wrapped = lines_on_a_phone(widths)
    if not leaves_one_alone(widths):
        return [len(widths)]
    ends = combinations(range(1, len(widths)), len(wrapped) - 1)
    for cut_at in ends:
        counts = [end - begin for begin, end in pairwise((0, *cut_at, len(widths)))]
        lines = [widths[begin:end] for begin, end in pairwise((0, *cut_at, len(widths)))]
        if min(counts) > 1 and max(map(sum, lines)) <= PHONE:
            return counts
    return [len(widths)]


def width(label: str) -> int:
    """The approximate width of a button and its gap, in pixels."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in label)
    return 35 + 10 * len(label) + 5 * wide


def _filled(widths: Sequence[int], room: Sequence[int], *, last: int = 5) -> list[int]:
    """The number of buttons that fit into each row, at most five."""
    held: list[int] = []
    for number, pixels in enumerate(room):
        begun = sum(held)
        most = last if number == len(room) - 1 else 5
        row = list(accumulate(widths[begun : begun + most]))
        held.append(sum(1 for wide in row if wide <= pixels))
    return held


def rows(buttons: Sequence[Button]) -> list[Row]:
    """Buttons in as few rows of at most five as hold them, of about the same length.

    A phone wraps a row that is too wide. If that leaves one button alone, and another division does
    not, that is used everywhere.
    """
    if not buttons:
        return []
    widths = [width(each.get("label", "")) for each in buttons]
    fewest = -(-len(buttons) // 5)
    longest = -(-len(buttons) // fewest)
    sizes = []
    for at in range(0, len(buttons), longest):
        sizes += _without_lone(widths[at : at + longest])
    evenly = [_evenly(len(buttons), count) for count in (fewest, fewest + 1)]
    ways = [sizes, *(way for way in evenly if min(way) > 1)]
    return _split(buttons, next((way for way in ways if not _some_alone(widths, way)), sizes))


def grid(buttons: Sequence[Button], most: int) -> list[Row]:
    """Up to 25 buttons in as few rows as possible, at most ``most``, of about the same length.

    There is one row more if a phone would otherwise leave one button alone.
    """
    widths = [width(each.get("label", "")) for each in buttons]
    fewest = -(-len(buttons) // 5)
    ways = [_evenly(len(buttons), count) for count in range(fewest, max(fewest, most) + 1)]
    return _split(buttons, next((way for way in ways if not _some_alone(widths, way)), ways[0]))


def _some_alone(widths: Sequence[int], way: Sequence[int]) -> bool:
    """Whether a phone leaves one button alone below a row of some such sizes."""
    ends = accumulate(way, initial=0)
    return any(leaves_one_alone(widths[begin:end]) for begin, end in pairwise(ends))


def on_a_phone(buttons: Sequence[Button], more: Button) -> list[Row]:
    """The first buttons, in two rows that a phone doesn't wrap, and ``more`` for the others.

    The most wanted come first. ``more`` is left out if all fit.
    """
    widths = [width(each.get("label", "")) for each in buttons]
    whole = _filled(widths, (PHONE, PHONE))
    if sum(whole) == len(buttons):
        return _split(buttons, whole)
    held = _filled(widths, (PHONE, PHONE - width(more.get("label", ""))), last=4)
    return _split([*buttons[: sum(held)], more], [held[0], held[1] + 1])


def _split(buttons: Sequence[Button], counts: Sequence[int]) -> list[Row]:
    begun = [0, *accumulate(counts)]
    return [
        {"type": 1, "components": [*buttons[first:end]]}
        for first, end in pairwise(begun)
        if first < end
    ]


def menu(
    control: Control, prompt: str, options: Iterable[Option], *, least: int = 1, most: int = 1
) -> Row:
    """A menu from which to choose one option, or ``least`` to ``most``.

    No two lines look the same; of two with one value the first stays.
    """
    select = _select(3, control, prompt, least, most)
    select["options"] = [_option(option) for option in distinct(options)]
    return {"type": 1, "components": [select]}


def choice_menu(control: Control, prompt: str, lines: Iterable[Line], chosen: str) -> Row:
    """A menu of values, one of them chosen; the first 25."""
    options = [
        Option(value, words, note[0] if note else None, chosen=value == chosen)
        for value, words, *note in lines
    ]
    return menu(control, prompt, options[:CHOICES])


def entity_menu(
    kind: Literal["user", "role", "channel"],
    control: Control,
    prompt: str,
    chosen: Iterable[int],
    *,
    most: int = 1,
) -> Row:
    """A menu of users, roles or channels, from which to choose up to ``most``.

    Channels are those for text and for announcements.
    """
    kinds: dict[str, Literal[5, 6, 8]] = {"user": 5, "role": 6, "channel": 8}
    select = _select(kinds[kind], control, prompt, 0, most)
    if kind == "channel":
        select["channel_types"] = [0, 5]
    ids = list(chosen)
    if ids:
        select["default_values"] = [{"id": each, "type": kind} for each in ids]
    return {"type": 1, "components": [select]}


def _select(
    kind: Literal[3, 5, 6, 8], control: Control, prompt: str, least: int, most: int
) -> api.SelectMenu:
    return {
        "type": kind,
        "custom_id": str(control),
        "min_values": least,
        "max_values": most,
        "disabled": False,
        "required": kind == 3,  # of no account outside of forms
        "placeholder": cut(prompt, PROMPT),
    }


def distinct(options: Iterable[Option]) -> list[Option]:
    """Options of which no two look the same; of two with one value the first stays."""
    of_value: dict[str, Option] = {}
    for option in options:
        of_value.setdefault(option.value, option)
    kept = list(of_value.values())
    labels = told_apart(
        [each.label or each.value for each in kept], [each.marks for each in kept], OPTION
    )
    return [replace(each, label=label) for each, label in zip(kept, labels, strict=True)]


def _option(option: Option) -> api.SelectOption:
    made: api.SelectOption = {
        "label": option.label,
        "value": option.value,
        "default": option.chosen,
    }
    if option.note:
        made["description"] = cut(option.note, OPTION)
    return made


class _Upload(dict[str, Any]):
    """A part that shows a file, which is uploaded with its message."""

    def __init__(self, file: File, part: Mapping[str, Any]) -> None:
        super().__init__(part)
        self.file = file


def gallery(picture: Picture) -> api.MediaGalleryComponent:
    """A picture with its alt text."""
    item = {
        "media": _address(picture.file),
        "spoiler": False,
        "description": cut(picture.alt_text, ALT),
    }
    return cast("api.MediaGalleryComponent", _Upload(picture.file, {"type": 12, "items": [item]}))


def pictured(picture: Picture | None) -> list[Part]:
    """The part that shows a picture, none if it can't be drawn."""
    return [] if picture is None else [gallery(picture)]


def attached(file: File) -> api.FileComponent:
    """A file to be downloaded."""
    part = _Upload(file, {"type": 13, "file": _address(file), "spoiler": False})
    return cast("api.FileComponent", part)


def _address(file: File) -> dict[str, str]:
    return {"url": f"attachment://{file.name}"}


def section(content: str, beside: Button) -> api.SectionComponent:
    """Text with a button beside it."""
    return {"type": 9, "components": [text(content)], "accessory": beside}


def container(*parts: Part, colour: int | None = None) -> Container:
    """A frame around parts, with a coloured bar."""
    made: Container = {"type": 17, "spoiler": False, "components": list(parts)}
    if colour is not None:
        made["accent_color"] = colour
    return made


def walk(components: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    """Components as Discord writes them, each followed by those inside it."""
    for component in components:
        if isinstance(component, Mapping):
            yield component
            yield from walk((*(component.get("components") or ()), component.get("accessory")))


def controls_in(components: Iterable[Mapping[str, Any]]) -> Iterator[Control]:
    """The controls of a page as Discord writes it."""
    return (control for control, _ in chosen_in(components))


def chosen_in(
    components: Iterable[Mapping[str, Any]],
) -> Iterator[tuple[Control, tuple[str, ...]]]:
    """The controls of a page as Discord writes it, with the values that menus show as chosen."""
    for each in walk(components):
        control = Control.read(each.get("custom_id"))
        if control is not None:
            lines = (line["value"] for line in each.get("options") or () if line.get("default"))
            picked = (entity["id"] for entity in each.get("default_values") or ())
            yield control, tuple(map(str, (*lines, *picked)))


# ---- replies -------------------------------------------------------------------------------------


class Page:
    """The components of a message.

    The library's own views wait for clicks; here the meaning of a control is in its custom id, and
    nothing about a message is kept in memory.
    """

    def __init__(self, *components: Part | Container) -> None:
        self.components = list(components)

    def texts(self) -> Iterator[api.TextComponent]:
        """All text, from top to bottom, without labels of controls."""
        found: Iterable[Any] = walk(cast("list[dict[str, Any]]", self.components))
        return (each for each in found if each["type"] == 10)

    @property
    def files(self) -> tuple[File, ...]:
        """The files that its parts show."""
        parts = walk(cast("list[dict[str, Any]]", self.components))
        return tuple(each.file for each in parts if isinstance(each, _Upload))


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: text, or a page with pictures and controls.

    ``plain`` is the fallback if Discord refuses the page; it must say the essential.
    """

    plain: str
    page: Page | None = None

    @property
    def files(self) -> tuple[File, ...]:
        """The files that go along."""
        return () if self.page is None else self.page.files


def fitting(options: Iterable[Option], typed: str) -> list[Option]:
    """Those with all words typed, in any order; only the one that is exactly what was typed."""
    told, words = distinct(options), typed.casefold().split()
    whole = [each for each in told if each.label.casefold().split() == words]
    if len(whole) == 1:
        return whole
    return [
        each
        for each in told
        if all(word in f"{each.label} {each.value}".casefold() for word in words)
    ]


T = TypeVar("T")


def paging(
    action: str,
    subject: str,
    page: int,
    pages: int,
    language: Language,
    *,
    arg: str = "",
    is_open: bool = False,
) -> list[Button]:
    """**Previous** and **Next**; the number of a page is the controls' version.

    Each end leads to the other one, unless the list ``is_open``: it has a first page and a last.
    """
    if pages < 2:
        return []
    back = Control(action, subject, (page - 1) % pages, f"{arg}.b")
    onward = Control(action, subject, (page + 1) % pages, f"{arg}.n")
    return [
        button(back, language.say("Previous"), disabled=is_open and page == 0),
        button(onward, language.say("Next"), disabled=is_open and page == pages - 1),
    ]


def cut_to_page(lines: Sequence[T], page: int, on_page: int) -> tuple[Sequence[T], int, int]:
    """The lines of a page, its number from 0, within the existing pages, and their count."""
    pages = max(1, -(-len(lines) // on_page))
    page = min(page, pages - 1)
    return lines[page * on_page : (page + 1) * on_page], page, pages


def page_note(page: int, pages: int, language: Language) -> list[str]:
    """The line with the number of the page, if there are several."""
    if pages < 2:
        return []
    return ["-# " + language.say("Page {number} of {count}", number=page + 1, count=pages)]
