"""Readers of the notices of an act: entrants by number, ``d`` for directors, ``-`` for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from bot.tournaments.domain.fold import TournamentChange
from bot.tournaments.domain.notices import MessageKind, NewMessage, messages_for
from tests.tournaments.scenario import Scenario


class Told(Scenario):
    """A scenario in which ``~ kind:reader ...`` are the messages of the step before."""

    told: str = ""

    def take(self, change: Any) -> list[TournamentChange]:
        before = getattr(self, "t", None)
        changes = super().take(change)
        self.told = _read(messages_for(before, changes)) if changes else ""
        return changes

    def _step(self, text: str) -> None:
        if text.startswith("~"):
            assert self.told == text[1:].strip(), text
        else:
            super()._step(text)


def _read(messages: Sequence[NewMessage]) -> str:
    found: dict[str, list[str]] = {}
    for each in messages:
        to = "d" if each.director is not None else "s" if each.subject else str(each.entrant or "-")
        if each.kind is not MessageKind.HOME:
            found.setdefault(each.kind.value, []).append(f"{to}{'f' if each.former else ''}")
    return " ".join(f"{kind}:{','.join(sorted(to))}" for kind, to in sorted(found.items()))


TOLD = {
    "players hear of a round, and the one who is left over": """
        swiss 5 rounds=3
        ~ round:1,2,3,4,5""",
    "players who asked for a bye do not hear of it": """
        swiss 0 rounds=3
        enter 1 2 3 4 5 | bye 5 1 half | bye 4 1 zero | close | draw
        ~ round:1,2,3""",
    "players of a cup who go on without a game hear of it": """
        knockout 5
        ~ round:1,2,3,4,5""",
    "players who are not at the final table hear their place": """
        tables 9 rounds=1 final_table least=4
        ~ round:1,2,3,4,5,6,7,8,9
        all 4:2:1:0 | draw
        ~ no_final:3,5,7,8,9 round:1,2,4,6""",
    "opponents hear of forfeits, and a player that a director takes out": """
        round_robin 4 at_once=1
        start | leaves 1
        ~ forfeited:2,3
        withdraw 2
        ~ forfeited:4 withdrawn:2
        exclude 3
        ~ excluded:3 forfeited:4""",
    "in an arena the match calls its players, and one that runs at the end is none": """
        arena 4 lasts=1h
        pair
        ~
        until finish | overdue
        ~ finished:- unfinished:1,2,3,4""",
    "a match tells its own result, a director's is told": """
        swiss 4 rounds=3
        1.1 1:0
        ~
        decide 1.2 1:0
        ~ decided:3,4
        correct 1.1 0:1
        ~ corrected:1,2
        draw | correct 1.1 1:0
        ~ corrected:1,2 redrawn:1,2,3,4
        draw | redraw
        ~ redrawn:1,2,3,4""",
    "of a game of a cup that is paired again its players hear": """
        knockout 8
        all 1:0 | draw | begin W2.2.1 | correct W1.1.1 0:1 W2.2.1
        ~ corrected:1,8 redrawn:1,4""",
    "a loss on time warns, the next puts out": """
        round_robin 5
        2.1 1:0 time
        ~ warned:3
        3.1 0:1 no_show
        ~ forfeited:1,2,3,4 withdrawn:3""",
    "players hear how the last day decided": """
        swiss 4 rounds=3
        until round | overdue
        ~ unfinished:1,2,3,4""",
    "more time is for those who still play, another last day for all": """
        swiss 4 rounds=3
        1.1 1:0 | extend 1 round+1d
        ~ extended:3,4
        extend 1 finish+1d
        ~ extended:-,3,4
        pause
        ~ paused:-
        resume
        ~ resumed:-
        cancel
        ~ cancelled:1,2,3,4
        undo
        ~ revived:1,2,3,4""",
    "directors hear of a cancellation that is nobody's act": """
        swiss 0
        enter 1 | close | draw
        ~ cancelled:1,d""",
    "a director hears of the office, a substitute of the games": """
        swiss 4
        appoint 901
        ~ appointed:s
        dismiss 901
        ~ dismissed:s
        replace 1 9
        ~ entered:1 opponent:2 replaced:1f
        withdraw 2 | undo
        ~ corrected:1 entered:2""",
    "players hear that they were added or invited": """
        swiss 0
        add 5
        ~ entered:1
        invite 6 7
        ~ invited:-,s,s
        enter 8
        ~""",
    "a challenge is told, answered, and told anew": """
        ladder 4
        challenge 2 1
        ~ challenged:1
        decline 1 2
        ~ answered:1 declined:2
        challenge 2 1 | accept 1 2
        ~ answered:1 round:2
        challenge 4 3 | withdraw 4
        ~ answered:3 withdrawn:4
        undo
        ~ challenged:3 entered:4
        replace 3 9
        ~ answered:3f challenged:3 entered:3 replaced:3f
        cancel
        ~ answered:3 cancelled:1,2,3,4
        undo
        ~ challenged:3 revived:1,2,3,4""",
    "a challenge is off when the ladder ends": """
        ladder 4
        challenge 2 1 | end
        ~ answered:1 declined:2 finished:-""",
}


@pytest.mark.parametrize("text", TOLD.values(), ids=TOLD)
def test_messages_go_to_those_whom_an_act_concerns(text: str) -> None:
    Told(text)
