"""What is said of challenges on a ladder: that there is one, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.ids import TournamentId
from bot.domain.tournaments import facts as f
from bot.domain.tournaments.ladder import DECLINES
from bot.domain.tournaments.tournament import Challenge, Tournament
from bot.i18n import Language
from bot.services.tournaments.messages import Message
from bot.services.tournaments.views import EventView
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import SUCCESS, Button, Control, button
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


def open_challenges(challenges: Sequence[Challenge], language: Language, who: Who) -> list[str]:
    """The challenges that wait for an answer, under a line of their own."""
    if not challenges:
        return []
    return [
        language.say("Open challenges:"),
        *(
            "- "
            + language.say(
                "{one} challenged {two} · answer by {date}",
                one=who(each.challenger),
                two=who(each.challenged),
                date=timestamp(each.until, "f"),
            )
            for each in challenges
        ),
    ]


def answer_buttons(
    tournament_id: TournamentId, challenger: int, language: Language
) -> list[Button]:
    """Accept and decline a challenge."""
    return [
        button(
            Control("tanswer", tournament_id, challenger, "yes"), language.say("Accept"), SUCCESS
        ),
        button(Control("tanswer", tournament_id, challenger, "no"), language.say("Decline")),
    ]


def is_lost(t: Tournament, challenger: int, challenged: int) -> bool:
    """Whether a challenge that was just declined counted as a lost game: they changed rungs."""
    rungs = t.by_rung
    both = challenger in rungs and challenged in rungs
    return both and rungs.index(challenger) < rungs.index(challenged)


def challenge_lines(
    fact: f.Fact | None, view: EventView, event: str, language: Language, who: Who
) -> list[str]:
    """A challenge, or that it was declined."""
    if isinstance(fact, f.Challenged):
        said = [
            language.say(
                "{player} challenges you in {event}. Without an answer by {date} it counts as"
                " declined.",
                player=who(fact.challenger),
                event=event,
                date=timestamp(fact.until, "f"),
            )
        ]
        if view.tournament.declines.get(fact.challenged, 0) >= DECLINES:
            said.append(
                language.say(
                    "You've declined since your last game, so declining again counts as a lost"
                    " game."
                )
            )
        return said
    if isinstance(fact, f.Declined):
        player = who(fact.challenged)
        if fact.by_time:
            told = language.say(
                "{player} didn't answer your challenge in {event}.", player=player, event=event
            )
        else:
            told = language.say(
                "{player} declined your challenge in {event}.", player=player, event=event
            )
        if is_lost(view.tournament, fact.challenger, fact.challenged):
            more = language.say("It was again before their next game, so you take their rung.")
            return [f"{told} {more}"]
        return [told]
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
