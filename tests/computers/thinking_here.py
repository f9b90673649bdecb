"""Computers in tests: engines that think in this process, and matches against them."""

from __future__ import annotations

import json
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from bot.computers.domain.hints import Found
from bot.computers.domain.questions import Question, ThinkingFailed, Thought
from bot.computers.services import ComputerService
from bot.computers.thinking.pool import _move
from bot.computers.thinking.worker import answer
from bot.domain.computers import computer
from bot.domain.game_state import game_state_of, player_on_turn
from bot.domain.ids import MatchId
from bot.domain.match import Actor, Match, MatchStatus
from bot.services.heavy_work import HeavyWork
from bot.store import Store
from tests.support.kit import GUILD, Club


def level(number: int) -> Actor:
    return Actor(computer(number), GUILD)


@dataclass
class ThinkerHere:
    """Answers at once by the engines themselves. ``trouble`` is raised instead, the next first.

    Reviews are thought about as little as after two failures.
    """

    asked: list[Question] = field(default_factory=list)
    trouble: deque[BaseException] = field(default_factory=deque)
    thought: Thought | None = None
    """The answer in place of thinking."""
    is_quick: bool = True

    async def think(self, question: Question) -> Thought:
        self.asked.append(question)
        if self.trouble:
            raise self.trouble.popleft()
        if self.thought is not None:
            return self.thought
        asked = json.loads(question.as_json())
        if asked["about"] in ("review", "moment") and self.is_quick:
            asked["attempt"] += 2
        said = answer(asked)
        return Thought(
            said.get("move"),
            resigns=said.get("resigns", False),
            offers_draw=said.get("offers_draw", False),
            accepts=said.get("accepts", False),
            found=Found(tuple(map(_move, said.get("moves", ())))),
        )


def computers_of(
    club: Club,
    thinker: ThinkerHere | None = None,
    store: Store | None = None,
    *,
    moves_a_minute: int = 1000,
) -> ComputerService:
    return ComputerService(
        store or club.store,
        club.service,
        (thinker or ThinkerHere()).think,
        club.clock,
        heavy=HeavyWork(ThreadPoolExecutor(1)),
        moves_a_minute=moves_a_minute,
    )


async def play_first_moves(club: Club, person: Actor, match_id: MatchId) -> Match:
    """Play the first legal move for a person who is on turn."""
    match = await club.service.match(person, match_id)
    while match.status is MatchStatus.RUNNING:
        player = player_on_turn(match)
        assert player is not None
        if match.players[player] != person.user_id:
            return match
        table = game_state_of(match)
        move = next(iter(table.game.legal_moves(table.position)))
        text = table.game.notation(table.position, move)
        match = (await club.move(person, match_id, text)).match
        match = await club.service.match(person, match_id)
    return match


__all__ = ["ThinkerHere", "ThinkingFailed", "computers_of", "level", "play_first_moves"]
