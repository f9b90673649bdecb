"""The end of a tournament: winners, games worth a look, and the medals of a player's profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.i18n import Language
from bot.tournaments.domain.crosstable import WIN
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.tournament import PlayedGame, TournamentStatus
from bot.tournaments.services.service import TournamentService
from bot.tournaments.services.views import EventView
from bot.tournaments.ui import words
from bot.tournaments.ui.event_lookup import visitor_of
from bot.tournaments.ui.home_page import MEDALS, podium
from bot.tournaments.ui.words import EventText
from bot.ui.interaction.context import InteractionContext
from bot.ui.pages import match_text
from bot.ui.pages.components import Page, Part, Picture, container, gallery, rows, text
from games.view import Text

_GOLD = 0xD4A72C


def finished_page(event: EventText, picture: Picture | None = None) -> Page:
    """The champion, the table or bracket, and the games worth a look."""
    items: list[Part] = [text("\n".join([_heading(event), *podium(event)]))]
    if picture is not None:
        items.append(gallery(picture))
    games = _remarkable_lines(event)
    if games:
        items.append(text("\n".join([event.say("Games worth a look:"), *games])))
    buttons = [event.table_button(), event.button("tpairs"), event.button("tfiles")]
    return Page(container(*items, *rows(buttons), colour=_GOLD))


def _heading(event: EventText) -> str:
    cup = "🏆 " if event.view.champion else ""
    return f"## {cup}{champion_words(event)}"


def champion_words(event: EventText) -> str:
    """The winners of an event that is over; or just its end, if there are none."""
    champions = event.view.champion
    if not champions:
        return event.say("{event} is over.")
    if len(champions) == 1:
        return event.say("{player} wins {event}!", player=event.who(champions[0]))
    names = event.listed(event.who(each) for each in champions)
    return event.say("{players} share first place in {event}!", players=names)


def _remarkable_lines(event: EventText) -> Sequence[str]:
    lines = []
    for game, why in remarkable(event.view).items():
        board = words.board_link(event, game)
        where = f" · {board}" if board else ""
        result = words.result_of(event, event.t.games[game])
        lines.append(f"- {event(why)}: {result}{where}")
    return lines


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
        for each in await service.of_person(user_id)
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
