"""What a replay shows: every position with the move that led to it, and at the end the result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.domain.match import Match
from bot.domain.playthrough import Playthrough
from bot.i18n import Language
from bot.ui.pages import match_text
from games.view import BoardView, Text

_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class FilmViews:
    """The positions in order, below each the number of its move, the move and who played it.

    ``names`` are those of the players by player index. If the match is over, ``outcome`` says how,
    and the last position comes once more with it and the number of moves: the end card. A view is
    made when it is asked for: of a long match, a film shows only some.
    """

    line: Playthrough
    names: Sequence[str]
    outcome: str
    language: Language

    def __len__(self) -> int:
        return self.line.plies + 1 + bool(self.outcome)

    def __getitem__(self, number: int) -> BoardView:
        line = self.line
        if number <= line.plies:
            return _with(line.view(number), _told(line, number, self.names, self.language))
        moves = Text.plural("{count} move", "{count} moves", by="count", count=line.plies)
        return _with(line.view(line.plies), Text("{said}", (("said", self.outcome),)), moves)


def _with(view: BoardView, *captions: Text) -> BoardView:
    return replace(view, captions=captions, longest=())


def _told(line: Playthrough, ply: int, names: Sequence[str], language: Language) -> Text:
    if ply == 0:
        return Text.plural(
            "Start of the match ({count} move)",
            "Start of the match ({count} moves)",
            by="count",
            count=line.plies,
        )
    before, seat = line.at(ply - 1), line.seats[ply - 1]
    player = names[before.game.seating(before.position)[seat]]
    side = language(before.game.seats[seat].name)
    return Text.of(
        "Move {number} of {count}: {move} by {player}",
        number=ply,
        count=line.plies,
        move=line.notations[ply - 1],
        player=f"{side} ({player})",
    )


def plain_outcome(match: Match, said: str, names: Sequence[str], language: Language) -> str:
    """How a match ended, as a picture can say it: names for mentions, no signs of Markdown.

    Empty while it runs.
    """
    if not match.status.is_final:
        return ""
    plain = _ESCAPED.sub(r"\1", " ".join(said.split()))
    for player, name in zip(match.players, names, strict=False):
        if player is not None:
            plain = plain.replace(match_text.mention(player, language), name)
    return plain
