"""Pythagoras taught: seven positions, then puzzles."""

from __future__ import annotations

from games.lesson import AnyMove, Lesson, Like, MovesAgain, OneOf, Proven, Puzzle, Slip, Task
from games.search import ForcedWin, MostPoints
from games.view import Text

__all__ = ["LESSON"]

_TASKS = (
    Task(
        Text.of(
            "Four colours fill three grids with pyramids: Large for 3 points, Medium for 2, Small"
            " for 1. What is on top at the end counts. You always place on the lowest empty space"
            " of a column. You are Red and begin: place what you like."
        ),
        "5/9/12/12/12 R 555 555 555 555 - - - - ---",
        AnyMove(),
        "3f1",
        Text.of("One rule holds everywhere: never beside your own colour in the same size."),
        Text.of("Large, Medium or Small, in any of the twelve columns."),
    ),
    Task(
        Text.of(
            "Each grid has a law of its own. On the left, the 5 × 5: all pyramids of a rank have"
            " one size, and those above and below a pyramid differ from it in size and in colour."
            " You are Yellow. Place in rank 1 of the 5 × 5."
        ),
        "5/9/12/12/R3,11 Y 455 555 555 555 - - - - ---",
        Like("[1-3][b-e]1"),
        "3c1",
        Text.of("A Large, because Red has made this a rank of Larges."),
        Text.of("Columns b to e, and the size of Red's pyramid."),
        (Slip(AnyMove(), Text.of("That is not rank 1 of the 5 × 5.")),),
    ),
    Task(
        Text.of(
            "In the middle, the 4 × 4: no rank and no column of it has the same colour twice. You"
            " are Red. Place a second pyramid in the 4 × 4."
        ),
        "5/9/12/12/5,R2,Y3,G1,B2,3 R 545 455 554 545 - - - - ---",
        Like("[1-3][f-i]."),
        "3h2",
        Text.of("Another rank, another column: that is allowed."),
        Text.of("Not in column f, where you are already."),
        (Slip(AnyMove(), Text.of("That is not in the 4 × 4, which has the columns f to i.")),),
    ),
    Task(
        Text.of(
            "On the right, the 3 × 3: no rank and no column of it has the same size twice. You are"
            " Blue. Place in the 3 × 3."
        ),
        "5/9/12/12/9,R3,Y2,G1 B 455 545 554 555 - - - - ---",
        Like("[1-3][j-l]."),
        "2l2",
        Text.of("Any other size than the one below it."),
        Text.of("The 3 × 3 has the columns j to l."),
        (Slip(AnyMove(), Text.of("That is not in the 3 × 3.")),),
    ),
    Task(
        Text.of(
            "Instead of placing you may pin: put your pyramid over one that is exactly one size"
            " smaller. It must fit there as if placed, and what lies beneath takes its points off"
            " yours. Pin something."
        ),
        "5/9/12/12/5,R1,3,B2,2 Y 554 555 555 545 - - - - ---",
        Like("[23]x.."),
        "2xf1",
        Text.of("What lies beneath counts for nobody, and takes its points off your top."),
        Text.of("Medium on Small, Large on Medium. Moves with an x are pins."),
        (Slip(AnyMove(), Text.of("That was placed, not pinned.")),),
    ),
    Task(
        Text.of(
            "Fill the last space of a column, or of a rank through all grids, and you move again."
            " Filling a whole grid brings 5, 4 or 3 points besides. You are Green. Find a move"
            " after which you move again."
        ),
        "5/9/12/9,Y2,2/9,R3,2 G 455 545 555 555 - - - - ---",
        MovesAgain(),
        "1j3",
        Text.of("Column j is full, and Green is still on turn."),
        Text.of("One column has only one space left."),
        (Slip(AnyMove(), Text.of("That fills neither a column nor a rank.")),),
    ),
    Task(
        Text.of(
            "If you can move you must. If you cannot while others can, one pyramid from your hand"
            " goes into your pit and counts against you. You are Blue, and nothing fits. Which one"
            " do you give?"
        ),
        "1,B3,3/1,Y1G2,Y2,R2,1,G1G2G3,1,R2,1/1,Y2B3,R3,B3,1,G2Y3,1,B2B3,R2G3,1,R1,1/"
        "Y1,R1,Y1,G1,B1,B3,R1,G3,Y3,1,R3,G2/B2,Y2,B2,R2,G2,R1,G3,Y3,B1B2,R1,Y2,R3"
        " B 210 212 103 013 - - - - ---",
        Proven(("1!",), MostPoints()),
        "1!",
        Text.of(
            "One point less, and a Medium saved. Last of all come the ranks: whoever alone has the"
            " most tops in one gets its number times the points of their largest top there."
        ),
        Text.of("The pit takes the points of what you give."),
        (Slip(AnyMove(), Text.of("That costs two points. It can be had for less.")),),
    ),
)

_MOST = Text.of(
    "Which move brings your colour most points by the end of your turn? Everything counts: tops,"
    " pins, ranks, and moving again."
)


def _on(words: Text, position: str, first: str, last: tuple[str, ...], praise: Text) -> Task:
    """The second move of a turn that began with ``first``."""
    aim = Proven(last, MostPoints())
    hint = Text.of("Look at every rank: where are you one top short of leading it alone?")
    return Task(words, position, aim, last[0], praise, hint, line=(first,))


_LONELY = "5/9/R3,11/B2,4,B2,1,G1,Y2,2,R2/Y3,4,Y2,B1,R2,G2,Y1,R2,G3 G 425 434 444 534 - - - - ---"
_TALL = "5/9/6,G3,R3,4/G3,R3,4,B1,G3,4/Y1,B1,2,G1,B2,R2,Y2,1,R3,Y2,Y1 B 245 533 254 543 - - - - ---"

_PUZZLES = (
    Puzzle(
        Text.of("First a small thing"),
        (
            Task(
                _MOST,
                _LONELY,
                Proven(("1l3",), MostPoints()),
                "1l3",
                Text.of("A single point, but it fills column l, and Green moves again."),
                Text.of("A Medium on a4 would bring ten points. There is something better."),
                (
                    Slip(OneOf(("2a4",)), Text.of("Good, but not the best: look for two moves.")),
                    Slip(AnyMove(), Text.of("There is more to be had.")),
                ),
            ),
            _on(
                Text.of("And how does Green go on?"),
                _LONELY,
                "1l3",
                ("3f3",),
                Text.of(
                    "Now Green has the most tops in rank 3 and takes it from Red, for three times"
                    " three points."
                ),
            ),
        ),
    ),
    Puzzle(
        Text.of("To the top"),
        (
            Task(
                _MOST,
                _TALL,
                Proven(("3h4",), MostPoints()),
                "3h4",
                Text.of("Alone on rank 4 with a Large: twelve points, and another move."),
                Text.of("The higher the rank, the more it is worth."),
                (Slip(AnyMove(), Text.of("There is more to be had.")),),
            ),
            _on(
                Text.of("Blue moves again. Three moves are equally good. Find one."),
                _TALL,
                "3h4",
                ("3e2", "3k2", "3l2"),
                Text.of("Three points, and Green no longer leads rank 2 alone."),
            ),
        ),
    ),
    Puzzle(
        Text.of("Higher than a placement"),
        (
            Task(
                Text.of(
                    "Red wants to be as far ahead of the best of the others as possible when this"
                    " turn is over. Which move does it?"
                ),
                "5/9/9,G1,2/3,B2,1,R2,G1,2,Y3,2/Y1,R1,1,Y1,G1,Y1,R3,G1G2,1,R1B2,B1,B3"
                " R 443 452 541 434 - - - - ---",
                Proven(("3xd2",), MostPoints(lead=True)),
                "3xd2",
                Text.of("Red now leads rank 2 alone, and with a Large."),
                Text.of("All four colours have one top in rank 2. Change that, with a Large."),
                (Slip(AnyMove(), Text.of("There is a better one.")),),
            ),
        ),
    ),
    Puzzle(
        Text.of("Do not be greedy"),
        (
            Task(
                Text.of(
                    "Nearly over, and you are Yellow. One of your five moves brings seven points at"
                    " once, another wins the game whatever the others do. Find the second."
                ),
                "3,Y1G2,1/2,Y3,B3,1,G3,B3,R1,1/2,Y1R2,G2,1,Y1Y2,R1,B2B3,G1,B1,R3,R2/"
                "Y3,1,G3,Y3,R3,R1,G3,Y2Y3,B1B2,R3,Y2,B1/"
                "B2,G2,R2,G2,R2,B1B2B3,Y1,G1G2G3,R1R2R3,Y2,G1,B3"
                " Y 000 111 101 011 31 - 1 - --R",
                Proven(("2xg1",), ForcedWin()),
                "2xg1",
                Text.of(
                    "Only Yellow fits on i4, so those points can wait, and the pin could not."
                    " Nobody can keep you from winning alone now: all that can still happen was"
                    " tried."
                ),
                Text.of("What is best can wait if nobody else can do it."),
                (
                    Slip(
                        OneOf(("3i4",)), Text.of("Seven points, but the others can still get past.")
                    ),
                    Slip(AnyMove(), Text.of("After that Yellow no longer wins for certain.")),
                ),
            ),
        ),
    ),
)

LESSON = Lesson(
    _TASKS,
    Text.of(
        "That is Pythagoras: three laws, pins, moving again, and the ranks at the end. The puzzles"
        " below have been searched through by computer."
    ),
    _PUZZLES,
)
