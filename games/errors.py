"""What can go wrong between a text and a legal move.

::

    GameError
    ├── OptionError        an option of a game has a value that it does not take
    ├── NotationError      a position text cannot be read
    └── MoveError          about one move in one position
        ├── MoveSyntaxError    the text is not a move of this game at all
        ├── IllegalMove        a move of this game, but not in this position
        └── AmbiguousMove      several legal moves fit the text

Errors carry a code and parameters, never a sentence for people: the code that talks to people
looks it up in :attr:`games.api.GameInfo.refusals`. ``str(error)`` is for logs and developers.
"""

from __future__ import annotations


class GameError(Exception):
    """Any refusal by a game.

    ``code`` is a stable identifier in snake case, ``params`` fills the placeholders of the
    sentence that belongs to the code.
    """

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        words = " ".join(f"{key}={value}" for key, value in self.params.items())
        return f"{self.code} {words}".rstrip()


class OptionError(GameError):
    """A game was asked for with an option, or a value of one, that it does not have."""


class NotationError(GameError):
    """A text is not a position of this game."""


class MoveError(GameError):
    """A move was refused; ``text`` is what was asked for, as given or in canonical notation."""

    def __init__(self, code: str, *, text: str, **params: str | int) -> None:
        super().__init__(code, **params)
        self.text = text

    def __str__(self) -> str:
        return f"{super().__str__()} in {self.text!r}"


class MoveSyntaxError(MoveError):
    """The text cannot be a move of this game in any position."""


class IllegalMove(MoveError):
    """The rules do not allow the move in this position.

    ``place`` names the cells where the rule bites, in the game's own coordinates, so that they
    can be shown on the board; it may be empty.
    """

    def __init__(
        self, code: str, *, text: str, place: tuple[str, ...] = (), **params: str | int
    ) -> None:
        super().__init__(code, text=text, **params)
        self.place = place


class AmbiguousMove(MoveError):
    """Several legal moves fit the text; ``candidates`` holds them in canonical notation."""

    def __init__(self, code: str, *, text: str, candidates: tuple[str, ...]) -> None:
        super().__init__(code, text=text)
        self.candidates = candidates
