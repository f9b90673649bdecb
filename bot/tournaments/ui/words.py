"""Words for a tournament everywhere: players, points, results, rounds, and its buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from bot.domain.ids import UserId
from bot.i18n import Language
from bot.tournaments.domain.acts import DirectorAct
from bot.tournaments.domain.crosstable import Kind, Value
from bot.tournaments.domain.facts import Fact, Fixture, How
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.domain.tournament import PlayedGame, Tournament, TournamentStatus, sum_of
from bot.tournaments.services.views import EventView
from bot.tournaments.store.records import Summary
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.display_names import clean, escape
from bot.ui.pages.reader import Reader
from games.view import Text
from renderers.names import isolated

if TYPE_CHECKING:
    from discord.types.components import ButtonStyle

STATUS_WORDS: Mapping[TournamentStatus, Text] = {
    TournamentStatus.REGISTRATION: Text.of("Registration is open"),
    TournamentStatus.CLOSED: Text.of("Registration is closed"),
    TournamentStatus.RUNNING: Text.of("Running"),
    TournamentStatus.FINISHED: Text.of("Finished"),
    TournamentStatus.CANCELLED: Text.of("Cancelled"),
}

T = TypeVar("T")
_LONGEST = 3900
"""The most characters of a page's lines."""
Who = Callable[[int], str]
"""The name of an entrant, by number, in a message."""


class EventText:
    """A tournament for one reader: in their language, with these names of players.

    ``{event}`` in a sentence is always its name.
    """

    def __init__(
        self, view: EventView, language: Language, who: Who | None = None, name: str = ""
    ) -> None:
        self.view, self.language = view, language
        self.t, self.setup = view.tournament, view.tournament.setup
        self.who = who or mentions_of(self.t, language)
        self.name = name or event_title(self.setup)
        self.listed = language.listed

    def called(self, who: Who, name: str = "") -> EventText:
        """The same with other names of players, or of the tournament too."""
        return EventText(self.view, self.language, who, name or self.name)

    def __call__(self, text: Text, **params: str | int) -> str:
        """A text with its placeholders filled in."""
        given = {"event": self.name, **dict(text.params), **params}
        return self.language(text.filled(given))

    def say(self, message: str, /, **params: str | int) -> str:
        """A sentence."""
        return self(Text(message), **params)

    def plural(self, one: str, many: str, /, *, by: str = "n", **params: str | int) -> str:
        """A sentence whose words depend on a number, the parameter named ``by``."""
        return self(Text(one, many=many, counted=by), **params)

    def players(self, game: Fixture) -> str:
        """The players of a game."""
        return " – ".join(self.who(number) for number in game.players)

    def some(self, names: Sequence[str], most: int) -> str:
        """At most this many names, and the number of the others."""
        more = len(names) - most
        if more <= 0:
            return self.listed(names)
        shown = ", ".join(names[:most])
        return self.plural("{names} and {n} more", "{names} and {n} more", n=more, names=shown)

    def mention(self, user_id: UserId) -> str:
        """A person."""
        return match_text.mention(user_id, self.language)

    def score(self, played: PlayedGame) -> Score:
        """The result of a game; an empty one while it has none."""
        if played.points is None:
            return Score("")
        between = "–" if len(played.points) == 2 else "\u00a0"
        how = None if played.how is None else _HOWS.get(played.how)
        text = between.join(points(each) for each in played.points)
        return Score(text, "" if how is None else self(how))

    def pairing_score(self, games: Sequence[PlayedGame]) -> Score:
        """The sum of the two games of a pairing, once both are over."""
        if any(not each.is_over for each in games):
            return Score("")
        notes = dict.fromkeys(self.score(each).note for each in games)
        text = "–".join(points(each) for each in sum_of(games))
        return Score(text, self.listed(each for each in notes if each))

    def bye(self, kind: Kind, *, own: bool = False) -> str:
        """A round without a game, after a player's name or, for the player (``own``), a colon."""
        form = self.setup.format
        if form is FormatKey.ROUND_ROBIN:
            kind = Kind.ZERO_BYE
        by_format = kind is Kind.PAIRING_BYE and form in _BYES
        return self(_BYES[form if by_format else kind][own])

    def round_name(self, number: int) -> str:
        """``Round 2``, or the name of the last one; an arena and a ladder have none."""
        return round_name(self.setup, number, self.language)

    def heading(self, what: str) -> str:
        """The heading of a page: its content and the tournament."""
        return f"### {self.name}\n**{what}**"

    def page(
        self,
        title: str,
        lines: Iterable[str],
        *items: ui.Part,
        buttons: Iterable[ui.Button] = (),
        short: str = "",
    ) -> Reply:
        """A page under its heading, as much as there is room for; ``short`` is for phones."""
        said = fitting([self.heading(title), *lines])
        return Reply(short or title, Page(ui.text(said), *items, *ui.rows([*buttons])))

    def button(self, action: str, style: ButtonStyle = ui.SECONDARY, arg: str = "") -> ui.Button:
        """A way to another page of the tournament, or an action there."""
        return ui.button(Control(action, self.t.id, 0, arg), self(LABELS[action]), style)

    def table_button(self) -> ui.Button:
        """The way to the main table: the bracket of a knockout, else the standings."""
        is_bracket = self.setup.format is FormatKey.KNOCKOUT
        return self.button("tbracket" if is_bracket else "tstand", ui.PRIMARY)


LABELS: Mapping[str, Text] = {
    "tjoin": Text.of("Join"),
    "there": Text.of("Check in"),
    "tleave": Text.of("Leave"),
    "tladder": Text.of("Challenge"),
    "tmine": Text.of("My games"),
    "tpairs": Text.of("Pairings"),
    "tstand": Text.of("Standings"),
    "tcross": Text.of("Crosstable"),
    "tbracket": Text.of("Bracket"),
    "tplayers": Text.of("Players"),
    "trules": Text.of("Rules"),
    "tlog": Text.of("Log"),
    "tfiles": Text.of("Files"),
    "tshow": Text.of("Show"),
    "tmanage": Text.of("Manage"),
    "tagain": Text.of("Post again"),
}
"""The labels of buttons about a tournament, by their actions."""


_FULL = (
    Text.of("no opponent this round, a full point"),
    Text.of("you have no opponent this round and get a full point."),
)
_BYES: dict[Kind | FormatKey, tuple[Text, Text]] = {
    Kind.PAIRING_BYE: _FULL,
    Kind.FULL_BYE: _FULL,
    Kind.HALF_BYE: (
        Text.of("a bye, half a point"),
        Text.of("you have a bye and get half a point."),
    ),
    Kind.ZERO_BYE: (Text.of("doesn't play this round"), Text.of("you don't play this round.")),
    FormatKey.KNOCKOUT: (Text.of("goes on without a game"), Text.of("you go on without a game.")),
    FormatKey.TABLES: (
        Text.of("sits out this round for 1¾ points"),
        Text.of("you sit out this round and get 1¾ points."),
    ),
}
"""Words about a player and to the player; by format for players left over by the pairing."""


def entrant_option(
    event: EventText, number: int, value: str = "", label: str = "", note: str | None = None
) -> ui.Option:
    """A line of a menu about an entrant, by name and number where nothing else is given.

    Players with the same name are told apart by their ratings, and by their numbers.
    """
    entrant = event.t.entrant(number)
    rating = None if entrant is None else entrant.rating
    marks = "–" if rating is None else str(rating), f"#{number}"
    return ui.Option(value or str(number), label or event.who(number), note, marks=marks)


def event_name(event: Summary, language: Language) -> str:
    """The name of a tournament in a menu, with the season from the second on."""
    name = clean(event.name, longest=80)
    if event.season == 1:
        return name
    return f"{name} · {language.say('season {number}', number=event.season)}"


def event_marks(event: Summary) -> ui.Marks:
    """Marks between tournaments with the same name: the first day, and the id."""
    return f"{event.begins:%Y-%m-%d}", f"…{event.id[-4:]}"


def mentions_of(t: Tournament, language: Language) -> Who:
    """Entrants as mentions, which Discord shows as names."""

    def who(number: int) -> str:
        entrant = t.entrant(number)
        user_id = None if entrant is None else entrant.user_id
        if user_id is None:
            return language.say("Player {number}", number=number)
        return match_text.mention(user_id, language)

    return who


async def plain_names(
    reader: Reader, event: EventText, numbers: Iterable[int] | None = None
) -> Mapping[int, str]:
    """Plain names of some entrants, or of all, for menus and pictures."""
    found = {}
    wanted = [each.number for each in event.t.entrants] if numbers is None else numbers
    for number in dict.fromkeys(wanted):
        entrant = event.t.entrant(number)
        user_id = None if entrant is None else entrant.user_id
        if user_id is None:
            found[number] = event.say("Player {number}", number=number)
        else:
            name = await reader.names.name(user_id, event.language)
            found[number] = clean(name, longest=40)
    return found


async def plainly(
    reader: Reader, event: EventText, numbers: Iterable[int] | None = None
) -> EventText:
    """The same with plain names of some entrants, or of all, which do not affect text direction."""
    names = await plain_names(reader, event, numbers)
    return event.called(lambda number: isolated(names.get(number, f"#{number}")))


async def with_names(reader: Reader, event: EventText, page: Callable[[EventText], T]) -> T:
    """A page with the plain names of the players on it: made once to see whose it asks for."""
    numbers: list[int] = []

    def note(number: int) -> str:
        numbers.append(number)
        return f"#{number}"

    page(event.called(note))
    return page(await plainly(reader, event, numbers))


def board_link(event: EventText, game: str) -> str:
    """A link to the place of a game, on one word, since its players are beside it; else ''."""
    link = event.view.matches.get(game)
    if link is None or link.channel_id is None:
        return ""
    place = f"https://discord.com/channels/{event.view.home.guild_id}/{link.channel_id}"
    word = event.say("Board")
    return f"[{word}]({place})"


def wait_words(event: EventText) -> str:
    """A sentence with the time when waiting games begin, and the reason."""
    wait = event.view.wait
    if wait is None:
        return event.say("Waiting games begin in a moment.")
    if wait.until is None:
        return event.say(
            "The server can't have more matches right now. Waiting games begin as others end; until"
            " then no time runs."
        )
    return event.say(
        "The server can have its next new thread {time}. Waiting games begin then, one by one;"
        " until then no time runs.",
        time=timestamp(wait.until),
    )


def named(event: EventText, what: DirectorAct | Fact) -> dict[str, str | int]:
    """The parameters of an act's or a fact's sentence, made from its fields."""
    said: dict[str, str | int] = {}
    for each in fields(what):
        value = getattr(what, each.name)
        match each.name:
            case "entrant":
                said["player"] = event.who(value)
            case "user_id" | "director":
                said["other"] = event.mention(value)
                said.setdefault("player", said["other"])
            case "entrants":
                said["players"] = event.listed([event.who(each) for each in value])
            case "place":
                said["place"] = value
            case "last":
                said["rounds"] = span_words(value, event.language)
            case "challenger":
                said["one"] = event.who(value)
            case "challenged":
                said["two"] = event.who(value)
            case "round":
                said["round"] = value
                said["what"] = event.round_name(value)
            case "game" if value:
                played = event.t.games.get(value)
                said["game"] = value if played is None else event.players(played.game)
                said["what"] = said["game"]
            case "points":
                said["result"] = "–".join(points(x) for x in value)
            case "until":
                said["date"] = timestamp(value, "f")
    return said


def span_words(last: int, language: Language) -> str:
    """The last round of a choice, after a colon; 0 is for all rounds."""
    if not last:
        return language.say("in every round")
    return language.say("up to round {round}", round=last)


def points(value: Fraction) -> str:
    """Points in the players' form: ``2½``, ``7/3`` as ``2⅓``."""
    whole, rest = divmod(value, 1)
    mark = PARTS.get(rest)
    if mark is not None:
        return f"{whole or ''}{mark}" if rest else str(whole)
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def value_words(value: Value) -> str:
    """A tie-break in the players' form, a dash where it had nothing to compare."""
    return points(value.total) if value.compares else "—"


def points_words(value: Fraction, language: Language) -> str:
    """The same with its noun: ``1 point``, ``2½ points``."""
    n = int(value) if value.denominator == 1 else int(value) + 2
    return language.plural("{points} point", "{points} points", n=n, points=points(value))


PARTS = {
    Fraction(0): "",
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}
"""The symbols for parts of a point."""


def event_title(setup: Setup) -> str:
    """The event's name, cleaned for display."""
    return escape(setup.name, longest=80)


@dataclass(frozen=True, slots=True)
class Score:
    """A game's result in letters, ``1–0`` or ``½–½``, and its reason where that matters."""

    text: str
    note: str = ""


_HOWS: Mapping[How, Text] = {
    How.TIME: Text.of("on time"),
    How.NO_SHOW: Text.of("forfeited"),
    How.UNFINISHED: Text.of("decided on the last day"),
    How.DIRECTOR: Text.of("decided by a director"),
}


def result_of(event: EventText, played: PlayedGame) -> str:
    """The players and the result: ``@Ada – @Ben **1–0**``; at a table all their points.

    Before the end only the players.
    """
    players = played.game.players
    if played.points is None or len(players) == 2:
        between = event.players(played.game)
        score = event.score(played).text
        return f"{between} **{score}**" if score else between
    each_one = zip(players, played.points, strict=True)
    return " · ".join(f"{event.who(number)}\u00a0**{points(worth)}**" for number, worth in each_one)


def has_final(setup: Setup, number: int) -> bool:
    """Whether a round is the final table of an event of tables of four."""
    return setup.final_table and setup.rounds is not None and number > setup.rounds


def meeting_name(event: EventText, game: Fixture) -> str:
    """The names of the last meetings of a knockout, ``Final``; '' for all others."""
    is_double = event.setup.double
    final = "F1" if is_double else f"W{event.view.plan.rounds}.1"
    return {
        "T": event.say("Third place"),
        "F2": event.say("Deciding final"),
        final: event.say("Final"),
    }.get(game.tie, "")


def rounds_of(view: EventView) -> int:
    """The number of rounds with the present entrants, as far as that is known.

    A final table is not counted: it has a name instead of a number.
    """
    rounds = view.plan.rounds
    return rounds - has_final(view.tournament.setup, rounds)


def round_title(event: EventText, number: int) -> str:
    """``Round 2 of 5``, or the name of the last one."""
    if has_final(event.setup, number):
        return event.say("Final table")
    rounds = max(rounds_of(event.view), number)
    return event.say("Round {round} of {rounds}", round=number, rounds=rounds)


def round_name(setup: Setup, number: int, language: Language) -> str:
    """``Round 2``, or the name of the last one; an arena and a ladder have none."""
    if not setup.format.facts.has_rounds:
        return language.say("The whole tournament")
    if has_final(setup, number):
        return language.say("Final table")
    return language.say("Round {round}", round=number)


def fitting(lines: Sequence[str]) -> str:
    """Lines as one text, as many as fit into a message."""
    kept: list[str] = []
    room = _LONGEST
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            kept.append("…")
            break
        kept.append(line)
    return "\n".join(kept)
