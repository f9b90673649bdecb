"""Quux in words: its facts, its refusals, and its rules as people read them."""

from __future__ import annotations

from games.api import Choice, ChoiceOption, GameInfo, GuidePage, IntOption, Preset
from games.quux.lesson import LESSON
from games.view import Text

__all__ = ["INFO"]

_GUIDE = (
    GuidePage(
        Text.of("The goal"),
        Text.of(
            "White wants a chain of white tops from the bottom side to the top side, Black a chain"
            " of black tops from the left side to the right. The cells of a chain lie side by side"
            " or one above the other. Only the top pyramid of a pile counts. Whoever has a chain"
            " wins at once."
        ),
        position="1,S,2/l,lM,m,1/1,L,s,l/1,M,2 B 435 344 p",
    ),
    GuidePage(
        Text.of("Placing"),
        Text.of(
            "First you take turns placing your pyramids, five of each size on the usual board. A"
            " pyramid goes on an empty cell, or on a pile whose top is your opponent's and larger"
            " than yours. Here White covers the large Black with a Medium. You may not pass while"
            " you can place something."
        ),
        position="4/2,l,1/1,L,2/4 W 455 455 p",
        move="Mc3",
    ),
    GuidePage(
        Text.of("Large before small"),
        Text.of(
            "A Large may be placed at any time. A Medium has to wait until you have placed a Large"
            " of your own, a Small until you have placed a Medium. One is enough for the rest of"
            " the game. In a paired game you need one larger pyramid for each: never more Mediums"
            " placed than Larges, nor more Smalls than Mediums."
        ),
        position="4/4/1,Lm,2/4 W 455 445 p",
        move="Ma3",
    ),
    GuidePage(
        Text.of("When nobody can place"),
        Text.of(
            "If you have pyramids in hand but no place for them, you pass, and place again when you"
            " can. When both hands are empty, or both players have passed one after the other, the"
            " second part of the game begins. What is left in hand by then is out of the game."
        ),
        position="M,lS,mS,L/lM,Ms,Lm,s/S,Ls,lM,lMs/Lm,LmS,s,mS B 000 100 p",
        move="--",
    ),
    GuidePage(
        Text.of("Moving"),
        Text.of(
            "Now you move what is on the board. Choose a pyramid of yours, also one in the middle"
            " of a pile: it goes with everything that stands on it, whosever that is, along a rank"
            " or a file over empty cells. It stops on an empty cell, or on a pile whose top is"
            " larger than the pyramid you chose, of either colour. White's Medium goes from b4 to"
            " c4 here and takes the small Black along."
        ),
        position="M,lMs,l,m/lMs,LmS,L,lS/Ls,S,Ms,mS/Lm,l,LmS,Ms W 000 000 m",
        move="Mb4-c4",
    ),
    GuidePage(
        Text.of("Mind what you uncover"),
        Text.of(
            "After every turn both colours are looked at. If your move uncovers your opponent's"
            " last missing top, or carries it into place, your opponent wins. Here White must not"
            " lift the Small from c1: the medium Black beneath it completes a black chain on the"
            " lowest rank."
        ),
        position="M,lMs,l,1/lMs,LmS,LS,lmS/Ls,S,M,ms/Lm,l,LmS,Ms W 000 000 m",
        move="Sc1-c2",
    ),
    GuidePage(
        Text.of("How the game ends"),
        Text.of(
            "In the second part too you must move if you can. It is a draw if both players have to"
            " pass one after the other, if the same position comes about for the third time with"
            " the same side to move, or if after 50 turns by each nobody has a chain."
        ),
    ),
    GuidePage(
        Text.of("Swap"),
        Text.of(
            "White, who begins, has the better chances. With the swap switched on, the other player"
            " may say swap instead of making a first placement: the two of you exchange colours,"
            " the board stays as it is, and Black is to move. So do not begin too well."
        ),
        position="4/4/1,L,2/4 B 455 555 p",
        move="swap",
        options={"pie": "on"},
    ),
    GuidePage(
        Text.of("Writing moves"),
        Text.of(
            "L, M and S are the sizes; letters count the files from the left, numbers the ranks"
            " from the bottom. To place: size and cell, such as Lb2. To move: the size of the"
            " lowest pyramid that goes, from where, to where, such as Mc3-d3; the size may be left"
            " out when only one can go. A pass is written --, and the other word is swap."
        ),
    ),
)

INFO = GameInfo(
    key="quux",
    name="Quux",
    summary=Text.of("Cover what is larger, and join your two sides with the tops of your piles."),
    designer="Michael Fogus",
    year="2014",
    links=("https://fogus.me/fun/spiel/quux/",),
    rules_version=1,
    options=(
        IntOption("size", Text.of("Board size"), (4, 3, 5, 6), minimum=3, maximum=6),
        ChoiceOption(
            "supply",
            Text.of("Before a smaller pyramid"),
            (
                Choice("own", Text.of("one larger of your own, once")),
                Choice("paired", Text.of("one larger of your own for each")),
                Choice("any", Text.of("one larger of either side, once")),
            ),
        ),
        ChoiceOption(
            "path",
            Text.of("Movement over other piles"),
            (
                Choice("slide", Text.of("over empty cells only")),
                Choice("jump", Text.of("over any piles")),
            ),
        ),
        ChoiceOption(
            "pie",
            Text.of("Swap after the first placement"),
            (Choice("off", Text.of("off")), Choice("on", Text.of("on"))),
        ),
    ),
    presets=(
        Preset(
            "standard",
            Text.of("Standard"),
            Text.of("The author's game: 4 by 4, one larger pyramid opens the way for all."),
            {"size": 4, "supply": "own", "path": "slide", "pie": "off"},
        ),
        Preset(
            "tournament",
            Text.of("Tournament"),
            Text.of(
                "Each smaller pyramid needs a larger one of its own, with a swap: far fewer draws."
            ),
            {"size": 4, "supply": "paired", "path": "slide", "pie": "on"},
        ),
    ),
    refusals={
        "move_form": Text.of(
            "That is not a move of Quux. Write a size and one cell to place, two cells to move:"
            " {hint}."
        ),
        "which_block": Text.of("More than one of your pyramids can make that move: say the size."),
        "game_over": Text.of("The game is over."),
        "off_board": Text.of("{cell} isn't on a {size} by {size} board."),
        "swap_closed": Text.of(
            "A swap is only possible right after the first placement, in a game that has the swap."
        ),
        "no_pass": Text.of("You may not pass while there is anything that you can do."),
        "placing_is_over": Text.of(
            "Nothing is placed any more: now move a pyramid, such as Mc3-d3."
        ),
        "still_placing": Text.of("Nothing moves yet: first place your pyramids, such as Lb2."),
        "none_in_hand": Text.of("You have no {size} left in hand."),
        "supply": Text.of("Before your first {size} you have to place an {larger}."),
        "supply_any": Text.of("Before the first {size} somebody has to place an {larger}."),
        "supply_paired": Text.of(
            "You need one more {larger} on the board for another {size}: each smaller pyramid needs"
            " a larger one of its own."
        ),
        "own_top": Text.of(
            "The top of {cell} is your own, and you may only place on your opponent's."
        ),
        "not_larger": Text.of(
            "The top of {cell} is {top}, which is not larger than {size}: a pile has to become"
            " strictly smaller upwards."
        ),
        "empty_cell": Text.of("There is nothing on {cell}."),
        "no_such_pyramid": Text.of("There is no {size} on {cell}."),
        "not_yours": Text.of(
            "The {size} on {cell} is not yours, and the lowest pyramid that goes has to be."
        ),
        "same_cell": Text.of("A move has to go somewhere: {cell} is where it starts."),
        "not_straight": Text.of(
            "{start} and {target} are not on one rank or file, and moves go straight."
        ),
        "path_blocked": Text.of("The pile on {cell} is in the way."),
        "position_form": Text.of("That is not a position of Quux."),
        "position_size": Text.of("A board of Quux has 3 to 6 ranks, and as many files."),
        "position_rank": Text.of("Rank {rank} of the position does not have {size} cells."),
        "position_pile": Text.of("The position cannot hold the pile {pile}."),
        "position_hands": Text.of("The hands do not fit this position."),
        "position_past": Text.of("What the position says of earlier turns does not fit it."),
        "position_pie": Text.of("The swap doesn't fit this position."),
    },
    reasons={
        "chain": Text.of("A chain of tops joins two opposite sides."),
        "passes": Text.of("Both players had to pass."),
        "repetition": Text.of("The same position came about for the third time."),
        "move_limit": Text.of("After 50 turns by each side nobody had a chain."),
    },
    allows_draw_offer=True,
    move_hint="Lb2, Mc3-d3",
    guide=_GUIDE,
    lesson=LESSON,
)
