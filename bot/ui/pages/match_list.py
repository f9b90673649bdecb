"""Lists of matches: ``/matches``, and the question which of several is meant."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from bot.domain.game_state import known_turn, waits_for
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match, MatchStatus, Venue
from bot.domain.vacation import UserVacation
from bot.i18n import Language
from bot.ui.pages import clock_text, match_text
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Marks, Page, Reply
from bot.ui.pages.display_names import clean
from bot.ui.pages.reader import Reader
from games.view import Text


def _order(match: Match, user_id: UserId) -> tuple[int, float, float]:
    """Waiting for this player, then new offers, running ones, and own offers.

    Among those that wait, the first deadline comes first; without one, the oldest.
    """
    pressing = math.inf
    if waits_for(match, user_id):
        rank = 0
        if match.deadline is not None:
            pressing = match.deadline.timestamp()
    elif match.status is MatchStatus.OFFERED and match.index_of(user_id) is None:
        rank = 1
    else:
        rank = 2 if match.status is MatchStatus.RUNNING else 3
    return rank, pressing, match.updated_at.timestamp()


def waiting_after(
    matches: tuple[Match, ...], user_id: UserId, match_id: str | None
) -> tuple[Match, ...]:
    """The matches that wait for this player, from the one after ``match_id`` round to itself."""
    mine = tuple(match for match in matches if waits_for(match, user_id))
    waiting = ordered(mine, user_id)
    at = next((n for n, match in enumerate(waiting, 1) if match.id == match_id), 0)
    return waiting[at:] + waiting[:at]


def ordered(matches: tuple[Match, ...], user_id: UserId) -> tuple[Match, ...]:
    """A player's matches, the most pressing first."""
    return tuple(sorted(matches, key=lambda match: _order(match, user_id)))


def _ended(match: Match, user_id: UserId | None, language: Language) -> str:
    if match.result is None and not match.winners:
        return language.say("aborted")
    if not match.winners:
        return language.say("draw")
    if user_id is not None and match.index_of(user_id) in match.winners:
        return language.say("won")
    return language.say("lost")


def _state(match: Match, user_id: UserId, language: Language) -> str:
    if match.status.is_final:
        return _ended(match, user_id, language)
    if match.set_aside_at is not None:
        return language.say("damaged, can't continue")
    if waits_for(match, user_id):
        return language.say("your move")
    player = match.index_of(user_id)
    if player in match.retired:
        return language.say("you've left")
    if match.status is MatchStatus.RUNNING:
        if len(match.players) == 2:
            return language.say("your opponent's move")
        return language.say("another player's move")
    if player is None:
        return language.say("offered to you")
    if player != match.offered_by:
        return language.say("you have a seat, others are free")
    return language.say("your offer is open")


def _others(match: Match, user_id: UserId) -> tuple[UserId, ...]:
    seats = zip(match.players, match.invited, strict=True)
    people = (player if player is not None else guest for player, guest in seats)
    return tuple(person for person in people if person is not None and person != user_id)


def about(match: Match, user_id: UserId, language: Language) -> str:
    """The game and the other players."""
    others = _others(match, user_id)
    against = (
        language.say("with {players}", players=match_text.mentions(others, language))
        if others
        else language.say("with anyone")
    )
    return f"**{match_text.game_name(match)}** {against}"


def linked(match: Match, user_id: UserId, language: Language) -> str:
    """The match with its place: ``**Quax** with @Ben · #thread``."""
    return f"{about(match, user_id, language)} · {place_words(match, language)}"


def place_words(match: Match, language: Language) -> str:
    """Where a match is played."""
    # Of direct messages each player has their own, to which no link leads anybody else.
    is_direct = match.venue is Venue.DIRECT
    return language.say("in direct messages") if is_direct else match_text.place(match)


def _line(
    match: Match,
    user_id: UserId,
    language: Language,
    away: Mapping[UserId, datetime],
    *,
    is_stopped: bool,
) -> str:
    at = match.deadline
    when = (
        clock_text.timestamp(match.updated_at)
        if at is None
        else language.say("time runs out {time}", time=clock_text.timestamp(at))
    )
    if match.is_paused:
        when = language.say("paused")
    elif is_stopped:
        when = language.say("clock stopped")
    if match.clock is not None and match.clock.may_rest:
        # The name stands in the line already.
        others = _others(match, user_id)
        ends = [clock_text.timestamp(away[other]) for other in others if other in away]
        gone = language.say("on vacation, back {time}", time=", ".join(ends))
        when += f" · {gone}" if ends else ""
    asked = "".join(f" · {each}" for each in match_text.requests(match, language))
    return (
        f"{about(match, user_id, language)} · {_state(match, user_id, language)}"
        f" · {place_words(match, language)} · {when}{asked}"
    )


async def player_names(players: Iterable[UserId | None], reader: Reader) -> list[str]:
    """The names of players, without markup."""
    return ["—" if each is None else clean(await reader.name(each), longest=24) for each in players]


async def with_players(match: Match, reader: Reader) -> str:
    """A match in one line without markup, as everyone sees it: ``Quax · Anna – Ben``."""
    seated = (each for each in match.players if each is not None)
    players = " – ".join(await player_names(seated, reader))
    return match_text.cut(f"{match_text.game_name(match)} · {players}", 100)


def marks(match: Match, language: Language) -> Marks:
    """Tells a match apart from another with the same players."""
    moves = language.plural("{count} move", "{count} moves", by="count", count=match.ply)
    return moves, f"{match.created_at:%Y-%m-%d}", f"…{match.id[-4:]}"


async def option(match: Match, reader: Reader, side: UserId | None = None) -> ui.Option:
    """A match as a line of a menu, as everyone sees it, or with its state for one of its players.

    It is ``Quax · Anna – Ben`` or ``Quax · Ben``.
    """
    told_apart = marks(match, reader.language)
    if side is None or side not in (*match.players, *match.invited):
        return ui.Option(match.id, await with_players(match, reader), marks=told_apart)
    others = ", ".join(await player_names(_others(match, side), reader)) or "—"
    against = f"{match_text.game_name(match)} · {others}"
    return ui.Option(match.id, against, _state(match, side, reader.language), marks=told_apart)


async def suggestion(match: Match, reader: Reader, side: UserId | None) -> ui.Option:
    """The same in one line, as suggestions are: ``Quax · Ben · your move``."""
    found = await option(match, reader, side)
    label = found.label if found.note is None else f"{found.label} · {found.note}"
    return replace(found, label=match_text.cut(label, 100), note=None)


def lines(
    matches: tuple[Match, ...],
    user_id: UserId,
    language: Language,
    *,
    vacations: tuple[UserVacation, ...] = (),
    longest: int = 3900,
    stopped: Collection[MatchId] = (),
) -> list[str]:
    """A line for each match, those that wait for this player first, as many as fit.

    ``vacations`` are those of all players, ``longest`` is the room in characters, ``stopped`` are
    matches whose clock does not run although there is a deadline; a last line counts those left
    out.
    """
    away = {each.user_id: each.vacation.ends_at for each in vacations}
    return fitting(
        [
            _line(match, user_id, language, away, is_stopped=match.id in stopped)
            for match in ordered(matches, user_id)
        ],
        longest,
        language,
    )


def fitting(lines: Sequence[str], room: int, language: Language) -> list[str]:
    """As many lines as there is room for in characters, and how many are left out."""
    found: list[str] = []
    for line in lines[: ui.CHOICES]:
        room -= len(line) + 1
        if room < 0:
            break
        found.append(line)
    if len(found) < len(lines):
        found.append(language.say("And {count} more.", count=len(lines) - len(found)))
    return found


class Listed(Enum):
    """The lists of ``/matches``."""

    MINE = "mine"
    """The reader's running matches and offers."""
    WAITING = "turn"
    """Those waiting for the reader."""
    FINISHED = "finished"
    """A player's finished matches."""
    FAVOURITES = "favourites"
    """The reader's favourites, the latest first."""
    SERVER = "server"
    """All running matches of this server."""


LISTED: Mapping[Listed, Text] = {
    Listed.MINE: Text.of("Running matches and offers"),
    Listed.WAITING: Text.of("Waiting for my move"),
    Listed.FINISHED: Text.of("Finished matches"),
    Listed.FAVOURITES: Text.of("Favourites"),
    Listed.SERVER: Text.of("Running in this server"),
}
_NOTHING: Mapping[Listed, Text] = {
    Listed.MINE: Text.of("You have no running matches or offers. Start one with /play."),
    Listed.WAITING: Text.of("No match is waiting for your move."),
    Listed.FINISHED: Text.of("No finished matches yet."),
    Listed.FAVOURITES: Text.of("No favourites yet. Add matches in their history."),
    Listed.SERVER: Text.of("No matches are running here. Start one with /play."),
}
ON_PAGE = 10


@dataclass(frozen=True, slots=True)
class MatchList:
    """A page of a list: which list, whose, and which page from 0.

    ``matches`` are in order; ``vacations`` are those of all players, ``stopped`` as for
    :func:`lines`.
    """

    listed: Listed
    owner: UserId
    number: int
    matches: tuple[Match, ...]
    is_more: bool = False
    vacations: tuple[UserVacation, ...] = ()
    stopped: Collection[MatchId] = ()


def seen_line(match: Match, language: Language) -> str:
    """A match of others: the game, its players, who is to move or has won, where."""
    seated = [
        _seated(match, number, language)
        for number, player in enumerate(match.players)
        if player is not None
    ]
    said = [f"**{match_text.game_name(match)}** {' – '.join(seated)}"]
    if match.status.is_final and not match.winners:
        said.append(_ended(match, None, language))
    return " · ".join([*said, match_text.place(match)])


def _seated(match: Match, player: int, language: Language) -> str:
    """A player of a match, and whether they are to move or have won."""
    who = match_text.mention(match.players[player], language)
    if match.status is MatchStatus.RUNNING and known_turn(match) == player:
        return language.say("{player} (to move)", player=who)
    if player in match.winners:
        return language.say("{player} (won)", player=who)
    return who


def _over_line(match: Match, owner: UserId, language: Language) -> str:
    """A match that is over: the game, the opponents, the result, where and when."""
    moves = language.plural("{count} move", "{count} moves", by="count", count=match.ply)
    return (
        f"{about(match, owner, language)} · **{_ended(match, owner, language)}** · {moves}"
        f" · {place_words(match, language)} · {clock_text.timestamp(match.updated_at)}"
    )


def _heading(page: MatchList, user_id: UserId, language: Language) -> str:
    if page.listed is Listed.FINISHED and page.owner != user_id:
        player = match_text.mention(page.owner, language)
        return language.say("Finished matches of {player}", player=player)
    if page.listed is Listed.MINE:
        return language.say("Your matches")
    return language(LISTED[page.listed])


def _listed_lines(page: MatchList, user_id: UserId, language: Language) -> list[str]:
    if page.listed is Listed.FINISHED:
        return [_over_line(each, page.owner, language) for each in page.matches]
    if page.listed in (Listed.SERVER, Listed.FAVOURITES):
        return [seen_line(each, language) for each in page.matches]
    return lines(
        page.matches,
        user_id,
        language,
        vacations=page.vacations,
        longest=3600,
        stopped=page.stopped,
    )


async def matches_page(
    page: MatchList,
    user_id: UserId,
    reader: Reader,
    *,
    onward: ui.Button,
    back: Sequence[ui.Button] = (),
    in_server: bool,
) -> Reply:
    """A page of a list of matches, with menus for another list and for a board.

    ``onward`` leads to the first match that waits for the user, ``back`` to the page before.
    """
    language, is_own = reader.language, page.owner == user_id
    title, none = _heading(page, user_id, language), language(_NOTHING[page.listed])
    said = [f"### {title}"]
    mine = [each.vacation.ends_at for each in page.vacations if each.user_id == user_id]
    if mine:
        said.append(
            language.say(
                "You're on vacation until {date}.", date=clock_text.timestamp(mine[0], "f")
            )
        )
    listed = [f"- {each}" for each in _listed_lines(page, user_id, language)]
    said += listed or [none]
    items: list[ui.Part] = [ui.text(match_text.cut("\n".join(said), 3800))]
    shown = [each for each in page.matches if each.state][: ui.CHOICES]
    if shown:
        side = page.owner if page.listed is Listed.FINISHED else user_id
        options = [await option(match, reader, side) for match in shown]
        # Under a board of others there is Follow.
        action = "view" if page.listed is Listed.SERVER else "show"
        items.append(ui.menu(Control(action), language.say("Show a board"), options))

    lists = [each for each in Listed if in_server or each is not Listed.SERVER]
    options = [
        ui.Option(
            each.value,
            language(LISTED[each]),
            chosen=each is page.listed and is_own,
        )
        for each in lists
    ]
    items.append(ui.menu(Control("matches"), language.say("Show another list"), options))
    buttons = []
    if page.listed is Listed.MINE and not page.matches:
        over = Control("matches", arg=Listed.FINISHED.value)
        buttons.append(ui.button(over, language.say("Finished matches")))
    whose = "" if is_own else f"={page.owner}"
    pages = page.number + (2 if page.is_more else 1)
    buttons += ui.paging(
        "matches",
        ui.NO_MATCH,
        page.number,
        pages,
        language,
        arg=f"{page.listed.value}{whose}",
        is_open=True,
    )
    if any(waits_for(match, user_id) for match in page.matches):
        buttons.append(onward)
    items.extend(ui.rows([*buttons, *back]))
    return Reply(title if page.matches else none, Page(*items))


async def choose(
    matches: tuple[Match, ...], question: str, control: Control, user_id: UserId, reader: Reader
) -> Reply:
    """Ask which of several matches is meant; the value chosen is the id of the match."""
    asked = ordered(matches, user_id)[: ui.CHOICES]
    options = [await option(match, reader, user_id) for match in asked]
    row = ui.menu(control, reader.language.say("Choose a match"), options)
    return Reply(question, Page(ui.text(question), row))
