"""Lists of matches: ``/games``, and the question which of several is meant."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime

from bot.domain.game_state import waits_for
from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus, Venue
from bot.i18n import Language
from bot.services.ports import UserVacation
from bot.ui.pages import clock_text, match_text
from bot.ui.pages.components import CHOICES, Button, Option, Part, menu, rows, text
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.display_names import clean
from bot.ui.pages.presenter import Names
from bot.ui.pages.reply import Page, Reply


def _order(match: Match, user_id: UserId) -> tuple[int, float, float]:
    """Those that wait for this person first, then running ones, then offers.

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
    """The matches that wait for this person, from the one after ``match_id`` round to itself."""
    mine = (match for match in matches if waits_for(match, user_id))
    ordered = sorted(mine, key=lambda match: _order(match, user_id))
    at = next((n for n, match in enumerate(ordered, 1) if match.id == match_id), 0)
    return tuple(ordered[at:] + ordered[:at])


def _state(match: Match, user_id: UserId, language: Language) -> str:
    if match.set_aside_at is not None:
        return language.say("damaged, can't continue")
    if waits_for(match, user_id):
        return language.say("your move")
    player = match.index_of(user_id)
    if player in match.retired:
        return language.say("you've left")
    if match.status is MatchStatus.RUNNING:
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
    """Which game a match is, and with which other people."""
    others = _others(match, user_id)
    against = (
        language.say("with {players}", players=match_text.mentions(others, language))
        if others
        else language.say("with anyone")
    )
    return f"**{match_text.game_name(match)}** {against}"


def place(match: Match, language: Language) -> str:
    """Where a match is played."""
    # Of direct messages each player has their own, to which no link leads anybody else.
    is_direct = match.venue is Venue.DIRECT
    return language.say("in direct messages") if is_direct else match_text.place(match)


def _line(
    match: Match, user_id: UserId, language: Language, away: Mapping[UserId, datetime]
) -> str:
    at = match.deadline
    when = (
        clock_text.moment(match.updated_at)
        if at is None
        else language.say("time runs out {time}", time=clock_text.moment(at))
    )
    if match.is_paused:
        when = language.say("paused")
    if match.clock is not None and match.clock.may_rest:
        # The name stands in the line already.
        others = _others(match, user_id)
        ends = [clock_text.moment(away[other]) for other in others if other in away]
        gone = language.say("on vacation, back {time}", time=", ".join(ends))
        when += f" · {gone}" if ends else ""
    asked = "".join(f" · {each}" for each in match_text.requests(match, language))
    return (
        f"{about(match, user_id, language)} · {_state(match, user_id, language)}"
        f" · {place(match, language)} · {when}{asked}"
    )


async def _option(match: Match, user_id: UserId, names: Names, language: Language) -> Option:
    others = [
        clean(await names.name(other, language), longest=24) for other in _others(match, user_id)
    ]
    label = f"{match_text.game_name(match)} · {', '.join(others) or '—'}"
    note = f"{_state(match, user_id, language)} · {match.id}"
    return Option(match.id, label, note)


def lines(
    matches: tuple[Match, ...],
    user_id: UserId,
    language: Language,
    *,
    leaves: tuple[UserVacation, ...] = (),
    longest: int = 3900,
) -> list[str]:
    """A line for each match, those that wait for this person first, as many as there is room for.

    ``leaves`` says who is on vacation, ``longest`` how many characters they may take together; a
    last line says how many are left out.
    """
    away = {each.user_id: each.vacation.ends_at for each in leaves}
    ordered = sorted(matches, key=lambda match: _order(match, user_id))
    found: list[str] = []
    room = longest
    for match in ordered[:CHOICES]:
        line = _line(match, user_id, language, away)
        room -= len(line) + 1
        if room < 0:
            break
        found.append(line)
    if len(found) < len(ordered):
        found.append(language.say("And {count} more.", count=len(ordered) - len(found)))
    return found


async def games_page(
    matches: tuple[Match, ...],
    user_id: UserId,
    names: Names,
    language: Language,
    *,
    onward: Button,
    leaves: tuple[UserVacation, ...] = (),
) -> Reply:
    """Every match of a person, theirs to move first, with a menu to look at one.

    ``onward`` is the button that leads to the first of those that wait for them; ``leaves`` says
    who of all the players is on vacation.
    """
    if not matches:
        return Reply(language.say("You have no matches. Start one with /play."))
    ordered = sorted(matches, key=lambda match: _order(match, user_id))
    title = language.say("Your matches")
    listed = [f"### {title}"]
    mine = [each.vacation.ends_at for each in leaves if each.user_id == user_id]
    if mine:
        listed.append(
            language.say("You're on vacation until {date}.", date=clock_text.moment(mine[0], "f"))
        )
    listed += lines(matches, user_id, language, leaves=leaves, longest=3800)
    items: list[Part] = [text("\n".join(listed))]
    running = [match for match in ordered if match.status is MatchStatus.RUNNING][:CHOICES]
    if running:
        options = [await _option(match, user_id, names, language) for match in running]
        items.append(menu(Control("show"), language.say("Show a board"), options))
    if waits_for(ordered[0], user_id):
        items.extend(rows([onward]))
    return Reply(title, Page(*items))


async def choose(
    matches: tuple[Match, ...],
    question: str,
    control: Control,
    *,
    user_id: UserId,
    names: Names,
    language: Language,
) -> Reply:
    """Ask which of several matches is meant; the value chosen is the id of the match."""
    ordered = sorted(matches, key=lambda match: _order(match, user_id))[:CHOICES]
    options = [await _option(match, user_id, names, language) for match in ordered]
    row = menu(control, language.say("Choose a match"), options)
    return Reply(question, Page(text(question), row))
