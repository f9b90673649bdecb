"""A position of Ziggurat, and its text.

::

    q,d,w,w,d,q/6/6/6/6/Q,D,W,W,D,Q S QDW|qdw -|-       ranks from the top, side, reserve, exited
    5,QdW/... N -|- DW|qw past 3,QdW,2/... 5,QdW/...    the earlier boards that may recur

The first four words are the position text. The rest is the part of the past that can still matter
for a repetition. Sides alternate, so a board of the past needs no side; reserves and exits have
been the same ever since.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from games.errors import NotationError
from games.past import Past
from games.pyramids import Board as Piles
from games.pyramids import read_board, write_board
from games.two_sides import Ending
from games.ziggurat.board import FILES, INDEX, KINDS, LETTERS, PILES, owner

_LONGEST = 1_000_000
SIDES = "SN"
_NO_PAST: Past[Piles] = Past()
_FORM = re.compile(
    r"(?P<board>[^ ]+) (?P<side>[SN])"
    r" (?P<reserve>-|Q?D?W?)\|(?P<north_reserve>-|q?d?w?)"
    r" (?P<exited>-|Q?D?W?)\|(?P<north_exited>-|q?d?w?)"
    r"(?: past (?P<past>[^ ].*))?"
)


@dataclass(frozen=True, slots=True)
class Position:
    """Piles, side to move, reserves and exits, and the part of the past that the rules need.

    ``reserves`` and ``exited`` have the kinds of South and of North in the order Q D W. ``past``
    holds the earlier boards, oldest first, one a turn, since the last turn that cannot be undone by
    any play: see :meth:`with_turn`. ``passes`` counts the passes in a row just before. ``ending``
    follows from all that.
    """

    piles: Piles
    mover: int
    reserves: tuple[str, str]
    exited: tuple[str, str]
    passes: int = 0
    past: Past[Piles] = _NO_PAST
    ending: Ending | None = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ending", _ending(self))

    def pile(self, cell: str) -> str:
        """The pile on the square of that name."""
        return self.piles[INDEX[cell]]

    def with_turn(
        self,
        piles: Piles,
        *,
        reserves: tuple[str, str] | None = None,
        exited: tuple[str, str] | None = None,
        is_pass: bool = False,
        is_reversible: bool = False,
    ) -> Position:
        """The position after a turn with these piles, reserves and exits.

        Only passes and moves of Towers and Keeps to empty squares are *reversible*. After any other
        turn no earlier position can recur, so the past is dropped: reserves only shrink and exits
        only grow; with both unchanged, piles only become fewer, by captures; and with these
        unchanged, Zigs only go forward.
        """
        return Position(
            piles,
            1 - self.mover,
            reserves or self.reserves,
            exited or self.exited,
            passes=self.passes + 1 if is_pass else 0,
            past=self.past.followed_by(self.piles) if is_reversible else _NO_PAST,
        )

    def text(self) -> str:
        """The position text."""
        words = [write_board(self.piles), SIDES[self.mover]]
        for south, north in (self.reserves, self.exited):
            words.append(f"{south or '-'}|{north.lower() or '-'}")
        return " ".join(words)

    def whole_text(self) -> str:
        """The position text and the part of the past that the rules need."""
        past = ["past", *map(write_board, self.past)] if self.past else []
        return " ".join([self.text(), *past])


def has_lost_control(position: Position, seat: int) -> bool:
    """Whether all pieces of some kind that ``seat`` still needs lie in piles of the opponent (Z20).

    Pieces in a pile of one's own count as controlled (Z21).
    """
    for kind, letter in zip(KINDS, LETTERS[seat], strict=True):
        if kind in position.exited[seat] or kind in position.reserves[seat]:
            continue
        holders = {owner(pile) for pile in position.piles if letter in pile}
        if holders == {1 - seat}:
            return True
    return False


def _ending(position: Position) -> Ending | None:
    """The end of the game, None while it runs: the checks in the order of Z22, then draws."""
    opponent = position.mover
    mover = 1 - opponent  # the side that has just moved
    for seat in (mover, opponent):
        if position.exited[seat] == KINDS:
            return Ending("exit", seat)
    for seat in (opponent, mover):
        if has_lost_control(position, seat):
            return Ending("control", 1 - seat)
    if position.passes == 2:
        return Ending("passes")  # Z19
    # The same side was to move two turns ago, four turns ago, and so on (Z23).
    if position.past.recurrences(position.piles) == 2:
        return Ending("repetition")
    return None


def read_position(text: str) -> Position:
    """The position of a text, bare or whole. Raises :exc:`NotationError`."""
    form = _FORM.fullmatch(" ".join(text.split())) if len(text) <= _LONGEST else None
    if form is None:
        raise NotationError("position_form")
    piles = _read_piles(form["board"])
    past = tuple(_read_piles(word) for word in (form["past"] or "").split())
    reserves = _read_kinds(form["reserve"], form["north_reserve"])
    exited = _read_kinds(form["exited"], form["north_exited"])
    for seat, letters in enumerate(LETTERS):
        for kind, letter in zip(KINDS, letters, strict=True):
            count = sum(letter in pile for pile in piles)
            if count + (kind in reserves[seat]) + (kind in exited[seat]) > 3:
                raise NotationError("position_pieces", kind=kind)
    return Position(
        piles,
        SIDES.index(form["side"]),
        reserves,
        exited,
        passes=_passes(piles, past),
        past=Past(past),
    )


def _read_piles(text: str) -> Piles:
    return read_board(text, (FILES,), PILES)


def _read_kinds(south: str, north: str) -> tuple[str, str]:
    if not south or not north:
        raise NotationError("position_form")
    return south.strip("-"), north.strip("-").upper()


def _passes(piles: Piles, past: tuple[Piles, ...]) -> int:
    """The passes in a row that lead here: only a pass leaves the board as it is."""
    return 0 if past[-1:] != (piles,) else 1 if past[-2:-1] != (piles,) else 2
