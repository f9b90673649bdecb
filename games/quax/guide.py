"""Quax in words: its facts, its refusals, and its rules for people."""

from __future__ import annotations

from games.api import (
    Choice,
    ChoiceOption,
    GameFacts,
    GameInfo,
    GuidePage,
    IntOption,
    OptionValue,
    Preset,
    SpokenMove,
)
from games.quax.samples import SAMPLES
from games.view import Text

_SMALL: dict[str, OptionValue] = {"size": 5, "pie": "off"}

_GUIDE = (
    GuidePage(
        Text.of("The goal"),
        Text.of(
            "Black wins with a chain of black stones from the left side to the right, Red with a"
            " chain of red stones from the bottom to the top. The first player to complete a chain"
            " wins at once. A corner belongs to both sides that meet there."
        ),
        position="5/1u1u1/xxxxx/1u3/2u2 u -",
        options=_SMALL,
    ),
    GuidePage(
        Text.of("A turn"),
        Text.of(
            "Black moves first. On your turn you do one thing: drop a stone of your colour on any"
            " empty cell, or lay a link. Stones and links never move and never leave the board."
            " Passing is not allowed."
        ),
        position="5/5/1x1u1/5/5 x -",
        move="c3",
        options=_SMALL,
    ),
    GuidePage(
        Text.of("Links"),
        Text.of(
            "Stones side by side, or one above the other, are connected without a link. Stones"
            " that touch only at a corner are not: they need a link, and laying it takes a turn."
            " Both ends must be your own stones, already on the board."
        ),
        position="5/5/2x1u/1x1u1/5 x -",
        move="b2c3",
        options=_SMALL,
    ),
    GuidePage(
        Text.of("Links never cross"),
        Text.of(
            "Where four cells meet, there is room for one link, and it blocks the other diagonal"
            " for the rest of the game. Here Black has linked b2 and c3, so Red can never link b3"
            " and c2."
        ),
        position="5/5/1ux2/1xu2/5 u b2c3",
        options=_SMALL,
    ),
    GuidePage(
        Text.of("Swap"),
        Text.of(
            "Moving first is a big advantage, so after the first black stone the other player may"
            " say swap: the two players exchange colours, the stone stays where it is, and the"
            " player who dropped it now plays Red and moves next. So do not start with too strong"
            " a stone."
        ),
        position="5/5/1x3/5/5 u - swap",
        move="swap",
        options={"size": 5, "pie": "on"},
    ),
    GuidePage(
        Text.of("How the game ends"),
        Text.of(
            "There are no draws: on a full board, exactly one side has a chain. Other descriptions"
            " have the first player joining top and bottom; that is the same game, mirrored along"
            " the diagonal."
        ),
        position="2x/1x1/x2 x a1b2",
        move="b2c3",
        options={"size": 3, "pie": "off"},
    ),
    GuidePage(
        Text.of("Writing moves"),
        Text.of(
            "Letters name the files from the left, numbers the ranks from the bottom. Write a"
            " stone as its cell (d3), a link as its two cells (e2f3) and the swap as swap."
        ),
    ),
)

_ADVICE = Text.of(
    "Two of your stones on a diagonal hold together while the block between them is open, so"
    " link them only when your opponent is about to cross there. A link costs a whole turn:"
    " where both of you could cross, count who has time to link first. The strongest moves"
    " make two threats at once, because a single one can be answered. To stop a chain, place"
    " your stone some way ahead of it, not right beside it. With the swap, don't start near"
    " the centre: your opponent would simply take that stone over."
)

INFO = GameInfo(
    key="quax",
    name="Quax",
    summary=Text.of("Connect your two sides with stones, and with links across the diagonals."),
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
            Text.of("The designer's 11 by 11 board, with the swap."),
            {"size": 11, "pie": "on"},
        ),
        Preset(
            "quick",
            Text.of("Quick"),
            Text.of("7 by 7: a short game with all the tactics of links."),
            {"size": 7, "pie": "on"},
        ),
        Preset(
            "grand",
            Text.of("Grand"),
            Text.of("15 by 15: a long game for players who know the smaller boards."),
            {"size": 15, "pie": "on"},
        ),
    ),
    refusals={
        "move_form": Text.of(
            "That isn't a Quax move. Write one cell, or two cells for a link: {hint}."
        ),
        "game_over": Text.of("The game is over."),
        "off_board": Text.of("{cell} isn't on a {size} by {size} board."),
        "occupied": Text.of("There's already a stone on {cell}."),
        "not_diagonal": Text.of(
            "{start} and {end} don't touch at a corner, so they can't be linked."
        ),
        "end_empty": Text.of(
            "There's no stone on {cell}. A link needs one of your stones at each end."
        ),
        "not_yours": Text.of("The stone on {cell} isn't yours. A link joins two of your own."),
        "already_linked": Text.of("{link} is already linked."),
        "crosses_link": Text.of("That would cross the link {link}, and links never cross."),
        "swap_closed": Text.of("You can swap only right after the first stone of the game."),
        "position_form": Text.of("That isn't a Quax position."),
        "position_size": Text.of(
            "A Quax board has {smallest} to {largest} ranks, and as many files."
        ),
        "position_rank": Text.of(
            "Rank {rank} of the position has the wrong number of cells. It should have {size}."
        ),
        "position_link": Text.of("The position can't contain the link {link}."),
        "position_turn": Text.of("The side to move has already won in this position."),
        "position_pie": Text.of("The swap doesn't fit this position."),
    },
    reasons={"connection": Text.of("A chain joins two opposite sides.")},
    allows_draw_offer=False,
    move_hint="d3, e2f3",
    spoken={
        "swap": SpokenMove(
            Text.of("Swap"),
            Text.of("You swapped."),
            Text.of("{player} swapped: you now play Red."),
            Text.of("{player} swapped colours and now plays Black."),
        )
    },
    guide=_GUIDE,
    advice=_ADVICE,
    facts=GameFacts(players=(2,), minutes=(15, 40), depth=3),
    samples=SAMPLES,
    example=Text.of("d3 drops a stone on d3. e2f3 links your stones on e2 and f3."),
)
