"""The bracket of a knockout as the renderers take it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from bot.domain.tournaments import knockout as k
from bot.domain.tournaments.formats.knockout import contests, members
from bot.domain.tournaments.tournament import TournamentStatus
from bot.ui.pages.display_names import clean
from bot.ui.tournaments.words import EventText, points
from renderers.bracket import Bracket, Match, Round, Slot, Stage


def bracket_of(event: EventText) -> Bracket | None:
    """The bracket as it stands, None with fewer than two players."""
    seeds = members(event.t)
    if len(seeds) < 2:
        return None
    ties = k.bracket(len(seeds), double=event.setup.double, third=event.setup.third_place)
    drawing = _Drawing(event, seeds, ties, contests(event.t, ties, seeds))
    footer = event.say("Final result")
    if event.t.status is not TournamentStatus.FINISHED:
        footer = event.say(
            "Round {round} of {rounds}", round=len(event.t.rounds), rounds=ties.rounds
        )
    return Bracket(clean(event.setup.name, longest=80), drawing.stages(), footer)


class _Drawing:
    """What is needed to write down each match."""

    def __init__(
        self,
        event: EventText,
        seeds: Sequence[int],
        ties: k.Bracket,
        found: Mapping[str, k.Contest],
    ) -> None:
        self._event = event
        self._seeds = seeds
        self._ties = ties
        self._found = found
        self._labels = {tie.id: str(number) for number, tie in enumerate(ties.ties, 1)}

    def stages(self) -> tuple[Stage, ...]:
        """Winners, then in double elimination losers and the final."""
        say = self._event.say
        winners = self._rounds("W")
        third = next((self._match(tie) for tie in self._ties.ties if tie.id == "T"), None)
        if not self._event.setup.double:
            return (Stage("", winners, third),)
        losers = self._rounds("L")
        final = tuple(
            Round(title, (self._match(tie),))
            for tie in self._ties.ties
            if tie.id in ("F1", "F2")
            for title in [say("Final") if tie.id == "F1" else say("Deciding final")]
        )
        found = [Stage(say("Winners"), winners)]
        if losers:
            found.append(Stage(say("Losers"), losers))
        return (*found, Stage(say("Final"), final))

    def _rounds(self, side: str) -> tuple[Round, ...]:
        by_number: dict[int, list[k.Tie]] = {}
        for tie in self._ties.ties:
            if tie.id[0] == side:
                by_number.setdefault(int(tie.id[1:].partition(".")[0]), []).append(tie)
        return tuple(
            Round(
                self._title(side, number, len(here)),
                tuple(self._match(tie) for tie in sorted(here, key=_place)),
            )
            for number, here in sorted(by_number.items())
        )

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
            if each.points is not None:
                for number, got in zip(each.game.players, each.points, strict=True):
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
        last = "F2" if self._event.setup.double else f"W{self._ties.rounds}.1"
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


def _place(tie: k.Tie) -> int:
    return int(tie.id.partition(".")[2])
