"""Refusals for people to read, as codes.

A :class:`UserError` says that a request cannot be done, and that nothing has changed. It carries a
code and parameters; the sentence of each code is in :data:`bot.i18n.refusals.REFUSALS`, and nowhere
else. Refusals by the rules of a game arrive as :class:`games.errors.GameError`, also a code and
parameters. Any other exception is a bug: it gets an id and a traceback in the log, and it leaves
the match as it was.
"""

from __future__ import annotations

from games.view import Text


class UserError(Exception):
    """A request cannot be done, and nothing has changed.

    ``code`` names its sentence, ``params`` are for its placeholders; lists among them are joined in
    the reader's language.
    """

    def __init__(self, code: str, **params: str | int | tuple[str | Text, ...]) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        words = " ".join(f"{key}={value}" for key, value in self.params.items())
        return f"{self.code} {words}".rstrip()
