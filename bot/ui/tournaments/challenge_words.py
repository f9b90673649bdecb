"""What is said of challenges on a ladder: that there is one, and what became of it."""

from __future__ import annotations

from bot.domain.tournaments import facts as f
from bot.i18n import Language
from bot.services.tournaments.messages import Message
from bot.services.tournaments.views import EventView
from bot.ui.pages.clock_text import timestamp
from bot.ui.tournaments.words import Who


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


def challenge_lines(fact: f.Fact | None, event: str, language: Language, who: Who) -> list[str]:
    """A challenge, or that it was declined."""
    if isinstance(fact, f.Challenged):
        return [
            language.say(
                "{player} challenges you in {event}. Without an answer by {date} it counts as"
                " declined.",
                player=who(fact.challenger),
                event=event,
                date=timestamp(fact.until, "f"),
            )
        ]
    if isinstance(fact, f.Declined):
        if fact.by_time:
            return [
                language.say(
                    "{player} didn't answer your challenge in {event}.",
                    player=who(fact.challenged),
                    event=event,
                )
            ]
        return [
            language.say(
                "{player} declined your challenge in {event}.",
                player=who(fact.challenged),
                event=event,
            )
        ]
    return [event]


def challenge_ended(
    message: Message, view: EventView, event: str, language: Language, who: Who
) -> str:
    """What became of a challenge, in the place of the words that asked for an answer."""
    fact, player = view.fact, who(int(message.detail))
    match fact:
        case f.Drawn():
            return language.say(
                "you accepted the challenge by {player} in {event}.", player=player, event=event
            )
        case f.Declined(_, _, by_time) if not by_time:
            return language.say(
                "you declined the challenge by {player} in {event}.", player=player, event=event
            )
        case f.Declined():
            return language.say(
                "the challenge by {player} in {event} expired. It counts as declined.",
                player=player,
                event=event,
            )
        case f.Replaced():
            return language.say(
                "the challenge by {player} in {event} now goes to the player who took your place.",
                player=player,
                event=event,
            )
        case f.Withdrawn() | f.Excluded():
            return language.say(
                "the challenge by {player} in {event} is off: a player has left.",
                player=player,
                event=event,
            )
    return language.say(
        "the challenge by {player} in {event} is off: the ladder is over.",
        player=player,
        event=event,
    )
