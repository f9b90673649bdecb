"""Pux taught: seven small boards, then puzzles."""

from __future__ import annotations

from games.lesson import AnyMove, Lesson, Like, OneOf, Task, Wins, WrongMove, won_by_force
from games.view import Text

_TASKS = (
    Task(
        Text.of(
            "Capture all your opponent's stones. You are White and move up. The number on a piece"
            " is its move potential: the piece itself plus all friends around it, corners"
            " included. It can move up to that far in a straight line: forward, diagonally forward"
            " or sideways. Move a stone three cells."
        ),
        "8/8/3x4/8/8/1w6/2ww4/8 w -",
        OneOf(("c2-c5", "c2-f5")),
        "c2-f5",
        Text.of("Friends make a stone fast. Out there alone, its number is 1."),
        Text.of("Only one of your stones has two friends around it."),
        (WrongMove(AnyMove(), Text.of("That was not three cells.")),),
    ),
    Task(
        Text.of(
            "A piece captures by landing on an enemy piece within its reach whose number is"
            " smaller than its own. Equal isn't enough. Capture a piece."
        ),
        "8/3x1xx1/2x2xx1/8/8/1ww5/1ww5/8 w -",
        Like(".*:.*"),
        "c3:c6",
        Text.of(
            "Four against two. The block on the right has fours too, so you couldn't capture there."
        ),
        Text.of("c3 can reach two enemy pieces. Which has the smaller number?"),
        (WrongMove(AnyMove(), Text.of("That captures nothing.")),),
    ),
    Task(
        Text.of(
            "After a turn to the left or right, your next turn can't go left or right, whichever"
            " piece moves. Your last turn did. You can still capture."
        ),
        "4x3/3x4/8/8/3w2x1/2ww4/8/8 w w",
        Like(".*:.*"),
        "d4:d7",
        Text.of("The stone on g4 could have got there too, but only sideways."),
        Text.of("Look forward."),
        (WrongMove(AnyMove(), Text.of("That captures nothing.")),),
    ),
    Task(
        Text.of(
            "A piece can take along the pieces directly to its left and right, above and below it."
            " Its number is then divided among all pieces that move, rounded down. Move at least"
            " two pieces at once."
        ),
        "8/8/3x4/8/8/8/1ww5/1ww5 w -",
        Like("..,.*"),
        "b2,b1-b4",
        Text.of("A group keeps its shape, and each of its pieces needs a clear way."),
        Text.of("Pick a piece, then a neighbour to go along. Four shared by two is two cells."),
        (WrongMove(AnyMove(), Text.of("That piece moved alone.")),),
    ),
    Task(
        Text.of("You can take enemy pieces along too. Carry the black stone away."),
        "8/8/8/2x5/1ww5/8/8/8 w -",
        Like("c4,.*c5.*"),
        "c4,c5-c5",
        Text.of("Now it's one cell closer to where it came from."),
        Text.of("It's right in front of c4: pick c4, then c5."),
        (WrongMove(AnyMove(), Text.of("The black stone hasn't moved.")),),
    ),
    Task(
        Text.of(
            "A stone that reaches the last rank gets a second stone on top, if one of your stones"
            " has been captured: no side has more than twelve. Promote a stone."
        ),
        "8/2w5/8/5x2/4xx2/8/8/8 w -",
        OneOf(("c7-b8", "c7-c8", "c7-d8")),
        "c7-c8",
        Text.of("Two stones count as two, for the piece and for its friends."),
        Text.of("Go forward."),
        (WrongMove(AnyMove(), Text.of("That does not reach the last rank.")),),
    ),
    Task(
        Text.of(
            "Promoted pieces move in all directions, even backward. There's one black stone left."
            " Capture it and win."
        ),
        "8/4w3/4W3/8/2x5/8/8/8 w -",
        Wins(),
        "e6:c4",
        Text.of("Black has nothing left: you win."),
        Text.of("The promoted piece is on e6. Which way is c4?"),
    ),
)

_WORDS = Text.of("White to move captures everything in two turns, whatever Black does.")

_PUZZLES = (
    won_by_force(
        Text.of("Wait for it"),
        _WORDS,
        "8/4x3/8/5w2/8/5w2/8/8 w -",
        answers=(("f3-f4",), ("f5:e6",)),
        replies=("e7-e6",),
        praise=Text.of("Now f5 has 2, and Black can go only to cells within your reach."),
        hint=Text.of("A stone alone can't capture. Bring a friend."),
        wrong_moves=(WrongMove(AnyMove(), Text.of("Black steps out of reach.")),),
    ),
    won_by_force(
        Text.of("Not with the nearest"),
        _WORDS,
        "4W3/3x1W2/4X3/3w4/8/8/8/8 w -",
        answers=(("e8:e6",), ("f7:c7",)),
        replies=("d7-c7",),
        praise=Text.of("From e6 and f7 you cover every cell around the last stone."),
        hint=Text.of("You can capture now. But with which piece?"),
        wrong_moves=(
            WrongMove(Like(".*:.*"), Text.of("You capture, but the last stone gets away.")),
            WrongMove(AnyMove(), Text.of("One more turn isn't enough for two black pieces.")),
        ),
    ),
    won_by_force(
        Text.of("Sideways in time"),
        _WORDS,
        "8/5x2/4w3/6W1/3x2w1/8/8/8 w -",
        answers=(("g4:d4",), ("g5:e7",)),
        replies=("f7-e7",),
        praise=Text.of("The piece on g5 and the stone on e6 wait for the other black stone."),
        hint=Text.of("Start with the black stone that's farther ahead."),
        wrong_moves=(WrongMove(AnyMove(), Text.of("One of the two gets away.")),),
    ),
    won_by_force(
        Text.of("Reinforcements at the edge"),
        _WORDS,
        "3w4/2ww4/2x5/8/8/8/8/8 w -",
        answers=(("c7,c6d7-b8",), ("c8:a6",)),
        replies=("b7-a6",),
        praise=Text.of("Two stones promoted at once, and they carried the enemy along."),
        hint=Text.of("Take two neighbours along, one of them black."),
        wrong_moves=(WrongMove(AnyMove(), Text.of("Black slips past.")),),
    ),
    won_by_force(
        Text.of("Hunting"),
        Text.of("White to move captures the last black stone in three moves."),
        "3x4/4w3/8/8/8/4w3/8/8 w -",
        answers=(("e7-e8",), ("e8-c6",), ("c6:d6",)),
        replies=("d8-c7", "c7-d6"),
        praise=Text.of("A promoted piece counts as two, needs no friends, and can come back down."),
        hint=Text.of("Your stones are single and alone. Where can one become two?"),
        wrong_moves=(
            WrongMove(
                AnyMove(), Text.of("Black runs down the board, and your pieces can't catch it.")
            ),
        ),
    ),
)

LESSON = Lesson(
    _TASKS,
    Text.of(
        "That's Pux: stay together to be fast and strong, and choose well when to go sideways. A"
        " computer has searched the puzzles below."
    ),
    _PUZZLES,
)
