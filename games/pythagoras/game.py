"""The rules of Pythagoras. Numbers such as P12 are the rulings of its rules page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random

from games.api import Game, OptionValue, Outcome, Refusal, Seat, SeatInfo
from games.errors import MoveSyntaxError
from games.notation import plain
from games.pythagoras.board import SPACES, Space, space
from games.pythagoras.guide import INFO
from games.pythagoras.position import (
    COLOURS,
    LETTERS,
    SIZES,
    Move,
    Pin,
    Pit,
    Place,
    Position,
    read_position,
)
from games.pythagoras.rules import generate, is_over, refuse
from games.pythagoras.scoring import scores
from games.pythagoras.view import COLOUR_NAMES, SIZE_WORDS, draw, piece
from games.view import BoardView, Marks, Text, TrayMark

_MOVE = re.compile(r"([1-3sml]) ?(x|×)? ?([a-l][1-9])")
_PIT = re.compile(r"([1-3sml]) ?!")
_SIZE_OF = {"1": 1, "2": 2, "3": 3, "s": 1, "m": 2, "l": 3}
_SPACES = frozenset(place.name for place in SPACES)
_FOUR = tuple(SeatInfo(name, (colour,)) for colour, name in enumerate(COLOUR_NAMES))
_TWO = (
    SeatInfo(Text.of("Red and Green"), (0, 2)),
    SeatInfo(Text.of("Yellow and Blue"), (1, 3)),
)


class Pythagoras(Game[Position, Move]):
    """Four colours place, pin and go to the Pit; the best sum of points wins.

    A move is one pyramid. A player who finishes a column or rank moves again (P18), so the same
    seat may be on turn several times in a row; each of these is a separate move.
    """

    info = INFO

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self._seats = _TWO if self.options["seats"] == "2" else _FOUR

    @property
    def seats(self) -> tuple[SeatInfo, ...]:
        """Red, Yellow, Green, Blue; or Red and Green, Yellow and Blue (P2)."""
        return self._seats

    @property
    def moves_in_turn(self) -> bool:
        """Not always: there are extra moves (P15, P16), and colours without pieces (P19)."""
        return False

    def initial(self, rng: Random) -> Position:  # noqa: ARG002
        """Empty grids, full hands, Red to move (P3)."""
        return Position()

    def to_move(self, position: Position) -> Seat | None:
        """The seat of the colour on turn, None after the end."""
        return None if is_over(position) else Seat(position.mover % len(self._seats))

    def turn(self, position: Position) -> str:
        """``R``, ``Y``, ``G``, ``B`` or ``-``."""
        return "-" if is_over(position) else LETTERS[position.mover]

    def legal_moves(self, position: Position) -> list[Move]:
        """Places and pins; if there are none but the game goes on, one move to the Pit a size."""
        moves: list[Move] = list(generate(position, position.mover))
        if moves or is_over(position):
            return moves
        return [Pit(size) for size in SIZES if position.in_hand(position.mover, size)]

    def why_illegal(self, position: Position, move: Move) -> Refusal | None:
        """P14 for the Pit, P9 to P12 for a pin, the two basic rules and P4 to P7 for places."""
        return Refusal("game_over") if is_over(position) else refuse(position, move)

    def _apply(self, position: Position, move: Move) -> Position:
        colour = position.mover
        index = 3 * colour + move.size - 1
        if isinstance(move, Pit):
            return _pass_on(replace(position, pits=_more(position.pits, index, 1)), again=False)
        place = space(move.space)
        after = replace(position, pyramids=_more(position.pyramids, index, place.bit))
        if isinstance(move, Pin):
            return _pass_on(after, again=False)  # P17: a pinned space was filled before
        if _is_full(after, (other for other in SPACES if other.grid == place.grid)):
            bonuses = list(after.bonuses)
            bonuses[place.grid] = colour  # P20
            after = replace(after, bonuses=tuple(bonuses))
        return _pass_on(after, again=_finishes(after, place))

    def outcome(self, position: Position) -> Outcome | None:
        """The points of each seat once no colour can move (P21); equal best scores share (P27)."""
        if not is_over(position):
            return None
        totals = [score.total for score in scores(position)]
        points = tuple(float(sum(totals[c] for c in seat.colours)) for seat in self._seats)
        best = max(points)
        winners = tuple(Seat(seat) for seat, sum_ in enumerate(points) if sum_ == best)
        return Outcome(points, "end", winners)

    def notation(self, position: Position, move: Move) -> str:  # noqa: ARG002
        """Pips and space, ``3a1``; ``2xg1`` for a pin; ``1!`` for the Pit."""
        match move:
            case Place(size, where):
                return f"{size}{where}"
            case Pin(size, where):
                return f"{size}x{where}"
        return f"{move.size}!"

    def parse(self, position: Position, text: str) -> Move:
        """One move; sizes as pips or as letters S, M, L, capitals or not.

        A turn of several moves is played move by move; one text with commas is refused. No text
        fits two moves, so there is never any ambiguity.
        """
        return self.checked(position, self._read_move(text))

    def _read_move(self, text: str) -> Move:
        wanted = plain(text)
        if "," in wanted:
            raise MoveSyntaxError("one_at_a_time", text=text[:40])
        if pit := _PIT.fullmatch(wanted):
            return Pit(_SIZE_OF[pit[1]])
        form = _MOVE.fullmatch(wanted)
        if form is None:
            raise MoveSyntaxError("move_form", text=text[:40], hint=self.info.move_hint)
        size, pin, where = form.groups()
        if where not in _SPACES:
            raise MoveSyntaxError("no_such_space", text=text[:40], cell=where)
        return Pin(_SIZE_OF[size], where) if pin else Place(_SIZE_OF[size], where)

    def steps(self, position: Position, move: Move) -> tuple[str, ...]:  # noqa: ARG002
        """The size ``3``; then ``a1`` to place there, ``xa1`` to pin, or ``!`` for the Pit."""
        match move:
            case Place(size, where):
                return str(size), where
            case Pin(size, where):
                return str(size), f"x{where}"
        return str(move.size), "!"

    def step_text(self, position: Position, prefix: tuple[str, ...], key: str) -> Text:
        """The words of a pick."""
        if not prefix:
            left = position.in_hand(position.mover, int(key))
            return SIZE_WORDS[int(key)].filled({"left": left})
        if key == "!":
            return Text.of("Put it into the pit")
        if key.startswith("x"):
            return Text.of("Pin the pyramid on {cell}", cell=key[1:])
        return Text.of("Place it on {cell}", cell=key)

    def step_cell(self, position: Position, prefix: tuple[str, ...], key: str) -> str | None:  # noqa: ARG002
        """The space of the second pick, unless it is the Pit."""
        return key.removeprefix("x") if prefix and key != "!" else None

    def move_for_absent(self, position: Position) -> Move | None:
        """The move for an absent player of four: the least that the rules allow, never a choice.

        The Pit with the smallest pyramid, where the Pit is allowed. Else a move has to be made
        (P14), and of these come first pins on the player's own pyramids, which take nothing from
        the others; then places; then pins on others. Of each kind the smallest pyramid goes first,
        then the lowest rank, then the leftmost file. With two people the other one has won, so
        there is none.
        """
        moves = self.legal_moves(position)
        if len(self._seats) < 4 or not moves:
            return None
        own = position.tops_of_colour(position.mover)

        def intrusion(move: Move) -> int:
            if isinstance(move, Pin):
                return 0 if space(move.space).bit & own else 2
            return 1

        return min(moves, key=intrusion)  # the first of the list among equals

    def encode(self, position: Position) -> str:
        """The position text, which is complete."""
        return position.text()

    def position_text(self, position: Position) -> str:
        """Ranks from the top, colour on turn, hands, Pits, owners of the grids' bonuses."""
        return position.text()

    def decode(self, text: str) -> Position:
        """The position of the text; :exc:`NotationError` for one that no game can reach."""
        return read_position(text)

    def view(self, position: Position, seat: Seat | None) -> BoardView:  # noqa: ARG002
        """The three grids, and all hands and Pits: nothing is hidden (P28)."""
        must_pit = any(isinstance(move, Pit) for move in self.legal_moves(position))
        return draw(position, self._seats, self.outcome(position), must_pit=must_pit)

    def marks(self, position: Position, move: Move) -> Marks:
        """The space that was placed on or pinned, or the pyramid in the Pit."""
        if isinstance(move, Pit):
            return Marks(trays=(TrayMark("pit", piece(position.mover, move.size)),))
        return Marks(last=(move.space,))

    def earlier_marks(self, position: Position, notations: Sequence[str]) -> Marks:
        """The spaces of the moves before the last, back to the last move of the player on turn.

        Every space has a size at most once, so the size shows the move's colour. Moves to the Pit
        are passed over.
        """
        own = self._seats[position.mover % len(self._seats)].colours
        found: list[str] = []
        for number, notation in enumerate(reversed(notations)):
            form = _MOVE.fullmatch(notation)
            if form is None:
                continue
            size, _, where = form.groups()
            stack = position.stack(space(where))
            if any(each.size == _SIZE_OF[size] and each.colour in own for each in stack):
                break
            if number:
                found.append(where)
        return Marks(earlier=tuple(dict.fromkeys(reversed(found))))


def _more(counts: tuple[int, ...], index: int, by: int) -> tuple[int, ...]:
    """The tuple with one entry increased."""
    return (*counts[:index], counts[index] + by, *counts[index + 1 :])


def _is_full(position: Position, places: Iterable[Space]) -> bool:
    return not sum(place.bit for place in places) & ~position.occupied


def _finishes(position: Position, place: Space) -> bool:
    """Whether the space was the last of its column, or of its rank across all grids (P15, P16).

    Both at once are worth one extra move (P18).
    """
    column = (other for other in SPACES if other.file == place.file)
    rank = (other for other in SPACES if other.rank == place.rank)
    return _is_full(position, column) or _is_full(position, rank)


def _pass_on(position: Position, *, again: bool) -> Position:
    """The same with the next colour on turn.

    The mover moves again for what it finished, unless its hand is empty (P19). Colours without
    pieces are skipped; if no hand holds any, the mover stays on turn.
    """
    mover = position.mover
    if again and position.has_pieces(mover):
        return replace(position, owes=True)
    for step in COLOURS:
        following = (mover + 1 + step) % len(COLOURS)
        if position.has_pieces(following):
            return replace(position, mover=following, owes=False)
    return replace(position, owes=False)
