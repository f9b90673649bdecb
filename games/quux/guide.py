"""Quux in words: its facts, its refusals, and its rules for people."""

from __future__ import annotations

from games.api import (
    PASS,
    Choice,
    ChoiceOption,
    GameFacts,
    GameInfo,
    GuidePage,
    IntOption,
    Preset,
    SpokenMove,
)
from games.quux.samples import SAMPLES
from games.view import Text

_GUIDE = (
    GuidePage(
        Text.of("The goal"),
        Text.of(
            "White wins with a chain of white tops from the bottom side to the top side, Black"
            " with a chain of black tops from the left side to the right. The cells of a chain lie"
            " side by side or one above the other. Only the top pyramid of a pile counts. A player"
            " who completes a chain wins at once."
        ),
        position="1,S,2/l,lM,m,1/1,L,s,l/1,M,2 B 435 344 p",
    ),
    GuidePage(
        Text.of("Placing"),
        Text.of(
            "First the players take turns placing their pyramids, five of each size on the usual"
            " board. A pyramid goes on an empty cell, or on a pile whose top belongs to your"
            " opponent and is larger than your pyramid. Here White covers the large Black with a"
            " Medium. You may not pass while you can place a pyramid."
        ),
        position="4/2,l,1/1,L,2/4 W 455 455 p",
        move="Mc3",
    ),
    GuidePage(
        Text.of("Large before small"),
        Text.of(
            "You may place a Large at any time. You may place a Medium only after a Large of your"
            " own, and a Small only after a Medium of your own. One is enough for the rest of the"
            " game. In a paired game, each smaller pyramid needs a larger one: you may never have"
            " placed more Mediums than Larges, or more Smalls than Mediums."
        ),
        position="4/4/1,Lm,2/4 W 455 445 p",
        move="Ma3",
    ),
    GuidePage(
        Text.of("When nobody can place"),
        Text.of(
            "If you have pyramids in hand but no place for them, you pass; you place again as soon"
            " as you can. When both hands are empty, or both players have passed in a row, the"
            " second part of the game begins. Pyramids still in hand are then out of the game."
        ),
        position="M,lS,mS,L/lM,Ms,Lm,s/S,Ls,lM,lMs/Lm,LmS,s,mS B 000 100 p",
        move="--",
    ),
    GuidePage(
        Text.of("Moving"),
        Text.of(
            "Now the pyramids on the board move. Choose one of yours, even in the middle of a"
            " pile: it moves with every pyramid on top of it, of either colour, along a rank or a"
            " file over empty cells. It stops on an empty cell, or on a pile whose top is larger"
            " than the pyramid you chose, of either colour. Here White's Medium moves from b4 to"
            " c4 and takes the small Black along."
        ),
        position="M,lMs,l,m/lMs,LmS,L,lS/Ls,S,Ms,mS/Lm,l,LmS,Ms W 000 000 m",
        move="Mb4-c4",
    ),
    GuidePage(
        Text.of("Watch what you uncover"),
        Text.of(
            "Both colours are checked after every turn. If your move uncovers the last top your"
            " opponent needed, or carries it into place, your opponent wins. Here White must not"
            " lift the Small from c1: the medium Black beneath it would complete a black chain on"
            " the lowest rank."
        ),
        position="M,lMs,l,1/lMs,LmS,LS,lmS/Ls,S,M,ms/Lm,l,LmS,Ms W 000 000 m",
        move="Sc1-c2",
    ),
    GuidePage(
        Text.of("How the game ends"),
        Text.of(
            "In the second part, too, you must move if you can. The game is a draw if both players"
            " have to pass in a row, if the same position occurs for the third time with the same"
            " side to move, or if nobody has a chain after 50 turns each."
        ),
    ),
    GuidePage(
        Text.of("Swap"),
        Text.of(
            "White moves first and has the better chances. With the swap switched on, the other"
            " player may say swap instead of placing a first pyramid: the two players exchange"
            " colours, the board stays as it is, and Black is to move. So do not start with too"
            " strong a placement."
        ),
        position="4/4/1,L,2/4 B 455 555 p",
        move="swap",
        options={"pie": "on"},
    ),
    GuidePage(
        Text.of("Writing moves"),
        Text.of(
            "L, M and S are the sizes; letters name the files from the left, numbers the ranks"
            " from the bottom. To place, write size and cell (Lb2). To move, write the size of the"
            " lowest pyramid that moves, where it starts and where it goes (Mc3-d3); you may leave"
            " out the size when only one can move. Write a pass as -- and the swap as swap."
        ),
    ),
)

_ADVICE = Text.of(
    "Covering your opponent's top does two things at once: it breaks their chain and adds to"
    " yours. Nothing can cover a Small, so put Smalls where your chain can't do without a"
    " cell. Place a Large and a Medium early; before that you have no Smalls to answer with."
    " Count how many tops each of you still needs, and keep more than one way open. When the"
    " pyramids move, look at what lies underneath before you lift one: a move often completes"
    " the other side's chain."
)

INFO = GameInfo(
    key="quux",
    name="Quux",
    summary=Text.of(
        "Cover larger pyramids, and connect your two sides with the tops of your piles."
    ),
    designer="Michael Fogus",
    year="2014",
    links=("https://fogus.me/fun/spiel/quux/",),
    rules_version=1,
    options=(
        IntOption("size", Text.of("Board size"), (4, 3, 5, 6), minimum=3, maximum=6),
        ChoiceOption(
            "supply",
            Text.of("Larger first"),
            (
                Choice(
                    "own",
                    Text.of("one of your own"),
                    Text.of("One larger pyramid of your own allows all smaller ones."),
                ),
                Choice(
                    "paired",
                    Text.of("one of your own for each"),
                    Text.of("Each smaller pyramid needs a larger one of your own for itself."),
                ),
                Choice(
                    "any",
                    Text.of("one of either side"),
                    Text.of("One larger pyramid of either player allows all smaller ones."),
                ),
            ),
        ),
        ChoiceOption(
            "path",
            Text.of("Movement"),
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
            Text.of("The designer's game: 4 by 4, one larger pyramid opens the way for all."),
            {"size": 4, "supply": "own", "path": "slide", "pie": "off"},
        ),
        Preset(
            "tournament",
            Text.of("Tournament"),
            Text.of(
                "Each smaller pyramid needs a larger one of its own, with the swap: far fewer"
                " draws."
            ),
            {"size": 4, "supply": "paired", "path": "slide", "pie": "on"},
        ),
    ),
    refusals={
        "move_form": Text.of(
            "That isn't a Quux move. Write a size and one cell to place, or two cells to move:"
            " {hint}."
        ),
        "which_block": Text.of("Several of your pyramids can make that move. Write the size too."),
        "game_over": Text.of("The game is over."),
        "off_board": Text.of("{cell} isn't on a {size} by {size} board."),
        "swap_closed": Text.of(
            "You can swap only right after the first placement, and only in a game with the swap."
        ),
        "no_pass": Text.of("You can't pass while you have a move."),
        "placing_is_over": Text.of("All pyramids are placed. Now move one, such as Mc3-d3."),
        "still_placing": Text.of("No moves yet: place your pyramids first, such as Lb2."),
        "none_in_hand": Text.of("You have no {size} left in hand."),
        "supply": Text.of("Before your first {size}, place an {larger}."),
        "supply_any": Text.of("No {size} yet: one of the players has to place an {larger} first."),
        "supply_paired": Text.of(
            "For another {size} you need one more {larger} on the board. Each smaller pyramid"
            " needs a larger one of its own."
        ),
        "own_top": Text.of("The top of {cell} is yours. You can cover only your opponent's."),
        "not_larger": Text.of(
            "The top of {cell} is {top}, which is not larger than {size}. A pile must get smaller"
            " towards the top."
        ),
        "empty_cell": Text.of("{cell} is empty."),
        "no_such_pyramid": Text.of("There is no {size} on {cell}."),
        "not_yours": Text.of(
            "The {size} on {cell} isn't yours. The lowest pyramid that moves must be yours."
        ),
        "same_cell": Text.of("{cell} is where the move starts. Choose another cell to go to."),
        "not_straight": Text.of(
            "{start} and {target} aren't on the same rank or file. Pyramids move straight."
        ),
        "path_blocked": Text.of("The pile on {cell} is in the way."),
        "position_form": Text.of("That isn't a Quux position."),
        "position_size": Text.of("A Quux board has 3 to 6 ranks, and as many files."),
        "position_rank": Text.of(
            "Rank {rank} of the position has the wrong number of cells. It should have {size}."
        ),
        "position_pile": Text.of("The position can't contain the pile {pile}."),
        "position_hands": Text.of("The hands don't fit this position."),
        "position_past": Text.of("The earlier turns given with this position don't fit it."),
        "position_pie": Text.of("The swap doesn't fit this position."),
    },
    reasons={
        "chain": Text.of("A chain of tops connects two opposite sides."),
        "passes": Text.of("Both players had to pass."),
        "repetition": Text.of("The same position occurred for the third time."),
        "move_limit": Text.of("Nobody had a chain after 50 turns each."),
    },
    allows_draw_offer=True,
    move_hint="Lb2, Mc3-d3",
    spoken={
        "--": PASS,
        "swap": SpokenMove(
            Text.of("Swap"),
            Text.of("You swapped."),
            Text.of("{player} swapped: you now play Black."),
            Text.of("{player} swapped colours and now plays White."),
        ),
    },
    guide=_GUIDE,
    advice=_ADVICE,
    facts=GameFacts(players=(2,), minutes=(15, 30), depth=3),
    samples=SAMPLES,
    pieces={"L": Text.of("Large"), "M": Text.of("Medium"), "S": Text.of("Small")},
    example=Text.of("Lb2 places a Large on b2."),
)
