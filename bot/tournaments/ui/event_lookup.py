"""The requesting person, and the tournament of a control or a command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bot.domain.ids import TournamentId
from bot.errors import UserError
from bot.i18n import Language
from bot.tournaments.services.service import PlayerRule, TournamentService
from bot.tournaments.services.views import EventView, Visitor
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.store.records import Summary
from bot.tournaments.ui import words
from bot.tournaments.ui.words import STATUS_WORDS, EventText, event_marks, event_name
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.handler import Questioned
from bot.ui.interaction.permissions import is_manager
from bot.ui.pages import match_text
from bot.ui.pages.components import NO_MATCH, Control, Option, Page, Reply, distinct, menu, text
from bot.ui.private_parts import role_ids

_SLOW = frozenset({"tweb"})
"""Slow answers, for which Discord shows a message in progress."""


def visitor_of(context: InteractionContext) -> Visitor:
    """The requesting person, with the roles and rights of the interaction."""
    roles = frozenset(role_ids(context.interaction.user))
    return Visitor(context.actor, roles, is_manager(context.interaction))


def told(context: InteractionContext, view: EventView) -> EventText:
    """A tournament for the requesting person."""
    return EventText(view, context.language)


async def event_of(context: InteractionContext, control: Control) -> EventText:
    """The tournament of a control."""
    if control.match == NO_MATCH:
        raise UserError("out_of_date")
    return await _event(context, TournamentId(control.match))


async def _event(context: InteractionContext, id_: TournamentId) -> EventText:
    return told(
        context, await context.services.of(TournamentService).tournament(visitor_of(context), id_)
    )


async def played(
    context: InteractionContext, control: Control, rule: PlayerRule, *about: Any
) -> EventText:
    """The tournament of a control after a player's act, by its rule."""
    view = await context.services.of(TournamentService).play(
        visitor_of(context), TournamentId(control.match), rule, *about, interaction_id=context.id
    )
    return told(context, view)


async def find_event(
    context: InteractionContext,
    wanted: str | None,
    purpose: str,
    *,
    mine: bool = False,
    also_over: bool = False,
) -> EventText:
    """The tournament of a command, or a question which one.

    ``wanted`` is the value of its field. Without it, it is the one of this channel, else a running
    one of the person (``mine``) or of the server; with ``also_over`` finished ones count as well.
    ``purpose`` is the action that continues with the chosen one.
    """
    if wanted:
        found = await _named(context, wanted)
    else:
        found = await _usual(context, mine=mine, also_over=also_over)
    if not found and not wanted:
        raise UserError("no_tournament" if context.place.guild_id else "no_own_tournament")
    if not found:
        raise UserError("no_such_tournament")
    if len(found) > 1:
        raise Questioned(which_page(found, purpose, context.language))
    return await _event(context, found[0].id)


async def _named(context: InteractionContext, wanted: str) -> tuple[Summary, ...]:
    """Tournaments by id, by a suggestion's text, or by a part of the name."""
    offered = await candidates(context, "")
    told = {each.value: each.label for each in suggestions(offered, context.language)}
    exact = tuple(each for each in offered if wanted in (each.id, told[each.id]))
    return exact or await candidates(context, wanted[:80])


def suggestions(found: Iterable[Summary], language: Language) -> list[Option]:
    """Tournaments to choose from, with distinct labels."""
    return distinct(
        Option(
            each.id,
            f"{event_name(each, language)} · {language(STATUS_WORDS[each.status])}",
            marks=event_marks(each),
        )
        for each in found
    )


async def candidates(context: InteractionContext, text: str) -> tuple[Summary, ...]:
    """Tournaments of this server that fit a text; in direct messages the person's own."""
    read, guild_id = context.services.store.read, context.place.guild_id
    if guild_id is not None:
        return await read(tournament_reading.of_server, guild_id, text)
    plain = text.casefold()
    own = await read(tournament_reading.of_person, context.user_id)
    return tuple(each for each in own if plain in each.name.casefold())


async def _usual(
    context: InteractionContext, *, mine: bool, also_over: bool
) -> tuple[Summary, ...]:
    read, guild_id = context.services.store.read, context.place.guild_id
    if guild_id is not None:
        found = await read(tournament_reading.in_channel, context.place.channel_id)
        here = tuple(each for each in found if each.home.guild_id == guild_id)
        if also_over and here:
            return here
        alive = _alive(here)
        if len(alive) == 1 or (not alive and len(here) == 1):
            return alive or here
    own: tuple[Summary, ...] = ()
    if mine or guild_id is None:
        own = await read(tournament_reading.of_person, context.user_id)
    if guild_id is None or _alive(own):
        return _alive(own) or own
    found = await read(tournament_reading.of_server, guild_id)
    return found if also_over else _alive(found) or found


def _alive(found: Sequence[Summary]) -> tuple[Summary, ...]:
    return tuple(each for each in found if not each.status.is_final)


def which_page(found: Sequence[Summary], purpose: str, language: Language) -> Reply:
    """Ask for one of several tournaments."""
    said = language.say("Which tournament?")
    options = [
        Option(
            each.id,
            event_name(each, language),
            f"{match_text.named_game(each.game)} · {language(words.STATUS_WORDS[each.status])}",
            marks=words.event_marks(each),
        )
        for each in found[:25]
    ]
    # The answer that is awaited stands below the question; others take its place.
    action = "tawait" if purpose in _SLOW else "twhich"
    return Reply(said, Page(text(said), menu(Control(action, arg=purpose), said, options)))
