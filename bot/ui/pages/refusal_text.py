"""Codes of refusals into sentences.

Sentences for codes of a game are in its :attr:`games.api.GameInfo.refusals`, all others in
:mod:`bot.i18n.refusals`. A placeholder that an error does not fill becomes empty.
"""

from __future__ import annotations

from bot.errors import UserError
from bot.i18n.refusals import REFUSALS
from bot.ui.pages.display_names import escape
from games import catalog
from games.errors import AmbiguousMove, GameError
from games.view import Text

TYPED = ("text", "value")
"""The parameters with what a person typed, which are escaped."""
_LONGEST = 40


def refusal(error: UserError | GameError, game: str | None = None) -> Text:
    """The sentence for a refusal; ``game`` is the key of the game concerned, if any.

    None of what a person typed can format it. A code without a sentence is a bug in the code that
    raises it, and raises :exc:`KeyError`.
    """
    if isinstance(error, AmbiguousMove):
        candidates = ", ".join(error.candidates[:10])
        return REFUSALS["ambiguous"].filled({"text": _typed(error.text), "candidates": candidates})
    sentence = None
    if isinstance(error, GameError) and game in catalog.GAMES:
        sentence = catalog.GAMES[game].info.refusals.get(error.code)
    if sentence is None:
        sentence = REFUSALS[error.code]
    typed = {name: _typed(str(error.params[name])) for name in TYPED if name in error.params}
    return sentence.filled({**error.params, **typed})


def _typed(text: str) -> str:
    return escape(text, longest=_LONGEST)
