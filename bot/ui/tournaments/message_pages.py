"""What a tournament says by itself: notices to players and directors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bot.domain.ids import UserId
from bot.domain.tournaments import facts as f
from bot.domain.tournaments.acts import LONGEST_REASON
from bot.domain.tournaments.facts import Leaving
from bot.domain.tournaments.formats.swiss import met_all_the_same
from bot.domain.tournaments.ladder import INACTIVE
from bot.domain.tournaments.setup import FormatKey
from bot.domain.tournaments.tournament import PlayedGame
from bot.i18n import Language
from bot.posts.tournament_messages import FALLEN, LATER, RISEN, MessageKind, TournamentTrouble
from bot.services.tournaments.decisions import read_reason
from bot.services.tournaments.messages import Message, invited_by, round_robin_games
from bot.services.tournaments.views import EventView
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import duration, timestamp
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
from bot.ui.tournaments.challenge_words import (
    answer_buttons,
    challenge_ended,
    challenge_lines,
    challenge_of,
)
from bot.ui.tournaments.words import Who
from games.view import Text

STAYS = "stays"
"""The detail of a REPLACED message to a person who is still listed in threads of matches."""
_LISTED = 12

_OUT: Mapping[Leaving, Text] = MappingProxyType(
    {
        Leaving.ASKED: Text.of("a director withdrew you from {event}."),
        Leaving.TIME: Text.of("you've lost on time too often, so you're out of {event}."),
        Leaving.LEFT_SERVER: Text.of("you left the server, so you're out of {event}."),
        Leaving.ERASED: Text.of("your data was erased, so you're out of {event}."),
        Leaving.ABSENT: Text.of("you didn't check in, so you're out of {event}."),
    }
)
_TROUBLES: Mapping[str, Text] = MappingProxyType(
    {
        TournamentTrouble.HOME_GONE.value: Text.of(
            "the home channel of {event} is gone or closed to Parlour. Matches go on, but nobody"
            " sees the table."
        ),
        TournamentTrouble.NO_THREADS.value: Text.of(
            "the server can't have more threads right now, so matches of {event} are played in"
            " direct messages."
        ),
        TournamentTrouble.SIDE_BY_SIDE.value: Text.of(
            "threads can't be made in the channel of {event}, so all boards of a round come into it"
            " side by side. Allow Parlour Create Public Threads and Send Messages in Threads there,"
            " and later games get threads."
        ),
        TournamentTrouble.WAITING.value: Text.of(
            "the server can't have more matches or threads right now, so some games of {event} wait"
            " their turn. They start by themselves, and until then no time runs."
        ),
        TournamentTrouble.NO_PAIRING.value: Text.of(
            "the rules allow no further pairing in {event}, so it ends as it stands."
        ),
        TournamentTrouble.PAIRING_FAILS.value: Text.of(
            "the next round of {event} can't be paired right now. Parlour tries again."
        ),
        TournamentTrouble.DIRECTOR_LEFT.value: Text.of(
            "a director of {event} has left the server or erased their data."
        ),
        TournamentTrouble.GAVE_WAY.value: Text.of(
            "players who are kept apart meet in round {round} of {event}, because no other pairing"
            " was possible: {games}."
        ),
        TournamentTrouble.UNREACHABLE.value: Text.of(
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
        lines.append(
            language.say("Reason: {reason}", reason=escape(reason, longest=LONGEST_REASON))
        )
    said = "\n".join(lines)
    people: tuple[UserId, ...] = () if message.user_id is None else (message.user_id,)
    if message.kind is MessageKind.INVITED:
        people = people or invited_by(message, t)
    if people:
        said = f"{match_text.mentions(people, language)}, {said}"
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
    managed = []
    if message.user_id is None:
        managed = [language.say("No director is left. Members with Manage Server can direct it.")]
    match message.kind:
        case MessageKind.ROUND:
            return _round(message, view, event, language, who)
        case MessageKind.NO_FINAL:
            return [_without_final(message, view, event, language)]
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
        case MessageKind.INVITED:
            return [
                language.say(
                    "a director invites you to {event}. Press **Join**, and you're in.", event=event
                )
            ]
        case MessageKind.CHECK_IN:
            return [
                language.say(
                    "{event} begins {when}. Check in by then, or you won't be paired.",
                    event=event,
                    when=timestamp(t.begins),
                )
            ]
        case MessageKind.WITHDRAWN:
            why = fact.why if isinstance(fact, f.Withdrawn) else Leaving.ASKED
            return [language(_OUT[why].filled({"event": event}))]
        case MessageKind.EXCLUDED:
            return [language.say("a director excluded you from {event}.", event=event)]
        case MessageKind.ENTERED if _is_back(view):
            back = language.say("you're back in {event}.", event=event)
            return [back, *_open_games(message, view, language, who)]
        case MessageKind.ENTERED if isinstance(fact, f.Replaced) and t.pending:
            return [
                language.say("a director entered you in {event}.", event=event),
                *_open_games(message, view, language, who),
            ]
        case MessageKind.ENTERED:
            return [language.say("a director entered you in {event}.", event=event)]
        case MessageKind.OPPONENT:
            number = fact.entrant if isinstance(fact, f.Replaced) else 0
            if _is_back(view):
                return [
                    language.say(
                        "{player} is back in {event} and plays you again.",
                        player=who(number),
                        event=event,
                    )
                ]
            return [
                language.say(
                    "{player} has joined {event} as a substitute and plays you now.",
                    player=who(number),
                    event=event,
                )
            ]
        case MessageKind.REPLACED:
            said = language.say("another player has taken your place in {event}.", event=event)
            if _is_back(view) and isinstance(fact, f.Replaced):
                said = language.say(
                    "{player} is back in {event} and plays in place of you.",
                    player=who(fact.entrant),
                    event=event,
                )
            if message.detail != STAYS:
                return [said]
            return [said, language.say("You can leave the threads of its matches.")]
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
                    "{event} goes on. All later dates have moved by the length of the pause.",
                    event=event,
                )
            ]
        case MessageKind.REVIVED:
            return [language.say("{event} goes on after all.", event=event)]
        case MessageKind.CANCELLED:
            is_by_itself = view.event is not None and view.event.user_id is None
            if is_by_itself and len(t.active) < t.setup.least:
                return [language.say("{event} was cancelled: too few players joined.", event=event)]
            said = language.say("{event} was cancelled. It has no result.", event=event)
            if any(each.has_begun for each in t.of_entrant(message.entrant) if not each.is_over):
                said += " " + language.say("Matches that have begun go on.")
            return [said]
        case MessageKind.REDRAWN if t.setup.format is FormatKey.KNOCKOUT:
            return _paired_again(message, view, event, language, who)
        case MessageKind.REDRAWN:
            return [language.say("the last round of {event} is paired again.", event=event)]
        case MessageKind.APPOINTED:
            return [
                language.say(
                    "you're a director of {event} now: you can add players, decide games and more.",
                    event=event,
                )
            ]
        case MessageKind.DISMISSED:
            return [language.say("you're no longer a director of {event}.", event=event)]
        case MessageKind.SEASON:
            said = language.say(
                "the next season of {event} begins {date}. You're in, unless you leave.",
                event=event,
                date=timestamp(t.begins, "f"),
            )
            place = {
                RISEN: language.say("You finished among the first, so you rise by a division."),
                FALLEN: language.say("You finished among the last, so you fall by a division."),
            }
            return [said, *([place[message.detail]] if message.detail in place else [])]
        case MessageKind.ANSWERED:
            return [challenge_ended(message, view, event, language, who)]
        case MessageKind.SUNK:
            rungs = fact.rungs if isinstance(fact, f.Moved) else t.by_rung
            return [
                language.say(
                    "you haven't played in {event} for {time}, so you're on rung {rung} now."
                    " Challenge a player above you to climb again.",
                    event=event,
                    time=duration(INACTIVE, language),
                    rung=rungs.index(message.entrant) + 1,
                )
            ]
        case MessageKind.CHALLENGED | MessageKind.DECLINED:
            return challenge_lines(message, view, event, language, who)
        case MessageKind.BLOCKED_PAIRS:
            return [*_blocked(message, event, language, who), *managed]
        case MessageKind.TROUBLE:
            return [_trouble(message, view, event, language, who), *managed]
    return _of_game(message, view, event, language, who)


def _trouble(message: Message, view: EventView, event: str, language: Language, who: Who) -> str:
    """What keeps an event from going on as it should."""
    said = {"event": event}
    if message.detail == TournamentTrouble.GAVE_WAY.value:
        number = view.tournament.games[message.game].game.round
        met = met_all_the_same(view.tournament, number)
        pairs = [words.players_of(each, who) for each in met]
        said |= {"round": str(number), "games": words.listed(pairs, _LISTED, language)}
    return language(_TROUBLES[message.detail].filled(said))


def _paired_again(
    message: Message, view: EventView, event: str, language: Language, who: Who
) -> list[str]:
    """What becomes of a player of a cup whose next game was taken back, as the results are now."""
    me = view.tournament.entrants[message.entrant - 1]
    if not me.is_active or any(x.rank > 1 for x in view.standings if x.number == me.number):
        return [
            language.say(
                "your next game in {event} isn't played. By the results as they are now you're"
                " out.",
                event=event,
            )
        ]
    said = language.say("the last round of {event} is paired again.", event=event)
    if isinstance(view.fact, f.Unpaired):
        said = language.say("your next game in {event} is paired again.", event=event)
    games = _open_games(message, view, language, who)
    return [said, *([language.say("You play:"), *games] if games else [])]


def _without_final(message: Message, view: EventView, event: str, language: Language) -> str:
    """The place of a player who is not at the final table: behind the four who are."""
    t = view.tournament
    final = [x for each in t.in_round(len(t.rounds)) for x in each.game.players]
    ranks = {each.number: each.rank for each in view.standings}
    mine = ranks[message.entrant]
    return language.say(
        "the four best play the final table of {event}. You finish in place {rank} of {count}.",
        event=event,
        rank=len(final) + 1 + sum(ranks[x] < mine for x in ranks if x not in final),
        count=len(view.standings),
    )


def _is_back(view: EventView) -> bool:
    """Whether an event brings a player back: an act that put them out was undone."""
    is_undo = view.event is not None and read_reason(view.event.note)[1] is not None
    return isinstance(view.fact, f.Readmitted) or (is_undo and isinstance(view.fact, f.Replaced))


def _open_games(message: Message, view: EventView, language: Language, who: Who) -> list[str]:
    """The games that a substitute has taken over."""
    games = [each for each in view.tournament.of_entrant(message.entrant) if not each.is_over]
    return _my_games(view, games, message.entrant, language, who)


def _round(
    message: Message, view: EventView, event: str, language: Language, who: Who
) -> list[str]:
    """All one's games of a round in one notice, or the bye."""
    t = view.tournament
    number = view.fact.round if isinstance(view.fact, f.Drawn) else len(t.rounds)
    bye = t.rounds[number - 1].byes.get(message.entrant) if 0 < number <= len(t.rounds) else None
    if t.setup.format is FormatKey.ROUND_ROBIN:
        games = round_robin_games(message, t)
    else:
        mine = t.of_entrant(message.entrant)
        games = [each for each in mine if not each.is_over and each.game.round == number]
    if not games:
        if bye is None:
            return [language.say("round {round} of {event} has begun.", round=number, event=event)]
        said = language.say("round {round} of {event}:", round=number, event=event)
        return [f"{said} {own_bye_words(t.setup.format, bye, language)}"]
    played = [each for each in t.of_entrant(message.entrant) if each.is_over]
    is_next = t.setup.format is FormatKey.KNOCKOUT and number in {x.game.round for x in played}
    if is_next or not t.setup.format.facts.has_rounds:
        lead = language.say("{event}: your next game", event=event)
    elif t.setup.format is FormatKey.ROUND_ROBIN and message.detail != LATER:
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
        *_my_games(view, games, message.entrant, language, who),
        *(f"-# {line}" for line in words.first_move_words(t.setup, language)),
    ]


def _my_games(
    view: EventView, games: Sequence[PlayedGame], me: int, language: Language, who: Who
) -> list[str]:
    """A line for each game, and when those that wait for room in the server begin."""
    shown = games[:_LISTED]
    lines = [_my_game(view, each, me, language, who) for each in shown]
    if view.wait is not None and any(each.game.id in view.waiting for each in shown):
        lines.append(f"-# {words.wait_words(view, language)}")
    setup = view.tournament.setup
    at_once = setup.at_once and max(setup.at_once, setup.games_at_once)
    if 0 < at_once < len(games):
        said = language.plural(
            "You play {n} game at a time. The others begin as these end.",
            "You play {n} games at a time. The others begin as these end.",
            n=at_once,
        )
        lines.append(f"-# {said}")
    return lines


def _my_game(view: EventView, played: PlayedGame, me: int, language: Language, who: Who) -> str:
    """One game as the player sees it: the opponents, who moves first, where, until when."""
    others = language.listed(who(each) for each in played.game.players if each != me)
    first = (
        language.say("you move first")
        if played.game.players[0] == me
        else language.say("they move first")
    )
    name = words.meeting_name(view, played.game, language)
    parts = [others, name] if name else [others]
    if len(played.game.players) == 2 or played.game.players[0] == me:
        parts.append(first)
    link = view.matches.get(played.game.id)
    board = words.board_link(view, played.game.id, language)
    if board:
        parts.append(board)
    elif link is not None and link.is_direct:
        parts.append(language.say("in direct messages"))
    elif view.wait is not None and played.game.id in view.waiting:
        parts.append(language.say("waiting"))
    if view.tournament.setup.format.facts.has_rounds:
        parts.append(language.say("until {date}", date=timestamp(played.until, "f")))
    return f"- {' · '.join(parts)}"


def _of_game(
    message: Message, view: EventView, event: str, language: Language, who: Who
) -> list[str]:
    """What became of one's game."""
    t, fact = view.tournament, view.fact
    if message.kind is MessageKind.EXTENDED and message.user_id is None:
        day = timestamp(t.finish, words.last_day_style(t.begins, t.finish))
        return [language.say("{event} is now over by {date} at the latest.", event=event, date=day)]
    if message.kind is MessageKind.EXTENDED:
        until = fact.until if isinstance(fact, f.Extended) else t.finish
        return [
            language.say(
                "{event}: you have time until {date}.", event=event, date=timestamp(until, "f")
            )
        ]
    played = t.games.get(message.game)
    if played is None:
        return [event]
    if message.kind is MessageKind.UNFINISHED and t.setup.format is FormatKey.ARENA:
        return [
            language.say(
                "{event} is over. Your game was still on, so it doesn't count; you can play it to"
                " the end.",
                event=event,
            )
        ]
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


def _blocked(message: Message, event: str, language: Language, who: Who) -> list[str]:
    """Entrants who blocked one another; the detail names the pairs: ``1-3 2-3``."""
    pairs = []
    for pair in message.detail.split():
        one, _, two = pair.partition("-")
        pairs.append(f"- {who(int(one))} – {who(int(two))}")
    lead = language.say(
        "players of {event} have blocked each other. They're paired like everyone else; withdraw"
        " one of them if that can't be.",
        event=event,
    )
    return [lead, *pairs]


def _buttons(message: Message, view: EventView, language: Language) -> list[Button]:
    t = view.tournament
    match message.kind:
        case MessageKind.CHALLENGED if isinstance(
            fact := challenge_of(message, view), f.Challenged
        ):
            return answer_buttons(t.id, fact.challenger, language)
        case MessageKind.ROUND if t.setup.format in (FormatKey.SWISS, FormatKey.TABLES):
            return [
                button(Control("tmine", t.id), language.say("My games"), PRIMARY),
                button(Control("tpairs", t.id), language.say("Pairings")),
            ]
        case MessageKind.INVITED:
            return [button(Control("tjoin", t.id), language.say("Join"), SUCCESS)]
        case MessageKind.CHECK_IN:
            return [button(Control("there", t.id), language.say("Check in"), SUCCESS)]
        case MessageKind.NO_FINAL:
            return [button(Control("tstand", t.id), language.say("Standings"), PRIMARY)]
        case (
            MessageKind.ROUND
            | MessageKind.ENTERED
            | MessageKind.EXTENDED
            | MessageKind.OPPONENT
            | MessageKind.REVIVED
        ):
            return [button(Control("tmine", t.id), language.say("My games"), PRIMARY)]
        case MessageKind.SUNK:
            return [button(Control("tladder", t.id), language.say("Challenge"), PRIMARY)]
        case MessageKind.SEASON:
            return [button(Control("tleave", t.id), language.say("Leave"))]
        case MessageKind.BLOCKED_PAIRS | MessageKind.TROUBLE | MessageKind.APPOINTED:
            return [button(Control("tmanage", t.id), language.say("Manage"), PRIMARY)]
    return []
