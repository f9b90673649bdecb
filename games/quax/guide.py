"""Quax in words: its facts, its refusals, and its rules as people read them."""

from __future__ import annotations

from games.api import Choice, ChoiceOption, GameInfo, GuidePage, IntOption, OptionValue, Preset
from games.view import Text

__all__ = ["INFO"]

_SMALL: dict[str, OptionValue] = {"size": 5, "pie": "off"}

_GUIDE = (
    GuidePage(
        Text.of("The goal"),
        Text.of(
            "Black wants a chain of black stones from the left side to the right side, Red a chain"
            " of red stones from the bottom to the top. Whoever has such a chain first wins at"
            " once. A corner belongs to both of the sides that meet in it."
        ),
        position="5/1u1u1/xxxxx/1u3/2u2 u -",
        options=_SMALL,
    ),
    GuidePage(
        Text.of("A turn"),
        Text.of(
            "Black begins. On your turn you do one thing: drop a stone of your colour on any empty"
            " cell, or lay a link. Stones and links never move and never leave the board. You may"
            " not pass."
        ),
        position="5/5/1x1u1/5/5 x -",
        move="c3",
        options=_SMALL,
    ),
    GuidePage(
        Text.of("Links"),
        Text.of(
            "Stones side by side, or one above the other, are joined by themselves. Stones that"
            " touch across a corner are not: they need a link, and a link takes a turn. Both ends"
            " have to be your own stones, and they have to be there before you link them."
        ),
        position="5/5/2x1u/1x1u1/5 x -",
        move="b2c3",
        options=_SMALL,
    ),
    GuidePage(
        Text.of("Links never cross"),
        Text.of(
            "Where four cells meet there is room for one link. Whoever lays it first shuts the"
            " other diagonal for the rest of the game. Here Black has linked b2 and c3, so Red can"
            " never link b3 and c2."
        ),
        position="5/5/1ux2/1xu2/5 u b2c3",
        options=_SMALL,
    ),
    GuidePage(
        Text.of("Swap"),
        Text.of(
            "To begin is worth a lot, so there is a remedy. After the first black stone the other"
            " player may say swap: the two of you exchange colours, the stone stays where it is,"
            " and whoever dropped it now plays Red and moves. So do not begin too well."
        ),
        position="5/5/1x3/5/5 u - swap",
        move="swap",
        options={"size": 5, "pie": "on"},
    ),
    GuidePage(
        Text.of("How it ends"),
        Text.of(
            "There are no draws: on a full board exactly one side has its chain. Other pages give"
            " the sides the other way round, with the first player joining top and bottom; that is"
            " the same game turned over its diagonal."
        ),
        position="2x/1x1/x2 x a1b2",
        move="b2c3",
        options={"size": 3, "pie": "off"},
    ),
    GuidePage(
        Text.of("Writing moves"),
        Text.of(
            "Letters count the files from the left, numbers the ranks from the bottom. A drop is"
            " its cell, such as d3. A link is its two cells, such as e2f3. The other word is swap."
        ),
    ),
)

INFO = GameInfo(
    key="quax",
    name="Quax",
    summary=Text.of("Join your two sides with stones, and with links across the diagonals."),
    designer="Bill Taylor",
    year="1992/2000",
    links=("https://jpneto.github.io/world_abstract_games/quax.htm",),
    rules_version=1,
    options=(
        IntOption("size", Text.of("Board size"), (11, 7, 9, 13, 15), minimum=3, maximum=15),
        ChoiceOption(
            "pie",
            Text.of("Swap after the first stone"),
            (Choice("on", Text.of("on")), Choice("off", Text.of("off"))),
        ),
    ),
    presets=(
        Preset(
            "standard",
            Text.of("Standard"),
            Text.of("The author's board of 11 by 11, with the swap."),
            {"size": 11, "pie": "on"},
        ),
        Preset(
            "quick",
            Text.of("Quick"),
            Text.of("7 by 7: a short game with all the tactics of the links."),
            {"size": 7, "pie": "on"},
        ),
        Preset(
            "grand",
            Text.of("Grand"),
            Text.of("15 by 15: a long game for players who know the small boards."),
            {"size": 15, "pie": "on"},
        ),
    ),
    refusals={
        "move_form": Text.of(
            "That is not a move of Quax. Write a cell, or two cells for a link: {hint}."
        ),
        "game_over": Text.of("The game is over."),
        "off_board": Text.of("{cell} is not on a board of {size} by {size}."),
        "occupied": Text.of("There is a stone on {cell} already."),
        "not_diagonal": Text.of(
            "{start} and {end} do not touch across a corner, and only such cells can be linked."
        ),
        "end_empty": Text.of(
            "There is no stone on {cell} yet: a link needs your stone at each end."
        ),
        "not_yours": Text.of("The stone on {cell} is not yours: a link joins two of your own."),
        "already_linked": Text.of("{link} is linked already."),
        "crosses_link": Text.of("That would cross the link {link}, and links never cross."),
        "swap_closed": Text.of("A swap is only possible right after the first stone of the game."),
        "position_form": Text.of("That is not a position of Quax."),
        "position_size": Text.of(
            "A board of Quax has {smallest} to {largest} ranks, and as many files."
        ),
        "position_rank": Text.of("Rank {rank} of the position does not have {size} cells."),
        "position_link": Text.of("The position cannot hold the link {link}."),
        "position_turn": Text.of("The side to move has won already, which cannot be."),
        "position_pie": Text.of("The swap does not fit this position."),
    },
    reasons={"connection": Text.of("A chain joins two opposite sides.")},
    allows_draw_offer=False,
    move_hint="d3, e2f3",
    guide=_GUIDE,
)
