"""Ziggurat in words: its facts, its refusals, and its rules for people."""

from __future__ import annotations

from games.api import PASS, GameFacts, GameInfo, GuidePage
from games.view import Text
from games.ziggurat.samples import SAMPLES

_GUIDE = (
    GuidePage(
        Text.of("The goal"),
        Text.of(
            "Bring one Queen, one Drone and one Worker off your opponent's side of the board. The"
            " first player to bring off all three kinds wins at once. Queens are large, Drones"
            " medium, Workers small. South moves up and goes first, North moves down. Each side"
            " has two pieces of each kind on the board and a third in reserve."
        ),
        position="q,d,w,w,d,q/6/6/6/6/Q,D,W,W,D,Q S QDW|qdw -|-",
    ),
    GuidePage(
        Text.of("Single pieces"),
        Text.of(
            "A single piece moves diagonally forward over empty squares: a Queen up to three, a"
            " Drone up to two, a Worker one. It moves backward only to capture."
        ),
        position="q,d,w,w,d,q/6/6/6/6/Q,D,W,W,D,Q S QDW|qdw -|-",
        move="a1-d4",
    ),
    GuidePage(
        Text.of("Capturing"),
        Text.of(
            "You capture by landing on top: the pile is yours as long as your piece is its top."
            " The two sizes that meet must differ by exactly one, and the pile must be a Tower,"
            " which gets smaller towards the top, or a Keep, which gets larger. So Drones capture"
            " Queens and Workers, and Queens and Workers capture Drones. You can capture only your"
            " opponent's pieces and piles. Here North's Worker moves backward and lands on South's"
            " Drone."
        ),
        position="q,d,2,d,q/D,2,w,2/1,w,4/6/2,D,1,Q,1/Q,1,W,W,2 N QDW|qdw -|-",
        move="b4xa5",
    ),
    GuidePage(
        Text.of("Towers"),
        Text.of(
            "A Tower makes a knight's move in any direction: one step diagonally and one straight,"
            " in either order. It moves like a knight, but not over a piece: one of the two"
            " squares in between must be empty. A Tower can capture in only one way: Drone and"
            " Worker land on a Queen."
        ),
        position="q,D,w,3/2,w,3/4,d,1/1,w,1,dQ,2/D,W,QdW,q,1,D/Q,q,4 S W|- -|-",
        move="c2-d4",
    ),
    GuidePage(
        Text.of("Keeps"),
        Text.of(
            "A Keep moves straight along a rank or a file over empty squares. Its smallest piece"
            " sets its reach: two squares for Drone and Queen, one for a Keep on a Worker. A Keep"
            " can capture in only one way: Drone and Queen land on a Worker, as here."
        ),
        position="q,D,w,3/2,w,3/4,d,1/1,w,1,dQ,2/D,W,QdW,q,1,D/Q,q,4 S W|- -|-",
        move="d3xb3",
    ),
    GuidePage(
        Text.of("Leaving the board"),
        Text.of(
            "Beyond the far side lies one more row, with the same files. A single piece that"
            " reaches it with a diagonal move forward has left the board: any piece from the last"
            " rank, a Drone or a Queen from the rank before, a Queen from the third. The squares"
            " on the way must be empty. Each kind leaves only once; other pieces of that kind stay"
            " in play."
        ),
        position="q,D,w,3/2,w,3/4,d,1/1,w,1,dQ,2/D,W,QdW,q,1,D/Q,q,4 S W|- -|-",
        move="b6^",
    ),
    GuidePage(
        Text.of("Leaving from a pile"),
        Text.of(
            "A pile comes apart in only one way: if your pile is on your opponent's home row, its"
            " top may leave the board. The rest of the pile belongs to the owner of its new top,"
            " so take care not to free your opponent's piece."
        ),
        position="q,3,d,q/3,w,2/6/d,5/1,W,D,1,Q,1/Dw,2,W,D,Q N W|qdw Q|-",
        move="a1^",
    ),
    GuidePage(
        Text.of("Reinforcing"),
        Text.of(
            "Instead of moving, you may place a piece from your reserve on an empty square of your"
            " home row where a piece of that kind stood at the start: Queens at the ends, Drones"
            " beside them, Workers in the middle."
        ),
        position="q,D,w,3/2,w,3/4,d,1/1,w,1,dQ,2/D,W,QdW,q,1,D/Q,q,4 S W|- -|-",
        move="W@c1",
    ),
    GuidePage(
        Text.of("Losing control"),
        Text.of(
            "You lose at once if your opponent controls all your pieces of a kind that you still"
            " have to bring off: none are left in reserve, and each one is under an opposing top."
            " Here North captures South's last Drone."
        ),
        position="Q,2,wD,2/d,w,1,Q,q,1/6/2,q,Wd,2/1,W,2,W,1/Q,Dq,Dw,3 N -|d -|-",
        move="e5xd6",
    ),
    GuidePage(
        Text.of("Draws and passes"),
        Text.of(
            "You must move if you can. If you cannot, you pass; two passes in a row are a draw."
            " The game is also a draw when the same position occurs for the third time with the"
            " same side to move."
        ),
    ),
    GuidePage(
        Text.of("Writing moves"),
        Text.of(
            "Letters name the files from the left, numbers the ranks from the bottom. a1-c3 is a"
            " move, c4xd5 a capture, c6^ a piece or a top leaving from c6, Q@a1 a Queen from the"
            " reserve, and -- a pass."
        ),
    ),
)

_ADVICE = Text.of(
    "Count turns: a Queen can cross the empty board in two, a Worker needs six, so start"
    " your Workers early. A pile with a Worker or a Queen on top can't be captured, but one"
    " with a Drone on top can. Drones capture Queens and Workers, and both capture Drones;"
    " don't risk the last Drone you need. Keep a piece in reserve for as long as you can: no"
    " loss of control threatens that kind. Before a top leaves a pile, see whose piece is"
    " beneath it."
)

INFO = GameInfo(
    key="ziggurat",
    name="Ziggurat",
    summary=Text.of("Capture by landing on top, and bring one piece of each size off the board."),
    designer="Derek Hohls",
    year="2021",
    links=("https://github.com/gamesbook/icehouse/blob/master/ziggurat.rst",),
    rules_version=1,
    options=(),
    presets=(),
    refusals={
        "move_form": Text.of(
            "That isn't a Ziggurat move. Write two squares, a square and ^, or a piece and @:"
            " {hint}."
        ),
        "game_over": Text.of("The game is over."),
        "no_pass": Text.of("You can't pass while you have a move."),
        "off_board": Text.of("{cell} isn't on the board. Its files are a to f, its ranks 1 to 6."),
        "empty_cell": Text.of("{cell} is empty."),
        "not_yours": Text.of("The pile on {cell} belongs to your opponent, who owns its top."),
        "same_cell": Text.of("{cell} is where the move starts. Choose another cell to go to."),
        "not_diagonal": Text.of(
            "{start} and {target} aren't on the same diagonal. Single pieces move diagonally."
        ),
        "not_straight": Text.of(
            "{start} and {target} aren't on the same rank or file. Keeps move straight."
        ),
        "not_knight": Text.of(
            "{start} to {target} isn't a knight's move. Towers move only that way."
        ),
        "path_blocked": Text.of("The way is blocked on {cell}."),
        "both_ways_blocked": Text.of(
            "{first} and {second} are both occupied. A Tower needs one of them empty."
        ),
        "too_far": Text.plural(
            "From {cell} you can move at most {reach} square.",
            "From {cell} you can move at most {reach} squares.",
            by="reach",
        ),
        "backwards": Text.of("The piece on {cell} can move backward only to capture."),
        "own_pile": Text.of(
            "The top of {cell} is yours. You can capture only your opponent's pieces."
        ),
        "too_high": Text.of(
            "That won't fit on {cell}. A pile has at most three pieces, and Towers and Keeps"
            " capture only single pieces."
        ),
        "not_one_size_apart": Text.of(
            "The piece {piece} and the top {top} on {cell} don't differ by exactly one size."
        ),
        "not_one_size_larger": Text.of(
            "A Tower captures a piece one size larger than its largest, {piece}. On {cell} there"
            " is {top}."
        ),
        "not_one_size_smaller": Text.of(
            "A Keep captures a piece one size smaller than its smallest, {piece}. On {cell} there"
            " is {top}."
        ),
        "no_pile": Text.of(
            "The pile on {cell} would be {pile}, from the bottom up. That's neither a Tower nor a"
            " Keep."
        ),
        "already_exited": Text.of(
            "You have already brought off a {kind}. Each kind leaves only once."
        ),
        "not_in_last_row": Text.of(
            "The top of a pile can leave only from your opponent's home row, and {cell} isn't on"
            " it."
        ),
        "exit_too_far": Text.plural(
            "{cell} is too far from the edge: that piece moves at most {reach} square.",
            "{cell} is too far from the edge: that piece moves at most {reach} squares.",
            by="reach",
        ),
        "exit_blocked": Text.of("Every way off the board from {cell} is blocked."),
        "none_in_reserve": Text.of("You have no {kind} in reserve."),
        "not_home": Text.of("{cell} isn't on your home row."),
        "wrong_size": Text.of(
            "{cell} is a home square of the {home}, so you can't place a {kind} there."
        ),
        "occupied": Text.of("{cell} is occupied. Reinforcements need an empty square."),
        "position_form": Text.of("That isn't a Ziggurat position."),
        "position_size": Text.of("A Ziggurat board has 6 ranks, and as many files."),
        "position_rank": Text.of(
            "Rank {rank} of the position has the wrong number of squares. It should have {size}."
        ),
        "position_pile": Text.of("The position can't contain the pile {pile}."),
        "position_pieces": Text.of("One side has more than three {kind} in this position."),
    },
    reasons={
        "exit": Text.of("One piece of each kind has left the board."),
        "control": Text.of("One side controls all pieces of a kind that the other still needs."),
        "passes": Text.of("Both players had to pass."),
        "repetition": Text.of("The same position occurred for the third time."),
    },
    allows_draw_offer=True,
    move_hint="a1-c3, c4xd5, c6^, Q@a1",
    spoken={"--": PASS},
    guide=_GUIDE,
    advice=_ADVICE,
    facts=GameFacts(players=(2,), minutes=(30, 60), depth=4),
    samples=SAMPLES,
    pieces={"Q": Text.of("Queen"), "D": Text.of("Drone"), "W": Text.of("Worker")},
    example=Text.of("a1-c3 moves from a1 to c3. Q@a1 places a Queen from the reserve."),
)
