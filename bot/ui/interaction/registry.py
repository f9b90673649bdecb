"""Where each room registers its buttons, menus and forms.

A handler is registered under the action of its custom id (:mod:`bot.ui.pages.components`)::

    @on_button("accept", how=PRIVATE)
    async def accept(context: InteractionContext, click: Click) -> Reply: ...

:mod:`bot.ui.router` finds it there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import discord

from bot.domain.ids import UserId, read_id
from bot.domain.match import Match
from bot.errors import UserError
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.responses import Acknowledgement
from bot.ui.pages.components import Control, Reply

PRIVATE = Acknowledgement.PRIVATE
UPDATE = Acknowledgement.UPDATE


@dataclass(frozen=True, slots=True)
class Click(Control):
    """A control that was used, with the values chosen or the text typed into its form.

    ``values`` is None for what is not a menu; ``fields`` are those of a form by name.
    """

    values: tuple[str, ...] | None = None
    fields: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    @property
    def text(self) -> str:
        """The text of a form's only field, '' if there was none."""
        return self.fields.get(FIELD, "")

    @property
    def value(self) -> str:
        """The value chosen in a menu, '' for a button."""
        if self.values is None:
            return ""
        if len(self.values) != 1:
            raise UserError("out_of_date")
        return self.values[0]

    @property
    def choice(self) -> str:
        """The value chosen in a menu; ``out_of_date`` if there is none."""
        if not self.value:
            raise UserError("out_of_date")
        return self.value


def number_in(text: str, *, most: int = 99_999_999) -> int:
    """The number that a control carries as text, 0 to ``most``. Raises ``out_of_date``."""
    if not (
        text.isascii() and text.isdigit() and len(text) <= len(str(most)) and int(text) <= most
    ):
        raise UserError("out_of_date")
    return int(text)


def id_in(text: str) -> UserId:
    """The id, of a player unless the control is about something else. Raises ``out_of_date``."""
    found = read_id(text)
    if found is None:
        raise UserError("out_of_date")
    return UserId(found)


def member_in(kind: type[E], text: str) -> E:
    """The member of an enum that a control carries as text. Raises ``out_of_date``."""
    try:
        return kind(text)
    except ValueError:
        raise UserError("out_of_date") from None


ControlHandler = Callable[[InteractionContext, Click], Awaitable[Reply]]
FormMaker = Callable[[InteractionContext, Control], discord.ui.Modal]
Resumer = Callable[[InteractionContext, Match, str], Awaitable[Reply]]
E = TypeVar("E", bound=Enum)
K = TypeVar("K")
T = TypeVar("T")
H = TypeVar("H", bound=ControlHandler)
P = TypeVar("P", bound=Callable[..., Awaitable[Reply]])
R = TypeVar("R", bound=Resumer)


class Registered(NamedTuple):
    """A handler, and how its interaction is deferred."""

    how: Acknowledgement
    handler: ControlHandler


BUTTONS: dict[str, Registered] = {}
MENUS: dict[str, Registered] = {}
FORMS: dict[str, Registered] = {}
OPENERS: dict[tuple[str, str | None], FormMaker] = {}
"""By action, and by choice where a menu opens the form."""
RESUMERS: dict[str, Resumer] = {}
"""Commands that go on once a player has chosen one of several matches."""


def _register(table: dict[K, T], keys: Sequence[K], entry: T) -> None:
    for key in keys:
        if key in table:
            raise ValueError(key)
        table[key] = entry


def on_button(*actions: str, how: Acknowledgement = UPDATE) -> Callable[[H], H]:
    """Register the handler of a button; ``how`` says whether its answer replaces the message."""

    def register(handler: H) -> H:
        _register(BUTTONS, actions, Registered(how, handler))
        return handler

    return register


def page_button(*actions: str, how: Acknowledgement = UPDATE) -> Callable[[P], P]:
    """Register a button that shows a page which needs nothing but the context."""

    def register(page: P) -> P:
        @on_button(*actions, how=how)
        async def pressed(context: InteractionContext, _click: Click) -> Reply:
            return await page(context)

        return page

    return register


def on_menu(*actions: str, how: Acknowledgement = UPDATE) -> Callable[[H], H]:
    """Register the handler of a menu."""

    def register(handler: H) -> H:
        _register(MENUS, actions, Registered(how, handler))
        return handler

    return register


def on_form(*actions: str) -> Callable[[H], H]:
    """Register the handler of a form; :func:`opens_form` takes the same action too."""

    def register(handler: H) -> H:
        _register(FORMS, actions, Registered(UPDATE, handler))
        return handler

    return register


def opens_form(*actions: str, choice: str | None = None) -> Callable[[FormMaker], FormMaker]:
    """Register a button, or this ``choice`` of a menu, that opens a form."""

    def register(make: FormMaker) -> FormMaker:
        _register(OPENERS, [(action, choice) for action in actions], make)
        return make

    return register


def resumes(*commands: str) -> Callable[[R], R]:
    """Register how a command goes on with the match chosen; it also gets the typed text."""

    def register(resumer: R) -> R:
        known: Resumer = resumer
        _register(RESUMERS, commands, known)
        return resumer

    return register


FIELD = "move"
"""The custom id of the field of a form that has one."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form: its name, its label, and its initial value.

    With a ``hint`` and ``long`` it has several rows; an empty one shows its ``example``.
    """

    name: str
    label: str
    longest: int
    value: str = ""
    hint: str | None = None
    long: bool = False
    required: bool = True
    example: str | None = None


def form(control: Control, title: str, fields: Sequence[Field]) -> discord.ui.Modal:
    """A form of up to five fields."""
    modal = discord.ui.Modal(title=title[:45], timeout=None, custom_id=str(control))
    for each in fields:
        typed: discord.ui.TextInput[discord.ui.LayoutView] = discord.ui.TextInput(
            custom_id=each.name,
            required=each.required,
            max_length=each.longest,
            default=each.value or None,
            placeholder=each.example,
            style=discord.TextStyle.paragraph if each.long else discord.TextStyle.short,
        )
        modal.add_item(
            discord.ui.Label(text=each.label[:45], description=each.hint, component=typed)
        )
    return modal


def one_field(
    control: Control,
    title: str,
    label: str,
    *,
    longest: int,
    hint: str | None = None,
    begun: str | None = None,
    example: str | None = None,
) -> discord.ui.Modal:
    """A form with one field; one with a ``hint`` has several rows, ``begun`` stands in it."""
    long = hint is not None
    only = Field(FIELD, label, longest, begun or "", hint=hint, long=long, example=example)
    return form(control, title, (only,))
