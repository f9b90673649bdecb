"""Ratings: profiles and leaderboards. Changes nothing."""

from __future__ import annotations

from bot.domain.ids import UserId, read_id
from bot.errors import UserError
from bot.services.ratings import HeadToHead
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import Acting
from bot.ui.interaction.responses import Reply
from bot.ui.offers.option_text import find_game
from bot.ui.pages.components import File, Picture
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.display_names import clean
from bot.ui.ratings.rating_pages import leaderboard_page, profile_page
from games import catalog
from renderers import Style

_PLACES = 20


class Ranking(Acting):
    """Acts of those who want to know how strong somebody is."""

    async def profile(
        self, context: InteractionContext, user_id: UserId, game: str | None = None
    ) -> Reply:
        """``/profile``: somebody's ratings."""
        ratings = self.services.ratings
        key = None if game is None else find_game(game).info.key
        profile = await ratings.profile(user_id, key)
        played = key or (profile.standings[0].game if profile.standings else None)
        met: tuple[HeadToHead, ...] = ()
        if user_id != context.user_id:
            met = await ratings.head_to_head(context.user_id, user_id)
        graph = None
        if profile.graph and played is not None:
            points = tuple(each.points for each in profile.graph)
            graph = await self._graph(context, user_id, played, points)
        return profile_page(user_id, profile, graph, context.language, game=played, met=met)

    async def profile_of(self, context: InteractionContext, control: Control, game: str) -> Reply:
        """The menu of games on a profile."""
        user = read_id(control.arg)
        if user is None:
            raise UserError("out_of_date")
        return await self.profile(context, UserId(user), game)

    async def _graph(
        self, context: InteractionContext, user_id: UserId, game: str, points: tuple[int, ...]
    ) -> Picture | None:
        presenter, language = context.presenter, context.language
        name = clean(await presenter.names.name(user_id, language))
        style = Style(theme=presenter.theme, locale=language.locale, translate=language)
        title = language.say("{player} in {game}", player=name, game=catalog.GAMES[game].info.name)
        drawn = await presenter.pictures.graph(title, points, style)
        return None if drawn is None else Picture(File("rating.png", drawn.png), drawn.alt_text)

    async def leaderboard(
        self, context: InteractionContext, game: str | None, *, here: bool
    ) -> Reply:
        """``/leaderboard``: the best in a game."""
        key = find_game(game).info.key if game else next(iter(catalog.GAMES))
        guild = context.place.guild_id
        here = here and guild is not None
        found = await self.services.ratings.leaderboard(key, guild if here else None, _PLACES)
        return leaderboard_page(
            key,
            found,
            context.language,
            here=here,
            may_be_here=guild is not None,
            user_id=context.user_id,
        )

    async def leaderboard_of(
        self, context: InteractionContext, control: Control, game: str = ""
    ) -> Reply:
        """The menu of games on a leaderboard, or the button for the other one."""
        where, _, rest = control.arg.partition("/")
        return await self.leaderboard(context, game or rest, here=where == "here")
