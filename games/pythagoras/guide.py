"""Pythagoras in words: its facts, its refusals, and its rules for people."""

from __future__ import annotations

from games.api import Choice, ChoiceOption, GameFacts, GameInfo, GuidePage, Preset
from games.pythagoras.samples import SAMPLES
from games.view import Text

_GUIDE = (
    GuidePage(
        Text.of("The goal"),
        Text.of(
            "Each colour has five Large, five Medium and five Small pyramids, worth 3, 2 and 1"
            " points. They go onto three grids side by side, and a pyramid counts for its colour"
            " while it is on top. Red goes first, then Yellow, Green and Blue. The player with the"
            " most points wins; players with equal points share the win."
        ),
        position=(
            "5/9/6,B3,3,R3,1/3,G3,2,Y3,B3,1,R3,R2,G1/B2,2,R2,1,Y1Y2Y3,G3,R2R3,R1B2,G2,B1,Y2G3"
            " Y 224 334 244 334 - - - - ---"
        ),
    ),
    GuidePage(
        Text.of("Placing"),
        Text.of(
            "On your turn you place one pyramid on the board, or pin one. Files fill from the"
            " bottom: you place on the lowest empty space of a file. A pyramid may never stand"
            " directly beside, above or below one of its own colour and size, not even across the"
            " border between two grids."
        ),
        position="5/9/12/9,R2,2/R3,Y3,3,G2,3,B3,2 Y 445 455 545 455 - - - - ---",
        move="2a2",
    ),
    GuidePage(
        Text.of("The law of the 5 × 5"),
        Text.of(
            "All pyramids in a rank have the same size; the first one placed there sets it."
            " Pyramids directly above and below each other differ in size and in colour."
        ),
        position="5/9/12/12/R3,Y3,G3,B3,8 R 455 455 455 455 - - - - ---",
        move="2b2",
    ),
    GuidePage(
        Text.of("The law of the 4 × 4"),
        Text.of("No rank and no file of this grid has two pyramids of the same colour."),
        position="5/9/12/12/5,R2,Y3,G1,B2,3 R 545 455 554 545 - - - - ---",
        move="1g2",
    ),
    GuidePage(
        Text.of("The law of the 3 × 3"),
        Text.of("No rank and no file of this grid has two pyramids of the same size."),
        position="5/9/12/12/9,R3,Y2,G1 B 455 545 554 555 - - - - ---",
        move="2j2",
    ),
    GuidePage(
        Text.of("Pinning"),
        Text.of(
            "Instead of placing, you may put a pyramid over one that is exactly one size smaller:"
            " Medium over Small, Large over Medium, at any height and of any colour. Your pyramid"
            " now counts, and it must keep the laws as if it were placed there. The pyramids"
            " beneath no longer count for their owners, and their points are taken off yours."
        ),
        position="5/9/12/12/5,R1,6 Y 554 555 555 555 - - - - ---",
        move="2xf1",
    ),
    GuidePage(
        Text.of("Moving again"),
        Text.of(
            "If the pyramid you place fills the last space of a file, or of a rank across all"
            " three grids, you move again at once, and that move may earn you another. Filling the"
            " last space of a grid also earns a bonus: 5, 4 or 3 points. Pins fill no spaces."
        ),
        position="5/9/12/9,Y2,2/9,R3,2 G 455 545 555 555 - - - - ---",
        move="1j3",
    ),
    GuidePage(
        Text.of("The pit"),
        Text.of(
            "You must move if you can. If you cannot, but another player still can, you put one"
            " pyramid from your hand into your pit, and its points count against you. A player"
            " with an empty hand is skipped. The game ends when no player can place or pin;"
            " pyramids still in hand count nothing."
        ),
        position=(
            "1,B3,3/1,Y1G2,Y2,R2,1,G1G2G3,1,R2,1/1,Y2B3,R3,B3,1,G2Y3,1,B2B3,R2G3,1,R1,1/"
            "Y1,R1,Y1,G1,B1,B3,R1,G3,Y3,1,R3,G2/B2,Y2,B2,R2,G2,R1,G3,Y3,B1B2,R1,Y2,R3"
            " B 210 212 103 013 - - - - ---"
        ),
        move="1!",
    ),
    GuidePage(
        Text.of("The score"),
        Text.of(
            "Add the points of your tops and the bonuses of the grids you completed; subtract the"
            " points of every pyramid beneath your tops and in your pit. Then look at each rank"
            " across all grids: the player with the most tops in it scores the number of the rank"
            " times the points of their largest top there. A tie for the most tops scores nothing."
        ),
        position=(
            "G3,1,B3,2/B1,R1,Y1,3,R2,G2G3,1/Y3,B3,R3,2,G1,R2Y3,B1B2B3,1,R1,R2,R3/"
            "B2,G2,B2,1,B2,B1,G2G3,Y1Y2,R2R3,G2,Y3,Y1/"
            "R3,B3,Y3,1,G3,Y1Y2,B1Y2B3,R2R3,Y2G3,Y3,R1,G2"
            " B 000 011 000 011 11 - 1111 - --R"
        ),
    ),
    GuidePage(
        Text.of("Two players"),
        Text.of(
            "Two players take two colours each, Red and Green against Yellow and Blue. The order"
            " of turns stays the same, and the sum of both colours decides."
        ),
        position="5/9/12/9,R2,2/R3,Y3,3,G2,3,B3,2 Y 445 455 545 455 - - - - ---",
        options={"seats": "2"},
    ),
    GuidePage(
        Text.of("Writing moves"),
        Text.of(
            "Write the size, 1, 2 or 3 (or S, M, L), then the space: 3a1 places a Large on a1,"
            " 2xg1 pins the Small on g1 with a Medium. 1! puts a Small into the pit. If you move"
            " again, that is a separate move."
        ),
    ),
)

_ADVICE = Text.of(
    "The high ranks decide games: the most tops in rank 5, with a Large among them, earn"
    " fifteen points. The first pyramid in a rank of the 5 × 5 sets its size, so choose one"
    " that you still have plenty of. Look out for the last space of a file or a rank, which"
    " gives another move, and don't leave it to the next player. Pinning an opponent's"
    " pyramid takes its points away from them; pinning your own never gains any. Keep"
    " different sizes in hand, or you may have to feed the pit."
)

INFO = GameInfo(
    key="pythagoras",
    name="Pythagoras",
    summary=Text.of("Pyramids in four colours fill three grids, and each grid has its own law."),
    designer="Kerin Schiesser",
    year="2001",
    links=("https://looneypyramids.wiki/wiki/Pythagoras",),
    rules_version=1,
    options=(
        ChoiceOption(
            "seats",
            Text.of("Players"),
            (
                Choice("4", Text.of("four, one colour each")),
                Choice("2", Text.of("two, two colours each")),
            ),
        ),
    ),
    presets=(
        Preset(
            "four",
            Text.of("Four players"),
            Text.of("The designer's game: every player for themselves."),
            {"seats": "4"},
        ),
        Preset(
            "two",
            Text.of("Two players"),
            Text.of("Red and Green against Yellow and Blue; the sum of both colours decides."),
            {"seats": "2"},
        ),
    ),
    refusals={
        "move_form": Text.of(
            "That isn't a Pythagoras move. Write the size and the space, with an x between them to"
            " pin, or the size and ! for the pit: {hint}."
        ),
        "one_at_a_time": Text.of(
            "Write one move at a time. If you move again, Parlour will ask for the next one."
        ),
        "no_such_space": Text.of("There's no space {cell}."),
        "game_over": Text.of("The game is over."),
        "not_in_hand": Text.of("You have no pyramids of size {size} left."),
        "occupied": Text.of("There's already a pyramid on {cell}."),
        "write_pin": Text.of("There's already a pyramid on {cell}. To pin it, write {move}."),
        "column_not_ready": Text.of(
            "{cell} isn't the lowest empty space of its file. {lowest} comes first."
        ),
        "nothing_to_pin": Text.of("There's nothing to pin on {cell}."),
        "not_one_size_smaller": Text.of(
            "You can pin only a pyramid exactly one size smaller. Yours has size {size}, the one"
            " on {cell} has size {top}."
        ),
        "adjacent_alike": Text.of(
            "There's a pyramid of the same colour and size next to it, on {cell}."
        ),
        "other_size_in_rank": Text.of(
            "In the 5 × 5 grid, all pyramids in a rank have the same size. The one on {cell} has"
            " another."
        ),
        "same_size_above_or_below": Text.of(
            "In the 5 × 5 grid, neighbours in a file must differ in size. The one on {cell} has"
            " the same."
        ),
        "same_colour_above_or_below": Text.of(
            "In the 5 × 5 grid, neighbours in a file must differ in colour. The one on {cell} has"
            " the same."
        ),
        "same_colour_in_rank": Text.of(
            "In the 4 × 4 grid, no colour may appear twice in a rank. Yours is already on {cell}."
        ),
        "same_colour_in_column": Text.of(
            "In the 4 × 4 grid, no colour may appear twice in a file. Yours is already on {cell}."
        ),
        "same_size_in_rank": Text.of(
            "In the 3 × 3 grid, no size may appear twice in a rank. The pyramid on {cell} has the"
            " same."
        ),
        "same_size_in_column": Text.of(
            "In the 3 × 3 grid, no size may appear twice in a file. The pyramid on {cell} has the"
            " same."
        ),
        "must_move_before_pit": Text.of(
            "You still have a move on the board. The pit is only for players who have none."
        ),
        "position_form": Text.of("That isn't a Pythagoras position."),
        "position_stack": Text.of(
            "{stack} isn't a stack of pyramids, each one size larger than the one beneath."
        ),
        "position_rank": Text.of(
            "Rank {rank} of the position has the wrong number of spaces. It should have {size}."
        ),
        "position_hand": Text.of(
            "The hand {hand} doesn't fit. Each colour has {each} pyramids of each size."
        ),
        "position_hole": Text.of("There's an empty space below a pyramid."),
        "position_bonus": Text.of(
            "The bonus of the {grid} × {grid} grid must have an owner exactly when the grid is"
            " full."
        ),
        "position_turn": Text.of("The colour to move has nothing in hand."),
    },
    reasons={"end": Text.of("No player can place or pin any more pyramids.")},
    allows_draw_offer=False,
    move_hint="3a1, 2xg1, 1!",
    guide=_GUIDE,
    advice=_ADVICE,
    facts=GameFacts(players=(2, 4), minutes=(30, 60), depth=4),
    samples=SAMPLES,
    pieces={"3": Text.of("Large"), "2": Text.of("Medium"), "1": Text.of("Small")},
    example=Text.of("3a1 places a Large on a1. 2xg1 pins the pyramid on g1 with a Medium."),
)
