"""Challenges on a ladder: possible opponents, the answer, and the messages about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.domain.match import Venue
from bot.errors import UserError
from bot.tournaments.domain import challenges
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.formats.open_ended import DECLINES
from bot.tournaments.domain.tournament import Tournament
from bot.tournaments.posts import Message
from bot.tournaments.services.views import EventView
from bot.tournaments.ui.event_lookup import event_of, played
from bot.tournaments.ui.words import EventText, entrant_option, plainly, wait_words
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, number_in, on_button, on_menu
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import SECONDARY, SUCCESS, Button, Control, Reply, button, menu
from games.view import Text


def challenge_of(message: Message, view: EventView) -> f.Fact | None:
    """The challenge of a message, or of its end.

    Repeated, it is the open challenge.
    """
    if not isinstance(view.fact, f.Replaced | f.Undone):
        return view.fact
    return challenges.waiting(view.tournament, int(message.detail or 0), message.entrant)


def open_challenges(event: EventText, challenges: Sequence[f.Challenged]) -> Iterator[str]:
    """The challenges that wait for an answer, under a line of their own."""
    if challenges:
        yield event.say("Open challenges:")
    for each in challenges:
        yield "- " + event.say(
            "{one} challenged {two} · answer by {date}",
            one=event.who(each.challenger),
            two=event.who(each.challenged),
            date=timestamp(each.until, "f"),
        )


def answer_buttons(event: EventText, challenge: f.Challenged) -> list[Button]:
    """Accept and decline a challenge."""
    answers = (("yes", event.say("Accept"), SUCCESS), ("no", event.say("Decline"), SECONDARY))
    return [
        button(Control("tanswer", event.t.id, challenge.challenger, answer), label, style)
        for answer, label, style in answers
    ]


def is_lost(t: Tournament, challenger: int, challenged: int) -> bool:
    """Whether a challenge that was just declined counted as a lost game: they changed rungs."""
    rungs = t.by_rung
    both = challenger in rungs and challenged in rungs
    return both and rungs.index(challenger) < rungs.index(challenged)


def challenge_lines(message: Message, event: EventText) -> Iterator[str]:
    """A challenge, or its decline or cancellation."""
    who = event.who
    match challenge_of(message, event.view):
        case f.Challenged(challenger, challenged, until):
            yield event.say(
                "{player} challenges you in {event}. Without an answer by {date} it counts as"
                " declined.",
                player=who(challenger),
                date=timestamp(until, "f"),
            )
            if event.t.declines.get(challenged, 0) >= DECLINES:
                yield event.say(
                    "You've declined since your last game, so declining again counts as a lost"
                    " game."
                )
        case f.Declined(challenger, challenged, by_time):
            if by_time:
                text = Text.of("{player} didn't answer your challenge in {event}.")
            else:
                text = Text.of("{player} declined your challenge in {event}.")
            told = event(text, player=who(challenged))
            if is_lost(event.t, challenger, challenged):
                more = event.say("It was again before their next game, so you take their rung.")
                told = f"{told} {more}"
            yield told
        case f.Withdrawn(entrant) | f.Excluded(entrant):
            yield event.say(
                "{player} has left {event}, so your challenge is off.", player=who(entrant)
            )
        case _:
            text = Text.of("{event} is over, so your challenge of {player} is off.")
            yield event(text, player=who(int(message.detail)))


def challenge_ended(event: EventText) -> Text:
    """The end of a challenge, in place of the question."""
    match event.view.fact:
        case f.Drawn():
            return Text.of("you accepted the challenge by {player} in {event}.")
        case f.Declined(by_time=False):
            return Text.of("you declined the challenge by {player} in {event}.")
        case f.Declined():
            return Text.of("the challenge by {player} in {event} expired. It counts as declined.")
        case f.Replaced() | f.Undone():
            return Text.of(
                "the challenge by {player} in {event} now goes to the player who took your place."
            )
        case f.Withdrawn() | f.Excluded():
            return Text.of("the challenge by {player} in {event} is off: a player has left.")
    return Text.of("the challenge by {player} in {event} is off: the ladder is over.")


@on_button("tladder")
async def whom_to_challenge(context: InteractionContext, click: Click) -> Reply:
    """**Challenge**: a menu of the players that the user may challenge now."""
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
        return event.page(title, [none], short=none)
    plain = await plainly(context.reader, event, numbers)
    rungs = {each: event.say("Rung {rung}", rung=at) for at, each in enumerate(t.by_rung, 1)}
    options = [entrant_option(plain, each, note=rungs[each]) for each in numbers[:25]]
    prompt = event.say("Who would you like to play?")
    choose = menu(Control("tchallenge", t.id), prompt, options)
    return event.page(title, [], choose, short=prompt)


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
