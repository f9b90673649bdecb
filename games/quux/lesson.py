"""Quux taught: seven small boards, then puzzles."""

from __future__ import annotations

from games.lesson import AnyMove, Lesson, Like, OneOf, Proven, Task, Wins, WrongMove, won_by_force
from games.search import OnlyDefence
from games.view import Text

_THREE = {"size": 3}

_TASKS = (
    Task(
        Text.of(
            "White wants a chain from bottom to top, Black from left to right. First you place"
            " pyramids, one a turn, and both players start with a Large. You are White: put one"
            " anywhere."
        ),
        "4/4/4/4 W 555 555 p",
        AnyMove(),
        "Lb2",
        Text.of("You have five of each size, and so does Black."),
        Text.of("Any cell will do."),
    ),
    Task(
        Text.of(
            "You've placed a Large, so Mediums may follow, and after your first Medium, Smalls."
            " Place a Medium."
        ),
        "4/2,l,1/1,L,2/4 W 455 455 p",
        Like("M.."),
        "Mb3",
        Text.of("From now on you can place any size."),
        Text.of("Choose a move that starts with M, such as Mb3."),
        (WrongMove(AnyMove(), Text.of("That's a Large. Place a Medium.")),),
    ),
    Task(
        Text.of(
            "Only the top of a pile counts. You may place a pyramid on your opponent's top if that"
            " top is larger. So Black's c3 and b3 can become yours. Cover one of them."
        ),
        "4/1,l,m,1/1,L,2/M,3 W 445 445 p",
        OneOf(("Mb3", "Sb3", "Sc3")),
        "Sc3",
        Text.of("Covered, and the cell is yours."),
        Text.of("A Small covers a Medium or a Large; a Medium covers only a Large."),
        (WrongMove(AnyMove(), Text.of("That cell was empty.")),),
    ),
    Task(
        Text.of(
            "Tops that touch along a side form a chain, whatever their size. Complete yours from"
            " bottom to top and win."
        ),
        "1,L,2/l,l,2/1,M,m,1/1,L,2 W 345 345 p",
        Wins(),
        "Mb3",
        Text.of("White tops from bottom to top: the game is over."),
        Text.of("Black blocks the way with a Large, and Larges can be covered."),
    ),
    Task(
        Text.of(
            "Black needs only c2 for a chain from left to right. If you put a Large or a Medium"
            " there, Black covers it. Find a move that holds."
        ),
        "1,L,2/1,M,1,L/m,m,1,m/l,M,2 W 335 425 p",
        Proven(("Sa2", "Sb2", "Sc2", "Sd2"), OnlyDefence()),
        "Sc2",
        Text.of("Nothing is smaller than a Small, so it can never be covered."),
        Text.of("Which size can't be covered?"),
        (
            WrongMove(Like(".c2"), Text.of("Black covers that with a smaller pyramid and wins.")),
            WrongMove(AnyMove(), Text.of("Black places on c2 and wins.")),
        ),
    ),
    Task(
        Text.of(
            "When the hands are empty, pyramids move: straight, any distance over empty cells,"
            " onto an empty cell or a larger top of either colour. The pyramids on top ride along."
            " Complete your chain."
        ),
        "l,s,L,m/LmS,2,l/m,1,M,1/1,s,L,l W 000 000 m",
        Wins(),
        "La3-c3",
        Text.of("File c is white from bottom to top. What's inside the piles doesn't matter."),
        Text.of("File c needs one more cell. What could slide there along the rank?"),
    ),
    Task(
        Text.of(
            "You can move your pyramids even from under a black top, with everything on them. What"
            " you uncover counts at once. Win."
        ),
        "l,s,L,m/m,1,LMs,1/2,S,l/s,l,L,m W 000 000 m",
        Wins(),
        "Mc3-d3",
        Text.of(
            "Your Large has come to light. It can work against you too: if you uncover a black"
            " chain, Black wins, even on your turn."
        ),
        Text.of("Your Medium on c3 has one of your Larges beneath it."),
    ),
)

_WORDS = Text.of("White to move wins in two moves, whatever Black answers.")

_PUZZLES = (
    won_by_force(
        Text.of("Nine cells"),
        _WORDS,
        "S,L,1/m,1,l/l,1,M W 333 234 p",
        answers=(("Sa2",), ("Ma1", "Sa1")),
        replies=("Sc3",),
        praise=Text.of(
            "It stops Black's middle rank and threatens a1. Black can't save a1: players can't"
            " cover their own tops."
        ),
        hint=Text.of("Black has a threat too. Which cell handles both?"),
        wrong_moves=(WrongMove(AnyMove(), Text.of("Black wins or gets in between.")),),
        options=_THREE,
    ),
    won_by_force(
        Text.of("Two ways up"),
        _WORDS,
        "1,l,L,1/l,lM,1,M/2,S,L/m,1,l,1 W 334 145 p",
        answers=(("Sc1",), ("Ld4", "Md4", "Sc3", "Sd4")),
        replies=("Mc3",),
        praise=Text.of("c3 would complete the chain, and so would d4. Black has only one move."),
        hint=Text.of("The bottom comes first."),
        wrong_moves=(WrongMove(AnyMove(), Text.of("One threat is not enough.")),),
    ),
    won_by_force(
        Text.of("Hands are empty"),
        _WORDS,
        "mS,lM,L,mS/Ms,S,s,Lm/M,M,l,1/Ls,l,L,S W 000 000 m",
        answers=(("Sd1-c1",), ("Sc1-b1", "Sc1-c2")),
        replies=("Md4-c4",),
        praise=Text.of("The same Small goes back and completes the chain, in one of two ways."),
        hint=Text.of("A Small can go where no other piece can."),
        wrong_moves=(WrongMove(AnyMove(), Text.of("That gives Black time.")),),
    ),
    won_by_force(
        Text.of("Black's turn"),
        Text.of("Now you're Black. You win in two moves, whatever White answers."),
        "lM,lM,L,L/M,m,m,S/s,L,L,s/lS,S,Ls,m B 000 000 m",
        answers=(("Sc1-c2",), ("Mb3-b2", "Sa2-a3")),
        replies=("Mb4-c4",),
        praise=Text.of(
            "Two threats with one Small: rank 2 needs only b2, and rank 3 needs only a3."
        ),
        hint=Text.of("See what's missing in rank 2, and in rank 3."),
        wrong_moves=(WrongMove(AnyMove(), Text.of("White has an answer to that.")),),
    ),
)

LESSON = Lesson(
    _TASKS,
    Text.of(
        "That's Quux: place, cover, move. The tournament form, in which every smaller pyramid"
        " needs a larger one of its own, has fewer draws. A computer has searched the puzzles"
        " below."
    ),
    _PUZZLES,
)
