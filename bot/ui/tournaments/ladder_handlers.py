"""**Challenge**: the players one may challenge on a ladder, and the answer to a challenge."""

from __future__ import annotations

from bot.domain.match import Venue
from bot.domain.tournaments import challenges
from bot.errors import UserError
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, number_in, on_button, on_menu
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Option, Page, Reply, menu, text
from bot.ui.tournaments.challenge_words import is_lost
from bot.ui.tournaments.event_lookup import event_of, played
from bot.ui.tournaments.words import entrant_marks, plainly, wait_words


@on_button("tladder")
async def whom_to_challenge(context: InteractionContext, click: Click) -> Reply:
    """**Challenge**: a menu of the players that one may challenge now."""
    event = await event_of(context, click)
    t = event.t
    mine = t.entrant_of(context.user_id)
    if mine is None or not mine.is_active:
        raise UserError("you_not_entered")
    challenges.check_open(t)
    numbers = challenges.may_challenge(t, context.services.clock.now(), mine.number)
    title = event.say("Challenge")
    if not numbers:
        none = event.say("All players in your reach are playing. Try again later.")
        if mine.number in challenges.busy(t):
            none = event.say("You already have a game or a challenge here. Finish it first.")
        elif t.by_rung[0] == mine.number:
            none = event.say("You're at the top. Wait for a challenge.")
        return Reply(none, Page(text(f"{event.heading(title)}\n{none}")))
    plain = await plainly(context.presenter, event, numbers)
    options = [
        Option(
            str(each),
            plain.who(each),
            event.say("Rung {rung}", rung=t.by_rung.index(each) + 1),
            marks=entrant_marks(t, each),
        )
        for each in numbers[:25]
    ]
    prompt = event.say("Who would you like to play?")
    choose = menu(Control("tchallenge", t.id), prompt, options)
    return Reply(prompt, Page(text(event.heading(title)), choose))


@on_menu("tchallenge")
async def challenge(context: InteractionContext, click: Click) -> Reply:
    """The challenge itself."""
    challenged = number_in(click.value)
    event = await played(context, click, challenges.challenge, challenged)
    said = [event.say("You challenged {player}.", player=event.who(challenged))]
    said += [
        event.say("They can answer until {date}.", date=timestamp(each.until, "f"))
        for each in event.t.challenges
        if each.challenged == challenged
    ]
    return Reply(" ".join(said))


@on_button("tanswer")
async def answer(context: InteractionContext, click: Click) -> Reply:
    """**Accept** or **Decline** under a challenge; the version of the control is the challenger."""
    if click.arg == "yes":
        event = await played(context, click, challenges.accept, click.version)
        if event.view.wait is not None:
            said = event.say("You accepted.")
            return Reply(f"{said} {wait_words(event)}")
        said = event.say("You accepted. Your board is on the way.")
        if event.setup.venue is not Venue.DIRECT:
            there = f"<#{event.view.home.channel_id}>"
            said += " " + event.say("It's in {channel}; /matches links to it.", channel=there)
        return Reply(said)
    event = await played(context, click, challenges.decline, click.version)
    said = event.say("You declined.")
    mine = event.t.entrant_of(context.user_id)
    if mine is not None and is_lost(event.t, click.version, mine.number):
        more = event.say("It was again before your next game, so it counts as a loss.")
    else:
        more = event.say("Declining again before your next game counts as a loss.")
    return Reply(f"{said} {more}")
