"""Ratings: profiles and leaderboards."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Optional

import discord

from bot.domain.game_state import game_of, game_state_of
from bot.domain.ids import UserId
from bot.domain.match import Match
from bot.errors import UserError
from bot.i18n import Language, Sentences
from bot.services.ratings import Profile
from bot.store import rating_lists, transactions
from bot.store.records import PlayerRating, Win
from bot.tournaments.ui.home_page import medal_line, medals_of
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import described
from bot.ui.interaction.registry import Click, id_in, on_button, on_menu
from bot.ui.interaction.sharing import private_page, share
from bot.ui.interaction.slash import command, game_choices, on_person, text_choices
from bot.ui.offers.option_text import find_game
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.display_names import clean
from games import catalog
from games.view import Text

LAST = 10


class ResultMark(Enum):
    """The result of a match for one of its players; the value is its mark."""

    WON = "🟩"
    DRAWN = "⬜"
    LOST = "🟥"


def score(match: Match, user_id: UserId, other: UserId | None = None) -> ResultMark | None:
    """The result of a match for a player, only against ``other`` where more have played.

    None if it has no result.
    """
    result = match.result
    if result is None:
        return None
    won = match.index_of(user_id) in result.winners
    if other is not None and won == (match.index_of(other) in result.winners):
        return ResultMark.DRAWN
    if won:
        return ResultMark.WON
    beaten = bool(result.winners) if other is None else True
    return ResultMark.LOST if beaten else ResultMark.DRAWN


def tally(scores: Sequence[ResultMark], language: Language) -> str:
    """``6 won, 1 drawn, 3 lost``."""
    return language.say(
        "{won} won, {drawn} drawn, {lost} lost",
        won=scores.count(ResultMark.WON),
        drawn=scores.count(ResultMark.DRAWN),
        lost=scores.count(ResultMark.LOST),
    )


def streak(scores: Sequence[ResultMark]) -> int:
    """The present number of wins in a row; ``scores`` begin with the last."""
    lost = (number for number, each in enumerate(scores) if each is not ResultMark.WON)
    return next(lost, len(scores))


def longest_streak(scores: Sequence[ResultMark]) -> int:
    """The most wins in a row."""
    best = now = 0
    for each in scores:
        now = now + 1 if each is ResultMark.WON else 0
        best = max(best, now)
    return best


def by_side(matches: Sequence[Match], user_id: UserId, game: str) -> dict[int, list[ResultMark]]:
    """A player's results in a game by their final seat; only games of two sides."""
    found: dict[int, list[ResultMark]] = {}
    for match in matches:
        came = score(match, user_id)
        if match.game != game or came is None or len(match.players) != 2:
            continue
        try:
            table = game_state_of(match)
        except UserError:
            continue  # its rules are no longer installed
        seating = table.game.seating(table.position)
        player = match.index_of(user_id)
        if player is not None and player in seating:
            found.setdefault(seating.index(player), []).append(came)
    return dict(sorted(found.items()))


def card_lines(
    matches: Sequence[Match], user_id: UserId, game: str | None, language: Language
) -> list[str]:
    """The lines of a profile about finished matches, the last of which comes first."""
    scores = [came for each in matches if (came := score(each, user_id)) is not None]
    if not scores:
        return []
    last = scores[:LAST]
    marks = "".join(each.value for each in reversed(last))
    recent = language.plural(
        "Last match: {marks}", "Last {count}: {marks}", by="count", count=len(last), marks=marks
    )
    lines = Sentences(language, f"{recent} · {tally(last, language)}")
    longest = longest_streak(scores)
    if longest > 1:
        lines.say("Wins in a row: {now} now, {most} at best", now=streak(scores), most=longest)
    if game in catalog.GAMES:
        info = catalog.GAMES[game].info
        seats = game_of(game, info.resolve({})).seats
        for seat, results in by_side(matches, user_id, game).items():
            side = f"{info.name} · {language(seats[seat].name)}"
            lines.append(language.pair(side, tally(results, language)))
    return lines


def win_lines(wins: Sequence[Win], language: Language) -> list[str]:
    """The best wins, one a line."""
    return [
        language.say(
            "{game}: beat {player} ({points}) {time}",
            game=catalog.GAMES[win.game].info.name,
            player=match_text.mention(win.other, language),
            points=win.points,
            time=timestamp(win.at),
        )
        for win in wins
        if win.game in catalog.GAMES
    ]


_MEDALS = ("🥇", "🥈", "🥉")


def _line(standing: PlayerRating, language: Language) -> str:
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
    return f"{match_text.named_game(standing.game)} **{standing}** · {said}"


def _met(met: Sequence[Match], user_id: UserId, viewer: UserId, language: Language) -> str:
    scores = [came for each in met if (came := score(each, viewer, user_id)) is not None]
    return language.say(
        "You against {player}: {won} won, {drawn} drawn, {lost} lost",
        player=match_text.mention(user_id, language),
        won=scores.count(ResultMark.WON),
        drawn=scores.count(ResultMark.DRAWN),
        lost=scores.count(ResultMark.LOST),
    )


def profile_page(
    user_id: UserId,
    profile: Profile,
    graph: ui.Picture | None,
    language: Language,
    *,
    game: str | None,
    viewer: UserId,
    met: Sequence[Match] = (),
    medals: Sequence[str] = (),
    played: Sequence[Match] = (),
    wins: Sequence[Win] = (),
    note: str = "",
    may_share: bool = False,
    private: bool = True,
) -> Reply:
    """A player's ratings, one graph, and the viewer's results against them.

    ``met`` are the matches of the player and the ``viewer``, ``played`` the finished ones, the last
    first, ``wins`` the best wins; ``medals`` are lines about tournaments. A page that is not
    ``private`` has no controls.
    """
    title = language.say("Ratings of {player}", player=match_text.mention(user_id, language))
    items: list[ui.Part] = [ui.text(f"### {title}")]
    if medals:
        items.append(ui.text("\n".join(medals)))
    record = card_lines(played, user_id, game, language)
    against = [_met(met, user_id, viewer, language)] if met else []
    sharing = ui.rows([ui.button(Control("sharecard", arg=game or ""), language.say("Share here"))])
    below: list[ui.Part] = [*(sharing if may_share else ()), *([ui.text(note)] if note else ())]
    if not profile.standings:
        items += [ui.text("\n".join(lines)) for lines in (record, against) if lines]
        none = language.say("No rated matches yet. Offer one with /play and choose rated.")
        items += [ui.text(none)] if private else []
        return Reply(none, Page(*items, *below))
    lines = [_line(standing, language) for standing in profile.standings]
    if any(standing.is_provisional for standing in profile.standings):
        lines.append("-# " + language.say("? = provisional"))
    if profile.graph:
        since = timestamp(profile.graph[0].at, "D")
        lines.append("-# " + language.say("Rated since {day}", day=since))
    items.append(ui.text("\n".join(lines)))
    best = win_lines(wins, language)
    if best:
        best.insert(0, language.say("Best wins"))
    items += [ui.text("\n".join(each)) for each in (record, best, against) if each]
    items += ui.pictured(graph)
    if private and len(profile.standings) > 1:
        control = Control("profile", arg=str(user_id))
        rated = [
            (each.game, match_text.named_game(each.game), str(each)) for each in profile.standings
        ]
        items.append(ui.choice_menu(control, language.say("Game"), rated, game or ""))
    return Reply(title, Page(*items, *below))


def leaderboard_page(
    game: str,
    standings: Sequence[PlayerRating],
    language: Language,
    *,
    here: bool,
    may_be_here: bool,
    user_id: UserId,
    place: int | None = None,
) -> Reply:
    """The best players of a game, here or everywhere; the reader's line is highlighted."""
    name = match_text.named_game(game)
    title = (
        language.say("Best players of {game} here", game=name)
        if here
        else language.say("Best players of {game} everywhere", game=name)
    )
    lines = Sentences(language)
    for number, standing in enumerate(standings):
        mark = _MEDALS[number] if number < len(_MEDALS) else f"{number + 1}."
        line = f"{mark} {match_text.mention(standing.user_id, language)} **{standing}**"
        said = language.plural(
            "{matches} match", "{matches} matches", by="matches", matches=standing.record.matches
        )
        own = standing.user_id == user_id
        lines.append(f"> {line} · {said}" if own else f"{line} · {said}")
    if place is not None:
        lines.say("Your place: {place}", place=place)
    if any(standing.is_provisional for standing in standings):
        lines.append("-# " + language.say("? = provisional, listed after all others"))
    if not lines:
        lines.say("Nobody has finished a rated match yet. Offer one with /play and choose rated.")
    games = [(key, kind.info.name) for key, kind in catalog.GAMES.items()]
    where = "here" if here else "all"
    items: list[ui.Part] = [
        ui.text(f"### {title}"),
        ui.text("\n".join(lines)),
        ui.choice_menu(Control("leaders", arg=where), language.say("Game"), games, game),
    ]
    if may_be_here:
        other, label = (
            (f"all/{game}", language.say("Everywhere"))
            if here
            else (f"here/{game}", language.say("In this server"))
        )
        items += ui.rows([ui.button(Control("best", arg=other), label)])
    return Reply(title, Page(*items))


_PLACES = 20
_WHERE = {"here": Text.of("In this server"), "all": Text.of("Everywhere")}
_COUNTED = 300
_MET = 500
_BEST_WINS = 3


@on_person(Text.of("Ratings"))
@command(
    "profile",
    Text.of("Show a player's ratings and history"),
    fields={"player": Text.of("Player (default: you)"), "game": Text.of("Game")},
    choices={"game": game_choices},
    personal=True,
)
async def profile(
    context: InteractionContext,
    player: Optional[discord.User] = None,  # noqa: UP045 - read at run time
    game: Optional[str] = None,  # noqa: UP045
) -> Reply:
    """``/profile``, and **Ratings** in the menu on a person: a player's ratings."""
    of = context.user_id
    if player is not None:
        of = described(player)
        context.reader.names.note(of, player.display_name)
    return await _profile(context, of, game)


@command(
    "leaderboard",
    Text.of("Show the best players of a game"),
    fields={
        "game": Text.of("Game"),
        "where": Text.of("This server or everywhere (default: this server)"),
    },
    choices={"game": game_choices, "where": text_choices(_WHERE)},
)
async def leaderboard(
    context: InteractionContext,
    game: Optional[str] = None,  # noqa: UP045
    where: Optional[str] = None,  # noqa: UP045
) -> Reply:
    """``/leaderboard``: the best in a game."""
    return await _leaderboard(context, game, here=where != "all")


async def _profile(
    context: InteractionContext,
    user_id: UserId,
    game: str | None = None,
    *,
    note: str = "",
    may_share: bool = True,
    private: bool = True,
) -> Reply:
    ratings = context.services.ratings
    key = None if game is None else find_game(game).info.key
    profile = await ratings.profile(user_id, key)
    played = key or (profile.standings[0].game if profile.standings else None)
    store = context.services.store
    met: tuple[Match, ...] = ()
    if user_id != context.user_id:
        met = await store.read(transactions.met, context.user_id, user_id, _MET)
    finished = await context.services.matches.over_of(context.actor, user_id, _COUNTED)
    wins = await store.read(rating_lists.best_wins, user_id, _BEST_WINS)
    graph = None
    if profile.graph and played is not None:
        graph = await _graph(context, user_id, played, profile)
    medals = [medal_line(each, context.language) for each in await medals_of(context, user_id)]
    return profile_page(
        user_id,
        profile,
        graph,
        context.language,
        game=played,
        viewer=context.user_id,
        met=met,
        medals=medals,
        played=finished,
        wins=wins,
        note=note,
        may_share=may_share
        and user_id == context.user_id
        and bool(profile.standings or finished)
        and context.interaction.guild_id is not None,
        private=private,
    )


@on_button("sharecard")
async def share_profile(context: InteractionContext, click: Click) -> Reply:
    """**Share here** on one's own profile, once."""
    page_id, user_id, game = private_page(context), context.user_id, click.arg or None

    async def public(everyone: InteractionContext) -> Reply:
        return await _profile(everyone, user_id, game, may_share=False, private=False)

    note, is_shared = await share(context, page_id, public)
    return await _profile(context, user_id, game, note=note, may_share=not is_shared)


@on_menu("profile")
async def profile_of(context: InteractionContext, click: Click) -> Reply:
    """The menu of games on a profile."""
    return await _profile(context, id_in(click.arg), click.value)


async def _graph(
    context: InteractionContext, user_id: UserId, game: str, profile: Profile
) -> ui.Picture | None:
    name = clean(await context.reader.name(user_id))
    style, info = context.reader.plain_style(), catalog.GAMES[game].info
    title = style.say("{player} in {game}", player=name, game=info.name)
    points = tuple(each.points for each in profile.graph)
    drawn = await context.reader.pictures.graph(title, points, style, start=profile.start)
    return ui.picture("rating", drawn)


async def _leaderboard(context: InteractionContext, game: str | None, *, here: bool) -> Reply:
    key = find_game(game).info.key if game else next(iter(catalog.GAMES))
    guild = context.place.guild_id
    here = here and guild is not None
    found = await context.services.ratings.leaderboard(key, guild if here else None, _PLACES)
    return leaderboard_page(
        key,
        found,
        context.language,
        here=here,
        may_be_here=guild is not None,
        user_id=context.user_id,
        place=await context.services.ratings.place(context.user_id, key, guild if here else None),
    )


@on_button("best")
@on_menu("leaders")
async def leaderboard_of(context: InteractionContext, click: Click) -> Reply:
    """The menu of games on a leaderboard, or the button for the other one."""
    where, _, rest = click.arg.partition("/")
    return await _leaderboard(context, click.value or rest, here=where == "here")
