"""That both players of a match share a language which the match does not speak."""

from __future__ import annotations

import contextlib
from functools import partial

from bot.domain.computers import is_computer
from bot.domain.match import Match, MatchStatus
from bot.domain.preferences import explained
from bot.errors import UserError
from bot.ui.interaction.context import InteractionContext
from bot.ui.pages import match_text

_KEY = "offer.language"
"""Among the explanations that a person has been shown."""


async def shared_language(context: InteractionContext, match: Match) -> str:
    """How to have a match in the language that both players use, for one who offers or accepts it.

    Empty where it speaks that language, where Parlour knows of none, and for a person who has read
    this before. Where it cannot be told now, nobody misses it.
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
    known = theirs.language or theirs.locale
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
