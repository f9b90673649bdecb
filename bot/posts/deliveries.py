"""The messages that follow from a change of a match, and the fate of each, sent or still to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from operator import attrgetter

from bot.domain.computers import is_computer
from bot.domain.events import Change, Event, EventKind
from bot.domain.game_state import player_on_turn, waits_for
from bot.domain.ids import ChannelId, MessageId, UserId
from bot.domain.match import Actor, Match, MatchStatus, Venue
from bot.domain.requests import Request, RequestKind
from bot.errors import UserError
from bot.posts.notices import AnyNotice, NoticeKind, RequestNews, RequestNotice
from bot.posts.outgoing import Outgoing
from bot.posts.sending import (
    Delivery,
    DeliveryKind,
    Ending,
    Fate,
    MatchClaim,
    Posted,
    StandingPost,
)

JUST_TOLD = timedelta(minutes=30)
"""A player who was called less than this ago needs no reminder."""
_AT_ONCE = timedelta(seconds=60)
"""A player who moves against a computer waits so long for its answer, and is not called."""


_SEEN = attrgetter("status", "position_since", "retired", "is_paused", "players")
"""What a board shows of a running match."""


@dataclass(frozen=True, slots=True)
class Committed:
    """A change in the transaction that writes it, with the ones that answer it at once.

    ``deliveries`` are what is to be sent of them. ``is_next``: it makes a further match of one same
    offer.
    """

    change: Change
    answers: tuple[Change, ...] = ()
    deliveries: tuple[Delivery, ...] = ()
    is_next: bool = False

    @property
    def played(self) -> tuple[Change, ...]:
        """All of them, in order."""
        return (self.change, *self.answers)

    @property
    def head(self) -> Match:
        """The match after all of them."""
        return self.played[-1].match

    @property
    def at(self) -> datetime:
        """When it is."""
        return self.change.event.at


def deliveries_for(change: Change) -> tuple[Delivery, ...]:
    """The deliveries that follow from a change, in the order in which they are to be made.

    Everybody is told once about what others did, and nobody about what they did themselves.
    Computers are told nothing. A player whose own move leaves them on turn has the new board before
    them and is not called; the reminders of that turn still come
    (:mod:`bot.ui.delivery.timed`).
    """
    match, boards, notices = change.match, _boards(change), _notices(change)
    people = zip(match.players, match.invited, strict=True)
    computers = {seat for seat, (user, guest) in enumerate(people) if is_computer(user or guest)}
    offers = _offers(change, boards)
    # An offer comes before all else. Later its message is the card of the match, which can wait.
    first, last = (offers, ()) if _was_offer(change) else ((), offers)
    planned = (*first, *boards, *notices, *last)
    return tuple(each for each in planned if each.audience not in computers)


def reminders_after(change: Change) -> Iterator[Outgoing]:
    """The search for the first reminder of a turn to which a change has given a new deadline.

    It waits until that could come; many turns are over by then.
    """
    before, match = change.before, change.match
    if match.deadline is None or match.times is None or match.times.running is None:
        return
    is_new = match.position_since == match.version
    if is_new or (before is not None and before.deadline != match.deadline):
        turn = Delivery(DeliveryKind.REMINDER, match.position_since, audience=match.times.running)
        yield turn.message(match.id, change.event.at + (JUST_TOLD if is_new else timedelta()))


def _notices(change: Change) -> Iterator[Delivery]:
    event, match, actor = change.event, change.match, change.event.player
    by_tournament = event.kind is EventKind.ADJUDICATED and not event.payload.get("managed")
    match event.kind:
        case _ if match.status is MatchStatus.OFFERED:
            pass
        case _ if by_tournament or event.payload.get("redrawn"):
            pass  # The tournament tells its players.
        case EventKind.STARTED if _is_for_computers(match):
            pass  # The player who offered it knows, and nobody else was asked.
        case EventKind.STARTED if change.before is None:
            # A game of a tournament: its notice of the round has told everybody but whose turn it
            # is, and that calls.
            yield from _turn(match)
        case EventKind.STARTED:
            turn = _turn(match)
            told = {each.audience for each in turn} | {actor}
            yield from (*turn, *_to_seated(match, NoticeKind.STARTED, but=told))
        case EventKind.EXPIRED | EventKind.DECLINED | EventKind.WITHDRAWN:
            but = set() if event.kind is EventKind.EXPIRED else {actor}
            for each in _to_seated(match, NoticeKind.DECLINED, but=but):
                why = event.payload.get("why") if each.audience == match.offered_by else None
                yield each if why is None else replace(each, notice=NoticeKind(f"declined_{why}"))
        case EventKind.SUBSTITUTED:
            # The tournament tells their opponents.
            is_called = player_on_turn(match) == actor
            yield from _to(match, actor, NoticeKind.TURN if is_called else NoticeKind.STARTED)
        case EventKind.DEPARTED:
            gone = {*match.retired, *match.departed}
            yield from _to_seated(match, NoticeKind.DEPARTED, but=gone)
        case EventKind.NUDGED:
            yield from _to(match, player_on_turn(match), NoticeKind.NUDGED)
        case _:
            yield from _after_play(change)


def untold(match: Match, player: int) -> tuple[Delivery, ...]:
    """The notices to all others when the player on turn can't be called, in direct messages.

    Elsewhere the old board says it, and the answer to a move.
    """
    if match.venue is not Venue.DIRECT:
        return ()
    gone = {player, *match.retired}
    return _to_seated(match, NoticeKind.UNTOLD, but=gone)


def ends_by_board(match: Match) -> bool:
    """Whether the last board itself tells the players that a match is over.

    At a table of more than two that is one message for all, instead of a line for each.
    """
    seats = len(match.players)
    return seats > 2 and match.venue is not Venue.DIRECT and match.status.is_final


def _offers(change: Change, boards: tuple[Delivery, ...]) -> tuple[Delivery, ...]:
    """The offer shows how it ended, or as the card of its match how that stands.

    Where the match is played in the same place, the board says that.
    """
    match = change.match
    if match.tournament is not None:
        return ()
    if _was_offer(change):
        return () if _is_for_computers(match) else _shown(DeliveryKind.OFFER, match)
    if match.venue is Venue.DIRECT:
        return ()
    if match.status is not MatchStatus.RUNNING:
        return _shown(DeliveryKind.OFFER, match)
    has_card = bool(boards) and match.venue is Venue.THREAD
    return (Delivery(DeliveryKind.OFFER, match.version, later=True),) if has_card else ()


def _was_offer(change: Change) -> bool:
    return change.before is None or change.before.status is MatchStatus.OFFERED


def _is_for_computers(match: Match) -> bool:
    """Whether computers take all the seats of an offer but its maker's."""
    others = (guest for seat, guest in enumerate(match.invited) if seat != match.offered_by)
    return all(map(is_computer, others))


def _rests(change: Change) -> bool:
    """Whether the clock stands for a vacation ahead, or did until now: a board says so."""
    heads = (change.before, change.match)
    since = [each.times.since for each in heads if each is not None and each.times is not None]
    return any(instant is not None and instant > change.event.at for instant in since)


def _boards(change: Change) -> tuple[Delivery, ...]:
    """Boards where there is something new to see; what is asked for is told by its notice."""
    event, before, match = change.event, change.before, change.match
    if not match.state or event.payload.get("rules") == "gone":
        return ()  # nobody knows how to draw it
    goes_on = before is not None and match.status is MatchStatus.RUNNING
    is_same = goes_on and _SEEN(before) == _SEEN(match)
    rests = event.kind is EventKind.CREDITED and _rests(change)
    return () if is_same and not rests else _shown(DeliveryKind.BOARD, match)


def _after_play(change: Change) -> Iterator[Delivery]:
    event, before, match = change.event, change.before, change.match
    gone, is_over = set(match.retired), match.status is not MatchStatus.RUNNING
    if event.payload.get("managed"):
        # Those who have left the table, too: it is their place as well.
        yield from _to_seated(match, NoticeKind.OVER)
    elif event.kind in (EventKind.FLAGGED, EventKind.CLAIMED):
        # Nobody at the table flagged, so everybody is told, also the one whose time ran out.
        claimer = None
        if event.kind is EventKind.CLAIMED and event.user_id is not None:
            claimer = match.index_of(event.user_id)
        told = _to_seated(match, NoticeKind.OVER, but=gone - {event.player})
        if not is_over:
            told = (*_to(match, event.player, NoticeKind.OVER), *_turn(match))
        yield from (each for each in told if claimer is None or each.audience != claimer)
    elif is_over:
        yield from _to_seated(match, NoticeKind.OVER, but={*gone, _actor(event)})
    elif before is not None:
        told = tuple(_about_requests(change, before, {*gone, _actor(event)}))
        if match.position_since == before.position_since or "undone" in event.payload:
            yield from told
        elif not (is_computer(event.user_id) and event.at - before.updated_at <= _AT_ONCE):
            yield from _turn(match, but=_actor(event) if event.kind is EventKind.MOVED else None)
            yield from told


def _actor(event: Event) -> int | None:
    """The player who did this just now and so knows of it, if there is one.

    A planned move is played by Parlour, without an interaction: its player may be far away, and is
    told what came of it as the others are.
    """
    is_planned = event.kind is EventKind.MOVED and event.interaction_id is None
    return None if is_planned else event.player


def _about_requests(change: Change, before: Match, but: Set[int | None]) -> Iterator[Delivery]:
    """The notices of requests that are made, answered, withdrawn or over.

    A refusal goes only to the players who agreed. An agreement that is not the last says nothing
    new: the answers of the others are waited for.
    """
    event, match = change.event, change.match
    kept = {each.version for each in match.requests}
    for request in before.requests:
        news = None if request.version in kept else how_ended(request, change)
        if news in (RequestNews.LAPSED, RequestNews.WITHDRAWN):
            yield from _to_seated(match, RequestNotice(request.wish, news), but=but)
        elif news in (RequestNews.DECLINED, RequestNews.BY_MOVE):
            others = set(range(len(match.players))) - set(request.agreed)
            refused = RequestNotice(request.wish, RequestNews.DECLINED)
            yield from _to_seated(match, refused, but=but | others)
    match event.step:
        case EventKind.ASKED:
            asked = RequestNotice(match.requests[-1].wish, RequestNews.ASKED)
            yield from _to_seated(match, asked, but=but)
        case EventKind.RESUMED:
            yield from _to_seated(match, NoticeKind.RESUMED, but=but)
        case EventKind.AGREED if match.is_paused and not before.is_paused:
            yield from _to_seated(match, NoticeKind.PAUSED, but=but)
        case EventKind.AGREED if "undone" in event.payload:
            yield from _to(match, player_on_turn(match), NoticeKind.TAKEBACK_AGREED)


def _to_seated(
    match: Match, notice: AnyNotice, *, but: Set[int | None] = frozenset()
) -> tuple[Delivery, ...]:
    """A notice for everybody who has a seat, except for some players."""
    seated = (index for index, user in enumerate(match.players) if user is not None)
    return tuple(each for index in seated if index not in but for each in _to(match, index, notice))


def _to(match: Match, player: int | None, notice: AnyNotice) -> tuple[Delivery, ...]:
    if player is None:
        return ()
    return (Delivery(DeliveryKind.NOTICE, match.version, player, notice),)


def _turn(match: Match, *, but: int | None = None) -> tuple[Delivery, ...]:
    player = player_on_turn(match)
    is_called = player is not None and player != but and not is_computer(match.players[player])
    return _to(match, player, NoticeKind.TURN) if is_called else ()


def calls_at_home(match: Match, actor: Actor) -> tuple[Delivery, ...]:
    """The call of the player on turn where an actor goes on with a match."""
    try:
        return _turn(match, but=match.index_of(actor.user_id))
    except UserError:
        return ()  # nobody knows its rules


def _shown(kind: DeliveryKind, match: Match) -> tuple[Delivery, ...]:
    """Boards or offers: one in the channel, or in direct messages one for each player."""
    players = range(len(match.players)) if match.venue is Venue.DIRECT else (None,)
    return tuple(Delivery(kind, match.version, each) for each in players)


# ---- the fate of what stands ---------------------------------------------------------------------

_REQUESTS = frozenset(wish.value for wish in RequestKind)


def turn_is_over(version: int, match: Match) -> bool:
    """Whether the turn at a version of a match is over."""
    return match.status is not MatchStatus.RUNNING or version < match.position_since


def marked(post: StandingPost, change: Change) -> StandingPost:
    """A post after a change, which may have ended what it says; only the change tells how."""
    before, match = change.before, change.match
    if before is None or post.ended not in (None, "said"):
        return post
    ended: Ending | None = post.ended
    match post.kind:
        case "board":
            goes = "undone" in change.event.payload
        case "reminder":
            goes = before.deadline != match.deadline
        case "started":
            seat = post.audience or 0
            goes = before.players[seat] != match.players[seat]
        case _:
            goes = post.ended == "said" and before.is_paused is not match.is_paused
            request = _asked(post, before)
            if request is not None and _asked(post, match) is None:
                ended = how_ended(request, change)
    return replace(post, ended="goes" if goes else ended)


def marks(change: Change) -> bool:
    """Whether a change may mark a post: a move where nothing is asked only ends a turn."""
    before, is_move = change.before, change.event.kind is EventKind.MOVED
    return before is not None and (not is_move or bool(before.requests))


def fates(posts: Sequence[StandingPost], match: Match) -> dict[StandingPost, Fate]:
    """The fates of the posts that do not stay as they are."""
    newest = {each.place: each for each in sorted(posts, key=lambda each: each.posted.message_id)}
    found = {each: _fate(each, newest[each.place], match) for each in posts}
    return {post: end for post, end in found.items() if end is not None}


def _fate(post: StandingPost, newest: StandingPost, match: Match) -> Fate | None:
    """The fate of a post, whose place the ``newest`` has taken if it is another; None if it stays.

    An old board goes where the new one shows the same position, or its move was taken back, so that
    a channel has one board a move; else it loses its buttons.
    """
    ended, turned = post.ended == "goes", turn_is_over(post.version, match)
    is_over = match.status is not MatchStatus.RUNNING
    if post.kind == "board":
        if post is newest:
            return None
        is_here = post.posted.channel_id == newest.posted.channel_id
        return "goes" if is_here and (ended or not turned) else "retires"
    if ended or post is not newest:
        return "goes"
    match post.kind:
        case "offer":
            goes = False
        case "challenged":
            has_seat = match.players[post.audience or 0] is not None
            goes = has_seat or match.status is not MatchStatus.OFFERED
        case "paused" | "resumed" | "nudged":
            goes = turned or match.is_paused is not (post.kind == "paused")
        case "started":
            goes = is_over or match.ply > 0
        case "departed":
            goes = is_over or not match.departed
        case kind if kind in _REQUESTS and not is_over and post.ended != "said":
            return _fate_of_request(post, match)
        case _:
            goes = turned
    return "goes" if goes else None


def _fate_of_request(post: StandingPost, match: Match) -> Fate | None:
    """The fate of a post that asks for something and does not say yet how that ended."""
    request = _asked(post, match)
    if request is not None:
        return RequestNews.ACCEPTED if post.audience in request.agreed else None
    if isinstance(post.ended, RequestNews):
        return post.ended
    return "goes" if turn_is_over(post.version, match) else RequestNews.OVER


def _asked(post: StandingPost, match: Match) -> Request | None:
    mine = (each for each in match.requests if each.version == post.version)
    return next(mine, None) if post.kind in _REQUESTS else None


def how_ended(request: Request, change: Change) -> RequestNews:
    """The end of a request that is gone after a change."""
    event = change.event
    if request.expires_at is not None and request.expires_at <= event.at:
        return RequestNews.LAPSED
    if event.kind is EventKind.MOVED:
        return RequestNews.BY_MOVE
    if event.kind is EventKind.SUBSTITUTED:
        return RequestNews.WITHDRAWN
    how = {
        EventKind.AGREED: RequestNews.ACCEPTED,
        EventKind.REFUSED: RequestNews.DECLINED,
        EventKind.RETRACTED: RequestNews.WITHDRAWN,
    }.get(event.step)
    return RequestNews.OVER if how is None or event.wish is not request.wish else how


# ---- messages still to be sent -----------------------------------------------------------------

_NOWHERE = Posted(ChannelId(0), MessageId(0))


def is_overtaken(claim: MatchClaim, later: Set[tuple[object, ...]]) -> bool:
    """Whether a delivery is no longer needed; ``later`` is what later ones show.

    Only the newest board and the newest state of an offer are worth showing, and no message that
    would be past at once, but for news: that a match has started, or how a request has ended.
    """
    kind, match, notice = claim.delivery.kind, claim.match, claim.delivery.notice
    if kind in (DeliveryKind.NOTICE, DeliveryKind.REMINDER):
        post = claim.post(_NOWHERE)
        if post is None or post.kind in ("started", "word"):
            return False
        # To tell it once more finds it.
        is_found = claim.may_exist and notice is not None and not notice.is_call
        return post in fates([post], match) and not is_found
    return claim.shows in later


def is_news(match: Match, notice: AnyNotice, user_id: UserId) -> bool:
    """Whether what a player was not told at once is worth telling late, as the match is now."""
    if isinstance(notice, NoticeKind) and notice.about.is_final:
        return True
    if match.status is not MatchStatus.RUNNING:
        return False
    if notice in (NoticeKind.PAUSED, NoticeKind.RESUMED):
        return match.is_paused is (notice is NoticeKind.PAUSED)
    # Of a match that waits for their move they hear anyway.
    return notice is not NoticeKind.STARTED or not waits_for(match, user_id)


def choose(claims: Sequence[MatchClaim]) -> tuple[tuple[MatchClaim, ...], tuple[int, ...]]:
    """Of all deliveries of a match in order: those to make now, and the ids of those to drop.

    Those that rest wait for their hour. An overtaken one is dropped unless its message may exist,
    which is then looked for. A batch ends with a board that makes the thread for the rest, and has
    one board for each audience: of two that were posted unnoticed the first would be taken for the
    second.
    """
    dropped: list[int] = []
    kept: list[MatchClaim] = []
    later: set[tuple[object, ...]] = set()
    for claim in reversed(claims):
        overtaken = is_overtaken(claim, later)
        may_stand = claim.may_exist and claim.delivery.kind is not DeliveryKind.TIDY
        if overtaken and not may_stand:
            dropped.append(claim.id)
        elif not claim.rests:
            kept.append(replace(claim, overtaken=overtaken))
        if not claim.rests:
            later.add(claim.shows)
    chosen: list[MatchClaim] = []
    boards: set[tuple[object, ...]] = set()
    for claim in reversed(kept):
        if claim.shows in boards:
            break
        chosen.append(claim)
        if claim.delivery.kind is DeliveryKind.BOARD:
            boards.add(claim.shows)
        if claim.wants_thread:
            break
    return tuple(chosen), tuple(dropped)
