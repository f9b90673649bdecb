"""**Challenge**: the players one may challenge on a ladder, and the answer to a challenge."""

from __future__ import annotations

from bot.domain.ids import TournamentId
from bot.domain.match import Venue
from bot.domain.tournaments import challenges
from bot.errors import UserError
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, number_in, on_button, on_menu
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Option, Page, Reply, menu, text
from bot.ui.tournaments.challenge_words import is_lost
from bot.ui.tournaments.event_lookup import event_of, plain_names, visitor_of
from bot.ui.tournaments.page_parts import title_of
from bot.ui.tournaments.words import entrant_marks, mentions_of, wait_words


@on_button("tladder")
async def whom_to_challenge(context: InteractionContext, click: Click) -> Reply:
    """**Challenge**: a menu of the players that one may challenge now."""
    view = await event_of(context, click)
    t, language = view.tournament, context.language
    mine = t.entrant_of(context.user_id)
    if mine is None or not mine.is_active:
        raise UserError("you_not_entered")
    challenges.check_open(t)
    numbers = context.services.tournaments.may_challenge(view, context.user_id)
    title = language.say("Challenge")
    if not numbers:
        none = language.say("All players in your reach are playing. Try again later.")
        if mine.number in challenges.busy(t):
            none = language.say("You already have a game or a challenge here. Finish it first.")
        elif t.by_rung[0] == mine.number:
            none = language.say("You're at the top. Wait for a challenge.")
        return Reply(none, Page(text(f"{title_of(view, title)}\n{none}")))
    names = await plain_names(context, t, numbers)
    options = [
        Option(
            str(each),
            names[each],
            language.say("Rung {rung}", rung=t.by_rung.index(each) + 1),
            marks=entrant_marks(t, each),
        )
        for each in numbers[:25]
    ]
    prompt = language.say("Who would you like to play?")
    choose = menu(Control("tchallenge", t.id), prompt, options)
    return Reply(prompt, Page(text(title_of(view, title)), choose))


@on_menu("tchallenge")
async def challenge(context: InteractionContext, click: Click) -> Reply:
    """The challenge itself."""
    challenged = number_in(click.value)
    view = await context.services.tournaments.challenge(
        visitor_of(context),
        TournamentId(click.match),
        challenged,
        interaction_id=context.id,
    )
    t, language = view.tournament, context.language
    said = [language.say("You challenged {player}.", player=mentions_of(t, language)(challenged))]
    said += [
        language.say("They can answer until {date}.", date=timestamp(each.until, "f"))
        for each in t.challenges
        if each.challenged == challenged
    ]
    return Reply(" ".join(said))


@on_button("tanswer")
async def answer(context: InteractionContext, click: Click) -> Reply:
    """**Accept** or **Decline** under a challenge; the version of the control is the challenger."""
    accept = click.arg == "yes"
    view = await context.services.tournaments.answer_challenge(
        visitor_of(context),
        TournamentId(click.match),
        click.version,
        accept=accept,
        interaction_id=context.id,
    )
    if accept:
        if view.wait is None:
            said = context.language.say("You accepted. Your board is on the way.")
            if view.tournament.setup.venue is not Venue.DIRECT:
                there = f"<#{view.home.channel_id}>"
                found = context.language.say(
                    "It's in {channel}; /matches links to it.", channel=there
                )
                said = f"{said} {found}"
            return Reply(said)
        said = context.language.say("You accepted.")
        return Reply(f"{said} {wait_words(view, context.language)}")
    said = context.language.say("You declined.")
    mine = view.tournament.entrant_of(context.user_id)
    if mine is not None and is_lost(view.tournament, click.version, mine.number):
        more = context.language.say("It was again before your next game, so it counts as a loss.")
    else:
        more = context.language.say("Declining again before your next game counts as a loss.")
    return Reply(f"{said} {more}")
