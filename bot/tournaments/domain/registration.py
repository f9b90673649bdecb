"""Entering and leaving a tournament: decisions as events, or refusals.

A decision that would change nothing returns None, so that a repeated request does no harm.
"""

from __future__ import annotations

from datetime import datetime

from bot.domain.ids import TournamentId, UserId
from bot.domain.rating_range import RatingRange
from bot.errors import UserError
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.fold import TournamentAct, TournamentChange, add, begin
from bot.tournaments.domain.formats.swiss import Swiss
from bot.tournaments.domain.planning import check_setup
from bot.tournaments.domain.results import points_of_present
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.domain.tournament import Entrant, EntrantStatus, Tournament, TournamentStatus

_HALF_BYES = 1
"""Half-point byes that a player may request."""


def create(id_: TournamentId, act: TournamentAct, setup: Setup, *, lots: int) -> TournamentChange:
    """Announce an event.

    Raises the errors of :func:`~bot.tournaments.domain.planning.check_setup`.
    """
    check_setup(setup, act.at)
    return begin(id_, act, f.Created(setup, lots))


def enter(
    t: Tournament,
    act: TournamentAct,
    user_id: UserId,
    *,
    rating: int | None = None,
    by_director: bool = False,
) -> TournamentChange | None:
    """Enter a player; None if they are in. A late entrant gets half a point for one missed round.

    Players who had withdrawn come back to their points, on a ladder at its foot. A director may
    enter players of any rating, and until the first round is drawn at any time. Invited players may
    enter in the same way, with the seed and the rating of the list.

    Raises :exc:`~bot.errors.UserError`: ``tournament_over``, ``registration_closed``,
    ``tournament_full``, ``entrant_excluded`` (``player_excluded``), ``rating_not_allowed``.
    """
    mine = t.entrant_of(user_id)
    if mine is not None and mine.is_active:
        return None
    check_alive(t)
    guest = t.invitation_of(user_id)
    is_own, by_director = not by_director, by_director or guest is not None
    if not t.is_open and not (by_director and not t.rounds):
        raise UserError("registration_closed")
    if mine is not None and mine.standing is EntrantStatus.EXCLUDED:
        raise UserError("entrant_excluded" if is_own else "player_excluded")
    if len(t.active) >= t.setup.most:
        raise UserError("tournament_full", most=t.setup.most)
    low, high = t.setup.rating_from, t.setup.rating_to
    is_outside = (low is not None and (rating is None or rating < low)) or (
        high is not None and rating is not None and rating > high
    )
    if is_outside and not by_director:
        raise UserError("rating_not_allowed", band=str(RatingRange(low, high)))
    seed = None if guest is None else guest.seed
    if guest is not None and guest.rating is not None:
        rating = guest.rating
    if mine is not None:
        kept = mine.rating if t.rounds else rating
        seed = seed if mine.seed is None else mine.seed
        return add(t, act, f.Entered(mine.number, kept, seed=seed), user_id)
    missed = Kind.HALF_BYE if len(t.rounds) == 1 else Kind.ZERO_BYE
    return add(t, act, f.Entered(len(t.entrants) + 1, rating, missed, seed), user_id)


def check_in(t: Tournament, act: TournamentAct, number: int) -> TournamentChange | None:
    """Note that an entrant is there for the first round; None if that is known.

    Raises :exc:`~bot.errors.UserError`: ``not_entered``, ``check_in_closed``.
    """
    entrant = known(t, number)
    if not entrant.is_active:
        raise UserError("not_entered")
    if t.checks_in is None or act.at < t.checks_in:
        raise UserError("check_in_closed")
    return None if entrant.is_here else add(t, act, f.CheckedIn(number), entrant.user_id)


def drop_absent(t: Tournament, act: TournamentAct) -> tuple[TournamentChange, ...]:
    """Withdraw entrants who have not checked in, where the event has check-in, before round 1."""
    changes: list[TournamentChange] = []
    absent = [] if t.checks_in is None else [each for each in t.active if not each.is_here]
    for each in absent:
        changes += withdraw(t, act, each.number, f.Leaving.ABSENT)
        t = changes[-1].tournament
    return tuple(changes)


def withdraw(
    t: Tournament, act: TournamentAct, number: int, why: f.Leaving = f.Leaving.ASKED
) -> tuple[TournamentChange, ...]:
    """Withdraw an entrant from further rounds; their games that have not begun are forfeited.

    A game that has begun goes on: it can be won, lost or resigned like any other. Returns nothing
    if they have left already. Raises :exc:`~bot.errors.UserError` (``not_entered``,
    ``tournament_over``).
    """
    entrant = known(t, number)
    if not entrant.is_active:
        return ()
    check_alive(t)
    first = add(t, act, f.Withdrawn(number, why), entrant.user_id)
    return (first, *forfeit(first.tournament, act, number, begun=False))


def leave(t: Tournament, act: TournamentAct, number: int) -> tuple[TournamentChange, ...]:
    """Withdraw a player at their request. Raises ``you_not_entered`` if they are out already."""
    withdrawn = withdraw(t, act, number)
    if not withdrawn:
        raise UserError("you_not_entered")
    return withdrawn


def exclude(t: Tournament, act: TournamentAct, number: int) -> tuple[TournamentChange, ...]:
    """Exclude an entrant; their games without a result are forfeited. Raises as before.

    At a table of four that has begun the others play on, as after a resignation.
    """
    entrant = known(t, number)
    if entrant.standing is EntrantStatus.EXCLUDED:
        return ()
    check_alive(t)
    first = add(t, act, f.Excluded(number), entrant.user_id)
    return (first, *forfeit(first.tournament, act, number, begun=True))


def left_tables(t: Tournament, entrant: int) -> tuple[str, ...]:
    """The running games that go on without an excluded entrant."""
    return tuple(
        each.game.id
        for each in t.of_entrant(entrant)
        if each.has_begun and not each.is_over and each.is_table
    )


def forfeit(
    t: Tournament, act: TournamentAct, number: int, *, begun: bool
) -> tuple[TournamentChange, ...]:
    """The games without a result of an entrant who is out, as lost; ``begun`` ones on request.

    Of two players who are both out neither gets a point.
    """
    changes: list[TournamentChange] = []
    for played in t.of_entrant(number):
        if played.is_over or (played.has_begun and (not begun or played.is_table)):
            continue
        points = points_of_present([t.entrants[x - 1].is_active for x in played.game.players])
        how = f.How.DIRECTOR if played.has_begun else f.How.NO_SHOW
        changes.append(add(t, act, f.Scored(played.game.id, points, how)))
        t = changes[-1].tournament
    return tuple(changes)


def replace(
    t: Tournament, act: TournamentAct, number: int, user_id: UserId
) -> TournamentChange | None:
    """Put another person in an entrant's place, with their seed, before a first move.

    The caller checks the matches that have begun: the entrant may have moved in none. Raises
    :exc:`~bot.errors.UserError`: ``not_entered``, ``already_entered``, ``game_begun``,
    ``tournament_over``.
    """
    entrant = known(t, number)
    if entrant.user_id == user_id:
        return None
    check_alive(t)
    other = t.entrant_of(user_id)
    if other is not None and other.is_active:
        raise UserError("already_entered")
    if not entrant.is_active:
        raise UserError("not_entered")
    if any(each.is_over for each in t.of_entrant(number)):
        raise UserError("game_begun")
    return add(t, act, f.Replaced(number), user_id)


def close(t: Tournament, act: TournamentAct) -> TournamentChange | None:
    """Close registration; None if it is closed. Raises ``tournament_over``."""
    check_alive(t)
    return add(t, act, f.Closed()) if t.status is TournamentStatus.REGISTRATION else None


def reopen(t: Tournament, act: TournamentAct, until: datetime) -> TournamentChange | None:
    """Reopen registration, before the first round, until an instant.

    Raises ``round_drawn``, ``date_past``, ``dates_order``.
    """
    check_alive(t)
    if t.status is TournamentStatus.REGISTRATION:
        return None
    if t.rounds:
        raise UserError("round_drawn")
    if until <= act.at:
        raise UserError("date_past")
    if until >= t.finish:
        raise UserError("dates_order")
    return add(t, act, f.Reopened(until))


def ask_bye(
    t: Tournament, act: TournamentAct, number: int, round_number: int, kind: Kind = Kind.HALF_BYE
) -> TournamentChange | None:
    """Leave a player out of a round to come; None if they have that bye already.

    One bye of each player is worth half a point, others nothing. Raises
    :exc:`~bot.errors.UserError`: ``no_byes`` (in another format than Swiss), ``not_entered``,
    ``round_never``, ``round_drawn``, ``byes_used``.
    """
    entrant = known(t, number)
    if t.setup.format is not FormatKey.SWISS:
        raise UserError("no_byes")
    if round_number > Swiss().most_rounds(t):
        raise UserError("round_never", round=round_number)
    check_alive(t)
    if not entrant.is_active:
        raise UserError("not_entered")
    if entrant.byes.get(round_number) is kind:
        return None
    if round_number <= len(t.rounds):
        raise UserError("round_drawn")
    halves = sum(each is Kind.HALF_BYE for at, each in entrant.byes.items() if at != round_number)
    if kind is Kind.HALF_BYE and halves >= _HALF_BYES:
        raise UserError("byes_used", most=_HALF_BYES)
    if not kind.is_requested:
        raise ValueError("only half-point and zero-point byes can be asked for")
    return add(t, act, f.ByeGiven(number, round_number, kind), entrant.user_id)


def known(t: Tournament, number: int) -> Entrant:
    """An entrant; refuses an unknown number (``not_entered``)."""
    found = t.entrant(number)
    if found is None:
        raise UserError("not_entered")
    return found


def check_alive(t: Tournament) -> None:
    """Refuse to change a tournament that is over (``tournament_over``)."""
    if t.status.is_final:
        raise UserError("tournament_over")
