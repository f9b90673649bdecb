"""What a tournament says by itself: notices to players and directors."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bot.domain.tournaments import facts as f
from bot.domain.tournaments.facts import Leaving
from bot.domain.tournaments.setup import FormatKey
from bot.domain.tournaments.tournament import PlayedGame
from bot.i18n import Language
from bot.services.tournaments.decisions import read_reason
from bot.services.tournaments.messages import Message, MessageKind, Trouble
from bot.services.tournaments.views import EventView
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import moment
from bot.ui.pages.components import (
    PRIMARY,
    SUCCESS,
    Button,
    Control,
    button,
)
from bot.ui.pages.display_names import escape
from bot.ui.tournaments import words
from bot.ui.tournaments.byes import own_bye_words
from bot.ui.tournaments.words import Who
from games.view import Text

_LISTED = 12
_REASON = 300

_OUT: Mapping[Leaving, Text] = MappingProxyType(
    {
        Leaving.ASKED: Text.of("you've been withdrawn from {event}."),
        Leaving.TIME: Text.of("you've lost on time too often, so you're out of {event}."),
        Leaving.LEFT_SERVER: Text.of("you left the server, so you're out of {event}."),
        Leaving.ERASED: Text.of("your data was erased, so you're out of {event}."),
    }
)
_TROUBLES: Mapping[str, Text] = MappingProxyType(
    {
        Trouble.HOME_GONE.value: Text.of(
            "the home channel of {event} is gone or closed to Parlour. Matches go on, but nobody"
            " sees the table."
        ),
        Trouble.NO_THREADS.value: Text.of(
            "the server can't have more threads right now, so matches of {event} are played in"
            " direct messages."
        ),
        Trouble.WAITING.value: Text.of(
            "the server can't have more matches or threads right now, so some games of {event} wait"
            " their turn. They start by themselves, and until then no time runs."
        ),
        Trouble.NO_PAIRING.value: Text.of(
            "the rules allow no further pairing in {event}, so it ends as it stands."
        ),
        Trouble.PAIRING_FAILS.value: Text.of(
            "the next round of {event} can't be paired right now. Parlour tries again."
        ),
        Trouble.DIRECTOR_LEFT.value: Text.of(
            "the creator of {event} has left. Its other directors and people with Manage Server"
            " can direct it."
        ),
        Trouble.UNREACHABLE.value: Text.of(
            "a player of {event} couldn't be told of their turn for too long. Their game was"
            " decided by the rule of the last day."
        ),
    }
)


def notice_text(
    message: Message, view: EventView, language: Language, who: Who
) -> tuple[str, list[Button]]:
    """A notice with the buttons under it; it begins with the person's mention."""
    t = view.tournament
    event = f"**{words.event_title(t.setup)}**"
    lines = _said(message, view, event, language, who)
    reason = "" if view.event is None else read_reason(view.event.note)[0]
    if reason and message.kind in _WITH_REASON:
        lines.append(language.say("Reason: {reason}", reason=escape(reason, longest=_REASON)))
    said = "\n".join(lines)
    if message.user_id is not None:
        said = f"{match_text.mention(message.user_id, language)}, {said}"
    elif lines:
        said = match_text.capital(said)
    return said, _buttons(message, view, language)


_WITH_REASON = frozenset(
    {
        MessageKind.EXCLUDED,
        MessageKind.WITHDRAWN,
        MessageKind.DECIDED,
        MessageKind.CORRECTED,
        MessageKind.CANCELLED,
        MessageKind.PAUSED,
        MessageKind.EXTENDED,
        MessageKind.REDRAWN,
    }
)


def _said(message: Message, view: EventView, event: str, language: Language, who: Who) -> list[str]:
    """The lines of a notice."""
    t, fact = view.tournament, view.fact
    match message.kind:
        case MessageKind.ROUND:
            return _round(message, view, event, language, who)
        case MessageKind.WARNED:
            if t.setup.vacations:
                return [
                    language.say(
                        "one more loss on time and you're out of {event}. Start a vacation if you"
                        " can't move in time.",
                        event=event,
                    )
                ]
            return [language.say("one more loss on time and you're out of {event}.", event=event)]
        case MessageKind.WITHDRAWN:
            why = fact.why if isinstance(fact, f.Withdrawn) else Leaving.ASKED
            return [language(_OUT[why].filled({"event": event}))]
        case MessageKind.EXCLUDED:
            return [language.say("a director excluded you from {event}.", event=event)]
        case MessageKind.ENTERED if isinstance(fact, f.Replaced) and t.pending:
            return [
                language.say("a director entered you in {event}.", event=event),
                *_open_games(message, view, language, who),
            ]
        case MessageKind.ENTERED:
            return [language.say("a director entered you in {event}.", event=event)]
        case MessageKind.OPPONENT:
            number = fact.entrant if isinstance(fact, f.Replaced) else 0
            return [
                language.say(
                    "{player} has joined {event} as a substitute and plays you now.",
                    player=who(number),
                    event=event,
                )
            ]
        case MessageKind.REPLACED:
            return [language.say("another player has taken your place in {event}.", event=event)]
        case MessageKind.PAUSED:
            return [
                language.say(
                    "{event} is paused. Games that have begun go on; nothing is paired or decided.",
                    event=event,
                )
            ]
        case MessageKind.RESUMED:
            return [
                language.say(
                    "{event} goes on. All days to come have moved by the length of the pause.",
                    event=event,
                )
            ]
        case MessageKind.REVIVED:
            return [language.say("{event} goes on after all.", event=event)]
        case MessageKind.CANCELLED:
            if not t.rounds and len(t.active) < t.setup.least:
                return [language.say("{event} was cancelled: too few players joined.", event=event)]
            return [language.say("{event} was cancelled. It has no result.", event=event)]
        case MessageKind.REDRAWN:
            return [language.say("the last round of {event} is paired again.", event=event)]
        case MessageKind.SEASON:
            return [
                language.say(
                    "the next season of {event} begins {date}. You're in, unless you leave.",
                    event=event,
                    date=moment(t.begins, "f"),
                )
            ]
        case MessageKind.ANSWERED:
            return [_challenge_ended(message, view, event, language, who)]
        case MessageKind.CHALLENGED | MessageKind.REFUSED:
            return _ladder(message, view, event, language, who)
        case MessageKind.BLOCKED_PAIRS:
            return _blocked(message, view, event, language, who)
        case MessageKind.TROUBLE:
            return [language(_TROUBLES[message.detail].filled({"event": event}))]
    return _of_game(message, view, event, language, who)


def _open_games(message: Message, view: EventView, language: Language, who: Who) -> list[str]:
    """The games that a substitute has taken over."""
    games = [each for each in view.tournament.of_entrant(message.entrant) if not each.is_over]
    return [_my_game(view, each, message.entrant, language, who) for each in games[:_LISTED]]


def _round(
    message: Message, view: EventView, event: str, language: Language, who: Who
) -> list[str]:
    """All one's games of a round in one notice, or the bye."""
    t = view.tournament
    number = view.fact.round if isinstance(view.fact, f.Drawn) else len(t.rounds)
    bye = t.rounds[number - 1].byes.get(message.entrant) if 0 < number <= len(t.rounds) else None
    games = [
        each
        for each in t.of_entrant(message.entrant)
        if not each.is_over
        and (each.game.round == number or t.setup.format is FormatKey.ROUND_ROBIN)
    ]
    if not games:
        if bye is None:
            return [language.say("round {round} of {event} has begun.", round=number, event=event)]
        said = language.say("round {round} of {event}:", round=number, event=event)
        return [f"{said} {own_bye_words(t.setup.format, bye, language)}"]
    if t.setup.format is FormatKey.ARENA:
        lead = language.say("{event}: your next game", event=event)
    elif t.setup.format is FormatKey.ROUND_ROBIN:
        lead = language.plural(
            "{event} has begun. You have {n} game:",
            "{event} has begun. You have {n} games:",
            n=len(games),
            event=event,
        )
    elif words.has_final(t.setup, number):
        lead = language.say("you're at the final table of {event}. You play:", event=event)
    else:
        lead = language.say(
            "round {round} of {event} is paired. You play:", round=number, event=event
        )
    return [
        lead,
        *(_my_game(view, each, message.entrant, language, who) for each in games[:_LISTED]),
    ]


def _my_game(view: EventView, played: PlayedGame, me: int, language: Language, who: Who) -> str:
    """One game as the player sees it: against whom, who moves first, where, until when."""
    others = ", ".join(who(each) for each in played.game.players if each != me)
    first = (
        language.say("you move first")
        if played.game.players[0] == me
        else language.say("they move first")
    )
    parts = [others]
    if len(played.game.players) == 2:
        parts.append(first)
    board = words.board_link(view, played.game.id, language)
    if board:
        parts.append(board)
    elif played.game.id in view.waiting:
        parts.append(language.say("waiting for a free thread"))
    parts.append(language.say("last day {date}", date=moment(played.until, "f")))
    return f"- {' · '.join(parts)}"


def _of_game(
    message: Message, view: EventView, event: str, language: Language, who: Who
) -> list[str]:
    """What became of one's game."""
    t, fact = view.tournament, view.fact
    if message.kind is MessageKind.EXTENDED:
        until = fact.until if isinstance(fact, f.Extended) else t.finish
        return [
            language.say(
                "{event}: you have time until {date}.", event=event, date=moment(until, "f")
            )
        ]
    played = t.games.get(message.game)
    if played is None:
        return [event]
    result = words.result_of(played, language, who)
    told = {
        MessageKind.DECIDED: language.say(
            "a director decided your game in {event}: {result}.",
            event=event,
            result=result,
        ),
        MessageKind.CORRECTED: language.say(
            "a director corrected the result of your game in {event}: {result}.",
            event=event,
            result=result,
        ),
        MessageKind.UNFINISHED: language.say(
            "your game in {event} wasn't over on its last day: {result}.",
            event=event,
            result=result,
        ),
        MessageKind.FORFEITED: language.say(
            "your game in {event} was forfeited: {result}.",
            event=event,
            result=result,
        ),
    }
    return [told.get(message.kind, event)]


def _ladder(
    message: Message, view: EventView, event: str, language: Language, who: Who
) -> list[str]:
    fact = view.fact
    if isinstance(fact, f.Challenged):
        return [
            language.say(
                "{player} challenges you in {event}. Without an answer by {date} it counts as"
                " declined.",
                player=who(fact.challenger),
                event=event,
                date=moment(fact.until, "f"),
            )
        ]
    if isinstance(fact, f.Refused):
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
    del message
    return [event]


def _challenge_ended(
    message: Message, view: EventView, event: str, language: Language, who: Who
) -> str:
    """What became of a challenge, in the place of the words that asked for an answer."""
    fact, player = view.fact, who(int(message.detail))
    match fact:
        case f.Drawn():
            return language.say(
                "you accepted the challenge by {player} in {event}.", player=player, event=event
            )
        case f.Refused(_, _, by_time) if not by_time:
            return language.say(
                "you declined the challenge by {player} in {event}.", player=player, event=event
            )
        case f.Refused():
            return language.say(
                "the challenge by {player} in {event} expired. It counts as declined.",
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


def _blocked(
    message: Message, view: EventView, event: str, language: Language, who: Who
) -> list[str]:
    """Two entrants who blocked one another; the detail names them: ``3 7``."""
    numbers = [int(each) for each in message.detail.replace(",", " ").split() if each.isdigit()]
    pairs = [
        f"- {who(one)} – {who(two)}" for one, two in zip(numbers[::2], numbers[1::2], strict=False)
    ]
    del view
    lead = language.say(
        "players of {event} have blocked each other. They're paired like everyone else; withdraw"
        " one of them if that can't be.",
        event=event,
    )
    return [lead, *pairs]


def _buttons(message: Message, view: EventView, language: Language) -> list[Button]:
    t, fact = view.tournament, view.fact
    match message.kind:
        case MessageKind.CHALLENGED if isinstance(fact, f.Challenged):
            yes = Control("tanswer", t.id, fact.challenger, "yes")
            no = Control("tanswer", t.id, fact.challenger, "no")
            return [
                button(yes, language.say("Accept"), SUCCESS),
                button(no, language.say("Decline")),
            ]
        case MessageKind.ROUND if t.setup.format in (FormatKey.SWISS, FormatKey.TABLES):
            return [
                button(Control("tmine", t.id), language.say("My games"), PRIMARY),
                button(Control("tpairs", t.id), language.say("Pairings")),
            ]
        case MessageKind.ROUND | MessageKind.ENTERED | MessageKind.EXTENDED | MessageKind.OPPONENT:
            return [button(Control("tmine", t.id), language.say("My games"), PRIMARY)]
        case MessageKind.SEASON:
            return [button(Control("tleave", t.id), language.say("Leave"))]
        case MessageKind.BLOCKED_PAIRS | MessageKind.TROUBLE:
            return [button(Control("tmanage", t.id), language.say("Manage"), PRIMARY)]
    return []
