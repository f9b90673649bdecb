"""A director's list of invited people, with seeds and ratings; and seeds ordered by hand.

A list is text: a person on each line, by mention, id or name, and then, behind commas, semicolons
or tabs, a seed and a rating, both optional. So a plain list of names can be pasted, and so can a
table saved as CSV.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.domain.ids import UserId
from bot.domain.rating_range import HIGHEST
from bot.errors import UserError
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.fold import TournamentAct, TournamentChange, add
from bot.tournaments.domain.planning import LARGEST
from bot.tournaments.domain.registration import check_alive, known
from bot.tournaments.domain.tournament import Entrant, Invitation, Tournament

MOST_LINES = 100
"""The most people in one list: a message of Discord's can mention 100."""
LONGEST_LIST = 16_000
"""The most characters of a list."""
_LONGEST_NAME = 100
_MENTION = re.compile(r"<@!?(\d{1,20})>")
_ID = re.compile(r"\d{17,20}")
_NUMBERED = re.compile(r"(\d{1,3})[.)]\s+(?=\S)")
_SEPARATORS = "\t;,"
_COLUMNS = ("name", "player", "user", "username", "member", "mention", "id")
"""Names of the first column, where the first line names the columns."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a list: a person by ``user_id`` or, where that is None, by ``name``."""

    name: str
    user_id: UserId | None = None
    seed: int | None = None
    rating: int | None = None


def read_list(text: str) -> tuple[Line, ...]:
    """The lines of a list, each person once.

    A number up to ``LARGEST`` of :mod:`bot.tournaments.domain.planning` is a seed, a larger one a
    rating; ``1.`` before a name is also a seed. A first line such as ``name,seed,rating`` names the
    columns.

    Raises :exc:`~bot.errors.UserError`: ``list_long`` (``most``), ``list_empty``, ``list_line``
    (``line``, ``most``).
    """
    if len(text) > LONGEST_LIST:
        raise UserError("list_long", most=MOST_LINES)
    found: dict[object, Line] = {}
    for number, written in enumerate(text.splitlines(), 1):
        for each in _read_line(written.strip(), number):
            found.setdefault(each.user_id or each.name.casefold(), each)
        if len(found) > MOST_LINES:
            raise UserError("list_long", most=MOST_LINES)
    if not found:
        raise UserError("list_empty")
    return tuple(found.values())


def _read_line(written: str, number: int) -> Iterator[Line]:
    mentions = _MENTION.findall(written)
    if len(mentions) > 1 and not _MENTION.sub("", written).strip(" ,;\t"):
        yield from (Line(f"<@{each}>", UserId(int(each))) for each in mentions)
        return
    seed, rating = None, None
    numbered = _NUMBERED.match(written)
    if numbered is not None:
        seed, written = _seed(int(numbered[1])), written[numbered.end() :]
    separator = next((each for each in _SEPARATORS if each in written), ",")
    who, *numbers = next(csv.reader([written], delimiter=separator), []) or [""]
    for each in numbers:
        plain = each.strip()
        if not plain:
            continue
        if not (plain.isascii() and plain.isdigit() and len(plain) < 5 and int(plain) <= HIGHEST):
            if number == 1 and who.strip().casefold() in _COLUMNS:
                return
            raise UserError("list_line", line=number, most=LARGEST)
        value = _seed(int(plain))
        if value is None:
            rating = int(plain)
        else:
            seed = value
    who = who.strip()
    mention = _MENTION.fullmatch(who)
    if mention is not None or _ID.fullmatch(who):
        yield Line(who, UserId(int(who if mention is None else mention[1])), seed, rating)
    elif name := who.removeprefix("@").strip()[:_LONGEST_NAME]:
        yield Line(name, None, seed, rating)


def _seed(number: int) -> int | None:
    return number if 0 < number <= LARGEST else None


def invite(
    t: Tournament, act: TournamentAct, guests: Sequence[Invitation]
) -> tuple[TournamentChange, ...]:
    """Invite the people on a director's list; those already on it with the same values are skipped.

    Seeds and ratings count for entrants, too, until the first round is drawn.

    Raises :exc:`~bot.errors.UserError`: ``tournament_over``, ``registration_closed``,
    ``guests_many`` (``most``).
    """
    check_alive(t)
    if t.rounds and not t.is_open:
        raise UserError("registration_closed")
    changes: list[TournamentChange] = []
    for each in guests:
        was = t.invitation_of(each.user_id)
        now = _with_data(was or each, each)
        if now != was:
            changes.append(add(t, act, f.Invited(now.seed, now.rating), each.user_id))
            t = changes[-1].tournament
    if len(t.invited) > LARGEST:
        raise UserError("guests_many", most=LARGEST)
    if not t.rounds:
        given = {each.user_id: each for each in guests}
        listed = [_with_data(x, given[x.user_id]) if x.user_id in given else x for x in t.entrants]
        changes += _seeded(t, act, listed)
    return tuple(changes)


_Known = TypeVar("_Known", Entrant, Invitation)


def _with_data(known: _Known, guest: Invitation) -> _Known:
    """A person with the seed and the rating of a list, as far as it has them."""
    seed = known.seed if guest.seed is None else guest.seed
    rating = known.rating if guest.rating is None else guest.rating
    return replace(known, seed=seed, rating=rating)


def move_seed(
    t: Tournament, act: TournamentAct, entrant: int, place: int
) -> tuple[TournamentChange, ...]:
    """Put an entrant at a place of the seeding, before the first round; nothing if they are there.

    All entrants have the seeds of this order from then on; later ones come behind them.

    Raises :exc:`~bot.errors.UserError`: ``not_entered``, ``tournament_over``, ``round_drawn``.
    """
    check_alive(t)
    if not known(t, entrant).is_active:
        raise UserError("not_entered")
    if t.rounds:
        raise UserError("round_drawn")
    now = [each for each in t.seeding if t.entrants[each - 1].is_active]
    order = [each for each in now if each != entrant]
    order.insert(place - 1, entrant)
    if order == now:
        return ()
    seeds = {number: seed for seed, number in enumerate(order, 1)}
    return _seeded(t, act, [replace(each, seed=seeds.get(each.number)) for each in t.entrants])


def _seeded(
    t: Tournament, act: TournamentAct, entrants: Sequence[Entrant]
) -> tuple[TournamentChange, ...]:
    """Set the seeds and ratings of the entrants to those of ``entrants``."""
    if tuple(entrants) == t.entrants:
        return ()
    seeds, ratings = (each.seed for each in entrants), (each.rating for each in entrants)
    return (add(t, act, f.Seeded(tuple(seeds), tuple(ratings))),)
