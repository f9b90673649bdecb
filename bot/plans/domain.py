"""Moves planned ahead: a player's answers if the others play as expected.

A *line* is a sequence of moves in the order of play, those of the others and the planner's own: if
they play a, I play b; if they then play c, I play d. :data:`ANY` stands for any move of another
player, so that ``* b`` is a premove. A plan made while on turn begins with the player's own next
move. A *plan* is all lines of a player for the current position. Lines share common beginnings, so
a plan is a tree; expected moves go before "anything".

The game judges legality when a line is written, as far as all moves are known, and again when the
move is played. The player of each move follows from the position up to the first :data:`ANY`, and
from the order of the players after it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from bot.domain import play
from bot.domain.events import Change, CommandContext, OnVacation
from bot.domain.game_state import GameState, check_running, game_state_of, player_at, player_on_turn
from bot.domain.ids import MatchId
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.play import seated
from bot.domain.playthrough import moves_of
from bot.errors import UserError
from bot.logs import bug_id, logger
from games.api import Game
from games.errors import GameError

_log = logger(__name__)

ANY = "*"
MOST_LINES = 20
MOST_MOVES = 30
_LONGEST_MOVE = 60


@dataclass(frozen=True, slots=True)
class Planned:
    """One move of a line, in canonical notation (as typed after an :data:`ANY`); it may be ours."""

    move: str
    own: bool


PlanLine = tuple[Planned, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a player index; ``ply`` is that of the match at which all lines begin."""

    match_id: MatchId
    player: int
    ply: int
    lines: tuple[PlanLine, ...] = ()

    def with_line(self, line: PlanLine) -> Plan:
        """The plan with this line; it replaces those in which the planner answers otherwise.

        Raises :exc:`~bot.errors.UserError` (``plan_full``).
        """
        if any(line == each[: len(line)] for each in self.lines):
            return self
        kept = tuple(each for each in self.lines if not _is_replaced(each, line))
        lines = sorted((*kept, line), key=lambda each: [step.move == ANY for step in each])
        if len(lines) > MOST_LINES:
            raise UserError("plan_full", most=MOST_LINES)
        return replace(self, lines=tuple(lines))

    def without(self, number: int) -> Plan:
        """The plan without its line of that number, from 0; the same plan if there is none."""
        return replace(self, lines=self.lines[:number] + self.lines[number + 1 :])

    def after(self, moves: tuple[str, ...]) -> Plan:
        """The rest of the plan once these moves have been played."""
        lines = self.lines
        for move in moves:
            lines = tuple(
                dict.fromkeys(
                    line[1:]
                    for wanted in (move, ANY)
                    for line in lines
                    if len(line) > 1 and line[0].move == wanted
                )
            )
        return replace(self, ply=self.ply + len(moves), lines=lines)

    @property
    def answer(self) -> str | None:
        """The move that the planner should play now; None if the next move is not theirs."""
        return self.lines[0][0].move if self.lines and self.lines[0][0].own else None


def _is_replaced(old: PlanLine, new: PlanLine) -> bool:
    """Whether an old line begins a new one, or has another answer to the same moves.

    The new one does not begin the old one, so they differ at some move.
    """
    before, after = next(pair for pair in zip_longest(old, new) if pair[0] != pair[1])
    return before is None or (after is not None and before.own and after.own)


def check_planner(match: Match, actor: Actor) -> int:
    """The player index of a person who may plan: a player of a running match.

    Raises :exc:`~bot.errors.UserError` (``not_started``, ``match_over``, ``not_a_player``,
    ``have_left``, ``match_damaged``).
    """
    check_running(match)
    return seated(match, actor.user_id)


def read_lines(match: Match, player: int, text: str) -> tuple[PlanLine, ...]:
    """The lines of a text, one to a row. Raises ``plan_empty`` as well."""
    texts = [line for line in text.splitlines() if line.strip()][: MOST_LINES + 1]
    if not texts:
        raise UserError("plan_empty")
    return tuple(read_line(match, player, line) for line in texts)


def read_line(match: Match, player: int, text: str) -> PlanLine:
    """The line that a player typed: moves separated by blanks, semicolons or arrows.

    It is played through up to the first unknown move, so an illegal move is refused with the game's
    own reason (:exc:`games.errors.MoveError`). Moves after the planner's last one are left out. A
    planner on turn begins with their own next move, which is only expected: they play it
    themselves. Raises :exc:`~bot.errors.UserError`: ``plan_empty`` if nothing is planned in it,
    ``plan_long``, ``plan_any`` for an ``*`` in their own place, so also for a second one in a row
    where the others move once, ``plan_over`` for moves after the end of the game.
    """
    words = text.replace("→", " ").replace("->", " ").replace(";", " ").split()
    if len(words) > MOST_MOVES or any(len(word) > _LONGEST_MOVE for word in words):
        raise UserError("plan_long", most=MOST_MOVES)
    begin = game_state_of(match)
    game, may_move = begin.game, _on_turn(begin)
    table: GameState | None = begin
    line: list[Planned] = []
    for word in words:
        if not may_move:
            raise UserError("plan_over")
        own = player in may_move
        if len(may_move) > 1:
            # Unknown: the player answers moves of the others.
            own = own and word != ANY and not line[-1].own
        if own and word == ANY:
            raise UserError("plan_any", number=len(line) + 1)
        if table is None or word == ANY:
            line.append(Planned(word, own))
            may_move = _following(game, may_move) if table is None else _after_any(table)
            table = None
            continue
        move = game.parse(table.position, word)
        line.append(Planned(game.notation(table.position, move), own))
        table = GameState(game, game.play(table.position, move))
        may_move = _on_turn(table)
    while line and not line[-1].own:
        line.pop()
    if not line or (len(line) == 1 and player in _on_turn(begin)):
        raise UserError("plan_empty")
    return tuple(line)


def _on_turn(table: GameState) -> frozenset[int]:
    """The player index of the player on turn; None after the end."""
    seat = table.game.to_move(table.position)
    return frozenset() if seat is None else frozenset((player_at(table, seat),))


def _after_any(table: GameState) -> frozenset[int]:
    """The players who may be on turn after any move in a known position."""
    game = table.game
    if game.moves_in_turn:
        return _following(game, _on_turn(table))
    after = (game.play(table.position, move) for move in game.legal_moves(table.position))
    return frozenset().union(*(_on_turn(GameState(game, each)) for each in after))


def _following(game: Game[Any, Any], players: frozenset[int]) -> frozenset[int]:
    """The players who may be on turn after a move of one of these, in an unknown position."""
    count = len(game.seats)
    if game.moves_in_turn:
        return frozenset((player + 1) % count for player in players)
    return frozenset(range(count))


# ---- the moves that plans answer -----------------------------------------------------------------


def ends_plans(change: Change) -> bool:
    """Whether a change makes earlier plans invalid."""
    match = change.match
    over = match.status is not MatchStatus.RUNNING
    return change.before is not None and (over or match.position_since == match.version)


def play_plans(
    change: Change, found: tuple[Plan, ...], absent: tuple[OnVacation, ...] = ()
) -> tuple[tuple[Change, ...], tuple[Plan, ...]]:
    """The planned answers to a change of the position, and the plans after them."""
    by_player = {each.player: each for each in found}
    answers: list[Change] = []
    latest: Change | None = change
    while latest is not None:
        by_player = {player: _after(each, latest) for player, each in by_player.items()}
        latest = _answer(latest, by_player, absent)
        if latest is not None:
            answers.append(latest)
    return tuple(answers), tuple(by_player.values())


def _after(plan: Plan, change: Change) -> Plan:
    """The plan after a change of the position."""
    before, match = change.before, change.match
    moves = moves_of((change.event,))
    in_step = before is not None and before.ply == plan.ply and match.ply == plan.ply + len(moves)
    if not in_step or match.status is not MatchStatus.RUNNING or plan.player in match.retired:
        return Plan(plan.match_id, plan.player, match.ply)
    return plan.after(moves)


def _answer(
    change: Change, by_player: dict[int, Plan], away: tuple[OnVacation, ...]
) -> Change | None:
    """The planned move in this position; if it is impossible, None, and the plan ends."""
    match = change.match
    player = player_on_turn(match)
    plan = None if player is None else by_player.get(player)
    if player is None or plan is None or not plan.lines:
        return None
    planned = _planned_move(match, plan, CommandContext(change.event.at, away=away))
    if planned is None:
        by_player[player] = Plan(match.id, player, match.ply)
    return planned


def _planned_move(match: Match, plan: Plan, act: CommandContext) -> Change | None:
    person = match.players[plan.player]
    if plan.answer is None or person is None:
        return None
    try:
        return play.move(match, act, Actor(person), text=plan.answer)
    except (UserError, GameError):
        return None
    except Exception:
        # A failing plan must not fail the move that triggers it.
        _log.exception("a plan could not be followed", bug=bug_id(), match=match.id)
        return None
