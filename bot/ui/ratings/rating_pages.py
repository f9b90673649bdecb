"""Ratings on pages: a person's profile, and the best of a game."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.ids import UserId
from bot.i18n import Language
from bot.services.ratings import HeadToHead, Profile, Standing
from bot.ui.pages import match_text
from bot.ui.pages.components import (
    CHOICES,
    Option,
    Part,
    Picture,
    button,
    gallery,
    menu,
    rows,
    text,
)
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.reply import Page, Reply
from games import catalog

_MEDALS = ("🥇", "🥈", "🥉")


def shown(standing: Standing) -> str:
    """The rating as a number, with a question mark while it is uncertain."""
    return f"{standing.points}{'?' if standing.is_provisional else ''}"


def _game_name(game: str) -> str:
    kind = catalog.GAMES.get(game)
    return kind.info.name if kind is not None else game


def _line(standing: Standing, language: Language) -> str:
    record = standing.record
    said = language.plural(
        "{matches} match: {won} won, {drawn} drawn, {lost} lost",
        "{matches} matches: {won} won, {drawn} drawn, {lost} lost",
        by="matches",
        matches=record.matches,
        won=record.won,
        drawn=record.drawn,
        lost=record.lost,
    )
    return f"{_game_name(standing.game)} **{shown(standing)}** · {said}"


def _met(met: Sequence[HeadToHead], user_id: UserId, language: Language) -> str:
    """How two people stand against each other, as the reader sees it."""
    won = sum(each.rank < each.other_rank for each in met)
    lost = sum(each.rank > each.other_rank for each in met)
    return language.say(
        "You against {player}: {won} won, {drawn} drawn, {lost} lost",
        player=match_text.mention(user_id, language),
        won=won,
        drawn=len(met) - won - lost,
        lost=lost,
    )


def profile_page(
    user_id: UserId,
    profile: Profile,
    graph: Picture | None,
    language: Language,
    *,
    game: str | None,
    met: Sequence[HeadToHead] = (),
    medals: Sequence[str] = (),
) -> Reply:
    """Somebody's ratings, the graph of one of them, and how the reader has done against them.

    ``medals`` are the lines of tournaments in which they were among the first.
    """
    title = language.say("Ratings of {player}", player=match_text.mention(user_id, language))
    items: list[Part] = [text(f"### {title}")]
    if medals:
        items.append(text("\n".join(medals)))
    if not profile.standings:
        none = language.say("No rated matches yet. Offer one with /play and choose rated.")
        return Reply(none, Page(*items, text(none)))
    lines = [_line(standing, language) for standing in profile.standings]
    if any(standing.is_provisional for standing in profile.standings):
        lines.append("-# " + language.say("? = provisional"))
    items.append(text("\n".join(lines)))
    if met:
        items.append(text(_met(met, user_id, language)))
    if graph is not None:
        items.append(gallery(graph))
    if len(profile.standings) > 1:
        options = [
            Option(
                standing.game,
                _game_name(standing.game),
                shown(standing),
                chosen=standing.game == game,
            )
            for standing in profile.standings[:CHOICES]
        ]
        items.append(menu(Control("profile", arg=str(user_id)), language.say("Game"), options))
    files = () if graph is None else (graph.file,)
    return Reply(title, Page(*items), files)


def leaderboard_page(
    game: str,
    standings: Sequence[Standing],
    language: Language,
    *,
    here: bool,
    may_be_here: bool,
    user_id: UserId,
) -> Reply:
    """The best of a game, in this server or everywhere; the reader's own line stands out."""
    name = _game_name(game)
    title = (
        language.say("Best players of {game} here", game=name)
        if here
        else language.say("Best players of {game} everywhere", game=name)
    )
    lines = []
    for place, standing in enumerate(standings):
        mark = _MEDALS[place] if place < len(_MEDALS) else f"{place + 1}."
        line = f"{mark} {match_text.mention(standing.user_id, language)} **{shown(standing)}**"
        said = language.plural(
            "{matches} match", "{matches} matches", by="matches", matches=standing.record.matches
        )
        own = standing.user_id == user_id
        lines.append(f"> {line} · {said}" if own else f"{line} · {said}")
    if any(standing.is_provisional for standing in standings):
        lines.append("-# " + language.say("? = provisional"))
    if not lines:
        lines.append(
            language.say(
                "Nobody has finished a rated match yet. Offer one with /play and choose rated."
            )
        )
    games = [
        Option(key, kind.info.name, chosen=key == game)
        for key, kind in list(catalog.GAMES.items())[:CHOICES]
    ]
    where = "here" if here else "all"
    items: list[Part] = [
        text(f"### {title}"),
        text("\n".join(lines)),
        menu(Control("leaders", arg=where), language.say("Game"), games),
    ]
    if may_be_here:
        other, label = (
            (f"all/{game}", language.say("Everywhere"))
            if here
            else (f"here/{game}", language.say("In this server"))
        )
        items += rows([button(Control("best", arg=other), label)])
    return Reply(title, Page(*items))
