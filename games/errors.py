"""Errors on the way from a text to a legal move.

::

    GameError
    ├── OptionError        an invalid option of a game, or an invalid value
    ├── NotationError      a position text cannot be read
    └── MoveError          about one move in one position
        ├── MoveSyntaxError    the text is not a move of this game at all
        ├── IllegalMove        a move of this game, but not in this position
        └── AmbiguousMove      several legal moves fit the text

Errors carry a code and parameters, never a sentence for people: the user interface looks that up in
:attr:`games.api.GameInfo.refusals`. ``str(error)`` is for logs and developers.
"""

from __future__ import annotations


class GameError(Exception):
    """Any refusal by a game.

    ``code`` is a stable identifier in snake case, ``params`` are for the placeholders of its
    sentence.
    """

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        words = " ".join(f"{key}={value}" for key, value in self.params.items())
        return f"{self.code} {words}".rstrip()


class OptionError(GameError):
    """An option, or a value of one, that a game does not have."""


class NotationError(GameError):
    """A text is not a position of this game."""


class MoveError(GameError):
    """A move was refused; ``text`` is that move, as given or in canonical notation."""

    def __init__(self, code: str, *, text: str, **params: str | int) -> None:
        super().__init__(code, **params)
        self.text = text

    def __str__(self) -> str:
        return f"{super().__str__()} in {self.text!r}"


class MoveSyntaxError(MoveError):
    """The text cannot be a move of this game in any position."""


class IllegalMove(MoveError):
    """The rules do not allow the move in this position.

    ``place`` names the cells that the rule concerns, in the game's own coordinates, for marks on
    the board; it may be empty.
    """

    def __init__(
        self, code: str, *, text: str, place: tuple[str, ...] = (), **params: str | int
    ) -> None:
        super().__init__(code, text=text, **params)
        self.place = place


class AmbiguousMove(MoveError):
    """Several legal moves fit the text; ``candidates`` has them in canonical notation."""

    def __init__(self, code: str, *, text: str, candidates: tuple[str, ...]) -> None:
        super().__init__(code, text=text)
        self.candidates = candidates
