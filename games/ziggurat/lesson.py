"""Ziggurat taught: eight small boards, then puzzles."""

from __future__ import annotations

from games.lesson import AnyMove, Lesson, Like, OneOf, Task, Wins, WrongMove, won_by_force
from games.view import Text

_TASKS = (
    Task(
        Text.of(
            "The first to bring one Queen, one Drone and one Worker off the far side wins. You are"
            " South and move up. Single pieces move diagonally forward over empty squares: a Queen"
            " up to three, a Drone up to two, a Worker one. Move a Queen."
        ),
        "q,d,w,w,d,q/6/6/6/6/Q,D,W,W,D,Q S QDW|qdw -|-",
        Like("[af]1-.."),
        "a1-d4",
        Text.of("Queens are large and fast."),
        Text.of("The Queens are in the corners, on a1 and f1."),
        (WrongMove(AnyMove(), Text.of("That isn't a Queen.")),),
    ),
    Task(
        Text.of(
            "You capture by landing on top; then the pile is yours. The sizes must differ by"
            " exactly one, so Drones capture Queens and Workers, and both capture Drones. Capture"
            " a piece."
        ),
        "q,2,w,d,q/1,d,4/3,w,2/2,D,3/1,W,4/Q,2,W,D,Q S QDW|qdw -|-",
        Like("..x.."),
        "c3xd4",
        Text.of(
            "A small piece on a large one is a Tower, a large piece on a small one a Keep. No"
            " other pile is allowed."
        ),
        Text.of("Your Drone on c3 can reach a Worker."),
        (WrongMove(AnyMove(), Text.of("That captures nothing.")),),
    ),
    Task(
        Text.of(
            "Only captures may go backward. Your Worker on c5 can capture a piece that has slipped"
            " through."
        ),
        "q,d,w,2,q/2,W,1,w,1/1,d,4/6/5,D/Q,D,1,W,1,Q S QDW|qdw -|-",
        OneOf(("c5xb4",)),
        "c5xb4",
        Text.of("A Worker on a Drone: a Tower, and it's yours."),
        Text.of("There's one of North's Drones behind c5."),
        (WrongMove(AnyMove(), Text.of("The Drone gets away.")),),
    ),
    Task(
        Text.of(
            "A Tower moves like a knight, forward or backward, if one of the two squares in"
            " between is empty. A Tower of Drone and Worker captures a single Queen. Capture it."
        ),
        "1,d,w,1,d,q/1,q,4/6/DW,2,w,2/6/Q,1,W,1,D,Q S QDW|qdw -|-",
        Like("a3x.."),
        "a3xb5",
        Text.of("Queen, Drone, Worker: nothing can ever capture this Tower."),
        Text.of("From a3, two up and one to the side."),
        (WrongMove(AnyMove(), Text.of("The Queen is still there.")),),
    ),
    Task(
        Text.of(
            "A Keep moves straight, as far as its smallest piece allows: with a Drone at the"
            " bottom, up to two squares. A Keep of Drone and Queen captures a single Worker."
            " Capture it."
        ),
        "q,d,1,w,d,q/6/1,w,1,DQ,2/6/1,W,4/1,D,1,W,1,Q S QDW|qdw -|-",
        Like("d4x.."),
        "d4xb4",
        Text.of("Worker, Drone, Queen: as safe as the tall Tower, but it moves only one square."),
        Text.of("Look along rank 4."),
        (WrongMove(AnyMove(), Text.of("The Worker is still there.")),),
    ),
    Task(
        Text.of(
            "Beyond the last rank lies one more row. A single piece whose move ends there has left"
            " the board: any piece from rank 6, a Drone or a Queen from rank 5, a Queen from rank"
            " 4. Each kind leaves only once. Bring a piece off."
        ),
        "q,d,w,2,q/4,D,1/Q,w,4/3,W,d,1/6/2,W,1,D,Q S QDW|qdw -|-",
        Like(r"..\^"),
        "e5^",
        Text.of("One kind done, two to go."),
        Text.of("Which piece is near enough? And is its way clear?"),
        (WrongMove(AnyMove(), Text.of("No piece has left the board.")),),
    ),
    Task(
        Text.of(
            "You started with a third piece of each kind in reserve. Instead of moving, you can"
            " place one on an empty home square of its kind. Bring in a Worker."
        ),
        "q,d,w,w,d,q/6/2,W,3/6/3,W,2/Q,D,2,D,Q S QDW|qdw -|-",
        Like("W@.."),
        "W@c1",
        Text.of("A fresh piece, far behind the others."),
        Text.of("The home squares of the Workers are c1 and d1."),
        (WrongMove(AnyMove(), Text.of("That does not bring in a Worker.")),),
    ),
    Task(
        Text.of(
            "A pile comes apart in only one way: on the last rank, the top of your pile can leave"
            " the board. Your Queen and your Drone have already left. Win."
        ),
        "1,QdW,1,w,d,q/6/1,W,2,w,1/2,q,3/3,D,2/Q,1,W,3 S D|dw QD|q",
        Wins(),
        "b6^",
        Text.of(
            "All three kinds are off. There's one more way to win: capture all your opponent's"
            " pieces of a kind, so that it can't be brought off."
        ),
        Text.of("Which of your piles is on rank 6?"),
    ),
)

_WORDS = Text.of("South to move wins in two moves, whatever North answers.")

_PUZZLES = (
    won_by_force(
        Text.of("A lift for the Worker"),
        _WORDS,
        "Dw,d,1,Wd,2/2,W,3/w,1,QdW,3/1,D,1,q,1,w/4,Q,1/6 S -|q QD|q",
        answers=(("c5xb6",), ("b6^",)),
        replies=("Q@f6",),
        praise=Text.of(
            "On top of a Drone, a Worker can't be captured, and from rank 6 the top of a pile can"
            " leave."
        ),
        hint=Text.of("Only a Worker is missing. How can one reach rank 6 safely?"),
        wrong_moves=(WrongMove(AnyMove(), Text.of("North has time to answer that.")),),
    ),
    won_by_force(
        Text.of("The tall Tower"),
        _WORDS,
        "q,2,w,Q,1/1,w,2,QdW,1/2,W,2,W/6/D,q,4/2,d,qD,2 S -|- QD|dw",
        answers=(("e5-c6",), ("c6^",)),
        replies=("d6-e5",),
        praise=Text.of("Three pieces high and safe from capture. Next, its top leaves."),
        hint=Text.of(
            "A pile that can't be captured has no need to hurry. Where is a Worker on top?"
        ),
        wrong_moves=(WrongMove(AnyMove(), Text.of("That takes one move too many.")),),
    ),
    won_by_force(
        Text.of("The last row, from the north"),
        Text.of("You are North and move down. You win in two moves, whatever South answers."),
        "1,qd,w,3/3,d,q,Q/1,D,1,w,W,1/6/1,Q,Dq,W,2/4,D,1 N -|- QW|dw",
        answers=(("c2-c1",), ("c1^",)),
        replies=("f5-e6",),
        praise=Text.of("A Keep with a Queen on top can't be captured, so the Queen will leave."),
        hint=Text.of("Which kind is missing, and where is one on top of a pile?"),
        wrong_moves=(WrongMove(AnyMove(), Text.of("South has an answer.")),),
    ),
    won_by_force(
        Text.of("Without leaving at all"),
        Text.of(
            "None of your pieces has left the board, but South wins in two moves: control every"
            " piece of one kind that North still needs."
        ),
        "q,2,w,d,1/1,Dq,4/2,wD,dQ,w,1/W,1,d,1,W,W/1,Q,D,3/Q,5 S -|- -|q",
        answers=(("d4xd6",), ("c2xe4",)),
        replies=("e6-f5",),
        praise=Text.of(
            "Two of the three Workers are under your tops, and the third can't get away."
        ),
        hint=Text.of("North's Workers are on d6 and e4, and one is already buried on c4."),
        wrong_moves=(WrongMove(AnyMove(), Text.of("North's Workers get away.")),),
    ),
    won_by_force(
        Text.of("Two leaps and out"),
        Text.of("South to move wins in three moves, whatever North answers."),
        "4,Q,1/w,1,w,1,wD,1/1,Q,3,dW/1,WDq,Wd,3/6/1,q,4 S -|- QD|qd",
        answers=(("f4-d5",), ("d5-b6",), ("b6^",)),
        replies=("c3-c4", "c5-d4"),
        praise=Text.of(
            "Nothing can capture a Tower with a Worker on top, so it can leap wherever it likes."
        ),
        hint=Text.of("The Tower on f4 has the Worker you need. How can it get to rank 6?"),
        wrong_moves=(
            WrongMove(AnyMove(), Text.of("That takes longer, and North is close to winning too.")),
        ),
    ),
)

LESSON = Lesson(
    _TASKS,
    Text.of(
        "That's Ziggurat: Towers get smaller towards the top and move like knights, Keeps get"
        " larger and move straight, and all three kinds have to leave. A computer has searched the"
        " puzzles below."
    ),
    _PUZZLES,
)
