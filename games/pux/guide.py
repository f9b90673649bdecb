"""Pux in words: its facts, its refusals, and its rules for people."""

from __future__ import annotations

from games.api import PASS, GameFacts, GameInfo, GuidePage
from games.pux.samples import SAMPLES
from games.view import Text

_GUIDE = (
    GuidePage(
        Text.of("The goal"),
        Text.of(
            "Capture every stone of your opponent. White moves up the board and goes first, Black"
            " moves down. On your turn, one of your pieces moves, moves and takes neighbours"
            " along, or captures."
        ),
        position="1xxxxxx1/1xxxxxx1/8/8/8/8/1wwwwww1/1wwwwww1 w -",
    ),
    GuidePage(
        Text.of("Move potential"),
        Text.of(
            "The number on a piece is its move potential: the piece itself plus every friendly"
            " stone around it, corners included. It may move up to that many cells. A stone moves"
            " left, right, straight forward or diagonally forward, in a straight line and never"
            " over another piece. Company makes a stone fast; a stone that runs ahead alone"
            " crawls."
        ),
        position="8/8/3x4/8/8/1w6/2ww4/8 w -",
        move="c2-f5",
    ),
    GuidePage(
        Text.of("Not twice sideways"),
        Text.of(
            "After a turn to the left or right, your next turn must not go left or right,"
            " whichever piece moves, and captures are no exception. So the armies have to meet."
        ),
        position="8/8/3x4/8/2ww4/8/8/8 w -",
        move="d4-f4",
    ),
    GuidePage(
        Text.of("Taking neighbours along"),
        Text.of(
            "A piece may take along any of the pieces directly to its left and right, above and"
            " below it, yours or your opponent's. The whole group keeps its shape and moves at"
            " once, and every cell in the way of each piece must be free. The price: the move"
            " potential is divided by the number of pieces that move, rounded down. Here two"
            " pieces share 4, so they move 2 cells."
        ),
        position="8/8/3x4/8/8/8/1ww5/1ww5 w -",
        move="b2,b1-b4",
    ),
    GuidePage(
        Text.of("Capturing"),
        Text.of(
            "A piece captures by moving alone onto an enemy piece within its reach, but only if"
            " its move potential is greater; equal is not enough. A capture ends the turn. You"
            " never have to capture."
        ),
        position="8/1xx5/1xx5/8/8/2w5/3w4/8 x -",
        move="c6:c3",
    ),
    GuidePage(
        Text.of("Promotion"),
        Text.of(
            "A stone that reaches the last rank gets a second stone on top, if one of its side's"
            " stones has been captured: no side ever has more than twelve stones on the board. A"
            " promoted piece also moves backward, and both its stones count, for itself and for"
            " its friends. A player who captures it captures both."
        ),
        position="8/2w5/8/5x2/4xx2/8/8/8 w -",
        move="c7-c8",
    ),
    GuidePage(
        Text.of("Passing and draws"),
        Text.of(
            "You pass only if you have no legal move, and then you must. The game is a draw when a"
            " position occurs for the third time, after 100 turns in a row without a capture or a"
            " promotion, when each side has a single piece left and both are promoted, when both"
            " sides pass in a row, or when the players agree. The designer's rules have no draws;"
            " Parlour adds these because some endings cannot be won."
        ),
        position="2W5/8/8/8/8/3X4/2w5/8 w -",
    ),
    GuidePage(
        Text.of("Writing moves"),
        Text.of(
            "A move is b2-b5, a capture b7:b5. List the pieces that go along after a comma:"
            " b2,b1c2-c3 moves b2 to c3, and b1 and c2 in the same way."
        ),
        position="8/8/3x4/8/8/8/1ww5/1ww5 w -",
        move="b2,b1c2-c3",
    ),
)

_ADVICE = Text.of(
    "Keep your stones together: company makes them fast and hard to capture. Before you move"
    " one away, count again what its old neighbours are left with. Attack from the middle of"
    " your group at the rim of your opponent's, where move potential is lowest. You can also"
    " take an enemy stone along: pull it away from its friends and it becomes weak. Save your"
    " turn to the left or right for when you need it, because the next one can't go that way."
)

INFO = GameInfo(
    key="pux",
    name="Pux",
    summary=Text.of(
        "The more friends around a stone, the farther it moves. Capture all your opponent's stones."
    ),
    designer="João Pedro Neto",
    year="2000",
    links=("https://jpneto.github.io/world_abstract_games/pux.htm",),
    rules_version=1,
    options=(),
    presets=(),
    refusals={
        "move_form": Text.of(
            "That isn't a Pux move. Write a move, a capture or a group, like these: {hint}."
        ),
        "rider_twice": Text.of("A piece can be taken along only once. Name each piece once."),
        "game_over": Text.of("The game is over."),
        "pass_not_forced": Text.of("You can pass only when you have no other move."),
        "no_piece": Text.of("There's no piece on {cell}."),
        "not_yours": Text.of("The piece on {cell} isn't yours."),
        "not_a_neighbour": Text.of(
            "{mover} can take along only the pieces directly beside, above or below it. {cell}"
            " isn't one of them."
        ),
        "not_straight": Text.of("{start} and {end} aren't on a straight line."),
        "backward": Text.of(
            "The stone on {cell} isn't promoted. Only promoted pieces move backward."
        ),
        "consecutive_lateral": Text.of(
            "Your last turn went sideways, so this one must go forward or backward."
        ),
        "mp_too_small": Text.plural(
            "That's {distance} cell away, but the piece's move potential is only {mp}.",
            "That's {distance} cells away, but the piece's move potential is only {mp}.",
            by="distance",
        ),
        "mp_too_small_to_carry": Text.plural(
            "Shared by {pieces} piece, a move potential of {mp} gives a reach of {reach}. This"
            " move needs {distance}.",
            "Shared by {pieces} pieces, a move potential of {mp} gives a reach of {reach}. This"
            " move needs {distance}.",
            by="pieces",
        ),
        "off_board": Text.of("The piece on {cell} would leave the board."),
        "path_blocked": Text.of("The way is blocked on {cell}. Pieces can't jump."),
        "transport_blocked": Text.of(
            "The piece taken along from {rider} is blocked on {cell}. Pieces can't jump."
        ),
        "own_piece": Text.of("There's a piece of your own on {cell}."),
        "write_capture": Text.of("There's an enemy piece on {cell}. To capture it, write {move}."),
        "capture_carries": Text.of(
            "A capturing piece takes no other piece along. To capture on {cell}, write {move}."
        ),
        "nothing_to_capture": Text.of("There's nothing to capture on {cell}."),
        "capture_needs_greater_mp": Text.of(
            "To capture, your move potential must be greater: yours is {mp}, that of the piece on"
            " {cell} is {target_mp}."
        ),
        "position_form": Text.of("That isn't a Pux position."),
        "position_ranks": Text.of("A Pux board has {size} ranks."),
        "position_rank": Text.of(
            "Rank {rank} of the position has the wrong number of cells. It should have {size}."
        ),
        "position_empty": Text.of("There are no pieces on the board."),
        "position_stones": Text.of("The side {side} has more than {limit} stones."),
        "position_count": Text.of(
            "The number of turns without a capture or a promotion is more than {limit}, or fewer"
            " than the moves given."
        ),
        "position_earlier": Text.of("The position can't have come from {entry}."),
    },
    reasons={
        "captured_all": Text.of("All stones of one side are captured."),
        "repetition": Text.of("The same position occurred for the third time."),
        "no_progress": Text.of("There were 100 turns in a row without a capture or a promotion."),
        "one_promoted_each": Text.of("Each side has only one promoted piece left."),
        "two_passes": Text.of("Both sides had to pass in a row."),
    },
    allows_draw_offer=True,
    move_hint="b2-b5, b7:b5, b2,b1c2-c3",
    spoken={"pass": PASS},
    guide=_GUIDE,
    advice=_ADVICE,
    facts=GameFacts(players=(2,), minutes=(30, 90), depth=4),
    samples=SAMPLES,
    example=Text.of("b2-b4 moves one piece. b2,b1-b3 moves b2 to b3 and takes b1 along."),
    primers={
        "potential": Text.of(
            "The number on a piece is its move potential: how many cells it may move. It counts the"
            " piece and every friend around it."
        ),
        "riders": Text.of(
            "This piece may go alone, or take neighbours along. Those who go together share the"
            " move potential, so each one makes the move shorter."
        ),
    },
)
