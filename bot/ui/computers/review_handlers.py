"""``/review``, **Review** under a finished board, and playing on from a moment of it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field

from bot.domain.computers import computer
from bot.domain.ids import InteractionId, MatchId, UserId
from bot.domain.match import Actor, Match
from bot.domain.playthrough import Playthrough, makers, play_through
from bot.domain.reviews import Review, settled
from bot.errors import UserError
from bot.ui.computers.review_page import (
    ReviewedMatch,
    moment_page,
    moves_page,
    review_page,
    waiting_page,
)
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import Sought, find_match, match_command
from bot.ui.interaction.registry import PRIVATE, Click, number_in, on_button
from bot.ui.interaction.responses import answer
from bot.ui.interaction.results import tell_done, told_of_queue
from bot.ui.offers.offer_handlers import venue_for
from bot.ui.pages.components import Reply
from games.view import Text

_LOOK_EVERY = 2.0
_LOOKS = 400
"""So often, for 13 minutes: Discord lets an answer be changed for 15."""
_TELL_EVERY = 3
"""So many looks at least pass before a page says again how far it is,"""
_TOLD = 30
"""and it says so at most so often."""


@dataclass(slots=True)
class _Waiting:
    """The page on which a person waits for a review: the answer to that interaction."""

    pages: dict[tuple[UserId, MatchId], InteractionId] = field(default_factory=dict)


@on_button("reviewit", how=PRIVATE)
async def review(context: InteractionContext, click: Click) -> Reply:
    """**Review** under a finished board."""
    return await _review(context, await find_match(context, click.match))


@on_button("review")
async def again(context: InteractionContext, click: Click) -> Reply:
    """**Refresh**, and **Back** to the review."""
    return await _review(context, await find_match(context, click.match))


@match_command(
    "review",
    Text.of("See which moves decided a finished match"),
    Sought.PLAYED,
    group=None,
)
async def _review(context: InteractionContext, match: Match) -> Reply:
    """``/review``: a match of this person that is over."""
    found = await context.services.computers.review(context.actor, match.id)
    if not found.is_done:
        context.services.background.start(_show_when_done(context, match, found))
        return waiting_page(found, context.language)
    context.services.memory(_Waiting).pages.pop((context.user_id, match.id), None)
    return await _done_page(context, match, found)


async def _done_page(context: InteractionContext, match: Match, found: Review) -> Reply:
    shown = await _reviewed(context, match, found)
    return await review_page(shown, context.presenter, context.language)


async def _show_when_done(context: InteractionContext, match: Match, before: Review) -> None:
    """Say now and then how far the review is, and put it in the place of that page."""
    pages, key = context.services.memory(_Waiting).pages, (context.user_id, match.id)
    pages[key] = context.id
    said, quiet, told = waiting_page(before, context.language).plain, 0, 0
    try:
        for _ in range(_LOOKS):
            if (
                not await context.services.background.pause(_LOOK_EVERY)
                or pages.get(key) != context.id
            ):
                return
            with contextlib.suppress(UserError):
                found = await context.services.computers.review(context.actor, match.id)
                if found.is_done:
                    page = await _done_page(context, match, found)
                    await answer(context.interaction, page, update=True)
                    return
                quiet, page = quiet + 1, waiting_page(found, context.language)
                if page.plain != said and quiet >= _TELL_EVERY and told < _TOLD:
                    said, quiet, told = page.plain, 0, told + 1
                    await answer(context.interaction, page, update=True)
    finally:
        if pages.get(key) == context.id:
            del pages[key]


async def _reviewed(context: InteractionContext, match: Match, found: Review) -> ReviewedMatch:
    events = await context.services.matches.history(context.actor, match.id)
    played = await context.services.heavy.run(context.user_id, play_through, match, events)
    return ReviewedMatch(played, settled(found, played), makers(events), context.user_id)


async def _moment(
    context: InteractionContext, click: Click
) -> tuple[Match, Playthrough, Review, int]:
    """The match, and the ply that a button names."""
    match = await find_match(context, click.match)
    found = await context.services.computers.review(context.actor, match.id)
    ply = number_in(click.arg, most=len(found.moves) - 1)
    shown = await _reviewed(context, match, found)
    return match, shown.played, shown.review, ply


@on_button("revmoves")
async def all_moves(context: InteractionContext, click: Click) -> Reply:
    """**All moves**, and turning the page; its number is the control's version."""
    match = await find_match(context, click.match)
    found = await context.services.computers.review(context.actor, match.id)
    if not found.is_done:
        raise UserError("out_of_date")
    return moves_page(await _reviewed(context, match, found), click.version, context.language)


@on_button("moment")
async def show_moment(context: InteractionContext, click: Click) -> Reply:
    """One of the moments that decided the match."""
    _, played, found, ply = await _moment(context, click)
    return await moment_page(played, found, ply, context.presenter, context.language)


@on_button("fromhere", how=PRIVATE)
async def from_here(context: InteractionContext, click: Click) -> Reply:
    """**Play from here**: a match against the computer that begins with that position."""
    match, played, _, ply = await _moment(context, click)
    table = played.at(ply)
    level = await context.services.computers.about_as_strong(context.user_id, match.game)
    opponent = Actor(computer(level), context.place.guild_id)
    started = await context.services.matches.challenge(
        context.actor,
        context.place,
        game=match.game,
        options=match.options,
        opponents=(opponent,) * (len(match.players) - 1),
        seat=played.mover(ply),
        venue=await venue_for(context),
        start=table.game.encode(table.position),
        interaction_id=context.id,
    )
    return tell_done(context, started, more=await told_of_queue(context, started.match))
