"""A tournament's document with its games: played through, and drawn as far as there is room."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Protocol, TypeVar

from bot.domain.playthrough import moves_of, play_through
from bot.errors import UserError
from bot.services.tournaments.views import BegunGame
from bot.ui.history.film_views import plain_outcome
from bot.ui.pages import match_text
from bot.ui.pages.presenter import BoardPresenter
from bot.ui.tournaments.web_page import EventDocument, WebGame, shown_first
from bot.ui.web.boards import Album, DrawnGame, drawn
from renderers import Style

T = TypeVar("T")


class Run(Protocol):
    """Does work in a thread; raises :exc:`~bot.errors.UserError` where it must not be done now."""

    async def __call__(self, work: Callable[[], T], /) -> T:
        """What the work returns or raises."""
        ...


@dataclass(frozen=True, slots=True)
class Written:
    """A document, and the games in it that have no pictures, by id."""

    content: bytes
    without: tuple[str, ...]


async def write_document(
    document: EventDocument,
    begun: Sequence[BegunGame],
    presenter: BoardPresenter,
    run: Run,
    limit: int,
) -> Written:
    """The document of an event in at most ``limit`` bytes, with boards of as many games as fit.

    Games are drawn one by one, the newest round first. Where ``run`` refuses one, or there is no
    room for its pictures, it has its moves alone. Raises ``file_too_large`` where not even the
    words fit, and what ``run`` does before the first game.
    """
    by_id = {each.id: each for each in begun}
    order = [
        by_id[each.game.id] for each in shown_first(document.event.view) if each.game.id in by_id
    ]
    language, games, styles = document.event.language, {}, {}
    for each in order:
        style = styles[each.id] = await presenter.style(each.match, language)
        said = match_text.turn(each.match, language)
        outcome = plain_outcome(each.match, said, style.names, language)
        games[each.id] = WebGame(moves_of(each.events), outcome)
    bare = await run(replace(document, games=MappingProxyType(games)).made)
    if len(bare) > limit:
        raise UserError("file_too_large")
    album = Album(limit - len(bare))
    for each in order:
        try:
            found = await run(partial(_drawn, each, styles[each.id]))
        except UserError:
            break
        board = None if found is None else album.add(found)
        games[each.id] = replace(games[each.id], board=board)
    whole = replace(document, games=MappingProxyType(games), images=album.images)
    content = await asyncio.to_thread(whole.made) if album.images else bare
    without = tuple(name for name, game in games.items() if game.moves and game.board is None)
    return Written(content, without)


def _drawn(game: BegunGame, style: Style) -> DrawnGame | None:
    """The boards of a game; None where they cannot be drawn, as where its rules have changed."""
    try:
        return drawn(play_through(game.match, game.events), style)
    except UserError:
        return None
