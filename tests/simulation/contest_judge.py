"""Conditions of tournaments: their days, pairings, results, notices, and places."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING

from bot.domain.ids import GuildId, UserId
from bot.domain.match import Actor, Match
from bot.domain.preferences import NoticeWay
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.fold import TournamentEvent
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.services.service import TournamentService
from bot.tournaments.services.views import EventView, Visitor
from bot.tournaments.store import reading as tournament_reading
from tests.simulation.directors import Contest
from tests.simulation.places import wrong_places
from tests.simulation.record import Record
from tests.simulation.rungs import wrong_rungs
from tests.simulation.verdict import Verdict, done_by
from tests.simulation.watch import Message

if TYPE_CHECKING:
    from tests.simulation.month import Month

_DAY = timedelta(days=1)
_LAST = datetime.max.replace(tzinfo=UTC)
_LIVE = timedelta(hours=12)
_BEGUN = "** has begun. You have "
_ROUND = re.compile(rf"round (\d+) of \*\*|{re.escape(_BEGUN)}|(at the final table of \*\*)")
_ONE, _HALF, _NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)


@dataclass
class Ledger:
    """The sealed events of a tournament, added up again."""

    games: dict[str, f.Fixture] = field(default_factory=dict)
    begun: Counter[str] = field(default_factory=Counter)
    results: dict[str, tuple[Fraction, ...]] = field(default_factory=dict)
    hows: dict[str, f.How] = field(default_factory=dict)
    late: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The seats of a table whose players are said to have lost on time."""
    over_at: dict[str, datetime] = field(default_factory=dict)
    scored: Counter[str] = field(default_factory=Counter)
    """How often a game got a result that was not a correction."""
    by_director: set[str] = field(default_factory=set)
    drawn: list[tuple[datetime, f.Drawn, dict[int, int]]] = field(default_factory=list)
    """With who stood for each entrant then."""
    undrawn: Counter[int] = field(default_factory=Counter)
    """How often a round was taken back; its players hear of each and of the new pairing."""
    called_off: Counter[str] = field(default_factory=Counter)
    """How often a match of a game had begun when its round was taken back."""
    people: dict[int, int] = field(default_factory=dict)
    replaced: list[tuple[datetime, int, int]] = field(default_factory=list)
    """When another person took a place: who had it, and who has it."""
    gone: dict[int, datetime] = field(default_factory=dict)
    ended: list[tuple[datetime, str]] = field(default_factory=list)

    @classmethod
    def of(cls, history: tuple[TournamentEvent, ...]) -> Ledger:
        made = cls()
        for event in history:
            made._take(event, event.fact)
        return made

    def _take(self, event: TournamentEvent, fact: f.Fact) -> None:
        match fact:
            case f.Entered(number):
                self.people[number] = int(event.subject_id or 0)
                self.gone.pop(number, None)
            case f.Replaced(number):
                new = int(event.subject_id or 0)
                self.replaced.append((event.at, self.people[number], new))
                self.people = {**self.people, number: new}
            case f.Withdrawn(number) | f.Excluded(number):
                self.gone[number] = event.at
            case f.Drawn(_, games):
                self.drawn.append((event.at, fact, self.people))
                self.games |= {each.id: each for each in games}
            case f.Undrawn(number):
                self.undrawn[number] += 1
                for name in [k for k, x in self.games.items() if x.round == number]:
                    self._forget(name)
                self.drawn = [each for each in self.drawn if each[1].round != number]
            case f.Unpaired(names):
                for name in names:
                    self._forget(name)
            case f.Begun(game):
                self.begun[game] += 1
            case f.Scored(game, points, how, late):
                self.scored[game] += 1
                self.late[game] = late
                self.over_at[game] = event.at
                self.results[game], self.hows[game] = points, how
            case f.Decided(game, points):
                self.scored[game] += 1
                self.over_at[game] = event.at
                self.results[game], self.hows[game] = points, f.How.DIRECTOR
                self.by_director.add(game)
            case f.Corrected(game, points, how):
                self.results[game], self.hows[game] = points, how
                self.by_director.add(game)
            case f.Finished() | f.Cancelled():
                self.ended.append((event.at, event.kind))

    def _forget(self, name: str) -> None:
        """A game is taken back with its round; one that is drawn anew may have its name."""
        self.called_off[name] += self.begun.pop(name, 0)
        for known in (self.games, self.results, self.hows, self.over_at, self.scored):
            known.pop(name, None)

    def busy_until(self, number: int, drawn: f.Drawn) -> datetime:
        """When the last game of a player in a round was over; never if it still runs."""
        mine = [each.id for each in drawn.games if number in each.players]
        return max((self.over_at.get(each, _LAST) for each in mine), default=_LAST)


async def judge_contests(month: Month, verdict: Verdict) -> None:
    """Hold all tournaments against what was promised."""
    if not month.contests.held:
        return
    assert month.bot is not None
    store = month.bot.store
    matches: dict[tuple[str, str], list[Match]] = defaultdict(list)
    async for match, _ in store.all_matches():
        if match.tournament is not None:
            key = (str(match.tournament.tournament_id), str(match.tournament.game))
            matches[key].append(match)
    for contest in month.contests.held:
        history = await store.read(tournament_reading.history, contest.id)
        ledger = Ledger.of(history)
        asks = Visitor(Actor(UserId(contest.organiser), GuildId(contest.guild)))
        view = await month.bot.services.of(TournamentService).tournament(asks, contest.id)
        found = [
            *_ends(month, contest, ledger),
            *_last_days(month, ledger),
            *_games(contest, ledger, matches),
            *_pairings(contest, ledger),
            *_results(contest, ledger),
            *_told(month, contest, ledger, verdict),
        ]
        if not any(kind == "cancelled" for _, kind in ledger.ended):
            found += wrong_places(view, ledger.results, ledger.by_director)
        if contest.setup.format is FormatKey.LADDER:
            facts = [event.fact for event in history]
            found += wrong_rungs(facts, [each.number for each in view.standings])
        _count(contest, ledger, view, verdict)
        verdict.problems += [f"{contest.sketch.name}: {each}" for each in found]


def _count(contest: Contest, ledger: Ledger, view: EventView, verdict: Verdict) -> None:
    verdict.facts["games of events"] += len(ledger.results)
    verdict.facts["no-shows"] += sum(each is f.How.NO_SHOW for each in ledger.hows.values())
    verdict.facts["unfinished"] += sum(each is f.How.UNFINISHED for each in ledger.hows.values())
    verdict.facts[f"ended: {contest.setup.format.value}"] += view.tournament.status.is_final


def _ends(month: Month, contest: Contest, ledger: Ledger) -> Iterator[str]:
    """Each event ends once, on its promised day at the latest, unless nothing could be done."""
    finish = contest.setup.finish
    last = done_by(finish, month.down)
    if len(ledger.ended) > 1:
        yield f"ended {len(ledger.ended)} times"
    if not ledger.ended:
        if last < month.clock.at:
            yield f"not over, although {finish} was promised"
        return
    at, kind = ledger.ended[0]
    if at > last:
        yield f"ended at {at}, promised for {finish}"
    missed = any(a <= contest.setup.begins and b >= finish for a, b in month.down)
    enough = len(ledger.people) - len(ledger.gone) >= contest.setup.least
    if kind == "cancelled" and enough and not missed:
        yield f"cancelled with {len(ledger.people)} entrants"
    open_ended = (FormatKey.ARENA, FormatKey.LADDER)
    if kind == "finished" and contest.setup.format in open_ended and at < finish:
        yield f"ended at {at}, before {finish}"
    unscored = ledger.games.keys() - ledger.results.keys()
    if kind == "finished" and unscored:
        yield f"over, and without a result: {sorted(unscored)}"


def _last_days(month: Month, ledger: Ledger) -> Iterator[str]:
    """Every game has its result on the last day of its round, unless nothing could be done then."""
    end = min((at for at, _ in ledger.ended), default=month.clock.at)
    for _, drawn, _ in ledger.drawn:
        until = drawn.until
        late = done_by(until, month.down)
        for game in drawn.games:
            at = ledger.over_at.get(game.id, _LAST)
            if at > late and end > late:
                yield f"game {game.id} was to be over by {until}, and was at {at}"


def _games(
    contest: Contest, ledger: Ledger, matches: dict[tuple[str, str], list[Match]]
) -> Iterator[str]:
    """Each pairing that began has one match, between its two players; none counts twice."""
    for name, times in ledger.begun.items():
        if times > 1:
            yield f"game {name} began {times} times"
    for name, times in ledger.scored.items():
        if times > 1:
            yield f"game {name} counted {times} times"
    mine = {key[1]: found for key, found in matches.items() if key[0] == str(contest.id)}
    for name in mine.keys() | ledger.begun.keys():
        found = [each for each in mine.get(name, []) if str(each.id) not in contest.called_off]
        everything = len(mine.get(name, []))
        if everything - len(found) != ledger.called_off[name]:
            yield f"game {name}: {everything - len(found)} matches were called off"
        if len(found) != (name in ledger.begun):
            yield f"game {name} has {len(found)} matches"
            continue
        if name not in ledger.begun:
            continue
        players = ledger.games[name].players
        people = [ledger.people.get(each, 0) for each in players]
        if people != [int(each or 0) for each in found[0].players]:
            yield f"game {name} is of {people} and played by {found[0].players}"


def _pairings(contest: Contest, ledger: Ledger) -> Iterator[str]:
    """Nobody has two games in a round; in a Swiss nobody meets twice, in a round robin all do."""
    form = contest.setup.format
    if form in (FormatKey.ARENA, FormatKey.LADDER):
        return
    by_round: dict[int, Counter[int]] = defaultdict(Counter)
    met: Counter[frozenset[int]] = Counter()
    for game in ledger.games.values():
        by_round[game.round].update(game.players)
        # Who did not come has not been met, and a Swiss may pair the two again.
        is_met = form is not FormatKey.SWISS or ledger.hows.get(game.id) is not f.How.NO_SHOW
        met[frozenset(game.players)] += is_met
        if len(set(game.players)) != len(game.players):
            yield f"game {game.id} has a player twice: {game.players}"
    if form is not FormatKey.KNOCKOUT:
        for number, counts in by_round.items():
            twice = [each for each, times in counts.items() if times > 1]
            if twice:
                yield f"round {number}: {twice} have two games"
    for _, drawn, _ in ledger.drawn:
        both = {each.entrant for each in drawn.byes} & {
            number for game in drawn.games for number in game.players
        }
        if both:
            yield f"round {drawn.round}: {both} have a game and a bye"
    if form in (FormatKey.SWISS, FormatKey.ROUND_ROBIN):
        most = 2 if contest.setup.double else 1
        yield from (f"{sorted(pair)} met {n} times" for pair, n in met.items() if n > most)
    if form is FormatKey.ROUND_ROBIN and ledger.games:
        parts: dict[int, set[int]] = defaultdict(set)
        for game in ledger.games.values():
            parts[game.division].update(game.players)
        wanted = sum(len(each) * (len(each) - 1) // 2 for each in parts.values())
        if len(met) != wanted:
            yield f"{len(met)} pairs have met, not {wanted}"


def _seen(record: Record) -> tuple[Fraction, ...] | None:
    """The points of a match's end for its observers; None where they couldn't know."""
    if record.over in ("resigned", "flagged"):
        lost = record.turn.player if record.loser is None else record.loser
        return tuple(Fraction(int(index != lost)) for index in range(len(record.users)))
    if record.over != "played":
        return None
    outcome = record.game.outcome(record.position)
    assert outcome is not None
    if not outcome.winners:
        return (_HALF,) * len(record.users)
    seating = record.game.seating(record.position)
    won = {seating[seat] for seat in outcome.winners}
    return tuple(Fraction(int(index in won)) for index in range(len(record.users)))


def _results(contest: Contest, ledger: Ledger) -> Iterator[str]:
    """Each result is that of the match, unless a director or the last day has decided.

    A player who gave up at a table of four has not lost there on time.
    """
    for name, record in contest.records.items():
        if record.loser is not None and record.loser in ledger.late.get(name, ()):
            yield f"game {name}: the player who gave up has lost on time"
        if name in ledger.by_director or len(record.users) != 2 or name not in ledger.results:
            continue
        how, points, seen = ledger.hows[name], ledger.results[name], _seen(record)
        if how in (f.How.UNFINISHED, f.How.DIRECTOR):
            if record.over not in ("decided", None) and contest.setup.format is not FormatKey.ARENA:
                yield f"game {name} ({record.over}) was decided as {how.value}"
            continue
        if seen != points:
            yield f"game {name} ({record.over}) counted {[str(x) for x in points]}, was {seen}"
        if (how is f.How.NO_SHOW) != record.unplayed:
            yield f"game {name} ({record.over}) counted as {how.value}"


def _is_about(message: Message, contest: Contest) -> bool:
    return not message.is_board and f"**{contest.sketch.name}**" in message.text


def _told(month: Month, contest: Contest, ledger: Ledger, verdict: Verdict) -> Iterator[str]:
    """Notices come once, to those who want them, not in quiet hours; each round is announced."""
    live = contest.setup.finish - contest.setup.begins <= _LIVE
    told: Counter[tuple[int, str]] = Counter()
    rounds: Counter[tuple[int, int]] = Counter()
    for message in month.watcher.messages.values():
        if not _is_about(message, contest):
            continue
        people = set(message.pings) if message.direct_to is None else {message.direct_to}
        if len(people) > 1:
            yield f"{message.at}: several people are told {message.text!r}"
        for user in people:
            verdict.facts["notices of events"] += 1
            told[user, message.text] += 1
            number = _ROUND.search(message.text)
            if number is not None:
                final = max((drawn.round for _, drawn, _ in ledger.drawn), default=1)
                rounds[user, final if number[2] else int(number[1] or 1)] += 1
            life = month.lives.get(user)
            if life is None:
                continue
            if life.is_quiet(message.at) and not live:
                yield f"{message.at}: {user} woken by {message.text!r}"
            is_asked = "challenges you in" in message.text
            if life.chosen.way is NoticeWay.NOTHING and not is_asked:
                yield f"{message.at}: {user} wants no notices: {message.text!r}"
            if user in month.erased and message.at > contest.setup.finish + _DAY:
                yield f"{message.at}: {user} was erased and is told {message.text!r}"
    if contest.setup.format is not FormatKey.LADDER:
        redrawn = sum(ledger.undrawn.values())
        for (user, said), n in told.items():
            is_of_round = "is paired again" in said or _ROUND.search(said) is not None
            may_come_again = is_of_round and _BEGUN not in said
            if n > 1 + (redrawn if may_come_again else 0):
                yield f"{user} is told {n} times: {said!r}"
    finals = [
        each for each in month.watcher.in_channel[contest.channel]
        if each.is_board and contest.sketch.name in each.text and each.text.startswith("## 🏆")
    ]  # fmt: skip
    if len(finals) > 1:
        yield f"the winner was announced {len(finals)} times"
    yield from _each_round(month, contest, ledger, rounds)
    yield from _substitutes(month, contest, ledger, told)


def _substitutes(
    month: Month, contest: Contest, ledger: Ledger, told: Counter[tuple[int, str]]
) -> Iterator[str]:
    """New and former players of a place are notified once, with all drawn games."""
    for at, old, new in ledger.replaced:
        for message in month.watcher.messages.values():
            to_them = new in message.pings or message.direct_to == new
            if to_them and _is_about(message, contest) and _is_of_before(message, at, ledger):
                yield f"{new}, there since {at}, is told {message.text!r}"
        for user, said in ((old, "has taken your place"), (new, "a director entered you")):
            life = month.lives.get(user)
            heard = sum(n for (who, text), n in told.items() if who == user and said in text)
            if heard > 1:
                yield f"{user} is told {heard} times that another one {said}"
            wants = life is not None and life.chosen.way is not NoticeWay.NOTHING
            if wants and not heard and month.clock.at - at > _DAY and user not in month.erased:
                yield f"{user} was not told that another one {said}"


def _is_of_before(message: Message, at: datetime, ledger: Ledger) -> bool:
    """Whether a notice names games of a round that was drawn before an instant and not after."""
    found = _ROUND.search(message.text)
    if found is None or found[2] or message.at <= at or " You " not in message.text:
        return False
    number = int(found[1] or 1)
    drawn = [when for when, each, _ in ledger.drawn if each.round == number]
    return bool(drawn) and max(drawn) < at


def _each_round(
    month: Month, contest: Contest, ledger: Ledger, rounds: Counter[tuple[int, int]]
) -> Iterator[str]:
    """Every player of a round is told about it once, if they were in it long enough to be told."""
    form = contest.setup.format
    if form in (FormatKey.ARENA, FormatKey.LADDER):
        return
    for at, drawn, people in ledger.drawn:
        if form is FormatKey.ROUND_ROBIN and drawn.round > 1 and not ledger.undrawn[drawn.round]:
            continue  # all rounds are told as it begins
        for number in {each for game in drawn.games for each in game.players}:
            user = people[number]
            life = month.lives.get(user)
            if life is None or life.chosen.way is NoticeWay.NOTHING:
                continue
            until = min(
                ledger.gone.get(number, _LAST),
                month.clock.at,
                ledger.busy_until(number, drawn),
                *(when for when, old, _ in ledger.replaced if old == user and when >= at),
            )
            times = rounds[user, drawn.round]
            if times == 0 and until - at > _DAY:
                yield f"{user} was not told about round {drawn.round}, drawn {at}"
            if times > 1 + ledger.undrawn[drawn.round] and form is not FormatKey.KNOCKOUT:
                yield f"{user} was told {times} times of round {drawn.round}"
