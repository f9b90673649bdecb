"""Pythagoras taught: seven positions, then puzzles."""

from __future__ import annotations

from games.lesson import AnyMove, Lesson, Like, MovesAgain, OneOf, Proven, Puzzle, Task, WrongMove
from games.search import ForcedWin, MostPoints
from games.view import Text

_TASKS = (
    Task(
        Text.of(
            "Four colours fill three grids with pyramids: Large for 3 points, Medium for 2, Small"
            " for 1. The pyramids on top at the end count. You always place on the lowest empty"
            " space of a file. You are Red and go first: place any pyramid."
        ),
        "5/9/12/12/12 R 555 555 555 555 - - - - ---",
        AnyMove(),
        "3f1",
        Text.of("One rule holds everywhere: never next to a pyramid of your own colour and size."),
        Text.of("Large, Medium or Small, in any of the twelve files."),
    ),
    Task(
        Text.of(
            "Each grid has its own law. On the left, the 5 × 5: all pyramids in a rank have the"
            " same size, and pyramids above and below each other differ in size and in colour. You"
            " are Yellow. Place a pyramid in rank 1 of the 5 × 5."
        ),
        "5/9/12/12/R3,11 Y 455 555 555 555 - - - - ---",
        Like("[1-3][b-e]1"),
        "3c1",
        Text.of("A Large, because Red made this a rank of Larges."),
        Text.of("Files b to e, and the size of Red's pyramid."),
        (WrongMove(AnyMove(), Text.of("That isn't rank 1 of the 5 × 5.")),),
    ),
    Task(
        Text.of(
            "In the middle, the 4 × 4: no rank or file has the same colour twice. You are Red."
            " Place a second pyramid in the 4 × 4."
        ),
        "5/9/12/12/5,R2,Y3,G1,B2,3 R 545 455 554 545 - - - - ---",
        Like("[1-3][f-i]."),
        "3h2",
        Text.of("Another rank, another file: that's allowed."),
        Text.of("Not in file f: you already have a pyramid there."),
        (WrongMove(AnyMove(), Text.of("That isn't in the 4 × 4. Its files are f to i.")),),
    ),
    Task(
        Text.of(
            "On the right, the 3 × 3: no rank or file has the same size twice. You are Blue. Place"
            " a pyramid in the 3 × 3."
        ),
        "5/9/12/12/9,R3,Y2,G1 B 455 545 554 555 - - - - ---",
        Like("[1-3][j-l]."),
        "2l2",
        Text.of("Any size except that of the pyramid below."),
        Text.of("The files of the 3 × 3 are j to l."),
        (WrongMove(AnyMove(), Text.of("That isn't in the 3 × 3.")),),
    ),
    Task(
        Text.of(
            "Instead of placing, you can pin: put your pyramid over one that is exactly one size"
            " smaller. It must fit there as if you placed it, and the points of the pyramids"
            " beneath are taken off yours. Pin a pyramid."
        ),
        "5/9/12/12/5,R1,3,B2,2 Y 554 555 555 545 - - - - ---",
        Like("[23]x.."),
        "2xf1",
        Text.of("A pyramid beneath counts for nobody, and its points are taken off your top."),
        Text.of("Medium on Small, Large on Medium. Moves with an x are pins."),
        (WrongMove(AnyMove(), Text.of("You placed that pyramid. Pin one instead.")),),
    ),
    Task(
        Text.of(
            "If you fill the last space of a file, or of a rank across all grids, you move again."
            " Filling a whole grid also scores 5, 4 or 3 points. You are Green. Find a move that"
            " lets you move again."
        ),
        "5/9/12/9,Y2,2/9,R3,2 G 455 545 555 555 - - - - ---",
        MovesAgain(),
        "1j3",
        Text.of("File j is full, and Green moves again."),
        Text.of("One file has only one space left."),
        (WrongMove(AnyMove(), Text.of("That fills neither a file nor a rank.")),),
    ),
    Task(
        Text.of(
            "You must move if you can. If you can't but others can, one pyramid from your hand"
            " goes into your pit and counts against you. You are Blue, and nothing fits. Which one"
            " do you give up?"
        ),
        "1,B3,3/1,Y1G2,Y2,R2,1,G1G2G3,1,R2,1/1,Y2B3,R3,B3,1,G2Y3,1,B2B3,R2G3,1,R1,1/"
        "Y1,R1,Y1,G1,B1,B3,R1,G3,Y3,1,R3,G2/B2,Y2,B2,R2,G2,R1,G3,Y3,B1B2,R1,Y2,R3"
        " B 210 212 103 013 - - - - ---",
        Proven(("1!",), MostPoints()),
        "1!",
        Text.of(
            "You lose one point and save a Medium. The ranks score last: the player with the most"
            " tops in one gets its number times the points of their largest top there."
        ),
        Text.of("You lose the points of the pyramid you give up."),
        (WrongMove(AnyMove(), Text.of("That costs two points. You can do it for less.")),),
    ),
)

_MOST = Text.of(
    "Which move gives your colour the most points by the end of your turn? Everything counts:"
    " tops, pins, ranks and moving again."
)


def _on(words: Text, position: str, first: str, last: tuple[str, ...], praise: Text) -> Task:
    """The second move of a turn that began with ``first``."""
    aim = Proven(last, MostPoints())
    hint = Text.of("Look at every rank: where are you one top short of the lead?")
    return Task(words, position, aim, last[0], praise, hint, line=(first,))


_LONELY = "5/9/R3,11/B2,4,B2,1,G1,Y2,2,R2/Y3,4,Y2,B1,R2,G2,Y1,R2,G3 G 425 434 444 534 - - - - ---"
_TALL = "5/9/6,G3,R3,4/G3,R3,4,B1,G3,4/Y1,B1,2,G1,B2,R2,Y2,1,R3,Y2,Y1 B 245 533 254 543 - - - - ---"

_PUZZLES = (
    Puzzle(
        Text.of("Start small"),
        (
            Task(
                _MOST,
                _LONELY,
                Proven(("1l3",), MostPoints()),
                "1l3",
                Text.of("A single point, but it fills file l, and Green moves again."),
                Text.of("A Medium on a4 would score ten points. There's a better move."),
                (
                    WrongMove(
                        OneOf(("2a4",)), Text.of("Good, but not the best: look for two moves.")
                    ),
                    WrongMove(AnyMove(), Text.of("You can score more than that.")),
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
                Text.of(
                    "Alone in the lead on rank 4 with a Large: twelve points, and another move."
                ),
                Text.of("The higher the rank, the more it is worth."),
                (WrongMove(AnyMove(), Text.of("You can score more than that.")),),
            ),
            _on(
                Text.of("Blue moves again. Three moves are equally good. Find one."),
                _TALL,
                "3h4",
                ("3e2", "3k2", "3l2"),
                Text.of("Three points, and Green no longer leads rank 2."),
            ),
        ),
    ),
    Puzzle(
        Text.of("Better than placing"),
        (
            Task(
                Text.of(
                    "Red wants the biggest possible lead over the best of the others at the end of"
                    " this turn. Which move gets it?"
                ),
                "5/9/9,G1,2/3,B2,1,R2,G1,2,Y3,2/Y1,R1,1,Y1,G1,Y1,R3,G1G2,1,R1B2,B1,B3"
                " R 443 452 541 434 - - - - ---",
                Proven(("3xd2",), MostPoints(lead=True)),
                "3xd2",
                Text.of("Red now leads rank 2, and with a Large."),
                Text.of("All four colours have one top in rank 2. Change that, with a Large."),
                (WrongMove(AnyMove(), Text.of("There's a better one.")),),
            ),
        ),
    ),
    Puzzle(
        Text.of("Don't be greedy"),
        (
            Task(
                Text.of(
                    "The game is nearly over, and you are Yellow. One of your five moves scores"
                    " seven points at once; another wins the game whatever the others do. Find the"
                    " winning move."
                ),
                "3,Y1G2,1/2,Y3,B3,1,G3,B3,R1,1/2,Y1R2,G2,1,Y1Y2,R1,B2B3,G1,B1,R3,R2/"
                "Y3,1,G3,Y3,R3,R1,G3,Y2Y3,B1B2,R3,Y2,B1/"
                "B2,G2,R2,G2,R2,B1B2B3,Y1,G1G2G3,R1R2R3,Y2,G1,B3"
                " Y 000 111 101 011 31 - 1 - --R",
                Proven(("2xg1",), ForcedWin()),
                "2xg1",
                Text.of(
                    "Only Yellow can place on i4, so those points can wait, but the pin could not."
                    " Now nobody can stop you from winning alone: every possible continuation was"
                    " tried."
                ),
                Text.of("The best move can wait if nobody else can play it."),
                (
                    WrongMove(
                        OneOf(("3i4",)),
                        Text.of("Seven points, but the others can still overtake you."),
                    ),
                    WrongMove(AnyMove(), Text.of("After that, Yellow's win is no longer certain.")),
                ),
            ),
        ),
    ),
)

LESSON = Lesson(
    _TASKS,
    Text.of(
        "That's Pythagoras: three laws, pins, moving again, and the ranks at the end. A computer"
        " has searched the puzzles below."
    ),
    _PUZZLES,
)
