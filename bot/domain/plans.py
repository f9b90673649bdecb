"""Moves planned ahead: what a player will answer if the others play as foreseen.

A *line* is a row of moves in the order of play, those of the others and the planner's own: if they
play a, I play b; if they then play c, I play d. :data:`ANY` stands for whatever another plays, so
that ``* b`` is a premove. A *plan* is all lines of a player for the position as it stands. Lines
that begin alike share their beginning, so a plan is a tree; moves foreseen go before "anything".

Whether a move is legal is asked of the game when a line is written, as far as it foresees
everything, and again when the move is played.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest

from bot.domain.ids import MatchId
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.table import Table, player_at, player_on_turn, table_of
from bot.errors import UserError

__all__ = ["ANY", "MOST_LINES", "Line", "Plan", "Planned", "check_planner", "read_line"]

ANY = "*"
MOST_LINES = 20
MOST_MOVES = 30
_LONGEST_MOVE = 60


@dataclass(frozen=True, slots=True)
class Planned:
    """One move of a line: canonical notation (as typed after an :data:`ANY`), and if it is ours."""

    move: str
    own: bool


Line = tuple[Planned, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a player index has planned; ``ply`` is that of the match at which all lines begin."""

    match_id: MatchId
    player: int
    ply: int
    lines: tuple[Line, ...] = ()

    def with_line(self, line: Line) -> Plan:
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
        """What is left of the plan once these moves have been played."""
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
        """What the planner is to play now; None if the next move is not theirs."""
        return self.lines[0][0].move if self.lines and self.lines[0][0].own else None


def _is_replaced(old: Line, new: Line) -> bool:
    """Whether an old line begins a new one, or has another answer to the same moves.

    The new one does not begin the old one, so there is a place where they part.
    """
    before, after = next(pair for pair in zip_longest(old, new) if pair[0] != pair[1])
    return before is None or (after is not None and before.own and after.own)


def check_planner(match: Match, actor: Actor) -> int:
    """The player index of somebody who may plan: a player of a running match, not on turn.

    Raises :exc:`~bot.errors.UserError` (``not_started``, ``match_over``, ``not_a_player``,
    ``plan_on_turn``).
    """
    if match.status is not MatchStatus.RUNNING:
        over = match.status.is_final
        raise UserError("match_over" if over else "not_started", status=match.status.value)
    player = match.index_of(actor.user_id)
    if player is None or player in match.retired:
        raise UserError("not_a_player")
    if player_on_turn(match) == player:
        raise UserError("plan_on_turn")
    return player


def read_line(match: Match, player: int, text: str) -> Line:
    """The line that somebody meant: moves separated by blanks, semicolons or arrows.

    It is played through as far as it foresees everything, so an illegal move is refused with the
    game's own reason (:exc:`games.errors.MoveError`). What follows the planner's last move is left
    out. Raises :exc:`~bot.errors.UserError`: ``plan_empty`` if nothing of theirs is in it,
    ``plan_long``, ``plan_any`` for an ``*`` in their own place, ``plan_over`` for moves after the
    end of the game.
    """
    words = text.replace("→", " ").replace("->", " ").replace(";", " ").split()
    if len(words) > MOST_MOVES or any(len(word) > _LONGEST_MOVE for word in words):
        raise UserError("plan_long", most=MOST_MOVES)
    table: Table | None = table_of(match)
    line: list[Planned] = []
    for word in words:
        own = bool(line) and word != ANY and not line[-1].own
        if table is not None:
            seat = table.game.to_move(table.position)
            if seat is None:
                raise UserError("plan_over")
            own = player_at(table, seat) == player
            if own and word == ANY:
                raise UserError("plan_any")
        if table is None or word == ANY:
            table = None
            line.append(Planned(word, own))
            continue
        move = table.game.parse(table.position, word)
        line.append(Planned(table.game.notation(table.position, move), own))
        table = Table(table.game, table.game.play(table.position, move))
    while line and not line[-1].own:
        line.pop()
    if not line:
        raise UserError("plan_empty")
    return tuple(line)
