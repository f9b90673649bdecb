"""The rungs of a ladder, moved anew from what happened: who beats a player above goes there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.tournaments.domain import facts as f


def wrong_rungs(facts: Sequence[f.Fact], shown: Sequence[int]) -> Iterator[str]:
    """Where the rungs shown, from the top, are not those that the facts lead to."""
    rungs: list[int] = []
    refused: Counter[int] = Counter()
    players: dict[str, tuple[int, ...]] = {}
    undone = {seq for each in facts if isinstance(each, f.Undone) for seq in each.events}
    for fact in (each for seq, each in enumerate(facts, 1) if seq not in undone):
        match fact:
            case f.Entered(number):
                rungs.append(number)
            case f.Withdrawn(number) | f.Excluded(number):
                rungs = [each for each in rungs if each != number]
            case f.Drawn(_, games):
                for drawn in games:
                    players[drawn.id] = drawn.players
                    for number in drawn.players:
                        refused[number] = 0
            case f.Scored(game, points) | f.Decided(game, points):
                one, two = players[game]
                if points[0] > points[1]:
                    _climb(rungs, one, two)
                elif points[1] > points[0]:
                    _climb(rungs, two, one)
            case f.Declined(challenger, challenged):
                refused[challenged] += 1
                if refused[challenged] == 2:
                    _climb(rungs, challenger, challenged)
                    refused[challenged] = 0
            case f.Moved(sunk):
                yield from _wrong_sinking(rungs, sunk)
                rungs = list(sunk)
            case _:
                pass
    if list(shown) != rungs:
        yield f"the rungs are {list(shown)}, not {rungs}"


def _climb(rungs: list[int], winner: int, loser: int) -> None:
    """The winner stands directly above the loser, if they stood below."""
    if winner in rungs and loser in rungs and rungs.index(winner) > rungs.index(loser):
        rungs.remove(winner)
        rungs.insert(rungs.index(loser), winner)


def _wrong_sinking(before: Sequence[int], after: Sequence[int]) -> Iterator[str]:
    """Complaints about rungs: inactive players sink by one, and only the passed ones change too."""
    if sorted(before) != sorted(after):
        yield f"players of the ladder were {before} and are {after}"
        return
    for number in before:
        if after.index(number) > before.index(number) + 1:
            yield f"entrant {number} sank from {before.index(number)} to {after.index(number)}"
