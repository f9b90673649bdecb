"""**Manage**: choose an act, its arguments, see its consequences, confirm it, undo it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, time
from fractions import Fraction
from typing import Any

from cachetools import LRUCache

from bot.domain.ids import TournamentId, UserId, read_id
from bot.errors import UserError
from bot.tournaments.domain import acts
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.acts import (
    ACTS,
    LONGEST_REASON,
    DirectorAct,
    Extend,
    Invite,
    Part,
    Undo,
    first_choice,
)
from bot.tournaments.domain.crosstable import DRAW, LOSS, WIN
from bot.tournaments.domain.directing import MOST_APART, apart_group
from bot.tournaments.domain.formats.swiss import Swiss
from bot.tournaments.domain.inviting import MOST_LINES
from bot.tournaments.domain.planning import time_for_rounds
from bot.tournaments.domain.tournament import PlayedGame
from bot.tournaments.services.service import TournamentService, is_director
from bot.tournaments.services.views import AuditLine, EventView, Preview
from bot.tournaments.store import writing as tournament_writing
from bot.tournaments.ui import words
from bot.tournaments.ui.event_lookup import event_of, told, visitor_of
from bot.tournaments.ui.home_page import state_line
from bot.tournaments.ui.moments import read_moment
from bot.tournaments.ui.player_pages import log_line, pair_label
from bot.tournaments.ui.setup_words import last_day_style
from bot.tournaments.ui.words import PARTS, EventText, named, with_names
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, id_in, on_button, on_menu, on_text
from bot.ui.offers.draft import check_guests
from bot.ui.pages import components as ui
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Reply
from bot.ui.pages.display_names import clean, escape, mark_of
from games.view import Text

LISTED = 24
"""Lines on one page of a menu, which leaves room to go on."""


def possible(view: EventView) -> tuple[str, ...]:
    """The acts that make sense in the event's present state; the service has the last word."""
    moved = {name for name, link in view.matches.items() if link.ply}
    return acts.possible(view.tournament, moved)


def manage_page(event: EventText, log: Sequence[AuditLine], *, lead: str = "") -> Reply:
    """All acts of a director, and the last one, which may be undone."""
    t, title = event.t, event.say("Manage")
    said = [state_line(event), *([f"**{lead}**"] if lead else [])]
    last = [log_line(event, each) for each in log if each.by_director][:3]
    said += [event.say("Lately:"), *last] if last else []
    keys, items = possible(event.view), list[ui.Part]()
    if keys:
        options = [ui.Option(key, event(ACTS[key].label), _hint(event, key)) for key in keys]
        what = event.say("What would you like to do?")
        items.append(ui.menu(Control("tact", t.id), what, options))
    buttons = [event.button("tlog")]
    undoable = next((each for each in log if each.can_undo), None)
    if undoable is not None:
        is_last = not any(
            each.by_director and each.at > undoable.at and not each.is_undone for each in log
        )
        label = event.say("Undo last act") if is_last else event.say("Undo an earlier act")
        buttons.append(
            ui.button(Control("tplan", t.id, arg=f"undo:{undoable.seq}"), label, ui.DANGER)
        )
    if t.games:
        buttons.append(event.button("tfiles"))
    if not t.status.is_final:
        buttons.append(event.button("tagain"))
    return event.page(title, said, *items, buttons=buttons, short=lead)


def _hint(event: EventText, key: str) -> str:
    """The consequence of an act; games of an event without rounds have one last day."""
    if first_choice(ACTS[key]) == "round" and not event.setup.format.facts.has_rounds:
        return event.round_name(1)
    return event(ACTS[key].hint)


# ---- choosing what an act is about --------------------------------------------------------------


def _next(act: type[DirectorAct], given: Mapping[str, Any]) -> str:
    """The field that is chosen next; empty if none is left."""
    return next((each.name for each in fields(act) if each.name not in given), "")


def ask(
    event: EventText,
    text: str,
    *,
    plain: EventText | None = None,
    people: Mapping[UserId, str] = {},
    page: int = 0,
    lead: str = "",
) -> Reply:
    """Ask for the next field of an act; ``text`` has the choices so far, as in controls.

    Menus have ``plain`` names of players, and of ``people``. Raises ``out_of_date`` if no field is
    left.
    """
    act, given = read_part(text)
    t, question, plain = event.t, _Question(event, text, act, page, lead), plain or event
    match _next(act, given):
        case "user_id":
            choose = question.people("tperson", event.say("Choose a person"))
            return question.page(choose)
        case "guests":
            said = [
                event.say(
                    "Write one player on each line: a mention, an id or the exact name. A seed and"
                    " a rating can follow, with commas: `Ada, 1, 1850`. The rating counts for the"
                    " seeding of this tournament only."
                ),
                event.say(
                    "Players get a message and are in once they press **Join**. A list can have up"
                    " to {most} lines; `/tournament invite` takes it as a file, text or CSV.",
                    most=MOST_LINES,
                ),
            ]
            paste = ui.button(Control("tpaste", t.id), event.say("Paste a list"), ui.SUCCESS)
            return question.page(*ui.rows([paste]), said=said)
        case "entrant":
            return question.listed(_entrants(plain, text, act))
        case "place":
            number, who = given["entrant"], plain.who
            seeds = [each for each in t.seeding if t.entrants[each - 1].is_active]
            places = []
            for place, each in enumerate(seeds, 1):
                if each != number:
                    label = event.say("Place {place}: {player}", place=place, player=who(each))
                    act_text = write_act(acts.Seed(number, place))
                    places.append(words.entrant_option(plain, each, act_text, label))
            return question.listed(places, f"**{escape(who(number))}**")
        case "entrants" if act is acts.Part:
            prompt = event.say("Choose from 2 to {most} players", most=MOST_APART)
            choose = question.people("tpeople", prompt, most=MOST_APART)
            return question.page(choose, said=[f"-# {event(act.hint)}"])
        case "entrants":
            groups = [
                ui.Option(
                    write_act(acts.Rejoin(each.entrants)),
                    event.listed([plain.who(number) for number in each.entrants]),
                    words.span_words(each.last, event.language),
                    marks=tuple(f"#{number}" for number in each.entrants),
                )
                for each in t.apart
                if each.holds_in(len(t.rounds) + 1)
            ]
            return question.listed(groups)
        case "last":
            spans = [
                ui.Option(f"{text}:{last}", words.span_words(last, event.language))
                for last in (0, *range(len(t.rounds) + 1, Swiss().most_rounds(t)))
            ]
            players = event.listed([event.who(each) for each in given["entrants"]])
            until = ui.menu(question.control("tchosen"), event.say("Until when?"), spans)
            return question.page(until, said=[players])
        case "director":
            return question.listed(
                [
                    ui.Option(write_act(acts.Dismiss(each)), people[each], marks=(mark_of(each),))
                    for each in t.directors
                ]
            )
        case "game" | "round":
            return question.listed(_games_to_choose(event, plain, text, act))
        case "points":
            return _ask_points(question, plain, t.games[given["game"]])
        case "until":
            about = ""
            if "round" in given:
                what = event.round_name(given["round"])
                if given.get("game"):
                    what = event.players(t.games[given["game"]].game)
                about = event.say("More time: {what}", what=what)
            day = ui.button(question.control("tday"), event.say("Choose a day"), ui.SUCCESS)
            return question.page(*ui.rows([day]), about=about)
    raise UserError("out_of_date")


@dataclass(frozen=True, slots=True)
class _Question:
    """A question to a director: the form of its page, on which the choices so far are kept."""

    event: EventText
    text: str
    act: type[DirectorAct]
    number: int
    lead: str

    def page(
        self, *items: ui.Part, said: Sequence[str] = (), about: str = "", short: str = ""
    ) -> Reply:
        """The question with its options, and the way back."""
        title = about or self.event(self.act.label)
        lead = [f"**{self.lead}**"] if self.lead else []
        back = ui.button(Control("tmanage", self.event.t.id), self.event.say("Back"))
        shown = [*lead, *said]
        return self.event.page(title, shown, *items, buttons=[back], short=self.lead or short)

    def control(self, action: str, text: str = "") -> Control:
        """A control that carries the choices so far."""
        return Control(action, self.event.t.id, arg=text or self.text)

    def people(self, action: str, prompt: str, *, most: int = 1) -> ui.Row:
        """A menu of people of the server."""
        return ui.entity_menu("user", self.control(action), prompt, (), most=most)

    def listed(self, lines: Sequence[ui.Option], *said: str) -> Reply:
        """A page of a menu, with buttons to the others.

        Each line carries the act, as far as that is chosen.
        """
        here, number, pages = ui.cut_to_page(lines, self.number, LISTED)
        if not here:
            none = self.event.say("There's nothing to choose from.")
            return self.page(ui.text(none), said=said, short=none)
        choose = ui.menu(self.control("tchosen"), self.event(self.act.label), here)
        id_, language = self.event.t.id, self.event.language
        buttons = ui.paging("tlist", id_, number, pages, language, arg=self.text)
        return self.page(choose, *ui.rows(buttons), said=said)


def _entrants(plain: EventText, text: str, act: type[DirectorAct]) -> list[ui.Option]:
    """The players in the event that the act can apply to, with their ratings."""
    entrants = (plain.t.entrants[number - 1] for number in plain.t.seeding)
    ratings = {x.number: x.rating for x in entrants if act.concerns(plain.t, x)}
    return [
        words.entrant_option(
            plain, number, f"{text}:{number}", note=None if rating is None else str(rating)
        )
        for number, rating in ratings.items()
    ]


def _games_to_choose(
    event: EventText, plain: EventText, text: str, act: type[DirectorAct]
) -> list[ui.Option]:
    """The games that are not over, to correct those that are; for more time rounds, too.

    Current games come first, and the latest of those that are over.
    """
    t, has_rounds = event.t, event.setup.format.facts.has_rounds
    newest, latest = 1 if has_rounds else -1, -1 if act.is_late else 1
    games = sorted(
        t.games.values(),
        key=lambda x: (latest * x.game.round, not x.has_begun, newest * x.game.board),
    )
    wanted = [each for each in games if each.is_over == act.is_late]
    lines, by_round = [], first_choice(act) == "round"
    if by_round:
        numbers = sorted({each.game.round for each in wanted})
        if not has_rounds:
            numbers, wanted = [1], []  # all their games have one last day
        lines = [ui.Option(f"{text}:{number}:", _whole(event, number)) for number in numbers]
    for each in wanted:
        game = each.game
        chosen = f"{game.round}:{game.id}" if by_round else game.id
        # An unfinished game of an event without rounds says nothing more.
        about = [event.round_name(game.round)] if has_rounds else []
        about += [event.score(each).text] if each.is_over else []
        label, marks = pair_label(event.view, game, plain.who), (f"{game.round}.{game.board}",)
        note = " · ".join(about) or None
        lines.append(ui.Option(f"{text}:{chosen}", label, note, marks=marks))
    return lines


def _whole(event: EventText, number: int) -> str:
    if not event.setup.format.facts.has_rounds or words.has_final(event.setup, number):
        return event.round_name(number)
    return event.say("All of round {round}", round=number)


def _ask_points(ask: _Question, plain: EventText, played: PlayedGame) -> Reply:
    """The result of a game of two by a button; for four it is typed."""
    event = ask.event
    said = [event.players(played.game)]
    if played.is_over:
        said.append(event.say("Now: {result}", result=event.score(played).text))
    if played.is_table:
        said.append(
            event.say(
                "Places are worth 4, 2, 1 and 0 points; ties share them. The order is that above."
            )
        )
        typed = ui.button(ask.control("tpoints"), event.say("Type points"), ui.SUCCESS)
        return ask.page(*ui.rows([typed]), said=said)
    one, two = (plain.who(number) for number in played.game.players)
    results = (
        ((WIN, LOSS), event.say("{player} wins", player=one)),
        ((DRAW, DRAW), event.say("Draw")),
        ((LOSS, WIN), event.say("{player} wins", player=two)),
        ((LOSS, LOSS), event.say("Both lose")),
    )
    buttons = [
        ui.button(ask.control("tplan", f"{ask.text}:{write_points(found)}"), label)
        for found, label in results
        if found != played.points
    ]
    return ask.page(*ui.rows(buttons), said=said)


def confirm_page(
    event: EventText,
    act: DirectorAct,
    preview: Preview,
    *,
    lead: str = "",
    notes: str = "",
    undone: AuditLine | None = None,
) -> Reply:
    """The effect of an act, and its button; ``undone`` is the act that it undoes.

    ``notes`` are lines about parts of the list that it would leave out.
    """
    t, title, said = event.t, act_words(event, act), list[str]()
    if undone is not None:
        said.append(log_line(event, undone))
    if act.is_explained:
        said.append(f"-# {event(act.hint)}")
    if lead:
        said.append(f"**{lead}**")
    if isinstance(act, Invite):
        said += _guests(event, act)
    if notes:
        said.append(notes)
    said += _consequences(event, act, preview)
    arg = write_act(act)
    if act.wants_reason:
        confirm = ui.button(
            Control("twhy", t.id, preview.key, arg), event.say("Give a reason"), ui.DANGER
        )
        said.append(event.say("Players read your reason in the log and in their message."))
    else:
        confirm = ui.button(Control("tdo", t.id, preview.key, arg), event.say("Confirm"), ui.DANGER)
    # Not "Cancel", which is an act itself here.
    back = ui.button(Control("tmanage", t.id), event.say("Back"))
    return event.page(title, said, buttons=[confirm, back])


def _guests(event: EventText, act: Invite) -> Iterator[str]:
    """The guests to invite, and those of the list who are in, as on the page of players."""
    ids = {each.user_id for each in event.t.active}
    for said, is_in in (
        (Text.of("To be invited: {players}"), False),
        (Text.of("Already in: {players}"), True),
    ):
        players = []
        for each in act.guests:
            if (each.user_id in ids) is is_in:
                seed = "" if each.seed is None else f"{each.seed}. "
                rating = "" if each.rating is None else f" ({each.rating})"
                players.append(f"{seed}{event.mention(each.user_id)}{rating}")
        if players:
            yield event(said.filled({"players": ", ".join(players)}))


def _consequences(event: EventText, act: DirectorAct, preview: Preview) -> Iterator[str]:
    """The consequences of an act, a line each."""
    t, ends, own = event.t, set(preview.ends), getattr(act, "game", "")
    forfeits = [each for each in preview.forfeits if each not in ends and each != own]
    for lead, games in (
        (Text.of("Games that get a result without being played:"), forfeits),
        (Text.of("Running matches that end:"), sorted(ends)),
        (Text.of("Running matches in which the others play on:"), preview.left),
        (Text.of("Running matches in which the substitute takes the seat:"), sorted(preview.seats)),
    ):
        yield from _games(event, lead, games)
    out = {x.entrant for x in preview.facts if isinstance(x, f.Withdrawn | f.Excluded)}
    for lead, pairs in (
        (
            Text.of("Challenges that end:"),
            [x for x in t.challenges if out & {*x.pair}],
        ),
        (
            Text.of("Challenges that wait for an answer again:"),
            [x for x in preview.facts if isinstance(x, f.Challenged)],
        ),
    ):
        if pairs:
            yield event(lead)
        for each in pairs:
            one, two = map(event.who, each.pair)
            yield "- " + event.say("{one} challenged {two}.", one=one, two=two)
    finish = preview.finish or t.finish
    day = timestamp(finish, last_day_style(t.begins, finish))
    if finish != t.finish:
        yield event.say("The tournament's last day becomes {date}.", date=day)
    elif isinstance(act, Extend) and time_for_rounds(t):
        yield event.say(
            "The tournament's last day stays {date}; later rounds have less time.", date=day
        )
    for number in preview.undoes:
        yield event.say("Round {round} will be paired again.", round=number)
    waiting = [each for each in preview.unpaired if each not in ends]
    yield from _games(event, Text.of("Games that other players will be in:"), waiting)
    yield from (event(each) for each in type(act).notes(act, t, preview.facts))
    if preview.told:
        yield event.plural(
            "{n} player gets a message.", "{n} players get a message.", n=preview.told
        )
    if preview.is_posted:
        yield event.say("Everyone is told in the tournament's channel.")
    if not preview.told and not preview.is_posted:
        yield event.say("Nobody gets a message; the log shows it.")
    if preview.can_undo:
        yield event.say("You can undo it as long as nothing has followed from it.")
    else:
        yield event.say("It can't be undone.")


def _games(event: EventText, lead: Text, games: Sequence[str]) -> Iterator[str]:
    """The first games, under a line of their own."""
    if games:
        yield event(lead)
    for each in games[:10]:
        if each in event.t.games:
            yield "- " + event.players(event.t.games[each].game)
    if len(games) > 10:
        yield "- " + event.say("And {count} more.", count=len(games) - 10)


def act_words(event: EventText, act: DirectorAct) -> str:
    """The name of an act, as a question or as a report."""
    return event((act.title or act.label).filled(named(event, act)))


def write_points(points: tuple[Fraction | int, ...]) -> str:
    """``1~0``, ``1.2~1.2``: numerator and denominator with a point between them."""
    return "~".join(
        str(each) if each.denominator == 1 else f"{each.numerator}.{each.denominator}"
        for each in points
    )


def read_points(text: str) -> tuple[Fraction, ...]:
    """The reverse of :func:`write_points`; :exc:`~bot.errors.UserError` (``out_of_date``)."""
    found = []
    for each in text.split("~"):
        match = re.fullmatch(r"(\d{1,3})(?:\.([1-9]\d{0,2}))?", each, re.ASCII)
        if match is None:
            raise UserError("out_of_date")
        found.append(Fraction(int(match[1]), int(match[2] or 1)))
    return tuple(found)


_TYPED = re.compile(r"(\d{1,2})?\s*([½⅓⅔¼¾])|(\d{1,3})/([1-9]\d{0,2})|(\d{1,3}(?:[.]\d{1,2})?)")
_MARKS = {mark: value for value, mark in PARTS.items()}


def typed_points(text: str) -> tuple[Fraction, ...]:
    """Points as a director types them: ``4 2 1 0``, ``3½ 3½ 0 0``, ``7/3 7/3 7/3 0``."""
    found = []
    for whole, mark, upper, lower, decimal in _TYPED.findall(text[:60]):
        if mark:
            found.append(int(whole or 0) + _MARKS[mark])
        elif upper:
            found.append(Fraction(int(upper), int(lower)))
        else:
            found.append(Fraction(decimal))
    if not found:
        raise UserError("points_wrong")
    return tuple(found)


def write_act(act: DirectorAct) -> str:
    """An act as the argument of a control: its key and its fields; for a list the key alone."""
    if isinstance(act, Invite):
        return act.key
    return ":".join([act.key, *(_write(each) for each in act.values)])


def _write(value: object) -> str:
    if isinstance(value, datetime):
        return str(int(value.timestamp()))
    return write_points(value) if isinstance(value, tuple) else str(value)


def read_act(text: str) -> DirectorAct:
    """The act of an argument; :exc:`~bot.errors.UserError` (``out_of_date``) for an invalid one."""
    act, given = read_part(text)
    if len(given) != len(fields(act)):
        raise UserError("out_of_date")
    return act(**given)


def read_part(text: str) -> tuple[type[DirectorAct], dict[str, Any]]:
    """An act and its fields chosen so far; refuses like :func:`read_act`."""
    key, *values = text.split(":")
    try:
        act = ACTS[key]
        pairs = zip(fields(act)[: len(values)], values, strict=True)
        return act, {each.name: _read(str(each.type), value) for each, value in pairs}
    except (KeyError, ValueError, OverflowError):
        raise UserError("out_of_date") from None


def _read(kind: str, text: str) -> Any:
    """A field of an act, by its type; :exc:`ValueError` and the like for an invalid one."""
    match kind:
        case "str":
            return text
        case "tuple[Fraction, ...]":
            return read_points(text)
        case "tuple[int, ...]" if text.count("~") < MOST_APART:
            return tuple(_read("int", each) for each in text.split("~"))
        case "UserId":
            if (found := read_id(text)) is not None:
                return UserId(found)
        case "datetime" if re.fullmatch(r"\d{1,11}", text, re.ASCII):
            return datetime.fromtimestamp(int(text), UTC)
        case "int" if re.fullmatch(r"\d{1,9}", text, re.ASCII):
            return int(text)
    raise ValueError(text)


_POINTS = frozenset({"points_wrong"})
_DAYS = frozenset(
    {"moment_unclear", "day_too_far", "date_past", "not_later", "dates_order", "tournament_long"}
)
"""Refusals of typed points and days."""


class Lists(LRUCache[UserId, tuple[TournamentId, Invite]]):
    """The last list of each director until it is confirmed."""

    def __init__(self) -> None:
        super().__init__(50)

    def of(self, user_id: UserId, tournament_id: str) -> Invite:
        """The list of a person for a tournament. Raises ``list_gone``."""
        kept = self.get(user_id)
        if kept is None or kept[0] != tournament_id:
            raise UserError("list_gone")
        return kept[1]


async def directed(context: InteractionContext, control: Control) -> EventText:
    """The tournament of a control, for its directors alone."""
    return may_direct(context, await event_of(context, control))


def may_direct(context: InteractionContext, event: EventText) -> EventText:
    """The same tournament. Raises ``not_director``."""
    if not is_director(visitor_of(context), event.view):
        raise UserError("not_director")
    return event


@on_button("tmanage")
async def manage(context: InteractionContext, click: Click) -> Reply:
    """**Manage**."""
    return await _managed(context, await directed(context, click))


async def _managed(context: InteractionContext, event: EventText, *, lead: str = "") -> Reply:
    log = await context.services.of(TournamentService).audit(visitor_of(context), event.t.id)
    return manage_page(event, log, lead=lead)


@on_button("tagain")
async def post_again(context: InteractionContext, click: Click) -> Reply:
    """**Post again**: the home message, further down in its channel."""
    event = await directed(context, click)
    now = context.services.clock.now()
    await context.services.store.write(tournament_writing.show_again, event.t.id, now)
    return await _managed(context, event, lead=event.say("The home message is posted again."))


# ---- the arguments of an act ---------------------------------------------------------------------


async def _chosen(
    context: InteractionContext, event: EventText, text: str, *, page: int = 0, lead: str = ""
) -> Reply:
    """Ask for the next field of an act, or show its effect."""
    act, given = read_part(text)
    _check(event, given)
    if len(text.split(":")) > len(fields(act)):
        made = read_act(text)
        try:
            return await _planned(context, event, made)
        except UserError as error:  # it is impossible: why is said on the page of all acts
            return await _managed(context, event, lead=context.why(error))
    book, people = context.reader.names, dict[UserId, str]()
    for each in event.t.directors if first_choice(act) == "director" else ():
        people[each] = clean(await book.name(each, event.language), longest=40)
    return await with_names(
        context.reader,
        event,
        lambda plain: ask(event, text, plain=plain, people=people, page=page, lead=lead),
    )


def _check(event: EventText, given: Mapping[str, Any]) -> None:
    """Refuse an act about a game or a player that the event does not have."""
    if given.get("game") and given["game"] not in event.t.games:
        raise UserError("no_such_game")
    if "entrant" in given and event.t.entrant(given["entrant"]) is None:
        raise UserError("not_entered")


@on_menu("tact")
async def choose_act(context: InteractionContext, click: Click) -> Reply:
    """The menu of acts."""
    event = await directed(context, click)
    if click.value not in possible(event.view):
        raise UserError("out_of_date")
    return await _chosen(context, event, click.value)


@on_button("tlist")
async def turn_list(context: InteractionContext, click: Click) -> Reply:
    """Another page of a list to choose from."""
    text, page = click.arg.partition(".")[0], click.version
    return await _chosen(context, await directed(context, click), text, page=page)


@on_menu("tchosen")
@on_button("tplan")
async def plan_act(context: InteractionContext, click: Click) -> Reply:
    """The act of a button, or of a line of a menu: as far as it is chosen."""
    return await _chosen(context, await directed(context, click), click.value or click.arg)


@on_menu("tperson")
async def choose_person(context: InteractionContext, click: Click) -> Reply:
    """A person of the server: to add, to appoint, to play in a place."""
    event = await directed(context, click)
    if not click.values:
        raise UserError("out_of_date")
    try:
        check_guests(context.interaction, with_self=True)
    except UserError as error:
        return await _managed(context, event, lead=context.why(error))
    return await _chosen(context, event, f"{click.arg}:{click.value}")


@on_menu("tpeople")
async def choose_people(context: InteractionContext, click: Click) -> Reply:
    """Players of the event, found among the people of the server: to keep apart."""
    event = await directed(context, click)
    try:
        group = apart_group(event.t, _numbers_of(event, click.values or ()))
    except UserError as error:
        if error.code not in ("apart_players", "not_all_entered"):
            raise
        # The menu stays, so that others can be chosen.
        return await _chosen(context, event, click.arg, lead=context.why(error))
    chosen = write_act(Part(group, 0)).rpartition(":")[0]
    return await _chosen(context, event, chosen)


def _numbers_of(event: EventText, chosen: Sequence[str]) -> list[int]:
    """The numbers of people who were chosen; refuses those who have not entered."""
    found, strangers = [], []
    for each in chosen:
        person = id_in(each)
        entrant = event.t.entrant_of(person)
        if entrant is None:
            strangers.append(event.mention(person))
        else:
            found.append(entrant.number)
    if strangers:
        raise UserError("not_all_entered", players=event.listed(strangers))
    return found


@on_text(
    "tpoints",
    "tpointed",
    Text.of("Type points"),
    Text.of("In the order of seats, like 4 2 1 0"),
    60,
)
async def typed_result(context: InteractionContext, click: Click) -> Reply:
    """The typed points of a table."""
    return await _typed(context, click, "points", lambda: typed_points(click.text), _POINTS)


async def _typed(
    context: InteractionContext,
    click: Click,
    field: str,
    read: Callable[[], Any],
    again: Collection[str],
) -> Reply:
    """The effect of an act with a typed field; refused for these reasons, ask again."""
    event = await directed(context, click)
    act, given = read_part(click.arg)
    if [*given, field] != [each.name for each in fields(act)]:
        raise UserError("out_of_date")
    _check(event, given)
    try:
        return await _planned(context, event, act(**{**given, field: read()}))
    except UserError as error:
        if error.code not in again:
            raise
        return await _chosen(context, event, click.arg, lead=context.why(error))


@on_text(
    "tday",
    "tdayed",
    Text.of("Choose a day"),
    Text.of("For example 14 March, Sat 18:00, in 3 days"),
    60,
)
async def typed_day(context: InteractionContext, click: Click) -> Reply:
    """A day as a director types it, in their time zone."""
    zone = (await context.services.preferences.of(context.user_id)).zone
    now, language = context.services.clock.now(), context.language

    def day() -> datetime:
        return read_moment(click.text, now, zone, language, usual=time(23, 59))

    return await _typed(context, click, "until", day, _DAYS)


# ---- confirming --------------------------------------------------------------------------------


async def _planned(
    context: InteractionContext, event: EventText, act: DirectorAct, *, lead: str = ""
) -> Reply:
    """Show the effect of an act, before it is confirmed."""
    service, visitor = context.services.of(TournamentService), visitor_of(context)
    preview = await service.preview(visitor, event.t.id, act)
    if not preview.facts:
        return await so_already(context, event, act)
    undone = None
    if isinstance(act, Undo):
        log = await service.audit(visitor, event.t.id)
        undone = next((each for each in log if each.seq == act.seq), None)
    return confirm_page(event, act, preview, lead=lead, undone=undone)


async def so_already(
    context: InteractionContext, event: EventText, act: DirectorAct, *, notes: str = ""
) -> Reply:
    """The answer to an act without effect: nothing changes."""
    said = event.say("{act}: it is so already, so nothing was changed.", act=act_words(event, act))
    return await _managed(context, event, lead="\n".join(x for x in (said, notes) if x))


@on_text(
    "twhy",
    "tdone",
    Text.of("Give a reason"),
    Text.of("Reason"),
    LONGEST_REASON,
    hint=Text.of("Players read it in the log and in their message."),
)
@on_button("tdo")
async def confirm(context: InteractionContext, click: Click) -> Reply:
    """The act, confirmed, with its reason if it wants one."""
    act: DirectorAct
    if click.arg == Invite.key:  # a list has no room in a control, so it is remembered
        act = context.services.memory(Lists).of(context.user_id, click.match)
    else:
        act = read_act(click.arg)
    # The answer names the act like the question: a replaced player has no place afterwards.
    event = await directed(context, click)
    _check(event, {each.name: getattr(act, each.name) for each in fields(act)})
    title = act_words(event, act)
    try:
        view = await context.services.of(TournamentService).direct(
            visitor_of(context),
            event.t.id,
            act,
            interaction_id=context.id,
            reason=click.text.strip(),
            seen=click.version,
        )
    except UserError as error:
        if error.code != "tournament_changed":
            raise
        # The confirmed effect differs from the present one: show that, and ask again.
        now = await directed(context, click)
        return await _planned(context, now, act, lead=context.why(error))
    if view.tournament.version == event.t.version:
        return await so_already(context, event, act)
    return await _managed(context, told(context, view), lead=event(act.done, act=title))
