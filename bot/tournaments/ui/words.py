"""The words for a tournament everywhere: its kind, terms, points, and demands on players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from bot.domain.clock import DAY
from bot.domain.clock_text import read_clock
from bot.domain.ids import UserId
from bot.domain.rating_range import RatingRange
from bot.i18n import Language
from bot.tournaments.domain.acts import DirectorAct
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.facts import Fact, Fixture, How
from bot.tournaments.domain.formats.base import Effort
from bot.tournaments.domain.formats.knockout import THIRD_FROM
from bot.tournaments.domain.formats.open_ended import ANSWER, INACTIVE
from bot.tournaments.domain.planning import event_plan, moves_a_day
from bot.tournaments.domain.setup import Decider, FormatKey, Setup, Unfinished
from bot.tournaments.domain.tiebreaks import Value
from bot.tournaments.domain.tournament import PlayedGame, Tournament, TournamentStatus, sum_of
from bot.tournaments.services.views import EventView
from bot.tournaments.store.records import Summary
from bot.ui.pages import clock_text, match_text
from bot.ui.pages.clock_text import duration, timestamp
from bot.ui.pages.components import (
    PRIMARY,
    SECONDARY,
    Button,
    Control,
    Marks,
    Page,
    Part,
    Reply,
    button,
    rows,
    text,
)
from bot.ui.pages.display_names import clean, escape
from bot.ui.pages.presenter import BoardPresenter
from games import catalog
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
DECIDERS: Mapping[Decider, Text] = {
    Decider.EXTRA_GAME: Text.of("If level: one more game, then the higher seed goes on."),
    Decider.SECOND_WINS_DRAW: Text.of(
        "If level: one more game, in which a draw wins for the player who moves second."
    ),
    Decider.HIGHER_SEED: Text.of("If level: the higher seed goes on."),
}

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
        *items: Part,
        buttons: Iterable[Button] = (),
        short: str = "",
    ) -> Reply:
        """A page under its heading, as much as there is room for; ``short`` is for phones."""
        said = fitting([self.heading(title), *lines])
        return Reply(short or title, Page(text(said), *items, *rows([*buttons])))

    def button(self, action: str, style: ButtonStyle = SECONDARY, arg: str = "") -> Button:
        """A way to another page of the tournament, or an action there."""
        return button(Control(action, self.t.id, 0, arg), self(_LABELS[action]), style)

    def table_button(self) -> Button:
        """The way to the main table: the bracket of a knockout, else the standings."""
        is_bracket = self.setup.format is FormatKey.KNOCKOUT
        return self.button("tbracket" if is_bracket else "tstand", PRIMARY)


_LABELS: Mapping[str, Text] = {
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


def entrant_marks(t: Tournament, number: int) -> Marks:
    """Marks between players with the same name: the rating, and the number."""
    entrant = t.entrant(number)
    rating = None if entrant is None else entrant.rating
    return "–" if rating is None else str(rating), f"#{number}"


def event_marks(event: Summary) -> Marks:
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
    presenter: BoardPresenter, event: EventText, numbers: Iterable[int] | None = None
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
            name = await presenter.names.name(user_id, event.language)
            found[number] = clean(name, longest=40)
    return found


async def plainly(
    presenter: BoardPresenter, event: EventText, numbers: Iterable[int] | None = None
) -> EventText:
    """The same with plain names of some entrants, or of all, which do not affect text direction."""
    names = await plain_names(presenter, event, numbers)
    return event.called(lambda number: isolated(names.get(number, f"#{number}")))


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


def format_name(setup: Setup, language: Language) -> str:
    """The common name of the kind of event."""
    if setup.format is FormatKey.ROUND_ROBIN and setup.promoted:
        return language.say("League")
    if setup.double and setup.format is FormatKey.ROUND_ROBIN:
        return language.say("Double round robin")
    if setup.double and setup.format is FormatKey.KNOCKOUT:
        return language.say("Double elimination")
    return language(setup.format.facts.name)


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


def terms(setup: Setup, language: Language) -> str:
    """One line: kind of event, game with options, clock, rated or not."""
    kind = catalog.GAMES.get(setup.game)
    said = [f"**{match_text.named_game(setup.game)}**", format_name(setup, language)]
    if setup.season > 1:
        said.append(language.say("season {number}", number=setup.season))
    if kind is not None:
        said.append(match_text.options(kind.info, setup.options, language, brief=True))
    if setup.rounds is not None and setup.format in (FormatKey.SWISS, FormatKey.TABLES):
        rounds = language.plural("{n} round", "{n} rounds", n=setup.rounds)
        said.append(
            language.say("{rounds} and a final table", rounds=rounds)
            if setup.final_table
            else rounds
        )
    if setup.both_sides:
        said.append(language.say("two games at once"))
    elif setup.best_of > 1:
        said.append(language.say("best of {n}", n=setup.best_of))
    clock = None if setup.clock is None else read_clock(setup.clock)
    said.append(clock_text.clock_words(clock, language))
    said.append(language.say("rated") if setup.rated else language.say("casual"))
    return " · ".join(each for each in said if each)


def promise(setup: Setup, language: Language, *, entrants: int | None = None) -> list[str]:
    """The meaning of taking part; the first line is the most important.

    It is for the actual number of entrants once known, before that for the largest one.
    """
    found = event_plan(setup, setup.most if entrants is None else entrants)
    said = [_pace(setup, found, language)]
    if setup.format is FormatKey.LADDER:
        said.append(
            language.plural(
                "Challenge players up to {reach} place above you.",
                "Challenge players up to {reach} places above you.",
                by="reach",
                reach=setup.reach,
            )
        )
    if setup.format is FormatKey.ARENA:
        said.append(
            language.say(
                "From {begin} to {end}, on the minute.",
                begin=timestamp(setup.begins, "t"),
                end=timestamp(setup.finish, "t"),
            )
        )
    else:
        date = timestamp(setup.finish, last_day_style(setup.begins, setup.finish))
        said.append(language.say("Over by {date} at the latest.", date=date))
    return said


def last_day_style(begins: datetime, finish: datetime) -> Literal["D", "f"]:
    """The style of an event's end: a day, or for an event of a few hours the time too."""
    return "D" if finish - begins > DAY else "f"


def _pace(setup: Setup, found: Effort, language: Language) -> str:
    """The number of games, those at once, and by correspondence the pace."""
    if not found.games:
        return language.say("One game at a time, as many as you like.")
    if setup.final_table:
        games = language.plural(
            "At most {n} game for each player, and one more for the four at the final table",
            "At most {n} games for each player, and one more for the four at the final table",
            n=found.games - 1,
        )
    else:
        games = language.plural(
            "At most {n} game for each player", "At most {n} games for each player", n=found.games
        )
    if found.at_once < found.games:
        at_once = language.plural("{n} at a time", "{n} at a time", n=found.at_once)
    else:
        at_once = language.say("all at once") if found.games > 1 else ""
    pace = ""
    control = None if setup.clock is None else read_clock(setup.clock)
    turns = moves_a_day(setup, found.games)
    if turns and (control is None or control.bank >= DAY):
        if turns >= 1.5:
            pace = language.plural("about {n} move a day", "about {n} moves a day", n=round(turns))
        elif turns >= 0.75:
            pace = language.say("about a move a day")
        else:
            pace = language.plural(
                "about a move every {n} day",
                "about a move every {n} days",
                n=max(2, round(1 / turns)),
            )
    said = games
    for part in filter(None, (at_once, pace)):
        said = language.say("{first}, {then}", first=said, then=part)
    return language.say("{sentence}.", sentence=said)


def rules_lines(
    setup: Setup, language: Language, *, entrants: int | None = None, is_over: bool = False
) -> list[str]:
    """All terms with consequences, a line each; those of joining only until it ``is_over``.

    They are for the actual number of entrants once known, before that for the largest one.
    """
    said = [*_of_format(setup, entrants or setup.most, language)]
    if setup.by_hand and not is_over:
        said.append(Text.of("A director orders the seeds."))
    if setup.check_in and not is_over:
        before = Text.of(
            "Check-in opens {time} before the start. If you don't check in, you aren't paired.",
            time=duration(setup.check_in, language),
        )
        said.append(before)
    late = [Text.of("You can still join after the start.")]
    rest = [*_of_games(setup), *(late if setup.late_entry and not is_over else [])]
    return [*map(language, said), *first_move_words(setup, language), *map(language, rest)]


def _of_format(setup: Setup, entrants: int, language: Language) -> Iterator[Text]:
    yield setup.format.facts.summary
    is_cup = setup.format is FormatKey.KNOCKOUT
    if setup.format in (FormatKey.SWISS, FormatKey.TABLES):
        yield Text.of("A round begins as soon as the one before is over.")
    if setup.both_sides:
        yield Text.of("Two opponents play two games at the same time, one from each side.")
    if setup.both_sides and not is_cup:
        yield Text.of(
            "Both games together are won, drawn or lost: that's 1, ½ or 0 points in the table."
        )
    if is_cup and setup.double:
        yield Text.of("You're out after your second loss.")
    elif is_cup and setup.third_place and entrants >= THIRD_FROM:
        yield Text.of("There's a match for third place.")
    if is_cup and setup.best_of > 1 and not setup.both_sides:
        yield Text.of(
            "Two opponents play up to {n} games and exchange sides after each.", n=setup.best_of
        )
    if is_cup:
        yield DECIDERS[setup.decider]
    if setup.promoted:
        yield Text.plural(
            "{n} player rises and falls between two divisions after each season.",
            "{n} players rise and fall between two divisions after each season.",
            n=setup.promoted,
        )
        yield Text.of("The next season begins by itself, and you're in unless you leave.")
    if setup.format is FormatKey.LADDER:
        yield Text.of(
            "A challenge waits {time} for an answer, then it counts as declined. Between two games"
            " you can decline once; declining again counts as a loss.",
            time=duration(ANSWER, language),
        )
        yield Text.of(
            "After {time} without a game you sink by one rung.", time=duration(INACTIVE, language)
        )
    if setup.accelerated:
        yield Text.of(
            "The first half of the rounds is accelerated: in the pairing alone, the upper half by"
            " rating counts with +1, later with +½."
        )
    if setup.final_table:
        yield Text.of(
            "The best four meet at a final table, which decides places 1 to 4. Its points don't"
            " count in the standings."
        )


def _of_games(setup: Setup) -> Iterator[Text]:
    losses = setup.time_losses if setup.clock is not None else 0
    if losses == 1:
        yield Text.of("You're out after one loss on time.")
    elif losses:
        yield Text.plural(
            "You're out after {n} loss on time. You're warned before.",
            "You're out after {n} losses on time. You're warned before.",
            n=losses,
        )
    if setup.format is FormatKey.ARENA:
        yield Text.of("Games still running at the end don't count.")
    elif setup.unfinished is Unfinished.SCORE:
        yield Text.of(
            "A game that isn't over on its last day is decided by the score on the board, unless a"
            " director decides it before."
        )
    else:
        yield Text.of(
            "A game that isn't over on its last day is a draw, unless a director decides it before."
        )
    yield Text.of("Takebacks are allowed.") if setup.takebacks else Text.of("No takebacks.")
    if setup.vacations:
        yield Text.of("Vacation stops your clocks.")
    else:
        yield Text.of("Vacation doesn't stop your clocks.")


def first_move_words(setup: Setup, language: Language) -> list[str]:
    """The deadline of a player's first move; without a clock on the last day of the game."""
    if setup.clock is None:
        return []
    return [
        language.say(
            "A first move is due within {time}. Otherwise the game is forfeited.",
            time=duration(first_move_time(setup), language),
        )
    ]


def first_move_time(setup: Setup) -> timedelta:
    """The time for a first move: the limit of the event, or the clock's if that is less."""
    control = None if setup.clock is None else read_clock(setup.clock)
    return setup.no_show if control is None else min(setup.no_show, control.bank)


def entry_lines(setup: Setup, language: Language) -> list[str]:
    """The conditions of entry, if entry is restricted."""
    said = []
    if setup.roles:
        roles = language.listed(f"<@&{role}>" for role in setup.roles)
        said.append(language.say("For members with {roles}", roles=roles))
    if setup.rating_from is not None or setup.rating_to is not None:
        band = RatingRange(setup.rating_from, setup.rating_to)
        said.append(language.say("Rating range: {band}", band=str(band)))
    return said


def size_words(setup: Setup, language: Language) -> str:
    """The number of players."""
    if setup.least == setup.most:
        return language.plural("{n} player", "{n} players", n=setup.most)
    return language.say("{least} to {most} players", least=setup.least, most=setup.most)


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
