"""The board of a match as it is to be shown: view, picture, words.

A :class:`BoardPresenter` holds what every page needs to show a board, and knows nothing of Discord.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

from bot.domain import match_clock
from bot.domain.clock import Span
from bot.domain.game_state import game_of
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import Match
from bot.domain.preferences import Preferences
from bot.domain.vacation import UserVacation
from bot.i18n import Language
from bot.services.ratings import RatingChange
from bot.ui.pages.components import File, Part, Picture, gallery, pictured, text
from bot.ui.pages.display_names import NameBook
from games.api import OptionValue
from games.view import BoardView
from renderers import THEMES, Replay, Style, Views, text_board
from renderers import Picture as DrawnPicture


class Pictures(Protocol):
    """Draws pictures."""

    async def picture(self, view: BoardView, style: Style) -> DrawnPicture | None:
        """The picture of a view, or None if it cannot be drawn now."""

    async def graph(
        self,
        title: str,
        points: Sequence[int],
        style: Style,
        *,
        start: int | None = None,
        of_moves: bool = False,
    ) -> DrawnPicture | None:
        """How a rating went from match to match, or None if it cannot be drawn now."""

    async def drawn(self, draw: Callable[[], DrawnPicture]) -> DrawnPicture | None:
        """What a function draws in a thread, or None if it cannot be drawn now."""

    async def film(
        self,
        key: Hashable,
        views: Views,
        style: Style,
        limit: int,
        run: Callable[[Callable[[], Replay]], Awaitable[Replay]],
    ) -> Replay | None:
        """A whole game in at most so many bytes, or None if it cannot be made now.

        ``run`` calls a function in a thread.
        """

    def close(self) -> None:
        """Finish what is being drawn or waits to be, and draw nothing else."""


async def _no_leaves(_people: tuple[UserId, ...]) -> tuple[UserVacation, ...]:
    return ()


async def _no_gains(_match: Match) -> tuple[RatingChange, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What is in the way of a match in ``words``, and whether it ``stops`` the clock."""

    words: str = ""
    stops: bool = False


NO_OBSTACLE = Obstacle()
_SEED = 1
"""For the first board of games whose set-up is drawn by lot: any will do."""


def _no_obstacle(_match: Match, _viewer: UserId, _language: Language) -> Obstacle:
    return NO_OBSTACLE


@dataclass(frozen=True, slots=True)
class BoardPresenter:
    """Draws boards for pages.

    ``standstills`` are the outages of late in a server; ``gains`` what a match did to ratings;
    ``leaves`` who of some people is on vacation; ``larger`` and ``flipped`` are as in
    :class:`renderers.Style`; in the matches of the person ``beside`` their side is at the bottom;
    ``players`` are the names of those who played a game that was not
    played here.
    """

    pictures: Pictures
    names: NameBook
    theme: str = "dark"
    standstills: Callable[[GuildId | None], tuple[Span, ...]] = lambda _: ()
    stopped: Callable[[Match], tuple[Span, ...]] = lambda _: ()
    obstacles: Callable[[Match, UserId, Language], Obstacle] = _no_obstacle
    viewer: UserId | None = None
    larger: bool = False
    flipped: bool = False
    letters: bool = False
    beside: UserId | None = None
    gains: Callable[[Match], Awaitable[tuple[RatingChange, ...]]] = _no_gains
    vacations: Callable[[tuple[UserId, ...]], Awaitable[tuple[UserVacation, ...]]] = _no_leaves
    players: tuple[str, ...] = ()

    def credited(self, match: Match) -> Match:
        """The match with outages given back to its clock already, for showing it.

        So is the time in which the player on turn could not be told, as if they were now.
        """
        if match.deadline is None:
            return match
        stopped_spans = (*self.standstills(match.origin.guild_id), *self.stopped(match))
        return match_clock.credited(match, stopped_spans)

    def stopped_in(self, matches: Iterable[Match], language: Language) -> frozenset[MatchId]:
        """The matches whose clocks do not run although there is a deadline, for their viewer."""
        stopped = (each.id for each in matches if self.obstacle(each, language).stops)
        return frozenset(stopped)

    def obstacle(self, match: Match, language: Language) -> Obstacle:
        """What is in the way of a match, for one who looks at it privately."""
        return NO_OBSTACLE if self.viewer is None else self.obstacles(match, self.viewer, language)

    async def away(self, *matches: Match) -> tuple[UserVacation, ...]:
        """The vacations that stop clocks in running matches now, each once."""
        wanted = tuple(dict.fromkeys(each for match in matches for each in match.vacationers))
        return await self.vacations(wanted) if wanted else ()

    def in_theme(self, theme: str | None) -> BoardPresenter:
        """The same presenter in a theme, if there is such a theme."""
        return self if theme is None or theme not in THEMES else replace(self, theme=theme)

    def chosen_by(self, user_id: UserId, chosen: Preferences) -> BoardPresenter:
        """The same presenter for what a person alone sees, as they have chosen."""
        beside = user_id if chosen.turned else None
        return replace(self.in_theme(chosen.theme), letters=chosen.letters, beside=beside)

    def plain_style(self, language: Language) -> Style:
        """How to show a board that is of no match to a reader of that language."""
        return Style(
            theme=self.theme,
            locale=language.locale,
            translate=language,
            letters=self.letters,
        )

    async def style(self, match: Match, language: Language) -> Style:
        """How to show a match to a reader of that language."""
        names = list(self.players)
        for player in match.players if not names else ():
            if player is None:
                names.append(language.say("Nobody yet"))
            else:
                names.append(await self.names.name(player, language))
        return Style(
            theme=self.theme,
            names=tuple(names),
            locale=language.locale,
            translate=language,
            larger=self.larger,
            flipped=self.flipped,
            mine=None if self.beside is None else match.index_of(self.beside),
            letters=self.letters,
        )

    async def first_board(
        self, game: str, options: Mapping[str, OptionValue], language: Language
    ) -> Picture | None:
        """The board that a match of a game begins with, None if it cannot be drawn."""
        rules = game_of(game, options)
        view = rules.view(rules.initial(Random(_SEED)), None)  # noqa: S311 - for a picture
        style = self.plain_style(language)
        drawn = await self.pictures.picture(view, style)
        return None if drawn is None else Picture(File("start.png", drawn.png), drawn.alt_text)

    async def picture(
        self, match: Match, view: BoardView, language: Language, *, name: str = "board"
    ) -> Picture | None:
        """The picture of a view of a match, None if it cannot be drawn."""
        drawn = await self.pictures.picture(view, await self.style(match, language))
        if drawn is None:
            return None
        return Picture(File(f"{name}.png", drawn.png), drawn.alt_text)

    async def pictured(
        self, match: Match, view: BoardView, language: Language, *, name: str
    ) -> list[Part]:
        """The part that shows a view of a match, none if it cannot be drawn."""
        return pictured(await self.picture(match, view, language, name=name))

    async def part(self, match: Match, view: BoardView, language: Language, *, name: str) -> Part:
        """The picture of a view, or the board as letters if it cannot be drawn."""
        picture = await self.picture(match, view, language, name=name)
        if picture is None:
            return text(await self.text(match, view, language))
        return gallery(picture)

    async def plain_part(
        self, view: BoardView, language: Language, *, name: str, in_letters: bool = False
    ) -> Part:
        """The same of a board that is of no match, or as letters where that is wanted."""
        style = self.plain_style(language)
        drawn = None if in_letters else await self.pictures.picture(view, style)
        if drawn is None:
            return text(text_board(view, style))
        return gallery(Picture(File(f"{name}.png", drawn.png), drawn.alt_text))

    async def text(self, match: Match, view: BoardView, language: Language) -> str:
        """The board as letters, in a block of even width."""
        return text_board(view, await self.style(match, language))
