"""The home message of a tournament: terms, days, entrants; then the table and running games."""

from __future__ import annotations

from collections.abc import Sequence

from bot.tournaments.domain.facts import How
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import PlayedGame, TournamentStatus
from bot.tournaments.ui import setup_words, words
from bot.tournaments.ui.ladder import open_challenges
from bot.tournaments.ui.words import EventText
from bot.ui.pages import components as ui
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Page

_COLOURS = {
    TournamentStatus.REGISTRATION: 0x3F8F63,
    TournamentStatus.CLOSED: 0xC98A2B,
    TournamentStatus.RUNNING: 0x3D6FB4,
    TournamentStatus.FINISHED: 0xD4A72C,
    TournamentStatus.CANCELLED: 0x8A8F98,
}
_NAMED = 24
"""Entrants who are named before the rest are counted."""
_PLAYING = 8
"""Games in progress that are named."""
MEDALS = ("🥇", "🥈", "🥉")


def home_page(event: EventText, picture: ui.Picture | None = None) -> Page:
    """The present message; ``picture`` is its table or bracket once something was drawn."""
    t = event.t
    items: list[ui.Part] = [ui.text("\n".join(_heading(event)))]
    if picture is not None:
        items.append(ui.gallery(picture))
    said = _body(event)
    if said:
        items.append(ui.text("\n".join(said)))
    items += ui.rows(_buttons(event))
    framed: ui.Container = ui.container(*items, colour=_COLOURS[t.status])
    return Page(framed)


def _heading(event: EventText) -> list[str]:
    t = event.t
    lines = [f"## {words.event_title(t.setup)}", setup_words.terms(t.setup, event.language)]
    mark = "" if t.paused_at is None or t.status.is_final else "⏸️ "
    lines.append(f"{mark}**{state_line(event)}**")
    return lines


def state_line(event: EventText) -> str:
    """The stage of the event, in one line."""
    t = event.t
    if t.paused_at is not None and not t.status.is_final:
        return event.say("Paused. Nothing is paired or decided until a director resumes.")
    match t.status:
        case TournamentStatus.REGISTRATION if t.setup.late_entry:
            begins = f"{timestamp(t.begins, 'f')} ({timestamp(t.begins)})"
            return event.say("Play begins {begins}. Players can join later too.", begins=begins)
        case TournamentStatus.REGISTRATION:
            return event.say(
                "Join until {date} ({left}).",
                date=timestamp(t.closes, "f"),
                left=timestamp(t.closes),
            )
        case TournamentStatus.CLOSED:
            return event.say(
                "Registration is closed. Play begins {date}.", date=timestamp(t.begins, "f")
            )
        case TournamentStatus.CANCELLED:
            return event.say("This tournament was cancelled. It has no result.")
        case TournamentStatus.FINISHED:
            return event.say("This tournament is over.")
    return _running_line(event)


def _running_line(event: EventText) -> str:
    t = event.t
    if t.setup.format is FormatKey.ARENA:
        return event.say(
            "Running until {end} ({left}).", end=timestamp(t.finish, "t"), left=timestamp(t.finish)
        )
    last = timestamp(t.finish, setup_words.last_day_style(t.begins, t.finish))
    if t.setup.format is FormatKey.LADDER:
        return event.say("Running until {date}.", date=last)
    if not t.rounds:
        return event.say("The first round is being paired.")
    if t.setup.format is FormatKey.ROUND_ROBIN:
        over = sum(each.is_over for each in t.games.values())
        return event.plural(
            "{over} of {n} game over. The last day is {date}.",
            "{over} of {n} games over. The last day is {date}.",
            n=len(t.games),
            over=over,
            date=last,
        )
    number = len(t.rounds)
    if words.has_final(t.setup, number):
        return event.say("Final table, until {date}.", date=timestamp(t.rounds[-1].until, "f"))
    return event.say(
        "Round {round} of {rounds}, until {date}.",
        round=number,
        rounds=max(number, words.rounds_of(event.view)),
        date=timestamp(t.rounds[-1].until, "f"),
    )


def _body(event: EventText) -> list[str]:
    t = event.t
    match t.status:
        case TournamentStatus.REGISTRATION | TournamentStatus.CLOSED:
            return _before(event)
        case TournamentStatus.RUNNING:
            return [
                *_still_playing(event),
                *open_challenges(event, t.challenges[:_PLAYING]),
                *_climbs(event),
            ]
        case TournamentStatus.FINISHED:
            return podium(event)
    return []


def _before(event: EventText) -> list[str]:
    setup = event.setup
    lines = ["> " + " ".join(setup_words.promise(setup, event.language))]
    is_said = setup.late_entry or event.t.begins == event.t.closes
    if event.t.status is TournamentStatus.REGISTRATION and not is_said:
        lines.append(event.say("Play begins {date}.", date=timestamp(event.t.begins, "f")))
    lines += setup_words.entry_lines(setup, event.language)
    count = len(event.t.active)
    joined = event.plural(
        "**{n} of {most}** player has joined",
        "**{n} of {most}** players have joined",
        by="most",
        n=count,
        most=setup.most,
    )
    named = event.some([event.who(each.number) for each in event.t.active], _NAMED)
    lines.append(event.say("{what}: {value}", what=joined, value=named) if count else f"{joined}.")
    if event.t.unanswered:
        guests = [event.mention(each.user_id) for each in event.t.unanswered]
        players = event.some(guests, _NAMED)
        lines.append(event.say("Invited, not in yet: {players}", players=players))
    if count < setup.least:
        lines.append(
            "-# "
            + event.plural(
                "At least {n} player is needed, or the tournament is cancelled.",
                "At least {n} players are needed, or the tournament is cancelled.",
                n=setup.least,
            )
        )
    return lines


def _still_playing(event: EventText) -> list[str]:
    """The games that are not over, with links."""
    t = event.t
    pending = sorted(
        t.pending, key=lambda each: (not each.has_begun, each.game.round, each.game.board)
    )
    if not pending:
        if t.setup.format is FormatKey.LADDER and t.paused_at is None:
            invites = event.say("Press **Challenge** to play a player above you.")
            return [event.say("No game is running.") + f" {invites}"]
        if not t.setup.format.facts.has_rounds:
            return [event.say("No game is running.")]
        if not t.rounds:
            return []  # the first one is being paired, as its state says
        return [event.say("All games of this round are over. The next round is on its way.")]
    pairings = t.pairings(pending)
    if t.setup.both_sides:  # its games are named together, those that are over too
        open_ones = {each[0].game.pairing for each in pairings}
        pairings = tuple(
            each for each in t.pairings(t.games.values()) if each[0].game.pairing in open_ones
        )
    lines = [event.say("Still being played:")]
    lines += [f"- {pairing_line(event, each)}" for each in pairings[:_PLAYING]]
    if any(x.game.id in event.view.waiting for each in pairings[:_PLAYING] for x in each):
        lines.append(f"-# {words.wait_words(event)}")
    more = len(pairings) - _PLAYING
    if more > 0:
        lines.append(
            event.plural(
                "-# And {n} more: press Pairings.", "-# And {n} more: press Pairings.", n=more
            )
        )
    return lines


def _climbs(event: EventText) -> list[str]:
    """Players who recently climbed to a higher rung of a ladder, the newest first."""
    if not event.t.climbs:
        return []
    return [
        event.say("Latest changes on the ladder:"),
        *(
            "- "
            + event.say(
                "{player} climbed from rung {before} to {after}, {when}.",
                player=event.who(each.entrant),
                before=each.before,
                after=each.after,
                when=timestamp(each.at),
            )
            for each in event.t.climbs
        ),
    ]


def pairing_line(event: EventText, games: Sequence[PlayedGame]) -> str:
    """The games of a pairing in a line: the first mover of the first, the sum, and each game."""
    if len(games) == 1:
        return game_line(event, games[0])
    between = event.players(games[0].game)
    total = event.pairing_score(games).text
    name = words.meeting_name(event, games[0].game)
    each_one = [_in_pairing(event, games[0], each) for each in games]
    if not any(each.is_over for each in games):
        each_one = list(dict.fromkeys(each_one))  # none has begun, say
    said = [f"{between} **{total}**" if total else between, name, *each_one]
    return " · ".join(each for each in said if each)


def _in_pairing(event: EventText, first: PlayedGame, played: PlayedGame) -> str:
    """The result of one of several games, in the player order of the first, or its board."""
    if not played.is_over:
        return _place_of(event, played)
    found = event.score(played)
    score = found.text if played.game.players == first.game.players else found.text[::-1]
    return f"{score} ({found.note})" if found.note else score


def game_line(event: EventText, played: PlayedGame) -> str:
    """The players of a game, its result or its place."""
    t = event.t
    if t.setup.format is FormatKey.ARENA and played.how is How.UNFINISHED:
        unfinished = event.say("not over at the end, so it doesn't count")
        return f"{event.players(played.game)} ({unfinished})"
    between = words.result_of(event, played)
    name = words.meeting_name(event, played.game)
    if name:
        between = f"{between} · {name}"
    if played.is_over:
        found = event.score(played)
        return f"{between} ({found.note})" if found.note else between
    place = _place_of(event, played)
    return f"{between} · {place}" if place else between


def _place_of(event: EventText, played: PlayedGame) -> str:
    """The place of a game, or that it has not begun."""
    link = event.view.matches.get(played.game.id)
    board = words.board_link(event, played.game.id)
    if board:
        return board
    if link is not None and link.is_direct:
        return event.say("in direct messages")
    if played.game.id in event.view.waiting:
        return event.say("waiting")
    if event.setup.at_once and link is None:
        return event.say("not begun")
    return ""


def podium(event: EventText) -> list[str]:
    """The first three of an event that is over, ties included."""
    if not event.view.has_places:
        return [event.say("No game was played, so nobody has won.")]
    return [f"{MEDALS[each.rank - 1]} {event.who(each.number)}" for each in event.view.podium[:6]]


def _buttons(event: EventText) -> list[ui.Button]:
    """The present buttons; without a version, so a click while others join still works."""
    t, one = event.t, event.button
    here = [one("there", ui.PRIMARY)] if event.view.calls else []
    after = [one("trules"), one("tmanage")]
    match t.status:
        case TournamentStatus.REGISTRATION:
            return [*here, one("tjoin", ui.SUCCESS), one("tleave"), one("tplayers"), *after]
        case TournamentStatus.CLOSED:
            return [*here, one("tplayers"), one("tmine"), *after]
        case TournamentStatus.RUNNING:
            # A ladder's games are in reach from the standings; six buttons fit on two lines.
            is_ladder = t.setup.format is FormatKey.LADDER
            second = one("tladder", ui.PRIMARY) if is_ladder else one("tpairs")
            join = [one("tjoin", ui.SUCCESS)] if t.is_open else []
            return [*join, event.table_button(), second, one("tmine"), *after]
        case TournamentStatus.FINISHED:
            return [event.table_button(), one("tpairs"), one("tmine"), one("tfiles"), *after]
    return [one("tplayers"), *after]
