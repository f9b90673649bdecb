"""Offers of matches; :mod:`bot.domain.offer_answers` has their ends."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from random import Random
from types import MappingProxyType
from typing import Any, Required, TypedDict, Unpack

from bot.domain.clock import TimeControl
from bot.domain.computers import has_level, is_computer, is_erased, levels_for, told_apart
from bot.domain.events import Change, CommandContext, JsonValue, begin, micros
from bot.domain.game_state import check_whole, game_of
from bot.domain.ids import MatchId, UserId, next_offer_id
from bot.domain.match import Actor, Match, MatchStatus, Place, Venue, unplayed
from bot.domain.rating_range import RatingRange, format_rating_range
from bot.domain.ratings.rated import check_rated
from bot.errors import UserError
from games.api import Game, OptionValue
from games.errors import OptionError

MOST_MATCHES = 10
"""How many matches one offer may start."""


class Terms(TypedDict, total=False):
    """The terms that players agree on beside game, options and seats: fields of :class:`Match`."""

    rated: bool
    clock: TimeControl | None
    band: RatingRange | None
    hints: bool
    takebacks: bool
    language: str | None


def agreed_terms(match: Match) -> Terms:
    """The terms of a match for another one between its players."""
    return {
        "rated": match.rated,
        "clock": match.clock,
        "hints": match.hints,
        "takebacks": match.takebacks,
        "language": match.language,
    }


class Proposal(Terms, total=False):
    """What the maker of an offer chooses, as :func:`offer` takes it."""

    game: Required[str]
    options: Mapping[str, OptionValue]
    seat: int | None
    start: str | None
    matches: int


class _OfferTerms(Terms, total=False):
    is_rematch: bool
    repeats: int
    continues: MatchId | None


def offer(
    match_id: MatchId,
    act: CommandContext,
    actor: Actor,
    *,
    opponents: tuple[Actor, ...],
    place: Place,
    venue: Venue,
    expires_at: datetime,
    rng: Random,
    game: str,
    options: Mapping[str, OptionValue] = MappingProxyType({}),
    seat: int | None = None,
    start: str | None = None,
    matches: int = 1,
    **terms: Unpack[Terms],
) -> Change:
    """Offer a match to named people, or to all: every other chair is open.

    ``seat`` is the player index that the actor chose (0 begins), None to draw lots; ``band`` is the
    rating range of the open chairs; ``start`` replaces the game's own first position, in a match
    against computers alone; ``hints`` allows them to all who take a seat, but not in a ``rated``
    match; without ``takebacks`` players cannot ask to take a move back; ``language`` is the locale
    of its public messages, None: the server's. An offer with all seats open may start several
    ``matches``, one after the other. Raises :exc:`~bot.errors.UserError` and
    :exc:`games.errors.OptionError`.
    """
    rules = game_of(game, options)
    chairs = len(rules.seats)
    guests = told_apart(guest.user_id for guest in opponents)
    _check_guests(game, actor, opponents, guests, chairs)
    if venue is Venue.DIRECT and len(guests) < chairs - 1:
        raise UserError("direct_needs_people")
    if terms.get("band") is not None and len(guests) == chairs - 1:
        raise UserError("band_needs_seat")
    _check_matches(matches, guests, venue)
    if terms.get("rated"):
        if terms.get("hints"):
            raise UserError("rated_hints")
        check_rated(rules.info, rules.options, seat, guests)
    if start is not None:
        _check_start(rules, start, guests)
    if seat is None:
        seat = rng.randrange(chairs)
    elif not 0 <= seat < chairs:
        raise UserError("no_such_seat", seats=chairs)
    free = [index for index in range(chairs) if index != seat]
    rng.shuffle(free)
    invited: list[UserId | None] = [None] * chairs
    for index, guest in zip(free, guests, strict=False):
        invited[index] = guest
    return create_offer(
        match_id,
        act,
        actor.user_id,
        game=game,
        options=rules.options,
        seat=seat,
        invited=tuple(invited),
        place=place,
        venue=venue,
        expires_at=expires_at,
        start=start,
        repeats=matches - 1,
        **terms,
    )


def _check_matches(matches: int, guests: tuple[UserId, ...], venue: Venue) -> None:
    """Refuse an offer of several matches that names players, or whose venue holds one match."""
    if not 1 <= matches <= MOST_MATCHES:
        raise UserError("matches_range", most=MOST_MATCHES)
    if matches > 1 and guests:
        raise UserError("matches_for_all")
    if matches > 1 and venue is not Venue.THREAD:
        raise UserError("matches_need_threads")


def _check_start(rules: Game[Any, Any], start: str, guests: tuple[UserId, ...]) -> None:
    """Refuse an impossible first position, and one in an offer to people."""
    if len(guests) < len(rules.seats) - 1 or not all(map(is_computer, guests)):
        raise UserError("start_for_computers")
    if rules.to_move(rules.decode(start)) is None:
        raise UserError("match_over")


def rematch(
    match_id: MatchId,
    act: CommandContext,
    actor: Actor,
    *,
    of: Match,
    place: Place,
    venue: Venue,
    expires_at: datetime,
) -> Change:
    """Offer the players of a finished match the same again, each one seat further on.

    With two players the other begins. Raises :exc:`~bot.errors.UserError` (``not_over``,
    ``not_a_player``, ``player_erased``, ``game_gone``, ``history_damaged``, and what
    :func:`check_rated` raises).
    """
    check_whole(of)
    if not of.status.is_final or not of.state:
        raise UserError("not_over")
    index = of.index_of(actor.user_id)
    if index is None:
        raise UserError("not_a_player")
    if of.tournament is not None:
        raise UserError("tournament_no_rematch")
    if any(map(is_erased, of.players)):
        # The offer could not be accepted.
        raise UserError("player_erased")
    try:
        rules = game_of(of.game, of.options)
    except OptionError as error:
        raise UserError("game_gone", game=of.game) from error
    if of.rated:
        check_rated(rules.info, rules.options, None)
    moved = (of.players[-1], *of.players[:-1])
    seat = moved.index(actor.user_id)
    return create_offer(
        match_id,
        act,
        actor.user_id,
        game=of.game,
        options=rules.options,
        seat=seat,
        invited=tuple(None if number == seat else guest for number, guest in enumerate(moved)),
        place=place,
        venue=venue,
        expires_at=expires_at,
        is_rematch=True,
        **agreed_terms(of),
    )


def create_offer(
    match_id: MatchId,
    act: CommandContext,
    user_id: UserId | None,
    *,
    game: str,
    options: Mapping[str, OptionValue],
    seat: int,
    invited: tuple[UserId | None, ...],
    place: Place,
    venue: Venue,
    expires_at: datetime,
    start: str | None = None,
    **terms: Unpack[_OfferTerms],
) -> Change:
    """Create a match whose maker has the player index ``seat``, with chairs reserved as given."""
    rules = game_of(game, options)
    players = tuple(user_id if index == seat else None for index in range(len(rules.seats)))
    match = unplayed(
        match_id,
        rules,
        act.at,
        game=game,
        status=MatchStatus.OFFERED,
        place=place,
        venue=venue,
        players=players,
        invited=invited,
        offered_by=seat,
        state="",
        expires_at=expires_at,
        **terms,
    )
    payload: dict[str, JsonValue] = {
        "expires": micros(expires_at),
        "kept": [int(guest is not None) for guest in invited],
    }
    unusual: dict[str, JsonValue] = {
        "band": None if match.band is None else format_rating_range(match.band),
        "start": start,
        "hints": int(match.hints),
        "rematch": int(match.is_rematch),
        "repeats": match.repeats,
        "continues": match.continues,
        "language": match.language,
    }
    payload |= {key: value for key, value in unusual.items() if value}
    if not match.takebacks:
        payload["takebacks"] = 0
    return begin(match, act, user_id=user_id, payload=payload)


def _check_guests(
    game: str, actor: Actor, opponents: tuple[Actor, ...], ids: tuple[UserId, ...], chairs: int
) -> None:
    if actor.is_bot or any(guest.is_bot for guest in opponents):
        raise UserError("invite_bot")
    if actor.user_id in ids:
        raise UserError("invite_self")
    if len(set(ids)) < len(ids):
        raise UserError("invite_twice")
    if len(ids) > chairs - 1:
        raise UserError("too_many_players", seats=chairs)
    if any(is_computer(each) and not has_level(game, each) for each in ids):
        raise UserError("no_such_level", levels=len(levels_for(game)))


def next_offer(change: Change) -> Change | None:
    """The next offer, if one for several matches has just started a match and some are left."""
    before, match = change.before, change.match
    if before is None or before.status is not MatchStatus.OFFERED or before.expires_at is None:
        return None
    if match.status is not MatchStatus.RUNNING:
        return None
    chairs, terms = len(match.players), agreed_terms(match)
    terms["band"] = match.band
    return create_offer(
        next_offer_id(match.id),
        CommandContext(change.event.at),
        match.players[match.offered_by],
        game=match.game,
        options=match.options,
        seat=(match.offered_by + 1) % chairs,
        invited=(None,) * chairs,
        place=match.origin,
        venue=match.venue,
        expires_at=before.expires_at,
        repeats=match.repeats - 1,
        **terms,
    )


def starts_at_once(match: Match) -> bool:
    """Whether computers took all other seats, so that no person had to accept."""
    return match.status is not MatchStatus.OFFERED and all(
        is_computer(guest) for seat, guest in enumerate(match.invited) if seat != match.offered_by
    )
