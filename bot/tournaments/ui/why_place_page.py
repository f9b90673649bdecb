"""Why? on places: every number that counts, and its sum opponent by opponent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from bot.tournaments.domain.formats.open_ended import Arena
from bot.tournaments.domain.formats.tables import TablePlace, Tables
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tiebreaks import Basis, Cut, Placing, Term, TieBreak, Value
from bot.tournaments.domain.tournament import EntrantStatus
from bot.tournaments.services.views import EventView
from bot.tournaments.ui.words import EventText, has_final, points, points_words, value_words
from bot.ui.pages.components import Control, Option, Part, Reply, menu
from games.view import Text

_GAMES = 15
"""Games of an arena that are listed one by one."""

TIE_BREAKS: Mapping[TieBreak, tuple[Text, Text]] = {
    TieBreak.POINTS: (Text.of("Points"), Text.of("A win is 1 point, a draw ½.")),
    TieBreak.DIRECT_ENCOUNTER: (
        Text.of("Direct encounter"),
        Text.of("Points from the games among the players who are tied up to here."),
    ),
    TieBreak.BUCHHOLZ: (
        Text.of("Buchholz"),
        Text.of("The points of all opponents added up: the player who met stronger ones is ahead."),
    ),
    TieBreak.BUCHHOLZ_CUT_1: (
        Text.of("Buchholz, lowest left out"),
        Text.of("The points of all opponents added up, without the opponent with the fewest."),
    ),
    TieBreak.MEDIAN_BUCHHOLZ: (
        Text.of("Median Buchholz"),
        Text.of(
            "The points of all opponents added up, without the opponents with the fewest and"
            " the most."
        ),
    ),
    TieBreak.SONNEBORN_BERGER: (
        Text.of("Sonneborn-Berger"),
        Text.of("The points of every opponent you beat, and half of those you drew with."),
    ),
    TieBreak.WINS: (Text.of("Wins"), Text.of("How many rounds brought a full point.")),
    TieBreak.KOYA: (
        Text.of("Koya"),
        Text.of("Points against opponents who have at least half of all possible points."),
    ),
}


def why_place_page(event: EventText, standing: Placing, chosen: TieBreak | None) -> Reply:
    """A place with all its values, one of them opponent by opponent."""
    title = event.say("Why place {rank}?", rank=standing.rank)
    above, name = _above(event.view, standing), event.who(standing.number)
    lines = [name]
    match event.t.entrants[standing.number - 1].standing:
        case EntrantStatus.EXCLUDED:
            lines.append(
                event.say(
                    "A director excluded {player}, who comes after all others whatever the numbers"
                    " say, and wins nothing.",
                    player=name,
                )
            )
        case EntrantStatus.WITHDRAWN:
            lines.append(
                event.say(
                    "{player} has withdrawn. Games that hadn't begun are lost, all others count.",
                    player=name,
                )
            )
    if not standing.values:
        lines += _without_values(event, standing)
    # The first number in which the player differs from the one above.
    differ = (x for x in standing.values if above.get(x.tie_break, x).total != x.total)
    deciding = next((each.tie_break for each in differ), None)
    shown = standing.value(chosen or deciding or TieBreak.POINTS)
    shown = shown or standing.value(TieBreak.POINTS)
    for place, value in enumerate(standing.values, 1):
        line = f"{place}. {event(TIE_BREAKS[value.tie_break][0])} **{value_words(value)}**"
        if value.tie_break is deciding:
            line += _said_above(event, value_words(above[deciding]))
        lines.append(line)
    items: list[Part] = []
    if shown is not None:
        lines.append("-# " + event.say("The first number in which two players differ decides."))
        lines += ["", *_sum(event, shown)]
        options = [
            Option(
                value.tie_break.name.lower(),
                event(TIE_BREAKS[value.tie_break][0]),
                event(TIE_BREAKS[value.tie_break][1])[:100],
                chosen=value is shown,
            )
            for value in standing.values
        ]
        control = Control("twhyvalue", event.t.id, arg=str(standing.number))
        items.append(menu(control, event.say("Show the sum of"), options))
    return event.page(title, lines, *items, buttons=[event.button("tstand")])


def _above(view: EventView, standing: Placing) -> Mapping[TieBreak, Value]:
    """The values of the next player above; empty at the top."""
    own = view.place_of(standing.number)
    entrant = view.tournament.entrants[standing.number - 1]
    if own is None or entrant.standing is EntrantStatus.EXCLUDED:
        return {}  # no number decided this place
    here = (each for each in view.standings if each.division == own.division)
    higher = [each for each in here if each.rank < standing.rank]
    return {each.tie_break: each for each in higher[-1].values} if higher else {}


def _said_above(event: EventText, worth: str) -> str:
    """The value of the player above, behind the number that separates the two."""
    return " ← " + event.say("the player above has {points}", points=worth)


def _arena(event: EventText, number: int) -> Iterator[str]:
    """The sources of an arena's points: game by game, or the sum of very many."""
    over, score = Arena().counted(event.t, number), Arena().score(event.t, number)
    if not over:
        return
    yield ""
    yield event.say(
        "A win is 2 points, a draw 1. After two wins in a row games count double, up to and"
        " including the first that isn't won."
    )
    plain = [2 * (each.points_of(number) or 0) for each in over]
    if len(over) > _GAMES:
        pairs = zip(score, plain, strict=True)
        sums = (str(got) if got == worth else f"**{got}**" for got, worth in pairs)
        yield event.say(
            "Game by game, those that count double in bold: {points}", points=" + ".join(sums)
        )
        return
    for at, (each, got, worth) in enumerate(zip(over, score, plain, strict=True), 1):
        other = next(x for x in each.game.players if x != number)
        doubled = f" = 2 × {worth}" if got != worth else ""
        yield f"{at}. {event.language.pair(event.who(other), f'**{got}**{doubled}')}"


def _tables(event: EventText, number: int) -> Iterator[str]:
    """The tie-breaks between players at tables of four, and each table that brought points."""
    t, places = event.t, Tables().before_final(event.t)
    mine = next(each for each in places if each.number == number)
    above = next((each for each in reversed(places) if each.rank < mine.rank), None)
    names = (
        event(TIE_BREAKS[TieBreak.POINTS][0]),
        event.say("Points at tables with players who have as many"),
        event(TIE_BREAKS[TieBreak.WINS][0]),
    )
    if any(has_final(t.setup, each.game.round) for each in t.of_entrant(number)):
        above = None  # the final table decided this place
    theirs = _numbers(mine if above is None else above)
    is_equal = True
    for at, (name, worth) in enumerate(zip(names, _numbers(mine), strict=True)):
        line = f"{at + 1}. {name} **{points(worth)}**"
        if is_equal and theirs[at] != worth:
            line += _said_above(event, points(theirs[at]))
            is_equal = False
        yield line
    yield "-# " + event.say("The first number in which two players differ decides.")
    yield ""
    for done in t.rounds:
        name = event.round_name(done.number)
        if number in done.byes:
            yield f"- {name} · {event.bye(done.byes[number])}"
        for each in t.in_round(done.number):
            got = each.points_of(number) if number in each.game.players else None
            if got is not None:
                others = event.listed([event.who(x) for x in each.game.players if x != number])
                yield f"- {event.language.pair(f'{name} · {others}', f'**{points(got)}**')}"
    if t.setup.final_table:
        yield event.say("The final table decides places 1 to 4.")


def _numbers(place: TablePlace) -> tuple[Fraction, ...]:
    return place.points, place.together, Fraction(place.wins)


def _without_values(event: EventText, standing: Placing) -> Iterator[str]:
    match event.setup.format:
        case FormatKey.KNOCKOUT:
            yield event.say(
                "The place is the round in which a player was put out: later is better."
            )
        case FormatKey.TABLES:
            yield from _tables(event, standing.number)
        case FormatKey.ARENA:
            yield f"{points_words(standing.points, event.language)}."
            yield event.say("Equal points: fewer games for them are ahead.")
            yield from _arena(event, standing.number)
        case FormatKey.LADDER:
            yield event.say("The place is the rung on the ladder.")


def _sum(event: EventText, value: Value) -> Iterator[str]:
    """A value, term by term."""
    name, meaning = TIE_BREAKS[value.tie_break]
    yield f"**{event(name)}**"
    yield event(meaning)
    yield from (f"- {_term(event, value.tie_break, term)}" for term in value.terms)
    if not value.compares:
        yield event.say("No games between players who are tied up to here.")
        return
    if not value.terms:
        yield event.say("Nothing to add up yet.")
    yield event.say("Sum: {points}", points=f"**{points(value.total)}**")


def _term(event: EventText, tie_break: TieBreak, term: Term) -> str:
    name = event.say("no opponent") if term.opponent is None else event.who(term.opponent)
    number = event.say("Round {round}", round=term.round)
    if tie_break is TieBreak.SONNEBORN_BERGER:
        worth = f"{points(term.points)} × {points(term.score)} = {points(term.value)}"
    elif tie_break is TieBreak.KOYA and term.basis is Basis.NOTHING:
        worth = event.say("0, they have only {points}", points=points(term.score))
    else:
        worth = points(term.value)
    said = event.language.pair(f"{number} · {name}", worth)
    if term.basis in _BASES:
        said += f" ({event(_BASES[term.basis])})"
    if term.cut is not None:
        return f"~~{said}~~ {event(_CUTS[term.cut])}"
    return said


_BASES: Mapping[Basis, Text] = {
    Basis.ADJUSTED: Text.of("a bye they asked for at the end counts as a draw"),
    Basis.OWN: Text.of("no game was played, so your own points count"),
    Basis.OWN_AT_MOST_OPPONENT: Text.of(
        "no game was played, so your own points count, at most those of the opponent"
    ),
    Basis.OWN_AT_MOST_DRAWS: Text.of(
        "no game was played, so your own points count, at most a draw in every round"
    ),
}
_CUTS: Mapping[Cut, Text] = {
    Cut.LEAST: Text.of("left out: the lowest"),
    Cut.LEAST_UNPLAYED: Text.of("left out: a round not played by choice goes first"),
    Cut.GREATEST: Text.of("left out: the highest"),
}
