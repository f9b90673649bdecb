"""Ratings on pages: a player's profile with what their matches come to, and the best of a game."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from bot.domain.game_state import game_of, game_state_of
from bot.domain.ids import UserId
from bot.domain.match import Match
from bot.errors import UserError
from bot.i18n import Language
from bot.services.ratings import PlayerRating, Profile
from bot.store.records import Win
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import (
    Control,
    Page,
    Part,
    Picture,
    Reply,
    button,
    choice_menu,
    gallery,
    rows,
    text,
)
from games import catalog

LAST = 10


class ResultMark(Enum):
    """How a match ended for one of its players; the value is its mark in a row of results."""

    WON = "🟩"
    DRAWN = "⬜"
    LOST = "🟥"


def score(match: Match, user_id: UserId, other: UserId | None = None) -> ResultMark | None:
    """How a match ended for a person, against one ``other`` where more have played.

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
    """How many of the last matches in a row were won; ``scores`` begin with the last."""
    lost = (number for number, each in enumerate(scores) if each is not ResultMark.WON)
    return next(lost, len(scores))


def longest_streak(scores: Sequence[ResultMark]) -> int:
    """The most matches in a row that were won."""
    best = now = 0
    for each in scores:
        now = now + 1 if each is ResultMark.WON else 0
        best = max(best, now)
    return best


def by_side(matches: Sequence[Match], user_id: UserId, game: str) -> dict[int, list[ResultMark]]:
    """The results in a game by the seat in which the person ended it; of two-sided games alone."""
    found: dict[int, list[ResultMark]] = {}
    for match in matches:
        came = score(match, user_id)
        if match.game != game or came is None or len(match.players) != 2:
            continue
        try:
            table = game_state_of(match)
        except UserError:
            continue  # its rules are gone
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
    lines = [
        language.plural(
            "Last match: {marks}", "Last {count}: {marks}", by="count", count=len(last), marks=marks
        )
        + f" · {tally(last, language)}"
    ]
    longest = longest_streak(scores)
    if longest > 1:
        lines.append(
            language.say(
                "Wins in a row: {now} now, {most} at best", now=streak(scores), most=longest
            )
        )
    if game in catalog.GAMES:
        info = catalog.GAMES[game].info
        seats = game_of(game, info.resolve({})).seats
        for seat, results in by_side(matches, user_id, game).items():
            lines.append(f"{info.name}, {language(seats[seat].name)}: {tally(results, language)}")
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


def rating_text(standing: PlayerRating) -> str:
    """The rating as a number, with a question mark while it is uncertain."""
    return f"{standing.points}{'?' if standing.is_provisional else ''}"


def _game_name(game: str) -> str:
    kind = catalog.GAMES.get(game)
    return kind.info.name if kind is not None else game


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
    return f"{_game_name(standing.game)} **{rating_text(standing)}** · {said}"


def _met(met: Sequence[Match], user_id: UserId, reader: UserId, language: Language) -> str:
    """How two people stand against each other, as the reader sees it."""
    scores = [came for each in met if (came := score(each, reader, user_id)) is not None]
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
    graph: Picture | None,
    language: Language,
    *,
    game: str | None,
    reader: UserId,
    met: Sequence[Match] = (),
    medals: Sequence[str] = (),
    played: Sequence[Match] = (),
    wins: Sequence[Win] = (),
    note: str = "",
    may_share: bool = False,
    private: bool = True,
) -> Reply:
    """A player's ratings, the graph of one of them, and how the reader has done against them.

    ``met`` are the matches in which they and the ``reader`` met, ``played`` those they have
    finished, the last first, and ``wins`` the best they won; ``medals`` are the lines of
    tournaments in which they were among the first. ``note`` stands below it all. A page that is
    not ``private`` has nothing to press.
    """
    title = language.say("Ratings of {player}", player=match_text.mention(user_id, language))
    items: list[Part] = [text(f"### {title}")]
    if medals:
        items.append(text("\n".join(medals)))
    record = card_lines(played, user_id, game, language)
    against = [_met(met, user_id, reader, language)] if met else []
    sharing = rows([button(Control("sharecard", arg=game or ""), language.say("Share here"))])
    below: list[Part] = [*(sharing if may_share else ()), *([text(note)] if note else ())]
    if not profile.standings:
        items += [text("\n".join(lines)) for lines in (record, against) if lines]
        none = language.say("No rated matches yet. Offer one with /play and choose rated.")
        items += [text(none)] if private else []
        return Reply(none, Page(*items, *below))
    lines = [_line(standing, language) for standing in profile.standings]
    if any(standing.is_provisional for standing in profile.standings):
        lines.append("-# " + language.say("? = provisional"))
    if profile.graph:
        since = timestamp(profile.graph[0].at, "D")
        lines.append("-# " + language.say("Rated since {day}", day=since))
    items.append(text("\n".join(lines)))
    best = win_lines(wins, language)
    if best:
        best.insert(0, language.say("Best wins"))
    items += [text("\n".join(each)) for each in (record, best, against) if each]
    if graph is not None:
        items.append(gallery(graph))
    if private and len(profile.standings) > 1:
        control = Control("profile", arg=str(user_id))
        rated = [
            (each.game, _game_name(each.game), rating_text(each)) for each in profile.standings
        ]
        items.append(choice_menu(control, language.say("Game"), rated, game or ""))
    files = () if graph is None else (graph.file,)
    return Reply(title, Page(*items, *below), files)


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
    """The best of a game, in this server or everywhere; the reader's own line stands out.

    ``place`` is that of the reader, also where their line is not among those shown.
    """
    name = _game_name(game)
    title = (
        language.say("Best players of {game} here", game=name)
        if here
        else language.say("Best players of {game} everywhere", game=name)
    )
    lines = []
    for number, standing in enumerate(standings):
        mark = _MEDALS[number] if number < len(_MEDALS) else f"{number + 1}."
        line = (
            f"{mark} {match_text.mention(standing.user_id, language)} **{rating_text(standing)}**"
        )
        said = language.plural(
            "{matches} match", "{matches} matches", by="matches", matches=standing.record.matches
        )
        own = standing.user_id == user_id
        lines.append(f"> {line} · {said}" if own else f"{line} · {said}")
    if place is not None:
        lines.append(language.say("Your place: {place}", place=place))
    if any(standing.is_provisional for standing in standings):
        lines.append("-# " + language.say("? = provisional"))
    if not lines:
        lines.append(
            language.say(
                "Nobody has finished a rated match yet. Offer one with /play and choose rated."
            )
        )
    games = [(key, kind.info.name) for key, kind in catalog.GAMES.items()]
    where = "here" if here else "all"
    items: list[Part] = [
        text(f"### {title}"),
        text("\n".join(lines)),
        choice_menu(Control("leaders", arg=where), language.say("Game"), games, game),
    ]
    if may_be_here:
        other, label = (
            (f"all/{game}", language.say("Everywhere"))
            if here
            else (f"here/{game}", language.say("In this server"))
        )
        items += rows([button(Control("best", arg=other), label)])
    return Reply(title, Page(*items))
