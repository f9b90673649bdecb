"""Medals: the tournaments in which a player was among the first three."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.ids import UserId
from bot.domain.tournaments.tournament import TournamentStatus
from bot.errors import UserError
from bot.i18n import Language
from bot.services.tournaments.service import TournamentService
from bot.services.tournaments.views import EventView
from bot.ui.interaction.context import InteractionContext
from bot.ui.pages import match_text
from bot.ui.tournaments import words
from bot.ui.tournaments.event_lookup import visitor_of
from bot.ui.tournaments.home_page import MEDALS

_LOOKED_AT = 10
"""Tournaments that are looked at, the latest first."""
_FEW = 3
"""With fewer players the last of three would have a medal too."""


@dataclass(frozen=True, slots=True)
class Medal:
    """A place among the first three of an event."""

    rank: int
    view: EventView


async def medals_of(context: InteractionContext, user_id: UserId) -> tuple[Medal, ...]:
    """The medals of a person that the reader may know of: of this server, or of their own events.

    The best first.
    """
    service = context.services.of(TournamentService)
    found: list[Medal] = []
    over = [
        each
        for each in await service.of_person(user_id)
        if each.status is TournamentStatus.FINISHED and each.entrants > _FEW
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
    """What a person won in a tournament that is over, in its first division."""
    entrant = view.tournament.entrant_of(user_id)
    number = None if entrant is None else entrant.number
    place = next((each for each in view.podium if each.number == number), None)
    return None if place is None or place.division > 1 else Medal(place.rank, view)


def medal_line(medal: Medal, language: Language) -> str:
    """A medal in one line."""
    t = medal.view.tournament
    players = language.plural("{n} player", "{n} players", n=len(t.entrants))
    game = match_text.named_game(t.setup.game)
    title = words.event_title(t.setup)
    return f"{MEDALS[medal.rank - 1]} {title} · {game} · {players}"
