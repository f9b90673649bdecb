"""Players' pages: own games, pairings of a round, rules, the players, and the log."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence

from discord import app_commands

from bot.domain.ids import TournamentId
from bot.errors import UserError
from bot.tournaments.domain import facts as f
from bot.tournaments.domain import registration
from bot.tournaments.domain.acts import LONGEST_REASON
from bot.tournaments.domain.crosstable import Kind, TieBreak
from bot.tournaments.domain.facts import Fixture, Leaving
from bot.tournaments.domain.registration import check_alive
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import (
    Entrant,
    EntrantStatus,
    PlayedGame,
    Tournament,
    TournamentStatus,
)
from bot.tournaments.services.service import TournamentService
from bot.tournaments.services.views import AuditLine, EventView
from bot.tournaments.ui import setup_words, words
from bot.tournaments.ui.event_lookup import (
    candidates,
    event_of,
    find_event,
    played,
    suggestions,
    told,
    visitor_of,
)
from bot.tournaments.ui.file_handlers import web_page
from bot.tournaments.ui.home_page import game_line, home_page, pairing_line, state_line
from bot.tournaments.ui.ladder import answer_buttons, open_challenges
from bot.tournaments.ui.tables import home_picture, show_table
from bot.tournaments.ui.why_pages import why_game_page, why_no_game_page, why_place_page
from bot.tournaments.ui.words import EventText, Who, named, with_names
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import check_player
from bot.ui.interaction.registry import PRIVATE, Click, number_in, on_button, on_menu
from bot.ui.interaction.slash import Group, command
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.board_page import confirmation
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Option, Reply
from bot.ui.pages.display_names import clean, escape
from games.view import Text

_NAMED = 10
ON_PAGE = 20
"""Pairings, players or lines of a log on a page."""


# ---- mine --------------------------------------------------------------------------------------


def mine_page(event: EventText, me: Entrant | None, *, lead: str = "") -> Reply:
    """A player's own games, with deadlines and links, and their possible actions."""
    t = event.t
    title = event.say("My games")
    if me is None:
        out = event.say("You're not in this tournament.")
        join = [event.button("tjoin", ui.SUCCESS)] if t.is_open else []
        return event.page(lead or title, [out], buttons=join, short=lead or out)
    return event.page(lead or title, _mine(event, me), buttons=_my_buttons(event, me))


def _mine(event: EventText, me: Entrant) -> Iterator[str]:
    t, form = event.t, event.setup.format
    yield _standing_line(event, me)
    games = sorted(
        t.of_entrant(me.number), key=lambda each: (each.is_over, each.game.round, each.game.board)
    )
    open_games = [each for each in games if not each.is_over]
    byes = {done.number: done.byes[me.number] for done in t.rounds if me.number in done.byes}
    if open_games:
        yield event.say("Your games:")
    elif t.status is not TournamentStatus.RUNNING:
        pass
    elif len(t.rounds) in byes and form is not FormatKey.ROUND_ROBIN:
        yield match_text.capital(event.bye(byes.pop(len(t.rounds)), own=True))
    elif form is FormatKey.ARENA and me.is_active and t.paused_at is None:
        yield event.say("You're free. Your next game starts by itself.")
    else:
        yield event.say("You have no game to play right now.")
    for each in open_games[:ON_PAGE]:
        until = event.say("until {date}", date=timestamp(each.until, "f"))
        # Without rounds all games end with the event.
        end = f" · {until}" if form.facts.has_rounds else ""
        yield f"- {game_line(event, each)}{end}"
    mine = [each for each in t.challenges if me.number in each.pair]
    yield from open_challenges(event, mine)
    over = [each for each in games if each.is_over]
    if over:
        yield event.say("Your results:")
        yield from (f"- {pairing_line(event, each)}" for each in t.pairings(over)[-10:])
    for number, kind in byes.items():
        if me.is_active or kind is not Kind.ZERO_BYE:  # one who has left knows that
            bye = event.bye(kind, own=True)
            yield event.language.pair(event.round_name(number), bye)
    for number, kind in sorted(me.byes.items()):
        if number > len(t.rounds):
            worth = "½" if kind is Kind.HALF_BYE else "0"
            yield event.say("Bye in round {round} ({points}).", round=number, points=worth)


def _standing_line(event: EventText, me: Entrant) -> str:
    t, form, state = event.t, event.setup.format, state_line(event)
    if me.standing is EntrantStatus.EXCLUDED:
        return event.say("A director excluded you from this tournament.")
    if me.standing is EntrantStatus.WITHDRAWN:
        return event.say("You're no longer in this tournament.")
    found = event.view.place_of(me.number)
    if not t.rounds:
        if t.status is TournamentStatus.REGISTRATION and t.paused_at is None:
            begins = f"{timestamp(t.begins, 'f')} ({timestamp(t.begins)})"
            state = event.say("Play begins {date}.", date=begins)
        return f"{state}\n> " + setup_words.promise(t.setup, event.language)
    if found is None or form is FormatKey.KNOCKOUT:
        return state
    if form is FormatKey.LADDER:
        rung = event.say(
            "You're on rung {rank} of {count}.", rank=found.rank, count=len(event.view.standings)
        )
        return f"{rung} {state}"
    place = event.say(
        "Place {rank} of {count}, points: {points}.",
        rank=found.rank,
        count=sum(each.division == found.division for each in event.view.standings),
        points=words.points(found.points),
    )
    return f"{place} {state}" if form is FormatKey.ARENA or t.paused_at is not None else place


def _my_buttons(event: EventText, me: Entrant) -> list[ui.Button]:
    t = event.t
    shown = []
    for each in t.challenges:
        if each.challenged == me.number:
            shown += answer_buttons(event, each)
    if t.rounds:
        shown += [event.table_button(), event.button("tpairs")]
    if me.standing is EntrantStatus.WITHDRAWN and t.is_open:
        shown.append(event.button("tjoin", ui.SUCCESS))
    if me.is_active and not t.status.is_final:
        label = event.say("Leave tournament") if t.rounds else event.say("Leave")
        shown.append(ui.button(Control("tleave", t.id), label))
        following = len(t.rounds) + 1
        if (
            t.setup.format is FormatKey.SWISS
            and following <= words.rounds_of(event.view)
            and following not in me.byes
        ):
            label = event.say("Bye in round {round}", round=following)
            shown.append(ui.button(Control("tbye", t.id, following), label))
    return shown


def leave_page(event: EventText, me: Entrant) -> Reply:
    """Ask a player to confirm a withdrawal after registration has closed."""
    t = event.t
    games = [each for each in t.of_entrant(me.number) if not each.is_over]
    waiting = sum(not each.has_begun for each in games)
    running = len(games) - waiting
    said = [event.say("Withdraw from {event}?")]
    if waiting:
        said.append(
            event.plural(
                "You forfeit {n} game that hasn't begun.",
                "You forfeit {n} games that haven't begun.",
                n=waiting,
            )
        )
    if running:
        said.append(
            event.plural(
                "{n} game that has begun goes on: finish or resign it.",
                "{n} games that have begun go on: finish or resign them.",
                n=running,
            )
        )
    if not t.is_open:
        said.append(event.say("You won't be paired again, and you can't come back by yourself."))
    elif t.setup.format is FormatKey.LADDER:
        said.append(event.say("You can join again later, at the foot of the ladder."))
    else:
        said.append(event.say("You can join again for as long as new players can."))
    leave = event.say("Leave tournament")
    return confirmation("\n".join(said), Control("tleft", t.id), leave, event.language)


# ---- pairings ----------------------------------------------------------------------------------


def current_round(t: Tournament) -> int:
    """The first round with unfinished games; the last one if there is none."""
    return min((each.game.round for each in t.pending), default=len(t.rounds))


def pairings_page(event: EventText, number: int, page: int, *, plain: Who) -> Reply:
    """The games of a round, with results and links, and Why? for each of them."""
    t = event.t
    if not t.rounds:
        none = event.say("No round has been paired yet.")
        return event.page(none, [])
    number = min(max(number, 1), len(t.rounds))
    a_round = t.rounds[number - 1]
    games = t.pairings(t.in_round(number))
    if not t.setup.format.facts.has_rounds:
        games = games[::-1]  # The newest of many.
    # Discord would count a list upwards by ones from its first number.
    is_list = all(each[0].game.board == at for at, each in enumerate(games, 1))
    dot = "." if is_list else "\\."
    byes = sorted(a_round.byes.items())
    lines = [f"{each[0].game.board}{dot} {pairing_line(event, each)}" for each in games]
    lines += [event.language.pair(event.who(one), event.bye(kind)) for one, kind in byes]
    here, page, pages = ui.cut_to_page(lines, page, ON_PAGE)
    has_rounds = t.setup.format.facts.has_rounds
    title = words.round_title(event, number) if has_rounds else event.say("Games")
    items: list[ui.Part] = []
    if len(t.rounds) > 1:
        options = [
            ui.Option(str(each.number), event.round_name(each.number), chosen=each.number == number)
            for each in t.rounds[-25:]
        ]
        items.append(ui.menu(Control("tround", t.id), event.say("Round"), options))
    firsts = [each[0] for each in games[page * ON_PAGE : (page + 1) * ON_PAGE]]
    asked = _why_options(event.called(plain), firsts, byes, number)
    if asked:
        items.append(ui.menu(Control("twhygame", t.id), event.say("Why this pairing?"), asked))
    buttons = ui.paging("tpairs", event.t.id, page, pages, event.language, arg=str(number))
    buttons += [event.table_button(), event.button("tmine")]
    said = [*here, *ui.page_note(page, pages, event.language)]
    return event.page(title, said, *items, buttons=buttons)


def _why_options(
    event: EventText, games: Sequence[PlayedGame], byes: Sequence[tuple[int, Kind]], number: int
) -> list[ui.Option]:
    """A line for each game of the page, and for each player without one."""
    found = [
        ui.Option(
            f"g{each.game.id}",
            pair_label(event.view, each.game, event.who),
            marks=(f"#{each.game.board}",),
        )
        for each in games
    ]
    for one, _ in byes[: 25 - len(found)]:
        name = event.say("{player} (no opponent)", player=event.who(one))
        found.append(words.entrant_option(event, one, f"b{number}.{one}", name))
    return found


def pair_label(view: EventView, game: Fixture, plain: Who) -> str:
    """The players of a game in plain words for a menu; numbered where the same two meet often."""
    names = " – ".join(clean(plain(each), longest=30) for each in game.players)
    return names if view.tournament.setup.format.facts.has_rounds else f"{game.board}. {names}"


# ---- lists -------------------------------------------------------------------------------------


def players_page(event: EventText, page: int) -> Reply:
    """The players with their ratings in the order of seeds; withdrawn ones come last."""
    t = event.t
    order = [t.entrants[number - 1] for number in t.seeding]
    order.sort(key=lambda each: not each.is_active)
    lines = []
    for place, each in enumerate(order, 1):
        rating = "" if each.rating is None else f" ({each.rating})"
        gone = ""
        if each.standing is EntrantStatus.WITHDRAWN:
            gone = " · " + event.say("withdrawn")
        elif each.standing is EntrantStatus.EXCLUDED:
            gone = " · " + event.say("excluded")
        elif t.checks_in is not None and each.is_here:
            gone = " · " + event.say("checked in")
        lines.append(f"{place}. {event.who(each.number)}{rating}{gone}")
    lines += [
        event.say("{player}: invited, no answer yet", player=event.mention(each.user_id))
        for each in (t.unanswered if t.is_open or not (t.rounds or t.status.is_final) else ())
    ]
    here, page, pages = ui.cut_to_page(lines, page, ON_PAGE)
    title = event.plural("{n} player", "{n} players", n=len(t.active))
    said = [*here]
    if not lines:
        said.append(event.say("Nobody has joined yet. Be the first!"))
    said += ui.page_note(page, pages, event.language)
    buttons = ui.paging("tplayers", event.t.id, page, pages, event.language)
    return event.page(title, said, buttons=buttons)


def event_rules_page(event: EventText) -> Reply:
    """All terms of the event."""
    t = event.t
    setup, entrants = t.setup, len(t.entrants) if t.rounds else None
    title = event.say("Rules of this tournament")
    promised = setup_words.promise(setup, event.language, entrants=entrants)
    lines = [setup_words.terms(setup, event.language), f"> {promised}"]
    over = t.status.is_final
    lines += [
        f"- {line}"
        for line in setup_words.rules_lines(setup, event.language, entrants=entrants, is_over=over)
    ]
    lines += [f"- {line}" for line in setup_words.entry_lines(setup, event.language)]
    buttons = [
        event.button("tlog"),
        ui.button(Control("rules", arg=setup.game), event.say("Rules of the game")),
    ]
    if t.games:
        buttons.append(event.button("tfiles"))
    return event.page(title, lines, buttons=buttons)


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
    here, page, pages = ui.cut_to_page(shown, page, _ON_PAGE)
    lines = [*(log_line(event, each) for each in here), *ui.page_note(page, pages, event.language)]
    buttons = ui.paging("tlog", event.t.id, page, pages, event.language)
    return event.page(title, lines, buttons=buttons)


def log_line(event: EventText, line: AuditLine) -> str:
    """One event of the log."""
    said = line_words(event, line)
    if line.by_director and line.user_id is not None:
        director = event.mention(line.user_id)
        said = event.say("{director}: {act}", director=director, act=said)
    if line.note and not isinstance(line.fact, f.Scored):
        # A game that an act has decided repeats the reason of the act, which is above it.
        said += " " + event.say(
            "Reason: {reason}", reason=escape(line.note, longest=LONGEST_REASON)
        )
    if line.is_undone:
        said = f"~~{said}~~ " + event.say("(undone)")
    return f"- {timestamp(line.at, 'f')} {said}"


def line_words(event: EventText, line: AuditLine) -> str:
    """The words of an event, with its players."""
    fact, about = line.fact, {"player": "—"} | named(event, line.fact)
    if line.undoes is not None:
        about["act"] = line_words(event, line.undoes)
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
            said = Text.of("{game}: {result}.")
        case f.Drawn(games=()) if not event.setup.format.facts.has_rounds:
            return event.say("The tournament began.")
        case f.Drawn(_, games) if not event.setup.format.facts.has_rounds:
            pairs, more = ", ".join(map(event.players, games[:_PAIRS])), len(games) - _PAIRS
            if more > 0:
                return event.say("Paired: {games} and {count} more.", games=pairs, count=more)
            return event.say("Paired: {games}.", games=pairs)
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


TOURNAMENT = Group("tournament", Text.of("Create, join and follow tournaments"))
_WHICH = {"tournament": Text.of("Tournament (default: the one here)")}
_Named = app_commands.Range[str, 0, 100]
_MOST_ROUNDS = 300


# ---- pages -------------------------------------------------------------------------------------


async def _show(context: InteractionContext, event: EventText) -> Reply:
    picture = await home_picture(context.services.reader, event)
    return Reply(clean(event.setup.name), home_page(event, picture))


async def _my_page(context: InteractionContext, event: EventText, lead: str = "") -> Reply:
    return mine_page(event, event.t.entrant_of(context.user_id), lead=lead)


async def _standings(context: InteractionContext, event: EventText) -> Reply:
    return await show_table(context, event, "tstand", 0, as_text=False)


async def _pairings(
    context: InteractionContext, event: EventText, number: int = 0, page: int = 0
) -> Reply:
    number = number or current_round(event.t)
    return await with_names(
        context.reader,
        event,
        lambda plain: pairings_page(event, number, page, plain=plain.who),
    )


async def _leave(context: InteractionContext, event: EventText) -> Reply:
    """Immediate while registration is open, after a question later."""
    t = event.t
    me = t.entrant_of(context.user_id)
    if me is None or not me.is_active:
        raise UserError("you_not_entered")
    check_alive(t)
    if t.rounds or not t.is_open:
        return leave_page(event, me)
    return await leave_for_good(context, Control("tleft", t.id))


@on_button("tleft")
async def leave_for_good(context: InteractionContext, control: Control) -> Reply:
    """**Withdraw**, confirmed."""
    event = await played(context, control, registration.leave)
    return Reply(event.say("You've left {event}."))


async def _rules(_context: InteractionContext, event: EventText) -> Reply:
    return event_rules_page(event)


NEXT: dict[str, Callable[[InteractionContext, EventText], Awaitable[Reply]]] = {
    "tshow": _show,
    "tmine": _my_page,
    "tstand": _standings,
    "tpairs": _pairings,
    "tleave": _leave,
    "trules": _rules,
    "tweb": web_page,
}
"""The next step of a command after the choice of a tournament, by its action."""


@on_menu("twhich")
@on_menu("tawait", how=PRIVATE)
async def chosen_event(context: InteractionContext, click: Click) -> Reply:
    """A choice among several tournaments: continue with the request."""
    event = await event_of(context, Control(click.action, click.value))
    return await NEXT.get(click.arg, _show)(context, event)


@on_button("tshow", "tmine", "trules", "tleave")
async def page_of(context: InteractionContext, click: Click) -> Reply:
    """**Show**, **My games**, **Rules**, **Leave**."""
    return await NEXT[click.action](context, await event_of(context, click))


# ---- commands ----------------------------------------------------------------------------------


async def suggest_tournaments(context: InteractionContext, typed: str) -> list[Option]:
    """Tournaments that fit the typed text."""
    return suggestions(await candidates(context, typed), context.language)


def _command(
    name: str, description: Text, action: str, *, mine: bool = False, also_over: bool = False
) -> None:
    """``/tournament name``: a page of a tournament, to this person alone."""

    async def run(context: InteractionContext, tournament: _Named = "") -> Reply:
        event = await find_event(context, tournament, action, mine=mine, also_over=also_over)
        return await NEXT[action](context, event)

    suggest = {"tournament": suggest_tournaments}
    command(name, description, group=TOURNAMENT, fields=_WHICH, suggest=suggest)(run)


_command("show", Text.of("Show a tournament"), "tshow")
_command("mine", Text.of("Show your games and deadlines in a tournament"), "tmine", mine=True)
_command("standings", Text.of("Show the table of a tournament"), "tstand")
_command("withdraw", Text.of("Leave a tournament"), "tleave", mine=True)
_command("rules", Text.of("Show the rules of a tournament"), "trules")
_command(
    "page",
    Text.of("Get a web page of a tournament, with every game, to link anywhere"),
    "tweb",
    also_over=True,
)


@command(
    "pairings",
    Text.of("Show the pairings of a tournament"),
    group=TOURNAMENT,
    fields={**_WHICH, "round": Text.of("Round (default: the current one)")},
    suggest={"tournament": suggest_tournaments},
)
async def pairings_command(
    context: InteractionContext,
    tournament: _Named = "",
    round: app_commands.Range[int, 0, _MOST_ROUNDS] = 0,  # noqa: A002 - the name of the field
) -> Reply:
    """``/tournament pairings``."""
    return await _pairings(context, await find_event(context, tournament, "tpairs"), round)


# ---- joining and leaving -----------------------------------------------------------------------


@on_button("tjoin")
async def join(context: InteractionContext, click: Click) -> Reply:
    """**Join**."""
    check_player(
        context.interaction, await context.services.preferences.server(context.place.guild_id)
    )
    view = await context.services.of(TournamentService).join(
        visitor_of(context), TournamentId(click.match), interaction_id=context.id
    )
    return await _my_page(context, told(context, view), context.language.say("You're in."))


@on_button("there", how=PRIVATE)
async def check_in(context: InteractionContext, click: Click) -> Reply:
    """**Check in**."""
    event = await played(context, click, registration.check_in)
    return await _my_page(context, event, event.say("You're checked in."))


@on_button("tbye")
async def ask_bye(context: InteractionContext, click: Click) -> Reply:
    """**Bye in round n**: half a point once, nothing after that."""
    rule, number = registration.ask_bye, click.version
    try:
        event = await played(context, click, rule, number)
    except UserError as error:
        if error.code != "byes_used":
            raise
        event = await played(context, click, rule, number, Kind.ZERO_BYE)
    said = event.say("You won't be paired in round {round}.", round=number)
    return await _my_page(context, event, said)


# ---- looking -----------------------------------------------------------------------------------


@on_button("tpairs")
@on_menu("tround")
async def show_pairings(context: InteractionContext, click: Click) -> Reply:
    """**Pairings**, a page of them, or those of a round chosen in its menu."""
    number = number_in(click.value or click.arg.partition(".")[0] or "0")
    return await _pairings(context, await event_of(context, click), number, click.version)


@on_button("tplayers")
async def show_players(context: InteractionContext, click: Click) -> Reply:
    """**Players**."""
    return players_page(await event_of(context, click), click.version)


@on_button("tlog")
async def show_log(context: InteractionContext, click: Click) -> Reply:
    """**Log**."""
    event = await event_of(context, click)
    log = await context.services.of(TournamentService).audit(visitor_of(context), event.t.id)
    return log_page(event, log, click.version)


# ---- why ---------------------------------------------------------------------------------------


@on_menu("twhygame")
async def why_game(context: InteractionContext, click: Click) -> Reply:
    """**Why this pairing?**: the facts that the rules weighed."""
    event = await event_of(context, click)
    kind, about = click.value[:1], click.value[1:]
    if kind == "g":
        return why_game_page(event, about)
    if kind != "b":
        raise UserError("out_of_date")
    number, _, entrant = about.partition(".")
    return why_no_game_page(event, number_in(number), number_in(entrant))


@on_menu("twhyplace", "twhyvalue")
async def why_place(context: InteractionContext, click: Click) -> Reply:
    """**Why is a player in this place?**: all numbers that count; **Show the sum of** one."""
    event = await event_of(context, click)
    found = event.view.place_of(number_in(click.arg or click.value))
    if found is None:
        raise UserError("not_entered")
    chosen = next((each for each in TieBreak if each.name.lower() == click.value), None)
    return why_place_page(event, found, chosen)
