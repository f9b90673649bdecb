"""What directors are shown: all they can do, and what each act would change before it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.domain.ids import UserId
from bot.domain.tournaments import acts
from bot.domain.tournaments.acts import ACTS, first_choice
from bot.domain.tournaments.crosstable import DRAW, LOSS, WIN
from bot.domain.tournaments.directing import MOST_APART
from bot.domain.tournaments.formats.swiss import Swiss
from bot.domain.tournaments.inviting import MOST_LINES
from bot.domain.tournaments.tournament import PlayedGame, Tournament
from bot.i18n import Language
from bot.services.tournaments.views import AuditLine, EventView
from bot.ui.pages.components import (
    DANGER,
    SUCCESS,
    Control,
    Option,
    Page,
    Part,
    Reply,
    Row,
    button,
    cut_to_page,
    entity_menu,
    menu,
    paging,
    rows,
    text,
)
from bot.ui.pages.display_names import escape, mark_of
from bot.ui.pages.match_text import cut
from bot.ui.tournaments import words
from bot.ui.tournaments.act_writing import write_act, write_points
from bot.ui.tournaments.home_page import state_line
from bot.ui.tournaments.log_page import log_line
from bot.ui.tournaments.page_parts import title_of
from bot.ui.tournaments.player_pages import pair_label
from bot.ui.tournaments.words import Who

LISTED = 24
"""Lines of a menu on one page of it, which leaves room to go on."""


def possible(view: EventView) -> tuple[str, ...]:
    """The acts that make sense as the event stands; the service has the last word."""
    moved = {name for name, link in view.matches.items() if link.ply}
    return acts.possible(view.tournament, moved)


def manage_page(
    view: EventView, log: Sequence[AuditLine], language: Language, who: Who, *, lead: str = ""
) -> Reply:
    """All that a director can do, and the last thing one did, which may be undone."""
    t = view.tournament
    title = language.say("Manage")
    said = [title_of(view, title), state_line(view, language)]
    if lead:
        said.append(f"**{lead}**")
    last = [each for each in log if each.by_director][:3]
    if last:
        said.append(language.say("Lately:"))
        said += [log_line(t, each, language, who) for each in last]
    keys = possible(view)
    items: list[Part] = [text(cut("\n".join(said), 3500))]
    if keys:
        options = [Option(key, language(ACTS[key].label), _hint(t, key, language)) for key in keys]
        items.append(
            menu(Control("tact", t.id), language.say("What would you like to do?"), options)
        )
    buttons = [button(Control("tlog", t.id), language.say("Log"))]
    undoable = next((each for each in log if each.can_undo), None)
    if undoable is not None:
        is_last = not any(
            each.by_director and each.at > undoable.at and not each.is_undone for each in log
        )
        label = language.say("Undo last act") if is_last else language.say("Undo an earlier act")
        buttons.append(button(Control("tplan", t.id, arg=f"undo:{undoable.seq}"), label, DANGER))
    if t.games:
        buttons.append(button(Control("tfiles", t.id), language.say("Files")))
    if not t.status.is_final:
        buttons.append(button(Control("tagain", t.id), language.say("Post again")))
    return Reply(lead or title, Page(*items, *rows(buttons)))


def _hint(t: Tournament, key: str, language: Language) -> str:
    """What follows from an act; games of an event without rounds have one last day."""
    if first_choice(ACTS[key]) == "round" and not t.setup.format.facts.has_rounds:
        return words.round_name(t.setup, 1, language)
    return language(ACTS[key].hint)


# ---- choosing what an act is about --------------------------------------------------------------


def ask_person(view: EventView, purpose: str, language: Language) -> Reply:
    """Ask for a person of the server: to add, to appoint, or to play in a place."""
    key = purpose.partition(":")[0]
    said = language(ACTS[key].label)
    prompt = language.say("Choose a person")
    choose = entity_menu("user", Control("tperson", view.tournament.id, arg=purpose), prompt, ())
    return Reply(said, Page(text(title_of(view, said)), choose, *_back(view, language)))


def ask_entrant(view: EventView, purpose: str, page: int, language: Language, plain: Who) -> Reply:
    """Ask for a player of the event; none who has played can be replaced."""
    t = view.tournament
    entrants = [t.entrants[number - 1] for number in t.seeding]
    if ACTS[purpose] is acts.Replace:
        entrants = [x for x in entrants if not any(each.is_over for each in t.of_entrant(x.number))]
    lines = [
        Option(
            str(each.number),
            plain(each.number),
            None if each.rating is None else str(each.rating),
            marks=words.entrant_marks(t, each.number),
        )
        for each in entrants
        if each.is_active
    ]
    return _listed(view, ("tentrant", purpose), lines, language, page=page)


def ask_seed(view: EventView, number: int, page: int, language: Language, plain: Who) -> Reply:
    """Ask for the place of a player in the seeding: whose it is now."""
    t = view.tournament
    seeds = [each for each in t.seeding if t.entrants[each - 1].is_active]
    lines = [
        Option(
            write_act(acts.Seed(number, place)),
            language.say("Place {place}: {player}", place=place, player=plain(each)),
            marks=words.entrant_marks(t, each),
        )
        for place, each in enumerate(seeds, 1)
        if each != number
    ]
    about = f"{acts.Seed.key}:{number}"
    return _listed(view, ("tchosen", about), lines, language, page=page, lead=plain(number))


def ask_list(view: EventView, language: Language, *, lead: str = "") -> Reply:
    """How a list is written, and the button to paste one."""
    t = view.tournament
    title = language(acts.Invite.label)
    said = [
        title_of(view, title),
        *_led(lead),
        language.say(
            "Write one player on each line: a mention, an id or the exact name. A seed and a rating"
            " can follow, with commas: `Ada, 1, 1850`. The rating counts for the seeding of this"
            " tournament only."
        ),
        language.say(
            "Players get a message and are in once they press **Join**. A list can have up to"
            " {most} lines; `/tournament invite` takes it as a file, text or CSV.",
            most=MOST_LINES,
        ),
    ]
    paste = button(Control("tpaste", t.id), language.say("Paste a list"), SUCCESS)
    page = Page(text(cut("\n".join(said), 3900)), *rows([paste]), *_back(view, language))
    return Reply(lead or title, page)


def ask_people(view: EventView, purpose: str, language: Language, *, lead: str = "") -> Reply:
    """Ask for players, found among the people of the server, who are to be kept apart."""
    title = language(ACTS[purpose].label)
    said = [title_of(view, title), *_led(lead), f"-# {language(ACTS[purpose].hint)}"]
    prompt = language.say("Choose from 2 to {most} players", most=MOST_APART)
    control = Control("tpeople", view.tournament.id, arg=purpose)
    choose = entity_menu("user", control, prompt, (), most=MOST_APART)
    return Reply(lead or title, Page(text("\n".join(said)), choose, *_back(view, language)))


def ask_span(view: EventView, act: acts.Part, language: Language, who: Who) -> Reply:
    """Ask until which round players are to be kept apart."""
    t = view.tournament
    title = language(act.label)
    players = language.listed([who(each) for each in act.entrants])
    rounds = range(len(t.rounds) + 1, Swiss().most_rounds(t))
    options = [Option(str(last), words.span_words(last, language)) for last in (0, *rounds)]
    prompt = language.say("Until when?")
    choose = menu(Control("tspan", t.id, arg=write_act(act).rpartition(":")[0]), prompt, options)
    said = text("\n".join([title_of(view, title), players]))
    return Reply(title, Page(said, choose, *_back(view, language)))


def ask_apart(view: EventView, purpose: str, page: int, language: Language, plain: Who) -> Reply:
    """Ask for players who are kept apart."""
    lines = [
        Option(
            write_act(acts.Rejoin(each.entrants)),
            language.listed([plain(number) for number in each.entrants]),
            words.span_words(each.last, language),
            marks=tuple(f"#{number}" for number in each.entrants),
        )
        for each in view.tournament.apart
        if each.holds_in(len(view.tournament.rounds) + 1)
    ]
    return _listed(view, ("tchosen", purpose), lines, language, page=page)


def ask_director(view: EventView, language: Language, names: Mapping[UserId, str]) -> Reply:
    """Ask for a director who was appointed."""
    t = view.tournament
    lines = [Option(f"dismiss:{each}", names[each], marks=(mark_of(each),)) for each in t.directors]
    return _listed(view, ("tchosen", "dismiss"), lines, language)


def ask_game(view: EventView, purpose: str, page: int, language: Language, plain: Who) -> Reply:
    """Ask for a game: one that is not over, to correct one that is; a round too for more time.

    What is played now comes first, and of what is over the latest.
    """
    t = view.tournament
    act = ACTS[purpose]
    newest = 1 if t.setup.format.facts.has_rounds else -1
    latest = -1 if act.is_late else 1
    games = sorted(
        t.games.values(),
        key=lambda x: (latest * x.game.round, not x.has_begun, newest * x.game.board),
    )
    wanted = [each for each in games if each.is_over == act.is_late]
    lines = []
    if first_choice(act) == "round":
        numbers = sorted({each.game.round for each in wanted})
        lines = [Option(f"{number}:", _whole(t, number, language)) for number in numbers]
        if not t.setup.format.facts.has_rounds:
            # All their games have one last day.
            lines, wanted = [Option("1:", _whole(t, 1, language))], []
    lines += [
        Option(
            f"{each.game.round}:{each.game.id}",
            pair_label(view, each.game, plain),
            _about(t, each, language),
            marks=(f"{each.game.round}.{each.game.board}",),
        )
        for each in wanted
    ]
    return _listed(view, ("tgame", purpose), lines, language, page=page)


def _whole(t: Tournament, number: int, language: Language) -> str:
    name = words.round_name(t.setup, number, language)
    if not t.setup.format.facts.has_rounds or words.has_final(t.setup, number):
        return name
    return language.say("All of round {round}", round=number)


def _about(t: Tournament, played: PlayedGame, language: Language) -> str | None:
    """The round and the result; of a game that isn't over in an event without rounds nothing."""
    has_rounds = t.setup.format.facts.has_rounds
    number = words.round_name(t.setup, played.game.round, language) if has_rounds else ""
    result = words.score_of(played, language).text
    return " · ".join(each for each in (number, result) if each) or None


def _listed(
    view: EventView,
    control: tuple[str, str],
    lines: Sequence[Option],
    language: Language,
    *,
    page: int = 0,
    lead: str = "",
) -> Reply:
    """A menu of which a page is shown, with buttons to the others."""
    t = view.tournament
    action, purpose = control
    title = language(ACTS[purpose.partition(":")[0]].label)
    said = "\n".join([title_of(view, title), *_led(escape(lead) if lead else "")])
    here, page, pages = cut_to_page(lines, page, LISTED)
    if not here:
        none = language.say("There's nothing to choose from.")
        return Reply(none, Page(text(said), text(none), *_back(view, language)))
    choose = menu(Control(action, t.id, arg=purpose), title, here)
    buttons = paging("tlist", view.tournament.id, page, pages, language, arg=purpose)
    items: list[Part] = [text(said), choose, *rows(buttons)]
    return Reply(title, Page(*items, *_back(view, language)))


def ask_result(
    view: EventView,
    act: str,
    game: str,
    language: Language,
    *,
    who: Who,
    plain: Who,
    lead: str = "",
) -> Reply:
    """Ask for the result of a game of two by a button; of four it is typed."""
    t = view.tournament
    played = t.games[game]
    title = language(ACTS[act].label)
    between = words.players_of(played.game, who)
    said = [title_of(view, title), *_led(lead), between]
    if played.is_over:
        result = words.score_of(played, language)
        said.append(language.say("Now: {result}", result=result.text))
    if len(played.game.players) > 2:
        said.append(
            language.say(
                "Places are worth 4, 2, 1 and 0 points; ties share them. The order is that above."
            )
        )
        typed = button(
            Control("tpoints", t.id, arg=f"{act}:{game}"), language.say("Type points"), SUCCESS
        )
        page = Page(text("\n".join(said)), *rows([typed]), *_back(view, language))
        return Reply(lead or title, page)
    one, two = (plain(number) for number in played.game.players)
    results = (
        ((WIN, LOSS), language.say("{player} wins", player=one)),
        ((DRAW, DRAW), language.say("Draw")),
        ((LOSS, WIN), language.say("{player} wins", player=two)),
        ((LOSS, LOSS), language.say("Both lose")),
    )
    buttons = [
        button(Control("tplan", t.id, arg=f"{act}:{game}:{write_points(found)}"), label)
        for found, label in results
        if found != played.points
    ]
    return Reply(title, Page(text("\n".join(said)), *rows(buttons), *_back(view, language)))


def ask_day(
    view: EventView, purpose: str, what: str, language: Language, *, lead: str = ""
) -> Reply:
    """Ask for a day by a form."""
    t = view.tournament
    day = button(Control("tday", t.id, arg=purpose), language.say("Choose a day"), SUCCESS)
    said = "\n".join([title_of(view, what), *_led(lead)])
    return Reply(lead or what, Page(text(said), *rows([day]), *_back(view, language)))


def _led(lead: str) -> list[str]:
    return [f"**{lead}**"] if lead else []


def _back(view: EventView, language: Language) -> list[Row]:
    return rows([button(Control("tmanage", view.tournament.id), language.say("Back"))])
