"""Why? on pairings and places: the facts that count, in plain words and opponent by opponent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from bot.errors import UserError
from bot.tournaments.domain.crosstable import (
    LOSS,
    Basis,
    Cut,
    Kind,
    Placing,
    Side,
    Term,
    TieBreak,
    Value,
)
from bot.tournaments.domain.facts import Fixture, How
from bot.tournaments.domain.formats.knockout import members
from bot.tournaments.domain.formats.open_ended import Arena, arena_points
from bot.tournaments.domain.formats.swiss import acceleration
from bot.tournaments.domain.formats.tables import TablePlace, Tables
from bot.tournaments.domain.running import played_game
from bot.tournaments.domain.setup import FormatKey, Unfinished
from bot.tournaments.domain.tournament import Entrant, EntrantStatus, PlayedGame, Tournament
from bot.tournaments.domain.why import (
    Float,
    Strength,
    WhyBye,
    WhyPairing,
    WhyPlayer,
    earlier,
    met_before,
    why_bye,
    why_pairing,
)
from bot.tournaments.services.views import EventView
from bot.tournaments.ui.home_page import pairing_line
from bot.tournaments.ui.words import EventText, has_final, points, points_words, value_words
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Option, Part, Reply, menu
from games.view import Text

_GROUP = 12
"""Members of a score group who are named."""


Said = Iterator[Text | str]


def _why_page(
    event: EventText, title: str, number: int, about: str, *reasons: Iterable[Text | str]
) -> Reply:
    """A page of reasons, with the way to the pairings of the round."""
    lines = [x if isinstance(x, str) else event(x) for each in reasons for x in each]
    said = [*([about] if about else []), *dict.fromkeys(lines)]
    return event.page(title, said, buttons=[event.button("tpairs", arg=str(number))])


def why_game_page(event: EventText, game: str) -> Reply:
    """The reasons of a game's pairing. Raises ``no_such_game``."""
    t, played = event.t, played_game(event.t, game)
    games = next(x for x in t.pairings(t.games.values()) if played in x)
    between = pairing_line(event, games) if len(games) > 1 else event.players(played.game)
    # The first game of a pairing stands for it; a meeting of a knockout may have had others before.
    asked = played if t.setup.format is FormatKey.KNOCKOUT else games[0]
    reasons = _reasons(event, asked.game)
    decided = (said for each in games for said in _decided(event, each))
    title, number = event.say("Why this pairing?"), played.game.round
    return _why_page(event, title, number, between, reasons, decided)


def _reasons(event: EventText, game: Fixture) -> Said:
    t, setup, first, last = event.t, event.setup, game.players[0], game.players[-1]
    match setup.format:
        case FormatKey.SWISS:
            yield from _swiss(event, game)
        case FormatKey.ROUND_ROBIN:
            if any(each.game.division > 1 for each in t.games.values()):
                by_rating = Text.of("Division {number}: players of about the same rating.")
                by_place = Text.of(
                    "Division {number}, by the places of the last season. New players begin at the"
                    " bottom."
                )
                yield event(by_place if setup.season > 1 else by_rating, number=game.division)
            yield Text.of(
                "Everyone meets everyone in a round robin. FIDE's Berger table says in which round,"
                " and that sides alternate."
            )
            yield Text.of("{player} moves first in this game.", player=event.who(first))
        case FormatKey.KNOCKOUT:
            one, two = (members(t).index(number) + 1 for number in game.players)
            yield Text.of(
                "Seeds {one} and {two}. In the bracket the best seeds can meet only late.",
                one=one,
                two=two,
            )
            yield Text.of(
                "{player} moves first. Sides alternate in a meeting.", player=event.who(first)
            )
        case FormatKey.TABLES:
            yield from _met(event, game)
        case FormatKey.ARENA:
            had = []
            for number in game.players:
                before = (t.games[each.id] for each in earlier(t, game) if number in each.players)
                mine = sum(arena_points(each.points_of(number) or LOSS for each in before))
                had.append(f"{event.who(number)} {mine}")
            said = ", ".join(had)
            yield Text.of("Both were free. Points before the game: {points}", points=said)
            yield Text.of(
                "The player with the most points gets the opponent nearest in points, but not the"
                " last one they met."
            )
            if any(_had_just_met(t, game, number) for number in game.players):
                yield Text.of(
                    "They had just met, but no other opponent was free for either of them."
                )
        case FormatKey.LADDER:
            yield Text.of(
                "{challenger} challenged {player}, who moves first.",
                challenger=event.who(last),
                player=event.who(first),
            )


def _swiss(event: EventText, game: Fixture) -> Said:
    table, (one, two) = event.t.crosstable(), game.players
    pairing = why_pairing(table, game.round, one, two, acceleration(event.t))
    yield from _bonus(pairing.bonus)
    yield _score_groups(event, pairing)
    if pairing.met_before is None and pairing.not_played is not None:
        yield Text.of(
            "They were paired in round {round}, but that game wasn't played, so they can still"
            " meet.",
            round=pairing.not_played,
        )
    elif pairing.met_before is None:
        yield Text.of("They hadn't met before. Nobody meets the same opponent twice.")
    else:
        yield Text.of(
            "They met before, in round {round}: no other pairing of the round was possible.",
            round=pairing.met_before,
        )
    if any({*game.players} <= {*group} for group in event.t.rounds[game.round - 1].apart):
        yield Text.of(
            "A director wanted to keep them apart, but no other pairing of the round was possible."
        )
    heading = event.say("Who moves first")
    yield f"**{heading}**"
    both = (pairing.first, pairing.second)
    yield from (_sides(event, each) for each in both)
    yield _granted(event, pairing)
    floats = [said for each in both if (said := _floats(event, each, pairing.round))]
    if floats:
        heading = event.say("Earlier rounds")
        yield from (f"**{heading}**", *floats)
    said = event.say(
        "All pairs of a round are chosen together, by the FIDE Dutch rules: nobody meets twice,"
        " as few players as possible leave their score group, then sides are balanced."
    )
    yield f"-# {said}"


def _score_groups(event: EventText, pairing: WhyPairing) -> Text:
    high, low = pairing.first, pairing.second
    if low.points > high.points:
        high, low = low, high
    if pairing.round == 1 and not pairing.bonus:
        return Text.of(
            "Nobody has points in round 1. The upper half by rating meets the lower half, in order."
        )
    had = points_words(high.points, event.language)
    others = [each for each in pairing.group if each not in (high.number, low.number)]
    if not pairing.is_float and not others:
        return Text.of("Both had {points}, and nobody else did.", points=had)
    if not pairing.is_float:
        group = _some(event, others)
        return Text.of("Both had {points}. So had: {group}", points=had, group=group)
    return Text.of(
        "{high} had {more} and {low} {fewer}. Inside their score group no fitting opponent"
        " was left for {high}, so they play one from the next group.",
        high=event.who(high.number),
        more=had,
        low=event.who(low.number),
        fewer=points(low.points),
    )


def _bonus(value: Fraction) -> Said:
    """A remark on an accelerated round, with its points."""
    if value:
        yield Text.of(
            "This round is accelerated: in its pairing alone, the upper half by rating counts with"
            " +{points}.",
            points=points(value),
        )


def _some(event: EventText, numbers: Sequence[int]) -> str:
    return event.some([event.who(each) for each in numbers], _GROUP)


_DUE = {
    Strength.MILD: Text.of(
        "{player}: first {firsts}×, second {seconds}×. It's their turn to move {due}."
    ),
    Strength.STRONG: Text.of(
        "{player}: first {firsts}×, second {seconds}×. They should move {due}."
    ),
    Strength.ABSOLUTE: Text.of(
        "{player}: first {firsts}×, second {seconds}×. They must move {due}."
    ),
    Strength.NONE: Text.of("{player}: no game so far, so either side is fine."),
}


def _sides(event: EventText, player: WhyPlayer) -> str:
    """A player's first moves so far, and their due side."""
    due = event.say("first") if player.due is Side.FIRST else event.say("second")
    counts = {"firsts": player.firsts, "seconds": player.seconds}
    return "- " + event(_DUE[player.strength], player=event.who(player.number), due=due, **counts)


def _granted(event: EventText, pairing: WhyPairing) -> Text:
    first, second = pairing.wishes_granted
    name = event.who(pairing.first.number)
    if first and second:
        return Text.of("{player} moves first, which suits both.", player=name)
    return Text.of(
        "{player} moves first. Both were due the same side, and {other} gave way: the other"
        " player's claim was stronger, or the higher place decided.",
        player=name,
        other=event.who((pairing.second if first else pairing.first).number),
    )


_FLOATS = {
    Float.DOWN: Text.of("round {round}: an opponent with fewer points"),
    Float.UP: Text.of("round {round}: an opponent with more points"),
}


def _floats(event: EventText, player: WhyPlayer, number: int) -> str:
    """The rounds in which a player was recently out of their score group."""
    lately = enumerate(player.floats, number - len(player.floats))
    said = [event(_FLOATS[each], round=at) for at, each in lately if each in _FLOATS]
    if player.byes:
        rounds = event.listed(str(each) for each in player.byes)
        said.append(event.say("no game in round {rounds}", rounds=rounds))
    return f"- {event.who(player.number)} · {', '.join(said)}" if said else ""


def _met(event: EventText, game: Fixture) -> Said:
    """How often the players of a table had met."""
    yield Text.of("Tables are made so that players meet as many different opponents as possible.")
    met = met_before(event.t, game)
    counts = set(met.values())
    if counts <= {0}:
        yield Text.of("No two players of this table had met before.")
    elif len(counts) == 1:
        yield Text.plural(
            "All players of this table had met each other once before.",
            "All players of this table had met each other {n} times before.",
            n=counts.pop(),
        )
    else:
        for n in sorted(counts - {0}, reverse=True):
            pairs = [(event.who(x), event.who(y)) for (x, y), times in met.items() if times == n]
            yield _pairs_met(pairs, n)


def _pairs_met(pairs: Sequence[tuple[str, str]], n: int) -> Text:
    """The pairs with that many meetings."""
    if len(pairs) > 1:
        return Text.plural(
            "Had met once before: {pairs}.",
            "Had met {n} times before: {pairs}.",
            n=n,
            pairs=", ".join(f"{one} – {two}" for one, two in pairs),
        )
    return Text.plural(
        "{player} and {other} had met once before.",
        "{player} and {other} had met {n} times before.",
        n=n,
        player=pairs[0][0],
        other=pairs[0][1],
    )


def _had_just_met(t: Tournament, game: Fixture, number: int) -> bool:
    """Whether a player's last game before this one was with the same opponent."""
    mine = [each.game for each in t.of_entrant(number)]
    before = mine[: mine.index(game)]
    return bool(before) and set(before[-1].players) == set(game.players)


def why_no_game_page(event: EventText, number: int, entrant: int) -> Reply:
    """Why a player has no game in a round. Raises ``no_round``, ``not_entered``."""
    t, title = event.t, event.say("Why no opponent?")
    if not 0 < number <= len(t.rounds):
        raise UserError("no_round")
    kind = t.rounds[number - 1].byes.get(entrant)
    if kind is None:
        raise UserError("not_entered")
    if t.setup.format is FormatKey.SWISS and kind is Kind.PAIRING_BYE:
        why = why_bye(t.crosstable(), number, entrant, acceleration(t))
        return _why_page(event, title, number, "", _left_over(event, why))
    reasons = _without_game(event, number, entrant, kind)
    return _why_page(event, title, number, event.who(entrant), reasons)


def _left_over(event: EventText, why: WhyBye) -> Said:
    name = event.who(why.player.number)
    yield Text.of(
        "An odd number of players was left, so one has no opponent and gets a full point. It's a"
        " player with as few points as possible who hadn't been left over before."
    )
    yield from _bonus(why.bonus)
    had = points_words(why.player.points, event.language)
    yield Text.of("{player} had {points}.", player=name, points=had)
    if why.spared:
        yield Text.of(
            "Had been left over, or got a point without a game, before: {players}",
            players=_some(event, why.spared),
        )
    if why.others:
        yield Text.of(
            "Could have been left over too: {players}. With {player} out, the rest of the round"
            " fits best.",
            players=_some(event, why.others),
            player=name,
        )


def _without_game(event: EventText, number: int, entrant: int, kind: Kind) -> Said:
    t, player, name = event.t, event.t.entrants[entrant - 1], event.who(entrant)
    if t.setup.format is FormatKey.ROUND_ROBIN:
        yield Text.of(
            "The division has an odd number of players, so each sits out one round, in the order of"
            " the Berger table."
        )
    elif kind.is_requested:
        yield _not_there(player, number, kind, name)
        is_half = kind is Kind.HALF_BYE
        yield Text.of("It's worth half a point.") if is_half else Text.of("It's worth nothing.")
    elif t.setup.format is FormatKey.KNOCKOUT:
        yield Text.of(
            "The bracket has more places than players, so the best seeds go on without a game."
        )
        seed = members(t).index(entrant) + 1
        yield Text.of("{player} is seed {seed}.", player=name, seed=seed)
    else:
        yield Text.of(
            "The players don't fill all tables of four, so some sit out, those first who have sat"
            " out least often. It's worth 1¾ points, what a place is worth on average."
        )


def _not_there(player: Entrant, number: int, kind: Kind, name: str) -> Text:
    """Why a player was not to be paired."""
    if number < player.since:
        return Text.of("{player} joined after this round was paired.", player=name)
    if number in player.byes:
        return Text.of("{player} asked for a bye in this round.", player=name)
    if kind is Kind.HALF_BYE:
        return Text.of(
            "The rules didn't allow a pairing of all players, so one sat out: the lowest in the"
            " standings that made a pairing of the others possible."
        )
    return Text.of("{player} had left before this round was paired.", player=name)


def _decided(event: EventText, played: PlayedGame) -> Said:
    """The origin of a game's result, if it was not played."""
    if played.points is None or (played.how is How.PLAYED and not played.lost_on_time):
        return
    heading = event.say("The result")
    yield f"**{heading}**"
    t, both = event.t, zip(played.game.players, played.points, strict=True)
    lost = [t.entrants[each - 1] for each, mine in both if not mine]
    excluded = [each.number for each in lost if each.standing is EntrantStatus.EXCLUDED]

    def names(numbers: Iterable[int]) -> dict[str, str | int]:
        return {"players": event.listed(event.who(each) for each in numbers)}

    gone = names(each.number for each in lost)
    match played.how:
        case How.DIRECTOR if excluded:
            said = Text.of(
                "A director excluded {players}. That forfeits every game that isn't over."
            )
            gone = names(excluded)
        case How.DIRECTOR:
            said = Text.of("A director decided it. The log has the reason.")
        case How.TIME | How.PLAYED:
            said, gone = Text.of("Time ran out for {players}."), names(played.lost_on_time)
        case How.UNFINISHED if t.setup.format is FormatKey.ARENA:
            said = Text.of("It wasn't over when the arena ended, so it doesn't count.")
        case How.UNFINISHED if t.setup.unfinished is Unfinished.SCORE:
            said = Text.of(
                "It wasn't over on its last day, {date}, so the score on the board decided."
            )
        case How.UNFINISHED if played.is_table and lost:
            said = Text.of(
                "It wasn't over on its last day, {date}. {players} had left the table, so the other"
                " players share the points."
            )
        case How.UNFINISHED:
            said = Text.of(
                "It wasn't over on its last day, {date}. By the rules of this event the points are"
                " shared."
            )
        case _ if played.has_begun:
            said = Text.of("{players} didn't make a first move in time.")
            gone = names(played.lost_on_time)
        case _:
            said = Text.of("{players} had left before the game began.")
    yield event(said, date=timestamp(played.until, "D"), **gone)
    resigned, excluded = _left_before(t, played)
    if resigned:
        yield event(Text.of("Resigned before that: {players}."), **names(resigned))
    if excluded:
        yield event(Text.of("Excluded before that: {players}."), **names(excluded))


def _left_before(t: Tournament, played: PlayedGame) -> tuple[list[int], list[int]]:
    """Players who had left the table before a clock or an absent player ended the game.

    Those who had resigned, and those who were excluded.
    """
    if not played.is_table or played.how not in (How.TIME, How.NO_SHOW):
        return [], []
    seats = zip(played.game.players, played.points or (), strict=True)
    out = [x for seat, (x, got) in enumerate(seats) if seat not in played.late and not got]
    excluded = [x for x in out if t.entrants[x - 1].standing is EntrantStatus.EXCLUDED]
    return [x for x in out if x not in excluded], excluded


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
        yield f"{at}. {event.who(other)}: **{got}**{doubled}"


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
                yield f"- {name} · {others}: **{points(got)}**"
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
    said = f"{number} · {name}: "
    if tie_break is TieBreak.SONNEBORN_BERGER:
        said += f"{points(term.points)} × {points(term.score)} = {points(term.value)}"
    elif tie_break is TieBreak.KOYA and term.basis is Basis.NOTHING:
        said += event.say("0, they have only {points}", points=points(term.score))
    else:
        said += points(term.value)
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
