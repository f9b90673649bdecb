"""The home message of a tournament: what, when, who is in; then the table and running games."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.tournaments.facts import How
from bot.domain.tournaments.setup import FormatKey
from bot.domain.tournaments.tournament import PlayedGame, Tournament, TournamentStatus
from bot.i18n import Language
from bot.services.tournaments.views import EventView
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import (
    PRIMARY,
    SUCCESS,
    Button,
    Container,
    Control,
    Page,
    Part,
    Picture,
    button,
    container,
    gallery,
    rows,
    text,
)
from bot.ui.tournaments import words
from bot.ui.tournaments.challenge_words import open_challenges
from bot.ui.tournaments.page_parts import table_button
from bot.ui.tournaments.words import Who

_COLOURS = {
    TournamentStatus.REGISTRATION: 0x3F8F63,
    TournamentStatus.CLOSED: 0xC98A2B,
    TournamentStatus.RUNNING: 0x3D6FB4,
    TournamentStatus.FINISHED: 0xD4A72C,
    TournamentStatus.CANCELLED: 0x8A8F98,
}
_NAMED = 24
"""How many entrants are named before the rest are counted."""
_PLAYING = 8
"""How many games in progress are named."""
MEDALS = ("🥇", "🥈", "🥉")


def home_page(
    view: EventView, language: Language, who: Who, picture: Picture | None = None
) -> Page:
    """The message as it is now; ``picture`` is its table or bracket once something was drawn."""
    t = view.tournament
    items: list[Part] = [text("\n".join(_heading(view, language)))]
    if picture is not None:
        items.append(gallery(picture))
    said = _body(view, language, who)
    if said:
        items.append(text("\n".join(said)))
    items += rows(_buttons(view, language))
    framed: Container = container(*items, colour=_COLOURS[t.status])
    return Page(framed)


def _heading(view: EventView, language: Language) -> list[str]:
    t = view.tournament
    lines = [f"## {words.event_title(t.setup)}", words.terms(t.setup, language)]
    mark = "" if t.paused_at is None or t.status.is_final else "⏸️ "
    lines.append(f"{mark}**{state_line(view, language)}**")
    return lines


def state_line(view: EventView, language: Language) -> str:
    """Where the event stands, in one line."""
    t = view.tournament
    if t.paused_at is not None and not t.status.is_final:
        return language.say("Paused. Nothing is paired or decided until a director resumes.")
    match t.status:
        case TournamentStatus.REGISTRATION if t.setup.late_entry:
            begins = f"{timestamp(t.begins, 'f')} ({timestamp(t.begins)})"
            return language.say("Play begins {begins}. Players can join later too.", begins=begins)
        case TournamentStatus.REGISTRATION:
            return language.say(
                "Join until {date} ({left}).",
                date=timestamp(t.closes, "f"),
                left=timestamp(t.closes),
            )
        case TournamentStatus.CLOSED:
            return language.say(
                "Registration is closed. Play begins {date}.", date=timestamp(t.begins, "f")
            )
        case TournamentStatus.CANCELLED:
            return language.say("This tournament was cancelled. It has no result.")
        case TournamentStatus.FINISHED:
            return language.say("This tournament is over.")
    return _running_line(view, language)


def _running_line(view: EventView, language: Language) -> str:
    t = view.tournament
    if t.setup.format is FormatKey.ARENA:
        return language.say(
            "Running until {end} ({left}).", end=timestamp(t.finish, "t"), left=timestamp(t.finish)
        )
    last = timestamp(t.finish, words.last_day_style(t.begins, t.finish))
    if t.setup.format is FormatKey.LADDER:
        return language.say("Running until {date}.", date=last)
    if not t.rounds:
        return language.say("The first round is being paired.")
    if t.setup.format is FormatKey.ROUND_ROBIN:
        over = sum(each.is_over for each in t.games.values())
        return language.plural(
            "{over} of {n} game over. The last day is {date}.",
            "{over} of {n} games over. The last day is {date}.",
            n=len(t.games),
            over=over,
            date=last,
        )
    number = len(t.rounds)
    if words.has_final(t.setup, number):
        return language.say("Final table, until {date}.", date=timestamp(t.rounds[-1].until, "f"))
    return language.say(
        "Round {round} of {rounds}, until {date}.",
        round=number,
        rounds=max(number, words.rounds_of(view)),
        date=timestamp(t.rounds[-1].until, "f") if t.rounds else timestamp(t.finish, "f"),
    )


def _body(view: EventView, language: Language, who: Who) -> list[str]:
    t = view.tournament
    match t.status:
        case TournamentStatus.REGISTRATION | TournamentStatus.CLOSED:
            return _before(t, language, who)
        case TournamentStatus.RUNNING:
            return [
                *still_playing(view, language, who),
                *open_challenges(t.challenges[:_PLAYING], language, who),
                *_climbs(t, language, who),
            ]
        case TournamentStatus.FINISHED:
            return podium(view, language, who)
    return []


def _before(t: Tournament, language: Language, who: Who) -> list[str]:
    setup = t.setup
    lines = ["> " + " ".join(words.promise(setup, language))]
    is_said = setup.late_entry or t.begins == t.closes
    if t.status is TournamentStatus.REGISTRATION and not is_said:
        lines.append(language.say("Play begins {date}.", date=timestamp(t.begins, "f")))
    lines += words.entry_lines(setup, language)
    count = len(t.active)
    joined = language.plural(
        "**{n} of {most}** player has joined",
        "**{n} of {most}** players have joined",
        by="most",
        n=count,
        most=setup.most,
    )
    named = words.listed([who(each.number) for each in t.active], _NAMED, language)
    lines.append(
        language.say("{what}: {value}", what=joined, value=named) if count else f"{joined}."
    )
    if t.unanswered:
        guests = [match_text.mention(each.user_id, language) for each in t.unanswered]
        players = words.listed(guests, _NAMED, language)
        lines.append(language.say("Invited, not in yet: {players}", players=players))
    if count < setup.least:
        lines.append(
            "-# "
            + language.plural(
                "At least {n} player is needed, or the tournament is cancelled.",
                "At least {n} players are needed, or the tournament is cancelled.",
                n=setup.least,
            )
        )
    return lines


def still_playing(
    view: EventView, language: Language, who: Who, *, longest: int = _PLAYING
) -> list[str]:
    """The games that are not over, with links."""
    t = view.tournament
    pending = sorted(
        t.pending, key=lambda each: (not each.has_begun, each.game.round, each.game.board)
    )
    if not pending:
        if t.setup.format is FormatKey.LADDER and t.paused_at is None:
            invites = language.say("Press **Challenge** to play a player above you.")
            return [language.say("No game is running.") + f" {invites}"]
        if not t.setup.format.facts.has_rounds:
            return [language.say("No game is running.")]
        return [language.say("All games of this round are over. The next round is on its way.")]
    pairings = t.pairings(pending)
    if t.setup.both_sides:  # its games are named together, those that are over too
        open_ones = {each[0].game.pairing for each in pairings}
        pairings = tuple(
            each for each in t.pairings(t.games.values()) if each[0].game.pairing in open_ones
        )
    lines = [language.say("Still being played:")]
    lines += [f"- {pairing_line(view, each, language, who)}" for each in pairings[:longest]]
    if any(x.game.id in view.waiting for each in pairings[:longest] for x in each):
        lines.append(f"-# {words.wait_words(view, language)}")
    more = len(pairings) - longest
    if more > 0:
        lines.append(
            language.plural(
                "-# And {n} more: press Pairings.", "-# And {n} more: press Pairings.", n=more
            )
        )
    return lines


def _climbs(t: Tournament, language: Language, who: Who) -> list[str]:
    """Players who climbed to a higher rung of a ladder lately, the newest first."""
    if not t.climbs:
        return []
    return [
        language.say("Latest changes on the ladder:"),
        *(
            "- "
            + language.say(
                "{player} climbed from rung {before} to {after}, {when}.",
                player=who(each.entrant),
                before=each.before,
                after=each.after,
                when=timestamp(each.at),
            )
            for each in t.climbs
        ),
    ]


def pairing_line(view: EventView, games: Sequence[PlayedGame], language: Language, who: Who) -> str:
    """The same of the games of a pairing: who moves first in the first, the sum, and each game."""
    if len(games) == 1:
        return game_line(view, games[0], language, who)
    between = words.players_of(games[0].game, who)
    total = words.pairing_score(games, language).text
    name = words.meeting_name(view, games[0].game, language)
    each_one = [_in_pairing(view, games[0], each, language) for each in games]
    if not any(each.is_over for each in games):
        each_one = list(dict.fromkeys(each_one))  # none has begun, say
    said = [f"{between} **{total}**" if total else between, name, *each_one]
    return " · ".join(each for each in said if each)


def _in_pairing(view: EventView, first: PlayedGame, played: PlayedGame, language: Language) -> str:
    """The result of one of several games, as the first of them names the players, or its board."""
    if not played.is_over:
        return _place_of(view, played, language)
    found = words.score_of(played, language)
    score = found.text if played.game.players == first.game.players else found.text[::-1]
    return f"{score} ({found.note})" if found.note else score


def game_line(view: EventView, played: PlayedGame, language: Language, who: Who) -> str:
    """Who plays whom in a game, its result or where it is played."""
    t = view.tournament
    if t.setup.format is FormatKey.ARENA and played.how is How.UNFINISHED:
        unfinished = language.say("not over at the end, so it doesn't count")
        return f"{words.players_of(played.game, who)} ({unfinished})"
    between = words.result_of(played, language, who)
    name = words.meeting_name(view, played.game, language)
    if name:
        between = f"{between} · {name}"
    if played.is_over:
        found = words.score_of(played, language)
        return f"{between} ({found.note})" if found.note else between
    place = _place_of(view, played, language)
    return f"{between} · {place}" if place else between


def _place_of(view: EventView, played: PlayedGame, language: Language) -> str:
    """Where a game is played, or that it has not begun."""
    link = view.matches.get(played.game.id)
    board = words.board_link(view, played.game.id, language)
    if board:
        return board
    if link is not None and link.is_direct:
        return language.say("in direct messages")
    if played.game.id in view.waiting:
        return language.say("waiting")
    if view.tournament.setup.at_once and link is None:
        return language.say("not begun")
    return ""


def podium(view: EventView, language: Language, who: Who) -> list[str]:
    """The first three of an event that is over, ties included."""
    if not view.has_places:
        return [language.say("No game was played, so nobody has won.")]
    return [f"{MEDALS[each.rank - 1]} {who(each.number)}" for each in view.podium[:6]]


def _buttons(view: EventView, language: Language) -> list[Button]:
    """What can be pressed now; without a version, so a click while others join still works."""
    t = view.tournament

    def one(action: str, label: str, style: int = 2) -> Button:
        return button(Control(action, t.id), label, style)  # type: ignore[arg-type]

    join = one("tjoin", language.say("Join"), SUCCESS)
    rules = one("trules", language.say("Rules"))
    players = one("tplayers", language.say("Players"))
    manage = one("tmanage", language.say("Manage"))
    table = [table_button(t, language), one("tpairs", language.say("Pairings"))]
    mine = one("tmine", language.say("My games"))
    here = [one("there", language.say("Check in"), PRIMARY)] if view.calls else []
    match t.status:
        case TournamentStatus.REGISTRATION:
            leave = one("tleave", language.say("Leave"))
            return [*here, join, leave, players, rules, manage]
        case TournamentStatus.CLOSED:
            return [*here, players, mine, rules, manage]
        case TournamentStatus.RUNNING:
            first = [*table, mine]
            if t.setup.format is FormatKey.LADDER:
                # Its games are in reach from the standings; six buttons fit on two lines.
                first[1] = one("tladder", language.say("Challenge"), PRIMARY)
            if t.is_open:
                first.insert(0, join)
            return [*first, rules, manage]
        case TournamentStatus.FINISHED:
            return [*table, mine, one("tfiles", language.say("Files")), rules, manage]
    return [players, rules, manage]
