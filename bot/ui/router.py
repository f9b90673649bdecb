"""Finds the handler of a click, a choice or a form.

All components and forms come in through one ``on_interaction``, with custom ids of one template
(:mod:`bot.ui.pages.components`). The library's own dispatch is left out on purpose: it ignores
controls that a message no longer has and forms opened before a restart, and it swallows exceptions.
Here an unknown control is answered as out of date, with the present board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    submitted,
)
from bot.ui.pages.components import NO_MATCH, Control, Reply

_log = logger(__name__)


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
        data: Mapping[str, Any] = interaction.data or {}
        is_form = interaction.type is discord.InteractionType.modal_submit
        is_known = is_form or interaction.type is discord.InteractionType.component
        control = Control.read(data.get("custom_id")) if is_known else None
        values = data.get("values")
        chosen = tuple(map(str, values)) if isinstance(values, list) and not is_form else None
        if control is not None and not is_form:
            opener = OPENERS.get((control.action, None if chosen is None else " ".join(chosen)))
            if opener is not None:
                await self._handler.form(interaction, lambda context: opener(context, control))
                return
        table = FORMS if is_form else BUTTONS if chosen is None else MENUS
        known = None if control is None else table.get(control.action)
        if control is None or known is None:
            await self._unknown(interaction, control)
            return
        how, handler = known
        if is_form:
            handler = submitted(control, handler)
        fields = MappingProxyType(dict(_fields(data.get("components"))))
        click = Click(control.action, control.match, control.version, control.arg, chosen, fields)

        async def act(context: InteractionContext) -> Reply:
            try:
                return await handler(context, click)
            except UserError as error:
                if error.code == "out_of_date":
                    return await out_of_date(context, click.match)
                raise

        message = interaction.message
        if how is UPDATE and (message is None or not message.flags.ephemeral):
            # A player's private panel is edited; a public message never is.
            how = PRIVATE
        await self._handler.handle(interaction, how, act)

    async def _unknown(
        self, interaction: discord.Interaction[Any], control: Control | None
    ) -> None:
        _log.info("an unknown control", interaction=interaction.id)

        async def act(context: InteractionContext) -> Reply:
            return await out_of_date(context, NO_MATCH if control is None else control.match)

        await self._handler.handle(interaction, PRIVATE, act)
