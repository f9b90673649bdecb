"""What a person is told of what they have done."""

from __future__ import annotations

from bot.domain.events import EventKind
from bot.services.matches import Answer
from bot.ui import words
from bot.ui.answers import Reply
from bot.ui.desk import Desk, Visit
from games.view import Text

__all__ = ["tell_done"]

_DONE: dict[str, Text] = {
    EventKind.OFFERED.value: Text.of("Your offer is made. You will see here when it is answered."),
    EventKind.JOINED.value: Text.of("You have a seat. The match starts when all are taken."),
    EventKind.STARTED.value: Text.of("The match has started. Its board is on the way."),
    EventKind.LEFT.value: Text.of("You have given up your seat."),
    EventKind.DECLINED.value: Text.of("You have declined."),
    EventKind.WITHDRAWN.value: Text.of("Your offer is withdrawn."),
    EventKind.MOVED.value: Text.of("You have played {move}."),
    EventKind.RESIGNED.value: Text.of("You have resigned."),
    EventKind.ABORTED.value: Text.of("The match is aborted."),
    EventKind.DRAW_OFFERED.value: Text.of("You have offered a draw."),
    EventKind.DRAW_ACCEPTED.value: Text.of("You have agreed to a draw."),
    EventKind.DRAW_DECLINED.value: Text.of("You have declined the draw."),
}


def tell_done(desk: Desk, visit: Visit, answer: Answer) -> Reply:
    """Say what has been done, and how the match has ended if it has; note the match as it is."""
    if answer.code == EventKind.STARTED.value:
        desk.heads.forget()
    desk.heads.saw(answer.match)
    sentence = _DONE[answer.code]
    said = visit.language(Text(sentence.message, tuple(sorted(answer.params.items()))))
    if answer.match.result is not None:
        said = f"{said} {words.outcome(answer.match, visit.language)}"
    return Reply(said)
