"""Replaying a history, to check that it holds and that it leads to the stored head."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from typing import Any

from bot.domain import (
    hosted,
    managed,
    match_clock,
    offer_answers,
    offers,
    play,
    request_rules,
    stalled,
)
from bot.domain.clock_text import read_clock, write_clock
from bot.domain.events import GENESIS, Change, CommandContext, Event, EventKind, moment
from bot.domain.game_state import game_of
from bot.domain.ids import ChannelId, GuildId, TournamentId, UserId
from bot.domain.match import Actor, Match, Place, TournamentGame, Venue
from bot.domain.rating_range import stored_rating_range
from bot.domain.requests import RequestKind
from bot.errors import UserError
from games.errors import GameError

_WRONG = {
    "empty": "it has no events",
    "gap": "event {seq} is not the one that comes next",
    "chain": "event {seq} is not as it was written",
    "impossible": "event {seq} cannot have happened",
    "head": "its record is not what its {seq} events lead to",
}


class HistoryError(Exception):
    """A stored history that does not hold.

    ``code`` is ``empty``, ``gap`` (numbers not in order), ``chain`` (a hash does not fit),
    ``impossible`` (an event could not happen then) or ``head`` (the events lead to another
    snapshot); ``seq`` is the number of the event that shows it, ``detail`` says more.
    """

    def __init__(self, code: str, seq: int, detail: str = "") -> None:
        super().__init__(code, seq, detail)
        self.code = code
        self.seq = seq
        self.detail = detail

    def __str__(self) -> str:
        """The fault in English, for the host."""
        said = _WRONG[self.code].format(seq=self.seq)
        return f"{said} ({self.detail})" if self.detail else said


def check_chain(events: Sequence[Any]) -> None:
    """Raise :exc:`HistoryError` unless numbers and hashes of events, of any kind, are in order."""
    if not events:
        raise HistoryError("empty", 0)
    before = GENESIS
    for number, event in enumerate(events, 1):
        if event.seq != number:
            raise HistoryError("gap", number, f"found {event.seq}")
        if event.prev_hash != before or event.hash != event.seal:
            raise HistoryError("chain", number)
        before = event.hash


def replay(events: Sequence[Event], invited: tuple[UserId | None, ...]) -> Match:
    """The match that a history leads to, every move checked by its game.

    ``invited`` has the people that chairs were reserved for, which the sealed history leaves out.
    """
    if not events:
        raise HistoryError("empty", 0)
    match: Match | None = None
    for number, event in enumerate(events):
        try:
            change = _repeat(match, event, invited, events[:number])
        except (UserError, GameError, KeyError, ValueError, TypeError) as error:
            detail = str(error)
            if isinstance(error, GameError) and error.code == "game_unknown":
                detail = f"the game {error.params['game']} is not installed"
            raise HistoryError("impossible", event.seq, detail) from error
        if change is None or change.event.hash != event.hash:
            raise HistoryError("impossible", event.seq, "another event would follow")
        match = change.match
    assert match is not None  # noqa: S101 - there was an event
    return match


def verify(match: Match, events: Sequence[Event]) -> None:
    """Check chain, moves and head of a stored match. Raises :exc:`HistoryError`."""
    check_chain(events)
    again = replay(events, match.invited)
    facts = replace(again, home_id=match.home_id, set_aside_at=match.set_aside_at)
    if facts == match and facts.options == match.options:
        return
    wrong = [
        name for name in Match.__dataclass_fields__ if getattr(facts, name) != getattr(match, name)
    ]
    raise HistoryError("head", match.version, ", ".join(wrong))


def _repeat(
    match: Match | None, event: Event, invited: tuple[UserId | None, ...], past: Sequence[Event]
) -> Change | None:
    """Repeat the change that an event records, after the ``past`` ones."""
    stopped_spans = match_clock.read_spans(event.payload.get("stood"))
    away = match_clock.read_away(event.payload.get("until"))
    act = CommandContext(event.at, event.interaction_id, stopped_spans, away)
    kind = event.kind
    if match is None:
        if kind is EventKind.STARTED:
            return _set_up_again(event, act, invited)
        return _offer_again(event, act, invited) if kind is EventKind.OFFERED else None
    if event.payload.get("managed"):
        return _managed_again(match, event, act)
    if event.payload.get("redrawn"):
        return hosted.call_off(match, act, _text(event, "why"))
    if kind is EventKind.SUBSTITUTED and event.player is not None and event.user_id is not None:
        return hosted.substitute(match, act, event.player, event.user_id, past=past)
    if kind is EventKind.ADJUDICATED:
        points: Any = event.payload["points"]
        given = tuple(Fraction(each) for each in points)
        return hosted.adjudicate(match, act, given, _text(event, "why"))
    by_host = _BY_HOST.get(kind)
    if by_host is not None:
        return by_host(match, act)
    if kind is EventKind.RESIGNED and event.user_id is None and event.player is not None:
        return hosted.put_out(match, act, event.player)
    if kind is EventKind.DEPARTED:
        return stalled.depart(match, act, -1 if event.player is None else event.player)
    if event.user_id is None and kind is EventKind.WITHDRAWN:
        return offer_answers.clear(match, act)
    if event.user_id is None:
        is_put_aside = kind is EventKind.ABORTED and event.payload.get("unreached")
        return stalled.abort_untold(match, act) if is_put_aside else None
    actor = Actor(event.user_id)
    if event.payload.get("rules") == "gone":
        return play.without_rules(match, act, play.acting_player(match, actor), event.user_id)
    if kind is EventKind.MOVED:
        return play.move(match, act, actor, text=_text(event, "move"))
    if kind in (EventKind.JOINED, EventKind.STARTED):
        return offer_answers.accept(
            match, act, actor, initial=lambda game: game.encode(game.decode(_text(event, "state")))
        )
    if kind is EventKind.DECLINED:
        why = event.payload.get("why")
        reason = None if why is None else offer_answers.DeclineReason(why)
        return offer_answers.decline(match, act, actor, reason=reason)
    if kind is EventKind.CLAIMED:
        return stalled.claim(match, act, actor, past=past)
    if event.wish is not None:
        return _ask_again(match, event, act, actor, past, wish=event.wish)
    again = _SIMPLE.get(kind)
    return None if again is None else again(match, act, actor)


def _managed_again(match: Match, event: Event, act: CommandContext) -> Change | None:
    why = _text(event, "why")
    if event.kind is not EventKind.ADJUDICATED:
        return managed.end(match, act, why)
    places: Any = event.payload["places"]
    return managed.decide(match, act, places, why, counts=bool(event.payload["counts"]))


_BY_HOST: dict[EventKind, Callable[[Match, CommandContext], Change | None]] = {
    EventKind.EXPIRED: offer_answers.expire,
    EventKind.FLAGGED: play.flag,
    EventKind.CREDITED: match_clock.credit,
    EventKind.LAPSED: request_rules.lapse,
}
_SIMPLE: dict[EventKind, Callable[[Match, CommandContext, Actor], Change]] = {
    EventKind.LEFT: offer_answers.withdraw,
    EventKind.WITHDRAWN: offer_answers.withdraw,
    EventKind.RESIGNED: play.resign,
    EventKind.ABORTED: stalled.abort,
    EventKind.RESUMED: request_rules.resume,
    EventKind.NUDGED: stalled.nudge,
}


def _ask_again(
    match: Match,
    event: Event,
    act: CommandContext,
    actor: Actor,
    past: Sequence[Event],
    *,
    wish: RequestKind,
) -> Change:
    if event.step is EventKind.RETRACTED:
        return request_rules.withdraw(match, act, actor, wish)
    if event.step is EventKind.ASKED:
        expires: Any = event.payload.get("expires")
        until = None if expires is None else moment(expires)
        return request_rules.ask(match, act, actor, wish, expires_at=until, past=past)
    accept = event.step is EventKind.AGREED
    return request_rules.answer(match, act, actor, wish, accept=accept, past=past)


def _terms(payload: Mapping[str, Any]) -> dict[str, Any]:
    """The terms that every first event has, as :func:`~bot.domain.events.terms_of` writes them."""
    guild, clock = payload["guild"], payload.get("clock")
    control = None if clock is None else read_clock(clock)
    if clock != (None if control is None else write_clock(control)):
        raise ValueError("the clock is not in its canonical words")
    return {
        "game": payload["game"],
        "options": payload["options"],
        "place": Place(None if guild is None else GuildId(guild), ChannelId(payload["channel"])),
        "venue": Venue(payload["venue"]),
        "rated": bool(payload.get("rated")),
        "clock": control,
    }


def _offer_again(event: Event, act: CommandContext, invited: tuple[UserId | None, ...]) -> Change:
    payload: Mapping[str, Any] = event.payload
    if [int(guest is not None) for guest in invited] != payload["kept"]:
        raise ValueError("chairs are kept for others than when the offer was made")
    band = payload.get("band")
    return offers.create_offer(
        event.match_id,
        act,
        event.user_id,
        seat=-1 if event.player is None else event.player,
        invited=invited,
        expires_at=moment(payload["expires"]),
        band=None if band is None else stored_rating_range(band),
        start=payload.get("start"),
        hints=bool(payload.get("hints")),
        takebacks=payload.get("takebacks", 1) != 0,
        is_rematch=payload.get("rematch", 0) != 0,
        repeats=payload.get("repeats", 0),
        continues=payload.get("continues"),
        language=payload.get("language"),
        **_terms(payload),
    )


def _set_up_again(event: Event, act: CommandContext, players: tuple[UserId | None, ...]) -> Change:
    payload: Mapping[str, Any] = event.payload
    terms = _terms(payload)
    rules = game_of(terms["game"], terms["options"])
    return hosted.set_up(
        event.match_id,
        act,
        players=players,
        tournament=TournamentGame(
            TournamentId(payload["tournament"]),
            payload["pairing"],
            bool(payload["takebacks"]),
            timedelta(microseconds=payload["no_show"]),
        ),
        state=rules.encode(rules.decode(payload["state"])),
        **terms,
    )


def _text(event: Event, key: str) -> str:
    value = event.payload[key]
    if not isinstance(value, str):
        raise TypeError(key)
    return value
