"""Pux taught: seven small boards, then puzzles."""

from __future__ import annotations

from games.lesson import AnyMove, Lesson, Like, OneOf, Slip, Task, Wins, won_by_force
from games.view import Text

__all__ = ["LESSON"]

_TASKS = (
    Task(
        Text.of(
            "Capture all enemy stones. You are White and go up. The number on a piece is its move"
            " potential: itself and all friends around it, corners too. So far it may go, in a"
            " straight line: forward, diagonally forward or sideways. Move a stone three cells."
        ),
        "8/8/3x4/8/8/1w6/2ww4/8 w -",
        OneOf(("c2-c5", "c2-f5")),
        "c2-f5",
        Text.of("Friends make you fast. Out there alone it has 1 left."),
        Text.of("Only one of your stones has two friends around it."),
        (Slip(AnyMove(), Text.of("That was not three cells.")),),
    ),
    Task(
        Text.of(
            "A piece captures by landing on an enemy in its reach whose number is smaller than its"
            " own. Equal is not enough. Capture."
        ),
        "8/3x1xx1/2x2xx1/8/8/1ww5/1ww5/8 w -",
        Like(".*:.*"),
        "c3:c6",
        Text.of("Four against two. The block on the right has fours too, so it was safe from you."),
        Text.of("c3 reaches two enemies. Which has the smaller number?"),
        (Slip(AnyMove(), Text.of("That captures nothing.")),),
    ),
    Task(
        Text.of(
            "After a turn to the left or right your next turn must not go left or right, whichever"
            " piece moves. Your last turn did. Capture all the same."
        ),
        "4x3/3x4/8/8/3w2x1/2ww4/8/8 w w",
        Like(".*:.*"),
        "d4:d7",
        Text.of("The stone on g4 would have been there too, but sideways."),
        Text.of("Look forward."),
        (Slip(AnyMove(), Text.of("That captures nothing.")),),
    ),
    Task(
        Text.of(
            "A piece may take along what stands directly left, right, above or below it. Its"
            " number is then shared among all that go, rounded down. Move at least two pieces at"
            " once."
        ),
        "8/8/3x4/8/8/8/1ww5/1ww5 w -",
        Like("..,.*"),
        "b2,b1-b4",
        Text.of("A group keeps its shape, and every piece of it needs a free way."),
        Text.of("Pick a piece, then a neighbour to go along: four shared by two is two cells."),
        (Slip(AnyMove(), Text.of("That one went alone.")),),
    ),
    Task(
        Text.of("You may take enemies along as well. Carry the black stone away with you."),
        "8/8/8/2x5/1ww5/8/8/8 w -",
        Like("c4,.*c5.*"),
        "c4,c5-c5",
        Text.of("Now it stands one cell nearer to where it came from."),
        Text.of("c4 has it right in front: pick c4, then c5."),
        (Slip(AnyMove(), Text.of("The black stone stayed where it was.")),),
    ),
    Task(
        Text.of(
            "A stone that reaches the last rank gets a second stone on top, if one of yours has"
            " been captured: no side has more than twelve. Promote one."
        ),
        "8/2w5/8/5x2/4xx2/8/8/8 w -",
        OneOf(("c7-b8", "c7-c8", "c7-d8")),
        "c7-c8",
        Text.of("Two stones count two, for the piece and for its friends."),
        Text.of("Go forward."),
        (Slip(AnyMove(), Text.of("That does not reach the last rank.")),),
    ),
    Task(
        Text.of(
            "Promoted pieces go in all directions, backward too. One black stone is left. Capture"
            " it and win."
        ),
        "8/4w3/4W3/8/2x5/8/8/8 w -",
        Wins(),
        "e6:c4",
        Text.of("Black has nothing left: you have won."),
        Text.of("The promoted piece stands on e6. Which way is c4 from there?"),
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
        praise=Text.of("Now f5 has 2, and every cell that Black can go to lies within reach."),
        hint=Text.of("A stone alone captures nothing. Bring a friend."),
        slips=(Slip(AnyMove(), Text.of("Black steps out of reach.")),),
    ),
    won_by_force(
        Text.of("Not with the nearest"),
        _WORDS,
        "4W3/3x1W2/4X3/3w4/8/8/8/8 w -",
        answers=(("e8:e6",), ("f7:c7",)),
        replies=("d7-c7",),
        praise=Text.of("From e6 and f7, all around the last stone is covered."),
        hint=Text.of("You can capture now. But with which piece?"),
        slips=(
            Slip(Like(".*:.*"), Text.of("A capture, but the last stone gets away.")),
            Slip(AnyMove(), Text.of("Two black pieces are too many for one more turn.")),
        ),
    ),
    won_by_force(
        Text.of("Sideways in time"),
        _WORDS,
        "8/5x2/4w3/6W1/3x2w1/8/8/8 w -",
        answers=(("g4:d4",), ("g5:e7",)),
        replies=("f7-e7",),
        praise=Text.of("The piece on g5 and the stone on e6 wait for the other one."),
        hint=Text.of("Begin with the black stone that has come farther."),
        slips=(Slip(AnyMove(), Text.of("One of the two gets away.")),),
    ),
    won_by_force(
        Text.of("Reinforcements at the edge"),
        _WORDS,
        "3w4/2ww4/2x5/8/8/8/8/8 w -",
        answers=(("c7,c6d7-b8",), ("c8:a6",)),
        replies=("b7-a6",),
        praise=Text.of(
            "Two stones were promoted at once, and they had carried the enemy along with them."
        ),
        hint=Text.of("Take two neighbours along, one of them black."),
        slips=(Slip(AnyMove(), Text.of("Black slips past.")),),
    ),
    won_by_force(
        Text.of("Hunting"),
        Text.of("White to move captures the last black stone with the third move."),
        "3x4/4w3/8/8/8/4w3/8/8 w -",
        answers=(("e7-e8",), ("e8-c6",), ("c6:d6",)),
        replies=("d8-c7", "c7-d6"),
        praise=Text.of("A promoted piece counts two by itself, needs nobody, and comes back down."),
        hint=Text.of("Your stones are single and alone. Where does one become two?"),
        slips=(Slip(AnyMove(), Text.of("Black runs down the board, and nobody catches it.")),),
    ),
)

LESSON = Lesson(
    _TASKS,
    Text.of(
        "That is Pux: stay together to be fast and strong, and choose well when to go sideways."
        " The puzzles below have been searched through by computer."
    ),
    _PUZZLES,
)
