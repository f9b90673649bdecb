"""Quax taught: seven small boards, then puzzles."""

from __future__ import annotations

from games.lesson import AnyMove, Lesson, Like, OneOf, Proven, Puzzle, Task, Wins, WrongMove
from games.search import ForcedWin, LongestDefence, OnlyDefence
from games.view import Text

_FIVE = {"size": 5, "pie": "off"}
_FOUR = {"size": 4, "pie": "off"}
_THREE = {"size": 3, "pie": "off"}
_DROP = r"[a-o][0-9]+"
_LINK = _DROP * 2

_TASKS = (
    Task(
        Text.of(
            "Black wants a chain from left to right, Red one from bottom to top. Each turn you can"
            " put a stone on any empty cell. You are Black, and the board is all yours: put a"
            " stone wherever you like."
        ),
        "5/5/5/5/5 x -",
        AnyMove(),
        "c3",
        Text.of("There it stays: it will never move or leave."),
        Text.of("Any cell will do. The middle is a good place to start."),
        options=_FIVE,
    ),
    Task(
        Text.of(
            "Stones that touch along a side are connected. You have two parts of a chain across"
            " the board. Join them and win."
        ),
        "5/2u2/xx1xx/2u2/1u3 x -",
        Wins(),
        "c3",
        Text.of("A chain from side to side: that's the whole aim of the game."),
        Text.of("Which cell touches both parts?"),
        options=_FIVE,
    ),
    Task(
        Text.of(
            "Stones that meet only at a corner aren't connected yet. A link connects them: it"
            " joins two of your stones on a diagonal, and it takes a whole turn. Lay one."
        ),
        "5/3u1/1x1x1/2x2/3u1 x -",
        Like(_LINK),
        "b3c2",
        Text.of("Linked stones are as good as stones side by side."),
        Text.of("Write a link as its two stones, the left one first: b3c2."),
        (
            WrongMove(
                OneOf(("c3",)),
                Text.of("That connects them too, but this time use a link."),
            ),
            WrongMove(Like(_DROP), Text.of("That's a stone. Lay a link instead.")),
        ),
        options=_FIVE,
    ),
    Task(
        Text.of(
            "In a square of four cells, each side can hold a diagonal, as here in the middle. But"
            " links never cross, so the first to link cuts the other off for good. Red is about to"
            " complete a chain from bottom to top. Stop it."
        ),
        "2u2/2u2/1xux1/2xu1/1x1u1 x -",
        Proven(("c2d3",), OnlyDefence()),
        "c2d3",
        Text.of("Your link blocks Red's way, and no red link can ever cross it."),
        Text.of("Red wants to link c3 and d2. Which diagonal crosses that one?"),
        (WrongMove(Like(_DROP), Text.of("Then Red links c3 and d2, and the chain is complete.")),),
        options=_FIVE,
    ),
    Task(
        Text.of("A link can be the last piece of a chain. Black to move: win in one turn."),
        "1u1u1/2uxx/u1xu1/xx1u1/5 x b2c3",
        Wins(),
        "c3d4",
        Text.of("From a2 to b2, up two links to d4, and out on the right."),
        Text.of("Look for stones that meet at a corner."),
        options=_FIVE,
    ),
    Task(
        Text.of(
            "Two stones on a diagonal are as good as connected while both cells between them are"
            " empty: if your opponent takes one, you take the other. Red has just tried it. What's"
            " your answer?"
        ),
        "5/3x1/2x1u/xx1u1/2u2 u -",
        OneOf(("c4",)),
        "c4",
        Text.of("Connected after all. You can rely on such pairs without spending a turn on them."),
        Text.of("Which other cell touches both c3 and d4?"),
        line=("d3",),
        options=_FIVE,
    ),
    Task(
        Text.of(
            "Moving first is an advantage. So the second player may swap after the first stone:"
            " take over Black and that stone instead of answering it. Black has started right in"
            " the middle, on the strongest cell. You are Red. What do you do?"
        ),
        "5/5/5/5/5 x - pie",
        OneOf(("swap",)),
        "swap",
        Text.of(
            "The strong stone is yours now. That's why players start with a stone that is neither"
            " too strong nor too weak."
        ),
        Text.of("Take the strong stone: swap."),
        (
            WrongMove(
                Like(_DROP),
                Text.of("You can do that, but the stone in the middle will be hard to beat."),
            ),
        ),
        line=("c3",),
        options={"size": 5},
    ),
)

_OPENINGS = Puzzle(
    Text.of("The smallest war"),
    (
        Task(
            Text.of(
                "Nine cells, no swap. Black moves first and wins with the right stone. With a"
                " wrong one, Red wins. Find a right one."
            ),
            "3/3/3 x -",
            Proven(("a2", "b1", "b2", "b3", "c2"), ForcedWin()),
            "b2",
            Text.of("The five cells of the cross win; the four corners lose."),
            Text.of("A corner can be walled off from two sides."),
            (WrongMove(AnyMove(), Text.of("A corner is too far from everything: Red wins.")),),
            options=_THREE,
        ),
    ),
)

_TAYLOR = Puzzle(
    Text.of("Bill Taylor's puzzle"),
    (
        Task(
            Text.of(
                "From the designer himself. Black started on b1 and wins whatever Red does. Find"
                " the answer that holds out longest."
            ),
            "3/3/1x1 u -",
            Proven(("b2",), LongestDefence()),
            "b2",
            Text.of("Black needs nine more turns; after any other answer, seven or five."),
            Text.of("Stand right in Black's way."),
            (WrongMove(AnyMove(), Text.of("Black now gets through in seven turns or fewer.")),),
            options=_THREE,
        ),
        Task(
            Text.of("Now you're Black. Three moves still win; the others lose. Find one."),
            "3/3/1x1 u -",
            Proven(("a2", "b3", "c2"), ForcedWin()),
            "a2",
            Text.of("a2 and c2 mirror each other, and b3 works from behind. Let's go on from a2."),
            Text.of("You need the left side and the right side. Start with either."),
            (WrongMove(AnyMove(), Text.of("Now Red gets through.")),),
            line=("b2",),
            options=_THREE,
        ),
        Task(
            Text.of(
                "Black chose a2 and would love to link it with b1. Red took c1 and would love to"
                " link it with b2. Only two moves keep the win. Find one."
            ),
            "3/3/1x1 u -",
            Proven(("b3", "c2"), ForcedWin()),
            "c2",
            Text.of(
                "Two ways are open now: below through b1, above through b3. Red can close only one."
            ),
            Text.of("It's too soon to link. Get closer to the right side first."),
            (
                WrongMove(
                    OneOf(("a2b1",)),
                    Text.of("Linked, but Red closes the right side next."),
                ),
                WrongMove(AnyMove(), Text.of("Red is faster now.")),
            ),
            line=("b2", "a2", "c1"),
            options=_THREE,
        ),
        Task(
            Text.of("Red has linked b2 and c1 and cut you off below. One move wins. Which?"),
            "3/3/1x1 u -",
            Proven(("b3",), ForcedWin()),
            "b3",
            Text.of(
                "The top is closed. From b3 there are two ways to a2 and two to c2, a link and a"
                " corner: if Red takes one, Black takes the other."
            ),
            Text.of("Red still needs the top."),
            (WrongMove(AnyMove(), Text.of("Red plays b3 and connects top and bottom.")),),
            line=("b2", "a2", "c1", "c2", "b2c1"),
            options=_THREE,
        ),
    ),
)


def _four(title: Text, position: str, answer: str, praise: Text, hint: Text) -> Puzzle:
    """A forced win in three moves on a board of four by four."""
    words = Text.of("Black to move wins in three moves at most, whatever Red answers.")
    aim = Proven((answer,), ForcedWin(3))
    return Puzzle(title, (Task(words, position, aim, answer, praise, hint, options=_FOUR),))


_PUZZLES = (
    _OPENINGS,
    _TAYLOR,
    _four(
        Text.of("Along the top"),
        "2xx/2u1/u3/xu2 x -",
        "b4",
        Text.of("Next comes a4. If Red gets there first, play a3 and then the link to b4."),
        Text.of("Stay on the top rank."),
    ),
    _four(
        Text.of("All in pairs"),
        "1xu1/1x1u/2x1/u3 x -",
        "d2",
        Text.of(
            "You've reached the right side, and the rest comes in pairs: a3 or a4, b2 or c3."
            " Whatever Red takes, you take the other."
        ),
        Text.of("Most of the chain is as good as connected. Which side isn't?"),
    ),
)

LESSON = Lesson(
    _TASKS,
    Text.of(
        "That's Quax: a stone or a link each turn, and nobody ever gets stuck, so there are no"
        " draws. A computer has searched the puzzles below to the end."
    ),
    _PUZZLES,
)
