"""What is said of a recorded game that was not played here."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.records import Conclusion, Judged, Person, Record, write_text
from bot.i18n import Language
from bot.ui.history.history_page import Recorded
from bot.ui.pages.components import File
from bot.ui.pages.display_names import clean, escape

_MATCH_ID = frozenset("abcdefghijklmnopqrstuvwxyz234567")


def recorded_of(judged: Judged, title: str, language: Language) -> Recorded:
    """A record as a page tells it, with a tidy copy of its file."""
    record = _tidy(judged.record)
    names = tuple(person.name for person in record.players)
    file = File("record.txt", write_text(record).encode())
    return Recorded(title, names, _outcome(replace(judged, record=record), language), file)


def _tidy(record: Record) -> Record:
    """The record with everything that its writer chose freely made fit to be shown."""
    is_id = 0 < len(record.match) <= 40 and set(record.match) <= _MATCH_ID
    return replace(
        record,
        players=tuple(Person(clean(person.name)) for person in record.players),
        site=clean(record.site),
        match=record.match if is_id else "",
    )


def _outcome(judged: Judged, language: Language) -> str:
    """How the recorded game ended, players by their names."""
    record = judged.record
    names = [escape(person.name) for person in record.players]
    if record.conclusion is Conclusion.ABORTED:
        return language.say("This match was aborted. It has no result.")
    if record.conclusion is Conclusion.UNFINISHED:
        return language.say("The game is not over.")
    winners = ", ".join(names[player] for player in record.winners)
    if not record.winners:
        said = language.say("Draw.")
    elif len(record.winners) == 1:
        said = language.say("{player} wins!", player=winners)
    else:
        said = language.say("{players} share the win!", players=winners)
    if record.conclusion is Conclusion.AGREEMENT:
        return said + " " + language.say("The players agreed to a draw.")
    if record.conclusion is Conclusion.RESIGNATION:
        gone = ", ".join(names[each.player] for each in record.resignations)
        return said + " " + language.say("{player} resigned.", player=gone)
    reason = language(judged.game.info.reasons[record.reason])
    points = ""
    if any(score not in (0, 0.5, 1) for score in record.scores):
        scores = zip(names, record.scores, strict=True)
        points = " · ".join(f"{name} {score:g}" for name, score in scores)
    return f"{said} {reason} {points}".rstrip()
