"""Ziggurat in words: its facts, its refusals, and its rules as people read them."""

from __future__ import annotations

from games.api import GameInfo, GuidePage
from games.view import Text

__all__ = ["INFO"]

_GUIDE = (
    GuidePage(
        Text.of("The goal"),
        Text.of(
            "Bring one Queen, one Drone and one Worker off your opponent's side of the board."
            " Whoever has brought off all three kinds first wins at once. Queens are large, Drones"
            " medium, Workers small. South moves up and begins, North moves down. Each side has two"
            " pieces of each kind on the board, and a third in reserve."
        ),
        position="q,d,w,w,d,q/6/6/6/6/Q,D,W,W,D,Q S QDW|qdw -|-",
    ),
    GuidePage(
        Text.of("Single pieces"),
        Text.of(
            "A single piece moves diagonally forward over empty squares: a Queen up to three, a"
            " Drone up to two, a Worker one. Backwards it goes only to capture."
        ),
        position="q,d,w,w,d,q/6/6/6/6/Q,D,W,W,D,Q S QDW|qdw -|-",
        move="a1-d4",
    ),
    GuidePage(
        Text.of("Capturing"),
        Text.of(
            "To capture is to land on top: the pile is yours as long as your piece is its top."
            " Sizes that meet have to differ by exactly one, and the pile has to be a Tower, which"
            " gets smaller upwards, or a Keep, which gets larger. So Drones capture Queens and"
            " Workers, Queens and Workers capture Drones. Only the other side's pieces and piles"
            " are captured. Here North's Worker goes back to land on South's Drone."
        ),
        position="q,d,2,d,q/D,2,w,2/1,w,4/6/2,D,1,Q,1/Q,1,W,W,2 N QDW|qdw -|-",
        move="b4xa5",
    ),
    GuidePage(
        Text.of("Towers"),
        Text.of(
            "A Tower makes a knight's move in any direction: one step diagonally and one straight,"
            " in either order. It may not pass over a piece, so one of the two squares between has"
            " to be empty. The only capture by a Tower is Drone and Worker landing on a Queen."
        ),
        position="q,D,w,3/2,w,3/4,d,1/1,w,1,dQ,2/D,W,QdW,q,1,D/Q,q,4 S W|- -|-",
        move="c2-d4",
    ),
    GuidePage(
        Text.of("Keeps"),
        Text.of(
            "A Keep goes straight along a rank or a file, over empty squares, as far as its"
            " smallest piece is large: two squares for Drone and Queen, one for a Keep on a Worker."
            " The only capture by a Keep is Drone and Queen landing on a Worker, as here."
        ),
        position="q,D,w,3/2,w,3/4,d,1/1,w,1,dQ,2/D,W,QdW,q,1,D/Q,q,4 S W|- -|-",
        move="d3xb3",
    ),
    GuidePage(
        Text.of("Leaving the board"),
        Text.of(
            "Beyond the far side lies one more row, with the same files. A single piece that"
            " reaches it by a diagonal move forward has left the board: from the last rank any"
            " piece, from the rank before it a Drone or a Queen, from the third a Queen, and the"
            " squares on the way have to be empty. Each kind leaves once; further pieces of it stay"
            " in play."
        ),
        position="q,D,w,3/2,w,3/4,d,1/1,w,1,dQ,2/D,W,QdW,q,1,D/Q,q,4 S W|- -|-",
        move="b6^",
    ),
    GuidePage(
        Text.of("Leaving from a pile"),
        Text.of(
            "Piles never come apart but in one way: if your pile stands on your opponent's home"
            " row, its top may leave the board. What was beneath belongs to its new top, so beware"
            " of freeing your opponent's piece."
        ),
        position="q,3,d,q/3,w,2/6/d,5/1,W,D,1,Q,1/Dw,2,W,D,Q N W|qdw Q|-",
        move="a1^",
    ),
    GuidePage(
        Text.of("Reinforcing"),
        Text.of(
            "Instead of moving you may put a piece of your reserve on an empty square of your home"
            " row where such a piece stood at the start: Queens at the ends, Drones beside them,"
            " Workers in the middle."
        ),
        position="q,D,w,3/2,w,3/4,d,1/1,w,1,dQ,2/D,W,QdW,q,1,D/Q,q,4 S W|- -|-",
        move="W@c1",
    ),
    GuidePage(
        Text.of("Losing control"),
        Text.of(
            "You lose at once if your opponent holds all your pieces of a kind that you still have"
            " to bring off: none left in reserve, and each one under an opposing top. Here North"
            " takes South's last Drone."
        ),
        position="Q,2,wD,2/d,w,1,Q,q,1/6/2,q,Wd,2/1,W,2,W,1/Q,Dq,Dw,3 N -|d -|-",
        move="e5xd6",
    ),
    GuidePage(
        Text.of("Draws and passes"),
        Text.of(
            "You have to move if you can. If you cannot, you pass, and two passes in a row are a"
            " draw. So is the third time that the same position comes about, with the same side to"
            " move."
        ),
    ),
    GuidePage(
        Text.of("Writing moves"),
        Text.of(
            "Letters count the files from the left, numbers the ranks from the bottom. a1-c3 is a"
            " move, c4xd5 a capture, c6^ a piece or a top that leaves from c6, Q@a1 a Queen from"
            " the reserve, and -- a pass."
        ),
    ),
)

INFO = GameInfo(
    key="ziggurat",
    name="Ziggurat",
    summary=Text.of("Capture by standing on top, and bring one piece of each size off the board."),
    designer="Derek Hohls",
    year="2021",
    links=("https://github.com/gamesbook/icehouse/blob/master/ziggurat.rst",),
    rules_version=1,
    options=(),
    presets=(),
    refusals={
        "move_form": Text.of(
            "That is not a move of Ziggurat. Write two squares, a square and ^, or a piece and @:"
            " {hint}."
        ),
        "game_over": Text.of("The game is over."),
        "no_pass": Text.of("You may not pass while there is anything that you can do."),
        "off_board": Text.of("{cell} is not on the board, which has files a to f, ranks 1 to 6."),
        "empty_cell": Text.of("There is nothing on {cell}."),
        "not_yours": Text.of("What stands on {cell} belongs to your opponent, who owns the top."),
        "same_cell": Text.of("A move has to go somewhere: {cell} is where it starts."),
        "not_diagonal": Text.of(
            "{start} and {target} are not on one diagonal, and single pieces move diagonally."
        ),
        "not_straight": Text.of(
            "{start} and {target} are not on one rank or file, and Keeps go straight."
        ),
        "not_knight": Text.of(
            "From {start} to {target} is no knight's move, and Towers make no other."
        ),
        "path_blocked": Text.of("What stands on {cell} is in the way."),
        "both_ways_blocked": Text.of(
            "{first} and {second} are both occupied, and a Tower has to step through one of them."
        ),
        "too_far": Text.of("What stands on {cell} goes at most {reach} far."),
        "backwards": Text.of("The piece on {cell} goes backwards only to capture."),
        "own_pile": Text.of("The top of {cell} is your own, and you only capture opposing ones."),
        "too_high": Text.of(
            "That cannot stand on {cell}: a pile has at most three pieces, and Towers and Keeps"
            " capture single pieces only."
        ),
        "not_one_size_apart": Text.of(
            "The piece {piece} and the top {top} on {cell} do not differ by exactly one size."
        ),
        "not_one_size_larger": Text.of(
            "A Tower captures a piece one size larger than its own largest, {piece}; on {cell}"
            " there is {top}."
        ),
        "not_one_size_smaller": Text.of(
            "A Keep captures a piece one size smaller than its own smallest, {piece}; on {cell}"
            " there is {top}."
        ),
        "no_pile": Text.of(
            "That would make {pile} on {cell}, from the bottom upwards, which is neither a Tower"
            " nor a Keep."
        ),
        "already_exited": Text.of("A {kind} of yours has left the board, and each kind goes once."),
        "not_in_last_row": Text.of(
            "The top of a pile leaves from your opponent's home row only, and {cell} is not there."
        ),
        "exit_too_far": Text.of(
            "It is too far off the board from {cell} for a piece that goes at most {reach}."
        ),
        "exit_blocked": Text.of("Every way off the board from {cell} is blocked."),
        "none_in_reserve": Text.of("You have no {kind} in reserve."),
        "not_home": Text.of("{cell} is not on your home row."),
        "wrong_size": Text.of("{cell} is the home of {home}, so no {kind} can be put there."),
        "occupied": Text.of("{cell} is occupied, and reinforcements need an empty square."),
        "position_form": Text.of("That is not a position of Ziggurat."),
        "position_size": Text.of("A board of Ziggurat has 6 ranks, and as many files."),
        "position_rank": Text.of("Rank {rank} of the position does not have {size} squares."),
        "position_pile": Text.of("The position cannot hold the pile {pile}."),
        "position_pieces": Text.of("The position has more than three {kind} of one side."),
    },
    reasons={
        "exit": Text.of("One piece of each kind has left the board."),
        "control": Text.of("One side holds all pieces of a kind that the other still needs."),
        "passes": Text.of("Both players had to pass."),
        "repetition": Text.of("The same position came about for the third time."),
    },
    allows_draw_offer=True,
    move_hint="a1-c3, c4xd5, c6^, Q@a1",
    guide=_GUIDE,
)
