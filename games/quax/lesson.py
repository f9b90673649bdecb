"""Quax taught: seven small boards, then puzzles."""

from __future__ import annotations

from games.lesson import AnyMove, Lesson, Like, OneOf, Proven, Puzzle, Slip, Task, Wins
from games.search import ForcedWin, LongestDefence, OnlyDefence
from games.view import Text

__all__ = ["LESSON"]

_FIVE = {"size": 5, "pie": "off"}
_FOUR = {"size": 4, "pie": "off"}
_THREE = {"size": 3, "pie": "off"}
_DROP = r"[a-o][0-9]+"
_LINK = _DROP * 2

_TASKS = (
    Task(
        Text.of(
            "Black wants a chain from the left side to the right, Red one from the bottom to the"
            " top. One turn is one stone on any empty cell. You are Black, and the board is yours:"
            " put a stone wherever you like."
        ),
        "5/5/5/5/5 x -",
        AnyMove(),
        "c3",
        Text.of("There it stands, and it will never move or leave."),
        Text.of("Any cell will do. The middle is a good place to begin."),
        options=_FIVE,
    ),
    Task(
        Text.of(
            "Stones that touch along a side belong together. You have two pieces of a chain across"
            " the board here. Make them one, and win."
        ),
        "5/2u2/xx1xx/2u2/1u3 x -",
        Wins(),
        "c3",
        Text.of("A chain from side to side: that is the whole aim of the game."),
        Text.of("Which cell touches both pieces?"),
        options=_FIVE,
    ),
    Task(
        Text.of(
            "Stones that meet only at a corner do not belong together yet. A link makes them: it is"
            " laid between two stones of your own on a diagonal, and it takes a whole turn. Lay"
            " one."
        ),
        "5/3u1/1x1x1/2x2/3u1 x -",
        Like(_LINK),
        "b3c2",
        Text.of("Stones that are linked are as good as side by side."),
        Text.of("A link is written as its two stones, the left one first: b3c2."),
        (
            Slip(
                OneOf(("c3",)),
                Text.of("That joins them too, but this time please do it with a link."),
            ),
            Slip(Like(_DROP), Text.of("That is a stone. We would like to see a link.")),
        ),
        options=_FIVE,
    ),
    Task(
        Text.of(
            "In a square of four cells both sides may stand on a diagonal, as here in the middle."
            " But two links never cross, so whoever links first cuts the other off for ever. Red"
            " is about to finish a chain from bottom to top. Stop it."
        ),
        "2u2/2u2/1xux1/2xu1/1x1u1 x -",
        Proven(("c2d3",), OnlyDefence()),
        "c2d3",
        Text.of("Your link lies across Red's way, and no red link will ever cross it."),
        Text.of("Red wants to link c3 with d2. Which diagonal crosses that one?"),
        (Slip(Like(_DROP), Text.of("Then Red links c3 with d2, and the chain is whole.")),),
        options=_FIVE,
    ),
    Task(
        Text.of("A link can be the last piece of a chain. Black to move: win in one turn."),
        "1u1u1/2uxx/u1xu1/xx1u1/5 x b2c3",
        Wins(),
        "c3d4",
        Text.of("From a2 to b2, up over two links to d4, and out on the right."),
        Text.of("Look for stones that meet at a corner."),
        options=_FIVE,
    ),
    Task(
        Text.of(
            "Two stones on a diagonal with both cells between them empty are as good as joined: if"
            " the other side takes one of the cells, you take the other. Red has just tried it."
            " What do you answer?"
        ),
        "5/3x1/2x1u/xx1u1/2u2 u -",
        OneOf(("c4",)),
        "c4",
        Text.of("Joined after all. You can count on such pairs without spending a turn on them."),
        Text.of("Which other cell touches both c3 and d4?"),
        line=("d3",),
        options=_FIVE,
    ),
    Task(
        Text.of(
            "Whoever begins has an advantage. So the second player may swap after the first stone:"
            " take over Black with that stone, instead of answering it. Black has begun right in"
            " the middle, the strongest cell. You are Red. What do you do?"
        ),
        "5/5/5/5/5 x - pie",
        OneOf(("swap",)),
        "swap",
        Text.of(
            "The strong stone is yours now. That is why one begins with a stone that is neither"
            " too strong nor too weak."
        ),
        Text.of("Take what is good: swap."),
        (Slip(Like(_DROP), Text.of("You may, but the stone in the middle will be hard to beat.")),),
        line=("c3",),
        options={"size": 5},
    ),
)

_OPENINGS = Puzzle(
    Text.of("The smallest war"),
    (
        Task(
            Text.of(
                "Nine cells, no swap. Black begins and wins with the right first stone. With a"
                " wrong one Red wins. Find a right one."
            ),
            "3/3/3 x -",
            Proven(("a2", "b1", "b2", "b3", "c2"), ForcedWin()),
            "b2",
            Text.of("The five cells of the cross win, the four corners lose."),
            Text.of("A corner can be walled off from two sides."),
            (Slip(AnyMove(), Text.of("A corner is too far from everything: Red wins.")),),
            options=_THREE,
        ),
    ),
)

_TAYLOR = Puzzle(
    Text.of("Bill Taylor's puzzle"),
    (
        Task(
            Text.of(
                "From the author himself. Black began on b1 and wins whatever Red does. So find the"
                " answer against which Black needs longest."
            ),
            "3/3/1x1 u -",
            Proven(("b2",), LongestDefence()),
            "b2",
            Text.of(
                "Nine more turns until Black is through; after any other answer, seven or five."
            ),
            Text.of("Stand right in Black's way."),
            (Slip(AnyMove(), Text.of("Black is through in seven turns or fewer now.")),),
            options=_THREE,
        ),
        Task(
            Text.of("Now you are Black. Three moves still win here, the others lose. Find one."),
            "3/3/1x1 u -",
            Proven(("a2", "b3", "c2"), ForcedWin()),
            "a2",
            Text.of(
                "a2 and c2 mirror each other, and b3 does it from behind. Let us go on from a2."
            ),
            Text.of("You need the left side and the right side. Begin with either of them."),
            (Slip(AnyMove(), Text.of("Now Red gets through.")),),
            line=("b2",),
            options=_THREE,
        ),
        Task(
            Text.of(
                "Black chose a2 and would love to link it with b1. Red took c1 and would love to"
                " link that with b2. Only two moves keep the win. Find one."
            ),
            "3/3/1x1 u -",
            Proven(("b3", "c2"), ForcedWin()),
            "c2",
            Text.of(
                "Two ways are open now, below over b1 and above over b3. Red can close only one."
            ),
            Text.of("It would be too soon to link. Get closer to the right side first."),
            (
                Slip(
                    OneOf(("a2b1",)),
                    Text.of("Linked, but Red closes the right side next."),
                ),
                Slip(AnyMove(), Text.of("Red is faster now.")),
            ),
            line=("b2", "a2", "c1"),
            options=_THREE,
        ),
        Task(
            Text.of("Red has linked b2 with c1 and cut your way below. One move wins. Which?"),
            "3/3/1x1 u -",
            Proven(("b3",), ForcedWin()),
            "b3",
            Text.of(
                "The top is shut. From b3 there are two ways each to a2 and to c2, a link and a"
                " corner: if Red takes one, Black takes the other."
            ),
            Text.of("Red still needs the top."),
            (Slip(AnyMove(), Text.of("Red plays b3 and has joined top and bottom.")),),
            line=("b2", "a2", "c1", "c2", "b2c1"),
            options=_THREE,
        ),
    ),
)


def _four(title: Text, position: str, answer: str, praise: Text, hint: Text) -> Puzzle:
    """A forced win in three moves on a board of four by four."""
    words = Text.of("Black to move wins with the third move at the latest, whatever Red answers.")
    aim = Proven((answer,), ForcedWin(3))
    return Puzzle(title, (Task(words, position, aim, answer, praise, hint, options=_FOUR),))


_PUZZLES = (
    _OPENINGS,
    _TAYLOR,
    _four(
        Text.of("Along the top"),
        "2xx/2u1/u3/xu2 x -",
        "b4",
        Text.of("Next comes a4. If Red stands there first, a3 comes, and then the link to b4."),
        Text.of("Stay on the top rank."),
    ),
    _four(
        Text.of("All in pairs"),
        "1xu1/1x1u/2x1/u3 x -",
        "d2",
        Text.of(
            "The right side is reached, and the rest comes in pairs: a3 or a4, b2 or c3. Whatever"
            " Red takes, you take the other."
        ),
        Text.of("Most of the chain is as good as joined. Which side is not?"),
    ),
)

LESSON = Lesson(
    _TASKS,
    Text.of(
        "That is Quax: a stone or a link each turn, and nobody ever gets stuck, so there are"
        " no draws. The puzzles below have been searched to the end by computer."
    ),
    _PUZZLES,
)
