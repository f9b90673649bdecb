"""Finds the handler of a click, a choice or a form.

All components and forms come in through one ``on_interaction``, with custom ids of one template
(:mod:`bot.ui.pages.components`). The library's own dispatch is left out on purpose: it ignores
controls that a message no longer has and forms opened before a restart, and it swallows exceptions.
Here an unknown control is answered as out of date, with the present board.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import discord

from bot.errors import UserError
from bot.logs import logger
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.match_lookup import out_of_date
from bot.ui.interaction.registry import (
    BUTTONS,
    FORMS,
    MENUS,
    OPENERS,
    PRIVATE,
    UPDATE,
    Click,
    Registered,
    submitted,
)
from bot.ui.pages.components import NO_MATCH, Control, Reply

_log = logger(__name__)
_NO_FIELDS: Mapping[str, str] = MappingProxyType({})


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
    """Finds the handler of every component and form."""

    def __init__(self, handler: InteractionHandler) -> None:
        self._handler = handler

    async def route(self, interaction: discord.Interaction[Any]) -> None:
        """Answer an interaction with a component or a form."""
        kind = interaction.type
        if kind is discord.InteractionType.component:
            await self._component(interaction)
        elif kind is discord.InteractionType.modal_submit:
            await self._submitted(interaction)
        else:
            _log.warning("an interaction of an unknown kind", interaction=interaction.id)
            await self._handler.handle(interaction, PRIVATE, self._old(None))

    async def _component(self, interaction: discord.Interaction[Any]) -> None:
        data: Mapping[str, Any] = interaction.data or {}
        control = Control.read(data.get("custom_id"))
        values = data.get("values")
        chosen = tuple(str(value) for value in values) if isinstance(values, list) else None
        known = form = None
        if control is not None:
            choice = None if chosen is None else " ".join(chosen)
            form = OPENERS.get((control.action, choice))
            known = (BUTTONS if chosen is None else MENUS).get(control.action)
        if control is not None and form is not None:
            await self._handler.form(interaction, lambda context: form(context, control))
            return
        if control is None or known is None:
            await self._unknown(interaction, control)
            return
        await self._do(interaction, known, _click(control, chosen))

    async def _submitted(self, interaction: discord.Interaction[Any]) -> None:
        data: Mapping[str, Any] = interaction.data or {}
        control = Control.read(data.get("custom_id"))
        known = FORMS.get(control.action) if control is not None else None
        if control is None or known is None:
            await self._unknown(interaction, control)
            return
        fields = MappingProxyType(dict(_fields(data.get("components"))))
        how, handler = known
        if interaction.message is None:
            how = PRIVATE
        act = submitted(control, handler)
        await self._do(interaction, Registered(how, act), _click(control, None, fields))

    async def _do(
        self,
        interaction: discord.Interaction[Any],
        known: Registered,
        click: Click,
    ) -> None:
        how, handler = known

        async def act(context: InteractionContext) -> Reply:
            try:
                return await handler(context, click)
            except UserError as error:
                if error.code == "out_of_date":
                    return await out_of_date(context, _match_of(click))
                raise

        message = interaction.message
        if how is UPDATE and message is not None and not message.flags.ephemeral:
            # A player's private panel is edited; a public message never is.
            how = PRIVATE
        await self._handler.handle(interaction, how, act)

    async def _unknown(
        self, interaction: discord.Interaction[Any], control: Control | None
    ) -> None:
        _log.info("an unknown control", interaction=interaction.id)
        await self._handler.handle(interaction, PRIVATE, self._old(control))

    def _old(self, control: Control | None) -> Callable[[InteractionContext], Awaitable[Reply]]:
        async def act(context: InteractionContext) -> Reply:
            match_id = _match_of(control) if control is not None else None
            return await out_of_date(context, match_id)

        return act


def _match_of(control: Control) -> str | None:
    return None if control.match == NO_MATCH else control.match


def _click(
    control: Control, values: tuple[str, ...] | None, fields: Mapping[str, str] = _NO_FIELDS
) -> Click:
    return Click(control.action, control.match, control.version, control.arg, values, fields)
