"""The organiser's choices before an event, its format first; and ready-made events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from enum import Enum
from typing import Annotated, Any, NamedTuple, get_type_hints

from bot.domain.keyed import Keyed
from bot.domain.match import Venue
from games.api import OptionValue
from games.view import Text


@dataclass(frozen=True, slots=True)
class FormatFacts:
    """The constants of a format, independent of its organiser.

    ``name`` and ``summary`` are for players. ``rounds`` are the fewest and the most that an
    organiser may choose, None where they follow from the number of players. Without rounds
    (``has_rounds``) games begin whenever two players are free. ``report`` is the type of the event
    in a FIDE report, empty where there is none.
    """

    key: str
    name: Text
    summary: Text
    rounds: tuple[int, int] | None = None
    has_rounds: bool = True
    seats: int = 2
    """The number of players of a game."""
    late_entry: bool = False
    """Whether players may enter while it runs."""
    report: str = ""
    keeps_apart: bool = False
    """Whether directors may keep players apart."""
    pairs: bool = False
    """Whether a round pairs two players, so that they can play two games at the same time."""


class FormatKey(Keyed):
    """The formats; their rules are in :mod:`bot.tournaments.domain.formats`."""

    about: FormatFacts
    ROUND_ROBIN = FormatFacts(
        "round_robin",
        Text.of("Round robin"),
        Text.of("Everyone plays everyone in their division."),
        report="ROUND_ROBIN",
        pairs=True,
    )
    SWISS = FormatFacts(
        "swiss",
        Text.of("Swiss"),
        Text.of("In each round you meet a new opponent with about as many points as you."),
        rounds=(3, 15),
        late_entry=True,
        report="FIDE_DUTCH_2026",
        keeps_apart=True,
        pairs=True,
    )
    KNOCKOUT = FormatFacts(
        "knockout",
        Text.of("Knockout"),
        Text.of("Win and you go on to the next round."),
        report="KNOCKOUT",
        pairs=True,
    )
    TABLES = FormatFacts(
        "tables",
        Text.of("Tables of four"),
        Text.of("Four at a table. Places are worth 4, 2, 1 and 0 points; ties share them."),
        rounds=(1, 17),
        seats=4,
        late_entry=True,
    )
    ARENA = FormatFacts(
        "arena",
        Text.of("Arena"),
        Text.of(
            "Whenever you're free you get the next opponent. A win is worth 2 points, a draw 1,"
            " and both count double after two wins in a row."
        ),
        has_rounds=False,
        late_entry=True,
    )
    LADDER = FormatFacts(
        "ladder",
        Text.of("Ladder"),
        Text.of("Challenge a player above you. If you win, you take their place."),
        has_rounds=False,
        late_entry=True,
    )

    @property
    def facts(self) -> FormatFacts:
        """The constants of the format."""
        return self.about


class Unfinished(Enum):
    """The result of a game that is not over on its last day, unless a director decides it."""

    DRAW = "draw"
    SCORE = "score"
    """The present score, where the game has one all the time."""


class Decider(Enum):
    """The decision when all games are played and the score is level. Stated before the event."""

    EXTRA_GAME = "extra_game"
    """One more game, sides exchanged; if that is drawn too the higher seed advances."""
    SECOND_WINS_DRAW = "second_wins_draw"
    """One more game, which the higher seed begins, and which a draw wins for the other."""
    HIGHER_SEED = "higher_seed"
    """The higher seed advances."""


LARGEST_DIVISION = 10
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


class Within(NamedTuple):
    """The least and the greatest value of a field."""

    least: int | timedelta
    most: int | timedelta


@dataclass(frozen=True, slots=True)
class Setup:
    """An event as it was announced. All instants are aware and UTC.

    ``clock`` is the canonical text of a clock, None for a match without one. ``rounds`` is None
    where they follow from the number of entrants. ``at_once`` is the most running games of one
    player; 0 for all of a round. ``no_show`` is the time for a first move. A player who has lost
    ``time_losses`` games on time is withdrawn, after a warning at the last but one; 0 never.
    ``finish`` is the promised day: games that are not over then are decided.
    """

    name: str
    format: FormatKey
    game: str
    closes: datetime
    begins: datetime
    finish: datetime
    options: Mapping[str, OptionValue] = field(default_factory=dict, hash=False)
    clock: str | None = None
    rounds: int | None = None
    least: int = 2
    most: int = 256
    at_once: Annotated[int, Within(0, 50)] = 0
    rated: bool = False
    takebacks: bool = False
    vacations: bool = False
    late_entry: bool = False
    no_show: Annotated[timedelta, Within(_MINUTE, 14 * _DAY)] = 2 * _DAY
    time_losses: Annotated[int, Within(0, 10)] = 2
    check_in: Annotated[timedelta, Within(0 * _DAY, _DAY)] = 0 * _DAY
    """The time for check-in before the first round; without it there is no check-in."""
    by_hand: bool = False
    """Whether a director orders the seeds; until then players are seeded in order of entry."""
    unfinished: Unfinished = Unfinished.DRAW
    accelerated: bool = False
    """Swiss: in the first half of the rounds the upper half is paired as if it had more points."""
    double: bool = False
    """Round robin: each pair twice. Knockout: out after the second loss."""
    both_sides: bool = False
    """Whether a pairing is two simultaneous games with sides exchanged, whose sum is its result."""
    third_place: bool = False
    best_of: Annotated[int, Within(1, 3)] = 1
    decider: Decider = Decider.EXTRA_GAME
    division: Annotated[int, Within(3, LARGEST_DIVISION)] = LARGEST_DIVISION
    promoted: int = 0
    """Players who rise and fall between two divisions; above 0 the event is a league."""
    final_table: bool = False
    reach: Annotated[int, Within(1, 20)] = 3
    """The most rungs that a challenge may go up."""
    roles: tuple[int, ...] = ()
    """Only people with one of these roles may enter; all if there are none."""
    director_roles: tuple[int, ...] = ()
    """Members with one of these roles direct too, beside the creator and people appointed."""
    winner_role: int | None = None
    """The winner's role, if the server gives one."""
    venue: Venue = Venue.THREAD
    """The place of games: a thread for each, or direct messages."""
    season: int = 1
    """The number of a league's season. From the second on entrants are seeded in order of entry."""
    rating_from: int | None = None
    rating_to: int | None = None

    @property
    def games_at_once(self) -> int:
        """Games of a pairing that are played at the same time."""
        return 2 if self.both_sides else 1


BOUNDS: Mapping[str, Within] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Setup, include_extras=True).items()
    if hasattr(hint, "__metadata__")
}
"""The fields with bounds of their own, independent of the others."""


@dataclass(frozen=True, slots=True)
class Preset:
    """An event under a common ``name``: complete but for its own name and its game.

    Registration is open for ``open_for``, then it begins, and lasts ``lasts``. It begins ``at`` a
    time of day, on a ``weekday``, or where neither is given at a full hour.
    """

    name: Text
    summary: Text
    format: FormatKey
    clock: str
    open_for: timedelta
    lasts: timedelta
    choices: Mapping[str, Any]
    at: time | None = None
    weekday: int | None = None


PRESETS: Mapping[str, Preset] = {
    "monthly_round_robin": Preset(
        Text.of("Monthly round robin"),
        Text.of("Everyone plays everyone by correspondence, three games at a time"),
        FormatKey.ROUND_ROBIN,
        "2d/move",
        5 * _DAY,
        28 * _DAY,
        {"most": 60, "least": 3, "at_once": 3, "no_show": 3 * _DAY}
        | {"rated": True, "vacations": True},
    ),
    "weekend_swiss": Preset(
        Text.of("Weekend Swiss"),
        Text.of("Five live rounds against players with as many points"),
        FormatKey.SWISS,
        "20m+10s",
        2 * _DAY,
        2 * _DAY,
        {"rounds": 5, "most": 64, "least": 6, "no_show": _HOUR / 4}
        | {"rated": True, "late_entry": True},
        time(10),
        5,
    ),
    "cup": Preset(
        Text.of("Cup"),
        Text.of("A knockout by correspondence: win and go on"),
        FormatKey.KNOCKOUT,
        "1d/move",
        5 * _DAY,
        56 * _DAY,
        {"most": 32, "least": 4, "third_place": True, "rated": True},
    ),
    "evening_arena": Preset(
        Text.of("Evening arena"),
        Text.of("Two hours of quick games, one after another"),
        FormatKey.ARENA,
        "5m+3s",
        4 * _HOUR,
        2 * _HOUR,
        {"no_show": _HOUR / 60, "late_entry": True},
        time(19),
    ),
    "club_ladder": Preset(
        Text.of("Club ladder"),
        Text.of("Always open: challenge a player above you"),
        FormatKey.LADDER,
        "2d/move",
        _DAY,
        360 * _DAY,
        {"vacations": True, "rated": True, "late_entry": True},
    ),
    "table_night": Preset(
        Text.of("Table night"),
        Text.of("Tables of four: three rounds and a final table"),
        FormatKey.TABLES,
        "15m+10s",
        4 * _HOUR,
        5 * _HOUR,
        {"rounds": 3, "least": 4, "most": 28, "final_table": True}
        | {"no_show": _HOUR / 6, "unfinished": Unfinished.SCORE},
        time(19),
    ),
}
"""Ready-made events."""


def from_preset(preset: Preset, name: str, game: str, now: datetime, **choices: Any) -> Setup:
    """The set-up of a preset from now on; ``choices`` are other fields of it."""
    begins = now + preset.open_for
    fields: dict[str, Any] = {
        "closes": begins,
        "begins": begins,
        "finish": begins + preset.lasts,
        "clock": preset.clock,
        **preset.choices,
        **choices,
    }
    return Setup(name=name, format=preset.format, game=game, **fields)
