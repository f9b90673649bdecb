"""The log of a tournament, which every player may read: who did what, when, and why."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.tournaments import facts as f
from bot.domain.tournaments.acts import LONGEST_REASON
from bot.domain.tournaments.facts import Leaving
from bot.services.tournaments.views import AuditLine
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Reply, cut_to_page, page_note, paging
from bot.ui.pages.display_names import escape
from bot.ui.tournaments.words import EventText, named
from games.view import Text

_ON_PAGE = 12
_PAIRS = 3
"""Pairs of an arena that are named before the rest are counted."""
_LEAVING = {
    Leaving.ASKED: Text.of("{player} withdrew."),
    Leaving.TIME: Text.of("{player} is out after losing on time too often."),
    Leaving.LEFT_SERVER: Text.of("{player} left the server and is out."),
    Leaving.ERASED: Text.of("{player} had their data erased and is out."),
    Leaving.ABSENT: Text.of("{player} didn't check in and is out."),
}

_DECLINED = Text.of("{two} declined to play {one}.")
_UNANSWERED = Text.of("{two} didn't answer {one}.")


def log_page(event: EventText, log: Sequence[AuditLine], page: int) -> Reply:
    """A page of the log, newest first."""
    title = event.say("Log")
    shown = [each for each in log if not isinstance(each.fact, f.Begun)]
    here, page, pages = cut_to_page(shown, page, _ON_PAGE)
    lines = [*(log_line(event, each) for each in here), *page_note(page, pages, event.language)]
    buttons = paging("tlog", event.t.id, page, pages, event.language)
    return event.page(title, lines, buttons=buttons)


def log_line(event: EventText, line: AuditLine) -> str:
    """One thing that happened."""
    said = line_words(event, line)
    if line.by_director and line.user_id is not None:
        director = event.mention(line.user_id)
        said = event.say("{director}: {act}", director=director, act=said)
    if line.reason and not isinstance(line.fact, f.Scored):
        # A game that an act has decided repeats the reason of the act, which stands above it.
        said += " " + event.say(
            "Reason: {reason}", reason=escape(line.reason, longest=LONGEST_REASON)
        )
    if line.is_undone:
        said = f"~~{said}~~ " + event.say("(undone)")
    return f"- {timestamp(line.at, 'f')} {said}"


def line_words(event: EventText, line: AuditLine) -> str:
    """What happened, and to which players."""
    fact, about = line.fact, {"player": "—"} | named(event, line.fact)
    if line.subject_id is not None:
        about["player"] = event.mention(line.subject_id)
    match fact:
        case f.Replaced() if line.former_id is not None:
            about["other"] = event.mention(line.former_id)
            said = Text.of("{player} replaced {other}.")
        case f.Entered() if line.by_director:
            said = Text.of("{player} was added.")
        case f.Withdrawn(why=Leaving.ASKED) if line.by_director:
            said = Text.of("{player} was withdrawn.")
        case f.Withdrawn(why=why):
            said = _LEAVING[why]
        case f.Declined(by_time=by_time):
            said = _UNANSWERED if by_time else _DECLINED
        case f.Scored(how=f.How.NO_SHOW | f.How.DIRECTOR):
            said = Text.of("{game} forfeited: {result}.")
        case f.Scored(how=f.How.UNFINISHED):
            said = Text.of("{game} was unfinished on its last day: {result}.")
        case f.Scored():
            return f"{about['game']}: {about['result']}."
        case f.Drawn(_, games) if not event.setup.format.facts.has_rounds:
            return _paired(event, games)
        case f.Drawn(number, games):
            return event.plural(
                "Round {round} was paired: {n} game.",
                "Round {round} was paired: {n} games.",
                n=len(games),
                round=number,
            )
        case f.Unpaired(names):
            return event.plural(
                "{n} game that followed is to be paired again.",
                "{n} games that followed are to be paired again.",
                n=len(names),
            )
        case _:
            said = fact.said
    return event(said.filled(about))


def _paired(event: EventText, games: Sequence[f.Fixture]) -> str:
    pairs = ", ".join(event.players(each) for each in games[:_PAIRS])
    if not games:
        return event.say("The tournament began.")
    if len(games) > _PAIRS:
        return event.say(
            "Paired: {games} and {count} more.", games=pairs, count=len(games) - _PAIRS
        )
    return event.say("Paired: {games}.", games=pairs)
