"""The home message of a tournament: terms, days, entrants; then the table and running games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.i18n import Language
from bot.tournaments.domain.crosstable import WIN
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import PlayedGame, TournamentStatus
from bot.tournaments.services.service import TournamentService
from bot.tournaments.services.views import EventView
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.ui import setup_words, words
from bot.tournaments.ui.event_lookup import visitor_of
from bot.tournaments.ui.ladder import open_challenges
from bot.tournaments.ui.words import EventText
from bot.ui.interaction.context import InteractionContext
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Page
from games.view import Text

_COLOURS = {
    TournamentStatus.REGISTRATION: 0x3F8F63,
    TournamentStatus.CLOSED: 0xC98A2B,
    TournamentStatus.RUNNING: 0x3D6FB4,
    TournamentStatus.FINISHED: 0xD4A72C,
    TournamentStatus.CANCELLED: 0x8A8F98,
}
_NAMED = 24
"""Entrants who are named before the rest are counted."""
_PLAYING = 8
"""Games in progress that are named."""
MEDALS = ("🥇", "🥈", "🥉")


def home_page(event: EventText, picture: ui.Picture | None = None) -> Page:
    """The present message; ``picture`` is its table or bracket once something was drawn."""
    t = event.t
    lines = [f"## {event.name}", setup_words.terms(t.setup, event.language)]
    mark = "" if t.paused_at is None or t.status.is_final else "⏸️ "
    lines.append(f"{mark}**{state_line(event)}**")
    items = [ui.text("\n".join(lines)), *ui.pictured(picture)]
    if said := "\n".join(_body(event)):
        items.append(ui.text(said))
    items += ui.rows(_buttons(event))
    return Page(ui.container(*items, colour=_COLOURS[t.status]))


def state_line(event: EventText) -> str:
    """The stage of the event, in one line."""
    t, form, number = event.t, event.setup.format, len(event.t.rounds)
    last = timestamp(t.finish, setup_words.last_day_style(t.begins, t.finish))
    if t.paused_at is not None and not t.status.is_final:
        return event.say("Paused. Nothing is paired or decided until a director resumes.")
    match t.status:
        case TournamentStatus.REGISTRATION if t.setup.late_entry:
            begins = f"{timestamp(t.begins, 'f')} ({timestamp(t.begins)})"
            return event.say("Play begins {begins}. Players can join later too.", begins=begins)
        case TournamentStatus.REGISTRATION:
            return event.say(
                "Join until {date} ({left}).",
                date=timestamp(t.closes, "f"),
                left=timestamp(t.closes),
            )
        case TournamentStatus.CLOSED:
            return event.say(
                "Registration is closed. Play begins {date}.", date=timestamp(t.begins, "f")
            )
        case TournamentStatus.CANCELLED:
            return event.say("This tournament was cancelled. It has no result.")
        case TournamentStatus.FINISHED:
            return event.say("This tournament is over.")
        case TournamentStatus.RUNNING if form is FormatKey.ARENA:
            end = timestamp(t.finish, "t")
            return event.say("Running until {end} ({left}).", end=end, left=timestamp(t.finish))
        case TournamentStatus.RUNNING if form is FormatKey.LADDER:
            return event.say("Running until {date}.", date=last)
        case TournamentStatus.RUNNING if not t.rounds:
            return event.say("The first round is being paired.")
    if form is FormatKey.ROUND_ROBIN:
        over = sum(each.is_over for each in t.games.values())
        return event.plural(
            "{over} of {n} game over. The last day is {date}.",
            "{over} of {n} games over. The last day is {date}.",
            n=len(t.games),
            over=over,
            date=last,
        )
    until = timestamp(t.rounds[-1].until, "f")
    if words.has_final(t.setup, number):
        return event.say("Final table, until {date}.", date=until)
    return event.say(
        "Round {round} of {rounds}, until {date}.",
        round=number,
        rounds=max(number, words.rounds_of(event.view)),
        date=until,
    )


def _body(event: EventText) -> Iterator[str]:
    match event.t.status:
        case TournamentStatus.REGISTRATION | TournamentStatus.CLOSED:
            yield from _before(event)
        case TournamentStatus.RUNNING:
            yield from _still_playing(event)
            yield from open_challenges(event, event.t.challenges[:_PLAYING])
            if event.t.climbs:  # the newest first
                yield event.say("Latest changes on the ladder:")
            for each in event.t.climbs:
                yield "- " + event.say(
                    "{player} climbed from rung {before} to {after}, {when}.",
                    player=event.who(each.entrant),
                    before=each.before,
                    after=each.after,
                    when=timestamp(each.at),
                )
        case TournamentStatus.FINISHED:
            yield from podium(event)


def _before(event: EventText) -> Iterator[str]:
    t, setup = event.t, event.setup
    yield "> " + setup_words.promise(setup, event.language)
    is_said = setup.late_entry or t.begins == t.closes
    if t.status is TournamentStatus.REGISTRATION and not is_said:
        yield event.say("Play begins {date}.", date=timestamp(t.begins, "f"))
    yield from setup_words.entry_lines(setup, event.language)
    count = len(t.active)
    joined = event.plural(
        "**{n} of {most}** player has joined",
        "**{n} of {most}** players have joined",
        by="most",
        n=count,
        most=setup.most,
    )
    named = event.some([event.who(each.number) for each in t.active], _NAMED)
    yield event.language.pair(joined, named) if count else f"{joined}."
    if t.unanswered:
        players = event.some([event.mention(each.user_id) for each in t.unanswered], _NAMED)
        yield event.say("Invited, not in yet: {players}", players=players)
    if count < setup.least:
        yield "-# " + event.plural(
            "At least {n} player is needed, or the tournament is cancelled.",
            "At least {n} players are needed, or the tournament is cancelled.",
            n=setup.least,
        )


def _still_playing(event: EventText) -> Iterator[str]:
    """The games that are not over, with links."""
    t = event.t
    pending = sorted(
        t.pending, key=lambda each: (not each.has_begun, each.game.round, each.game.board)
    )
    pairings = t.pairings(pending)
    if t.setup.both_sides:  # its games are named together, those that are over too
        open_ones = {each[0].game.pairing for each in pairings}
        pairings = tuple(
            each for each in t.pairings(t.games.values()) if each[0].game.pairing in open_ones
        )
    if pairings:
        yield event.say("Still being played:")
    elif t.setup.format is FormatKey.LADDER and t.paused_at is None:
        invites = event.say("Press **Challenge** to play a player above you.")
        yield event.say("No game is running.") + f" {invites}"
    elif not t.setup.format.facts.has_rounds:
        yield event.say("No game is running.")
    elif t.rounds:  # else the first one is being paired, as the state says
        yield event.say("All games of this round are over. The next round is on its way.")
    yield from (f"- {pairing_line(event, each)}" for each in pairings[:_PLAYING])
    if any(x.game.id in event.view.waiting for each in pairings[:_PLAYING] for x in each):
        yield f"-# {words.wait_words(event)}"
    more = len(pairings) - _PLAYING
    if more > 0:
        yield event.plural(
            "-# And {n} more: press Pairings.", "-# And {n} more: press Pairings.", n=more
        )


def pairing_line(event: EventText, games: Sequence[PlayedGame]) -> str:
    """The games of a pairing in a line: the first mover of the first, the sum, and each game."""
    if len(games) == 1:
        return game_line(event, games[0])
    between = event.players(games[0].game)
    total = event.pairing_score(games).text
    name = words.meeting_name(event, games[0].game)
    each_one = [_in_pairing(event, games[0], each) for each in games]
    if not any(each.is_over for each in games):
        each_one = list(dict.fromkeys(each_one))  # none has begun, say
    said = [f"{between} **{total}**" if total else between, name, *each_one]
    return " · ".join(each for each in said if each)


def _in_pairing(event: EventText, first: PlayedGame, played: PlayedGame) -> str:
    """The result of one of several games, in the player order of the first, or its board."""
    if not played.is_over:
        return _place_of(event, played)
    found = event.score(played)
    score = found.text if played.game.players == first.game.players else found.text[::-1]
    return f"{score} ({found.note})" if found.note else score


def game_line(event: EventText, played: PlayedGame) -> str:
    """The players of a game, its result or its place."""
    t = event.t
    if t.setup.format is FormatKey.ARENA and played.how is How.UNFINISHED:
        unfinished = event.say("not over at the end, so it doesn't count")
        return f"{event.players(played.game)} ({unfinished})"
    between = words.result_of(event, played)
    name = words.meeting_name(event, played.game)
    if name:
        between = f"{between} · {name}"
    if played.is_over:
        found = event.score(played)
        return f"{between} ({found.note})" if found.note else between
    place = _place_of(event, played)
    return f"{between} · {place}" if place else between


def _place_of(event: EventText, played: PlayedGame) -> str:
    """The place of a game, or that it has not begun."""
    link = event.view.matches.get(played.game.id)
    board = words.board_link(event, played.game.id)
    if board:
        return board
    if link is not None and link.is_direct:
        return event.say("in direct messages")
    if played.game.id in event.view.waiting:
        return event.say("waiting")
    if event.setup.at_once and link is None:
        return event.say("not begun")
    return ""


def podium(event: EventText) -> list[str]:
    """The first three of an event that is over, ties included."""
    if not event.view.has_places:
        return [event.say("No game was played, so nobody has won.")]
    return [f"{MEDALS[each.rank - 1]} {event.who(each.number)}" for each in event.view.podium[:6]]


def _buttons(event: EventText) -> list[ui.Button]:
    """The present buttons; without a version, so a click while others join still works."""
    t, one = event.t, event.button
    here = [one("there", ui.PRIMARY)] if event.view.calls else []
    after = [one("trules"), one("tmanage")]
    match t.status:
        case TournamentStatus.REGISTRATION:
            return [*here, one("tjoin", ui.SUCCESS), one("tleave"), one("tplayers"), *after]
        case TournamentStatus.CLOSED:
            return [*here, one("tplayers"), one("tmine"), *after]
        case TournamentStatus.RUNNING:
            # A ladder's games are in reach from the standings; six buttons fit on two lines.
            is_ladder = t.setup.format is FormatKey.LADDER
            second = one("tladder", ui.PRIMARY) if is_ladder else one("tpairs")
            join = [one("tjoin", ui.SUCCESS)] if t.is_open else []
            return [*join, event.table_button(), second, one("tmine"), *after]
        case TournamentStatus.FINISHED:
            return [event.table_button(), one("tpairs"), one("tmine"), one("tfiles"), *after]
    return [one("tplayers"), *after]


def finished_page(event: EventText, picture: ui.Picture | None = None) -> Page:
    """The champion, the table or bracket, and the games worth a look."""
    cup = "🏆 " if event.view.champion else ""
    heading = f"## {cup}{champion_words(event)}"
    items: list[ui.Part] = [ui.text("\n".join([heading, *podium(event)]))]
    items += ui.pictured(picture)
    games = []
    for game, why in remarkable(event.view).items():
        board = words.board_link(event, game)
        said = "- " + event.language.pair(event(why), words.result_of(event, event.t.games[game]))
        games.append(f"{said} · {board}" if board else said)
    if games:
        items.append(ui.text("\n".join([event.say("Games worth a look:"), *games])))
    buttons = [event.table_button(), event.button("tpairs"), event.button("tfiles")]
    return Page(ui.container(*items, *ui.rows(buttons), colour=_COLOURS[TournamentStatus.FINISHED]))


def champion_words(event: EventText) -> str:
    """The winners of an event that is over; or just its end, if there are none."""
    champions = event.view.champion
    if not champions:
        return event.say("{event} is over.")
    if len(champions) == 1:
        return event.say("{player} wins {event}!", player=event.who(champions[0]))
    names = event.listed(event.who(each) for each in champions)
    return event.say("{players} share first place in {event}!", players=names)


_SURPRISE = 50
"""Rating points by which the winner must have been behind."""
_SHORTEST = 4
"""The fewest moves of a remarkable game."""
_FEW = 3
"""With fewer games there is nothing to choose from."""


def remarkable(view: EventView) -> Mapping[str, Text]:
    """At most three games that ended on the board, with the reason to look at each."""
    games = [
        each
        for each in view.tournament.games.values()
        if each.how is How.PLAYED and _moves(view, each) >= _SHORTEST
    ]
    if len(games) < _FEW:
        return {}
    found: dict[str, Text] = {}
    surprise = max(games, key=lambda each: _surprise(view, each))
    by = _surprise(view, surprise)
    if by >= _SURPRISE:
        found[surprise.game.id] = Text.of("Surprise (rating difference {points})", points=by)
    longest = max(games, key=lambda each: _moves(view, each))
    moves = _moves(view, longest)
    found.setdefault(
        longest.game.id, Text.plural("Longest, {n} move", "Longest, {n} moves", n=moves)
    )
    won = [each for each in games if each.points is not None and WIN in each.points]
    if won:
        shortest = min(won, key=lambda each: _moves(view, each))
        moves = _moves(view, shortest)
        why = Text.plural("Shortest win, {n} move", "Shortest win, {n} moves", n=moves)
        found.setdefault(shortest.game.id, why)
    return found


def _moves(view: EventView, played: PlayedGame) -> int:
    link = view.matches.get(played.game.id)
    return 0 if link is None else link.ply


def _surprise(view: EventView, played: PlayedGame) -> int:
    """By how many rating points the winner was behind the loser; 0 if that is not known."""
    players, points = played.game.players, played.points
    if points is None or len(players) != 2 or WIN not in points:
        return 0
    winner = view.tournament.entrants[players[points.index(WIN)] - 1]
    loser = view.tournament.entrants[players[1 - points.index(WIN)] - 1]
    if winner.rating is None or loser.rating is None:
        return 0
    return max(0, loser.rating - winner.rating)


_LOOKED_AT = 10
"""The number of tournaments to look at, the latest first."""
_MEDALLED = 3
"""With fewer players the last of three would have a medal too."""


@dataclass(frozen=True, slots=True)
class Medal:
    """A place among the first three of an event."""

    rank: int
    view: EventView


async def medals_of(context: InteractionContext, user_id: UserId) -> tuple[Medal, ...]:
    """The medals of a person that the reader may see: of this server, or of their own events.

    The best first.
    """
    service = context.services.of(TournamentService)
    found: list[Medal] = []
    over = [
        each
        for each in await context.services.store.read(tournament_reading.of_person, user_id)
        if each.status is TournamentStatus.FINISHED and each.entrants > _MEDALLED
    ]
    for each in over[:_LOOKED_AT]:
        try:
            view = await service.tournament(visitor_of(context), each.id)
        except UserError:
            continue
        medal = medal_in(view, user_id)
        if medal is not None:
            found.append(medal)
    return tuple(sorted(found, key=lambda medal: medal.rank))


def medal_in(view: EventView, user_id: UserId) -> Medal | None:
    """A person's medal in a tournament that is over, in its first division."""
    entrant = view.tournament.entrant_of(user_id)
    place = None if entrant is None else view.place_of(entrant.number)
    if place not in view.podium:
        return None
    return None if place is None or place.division > 1 else Medal(place.rank, view)


def medal_line(medal: Medal, language: Language) -> str:
    """A medal in one line."""
    t = medal.view.tournament
    players = language.plural("{n} player", "{n} players", n=len(t.entrants))
    game = match_text.named_game(t.setup.game)
    title = words.event_title(t.setup)
    return f"{MEDALS[medal.rank - 1]} {title} · {game} · {players}"
