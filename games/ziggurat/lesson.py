"""Ziggurat taught: eight small boards, then puzzles."""

from __future__ import annotations

from games.lesson import AnyMove, Lesson, Like, OneOf, Slip, Task, Wins, won_by_force
from games.view import Text

__all__ = ["LESSON"]

_TASKS = (
    Task(
        Text.of(
            "Whoever first brings one Queen, one Drone and one Worker off the far side wins. You"
            " are South and go up. Single pieces go diagonally forward over empty squares: a Queen"
            " up to three, a Drone up to two, a Worker one. Move a Queen."
        ),
        "q,d,w,w,d,q/6/6/6/6/Q,D,W,W,D,Q S QDW|qdw -|-",
        Like("[af]1-.."),
        "a1-d4",
        Text.of("Queens are large and fast."),
        Text.of("The Queens stand in the corners, on a1 and f1."),
        (Slip(AnyMove(), Text.of("That is no Queen.")),),
    ),
    Task(
        Text.of(
            "To capture is to stand on top: then the pile is yours. The sizes have to differ by"
            " exactly one, so Drones capture Queens and Workers, and both capture Drones. Capture"
            " something."
        ),
        "q,2,w,d,q/1,d,4/3,w,2/2,D,3/1,W,4/Q,2,W,D,Q S QDW|qdw -|-",
        Like("..x.."),
        "c3xd4",
        Text.of("Large below small is a Tower, small below large a Keep. Nothing else may stand."),
        Text.of("Your Drone on c3 can reach a Worker."),
        (Slip(AnyMove(), Text.of("That captures nothing.")),),
    ),
    Task(
        Text.of(
            "Captures, and only they, may also go backwards. Your Worker on c5 can take a piece"
            " that has slipped through."
        ),
        "q,d,w,2,q/2,W,1,w,1/1,d,4/6/5,D/Q,D,1,W,1,Q S QDW|qdw -|-",
        OneOf(("c5xb4",)),
        "c5xb4",
        Text.of("A Worker on a Drone: a Tower, and yours."),
        Text.of("Behind c5 stands a Drone of North."),
        (Slip(AnyMove(), Text.of("The Drone goes on its way.")),),
    ),
    Task(
        Text.of(
            "A Tower jumps like a knight, forward and back, if one of the two squares it would step"
            " through is empty. A Tower of Drone and Worker captures a single Queen. Do it."
        ),
        "1,d,w,1,d,q/1,q,4/6/DW,2,w,2/6/Q,1,W,1,D,Q S QDW|qdw -|-",
        Like("a3x.."),
        "a3xb5",
        Text.of("Queen, Drone, Worker: nothing can ever capture this one."),
        Text.of("From a3 two up and one to the side."),
        (Slip(AnyMove(), Text.of("The Queen is still there.")),),
    ),
    Task(
        Text.of(
            "A Keep goes straight, as far as its smallest piece is large: with a Drone at the"
            " bottom up to two squares. A Keep of Drone and Queen captures a single Worker. Do it."
        ),
        "q,d,1,w,d,q/6/1,w,1,DQ,2/6/1,W,4/1,D,1,W,1,Q S QDW|qdw -|-",
        Like("d4x.."),
        "d4xb4",
        Text.of("Worker, Drone, Queen: as safe as the tall Tower, but it goes one square only."),
        Text.of("Look along rank 4."),
        (Slip(AnyMove(), Text.of("The Worker is still there.")),),
    ),
    Task(
        Text.of(
            "Beyond the last rank is one more row. A single piece whose move ends there has left"
            " the board: from rank 6 anybody, from rank 5 a Drone or a Queen, from rank 4 a Queen."
            " Each kind leaves once. Bring one off."
        ),
        "q,d,w,2,q/4,D,1/Q,w,4/3,W,d,1/6/2,W,1,D,Q S QDW|qdw -|-",
        Like(r"..\^"),
        "e5^",
        Text.of("One kind done, two to go."),
        Text.of("Who is near enough? And is the way empty?"),
        (Slip(AnyMove(), Text.of("Nobody has left the board.")),),
    ),
    Task(
        Text.of(
            "You began with a third piece of each kind in reserve. Instead of moving you may put"
            " one on an empty home square of its kind. Bring in a Worker."
        ),
        "q,d,w,w,d,q/6/2,W,3/6/3,W,2/Q,D,2,D,Q S QDW|qdw -|-",
        Like("W@.."),
        "W@c1",
        Text.of("A fresh piece, far behind the others."),
        Text.of("Workers live on c1 and d1."),
        (Slip(AnyMove(), Text.of("That does not bring in a Worker.")),),
    ),
    Task(
        Text.of(
            "Piles come apart in one way only: on the last rank the top of your pile may leave"
            " the board. Your Queen and your Drone are gone already. Win."
        ),
        "1,QdW,1,w,d,q/6/1,W,2,w,1/2,q,3/3,D,2/Q,1,W,3 S D|dw QD|q",
        Wins(),
        "b6^",
        Text.of(
            "All three kinds are off. There is one more way to win: if your opponent cannot bring"
            " off some kind any more, because you hold all of it under your tops."
        ),
        Text.of("Which pile of yours stands on rank 6?"),
    ),
)

_WORDS = Text.of("South to move wins with the second move, whatever North answers.")

_PUZZLES = (
    won_by_force(
        Text.of("A lift for the Worker"),
        _WORDS,
        "Dw,d,1,Wd,2/2,W,3/w,1,QdW,3/1,D,1,q,1,w/4,Q,1/6 S -|q QD|q",
        answers=(("c5xb6",), ("b6^",)),
        replies=("Q@f6",),
        praise=Text.of(
            "On top of a Drone a Worker cannot be captured, and from rank 6 the top of a pile may"
            " leave."
        ),
        hint=Text.of("Only a Worker is missing. How does one get to rank 6 and stay alive?"),
        slips=(Slip(AnyMove(), Text.of("North has time to answer that.")),),
    ),
    won_by_force(
        Text.of("The tall Tower"),
        _WORDS,
        "q,2,w,Q,1/1,w,2,QdW,1/2,W,2,W/6/D,q,4/2,d,qD,2 S -|- QD|dw",
        answers=(("e5-c6",), ("c6^",)),
        replies=("d6-e5",),
        praise=Text.of("Three pieces high and safe from everybody; next its top leaves."),
        hint=Text.of("What cannot be captured need not hurry. Where is a Worker on top?"),
        slips=(Slip(AnyMove(), Text.of("That takes one move too many.")),),
    ),
    won_by_force(
        Text.of("The last row, from the north"),
        Text.of("You are North and go down. The second move wins, whatever South answers."),
        "1,qd,w,3/3,d,q,Q/1,D,1,w,W,1/6/1,Q,Dq,W,2/4,D,1 N -|- QW|dw",
        answers=(("c2-c1",), ("c1^",)),
        replies=("f5-e6",),
        praise=Text.of("A Keep with a Queen on top cannot be captured, so the Queen will leave."),
        hint=Text.of("Which kind is missing, and where is one on top of a pile?"),
        slips=(Slip(AnyMove(), Text.of("South has an answer.")),),
    ),
    won_by_force(
        Text.of("Without leaving at all"),
        Text.of(
            "Nobody of yours has left the board, and yet South wins with the second move: by"
            " holding every piece of one kind that North still needs."
        ),
        "q,2,w,d,1/1,Dq,4/2,wD,dQ,w,1/W,1,d,1,W,W/1,Q,D,3/Q,5 S -|- -|q",
        answers=(("d4xd6",), ("c2xe4",)),
        replies=("e6-f5",),
        praise=Text.of("Two of three Workers are under your tops, and the third cannot get away."),
        hint=Text.of("North's Workers stand on d6 and e4, and one lies on c4 already."),
        slips=(Slip(AnyMove(), Text.of("North's Workers get away.")),),
    ),
    won_by_force(
        Text.of("Two leaps and out"),
        Text.of("South to move wins with the third move, whatever North answers."),
        "4,Q,1/w,1,w,1,wD,1/1,Q,3,dW/1,WDq,Wd,3/6/1,q,4 S -|- QD|qd",
        answers=(("f4-d5",), ("d5-b6",), ("b6^",)),
        replies=("c3-c4", "c5-d4"),
        praise=Text.of("Nothing can take a Tower with a Worker on top, so it leaps as it likes."),
        hint=Text.of("The Tower on f4 has the Worker that you need. Where can it get to rank 6?"),
        slips=(Slip(AnyMove(), Text.of("That takes longer, and North is near the end as well.")),),
    ),
)

LESSON = Lesson(
    _TASKS,
    Text.of(
        "That is Ziggurat: Towers get smaller upwards and jump, Keeps get larger and go straight,"
        " and three kinds have to leave. The puzzles below have been searched through by computer."
    ),
    _PUZZLES,
)
