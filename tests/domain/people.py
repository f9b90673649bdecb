"""Short words for commands on a match, without any storage."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

from bot.domain import hosted, offer_answers, offers, play
from bot.domain.events import Change, CommandContext
from bot.domain.game_state import game_of, player_on_turn
from bot.domain.ids import InteractionId, MatchId, TournamentId, game_match_id
from bot.domain.match import Actor, Match, TournamentGame, Venue
from tests.support.kit import ANN, BOB, PLACE, START, person

DAY = timedelta(days=1)


def at(seconds: float = 0, click: int | None = None) -> CommandContext:
    interaction = None if click is None else InteractionId(click)
    return CommandContext(START + timedelta(seconds=seconds), interaction)


def offered(
    *opponents: Actor, by: Actor = ANN, seat: int | None = 0, seed: int = 0, **more: Any
) -> Change:
    return offers.offer(
        MatchId("abcdefghij"),
        at(),
        by,
        game=more.pop("game", "rows"),
        options=more.pop("options", {}),
        opponents=opponents,
        seat=seat,
        place=more.pop("place", PLACE),
        venue=more.pop("venue", Venue.THREAD),
        expires_at=START + DAY,
        clock=more.pop("clock", None),
        rng=Random(seed),
        **more,
    )


def accepted(match: Match, actor: Actor, seconds: float = 1) -> Change:
    return offer_answers.accept(
        match, at(seconds), actor, initial=lambda game: game.encode(game.initial(Random(0)))
    )


def started(*others: Actor, **more: Any) -> Match:
    others = others or (BOB,)
    match = offered(*others, **more).match
    for other in others:
        match = accepted(match, other).match
    return match


def set_up(*players: Actor, **more: Any) -> Change:
    """A game of a tournament, which starts at once."""
    rules = game_of(more.get("game", "rows"), more.get("options", {}))
    people = players or (ANN, BOB)
    return hosted.set_up(
        game_match_id(TournamentId("abcdefghij"), "1.1", 1),
        at(),
        game=more.pop("game", "rows"),
        options=more.pop("options", {}),
        players=tuple(each.user_id for each in people),
        place=PLACE,
        venue=Venue.THREAD,
        rated=more.pop("rated", False),
        clock=more.pop("clock", None),
        tournament=TournamentGame(
            TournamentId("abcdefghij"),
            "1.1",
            more.pop("takebacks", False),
            more.pop("no_show", timedelta(minutes=15)),
        ),
        state=rules.encode(rules.initial(Random(0))),
    )


def played(match: Match, moves: str) -> Match:
    for text in moves.split():
        on_turn = player_on_turn(match)
        assert on_turn is not None
        user = match.players[on_turn]
        assert user is not None
        match = play.move(match, at(2), person(user), text=text).match
    return match
