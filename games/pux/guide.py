"""Pux in words: its facts, its refusals, and its rules as people read them."""

from __future__ import annotations

from games.api import GameInfo, GuidePage
from games.view import Text

__all__ = ["INFO"]

_GUIDE = (
    GuidePage(
        Text.of("The goal"),
        Text.of(
            "Capture every stone of the other side. White begins and goes up the board, Black goes"
            " down. On your turn one of your pieces moves, moves and takes neighbours along, or"
            " captures."
        ),
        position="1xxxxxx1/1xxxxxx1/8/8/8/8/1wwwwww1/1wwwwww1 w -",
    ),
    GuidePage(
        Text.of("Move potential"),
        Text.of(
            "The number on a piece is its move potential: itself and every friendly stone around"
            " it, corners included. So many cells it may go, or fewer. A stone goes left, right,"
            " straight forward or diagonally forward, in a straight line and never over another"
            " piece. Company makes you fast; whoever runs ahead alone crawls."
        ),
        position="8/8/3x4/8/8/1w6/2ww4/8 w -",
        move="c2-f5",
    ),
    GuidePage(
        Text.of("Not twice sideways"),
        Text.of(
            "After a turn to the left or right your next turn must not go left or right again,"
            " whichever piece moves, captures included. The armies have to come to grips."
        ),
        position="8/8/3x4/8/2ww4/8/8/8 w -",
        move="d4-f4",
    ),
    GuidePage(
        Text.of("Taking neighbours along"),
        Text.of(
            "A piece may take along any of the pieces directly left, right, above and below it,"
            " yours or the enemy's. The whole group keeps its shape and moves at once, and every"
            " cell on the way of each of its pieces has to be free. The price: the move potential"
            " is shared out evenly among all pieces that go, the mover included, and rounded down."
            " Here 4 among two pieces is 2 cells."
        ),
        position="8/8/3x4/8/8/8/1ww5/1ww5 w -",
        move="b2,b1-b4",
    ),
    GuidePage(
        Text.of("Capturing"),
        Text.of(
            "A piece captures by moving alone onto an enemy piece within its reach, and only if its"
            " move potential is greater than the enemy's; equal is not enough. A capture ends the"
            " turn and is never a duty."
        ),
        position="8/1xx5/1xx5/8/8/2w5/3w4/8 x -",
        move="c6:c3",
    ),
    GuidePage(
        Text.of("Promotion"),
        Text.of(
            "A stone that reaches the last rank on its way gets a second stone on top, if one of"
            " its side's stones has been captured and is free for it: no side ever has more than"
            " twelve stones on the board. A promoted piece goes backward as well, and its two"
            " stones both count, for itself and for its friends. Whoever captures it takes both."
        ),
        position="8/2w5/8/5x2/4xx2/8/8/8 w -",
        move="c7-c8",
    ),
    GuidePage(
        Text.of("Passing and draws"),
        Text.of(
            "You pass only if you have no legal move, and then you must. The game is a draw when a"
            " position comes up for the third time, when 100 turns in a row bring neither capture"
            " nor promotion, when each side has but one piece and both are promoted, when both"
            " sides pass one after the other, or when you agree on it. The author names no draws;"
            " these are ours, because some endings cannot be won."
        ),
        position="2W5/8/8/8/8/3X4/2w5/8 w -",
    ),
    GuidePage(
        Text.of("Writing moves"),
        Text.of(
            "A move is b2-b5, a capture b7:b5. When pieces go along, name them after a comma:"
            " b2,b1c2-c3 moves b2 to c3, and b1 and c2 the same way."
        ),
        position="8/8/3x4/8/8/8/1ww5/1ww5 w -",
        move="b2,b1c2-c3",
    ),
)

INFO = GameInfo(
    key="pux",
    name="Pux",
    summary=Text.of(
        "The more friends stand around a stone, the farther it goes. Capture them all."
    ),
    designer="João Pedro Neto",
    year="2000",
    links=("https://jpneto.github.io/world_abstract_games/pux.htm",),
    rules_version=1,
    options=(),
    presets=(),
    refusals={
        "move_form": Text.of(
            "That is not a move of Pux. Write a move, a capture or a group like one of these:"
            " {hint}."
        ),
        "rider_twice": Text.of("A piece can be taken along once only: name each of them once."),
        "game_over": Text.of("The game is over."),
        "pass_not_forced": Text.of("You may pass only if you have no other move."),
        "no_piece": Text.of("There is no piece on {cell}."),
        "not_yours": Text.of("The piece on {cell} is not yours to move."),
        "not_a_neighbour": Text.of(
            "{mover} can take along only what stands directly beside it, above it or below it, and"
            " {cell} does not."
        ),
        "not_straight": Text.of("{start} and {end} do not lie on one straight line."),
        "backward": Text.of(
            "The stone on {cell} is not promoted, and only promoted pieces move backward."
        ),
        "consecutive_lateral": Text.of(
            "Your last turn went sideways, so this one has to go forward or backward."
        ),
        "mp_too_small": Text.of(
            "That is {distance} cells, but the piece has a move potential of {mp} only."
        ),
        "mp_too_small_to_carry": Text.of(
            "A move potential of {mp} shared among {pieces} pieces is {reach}, and that is"
            " {distance} cells."
        ),
        "off_board": Text.of("The piece on {cell} would leave the board."),
        "path_blocked": Text.of("The way is blocked on {cell}: pieces do not jump."),
        "transport_blocked": Text.of(
            "The piece that you take along from {rider} is blocked on {cell}: pieces do not jump."
        ),
        "own_piece": Text.of("There is a piece of your own on {cell}."),
        "write_capture": Text.of(
            "There is an enemy piece on {cell}. Write {move} if you want to capture it."
        ),
        "capture_carries": Text.of(
            "A piece that captures takes nobody along: {move} would be the capture on {cell}."
        ),
        "nothing_to_capture": Text.of("There is nothing to capture on {cell}."),
        "capture_needs_greater_mp": Text.of(
            "To capture, your move potential has to be greater: yours is {mp}, and that of the"
            " piece on {cell} is {target_mp}."
        ),
        "position_form": Text.of("That is not a position of Pux."),
        "position_ranks": Text.of("A board of Pux has {size} ranks."),
        "position_rank": Text.of("Rank {rank} of the position does not have {size} cells."),
        "position_empty": Text.of("There is no piece on the board."),
        "position_stones": Text.of("The side {side} has more than {limit} stones."),
        "position_count": Text.of(
            "The turns without capture or promotion are more than {limit}, or fewer than what is"
            " told of them."
        ),
        "position_earlier": Text.of("The position cannot have come from {entry}."),
    },
    reasons={
        "captured_all": Text.of("Every stone of the other side is captured."),
        "repetition": Text.of("The same position has come up for the third time."),
        "no_progress": Text.of("100 turns in a row brought neither a capture nor a promotion."),
        "one_promoted_each": Text.of("Each side has one promoted piece left and nothing else."),
        "two_passes": Text.of("Both sides had to pass, one after the other."),
    },
    allows_draw_offer=True,
    move_hint="b2-b5, b7:b5, b2,b1c2-c3",
    guide=_GUIDE,
)
