"""What follows from a change of a match, whatever has made it: a player, a clock or the host.

The store asks in the very transaction that writes a change, and writes whatever the answer holds
together with it. :func:`consequences` decides and touches nothing: what it has to know beside the
change it looks up in the :class:`Facts`, and what it answers is a value.

To have something else follow from a change, add a field to :class:`Consequences`, a function here
that decides it, and a line in :func:`bot.store.transactions.commit` that writes it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Protocol

from bot.domain.computer_turns import awaited, people_of, sits
from bot.domain.computers import is_computer, level_of
from bot.domain.events import Change, EventKind
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.offers import next_offer
from bot.domain.plans import Plan
from bot.domain.ratings.rated import RatingRecord, apply, counts, ranks_of, system_of
from bot.domain.vacation import AFTER_A_MOVE
from bot.posts.deliveries import deliveries_for
from bot.posts.outgoing import Outgoing
from bot.posts.overtaken import Closing, closings
from bot.posts.sending import Delivery, DeliveryKind
from bot.store.lobbies import LobbyNote, is_listed
from bot.store.planned_moves import away, play_plans
from bot.store.records import (
    ComputerWork,
    Rated,
    TallyChange,
    TallyKind,
    VacationNotice,
    VacationRow,
)

JUST_TOLD = timedelta(minutes=30)
"""So soon after a player has been told of a turn, they need no reminder."""


class Facts(Protocol):
    """What can be looked up while it is worked out what follows; none of it changes meanwhile."""

    def plans(self, match_id: MatchId) -> tuple[Plan, ...]:
        """What the players of a match have planned."""
        ...

    def vacations(self, user_id: UserId) -> tuple[VacationRow, ...]:
        """All that is kept of a person's vacations, the first one first."""
        ...

    def lobby(self, guild_id: GuildId) -> LobbyNote | None:
        """The lobby of a server, None if it has none."""
        ...

    def followers(self, match_id: MatchId) -> tuple[UserId, ...]:
        """Who follows a match."""
        ...

    def fans(self, match: Match) -> tuple[UserId, ...]:
        """Who follows the next matches of any of its players, in its server."""
        ...

    def records(self, match: Match) -> tuple[tuple[UserId, RatingRecord | None], ...]:
        """The players of a match by index, and their records in its game, None for a newcomer.

        A player who has been erased has another id by now than in the ``match``.
        """
        ...


@dataclass(frozen=True, slots=True)
class TurnToPlan:
    """A turn whose reminders are to be planned, by the version ``since`` which it is that turn.

    ``is_new`` is false where the turn was known and has another deadline now.
    """

    match_id: MatchId
    player: int
    since: int
    is_new: bool

    def message(self, at: datetime) -> Outgoing:
        """The planning of its reminders, for the outbox; ``at`` is when it got its deadline.

        A new turn is not planned before its first reminder could come, and many are over by then.
        """
        delivery = Delivery(DeliveryKind.REMINDERS, self.since, audience=self.player)
        return delivery.message(self.match_id, at + JUST_TOLD if self.is_new else at)


@dataclass(frozen=True, slots=True)
class NextOffer:
    """The offer that follows on one for several matches; ``quietly``: the lobby shows it."""

    change: Change
    quietly: bool


@dataclass(frozen=True, slots=True)
class Consequences:
    """All that is to be written with a change.

    ``answers``
        the seats that computers take, and the moves that players had planned for this, in order.
    ``plans``
        the plans that take the place of those before; one without lines is gone.
    ``closings``
        the posts that are not to stay as they are.
    ``deliveries``
        what is to be sent, in this order.
    ``turns``
        the turns that got a deadline, or another one.
    ``lobby``
        the server whose list of open offers is to be shown anew.
    ``next_offer``
        the offer that takes the place of the one that has started its match.
    ``tallies``
        what now counts towards the limits of bringing people together, or no longer does.
    ``rated``
        the players by index, if the result counts for their ratings.
    ``ranks``
        the places by player index, if a rated result has changed; empty if it no longer counts.
    ``ended``
        the match, if it is over and its tournament is to record that.
    ``vacations``
        vacations with another end than before.
    ``fans``
        who follows the match from now on, because they follow one of its players.
    ``followers``
        who is to be shown how the match stands.
    ``computer``
        in a match with computers, what takes the place of what one of them had to do before.
    """

    answers: tuple[Change, ...] = ()
    plans: tuple[Plan, ...] = ()
    closings: tuple[Closing, ...] = ()
    deliveries: tuple[Delivery, ...] = ()
    turns: tuple[TurnToPlan, ...] = ()
    lobby: GuildId | None = None
    next_offer: NextOffer | None = None
    tallies: tuple[TallyChange, ...] = ()
    rated: tuple[Rated, ...] = ()
    ranks: tuple[int, ...] | None = None
    ended: MatchId | None = None
    vacations: tuple[VacationRow, ...] = ()
    fans: tuple[UserId, ...] = ()
    followers: tuple[UserId, ...] = ()
    computer: ComputerWork | None = None


def consequences(change: Change, facts: Facts, *, quietly: bool = False) -> Consequences:
    """What follows from a change; ``quietly``: but nobody is told of the change itself."""
    answers: tuple[Change, ...] = ()
    is_newcomer = change.event.kind is EventKind.SUBSTITUTED
    plans = () if is_newcomer or not _is_another_position(change) else facts.plans(change.match.id)
    if plans:
        answers, plans = play_plans(change, plans, facts.vacations)
    elif is_newcomer and change.event.player is not None:
        plans = (Plan(change.match.id, change.event.player, change.match.ply),)
    if change.match.has_computer:
        answers = (*sits(change, away(change, facts.vacations)), *answers)
    played = (change, *answers)
    told = answers if quietly else played
    sent = tuple(chain.from_iterable(map(deliveries_for, told)))
    last = played[-1].match
    is_over = last.status.is_final
    was_rated = is_over and change.before is not None and counts(change.before)
    fans = _fans(change, last, facts)
    return Consequences(
        answers=answers,
        plans=plans,
        closings=tuple(chain.from_iterable(map(closings, played))),
        deliveries=sent,
        turns=tuple(chain.from_iterable(map(_turn, played))),
        lobby=_lobby(change),
        next_offer=_next_offer(change, facts),
        tallies=_tallies(change),
        rated=_rated(last, facts) if is_over and not was_rated else (),
        ranks=(ranks_of(last) if counts(last) else ()) if was_rated else None,
        ended=last.id if is_over and last.tournament is not None else None,
        vacations=_shortened(change, facts),
        fans=fans,
        followers=_followers(last, sent, fans, facts),
        computer=_computer(last),
    )


def _is_another_position(change: Change) -> bool:
    """Whether plans made before a change cannot stay as they are."""
    match = change.match
    over = match.status is not MatchStatus.RUNNING
    return change.before is not None and (over or match.position_since == match.version)


def _turn(change: Change) -> tuple[TurnToPlan, ...]:
    """The turn to which a change has given a deadline."""
    before, match = change.before, change.match
    if match.deadline is None or match.times is None or match.times.running is None:
        return ()
    is_new = match.position_since == match.version
    if not is_new and (before is None or before.deadline == match.deadline):
        return ()
    return (TurnToPlan(match.id, match.times.running, match.position_since, is_new),)


def _lobby(change: Change) -> GuildId | None:
    """The server of a match that is, or was until now, one of its open offers."""
    was_open = change.before is not None and change.before.is_open
    return change.match.origin.guild_id if was_open or change.match.is_open else None


def _next_offer(change: Change, facts: Facts) -> NextOffer | None:
    """What an offer for several matches leaves for others to accept."""
    following = next_offer(change) if change.match.repeats else None
    if following is None:
        return None
    guild_id = following.match.origin.guild_id
    lobby = None if guild_id is None else facts.lobby(guild_id)
    return NextOffer(following, is_listed(lobby, following.match))


def _tallies(change: Change) -> tuple[TallyChange, ...]:
    """Offers to people by name, and those they declined. What they accept was welcome."""
    match, event = change.match, change.event
    host, guest = match.players[match.offered_by], event.user_id
    if host is None:
        return ()
    if event.kind is EventKind.OFFERED:
        named = (each for each in match.invited if each is not None and not is_computer(each))
        return tuple(TallyChange(TallyKind.OFFER, host, each) for each in named)
    if guest is not None and event.kind is EventKind.DECLINED:
        return (TallyChange(TallyKind.DECLINE, host, guest),)
    if guest is not None and event.kind in (EventKind.JOINED, EventKind.STARTED):
        return (TallyChange(TallyKind.OFFER, host, guest, counts=False),)
    return ()


def _rated(match: Match, facts: Facts) -> tuple[Rated, ...]:
    """What a match that has just ended does to the ratings of its players."""
    if not counts(match):
        return ()
    system, ranks, players = system_of(match.game), ranks_of(match), facts.records(match)
    before = tuple(record or RatingRecord(system.newcomer) for _, record in players)
    after = apply(system, before, ranks, match.updated_at)
    return tuple(
        Rated(user, rank, record, system.shown(record.rating), known is None)
        for (user, known), rank, record in zip(players, ranks, after, strict=True)
    )


def _shortened(change: Change, facts: Facts) -> tuple[VacationRow, ...]:
    """A vacation that began by itself and ends soon, now that its person has moved somewhere."""
    event = change.event
    if event.kind is not EventKind.MOVED or event.user_id is None:
        return ()
    now, end = event.at, event.at + AFTER_A_MOVE
    return tuple(
        replace(
            each,
            vacation=replace(each.vacation, ends_at=end),
            changed_at=now,
            line_at=now,
            telling=VacationNotice(end),
        )
        for each in facts.vacations(event.user_id)
        if each.vacation.by_itself and each.vacation.began_at <= now and each.vacation.ends_at > end
    )


def _fans(change: Change, match: Match, facts: Facts) -> tuple[UserId, ...]:
    """Who follows a match that has just started, because they follow one of its players."""
    was_running = change.before is not None and bool(change.before.state)
    if was_running or match.status is not MatchStatus.RUNNING or match.origin.guild_id is None:
        return ()
    return tuple(each for each in facts.fans(match) if each not in match.players)


def _followers(
    match: Match, sent: tuple[Delivery, ...], fans: tuple[UserId, ...], facts: Facts
) -> tuple[UserId, ...]:
    """Who is to see how a match stands now: there is a new board, or it has just started."""
    if match.origin.guild_id is None or not match.state:
        return ()
    if not any(each.kind is DeliveryKind.BOARD for each in sent):
        return fans
    return tuple(dict.fromkeys((*fans, *facts.followers(match.id))))


def _computer(match: Match) -> ComputerWork | None:
    """What a match waits for a computer to do."""
    if not match.has_computer:
        return None
    player, people = awaited(match), people_of(match)
    user = None if player is None else match.players[player]
    level = None if user is None else level_of(user)
    return ComputerWork(level, people[0] if people else None)
