"""Where each room registers its buttons, menus and forms.

A handler is registered under the action of its custom id (:mod:`bot.ui.pages.components`)::

    @on_button("accept", how=PRIVATE)
    async def accept(context: InteractionContext, click: Click) -> Reply: ...

:mod:`bot.ui.router` finds it there.

Discord shows no form in answer to a form, so the refusal of a form has a button, **Edit**, with the
custom id of the form. The text is kept in memory for a quarter of an hour, for that player alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import discord
from cachetools import TTLCache

from bot.domain.ids import UserId, read_id
from bot.domain.match import Match
from bot.errors import UserError
from bot.i18n.refusals import REFUSALS
from bot.store.errors import StoreUnavailable
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.responses import Acknowledgement
from bot.ui.pages.components import PRIMARY, Control, Page, Reply, button, controls_in, rows, text
from bot.ui.pages.refusal_text import refusal
from games.errors import GameError
from games.view import Text

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
F = TypeVar("F")
K = TypeVar("K")
T = TypeVar("T")
H = TypeVar("H", bound=ControlHandler)
P = TypeVar("P", bound=Callable[..., Awaitable[Reply]])
R = TypeVar("R", bound=Resumer)
W = TypeVar("W", bound=Callable[[InteractionContext, Match], Awaitable[str]])


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


AFTER_MOVES: list[Callable[[InteractionContext, Match], Awaitable[str]]] = []
"""Words that rooms add to the answer to a move, ``''`` for none."""


def _put(table: dict[K, T], keys: Iterable[K], made: Callable[[Any], T]) -> Callable[[F], F]:
    """A decorator that puts what is made of a function into a table, once for each key."""

    def register(function: F) -> F:
        for key in keys:
            if key in table:
                raise ValueError(key)
            table[key] = made(function)
        return function

    return register


def on_button(*actions: str, how: Acknowledgement = UPDATE) -> Callable[[H], H]:
    """Register the handler of a button; ``how`` says whether its answer replaces the message."""
    return _put(BUTTONS, actions, lambda handler: Registered(how, handler))


def page_button(*actions: str, how: Acknowledgement = UPDATE) -> Callable[[P], P]:
    """Register a button that shows a page which needs nothing but the context."""
    return _put(BUTTONS, actions, lambda page: Registered(how, lambda context, _: page(context)))


def on_menu(*actions: str, how: Acknowledgement = UPDATE) -> Callable[[H], H]:
    """Register the handler of a menu."""
    return _put(MENUS, actions, lambda handler: Registered(how, handler))


def on_form(*actions: str) -> Callable[[H], H]:
    """Register the handler of a form; :func:`opens_form` takes the same action too."""
    return _put(FORMS, actions, lambda handler: Registered(UPDATE, handler))


def opens_form(*actions: str, choice: str | None = None) -> Callable[[FormMaker], FormMaker]:
    """Register a button, or this ``choice`` of a menu, that opens a form."""
    return _put(OPENERS, [(action, choice) for action in actions], lambda make: make)


def resumes(*commands: str) -> Callable[[R], R]:
    """Register how a command goes on with the match chosen; it also gets the typed text."""
    return _put(RESUMERS, commands, lambda resumer: resumer)


def after_move(words: W) -> W:
    """Register what a room adds to the answer to a move."""
    AFTER_MOVES.append(words)
    return words


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
    """A form of up to five fields. Raises ``out_of_date`` for a control that nobody drew."""
    if not control.is_writable:
        raise UserError("out_of_date")
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
    control: Control, title: str, label: str, *, longest: int, **more: Any
) -> discord.ui.Modal:
    """A form with one field, with ``more`` as in :class:`Field`; one with a hint is long."""
    long = more.pop("long", more.get("hint") is not None)
    return form(control, title, (Field(FIELD, label, longest, long=long, **more),))


def on_text(
    opener: str,
    action: str,
    title: Text,
    label: Text,
    longest: int,
    *,
    hint: Text | None = None,
    example: str | None = None,
) -> Callable[[H], H]:
    """Register the handler of a form with one field, and the button that opens it.

    The form keeps the match, the version and the argument of the button.
    """

    def make(context: InteractionContext, control: Control) -> discord.ui.Modal:
        language = context.language
        return one_field(
            replace(control, action=action),
            language(title),
            language(label),
            longest=longest,
            hint=None if hint is None else language(hint),
            example=example,
        )

    opens_form(opener, action)(make)
    return on_form(action)


_MOST = 1000
_SECONDS = 15 * 60


@dataclass
class _Typed:
    kept: TTLCache[tuple[UserId, str], Mapping[str, str]] = field(
        default_factory=lambda: TTLCache(_MOST, _SECONDS)
    )
    """The fields of each refused form, by player and custom id."""


def fill_in(context: InteractionContext, form: discord.ui.Modal) -> None:
    """Put what a player typed before into a form that is about to open."""
    typed = context.services.memory(_Typed).kept.get((context.user_id, form.custom_id))
    for label in form.children if typed else ():
        if isinstance(label, discord.ui.Label) and isinstance(
            label.component, discord.ui.TextInput
        ):
            value = (typed or {}).get(label.component.custom_id)
            if value is not None:
                label.component.default = value[: label.component.max_length]


def forget_typed(context: InteractionContext, form: Control) -> None:
    """Open a form without what was typed into it before: it is about something else now."""
    context.services.memory(_Typed).kept.pop((context.user_id, str(form)), None)


def submitted(form: Control, handler: ControlHandler) -> ControlHandler:
    """The handler of a form, which keeps the text if it is refused."""

    async def handle(context: InteractionContext, click: Click) -> Reply:
        kept = context.services.memory(_Typed).kept
        key = (context.user_id, str(form))
        try:
            reply = await handler(context, click)
        except StoreUnavailable:
            reply = Reply(context.language(REFUSALS["store_unavailable"]))
        except (UserError, GameError) as error:
            if error.code == "out_of_date":
                raise
            try:
                reply = Reply(context.language(refusal(error)))
            except KeyError:
                raise error from None
        else:
            if not context.refused:
                kept.pop(key, None)
                return reply
        kept[key] = click.fields
        return _with_edit(context, form, reply)

    return handle


def _with_edit(context: InteractionContext, form: Control, reply: Reply) -> Reply:
    """The refusal with **Edit**, unless its page opens the same form already."""
    opener = OPENERS[form.action, None]
    page = reply.page or Page(text(reply.plain))
    shown = controls_in(list(page.components))
    if any(OPENERS.get((each.action, None)) is opener for each in shown):
        return reply
    edit = button(form, context.language.say("Edit"), PRIMARY)
    return Reply(reply.plain, Page(*page.components, *rows([edit])))
