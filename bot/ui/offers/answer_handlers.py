"""Answering an offer: accepting, declining, withdrawing."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from functools import partial

from bot.domain import offer_answers
from bot.domain.computers import is_computer
from bot.domain.ids import MatchId
from bot.domain.match import Match, MatchStatus
from bot.domain.offer_answers import DeclineReason
from bot.domain.preferences import explained
from bot.errors import UserError
from bot.i18n.sentences import STATUSES
from bot.services.match_changes import Decision
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import check_player
from bot.ui.interaction.registry import PRIVATE, Click, on_button
from bot.ui.interaction.results import done, tell_done
from bot.ui.pages import match_text
from bot.ui.pages.board_page import confirmation
from bot.ui.pages.components import Control, Page, Reply, button, rows, text
from bot.ui.pages.refusal_text import refusal

_SEATED = frozenset({"own_offer", "already_seated"})


@on_button("accept", how=PRIVATE)
async def accept(context: InteractionContext, click: Click) -> Reply:
    """**Accept**: take a seat."""
    chosen = await context.services.preferences.server(context.place.guild_id)
    check_player(context.interaction, chosen)
    match_id = MatchId(click.match)
    try:
        answer = await context.services.matches.accept(
            context.actor, match_id, interaction_id=context.id
        )
    except UserError as error:
        return _refused(context, click, error)
    return tell_done(context, answer, more=await shared_language(context, answer.match))


@on_button("decline", how=PRIVATE)
async def decline(context: InteractionContext, click: Click) -> Reply:
    """**Decline**: ask what to tell the maker of the offer."""
    language = context.language
    try:
        match = await context.services.matches.check_declinable(context.actor, MatchId(click.match))
    except UserError as error:
        return _refused(context, click, error)
    host = match_text.mention(match.players[match.offered_by], language)
    said = language.say("Decline the offer? {player} hears what you choose.", player=host)
    plain = Control("declined", match.id)
    reasons = (
        button(replace(plain, arg="not_now"), language.say("Not now")),
        button(replace(plain, arg="something_else"), language.say("Something else")),
    )
    return confirmation(said, plain, language.say("Decline"), language, *reasons)


@on_button("declined")
async def decline_so(context: InteractionContext, click: Click) -> Reply:
    """Decline an offer with the reason chosen."""
    reasons = {each.value: each for each in DeclineReason}
    return await _settle(
        context, click, partial(offer_answers.decline, reason=reasons.get(click.arg))
    )


@on_button("withdraw", how=PRIVATE)
async def withdraw(context: InteractionContext, click: Click) -> Reply:
    """**Withdraw** one's offer, or leave another's."""
    return await _settle(context, click, offer_answers.withdraw)


async def _settle(context: InteractionContext, click: Click, decide: Decision) -> Reply:
    try:
        return await done(context, click.match, decide)
    except UserError as error:
        return _refused(context, click, error)


def _refused(context: InteractionContext, control: Control, error: UserError) -> Reply:
    """Why an offer can't be answered; a player who has a seat in it can leave it."""
    if error.code not in _SEATED or control.action == "withdraw":
        raise _offer_closed(error, context) from None
    said = context.language(refusal(error))
    leave = button(Control("withdraw", MatchId(control.match)), context.language.say("Withdraw"))
    return Reply(said, Page(text(said), *rows([leave])))


def _offer_closed(error: UserError, context: InteractionContext) -> UserError:
    """The refusal with the offer's status in words."""
    if error.code != "offer_closed":
        return error
    status = MatchStatus(error.params["status"])
    return UserError("offer_closed", status=context.language(STATUSES[status]))


_KEY = "offer.language"
"""The name of this explanation in a player's settings."""


async def shared_language(context: InteractionContext, match: Match) -> str:
    """Explains to a player who offers or accepts how to have the language that both players use.

    Empty where it is in that language, where Parlour knows of none, and for a player who has read
    this before.
    """
    with contextlib.suppress(UserError):
        return await _shared_language(context, match)
    return ""


async def _shared_language(context: InteractionContext, match: Match) -> str:
    services, language = context.services, context.language
    others = {*match.players, *match.invited} - {None, context.user_id}
    if context.place.guild_id is None or len(match.players) > 2 or not others:
        return ""
    other = others.pop()
    if other is None or is_computer(other):
        return ""
    preferences = services.preferences
    theirs = await preferences.of(other)
    known = theirs.language or services.locales.get(other) or theirs.locale
    if known is None or services.languages.of(known) is not language:
        return ""
    if (await services.for_everyone(context, match)).language is language:
        return ""
    if _KEY in (await preferences.of(context.user_id)).explained:
        return ""
    await preferences.change(context.user_id, partial(explained, _KEY))
    said = language.say(
        "You and {player} use the same language, but this match is in another one.",
        player=match_text.mention(other, language),
    )
    if match.status is MatchStatus.OFFERED:
        how = language.say(
            "To change that, withdraw the offer and choose the language under **More options** of"
            " **/play**."
        )
    else:
        how = language.say(
            "You can choose the language of your next match under **More options** of **/play**."
        )
    return f"{said} {how}"
