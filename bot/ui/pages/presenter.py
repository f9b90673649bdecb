"""Draws boards for pages: view, picture, text.

A :class:`BoardPresenter` holds what every page needs to show a board, and knows nothing of Discord.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random

from bot.domain import match_clock
from bot.domain.clock import Span
from bot.domain.game_state import game_of
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import Match
from bot.domain.preferences import Preferences, SideUp
from bot.domain.vacation import UserVacation
from bot.i18n import Language
from bot.media.pictures import PictureMaker
from bot.store.records import RatingChange
from bot.ui.pages.components import File, Part, Picture, gallery, pictured, text
from bot.ui.pages.display_names import NameBook
from games.api import OptionValue
from games.view import BoardView
from renderers import THEMES, Style, text_board


async def _none(_about: object) -> tuple[()]:
    return ()


def _nobody(_match: Match) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a match is stuck, in ``words``, and whether that ``stops`` the clock."""

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

    ``standstills`` are recent outages of a server; ``gains`` the rating changes of a match;
    ``vacations`` those of players; ``larger`` and ``flipped`` as in :class:`renderers.Style`;
    ``below`` finds the player whose side is at the bottom, if not the same in all matches;
    ``players`` are the names in a game that was not played here.
    """

    pictures: PictureMaker
    names: NameBook
    theme: str = "dark"
    standstills: Callable[[GuildId | None], tuple[Span, ...]] = lambda _: ()
    stopped: Callable[[Match], tuple[Span, ...]] = lambda _: ()
    obstacles: Callable[[Match, UserId, Language], Obstacle] = _no_obstacle
    viewer: UserId | None = None
    larger: bool = False
    flipped: bool = False
    letters: bool = False
    below: Callable[[Match], int | None] = _nobody
    gains: Callable[[Match], Awaitable[tuple[RatingChange, ...]]] = _none
    vacations: Callable[[tuple[UserId, ...]], Awaitable[tuple[UserVacation, ...]]] = _none
    players: tuple[str, ...] = ()

    def credited(self, match: Match) -> Match:
        """The match with outages given back to its clock, for showing it.

        So is the time in which the player on turn could not be told.
        """
        if match.deadline is None:
            return match
        stopped_spans = (*self.standstills(match.origin.guild_id), *self.stopped(match))
        return match_clock.credited(match, stopped_spans)

    def stopped_in(self, matches: Iterable[Match], language: Language) -> frozenset[MatchId]:
        """The matches whose clocks are stopped although there is a deadline."""
        stopped = (each.id for each in matches if self.obstacle(each, language).stops)
        return frozenset(stopped)

    def obstacle(self, match: Match, language: Language) -> Obstacle:
        """Why a match is stuck, for its private viewer."""
        return NO_OBSTACLE if self.viewer is None else self.obstacles(match, self.viewer, language)

    async def away(self, *matches: Match) -> tuple[UserVacation, ...]:
        """The vacations that stop clocks in running matches now, each once."""
        wanted = tuple(dict.fromkeys(each for match in matches for each in match.vacationers))
        return await self.vacations(wanted) if wanted else ()

    def in_theme(self, theme: str | None) -> BoardPresenter:
        """The same presenter in a theme, if there is such a theme."""
        return self if theme is None or theme not in THEMES else replace(self, theme=theme)

    def chosen_by(self, user_id: UserId, chosen: Preferences) -> BoardPresenter:
        """The same presenter with a player's settings, for them alone."""
        return replace(
            self.in_theme(chosen.theme),
            letters=chosen.letters,
            below={
                SideUp.SAME: _nobody,
                SideUp.MINE: lambda match: match.index_of(user_id),
                SideUp.MAKER: lambda match: match.offered_by,
            }[chosen.turned],
        )

    def plain_style(self, language: Language) -> Style:
        """The style of a board without a match."""
        return Style(
            theme=self.theme,
            locale=language.locale,
            translate=language,
            letters=self.letters,
        )

    async def style(self, match: Match, language: Language) -> Style:
        """The style of a match."""
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
            mine=self.below(match),
            letters=self.letters,
        )

    async def first_board(
        self, game: str, options: Mapping[str, OptionValue], language: Language
    ) -> Picture | None:
        """The first board of a game, None if it can't be drawn."""
        rules = game_of(game, options)
        view = rules.view(rules.initial(Random(_SEED)), None)  # noqa: S311 - for a picture
        style = self.plain_style(language)
        drawn = await self.pictures.picture(view, style)
        return None if drawn is None else Picture(File("start.png", drawn.png), drawn.alt_text)

    async def picture(
        self, match: Match, view: BoardView, language: Language, *, name: str = "board"
    ) -> Picture | None:
        """The picture of a view of a match, None if it can't be drawn."""
        drawn = await self.pictures.picture(view, await self.style(match, language))
        if drawn is None:
            return None
        return Picture(File(f"{name}.png", drawn.png), drawn.alt_text)

    async def pictured(
        self, match: Match, view: BoardView, language: Language, *, name: str
    ) -> list[Part]:
        """The part with the picture of a view, none if it can't be drawn."""
        return pictured(await self.picture(match, view, language, name=name))

    async def part(
        self,
        match: Match,
        view: BoardView,
        language: Language,
        *,
        name: str,
        in_letters: bool = False,
    ) -> Part:
        """The picture of a view; a text board if it can't be drawn, or is wanted ``in_letters``."""
        picture = None if in_letters else await self.picture(match, view, language, name=name)
        if picture is None:
            return text(await self.text(match, view, language))
        return gallery(picture)

    async def plain_part(
        self, view: BoardView, language: Language, *, name: str, in_letters: bool = False
    ) -> Part:
        """The same of a board without a match; ``in_letters`` as text."""
        style = self.plain_style(language)
        drawn = None if in_letters else await self.pictures.picture(view, style)
        if drawn is None:
            return text(text_board(view, style))
        return gallery(Picture(File(f"{name}.png", drawn.png), drawn.alt_text))

    async def text(self, match: Match, view: BoardView, language: Language) -> str:
        """The text board, in a block of even width."""
        return text_board(view, await self.style(match, language))
