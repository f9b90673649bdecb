"""``/review``, **Review** under a finished board, and playing on from a moment of it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field

from bot.domain.computers import computer
from bot.domain.ids import InteractionId, MatchId, UserId
from bot.domain.match import Actor, Match
from bot.domain.playthrough import Playthrough, play_through
from bot.domain.reviews import Review, settled
from bot.errors import UserError
from bot.ui.computers.review_page import moment_page, review_page, waiting_page
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
        context.services.background.start(_show_when_done(context, match))
        return waiting_page(found, context.language)
    context.services.memory(_Waiting).pages.pop((context.user_id, match.id), None)
    return await _done_page(context, match, found)


async def _done_page(context: InteractionContext, match: Match, found: Review) -> Reply:
    played = await _played(context, match)
    found = settled(found, played)
    return await review_page(played, found, context.user_id, context.presenter, context.language)


async def _show_when_done(context: InteractionContext, match: Match) -> None:
    """Put the review in the place of the page that a person waits on."""
    pages, key = context.services.memory(_Waiting).pages, (context.user_id, match.id)
    pages[key] = context.id
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
    finally:
        if pages.get(key) == context.id:
            del pages[key]


async def _played(context: InteractionContext, match: Match) -> Playthrough:
    events = await context.services.matches.history(context.actor, match.id)
    return await context.services.heavy.run(context.user_id, play_through, match, events)


async def _moment(
    context: InteractionContext, click: Click
) -> tuple[Match, Playthrough, Review, int]:
    """The match, and the ply that a button names."""
    match = await find_match(context, click.match)
    found = await context.services.computers.review(context.actor, match.id)
    ply = number_in(click.arg, most=len(found.moves) - 1)
    played = await _played(context, match)
    return match, played, settled(found, played), ply


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
