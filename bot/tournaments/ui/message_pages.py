"""Notices of tournaments to players and directors, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot.domain.ids import UserId
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.acts import LONGEST_REASON
from bot.tournaments.domain.facts import Leaving
from bot.tournaments.domain.formats.open_ended import INACTIVE
from bot.tournaments.domain.formats.swiss import met_all_the_same
from bot.tournaments.domain.notices import FALLEN, LATER, RISEN, MessageKind, TournamentTrouble
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import PlayedGame
from bot.tournaments.posts import Message, invited_by, round_robin_games
from bot.tournaments.ui import setup_words, words
from bot.tournaments.ui.ladder import answer_buttons, challenge_ended, challenge_lines, challenge_of
from bot.tournaments.ui.words import EventText
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import duration, timestamp
from bot.ui.pages.components import PRIMARY, SECONDARY, SUCCESS, Button
from bot.ui.pages.display_names import escape
from games.view import Text

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


def notice_text(message: Message, event: EventText) -> tuple[str, list[Button]]:
    """A notice with the buttons under it; it begins with the person's mention."""
    event = EventText(event.view, event.language, event.who, f"**{event.name}**")
    kind, view, given = message.kind, event.view, _given(message, event)
    texts = _said(message, event)
    lines = [each if isinstance(each, str) else event(each, **given) for each in texts]
    reason = "" if view.event is None else view.event.note
    if reason and kind.about.with_reason:
        lines.append(event.say("Reason: {reason}", reason=escape(reason, longest=LONGEST_REASON)))
    said = "\n".join(lines)
    people: tuple[UserId, ...] = () if message.user_id is None else (message.user_id,)
    if kind is MessageKind.INVITED:
        people = people or invited_by(message, event.t)
    if people:
        said = f"{match_text.mentions(people, event.language)}, {said}"
    elif lines:
        said = match_text.capital(said)
    if kind is MessageKind.CHALLENGED:
        fact = challenge_of(message, view)
        return said, answer_buttons(event, fact) if isinstance(fact, f.Challenged) else []
    action = kind.about.button
    buttons = [event.button(action, _STYLES.get(action, PRIMARY))] if action else []
    if kind is MessageKind.ROUND and event.setup.format in (FormatKey.SWISS, FormatKey.TABLES):
        buttons.append(event.button("tpairs"))
    return said, buttons


_STYLES = {"tjoin": SUCCESS, "there": SUCCESS, "tleave": SECONDARY}
"""The styles of buttons that are not the first choice."""


def _given(message: Message, event: EventText) -> dict[str, str | int]:
    """The parameters of a notice: the fields of the fact in words, and the game's result."""
    fact, played = event.view.fact, event.t.games.get(message.game)
    until = event.t.finish if played is None else played.until
    player = int(message.detail) if message.detail.isdigit() else message.entrant
    given: dict[str, str | int] = {"player": event.who(player), "date": timestamp(until, "f")}
    given |= {} if fact is None else words.named(event, fact)
    return given | {"result": "–" if played is None else words.result_of(event, played)}


def _said(message: Message, event: EventText) -> Iterator[Text | str]:
    """The lines of a notice: of all kinds but the home message and the champion's."""
    t, setup, fact, me = event.t, event.setup, event.view.fact, message.entrant
    # An act was undone that had put a player out.
    is_back = isinstance(fact, f.Undone)
    mine = [each for each in t.of_entrant(me) if not each.is_over]
    if message.kind.about.said.message:
        yield message.kind.about.said
    match message.kind:
        case MessageKind.ROUND:
            yield from _round(message, event)
        case MessageKind.NO_FINAL:
            # The place of a player who is not at the final table: behind its four.
            final = [x for each in t.in_round(len(t.rounds)) for x in each.game.players]
            ranks = {each.number: each.rank for each in event.view.standings}
            yield event.say(
                "the four best play the final table of {event}. You finish in place {rank} of"
                " {count}.",
                rank=len(final) + 1 + sum(ranks[x] < ranks[me] for x in ranks if x not in final),
                count=len(ranks),
            )
        case MessageKind.WARNED if setup.vacations:
            yield Text.of(
                "one more loss on time and you're out of {event}. Start a vacation if you can't"
                " move in time."
            )
        case MessageKind.WARNED:
            yield Text.of("one more loss on time and you're out of {event}.")
        case MessageKind.WITHDRAWN:
            yield _OUT[fact.why if isinstance(fact, f.Withdrawn) else Leaving.ASKED]
        case MessageKind.CHECK_IN:
            yield event.say(
                "{event} begins {when}. Check in by then, or you won't be paired.",
                when=timestamp(t.begins),
            )
        case MessageKind.ENTERED:
            if is_back:
                yield Text.of("you're back in {event}.")
            else:
                yield Text.of("a director entered you in {event}.")
            if is_back or isinstance(fact, f.Replaced):
                yield from _my_games(event, mine, me)
        case MessageKind.REPLACED:
            if is_back:
                yield Text.of("{player} is back in {event} and plays in place of you.")
            else:
                yield Text.of("another player has taken your place in {event}.")
            if message.detail == STAYS:
                yield Text.of("You can leave the threads of its matches.")
        case MessageKind.OPPONENT if is_back:
            yield Text.of("{player} is back in {event} and plays you again.")
        case MessageKind.OPPONENT:
            yield Text.of("{player} has joined {event} as a substitute and plays you now.")
        case MessageKind.UNFINISHED if setup.format is FormatKey.ARENA:
            yield Text.of(
                "{event} is over. Your game was still on, so it doesn't count; you can play it to"
                " the end."
            )
        case MessageKind.UNFINISHED:
            yield Text.of("your game in {event} wasn't over on its last day: {result}.")
        case MessageKind.REDRAWN:
            yield from _redrawn(event, mine, me)
        case MessageKind.EXTENDED if message.user_id is not None:
            yield Text.of("{event}: you have time until {date}.")
        case MessageKind.EXTENDED:
            day = timestamp(t.finish, setup_words.last_day_style(t.begins, t.finish))
            yield event.say("{event} is now over by {date} at the latest.", date=day)
        case MessageKind.CANCELLED:
            last = event.view.event
            if last is not None and last.user_id is None and len(t.active) < setup.least:
                yield event.say("{event} was cancelled: too few players joined.")
            elif any(each.has_begun for each in mine):
                said = event.say("{event} was cancelled. It has no result.")
                yield said + " " + event.say("Matches that have begun go on.")
            else:
                yield event.say("{event} was cancelled. It has no result.")
        case MessageKind.CHALLENGED | MessageKind.DECLINED:
            yield from challenge_lines(message, event)
        case MessageKind.ANSWERED:
            yield event(challenge_ended(event), player=event.who(int(message.detail)))
        case MessageKind.SUNK:
            rungs = fact.rungs if isinstance(fact, f.Moved) else t.by_rung
            yield event.say(
                "you haven't played in {event} for {time}, so you're on rung {rung} now. Challenge"
                " a player above you to climb again.",
                time=duration(INACTIVE, event.language),
                rung=rungs.index(me) + 1,
            )
        case MessageKind.BLOCKED_PAIRS:
            yield event.say(
                "players of {event} have blocked each other. They're paired like everyone else;"
                " withdraw one of them if that can't be."
            )
            for pair in message.detail.split():
                one, _, two = pair.partition("-")
                yield f"- {event.who(int(one))} – {event.who(int(two))}"
        case MessageKind.TROUBLE:
            trouble, about = TournamentTrouble(message.detail), dict[str, str | int]()
            if trouble is TournamentTrouble.GAVE_WAY:
                number = t.games[message.game].game.round
                pairs = [event.players(each) for each in met_all_the_same(t, number)]
                about = {"round": number, "games": event.some(pairs, _LISTED)}
            yield event(trouble.about.said, **about)
        case MessageKind.SEASON:
            yield event.say(
                "the next season of {event} begins {date}. You're in, unless you leave.",
                date=timestamp(t.begins, "f"),
            )
            if message.detail == RISEN:
                yield Text.of("You finished among the first, so you rise by a division.")
            if message.detail == FALLEN:
                yield Text.of("You finished among the last, so you fall by a division.")
    if message.kind.about.for_directors and not message.user_id:
        yield event.say("No director is left. Members with Manage Server can direct it.")


def _redrawn(event: EventText, mine: Sequence[PlayedGame], me: int) -> Iterator[Text | str]:
    """A notice that a round is paired again; in a cup, with the player's present situation."""
    if event.setup.format is not FormatKey.KNOCKOUT:
        yield Text.of("the last round of {event} is paired again.")
        return
    place = event.view.place_of(me)
    if not event.t.entrants[me - 1].is_active or (place is not None and place.rank > 1):
        yield Text.of(
            "your next game in {event} isn't played. By the results as they are now you're out."
        )
        return
    if isinstance(event.view.fact, f.Unpaired):
        yield Text.of("your next game in {event} is paired again.")
    else:
        yield Text.of("the last round of {event} is paired again.")
    if mine:
        yield Text.of("You play:")
    yield from _my_games(event, mine, me)


def _round(message: Message, event: EventText) -> Iterator[str]:
    """All of the player's games of a round in one notice, or the bye."""
    t, form, me = event.t, event.setup.format, message.entrant
    number = event.view.fact.round if isinstance(event.view.fact, f.Drawn) else len(t.rounds)
    bye = t.rounds[number - 1].byes.get(me) if 0 < number <= len(t.rounds) else None
    games = [each for each in t.of_entrant(me) if not each.is_over and each.game.round == number]
    if form is FormatKey.ROUND_ROBIN:
        games = round_robin_games(message, t)
    played = {each.game.round for each in t.of_entrant(me) if each.is_over}
    if not games and bye is None:
        yield event.say("round {round} of {event} has begun.", round=number)
    elif not games and bye is not None:
        said = event.say("round {round} of {event}:", round=number)
        yield f"{said} {event.bye(bye, own=True)}"
    elif not form.facts.has_rounds or (form is FormatKey.KNOCKOUT and number in played):
        yield event.say("{event}: your next game")
    elif form is FormatKey.ROUND_ROBIN and message.detail != LATER:
        yield event.plural(
            "{event} has begun. You have {n} game:",
            "{event} has begun. You have {n} games:",
            n=len(games),
        )
    elif words.has_final(t.setup, number):
        yield event.say("you're at the final table of {event}. You play:")
    else:
        yield event.say("round {round} of {event} is paired. You play:", round=number)
    if games:
        yield from _my_games(event, games, me)
        due = setup_words.first_move_words(t.setup, event.language)
        yield from (f"-# {line}" for line in due)


def _my_games(event: EventText, games: Sequence[PlayedGame], me: int) -> Iterator[str]:
    """A line for each game, and when games that wait for room in the server begin."""
    shown = games[:_LISTED]
    yield from (_my_game(event, each, me) for each in shown)
    if event.view.wait is not None and any(each.game.id in event.view.waiting for each in shown):
        yield f"-# {words.wait_words(event)}"
    setup = event.setup
    at_once = setup.at_once and max(setup.at_once, setup.games_at_once)
    if 0 < at_once < len(games):
        said = event.plural(
            "You play {n} game at a time. The others begin as these end.",
            "You play {n} games at a time. The others begin as these end.",
            n=at_once,
        )
        yield f"-# {said}"


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
