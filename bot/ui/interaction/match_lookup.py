"""Finds the match that an interaction means, or asks which one."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from enum import Enum
from functools import partial
from typing import TypeVar

import discord
from discord import app_commands

from bot.domain.game_state import waits_for
from bot.domain.ids import MatchId, is_match_id
from bot.domain.match import Match, MatchStatus
from bot.errors import UserError
from bot.i18n.refusals import REFUSALS
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.handler import Questioned
from bot.ui.interaction.registry import UPDATE, Click, on_button, resumes
from bot.ui.interaction.responses import Acknowledgement
from bot.ui.interaction.slash import LONGEST, Group, Suggester, command
from bot.ui.pages import board_page, match_list
from bot.ui.pages.components import CHOICES, NO_MATCH, Control, Option, Reply, fitting
from bot.ui.pages.refusal_text import refusal
from games.view import Text


async def present(context: InteractionContext, match_id: str, error: UserError) -> Reply:
    """A refusal together with the present board."""
    match = await find_match(context, match_id)
    return await _with_board(context, match, context.language(refusal(error, match.game)))


async def _with_board(context: InteractionContext, match: Match, lead: str) -> Reply:
    if not match.state:
        return Reply(lead)
    mine = match.index_of(context.user_id) is not None
    return await board_page.board(match, context.reader, lead=lead, buttons=mine)


async def out_of_date(context: InteractionContext, match_id: str = NO_MATCH) -> Reply:
    """Say that a control is out of date, and show the board it may have been for."""
    lead = context.language(REFUSALS["out_of_date"])
    try:
        if match_id != NO_MATCH:
            return await _with_board(context, await find_match(context, match_id), lead)
        here = await context.services.matches.running_in(context.actor, context.place.channel_id)
        return await _with_board(context, here[0], lead) if len(here) == 1 else Reply(lead)
    except UserError:
        return Reply(lead)


async def find_match(context: InteractionContext, match_id: str) -> Match:
    """A match by its id. Raises ``no_such_match`` where this player may not see it."""
    match = await context.services.matches.match(context.actor, MatchId(match_id))
    context.touched.add(match.id)
    return match


class Sought(Enum):
    """The matches that a command can mean."""

    MINE = "mine"
    """A running match of the player."""
    TO_MOVE = "to_move"
    """The same, those that wait for their move before all others."""
    SEEN = "seen"
    """Any match, running or over, that the player may look at."""
    PLAYED = "played"
    """A match of the player that is over."""


async def meant(
    context: InteractionContext, purpose: str, sought: Sought, typed: str = ""
) -> Match:
    """The match that a command means: the one named, else the one here, or ask which.

    In the thread of a match it is that match, even after its end and for people who don't play in
    it; the command itself refuses. Elsewhere the player's matches in this channel come before their
    others.

    ``purpose`` is the command, as the argument of the control that asks, with what was typed behind
    a slash; that is left out if a custom id can't hold it. ``typed`` names a match by its id, or by
    words of its suggestion.
    """
    if typed.strip():
        found = await _named(context, typed.strip(), sought)
    else:
        found = await _here(context, sought)
    if len(found) == 1:
        context.touched.add(found[0].id)
        return found[0]
    control = Control("choose", arg=purpose)
    if not control.is_writable:
        control = Control("choose", arg=purpose.partition("/")[0])
    question = context.language(REFUSALS["choose_match"])
    raise Questioned(
        await match_list.choose(found, question, control, context.user_id, context.reader)
    )


async def _named(context: InteractionContext, typed: str, sought: Sought) -> tuple[Match, ...]:
    """The matches that a text names. Raises ``no_such_match``."""
    letters = typed.lower()
    if is_match_id(letters):
        with contextlib.suppress(UserError):  # a name may look like that
            return (await find_match(context, letters),)
    found = await _known(context, sought)
    named = {each.value for each in await fitting_matches(context, found, typed, mine=True)}
    if not named:
        raise UserError("no_such_match")
    return tuple(match for match in found if match.id in named)


async def _here(context: InteractionContext, sought: Sought) -> tuple[Match, ...]:
    """The matches that a command can mean here. Raises ``no_match_here``."""
    matches, channel_id = context.services.matches, context.place.channel_id
    if isinstance(context.interaction.channel, discord.Thread):
        found = await _of_thread(context, sought)
        if found:
            return found
    if sought is Sought.PLAYED:
        over = await matches.over_of(context.actor, context.user_id, CHOICES)
        in_server = [each for each in over if each.origin.guild_id == context.place.guild_id]
        here = _mine(context, await matches.over_in(context.actor, channel_id))
        if not (here or in_server):
            raise UserError("nothing_over_here")
        return (*here, *in_server)[:1]
    if sought is Sought.SEEN:
        found = await _seen_here(context)
        if found:
            return found
    found = await context.services.around(context)
    if sought is Sought.TO_MOVE and len(found) > 1:
        found = tuple(m for m in found if waits_for(m, context.user_id)) or found
    if not found and sought is Sought.SEEN:
        found = (await matches.over_of(context.actor, context.user_id, 1))[:1]
    if not found:
        raise UserError("no_match_here")
    return found


async def match_here(context: InteractionContext) -> Match | None:
    """The match of this thread or channel, running or over; None if there is none or several."""
    in_thread = isinstance(context.interaction.channel, discord.Thread)
    found = await _of_thread(context, Sought.SEEN) if in_thread else ()
    found = found or await _seen_here(context)
    return found[0] if len(found) == 1 else None


async def _of_thread(context: InteractionContext, sought: Sought) -> tuple[Match, ...]:
    """The match of this thread: one that is running, else the last that ended.

    The other way round where a match that is over is sought.
    """
    matches, channel_id = context.services.matches, context.place.channel_id

    async def over() -> tuple[Match, ...]:
        return (await matches.over_in(context.actor, channel_id))[:1]

    async def running() -> tuple[Match, ...]:
        found = await matches.running_in(context.actor, channel_id)
        return _mine(context, found) or found

    if sought is Sought.PLAYED:
        return await over() or await running()
    return await running() or await over()


async def _seen_here(context: InteractionContext) -> tuple[Match, ...]:
    """The match to look at in this channel: a running one, else one that is over."""
    matches, channel_id = context.services.matches, context.place.channel_id
    running = await matches.running_in(context.actor, channel_id)
    mine = _mine(context, running)
    if mine or len(running) == 1:
        return mine or running
    return _mine(context, await matches.over_in(context.actor, channel_id))[:1]


def _mine(context: InteractionContext, found: Iterable[Match]) -> tuple[Match, ...]:
    return tuple(each for each in found if each.index_of(context.user_id) is not None)


async def _known(context: InteractionContext, sought: Sought) -> tuple[Match, ...]:
    """A player's matches among which a command can choose, the most pressing first."""
    found: tuple[Match, ...] = ()
    if sought is not Sought.PLAYED:
        active = await context.services.matches.matches_of(context.user_id)
        running = tuple(each for each in active if each.status is MatchStatus.RUNNING)
        found = match_list.ordered(running, context.user_id)
    if sought in (Sought.SEEN, Sought.PLAYED):
        found += await context.services.matches.over_of(context.actor, context.user_id, CHOICES)
    return found


async def fitting_matches(
    context: InteractionContext, matches: Iterable[Match], typed: str, *, mine: bool = False
) -> list[Option]:
    """The matches that fit what has been typed: by players and game, and more if ``mine``.

    Suggestions are told apart among all matches, whatever has been typed.
    """
    side = context.user_id if mine else None
    return fitting(
        [await match_list.suggestion(each, context.reader, side) for each in matches], typed
    )


async def one_named(context: InteractionContext, matches: Sequence[Match], typed: str) -> Match:
    """The one match that a text names. Raises ``no_such_match`` and ``match_unclear``."""
    named = await fitting_matches(context, matches, typed)
    if len(named) != 1:
        raise UserError("match_unclear" if named else "no_such_match")
    return next(each for each in matches if each.id == named[0].value)


MATCH_FIELD = Text.of("Which match? Opponent or game (default: the one here)")
"""The description of the field that names a match."""
MATCH_COMMANDS = Group("match", Text.of("Act in a match, or look back at one"), personal=True)
"""The command of all that is done in a match but moving."""


def suggest_among(
    known: Callable[[InteractionContext], Awaitable[Iterable[Match]]], *, mine: bool = False
) -> Suggester:
    """Suggests matches in the field that names one of those known."""

    async def suggested(context: InteractionContext, typed: str) -> list[Option]:
        return await fitting_matches(context, await known(context), typed, mine=mine)

    return suggested


def suggest_matches(sought: Sought) -> Suggester:
    """Suggests a player's matches."""
    return suggest_among(partial(_known, sought=sought), mine=True)


MatchHandler = Callable[[InteractionContext, Match], Awaitable[Reply]]
M = TypeVar("M", bound=MatchHandler)


def match_button(*actions: str, how: Acknowledgement = UPDATE) -> Callable[[M], M]:
    """Register what a button does about the match that it names."""

    def register(handler: M) -> M:
        @on_button(*actions, how=how)
        async def pressed(context: InteractionContext, click: Click) -> Reply:
            return await handler(context, await find_match(context, click.match))

        return handler

    return register


def match_command(
    name: str,
    description: Text,
    sought: Sought = Sought.MINE,
    *,
    group: Group | None = MATCH_COMMANDS,
) -> Callable[[M], M]:
    """Register a command that takes a match and nothing else; without one it asks which.

    Players can add such commands to their own account.
    """
    purpose = name.replace("-", "")

    def register(handler: M) -> M:
        @command(
            name,
            description,
            group=group,
            fields={"match": MATCH_FIELD},
            suggest={"match": suggest_matches(sought)},
            personal=True,
        )
        async def typed(
            context: InteractionContext, match: app_commands.Range[str, 0, LONGEST] = ""
        ) -> Reply:
            return await handler(context, await meant(context, purpose, sought, match))

        @resumes(purpose)
        async def chosen(context: InteractionContext, match: Match, _rest: str) -> Reply:
            return await handler(context, match)

        return handler

    return register
