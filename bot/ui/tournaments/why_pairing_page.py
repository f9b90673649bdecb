"""Why? on pairings: what the rules weigh in words an outsider follows, and where nobody played."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from bot.domain.tournaments.crosstable import Kind, Side
from bot.domain.tournaments.facts import Fixture, How
from bot.domain.tournaments.formats.knockout import members
from bot.domain.tournaments.setup import FormatKey, Unfinished
from bot.domain.tournaments.tournament import Entrant, EntrantStatus, PlayedGame, Tournament
from bot.domain.tournaments.why import Float, Strength, WhyBye, WhyPairing, WhyPlayer
from bot.i18n import Language
from bot.services.tournaments.views import WhyGame
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Page, Reply, button, rows, text
from bot.ui.tournaments.home_page import pairing_line
from bot.ui.tournaments.words import EventText, fitting, listed, points, points_words

_GROUP = 12
"""Members of a score group that are named."""


def why_game_page(event: EventText, why: WhyGame) -> Reply:
    """Why a game is paired as it is."""
    t = event.t
    game = t.games[why.game].game
    games = next(x for x in t.pairings(t.games.values()) if t.games[why.game] in x)
    between = event.players(game)
    if len(games) > 1:
        between = pairing_line(event, games)
    title = event.say("Why this pairing?")
    lines = {
        FormatKey.SWISS: _swiss,
        FormatKey.ROUND_ROBIN: _round_robin,
        FormatKey.KNOCKOUT: _knockout,
        FormatKey.TABLES: _tables,
        FormatKey.ARENA: _arena,
        FormatKey.LADDER: _ladder,
    }.get(t.setup.format, _met)(event, why)
    result = [said for each in games for said in decided_lines(event, each)]
    said = [event.heading(title), between, *lines, *dict.fromkeys(result)]
    back = button(Control("tpairs", t.id, 0, str(game.round)), event.say("Pairings"))
    return Reply(title, Page(text(fitting(said)), *rows([back])))


def _swiss(event: EventText, why: WhyGame) -> list[str]:
    pairing = why.pairing
    if pairing is None:
        return []
    lines = [*_bonus(pairing.bonus, event.language), _score_groups(event, pairing)]
    if pairing.met_before is None and pairing.not_played is not None:
        lines.append(
            event.say(
                "They were paired in round {round}, but that game wasn't played, so they can still"
                " meet.",
                round=pairing.not_played,
            )
        )
    elif pairing.met_before is None:
        lines.append(event.say("They hadn't met before. Nobody meets the same opponent twice."))
    else:
        lines.append(
            event.say(
                "They met before, in round {round}: no other pairing of the round was possible.",
                round=pairing.met_before,
            )
        )
    if _gave_way(event.t, pairing):
        lines.append(
            event.say(
                "A director wanted to keep them apart, but no other pairing of the round was"
                " possible."
            )
        )
    heading = event.say("Who moves first")
    lines.append(f"**{heading}**")
    lines += [_sides(event, each) for each in (pairing.first, pairing.second)]
    lines.append(_granted(event, pairing))
    floats = [
        said
        for each in (pairing.first, pairing.second)
        if (said := _floats(event, each, pairing.round))
    ]
    if floats:
        heading = event.say("Earlier rounds")
        lines += [f"**{heading}**", *floats]
    lines.append(
        "-# "
        + event.say(
            "All pairs of a round are chosen together, by the FIDE Dutch rules: nobody meets twice,"
            " as few players as possible leave their score group, then sides are balanced."
        )
    )
    return lines


def _gave_way(t: Tournament, pairing: WhyPairing) -> bool:
    """Whether the two were not to meet in that round."""
    pair = {pairing.first.number, pairing.second.number}
    return any(pair <= {*group} for group in t.rounds[pairing.round - 1].apart)


def _score_groups(event: EventText, pairing: WhyPairing) -> str:
    high, low = pairing.first, pairing.second
    if low.points > high.points:
        high, low = low, high
    if pairing.round == 1 and not pairing.bonus:
        return event.say(
            "Nobody has points in round 1. The upper half by rating meets the lower half, in order."
        )
    others = [each for each in pairing.group if each not in (high.number, low.number)]
    if not pairing.is_float and not others:
        had = points_words(high.points, event.language)
        return event.say("Both had {points}, and nobody else did.", points=had)
    if not pairing.is_float:
        return event.say(
            "Both had {points}. So had: {group}",
            points=points_words(high.points, event.language),
            group=_some(event, others),
        )
    return event.say(
        "{high} had {more} and {low} {fewer}. Inside their score group no fitting opponent"
        " was left for {high}, so they play one from the next group.",
        high=event.who(high.number),
        more=points_words(high.points, event.language),
        low=event.who(low.number),
        fewer=points(low.points),
    )


def _bonus(value: Fraction, language: Language) -> list[str]:
    """That a round is accelerated, and by how much."""
    if not value:
        return []
    return [
        language.say(
            "This round is accelerated: in its pairing alone, the upper half by rating counts with"
            " +{points}.",
            points=points(value),
        )
    ]


def _some(event: EventText, numbers: Sequence[int]) -> str:
    if not numbers:
        return event.say("nobody else")
    return listed([event.who(each) for each in numbers], _GROUP, event.language)


def _sides(event: EventText, player: WhyPlayer) -> str:
    """How often a player has moved first, and what they are due."""
    name = event.who(player.number)
    if player.strength is Strength.NONE:
        return "- " + event.say("{player}: no game so far, so either side is fine.", player=name)
    due = event.say("first") if player.due is Side.FIRST else event.say("second")
    said = {
        Strength.MILD: event.say(
            "{player}: first {firsts}×, second {seconds}×. It's their turn to move {due}.",
            player=name,
            firsts=player.firsts,
            seconds=player.seconds,
            due=due,
        ),
        Strength.STRONG: event.say(
            "{player}: first {firsts}×, second {seconds}×. They should move {due}.",
            player=name,
            firsts=player.firsts,
            seconds=player.seconds,
            due=due,
        ),
        Strength.ABSOLUTE: event.say(
            "{player}: first {firsts}×, second {seconds}×. They must move {due}.",
            player=name,
            firsts=player.firsts,
            seconds=player.seconds,
            due=due,
        ),
    }[player.strength]
    return f"- {said}"


def _granted(event: EventText, pairing: WhyPairing) -> str:
    first, second = pairing.wishes_granted
    name = event.who(pairing.first.number)
    if first and second:
        return event.say("{player} moves first, which suits both.", player=name)
    other = event.who((pairing.second if first else pairing.first).number)
    return event.say(
        "{player} moves first. Both were due the same side, and {other} gave way: the other"
        " player's claim was stronger, or the higher place decided.",
        player=name,
        other=other,
    )


def _floats(event: EventText, player: WhyPlayer, number: int) -> str:
    """Where a player was out of their score group lately."""
    name = event.who(player.number)
    said = []
    first = number - len(player.floats)
    for at, each in enumerate(player.floats):
        if each is Float.DOWN:
            said.append(event.say("round {round}: an opponent with fewer points", round=first + at))
        elif each is Float.UP:
            said.append(event.say("round {round}: an opponent with more points", round=first + at))
    if player.byes:
        rounds = event.listed(str(each) for each in player.byes)
        said.append(event.say("no game in round {rounds}", rounds=rounds))
    return f"- {name} · {', '.join(said)}" if said else ""


def _round_robin(event: EventText, why: WhyGame) -> list[str]:
    game = event.t.games[why.game].game
    lines = [
        event.say(
            "Everyone meets everyone in a round robin. FIDE's Berger table says in which round, and"
            " that sides alternate."
        ),
        event.say("{player} moves first in this game.", player=event.who(game.players[0])),
    ]
    if why.division > 1 or any(each.game.division > 1 for each in event.t.games.values()):
        division = event.say(
            "Division {number}: players of about the same rating.", number=why.division
        )
        if event.setup.season > 1:
            division = event.say(
                "Division {number}, by the places of the last season. New players begin at the"
                " bottom.",
                number=why.division,
            )
        lines.insert(0, division)
    return lines


def _knockout(event: EventText, why: WhyGame) -> list[str]:
    game = event.t.games[why.game].game
    lines = []
    if len(why.seeds) == 2:
        lines.append(
            event.say(
                "Seeds {one} and {two}. In the bracket the best seeds can meet only late.",
                one=why.seeds[0],
                two=why.seeds[1],
            )
        )
    lines.append(
        event.say(
            "{player} moves first. Sides alternate in a meeting.", player=event.who(game.players[0])
        )
    )
    return lines


def _tables(event: EventText, why: WhyGame) -> list[str]:
    return [
        event.say("Tables are made so that players meet as many different opponents as possible."),
        *_met(event, why),
    ]


def _met(event: EventText, why: WhyGame) -> list[str]:
    """How often these players had met; all there is to say where a format gives no reasons."""
    counts = set(why.met.values())
    if counts <= {0}:
        return [event.say("No two players of this table had met before.")]
    if len(why.met) > 1 and len(counts) == 1:
        return [
            event.plural(
                "All players of this table had met each other once before.",
                "All players of this table had met each other {n} times before.",
                n=counts.pop(),
            )
        ]
    return [_pairs_met(event, why, n) for n in sorted(counts - {0}, reverse=True)]


def _pairs_met(event: EventText, why: WhyGame, n: int) -> str:
    """The pairs that had met so often."""
    pairs = [pair for pair, times in why.met.items() if times == n]
    if len(pairs) > 1:
        return event.plural(
            "Had met once before: {pairs}.",
            "Had met {n} times before: {pairs}.",
            n=n,
            pairs=", ".join(f"{event.who(one)} – {event.who(two)}" for one, two in pairs),
        )
    return event.plural(
        "{player} and {other} had met once before.",
        "{player} and {other} had met {n} times before.",
        n=n,
        player=event.who(pairs[0][0]),
        other=event.who(pairs[0][1]),
    )


def _arena(event: EventText, why: WhyGame) -> list[str]:
    t = event.t
    game = t.games[why.game].game
    said = ", ".join(
        f"{event.who(number)} {points(mine)}"
        for number, mine in zip(game.players, why.points, strict=False)
    )
    lines = [
        event.say("Both were free. Points before the game: {points}", points=said),
        event.say(
            "The player with the most points gets the opponent nearest in points, but not the last"
            " one they met."
        ),
    ]
    if any(_had_just_met(t, game, number) for number in game.players):
        lines.append(
            event.say("They had just met, but no other opponent was free for either of them.")
        )
    return lines


def _had_just_met(t: Tournament, game: Fixture, number: int) -> bool:
    """Whether a player's last game before this one was with the same opponent."""
    mine = [each.game for each in t.of_entrant(number)]
    before = mine[: mine.index(game)]
    return bool(before) and set(before[-1].players) == set(game.players)


def _ladder(event: EventText, why: WhyGame) -> list[str]:
    game = event.t.games[why.game].game
    return [
        event.say(
            "{challenger} challenged {player}, who moves first.",
            challenger=event.who(game.players[-1]),
            player=event.who(game.players[0]),
        )
    ]


def why_bye_page(event: EventText, why: WhyBye) -> Reply:
    """Why a player was left over."""
    title = event.say("Why no opponent?")
    name = event.who(why.player.number)
    lines = [
        event.heading(title),
        event.say(
            "An odd number of players was left, so one has no opponent and gets a full point. It's"
            " a player with as few points as possible who hadn't been left over before."
        ),
        *_bonus(why.bonus, event.language),
        event.say(
            "{player} had {points}.",
            player=name,
            points=points_words(why.player.points, event.language),
        ),
    ]
    if why.spared:
        lines.append(
            event.say(
                "Had been left over, or got a point without a game, before: {players}",
                players=_some(event, why.spared),
            )
        )
    if why.others:
        lines.append(
            event.say(
                "Could have been left over too: {players}. With {player} out, the rest of the round"
                " fits best.",
                players=_some(event, why.others),
                player=name,
            )
        )
    back = button(Control("tpairs", event.t.id, 0, str(why.round)), event.say("Pairings"))
    return Reply(title, Page(text(fitting(lines)), *rows([back])))


def why_no_game_page(event: EventText, number: int, entrant: int) -> Reply:
    """Why a player has no game in a round."""
    t = event.t
    title = event.say("Why no opponent?")
    player, name = t.entrants[entrant - 1], event.who(entrant)
    kind = t.rounds[number - 1].byes[entrant]
    if t.setup.format is FormatKey.ROUND_ROBIN:
        lines = [
            event.say(
                "The division has an odd number of players, so each sits out one round, in the"
                " order of the Berger table."
            )
        ]
    elif kind.is_requested:
        lines = [*_not_there(player, number, kind, event.language, name)]
    elif t.setup.format is FormatKey.KNOCKOUT:
        lines = [
            event.say(
                "The bracket has more places than players, so the best seeds go on without a game."
            ),
            event.say("{player} is seed {seed}.", player=name, seed=members(t).index(entrant) + 1),
        ]
    else:
        lines = [
            event.say(
                "The players don't fill all tables of four, so some sit out, those first who have"
                " sat out least often. It's worth 1¾ points, what a place is worth on average."
            )
        ]
    said = [event.heading(title), name, *lines]
    back = button(Control("tpairs", t.id, 0, str(number)), event.say("Pairings"))
    return Reply(title, Page(text(fitting(said)), *rows([back])))


def _not_there(
    player: Entrant, number: int, kind: Kind, language: Language, name: str
) -> list[str]:
    """Who was not to be paired, and what that is worth."""
    if number < player.since:
        why = language.say("{player} joined after this round was paired.", player=name)
    elif number in player.byes:
        why = language.say("{player} asked for a bye in this round.", player=name)
    elif kind is Kind.HALF_BYE:
        why = language.say(
            "The rules didn't allow a pairing of all players, so one sat out: the lowest in the"
            " standings that made a pairing of the others possible."
        )
    else:
        why = language.say("{player} had left before this round was paired.", player=name)
    worth = (
        language.say("It's worth half a point.")
        if kind is Kind.HALF_BYE
        else language.say("It's worth nothing.")
    )
    return [why, worth]


def decided_lines(event: EventText, played: PlayedGame) -> list[str]:
    """How a game that has a result came to it, if not by being played."""
    if played.points is None or (played.how is How.PLAYED and not played.lost_on_time):
        return []
    heading = event.say("The result")
    return [f"**{heading}**", *_decided(event, played)]


def _decided(event: EventText, played: PlayedGame) -> list[str]:
    t, points = event.t, played.points or ()
    lost = [each for each, mine in zip(played.game.players, points, strict=True) if not mine]
    entrants = [t.entrants[each - 1] for each in lost]
    names = event.listed(event.who(each) for each in lost)
    late = event.listed(event.who(each) for each in played.lost_on_time)
    excluded = [each for each in entrants if each.standing is EntrantStatus.EXCLUDED]
    if played.how is How.DIRECTOR and excluded:
        said = event.say(
            "A director excluded {players}. That forfeits every game that isn't over.",
            players=event.listed(event.who(each.number) for each in excluded),
        )
    elif played.how is How.DIRECTOR:
        said = event.say("A director decided it. The log has the reason.")
    elif played.how in (How.TIME, How.PLAYED):
        said = event.say("Time ran out for {players}.", players=late)
    elif played.how is How.UNFINISHED and t.setup.format is FormatKey.ARENA:
        said = event.say("It wasn't over when the arena ended, so it doesn't count.")
    elif played.how is How.UNFINISHED and t.setup.unfinished is Unfinished.SCORE:
        said = event.say(
            "It wasn't over on its last day, {date}, so the score on the board decided.",
            date=timestamp(played.until, "D"),
        )
    elif played.how is How.UNFINISHED and played.is_table and lost:
        said = event.say(
            "It wasn't over on its last day, {date}. {players} had left the table, so the other"
            " players share the points.",
            date=timestamp(played.until, "D"),
            players=names,
        )
    elif played.how is How.UNFINISHED:
        said = event.say(
            "It wasn't over on its last day, {date}. By the rules of this event the points are"
            " shared.",
            date=timestamp(played.until, "D"),
        )
    elif played.has_begun:
        said = event.say("{players} didn't make a first move in time.", players=late)
    else:
        said = event.say("{players} had left before the game began.", players=names)
    return [said, *_left_before(event, played)]


def _left_before(event: EventText, played: PlayedGame) -> list[str]:
    """Players who had left the table when a clock or a player who did not come ended the game."""
    resigned, excluded = list[str](), list[str]()
    if not played.is_table or played.how not in (How.TIME, How.NO_SHOW):
        return []
    for seat, number in enumerate(played.game.players):
        if seat in played.late or played.points is None or played.points[seat]:
            continue
        is_out = event.t.entrants[number - 1].standing is EntrantStatus.EXCLUDED
        (excluded if is_out else resigned).append(event.who(number))
    said = []
    if resigned:
        players = event.listed(resigned)
        said.append(event.say("Resigned before that: {players}.", players=players))
    if excluded:
        players = event.listed(excluded)
        said.append(event.say("Excluded before that: {players}.", players=players))
    return said
