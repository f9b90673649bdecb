"""The log of a tournament, which every player may read: who did what, when, and why."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.ids import UserId
from bot.domain.tournaments import facts as f
from bot.domain.tournaments.facts import Fact, Leaving
from bot.domain.tournaments.tournament import Tournament
from bot.i18n import Language
from bot.services.tournaments.views import AuditLine, EventView
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Page, Reply, rows, text
from bot.ui.pages.display_names import escape
from bot.ui.pages.match_text import cut
from bot.ui.tournaments.page_parts import cut_to_page, page_note, paging, title_of
from bot.ui.tournaments.words import Who, players_of, points, round_name
from games.view import Text

_ON_PAGE = 12
_PAIRS = 3
"""Pairs of an arena that are named before the rest are counted."""
_REASON = 300
_LEAVING = {
    Leaving.ASKED: Text.of("{player} withdrew."),
    Leaving.TIME: Text.of("{player} is out after losing on time too often."),
    Leaving.LEFT_SERVER: Text.of("{player} left the server and is out."),
    Leaving.ERASED: Text.of("{player} had their data erased and is out."),
}


def log_page(
    view: EventView, log: Sequence[AuditLine], page: int, language: Language, who: Who
) -> Reply:
    """A page of the log, newest first."""
    title = language.say("Log")
    shown = [each for each in log if not isinstance(each.fact, f.Begun)]
    here, page, pages = cut_to_page(shown, page, _ON_PAGE)
    lines = [
        title_of(view, title),
        *(log_line(view.tournament, each, language, who) for each in here),
        *page_note(page, pages, language),
    ]
    buttons = paging("tlog", view, page, pages, language)
    return Reply(title, Page(text(cut("\n".join(lines), 3900)), *rows(buttons)))


def log_line(t: Tournament, line: AuditLine, language: Language, who: Who) -> str:
    """One thing that happened."""
    said = line_words(t, line, language, who)
    if line.by_director and line.user_id is not None:
        director = match_text.mention(line.user_id, language)
        said = language.say("{director}: {act}", director=director, act=said)
    if line.reason and not isinstance(line.fact, f.Scored):
        # A game that an act has decided repeats the reason of the act, which stands above it.
        said += " " + language.say("Reason: {reason}", reason=escape(line.reason, longest=_REASON))
    if line.is_undone:
        said = f"~~{said}~~ " + language.say("(undone)")
    return f"- {timestamp(line.at, 'f')} {said}"


def line_words(t: Tournament, line: AuditLine, language: Language, who: Who) -> str:
    """What happened, and to which players."""

    def name(user: UserId | None, entrant: int) -> str:
        return who(entrant) if user is None else match_text.mention(user, language)

    match line.fact:
        case f.Replaced(entrant) if line.former_id is not None:
            return language.say(
                "{player} replaced {other}.",
                player=name(line.subject_id, entrant),
                other=name(line.former_id, entrant),
            )
        case f.Entered(entrant) if line.by_director:
            return language.say("{player} was added.", player=name(line.subject_id, entrant))
        case f.Withdrawn(entrant, Leaving.ASKED) if line.by_director:
            return language.say("{player} was withdrawn.", player=name(line.subject_id, entrant))
    subject = None if line.subject_id is None else match_text.mention(line.subject_id, language)
    return fact_words(t, line.fact, language, who, subject)


def fact_words(
    t: Tournament, fact: Fact, language: Language, who: Who, subject: str | None = None
) -> str:
    """What happened, in a sentence; ``subject`` names the person it was about."""
    match fact:
        case f.Entered(entrant) | f.Replaced(entrant):
            name = subject or who(entrant)
            if isinstance(fact, f.Entered):
                return language.say("{player} joined.", player=name)
            return language.say("{player} now plays in this place.", player=name)
        case f.Withdrawn(entrant, why):
            return language(_LEAVING[why].filled({"player": subject or who(entrant)}))
        case f.Excluded(entrant):
            return language.say("{player} was excluded.", player=subject or who(entrant))
        case f.Warned(entrant):
            return language.say(
                "{player} was warned: one more loss on time and they're out.",
                player=subject or who(entrant),
            )
        case f.Readmitted(entrant):
            return language.say("{player} is in again.", player=subject or who(entrant))
        case f.ByeGiven(entrant, number):
            return language.say(
                "{player} has a bye in round {round}.", player=who(entrant), round=number
            )
        case f.Appointed():
            return language.say("{player} is a director now.", player=subject or "—")
        case f.Dismissed():
            return language.say("{player} is no longer a director.", player=subject or "—")
        case f.Challenged(challenger, challenged):
            return language.say("{one} challenged {two}.", one=who(challenger), two=who(challenged))
        case f.Declined(challenger, challenged, by_time):
            if by_time:
                return language.say(
                    "{two} didn't answer {one}.", one=who(challenger), two=who(challenged)
                )
            return language.say(
                "{two} declined to play {one}.", one=who(challenger), two=who(challenged)
            )
        case f.Begun(game) | f.Annulled(game):
            if isinstance(fact, f.Begun):
                return language.say("{game} began.", game=_game(t, game, who))
            return language.say("{game}: the result was taken back.", game=_game(t, game, who))
        case f.Scored() | f.Decided() | f.Corrected():
            return _result(t, fact, language, who)
    return _of_rounds(t, fact, language, who)


def _game(t: Tournament, game: str, who: Who) -> str:
    played = t.games.get(game)
    if played is None:
        return game
    return players_of(played.game, who)


def _result(
    t: Tournament, fact: f.Scored | f.Decided | f.Corrected, language: Language, who: Who
) -> str:
    game, result = _game(t, fact.game, who), "–".join(points(each) for each in fact.points)
    if isinstance(fact, f.Decided):
        return language.say("{game} decided: {result}.", game=game, result=result)
    if isinstance(fact, f.Corrected):
        return language.say("{game} corrected to {result}.", game=game, result=result)
    if fact.how in (f.How.NO_SHOW, f.How.DIRECTOR):
        return language.say("{game} forfeited: {result}.", game=game, result=result)
    if fact.how is f.How.UNFINISHED:
        return language.say(
            "{game} was unfinished on its last day: {result}.", game=game, result=result
        )
    return f"{game}: {result}."


def _of_rounds(t: Tournament, fact: Fact, language: Language, who: Who) -> str:
    match fact:
        case f.Created():
            return language.say("The tournament was announced.")
        case f.Closed():
            return language.say("Registration was closed.")
        case f.Reopened(until):
            return language.say(
                "Registration was reopened until {date}.", date=timestamp(until, "f")
            )
        case f.Drawn(_, games) if not t.setup.format.facts.has_rounds:
            pairs = ", ".join(players_of(each, who) for each in games[:_PAIRS])
            if not games:
                return language.say("The tournament began.")
            if len(games) > _PAIRS:
                return language.say(
                    "Paired: {games} and {count} more.", games=pairs, count=len(games) - _PAIRS
                )
            return language.say("Paired: {games}.", games=pairs)
        case f.Drawn(number, games):
            return language.plural(
                "Round {round} was paired: {n} game.",
                "Round {round} was paired: {n} games.",
                n=len(games),
                round=number,
            )
        case f.Undrawn(number):
            return language.say("Round {round} is to be paired again.", round=number)
        case f.Unpaired(names):
            return language.plural(
                "{n} game that followed is to be paired again.",
                "{n} games that followed are to be paired again.",
                n=len(names),
            )
        case f.Extended(number, game, until):
            what = _game(t, game, who) if game else round_name(t.setup, number, language)
            return language.say(
                "{what} has time until {date}.", what=what, date=timestamp(until, "f")
            )
        case f.Paused():
            return language.say("The tournament was paused.")
        case f.Resumed():
            return language.say("The tournament was resumed.")
        case f.Cancelled():
            return language.say("The tournament was cancelled.")
        case f.Revived():
            return language.say("The cancellation was taken back.")
        case f.Moved():
            return language.say("Players who hadn't played for long sank by one rung.")
    return language.say("The tournament ended.")
