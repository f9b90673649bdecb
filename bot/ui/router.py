"""From a click, a choice or a form to the act it stands for.

All components and forms come in through one ``on_interaction`` and one template
(:mod:`bot.ui.pages.custom_ids`). The library's own dispatch is left out on purpose: it ignores
controls that a message no longer has and forms opened before a restart, and it swallows exceptions
on the way. Here nothing ends in silence: what is not known is answered as out of date, with the
present board.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.errors import UserError
from bot.i18n import Language
from bot.i18n.sentences import REFUSALS
from bot.logs import logger
from bot.ui.acts import Acts
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.responses import Acknowledgement, Reply
from bot.ui.pages.custom_ids import NO_MATCH, Control

_log = logger(__name__)
_PRIVATE = Acknowledgement.PRIVATE
_UPDATE = Acknowledgement.UPDATE
_FIELD = "move"


@dataclass(frozen=True, slots=True)
class _Click:
    """A control with what came along: chosen values, the text of a form."""

    control: Control
    values: tuple[str, ...]
    text: str

    @property
    def value(self) -> str:
        """The one value of a menu; menus of ours let choose exactly one."""
        if len(self.values) != 1:
            raise UserError("out_of_date")
        return self.values[0]


_Handler = Callable[[Acts, InteractionContext, _Click], Awaitable[Reply]]

_BUTTONS: Mapping[str, tuple[Acknowledgement, _Handler]] = {
    "accept": (_PRIVATE, lambda acts, context, click: acts.accept(context, click.control)),
    "decline": (_PRIVATE, lambda acts, context, click: acts.decline(context, click.control)),
    "withdraw": (_PRIVATE, lambda acts, context, click: acts.withdraw(context, click.control)),
    "move": (_PRIVATE, lambda acts, context, click: acts.panel(context, click.control)),
    "next": (_UPDATE, lambda acts, context, click: acts.next_game(context, click.control)),
    "way": (_UPDATE, lambda acts, context, click: acts.way(context, click.control)),
    "play": (_UPDATE, lambda acts, context, click: acts.play_picked(context, click.control)),
    "text": (_PRIVATE, lambda acts, context, click: acts.text_board(context, click.control)),
    "export": (_PRIVATE, lambda acts, context, click: acts.export(context, click.control)),
    "history": (_PRIVATE, lambda acts, context, click: acts.history(context, click.control)),
    "past": (_UPDATE, lambda acts, context, click: acts.turn_to(context, click.control)),
    "replay": (_PRIVATE, lambda acts, context, click: acts.replay(context, click.control)),
    "share": (_UPDATE, lambda acts, context, click: acts.share(context, click.control)),
    "rules": (_PRIVATE, lambda acts, context, click: acts.rules(context, click.control.arg)),
    "page": (_UPDATE, lambda acts, context, click: _page(acts, context, click.control)),
    "plan": (_UPDATE, lambda acts, context, click: acts.plan_again(context, click.control)),
    "planpick": (_UPDATE, lambda acts, context, click: acts.plan_pick(context, click.control)),
    "plankeep": (_UPDATE, lambda acts, context, click: acts.plan_keep(context, click.control)),
    "planclear": (_UPDATE, lambda acts, context, click: acts.plan_drop(context, click.control)),
    **dict.fromkeys(
        ("draw", "takeback", "pause"),
        (_PRIVATE, lambda acts, context, click: acts.ask(context, click.control)),
    ),
    **dict.fromkeys(
        ("agree", "refuse", "drawyes", "drawno"),
        (_PRIVATE, lambda acts, context, click: acts.answer(context, click.control)),
    ),
    "retract": (_UPDATE, lambda acts, context, click: acts.retract(context, click.control)),
    "resume": (_PRIVATE, lambda acts, context, click: acts.resume(context, click.control)),
    "rematch": (_PRIVATE, lambda acts, context, click: acts.rematch(context, click.control)),
    "resign": (_PRIVATE, lambda acts, context, click: acts.sure(context, click.control)),
    "resignyes": (_UPDATE, lambda acts, context, click: acts.resign(context, click.control)),
    "abort": (_PRIVATE, lambda acts, context, click: acts.sure(context, click.control)),
    "setup": (_PRIVATE, lambda acts, context, click: acts.set_up_for(context, click.control.arg)),
    "learn": (_UPDATE, lambda acts, context, click: acts.learn_on(context, click.control)),
    "best": (_UPDATE, lambda acts, context, click: acts.leaderboard_of(context, click.control)),
    "learnhint": (_UPDATE, lambda acts, context, click: acts.learn_hint(context, click.control)),
    "learnshow": (_UPDATE, lambda acts, context, click: acts.learn_answer(context, click.control)),
    "seat": (_UPDATE, lambda acts, context, click: acts.take_seat(context, click.control)),
    "unseat": (_UPDATE, lambda acts, context, click: acts.leave_seat(context, click.control)),
    "lobby": (_UPDATE, lambda acts, context, click: acts.lobby_at(context, click.control)),
    "soffer": (_UPDATE, lambda acts, context, _click: acts.offer_set_up(context)),
    "vacend": (_UPDATE, lambda acts, context, _click: acts.end_vacation(context)),
    "forget": (_UPDATE, lambda acts, context, _click: acts.erase_now(context)),
    "abortyes": (_UPDATE, lambda acts, context, click: acts.abort(context, click.control)),
}
_MENUS: Mapping[str, tuple[Acknowledgement, _Handler]] = {
    "pick": (_UPDATE, lambda acts, context, click: acts.pick(context, click.control, click.value)),
    **dict.fromkeys(
        (
            "sgame",
            "spreset",
            "sopt",
            "sside",
            "srated",
            "sclock",
            "svacation",
            "sguest",
            "sband",
            "slasts",
        ),
        (
            _UPDATE,
            lambda acts, context, click: acts.choose_set_up(context, click.control, click.values),
        ),
    ),
    "pref": (
        _UPDATE,
        lambda acts, context, click: acts.choose_preference(context, click.control, click.values),
    ),
    "serv": (
        _UPDATE,
        lambda acts, context, click: acts.choose_for_server(context, click.control, click.values),
    ),
    "vacdays": (
        _UPDATE,
        lambda acts, context, click: acts.choose_vacation(context, click.value),
    ),
    "leaf": (
        _UPDATE,
        lambda acts, context, click: acts.turn_to(context, click.control, click.value),
    ),
    "planpick": (
        _UPDATE,
        lambda acts, context, click: acts.plan_pick(context, click.control, click.value),
    ),
    "plandrop": (
        _UPDATE,
        lambda acts, context, click: acts.plan_drop(context, click.control, click.value),
    ),
    "profile": (
        _UPDATE,
        lambda acts, context, click: acts.profile_of(context, click.control, click.value),
    ),
    "leaders": (
        _UPDATE,
        lambda acts, context, click: acts.leaderboard_of(context, click.control, click.value),
    ),
    "learnpick": (
        _UPDATE,
        lambda acts, context, click: acts.learn_pick(context, click.control, click.value),
    ),
    "learnto": (
        _UPDATE,
        lambda acts, context, click: acts.learn_on(context, click.control, click.value),
    ),
    "guide": (_PRIVATE, lambda acts, context, click: acts.rules(context, click.value)),
    "show": (_PRIVATE, lambda acts, context, click: acts.show(context, click.value)),
    "choose": (
        _UPDATE,
        lambda acts, context, click: acts.chosen(context, click.control, click.value),
    ),
}
_FORMS: Mapping[str, tuple[Acknowledgement, _Handler]] = {
    "typed": (
        _UPDATE,
        lambda acts, context, click: acts.typed_in_form(context, click.control, click.text),
    ),
    "bandtyped": (_UPDATE, lambda acts, context, click: acts.typed_band(context, click.text)),
    "zoned": (_UPDATE, lambda acts, context, click: acts.zoned(context, click.text)),
    "numbered": (
        _UPDATE,
        lambda acts, context, click: acts.turn_to_number(context, click.control, click.text),
    ),
    "plantyped": (
        _UPDATE,
        lambda acts, context, click: acts.plan_typed(context, click.control, click.text),
    ),
    "learntyped": (
        _UPDATE,
        lambda acts, context, click: acts.learn_typed(context, click.control, click.text),
    ),
}


async def _page(acts: Acts, context: InteractionContext, control: Control) -> Reply:
    key, _, rest = control.arg.partition("/")
    number = rest.partition(".")[0]
    if not (number.isascii() and number.isdigit() and len(number) < 4):
        raise UserError("out_of_date")
    return await acts.rules(context, key, int(number))


def _fields(components: object, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Ids and values of the text fields of a submitted form, however they are nested."""
    if depth > 4 or not isinstance(components, list):
        return
    for component in components[:10]:
        if not isinstance(component, Mapping):
            continue
        name, value = component.get("custom_id"), component.get("value")
        if isinstance(name, str) and isinstance(value, str):
            yield name, value
        yield from _fields(component.get("components"), depth + 1)
        yield from _fields([component.get("component")], depth + 1)


class Router:
    """Finds for every component and form what it stands for."""

    def __init__(self, handler: InteractionHandler, acts: Acts) -> None:
        self._handler = handler
        self._acts = acts

    async def route(self, interaction: discord.Interaction[Any]) -> None:
        """Answer an interaction with a component or a form."""
        kind = interaction.type
        if kind is discord.InteractionType.component:
            await self._component(interaction)
        elif kind is discord.InteractionType.modal_submit:
            await self._submitted(interaction)
        else:
            _log.warning("an interaction of an unknown kind", interaction=interaction.id)
            await self._handler.tell(interaction, REFUSALS["out_of_date"])

    async def _component(self, interaction: discord.Interaction[Any]) -> None:
        data: Mapping[str, Any] = interaction.data or {}
        control = Control.read(data.get("custom_id"))
        values = data.get("values")
        chosen = tuple(str(value) for value in values) if isinstance(values, list) else None
        form = None if control is None or chosen is not None else _OPENING.get(control.action)
        if control is not None and form is not None:
            await self._handler.form(interaction, lambda context: form(control, context.language))
            return
        known = None
        if control is not None:
            known = (_BUTTONS if chosen is None else _MENUS).get(control.action)
        if control is None or known is None:
            await self._unknown(interaction, control)
            return
        await self._do(interaction, known, _Click(control, chosen or (), ""))

    async def _submitted(self, interaction: discord.Interaction[Any]) -> None:
        data: Mapping[str, Any] = interaction.data or {}
        control = Control.read(data.get("custom_id"))
        known = _FORMS.get(control.action) if control is not None else None
        if control is None or known is None:
            await self._unknown(interaction, control)
            return
        text = dict(_fields(data.get("components"))).get(_FIELD, "")
        how, handler = known
        if interaction.message is None:
            how = _PRIVATE
        await self._do(interaction, (how, handler), _Click(control, (), text))

    async def _do(
        self,
        interaction: discord.Interaction[Any],
        known: tuple[Acknowledgement, _Handler],
        click: _Click,
    ) -> None:
        how, handler = known

        async def act(context: InteractionContext) -> Reply:
            try:
                return await handler(self._acts, context, click)
            except UserError as error:
                if error.code == "out_of_date":
                    return await self._acts.out_of_date(context, _match_of(click.control))
                raise

        message = interaction.message
        if how is _UPDATE and message is not None and not message.flags.ephemeral:
            # Somebody's private panel is edited; a public message never is.
            how = _PRIVATE
        await self._handler.handle(interaction, how, act)

    async def _unknown(
        self, interaction: discord.Interaction[Any], control: Control | None
    ) -> None:
        _log.info("an unknown control", interaction=interaction.id)
        await self._handler.handle(interaction, _PRIVATE, self._old(control))

    def _old(self, control: Control | None) -> Callable[[InteractionContext], Awaitable[Reply]]:
        async def act(context: InteractionContext) -> Reply:
            match_id = _match_of(control) if control is not None else None
            return await self._acts.out_of_date(context, match_id)

        return act


def _match_of(control: Control) -> str | None:
    return None if control.match == NO_MATCH else control.match


def _form(control: Control, language: Language) -> discord.ui.Modal:
    """The form to type a move into, in a match or in a lesson."""
    typed = "learntyped" if control.action == "learntype" else "typed"
    return _one_field(
        replace(control, action=typed),
        language.say("Type a move"),
        language.say("Your move"),
        longest=100,
    )


def _number_form(control: Control, language: Language) -> discord.ui.Modal:
    """The form to type the number of a move into."""
    return _one_field(
        Control("numbered", control.match, control.version, control.arg[:20]),
        language.say("Go to move"),
        language.say("Move number, 0 for the start"),
        longest=6,
    )


def _zone_form(control: Control, language: Language) -> discord.ui.Modal:  # noqa: ARG001
    """The form to name one's time zone."""
    return _one_field(
        Control("zoned"),
        language.say("Your time zone"),
        language.say("A city, like Berlin or New York, or UTC+2"),
        longest=64,
    )


def _band_form(control: Control, language: Language) -> discord.ui.Modal:  # noqa: ARG001
    """The form to say whose rating an offer is for."""
    return _one_field(
        Control("bandtyped"),
        language.say("Type a rating range"),
        language.say("For example 1400-1700, 1600+ or ±150"),
        longest=60,
    )


def _plan_form(control: Control, language: Language) -> discord.ui.Modal:
    """The form to type lines of a plan into."""
    return _one_field(
        Control("plantyped", control.match, control.version),
        language.say("Type a line"),
        language.say("Their move, your answer, and so on"),
        longest=1000,
        hint=language.say("* stands for any move of theirs. One line per row."),
    )


def _one_field(
    control: Control, title: str, label: str, *, longest: int, hint: str | None = None
) -> discord.ui.Modal:
    """A form with one field; one with a ``hint`` has several rows."""
    modal = discord.ui.Modal(title=title, timeout=None, custom_id=str(control))
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=_FIELD,
        required=True,
        max_length=longest,
        style=discord.TextStyle.short if hint is None else discord.TextStyle.paragraph,
    )
    modal.add_item(discord.ui.Label(text=label, description=hint, component=field))
    return modal


_OPENING: Mapping[str, Callable[[Control, Language], discord.ui.Modal]] = {
    "type": _form,
    "learntype": _form,
    "number": _number_form,
    "plantype": _plan_form,
    "zone": _zone_form,
    "bandtype": _band_form,
}
"""Buttons that open a form, and which."""
