"""The terms of a tournament in words: its kind, its pace, and all that its setup decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Literal

from bot.domain.clock import DAY
from bot.domain.clock_text import read_clock
from bot.domain.rating_range import RatingRange
from bot.i18n import Language
from bot.tournaments.domain.formats.base import Effort
from bot.tournaments.domain.formats.knockout import THIRD_FROM
from bot.tournaments.domain.formats.open_ended import ANSWER, INACTIVE
from bot.tournaments.domain.planning import event_plan, moves_a_day
from bot.tournaments.domain.setup import Decider, FormatKey, Setup, Unfinished
from bot.ui.pages import clock_text, match_text
from bot.ui.pages.clock_text import duration, timestamp
from games import catalog
from games.view import Text

DECIDERS: Mapping[Decider, tuple[Text, ...]] = {
    Decider.EXTRA_GAME: (
        Text.of("If level: one more game"),
        Text.of("If that is drawn, the higher seed goes on."),
    ),
    Decider.SECOND_WINS_DRAW: (
        Text.of("If level: one deciding game"),
        Text.of("A draw wins for the player who moves second."),
    ),
    Decider.HIGHER_SEED: (Text.of("If level: the higher seed goes on"),),
}
"""A line for each, and what it means."""


def format_name(setup: Setup, language: Language) -> str:
    """The kind of event, as people call it."""
    if setup.format is FormatKey.ROUND_ROBIN and setup.promoted:
        return language.say("League")
    if setup.double and setup.format is FormatKey.ROUND_ROBIN:
        return language.say("Double round robin")
    if setup.double and setup.format is FormatKey.KNOCKOUT:
        return language.say("Double elimination")
    return language(setup.format.facts.name)


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


def promise(setup: Setup, language: Language, *, entrants: int | None = None) -> str:
    """The meaning of taking part.

    For as many entrants as there are once they are known, before that for as many as may enter.
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
        begin, end = (timestamp(each, "t") for each in (setup.begins, setup.finish))
        said.append(language.say("From {begin} to {end}, on the minute.", begin=begin, end=end))
    else:
        date = timestamp(setup.finish, last_day_style(setup.begins, setup.finish))
        said.append(language.say("Over by {date} at the latest.", date=date))
    return " ".join(said)


def last_day_style(begins: datetime, finish: datetime) -> Literal["D", "f"]:
    """The style of an event's end: a day, or of an event of a few hours the time too."""
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
    """All terms that decide something, a line each; those of joining only until it ``is_over``.

    For as many entrants as there are once they are known, before that for as many as may enter.
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
        label, *meaning = DECIDERS[setup.decider]
        yield Text.of("{sentence}.", sentence=language(label))
        yield from meaning
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


def first_move_words(setup: Setup, language: Language) -> Iterator[str]:
    """By when a player must have made a first move; without a clock on the last day of the game."""
    if setup.clock is not None:
        yield language.say(
            "A first move is due within {time}. Otherwise the game is forfeited.",
            time=duration(first_move_time(setup), language),
        )


def first_move_time(setup: Setup) -> timedelta:
    """The time for a first move: the limit of the event, or the clock's where that is less."""
    control = None if setup.clock is None else read_clock(setup.clock)
    return setup.no_show if control is None else min(setup.no_show, control.bank)


def entry_lines(setup: Setup, language: Language) -> Iterator[str]:
    """The conditions of entry, where not everybody may enter."""
    if setup.roles:
        roles = language.listed(f"<@&{role}>" for role in setup.roles)
        yield language.say("For members with {roles}", roles=roles)
    if setup.rating_from is not None or setup.rating_to is not None:
        band = RatingRange(setup.rating_from, setup.rating_to)
        yield language.say("Rating range: {band}", band=str(band))


def size_words(setup: Setup, language: Language) -> str:
    """The number of players."""
    if setup.least == setup.most:
        return language.plural("{n} player", "{n} players", n=setup.most)
    return language.say("{least} to {most} players", least=setup.least, most=setup.most)
