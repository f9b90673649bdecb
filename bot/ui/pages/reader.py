"""The reader of a page: their language, the names they see, and how boards look to them."""

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
from bot.ui.pages import components as ui
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


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of a page: one person, or everybody in a channel. Knows nothing of Discord.

    ``standstills`` are recent outages of a server; ``gains`` the rating changes of a match;
    ``vacations`` those of players; ``larger`` and ``flipped`` as in :class:`renderers.Style`;
    ``below`` finds the player whose side is at the bottom, if not the same in all matches;
    ``viewer`` is the one person who reads it, ``players`` are the names in a game that was not
    played here.
    """

    pictures: PictureMaker
    names: NameBook
    language: Language
    theme: str = "dark"
    standstills: Callable[[GuildId | None], tuple[Span, ...]] = lambda _: ()
    stopped: Callable[[Match], tuple[Span, ...]] = lambda _: ()
    obstacles: Callable[[Match, UserId, Language], Obstacle] = lambda *_: NO_OBSTACLE
    viewer: UserId | None = None
    larger: bool = False
    flipped: bool = False
    letters: bool = False
    below: Callable[[Match], int | None] = _nobody
    gains: Callable[[Match], Awaitable[tuple[RatingChange, ...]]] = _none
    vacations: Callable[[tuple[UserId, ...]], Awaitable[tuple[UserVacation, ...]]] = _none
    players: tuple[str, ...] = ()

    async def name(self, user_id: UserId) -> str:
        """The name of a player, fetched if need be."""
        return await self.names.name(user_id, self.language)

    def credited(self, match: Match) -> Match:
        """The match with outages given back to its clock, for showing it.

        So is the time in which the player on turn could not be told.
        """
        if match.deadline is None:
            return match
        stopped_spans = (*self.standstills(match.origin.guild_id), *self.stopped(match))
        return match_clock.credited(match, stopped_spans)

    def stopped_in(self, matches: Iterable[Match]) -> frozenset[MatchId]:
        """The matches whose clocks are stopped although there is a deadline."""
        return frozenset(each.id for each in matches if self.obstacle(each).stops)

    def obstacle(self, match: Match) -> Obstacle:
        """Why a match is stuck, for its private viewer."""
        if self.viewer is None:
            return NO_OBSTACLE
        return self.obstacles(match, self.viewer, self.language)

    async def away(self, *matches: Match) -> tuple[UserVacation, ...]:
        """The vacations that stop clocks in running matches now, each once."""
        wanted = tuple(dict.fromkeys(each for match in matches for each in match.vacationers))
        return await self.vacations(wanted) if wanted else ()

    def in_theme(self, theme: str | None) -> Reader:
        """The same with boards in a theme, if there is such a theme."""
        return self if theme is None or theme not in THEMES else replace(self, theme=theme)

    def chosen_by(self, user_id: UserId, chosen: Preferences) -> Reader:
        """The same with boards as a player's settings want them, for them alone."""
        return replace(
            self.in_theme(chosen.theme),
            letters=chosen.letters,
            below={
                SideUp.SAME: _nobody,
                SideUp.MINE: lambda match: match.index_of(user_id),
                SideUp.MAKER: lambda match: match.offered_by,
            }[chosen.turned],
        )

    def plain_style(self) -> Style:
        """The style of a board without a match."""
        return Style(
            theme=self.theme,
            locale=self.language.locale,
            translate=self.language,
            letters=self.letters,
        )

    async def style(self, match: Match) -> Style:
        """The style of a match."""
        names = list(self.players)
        for player in match.players if not names else ():
            nobody = self.language.say("Nobody yet")
            names.append(nobody if player is None else await self.name(player))
        return replace(
            self.plain_style(),
            names=tuple(names),
            larger=self.larger,
            flipped=self.flipped,
            mine=self.below(match),
        )

    async def first_board(self, game: str, options: Mapping[str, OptionValue]) -> ui.Picture | None:
        """The first board of a game, None if it can't be drawn."""
        rules = game_of(game, options)
        view = rules.view(rules.initial(Random(_SEED)), None)  # noqa: S311 - for a picture
        return await self.plain_picture(view, name="start")

    async def picture(
        self, match: Match, view: BoardView, *, name: str = "board"
    ) -> ui.Picture | None:
        """The picture of a view of a match, None if it can't be drawn."""
        return ui.picture(name, await self.pictures.picture(view, await self.style(match)))

    async def plain_picture(self, view: BoardView, *, name: str) -> ui.Picture | None:
        """The same of a board without a match."""
        return ui.picture(name, await self.pictures.picture(view, self.plain_style()))

    async def pictured(self, match: Match, view: BoardView, *, name: str) -> list[ui.Part]:
        """The part with the picture of a view, none if it can't be drawn."""
        return ui.pictured(await self.picture(match, view, name=name))

    async def part(
        self, match: Match, view: BoardView, *, name: str, in_letters: bool = False
    ) -> ui.Part:
        """The picture of a view; a text board if it can't be drawn, or is wanted ``in_letters``."""
        picture = None if in_letters else await self.picture(match, view, name=name)
        if picture is None:
            return ui.text(await self.text(match, view))
        return ui.gallery(picture)

    async def plain_part(self, view: BoardView, *, name: str, in_letters: bool = False) -> ui.Part:
        """The same of a board without a match; ``in_letters`` as text."""
        picture = None if in_letters else await self.plain_picture(view, name=name)
        if picture is None:
            return ui.text(text_board(view, self.plain_style()))
        return ui.gallery(picture)

    async def text(self, match: Match, view: BoardView) -> str:
        """The text board, in a block of even width."""
        return text_board(view, await self.style(match))
