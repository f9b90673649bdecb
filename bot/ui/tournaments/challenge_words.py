"""What is said of challenges on a ladder: that there is one, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.tournaments import facts as f
from bot.domain.tournaments.ladder import DECLINES
from bot.domain.tournaments.tournament import Challenge, Tournament
from bot.services.tournaments.messages import Message
from bot.services.tournaments.views import EventView
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import SECONDARY, SUCCESS, Button, Control, button
from bot.ui.tournaments.words import EventText
from games.view import Text


def challenge_of(message: Message, view: EventView) -> f.Fact | None:
    """The challenge that a message tells of, or its end.

    Said anew, it is told as it waits.
    """
    if not isinstance(view.fact, f.Replaced | f.Revived):
        return view.fact
    for each in view.tournament.challenges:
        if (str(each.challenger), each.challenged) == (message.detail, message.entrant):
            return f.Challenged(each.challenger, each.challenged, each.until)
    return None


def open_challenges(event: EventText, challenges: Sequence[Challenge]) -> list[str]:
    """The challenges that wait for an answer, under a line of their own."""
    if not challenges:
        return []
    return [
        event.say("Open challenges:"),
        *(
            "- "
            + event.say(
                "{one} challenged {two} · answer by {date}",
                one=event.who(each.challenger),
                two=event.who(each.challenged),
                date=timestamp(each.until, "f"),
            )
            for each in challenges
        ),
    ]


def answer_buttons(event: EventText, challenge: Challenge | f.Challenged) -> list[Button]:
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


def challenge_texts(message: Message, event: EventText) -> list[str]:
    """A challenge, or that it was declined or is off."""
    fact, who = challenge_of(message, event.view), event.who
    match fact:
        case f.Challenged(challenger, challenged, until):
            said = event.say(
                "{player} challenges you in {event}. Without an answer by {date} it counts as"
                " declined.",
                player=who(challenger),
                date=timestamp(until, "f"),
            )
            if event.t.declines.get(challenged, 0) < DECLINES:
                return [said]
            more = event.say(
                "You've declined since your last game, so declining again counts as a lost game."
            )
            return [said, more]
        case f.Declined(challenger, challenged, by_time):
            if by_time:
                text = Text.of("{player} didn't answer your challenge in {event}.")
            else:
                text = Text.of("{player} declined your challenge in {event}.")
            told = event(text, player=who(challenged))
            if is_lost(event.t, challenger, challenged):
                told += " " + event.say(
                    "It was again before their next game, so you take their rung."
                )
            return [told]
        case f.Withdrawn(entrant) | f.Excluded(entrant):
            return [
                event.say(
                    "{player} has left {event}, so your challenge is off.", player=who(entrant)
                )
            ]
    text = Text.of("{event} is over, so your challenge of {player} is off.")
    return [event(text, player=who(int(message.detail)))]


def challenge_ended(message: Message, event: EventText) -> list[str]:
    """What became of a challenge, in the place of the words that asked for an answer."""
    match event.view.fact:
        case f.Drawn():
            said = Text.of("you accepted the challenge by {player} in {event}.")
        case f.Declined(by_time=False):
            said = Text.of("you declined the challenge by {player} in {event}.")
        case f.Declined():
            said = Text.of("the challenge by {player} in {event} expired. It counts as declined.")
        case f.Replaced():
            said = Text.of(
                "the challenge by {player} in {event} now goes to the player who took your place."
            )
        case f.Withdrawn() | f.Excluded():
            said = Text.of("the challenge by {player} in {event} is off: a player has left.")
        case _:
            said = Text.of("the challenge by {player} in {event} is off: the ladder is over.")
    return [event(said, player=event.who(int(message.detail)))]
