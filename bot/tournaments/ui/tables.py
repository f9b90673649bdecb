"""Standings, crosstables and brackets in the renderers' form, page by page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from bot.i18n import Language
from bot.tournaments.domain.crosstable import CrosstableLine, Kind, Placing, Side, TieBreak
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.formats import knockout as k
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import Tournament, TournamentStatus
from bot.tournaments.services.views import EventView
from bot.tournaments.ui import words
from bot.tournaments.ui.event_lookup import event_of
from bot.tournaments.ui.words import (
    EventText,
    Who,
    has_final,
    plainly,
    points,
    value_words,
)
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, on_button
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Reply
from bot.ui.pages.display_names import clean
from bot.ui.pages.reader import Reader
from games.view import Text
from renderers import Picture, Style
from renderers.bracket import (
    Bracket,
    Match,
    Round,
    Slot,
    Stage,
    bracket_pages,
    bracket_text,
    draw_bracket,
    page_in_play,
)
from renderers.crosstable import (
    CrossRow,
    Crosstable,
    Meeting,
    Met,
    crosstable_pages,
    crosstable_text,
    draw_crosstable,
)
from renderers.tables import ROWS, Row, Table, draw_table, page_count, table_text

_MOST_VALUES = 3
"""Tie-breaks shown beside the points."""
_SHORT: Mapping[TieBreak, Text] = {
    TieBreak.DIRECT_ENCOUNTER: Text.of("Direct"),
    TieBreak.BUCHHOLZ: Text.of("Buchh."),
    TieBreak.BUCHHOLZ_CUT_1: Text.of("Buchh.−1"),
    TieBreak.MEDIAN_BUCHHOLZ: Text.of("Median"),
    TieBreak.SONNEBORN_BERGER: Text.of("SB"),
    TieBreak.WINS: Text.of("Wins"),
    TieBreak.KOYA: Text.of("Koya"),
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page of a table: drawn in a thread, or as letters; ``numbers`` are the entrants on it."""

    draw: Callable[[Style], Picture]
    letters: str
    legend: str = ""
    """The meaning of the letters' signs."""
    numbers: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    """A place and a name for each of them, where there are places."""


def kinds_of(view: EventView) -> tuple[str, ...]:
    """The present tables of an event, the default one first."""
    t = view.tournament
    if t.setup.format is FormatKey.LADDER:
        return ("tstand",) if t.by_rung else ()
    if not t.rounds:
        return ()
    return {FormatKey.KNOCKOUT: ("tbracket", "tstand"), FormatKey.ARENA: ("tstand",)}.get(
        t.setup.format, ("tstand", "tcross")
    )


def sheets_of(event: EventText, which: str) -> tuple[Sheet, ...]:
    """All pages of a table: ``tstand``, ``tcross`` or ``tbracket``."""
    if which == "tbracket":
        return tuple(_bracket_sheets(event))
    found: list[Sheet] = []
    divisions = divisions_of(event.view)
    make = _cross_sheets if which == "tcross" else _standing_sheets
    for division, placings in divisions.items():
        sheets = [*make(event, division, placings)]
        if len(divisions) > 1:
            # The picture's own heading names it.
            name = event.say("Division {number}", number=division)
            sheets = [replace(each, letters=f"{name}\n{each.letters}") for each in sheets]
        found += sheets
    return tuple(found)


def divisions_of(view: EventView) -> Mapping[int, Sequence[Placing]]:
    """The standings by division; an event without divisions has one, of number 0."""
    return {
        division: [each for each in view.standings if each.division == division]
        for division in sorted({each.division for each in view.standings})
    }


def place_text(each: Placing, placings: Iterable[Placing]) -> str:
    """A place in letters; a shared one begins with an equals sign."""
    shared = sum(other.rank == each.rank for other in placings) > 1
    return f"={each.rank}" if shared else str(each.rank)


def _title(event: EventText, division: int) -> str:
    name = clean(event.setup.name, longest=80)
    if len({each.division for each in event.view.standings}) > 1:
        shown = event.say("Division {number}", number=division)
        return f"{name} · {shown}"
    return name


def _footer(event: EventText) -> str:
    t = event.t
    if t.status is TournamentStatus.FINISHED:
        if has_final(t.setup, len(t.rounds)):
            return event.say("Final standings. The final table decided places 1 to 4.")
        return event.say("Final standings")
    if not t.setup.format.facts.has_rounds or t.setup.format is FormatKey.ROUND_ROBIN:
        over = sum(each.is_over for each in t.games.values())
        return event.plural("{n} game over", "{n} games over", n=over)
    return words.round_title(event, len(t.rounds))


def standing_table(event: EventText, division: int, placings: Sequence[Placing]) -> Table:
    """The standings of a division, with the first tie-breaks that all players have."""
    t, form = event.t, event.setup.format
    kinds = [each.tie_break for each in placings[0].values] if placings else []
    shown = [each for each in kinds if each in _SHORT][:_MOST_VALUES]
    heads = [event.say("Points"), *(event(_SHORT[each]) for each in shown)]
    if form is FormatKey.LADDER:
        heads = [event.say("Wins")]
    counts_games = form in (FormatKey.ARENA, FormatKey.TABLES)
    heads += [event.say("Games")] if counts_games else []
    rows = []
    for each in placings:
        values = {value.tie_break: value_words(value) for value in each.values}
        cells = [points(each.points), *(values[kind] for kind in shown if kind in values)]
        if counts_games:
            # A game still running at the end of an arena does not count.
            games = [x for x in t.of_entrant(each.number) if x.is_over]
            is_arena = form is FormatKey.ARENA
            cells.append(str(sum(not is_arena or x.how is not How.UNFINISHED for x in games)))
        place, name, spare = place_text(each, placings), event.who(each.number), f"#{each.number}"
        stands_out = _stands_out(event.view, each)
        rows.append(Row(place, name, tuple(cells), spare, stands_out=stands_out))
    return Table(_title(event, division), tuple(heads), tuple(rows), _footer(event))


def _standing_sheets(
    event: EventText, division: int, placings: Sequence[Placing]
) -> Iterator[Sheet]:
    table = standing_table(event, division, placings)
    for page in range(page_count(table)):
        part = slice(page * ROWS, (page + 1) * ROWS)
        numbers = tuple(each.number for each in placings[part])
        labels = tuple(f"{row.place}. {row.name}" for row in table.rows[part])
        draw = partial(draw_table, table, page=page)
        yield Sheet(draw, table_text(table, page), "", numbers, labels)


def _stands_out(view: EventView, placing: Placing) -> bool:
    """Whether a row stands out: winners at the end; before, in a league, players who would rise."""
    if view.tournament.status is TournamentStatus.FINISHED:
        return placing.rank == 1
    promoted = view.tournament.setup.promoted
    return bool(promoted) and placing.division > 1 and placing.rank <= promoted


def unrated_lines(event: EventText, who: Who) -> list[str]:
    """The players whose rating the event has not changed, with the reason."""
    lines = []
    for has_played, reason in (
        (False, Text.of("Not rated, no game played: {players}")),
        (True, Text.of("Not rated, every game too short to count: {players}")),
    ):
        unrated = event.view.unrated.items()
        names = [who(number) for number, played in unrated if played is has_played]
        if names:
            lines.append(event(reason.filled({"players": event.some(names, _NAMED)})))
    return lines


_NAMED = 10
"""Players named in one line of a table; it counts the rest."""


# ---- crosstables -------------------------------------------------------------------------------


def cross_table(event: EventText, division: int, placings: Sequence[Placing]) -> Crosstable:
    """The crosstable of a division.

    Opponents are named by their lines, since players can share a place.
    """
    t = event.t
    names_lines = t.setup.format is not FormatKey.TABLES
    fixed = t.setup.format is FormatKey.ROUND_ROBIN
    cells = _against(t, division, placings) if fixed else _by_round(t, placings)
    count = len(placings) if fixed else len(t.rounds)
    rows = tuple(
        CrossRow(
            str(line) if names_lines else place_text(each, placings),
            event.who(each.number),
            cells[each.number],
            points(each.points),
            f"#{each.number}",
            stands_out=_stands_out(event.view, each),
        )
        for line, each in enumerate(placings, 1)
    )
    footer = _footer(event)
    if t.setup.format is FormatKey.SWISS:
        footer = f"{footer} · {cross_note(event.language)}"
    heads = tuple(str(number) for number in range(1, count + 1))
    title = _title(event, division)
    return Crosstable(title, heads, event.say("Points"), rows, footer)


def _cross_sheets(event: EventText, division: int, placings: Sequence[Placing]) -> Iterator[Sheet]:
    table = cross_table(event, division, placings)
    numbers = tuple(each.number for each in placings)
    legend = cross_legend(event.setup.format, event.language)
    for page in range(crosstable_pages(table)):
        draw = partial(draw_crosstable, table, page=page)
        yield Sheet(draw, crosstable_text(table, page), legend, numbers)


def cross_note(language: Language) -> str:
    """The note about small letters in the cells of a Swiss tournament."""
    return language.say("small: the opponent's line, + moved first")


def cross_legend(form: FormatKey, language: Language) -> str:
    """The legend of a crosstable in letters."""
    match form:
        case FormatKey.ROUND_ROBIN:
            return language.say(
                "Columns: opponents by line. + and − are results without a game; a dot is a game"
                " still to come."
            )
        case FormatKey.TABLES:
            return language.say(
                "Columns: rounds, with the points of each. A dot is a round still to come, or one"
                " without a table."
            )
    return language.say(
        "Columns: rounds. 3+=½ is a draw with line 3, the + for moving first; 3+ alone is a game"
        " still to come. After the equals sign, + and − are results without a game. – stands for a"
        " bye, a dot for no game."
    )


def _against(
    t: Tournament, division: int, placings: Sequence[Placing]
) -> Mapping[int, tuple[Meeting, ...]]:
    """A cell for each opponent, in the order of places."""
    table = t.crosstable(fixed=True, division=division or None).competitors
    order = [each.number for each in placings]
    found = {}
    for one in order:
        lines = table[one].lines if one in table else ()
        met = (_meeting([each for each in lines if each.opponent == two]) for two in order)
        pairs = zip(order, met, strict=True)
        found[one] = tuple(Meeting(Met.SELF) if one == two else cell for two, cell in pairs)
    return found


def _meeting(lines: Sequence[CrosstableLine], note: str = "") -> Meeting:
    """All games of two players as one cell; ``+`` and ``−`` where none was played."""
    over = [each for each in lines if each.is_over]
    if not over:
        return Meeting(Met.OPEN, "", note)
    letters = " ".join(
        ("+" if each.points else "−") if each.kind is Kind.FORFEIT else points(each.points)
        for each in over
    )
    mine = sum(each.points for each in over)
    half = len(over) / 2
    met = Met.WON if mine > half else Met.LOST if mine < half else Met.DRAWN
    return Meeting(met, letters, note)


def _by_round(t: Tournament, placings: Sequence[Placing]) -> Mapping[int, tuple[Meeting, ...]]:
    """A cell for each round."""
    lines = {each.number: line for line, each in enumerate(placings, 1)}
    if t.setup.format is FormatKey.TABLES:
        return {each.number: tuple(_at_tables(t, each.number)) for each in placings}
    table = t.crosstable()
    found = {}
    for each in placings:
        player = table.competitors[each.number]
        cells = []
        for number in range(1, len(t.rounds) + 1):
            line = player.in_round(number)
            if line is None:
                cells.append(Meeting(Met.OPEN))
            elif line.opponent is None:
                met = Met.WON if line.points == 1 else Met.DRAWN if line.points else Met.LOST
                cells.append(Meeting(met, points(line.points), "–"))
            else:
                side = "+" if line.side is Side.FIRST else ""
                cells.append(_meeting([line], f"{lines.get(line.opponent, '')}{side}"))
        found[each.number] = tuple(cells)
    return found


def _at_tables(t: Tournament, number: int) -> Iterable[Meeting]:
    """A player's points at the table of each round."""
    for a_round in t.rounds:
        here = (each for each in t.in_round(a_round.number) if number in each.game.players)
        played = next(here, None)
        mine = None if played is None else played.points_of(number)
        if played is None or mine is None:
            yield Meeting(Met.OPEN)
            continue
        met = Met.WON if mine == max(played.points or ()) else Met.DRAWN if mine else Met.LOST
        yield Meeting(met, points(mine))


def _bracket_sheets(event: EventText) -> Iterator[Sheet]:
    bracket = bracket_of(event)
    if bracket is None:
        return
    numbers = tuple(each.number for each in event.view.standings)
    for page in range(bracket_pages(bracket)):
        draw = partial(draw_bracket, bracket, page=page)
        yield Sheet(draw, bracket_text(bracket, page), "", numbers)


def bracket_of(event: EventText) -> Bracket | None:
    """The present bracket, None with fewer than two players."""
    if len(k.members(event.t)) < 2:
        return None
    drawing = _Drawing(event)
    footer = event.say("Final result")
    if event.t.status is not TournamentStatus.FINISHED:
        footer = event.say(
            "Round {round} of {rounds}", round=len(event.t.rounds), rounds=drawing.ties.rounds
        )
    return Bracket(clean(event.setup.name, longest=80), drawing.stages(), footer)


class _Drawing:
    """The data for each match of a bracket."""

    def __init__(self, event: EventText) -> None:
        self._event = event
        self._seeds, self.ties, self._found = k.bracket_of(event.t)
        self._labels = {tie.id: str(number) for number, tie in enumerate(self.ties.ties, 1)}

    def stages(self) -> tuple[Stage, ...]:
        """Winners, then in double elimination losers and the final."""
        say = self._event.say
        winners = self._rounds("W")
        third = next((self._match(tie) for tie in self.ties.ties if tie.id == "T"), None)
        if not self._event.setup.double:
            return (Stage("", winners, third),)
        losers = self._rounds("L")
        titles = {"F1": say("Final"), "F2": say("Deciding final")}
        ends = (tie for tie in self.ties.ties if tie.id in titles)
        final = tuple(Round(titles[tie.id], (self._match(tie),)) for tie in ends)
        found = [Stage(say("Winners"), winners), Stage(say("Losers"), losers)]
        return (*(each for each in found if each.rounds), Stage(say("Final"), final))

    def _rounds(self, side: str) -> tuple[Round, ...]:
        by_number: dict[int, list[k.Tie]] = {}
        for tie in self.ties.ties:
            if tie.id[0] == side:
                by_number.setdefault(int(tie.id[1:].partition(".")[0]), []).append(tie)
        found = []
        for number, here in sorted(by_number.items()):
            order = sorted(here, key=lambda tie: int(tie.id.partition(".")[2]))
            matches = tuple(self._match(tie) for tie in order)
            found.append(Round(self._title(side, number, len(here)), matches))
        return tuple(found)

    def _title(self, side: str, number: int, matches: int) -> str:
        say = self._event.say
        if side == "L":
            return say("Round {round}", round=number)
        if matches == 1:
            return say("Winners' final") if self._event.setup.double else say("Final")
        if matches == 2:
            return say("Semi-finals")
        if matches == 4:
            return say("Quarter-finals")
        return say("Round of {n}", n=2 * matches)

    def _match(self, tie: k.Tie) -> Match:
        contest = self._found[tie.id]
        games = [each for each in self._event.t.games.values() if each.game.tie == tie.id]
        if tie.id == "F2" and contest.is_over and not games:
            return Match()
        score: dict[int, Fraction] = {}
        for each in games:
            for number, got in zip(each.game.players, each.points or (), strict=False):
                score[number] = score.get(number, Fraction(0)) + got
        upper = self._slot(tie.one, contest.one, contest, score)
        lower = self._slot(tie.two, contest.two, contest, score)
        called = self._labels[tie.id]
        label = (
            self._event.say("Third place")
            if tie.id == "T"
            else self._event.say("Match {number}", number=called)
        )
        return Match(upper, lower, label, decides=self._decides(tie, contest), number=called)

    def _decides(self, tie: k.Tie, contest: k.Contest) -> bool:
        """Whether its winner has won the event."""
        if tie.id == "F1":
            return contest.is_over and contest.winner == contest.one
        last = "F2" if self._event.setup.double else f"W{self.ties.rounds}.1"
        return tie.id == last

    def _slot(
        self, source: k.Source, seed: int | None, contest: k.Contest, score: Mapping[int, Fraction]
    ) -> Slot | None:
        if seed is None:
            if source.take is k.Take.SEED or self._found[source.tie].is_over:
                return None
            words = (
                self._event.say("winner of {match}", match=self._labels[source.tie])
                if source.take is k.Take.WINNER
                else self._event.say("loser of {match}", match=self._labels[source.tie])
            )
            return Slot(words, waiting=True)
        number = self._seeds[seed - 1]
        other = contest.two if seed == contest.one else contest.one
        shown = points(score[number]) if number in score else ""
        if contest.is_over and other is None:
            shown = self._event.say("bye")
        return Slot(
            self._event.who(number),
            str(seed) if source.take is k.Take.SEED else "",
            shown,
            won=contest.is_over and contest.winner == seed,
            lost=contest.is_over and contest.winner != seed,
            spare=f"#{seed}",
        )


async def home_picture(reader: Reader, event: EventText) -> ui.Picture | None:
    """The picture of a home message: the bracket of a knockout, else the head of the table."""
    sheet = await home_sheet(reader, event)
    return None if sheet is None else await drawn(reader, sheet, event.language)


async def home_sheet(reader: Reader, event: EventText) -> Sheet | None:
    """The table in the picture of a home message, None before anything was drawn."""
    kinds = kinds_of(event.view)
    if not kinds:
        return None
    bracket = bracket_of(event) if "tbracket" in kinds else None
    which, page = ("tstand", 0) if bracket is None else ("tbracket", page_in_play(bracket))
    sheets = await named_sheets(reader, event, which, page=page)
    return sheets[page] if sheets else None


async def drawn(reader: Reader, sheet: Sheet, language: Language) -> ui.Picture | None:
    """The picture of a page, None if it cannot be drawn now."""
    style = Style(theme=reader.theme, locale=language.locale, translate=language)
    found = await reader.pictures.drawn(lambda: sheet.draw(style))
    return None if found is None else ui.Picture(ui.File("table.png", found.png), found.alt_text)


async def named_sheets(
    reader: Reader, event: EventText, which: str, *, page: int = 0
) -> tuple[Sheet, ...]:
    """All pages of a table; names are looked up for the page to show."""
    # The pages of many players take a while.
    blank = await asyncio.to_thread(sheets_of, event.called(lambda number: f"#{number}"), which)
    if not blank:
        return ()
    plain = await plainly(reader, event, blank[min(page, len(blank) - 1)].numbers)
    return await asyncio.to_thread(sheets_of, plain, which)


def table_page(
    event: EventText,
    which: str,
    sheet: Sheet | None,
    *,
    page: int = 0,
    pages: int = 1,
    picture: ui.Picture | None = None,
    kinds: Sequence[str] = (),
) -> Reply:
    """Standings, crosstable or bracket (``which``), a page of it, as a picture or as letters.

    ``kinds`` are the tables to switch between.
    """
    t, title = event.t, event(words.LABELS[which])
    if sheet is None:
        none = event.say("There's nothing to show before the first round.")
        return event.page(title, [], ui.text(none), short=none)
    items: list[ui.Part] = [*ui.pictured(picture)]
    if picture is None:
        below = f"\n-# {sheet.legend}" if sheet.legend else ""
        items.append(ui.text(f"```\n{sheet.letters[:3500]}\n```{below}"))
    if which == "tstand":
        lines = unrated_lines(event, words.mentions_of(event.t, event.language))
        items += [ui.text("\n".join(f"-# {each}" for each in lines))] if lines else []
    if which == "tstand" and sheet.labels:
        places = list(zip(sheet.numbers, sheet.labels, strict=True))[:25]
        options = [words.entrant_option(event, each, label=place) for each, place in places]
        prompt = event.say("Why is a player in this place?")
        items.append(ui.menu(Control("twhyplace", t.id, page), prompt, options))
    shape, other = ("t", "p") if picture is None else ("p", "t")
    buttons = ui.paging(which, event.t.id, page, pages, event.language, arg=shape)
    label = event.say("Picture") if picture is None else event.say("Text version")
    buttons.append(ui.button(Control(which, t.id, page, other), label))
    buttons += [event.button(kind, arg=shape) for kind in kinds if kind != which]
    buttons += [event.button("tpairs"), *([event.button("tfiles")] if t.games else [])]
    return event.page(title, [], *items, buttons=buttons)


async def show_table(
    context: InteractionContext, event: EventText, which: str, page: int, *, as_text: bool
) -> Reply:
    """A page of a table."""
    kinds = kinds_of(event.view)
    if which not in kinds:
        which = kinds[0] if kinds else "tstand"
    sheets = await named_sheets(context.reader, event, which, page=page)
    if not sheets:
        return table_page(event, which, None)
    page = min(page, len(sheets) - 1)
    sheet = sheets[page]
    picture = None if as_text else await drawn(context.reader, sheet, event.language)
    return table_page(
        event, which, sheet, page=page, pages=len(sheets), picture=picture, kinds=kinds
    )


@on_button("tstand", "tcross", "tbracket")
async def table_of(context: InteractionContext, click: Click) -> Reply:
    """**Standings**, **Crosstable**, **Bracket**, a page of them, as a picture or as text."""
    event, as_text = await event_of(context, click), click.arg.startswith("t")
    return await show_table(context, event, click.action, click.version, as_text=as_text)
