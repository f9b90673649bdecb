"""Notices of tournaments to players and directors, a line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.domain.ids import UserId
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.acts import LONGEST_REASON
from bot.tournaments.domain.facts import Leaving
from bot.tournaments.domain.formats.open_ended import INACTIVE
from bot.tournaments.domain.formats.swiss import met_all_the_same
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import PlayedGame
from bot.tournaments.posts import (
    FALLEN,
    LATER,
    RISEN,
    Message,
    MessageKind,
    TournamentTrouble,
    invited_by,
    round_robin_games,
)
from bot.tournaments.services.views import EventView
from bot.tournaments.ui import setup_words, words
from bot.tournaments.ui.ladder import answer_buttons, challenge_ended, challenge_of, challenge_text
from bot.tournaments.ui.words import EventText
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import duration, timestamp
from bot.ui.pages.components import PRIMARY, SECONDARY, SUCCESS, Button
from bot.ui.pages.display_names import escape
from games.view import Text

if TYPE_CHECKING:
    from discord.types.components import ButtonStyle

STAYS = "stays"
"""The detail of a REPLACED message to a person who is still listed in threads of matches."""
_LISTED = 12

_OUT: Mapping[Leaving, Text] = {
    Leaving.ASKED: Text.of("a director withdrew you from {event}."),
    Leaving.TIME: Text.of("you've lost on time too often, so you're out of {event}."),
    Leaving.LEFT_SERVER: Text.of("you left the server, so you're out of {event}."),
    Leaving.ERASED: Text.of("your data was erased, so you're out of {event}."),
    Leaving.ABSENT: Text.of("you didn't check in, so you're out of {event}."),
}
_TROUBLES: Mapping[str, Text] = {
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


Said = Text | str | list[Text | str]
Say = Callable[[Message, EventText], Said]


@dataclass(frozen=True, slots=True)
class _Notice:
    """The form of a kind of message: its words, the button under them, the reason behind them."""

    said: Text | Say
    button: str = ""
    style: ButtonStyle = PRIMARY
    with_reason: bool = False


def notice_text(message: Message, event: EventText) -> tuple[str, list[Button]]:
    """A notice with the buttons under it; it begins with the person's mention."""
    event = EventText(event.view, event.language, event.who, f"**{event.name}**")
    notice, view = _NOTICES[message.kind], event.view
    texts = notice.said if isinstance(notice.said, Text) else notice.said(message, event)
    given = _given(message, event)
    texts = texts if isinstance(texts, list) else [texts]
    lines = [each if isinstance(each, str) else event(each, **given) for each in texts]
    reason = "" if view.event is None else view.event.note
    if reason and notice.with_reason:
        lines.append(event.say("Reason: {reason}", reason=escape(reason, longest=LONGEST_REASON)))
    said = "\n".join(lines)
    people: tuple[UserId, ...] = () if message.user_id is None else (message.user_id,)
    if message.kind is MessageKind.INVITED:
        people = people or invited_by(message, event.t)
    if people:
        said = f"{match_text.mentions(people, event.language)}, {said}"
    elif lines:
        said = match_text.capital(said)
    if message.kind is MessageKind.CHALLENGED:
        fact = challenge_of(message, view)
        return said, answer_buttons(event, fact) if isinstance(fact, f.Challenged) else []
    buttons = [event.button(notice.button, notice.style)] if notice.button else []
    if message.kind is MessageKind.ROUND and event.setup.format in _LISTS:
        buttons.append(event.button("tpairs"))
    return said, buttons


_LISTS = (FormatKey.SWISS, FormatKey.TABLES)


def _given(message: Message, event: EventText) -> dict[str, str | int]:
    """The parameters of a notice: the fields of the fact in words, and the game's result."""
    fact, played = event.view.fact, event.t.games.get(message.game)
    until = event.t.finish if played is None else played.until
    player = int(message.detail) if message.detail.isdigit() else message.entrant
    given: dict[str, str | int] = {"player": event.who(player), "date": timestamp(until, "f")}
    given |= {} if fact is None else words.named(event, fact)
    return given | {"result": "–" if played is None else words.result_of(event, played)}


def _warned(_message: Message, event: EventText) -> Text:
    if not event.setup.vacations:
        return Text.of("one more loss on time and you're out of {event}.")
    return Text.of(
        "one more loss on time and you're out of {event}. Start a vacation if you can't move in"
        " time."
    )


def _withdrawn(_message: Message, event: EventText) -> Text:
    fact = event.view.fact
    return _OUT[fact.why if isinstance(fact, f.Withdrawn) else Leaving.ASKED]


def _entered(message: Message, event: EventText) -> list[Text | str]:
    if _is_back(event.view):
        return [Text.of("you're back in {event}."), *_open_games(message, event)]
    games = _open_games(message, event) if isinstance(event.view.fact, f.Replaced) else []
    return [Text.of("a director entered you in {event}."), *games]


def _opponent(_message: Message, event: EventText) -> Text:
    if _is_back(event.view):
        return Text.of("{player} is back in {event} and plays you again.")
    return Text.of("{player} has joined {event} as a substitute and plays you now.")


def _replaced(message: Message, event: EventText) -> list[Text | str]:
    said = Text.of("another player has taken your place in {event}.")
    if _is_back(event.view):
        said = Text.of("{player} is back in {event} and plays in place of you.")
    stays = message.detail == STAYS
    return [said, *([Text.of("You can leave the threads of its matches.")] if stays else [])]


def _cancelled(message: Message, event: EventText) -> str:
    t, last = event.t, event.view.event
    if last is not None and last.user_id is None and len(t.active) < t.setup.least:
        return event.say("{event} was cancelled: too few players joined.")
    said = event.say("{event} was cancelled. It has no result.")
    if any(each.has_begun for each in t.of_entrant(message.entrant) if not each.is_over):
        said += " " + event.say("Matches that have begun go on.")
    return said


def _season(message: Message, event: EventText) -> list[Text | str]:
    place = {
        RISEN: Text.of("You finished among the first, so you rise by a division."),
        FALLEN: Text.of("You finished among the last, so you fall by a division."),
    }
    said = event.say(
        "the next season of {event} begins {date}. You're in, unless you leave.",
        date=timestamp(event.t.begins, "f"),
    )
    return [said, *([place[message.detail]] if message.detail in place else [])]


def _sunk(message: Message, event: EventText) -> str:
    fact = event.view.fact
    rungs = fact.rungs if isinstance(fact, f.Moved) else event.t.by_rung
    return event.say(
        "you haven't played in {event} for {time}, so you're on rung {rung} now. Challenge a"
        " player above you to climb again.",
        time=duration(INACTIVE, event.language),
        rung=rungs.index(message.entrant) + 1,
    )


def _extended(message: Message, event: EventText) -> Text | str:
    t = event.t
    if message.user_id is not None:
        return Text.of("{event}: you have time until {date}.")
    day = timestamp(t.finish, setup_words.last_day_style(t.begins, t.finish))
    return event.say("{event} is now over by {date} at the latest.", date=day)


def _unfinished(_message: Message, event: EventText) -> Text:
    if event.setup.format is not FormatKey.ARENA:
        return Text.of("your game in {event} wasn't over on its last day: {result}.")
    return Text.of(
        "{event} is over. Your game was still on, so it doesn't count; you can play it to the end."
    )


def _check_in(_message: Message, event: EventText) -> str:
    when = timestamp(event.t.begins)
    return event.say("{event} begins {when}. Check in by then, or you won't be paired.", when=when)


def _trouble(message: Message, event: EventText) -> list[Text | str]:
    """The trouble that hinders the event."""
    said: dict[str, str | int] = {}
    if message.detail == TournamentTrouble.GAVE_WAY.value:
        number = event.t.games[message.game].game.round
        pairs = [event.players(each) for each in met_all_the_same(event.t, number)]
        said = {"round": number, "games": event.some(pairs, _LISTED)}
    return [event(_TROUBLES[message.detail], **said), *_managed(message, event)]


def _blocked(message: Message, event: EventText) -> list[Text | str]:
    """Entrants who blocked one another; the detail names the pairs: ``1-3 2-3``."""
    pairs = []
    for pair in message.detail.split():
        one, _, two = pair.partition("-")
        pairs.append(f"- {event.who(int(one))} – {event.who(int(two))}")
    lead = event.say(
        "players of {event} have blocked each other. They're paired like everyone else; withdraw"
        " one of them if that can't be."
    )
    return [lead, *pairs, *_managed(message, event)]


def _managed(message: Message, event: EventText) -> list[str]:
    if message.user_id is not None:
        return []
    return [event.say("No director is left. Members with Manage Server can direct it.")]


def _redrawn(message: Message, event: EventText) -> Said:
    """A notice that a round is paired again; in a cup, with the player's present situation."""
    said = Text.of("the last round of {event} is paired again.")
    if event.setup.format is not FormatKey.KNOCKOUT:
        return said
    place = event.view.place_of(message.entrant)
    is_active = event.t.entrants[message.entrant - 1].is_active
    if not is_active or (place is not None and place.rank > 1):
        return Text.of(
            "your next game in {event} isn't played. By the results as they are now you're out."
        )
    if isinstance(event.view.fact, f.Unpaired):
        said = Text.of("your next game in {event} is paired again.")
    games = _open_games(message, event)
    lead = [Text.of("You play:")] if games else []
    return [said, *lead, *games]


def _without_final(message: Message, event: EventText) -> str:
    """The place of a player who is not at the final table: behind its four."""
    t = event.t
    final = [x for each in t.in_round(len(t.rounds)) for x in each.game.players]
    ranks = {each.number: each.rank for each in event.view.standings}
    mine = ranks[message.entrant]
    return event.say(
        "the four best play the final table of {event}. You finish in place {rank} of {count}.",
        rank=len(final) + 1 + sum(ranks[x] < mine for x in ranks if x not in final),
        count=len(event.view.standings),
    )


def _is_back(view: EventView) -> bool:
    """Whether an event brings a player back: an act that excluded them was undone."""
    return isinstance(view.fact, f.Undone)


def _open_games(message: Message, event: EventText) -> list[str]:
    """The open games of a substitute."""
    games = [each for each in event.t.of_entrant(message.entrant) if not each.is_over]
    return _my_games(event, games, message.entrant)


def _round(message: Message, event: EventText) -> Said:
    """All of the player's games of a round in one notice, or the bye."""
    t = event.t
    number = event.view.fact.round if isinstance(event.view.fact, f.Drawn) else len(t.rounds)
    bye = t.rounds[number - 1].byes.get(message.entrant) if 0 < number <= len(t.rounds) else None
    if t.setup.format is FormatKey.ROUND_ROBIN:
        games = round_robin_games(message, t)
    else:
        mine = t.of_entrant(message.entrant)
        games = [each for each in mine if not each.is_over and each.game.round == number]
    if not games:
        if bye is None:
            return event.say("round {round} of {event} has begun.", round=number)
        said = event.say("round {round} of {event}:", round=number)
        return f"{said} {event.bye(bye, own=True)}"
    played = [each for each in t.of_entrant(message.entrant) if each.is_over]
    is_next = t.setup.format is FormatKey.KNOCKOUT and number in {x.game.round for x in played}
    if is_next or not t.setup.format.facts.has_rounds:
        lead = event.say("{event}: your next game")
    elif t.setup.format is FormatKey.ROUND_ROBIN and message.detail != LATER:
        lead = event.plural(
            "{event} has begun. You have {n} game:",
            "{event} has begun. You have {n} games:",
            n=len(games),
        )
    elif words.has_final(t.setup, number):
        lead = event.say("you're at the final table of {event}. You play:")
    else:
        lead = event.say("round {round} of {event} is paired. You play:", round=number)
    return [
        lead,
        *_my_games(event, games, message.entrant),
        *(f"-# {line}" for line in setup_words.first_move_words(t.setup, event.language)),
    ]


def _my_games(event: EventText, games: Sequence[PlayedGame], me: int) -> list[str]:
    """A line for each game, and when games that wait for room in the server begin."""
    shown = games[:_LISTED]
    lines = [_my_game(event, each, me) for each in shown]
    if event.view.wait is not None and any(each.game.id in event.view.waiting for each in shown):
        lines.append(f"-# {words.wait_words(event)}")
    setup = event.setup
    at_once = setup.at_once and max(setup.at_once, setup.games_at_once)
    if 0 < at_once < len(games):
        said = event.plural(
            "You play {n} game at a time. The others begin as these end.",
            "You play {n} games at a time. The others begin as these end.",
            n=at_once,
        )
        lines.append(f"-# {said}")
    return lines


def _my_game(event: EventText, played: PlayedGame, me: int) -> str:
    """One game from the player's view: the opponents, the first mover, the place, the last day."""
    others = event.listed(event.who(each) for each in played.game.players if each != me)
    first = (
        event.say("you move first")
        if played.game.players[0] == me
        else event.say("they move first")
    )
    name = words.meeting_name(event, played.game)
    parts = [others, name] if name else [others]
    if len(played.game.players) == 2 or played.game.players[0] == me:
        parts.append(first)
    link = event.view.matches.get(played.game.id)
    board = words.board_link(event, played.game.id)
    if board:
        parts.append(board)
    elif link is not None and link.is_direct:
        parts.append(event.say("in direct messages"))
    elif event.view.wait is not None and played.game.id in event.view.waiting:
        parts.append(event.say("waiting"))
    if event.setup.format.facts.has_rounds:
        parts.append(event.say("until {date}", date=timestamp(played.until, "f")))
    return f"- {' · '.join(parts)}"


_NOTICES: Mapping[MessageKind, _Notice] = {
    MessageKind.ROUND: _Notice(_round, "tmine"),
    MessageKind.NO_FINAL: _Notice(_without_final, "tstand"),
    MessageKind.WARNED: _Notice(_warned),
    MessageKind.WITHDRAWN: _Notice(_withdrawn, with_reason=True),
    MessageKind.EXCLUDED: _Notice(
        Text.of("a director excluded you from {event}."), with_reason=True
    ),
    MessageKind.INVITED: _Notice(
        Text.of("a director invites you to {event}. Press **Join**, and you're in."),
        "tjoin",
        SUCCESS,
    ),
    MessageKind.CHECK_IN: _Notice(_check_in, "there", SUCCESS),
    MessageKind.ENTERED: _Notice(_entered, "tmine"),
    MessageKind.REPLACED: _Notice(_replaced),
    MessageKind.OPPONENT: _Notice(_opponent, "tmine"),
    MessageKind.DECIDED: _Notice(
        Text.of("a director decided your game in {event}: {result}."), with_reason=True
    ),
    MessageKind.CORRECTED: _Notice(
        Text.of("a director corrected the result of your game in {event}: {result}."),
        with_reason=True,
    ),
    MessageKind.UNFINISHED: _Notice(_unfinished),
    MessageKind.FORFEITED: _Notice(Text.of("your game in {event} was forfeited: {result}.")),
    MessageKind.REDRAWN: _Notice(_redrawn, with_reason=True),
    MessageKind.EXTENDED: _Notice(_extended, "tmine", with_reason=True),
    MessageKind.PAUSED: _Notice(
        Text.of("{event} is paused. Games that have begun go on; nothing is paired or decided."),
        with_reason=True,
    ),
    MessageKind.RESUMED: _Notice(
        Text.of("{event} goes on. All later dates have moved by the length of the pause.")
    ),
    MessageKind.REVIVED: _Notice(Text.of("{event} goes on after all."), "tmine"),
    MessageKind.CANCELLED: _Notice(_cancelled, with_reason=True),
    MessageKind.CHALLENGED: _Notice(challenge_text),
    MessageKind.DECLINED: _Notice(challenge_text),
    MessageKind.ANSWERED: _Notice(challenge_ended),
    MessageKind.SUNK: _Notice(_sunk, "tladder"),
    MessageKind.BLOCKED_PAIRS: _Notice(_blocked, "tmanage"),
    MessageKind.TROUBLE: _Notice(_trouble, "tmanage"),
    MessageKind.APPOINTED: _Notice(
        Text.of("you're a director of {event} now: you can add players, decide games and more."),
        "tmanage",
    ),
    MessageKind.DISMISSED: _Notice(Text.of("you're no longer a director of {event}.")),
    MessageKind.SEASON: _Notice(_season, "tleave", SECONDARY),
}
"""All of them but the home message and the champion's."""
