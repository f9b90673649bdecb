"""A substitute for a player who has left a table of more than two, with the consent of all.

Another match continues this one from the present position. It starts as an offer to all remaining
players in their own seats, with the seats of the absent players open. Accepting it means
consenting. When all seats are taken the match before is aborted, in the same transaction.
"""

from __future__ import annotations

from datetime import datetime

from bot.domain.events import Change, CommandContext
from bot.domain.game_state import check_whole, game_state_of
from bot.domain.ids import MatchId
from bot.domain.match import Actor, Match, MatchStatus, Venue
from bot.domain.offers import agreed_terms, create_offer
from bot.domain.stalled import abort, away_from
from bot.errors import UserError


def continuation(
    match_id: MatchId, act: CommandContext, actor: Actor, *, of: Match, expires_at: datetime
) -> Change:
    """Offer to continue a match, with a substitute for each player who has left the server.

    It is casual: its ratings would be those of two players for one seat. Raises
    :exc:`~bot.errors.UserError`, also the errors of :func:`check_goes_on`.
    """
    index = of.index_of(actor.user_id)
    if index is None:
        raise UserError("not_a_player")
    check_goes_on(of, index)
    gone = away_from(of, index)
    kept = (index, *gone)
    terms = agreed_terms(of)
    terms["rated"] = False
    return create_offer(
        match_id,
        act,
        actor.user_id,
        game=of.game,
        options=of.options,
        seat=index,
        invited=tuple(
            None if number in kept else player for number, player in enumerate(of.players)
        ),
        place=of.origin,
        venue=of.venue,
        expires_at=expires_at,
        continues=of.id,
        **terms,
    )


def left_behind(match: Match, before: Match, act: CommandContext) -> Change:
    """Abort the match ``before``, which another one has just continued."""
    host = match.players[match.offered_by]
    assert host is not None  # noqa: S101 - all seats are taken
    actor = Actor(host, before.origin.guild_id)
    return abort(before, CommandContext(act.at), actor)


def check_goes_on(match: Match, player: int) -> None:
    """Refuse a match in which no other player than this one can be substituted.

    Raises :exc:`~bot.errors.UserError`: ``match_over``, ``no_substitute``, ``history_damaged``.
    """
    check_whole(match)
    if match.status is not MatchStatus.RUNNING:
        raise UserError("match_over")
    is_table = len(match.players) > 2 and match.venue is Venue.THREAD
    if not is_table or match.tournament is not None or match.has_computer or match.retired:
        raise UserError("no_substitute")
    table = game_state_of(match)
    if not away_from(match, player) or table.game.to_move(table.position) is None:
        raise UserError("no_substitute")
