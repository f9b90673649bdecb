"""Keeps what a player typed into a form that was refused, for when it opens again.

Discord shows no form in answer to a form, so a refusal has a button, **Edit**, with the custom id
of the form. The text is kept in memory for a quarter of an hour, for that player alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import discord
from cachetools import TTLCache

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.i18n.refusals import REFUSALS
from bot.i18n.sentences import refusal
from bot.store.errors import StoreUnavailable
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import OPENERS, Click, ControlHandler
from bot.ui.pages.components import PRIMARY, Control, Page, Reply, button, controls_in, rows, text
from games.errors import GameError

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
