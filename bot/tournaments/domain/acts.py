"""Acts of directors: one class for each, in the order of the menu.

An act's fields are its arguments, in the order in which a director chooses them, of controls and of
its rule. Everything else particular to an act is an attribute of its class.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, dataclass_transform

from bot.domain.ids import UserId
from bot.tournaments.domain import directing, inviting, registration, undoing
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.fold import TournamentAct, TournamentChange, as_changes
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import Entrant, Invitation, Tournament, TournamentStatus
from games.view import Text

LONGEST_REASON = 300

Fits = Callable[[Tournament, Collection[str]], bool]
Notes = Callable[[Any, Tournament, Sequence[f.Fact]], Sequence[Text]]


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class DirectorAct:
    """An act of a director."""

    key: ClassVar[str]
    rule: ClassVar[Callable[..., Sequence[TournamentChange] | TournamentChange | None]]
    """Decides it, given the tournament, the time and person, the fields, and its needs."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Of ``rating`` (the player's), ``history``, and ``moved`` (games with a player's move)."""
    fits: ClassVar[Fits] = lambda _t, _moved: True
    """Whether it makes sense in the event's present state; the rule has the last word."""
    concerns: ClassVar[Callable[[Tournament, Entrant], bool]] = lambda _t, entrant: (
        entrant.is_active
    )
    """Whether it can be about an entrant, likewise."""
    label: ClassVar[Text]
    hint: ClassVar[Text]
    """Its consequence, in the menu; ``is_explained``: on the page to confirm it too."""
    is_explained: ClassVar[bool] = False
    title: ClassVar[Text | None] = None
    """Its name with its object, where the label alone is not enough."""
    notes: ClassVar[Notes] = lambda _act, _t, _facts: ()
    """Consequences besides the visible ones, to read before confirming."""
    wants_reason: ClassVar[bool] = False
    """Whether it is refused without a reason."""
    done: ClassVar[Text] = Text.of("Done: {act}")
    is_late: ClassVar[bool] = False
    """Whether it is about results, and so makes sense after the end of the event."""

    def __init_subclass__(cls) -> None:
        cls.key = cls.__name__.lower()
        ACTS[cls.key] = dataclass(frozen=True)(cls)

    @property
    def values(self) -> tuple[Any, ...]:
        """Its fields, in order."""
        return tuple(getattr(self, each.name) for each in fields(self))

    def decide(
        self, t: Tournament, act: TournamentAct, **known: Any
    ) -> tuple[TournamentChange, ...]:
        """The facts that follow, none if nothing changes; ``known`` has its needs."""
        return as_changes(type(self).rule(t, act, *self.values, **known))


ACTS: dict[str, type[DirectorAct]] = {}


def first_choice(act: type[DirectorAct]) -> str:
    """The field that a director chooses first; empty for an act without fields."""
    return next((each.name for each in fields(act)), "")


def possible(t: Tournament, moved: Collection[str]) -> tuple[str, ...]:
    """The keys of acts that make sense; ``moved`` are games in which a player has moved."""
    found = [each for each in ACTS.values() if each.is_late or not t.status.is_final]
    return tuple(each.key for each in found if each.fits(t, moved))


def _has_unplayed_round(t: Tournament, moved: Collection[str]) -> bool:
    # The table of a round robin is fixed: its rounds would only be the same again.
    if not t.setup.format.facts.has_rounds or t.setup.format is FormatKey.ROUND_ROBIN:
        return False
    games = t.in_round(len(t.rounds))
    return bool(t.rounds) and not any(each.is_played or each.game.id in moved for each in games)


def _going_on(_act: DirectorAct, t: Tournament, _facts: Sequence[f.Fact]) -> Sequence[Text]:
    has_begun = any(each.has_begun for each in t.pending)
    return [Text.of("Matches that have begun go on.")] if has_begun else []


def _unrated(act: Decide | Correct, t: Tournament, _facts: Sequence[f.Fact]) -> list[Text]:
    is_empty = t.setup.rated and not any(act.points)
    return [Text.of("It changes no ratings.")] if is_empty else []


def _kept(act: Correct, t: Tournament, facts: Sequence[f.Fact]) -> list[Text]:
    """Things that a corrected result does not change, although a director could expect it."""
    said = _unrated(act, t, facts)
    last = len(t.rounds)
    is_followed = t.games[act.game].game.round < last and directing.rests_on_results(t)
    is_undrawn = any(isinstance(each, f.Undrawn) for each in facts)
    if t.setup.format is FormatKey.LADDER:
        said.append(Text.of("The rungs stay as they are."))
    elif is_followed and not is_undrawn and not t.status.is_final:
        said.append(Text.of("Round {round} stays as it is: it has begun.", round=last))
    return said


class Close(DirectorAct):
    """Close registration."""

    rule = registration.close
    fits: ClassVar[Fits] = lambda t, _: t.status is TournamentStatus.REGISTRATION
    label = Text.of("Close registration")
    hint = Text.of("No new players can join")
    is_explained = True


class Reopen(DirectorAct):
    """Reopen registration, before the first round, until an instant."""

    until: datetime
    rule = registration.reopen
    fits: ClassVar[Fits] = lambda t, _: t.status is TournamentStatus.CLOSED
    label = Text.of("Reopen registration")
    hint = Text.of("Until a day you choose")
    title = Text.of("Reopen registration until {date}")


class Add(DirectorAct):
    """Enter a player, also after registration has closed where a late entry is possible."""

    user_id: UserId
    rule = partial(registration.enter, by_director=True)
    needs = ("rating",)
    fits: ClassVar[Fits] = lambda t, _: t.is_open or not t.rounds
    label = Text.of("Add a player")
    hint = Text.of("Enter a player yourself")
    title = Text.of("Add {player}")


class Invite(DirectorAct):
    """Let the people on a list enter; each joins by a button."""

    guests: tuple[Invitation, ...]
    rule = inviting.invite
    fits: ClassVar[Fits] = lambda t, _: t.is_open or not t.rounds
    label = Text.of("Invite by list")
    hint = Text.of("Paste names or send a file; each player confirms")


class Seed(DirectorAct):
    """Move an entrant to a place of the seeding, before the first round."""

    entrant: int
    place: int
    rule = inviting.move_seed
    fits: ClassVar[Fits] = lambda t, _: not t.rounds and len(t.active) > 1
    label = Text.of("Order the seeds")
    hint = Text.of("Move a player to another place, before the start")
    title = Text.of("Seed {player} in place {place}")


class Withdraw(DirectorAct):
    """Withdraw an entrant from further rounds."""

    entrant: int
    rule = registration.withdraw
    fits: ClassVar[Fits] = lambda t, _: bool(t.active)
    label = Text.of("Withdraw a player")
    hint = Text.of("Games that have begun go on, others are forfeited")
    is_explained = True
    title = Text.of("Withdraw {player}")


class Replace(DirectorAct):
    """Let another person play in an entrant's place, before that entrant's first move."""

    entrant: int
    user_id: UserId
    rule = registration.replace
    fits: ClassVar[Fits] = lambda t, _: bool(t.active)
    concerns: ClassVar = lambda t, entrant: (
        entrant.is_active and not any(each.is_over for each in t.of_entrant(entrant.number))
    )
    label = Text.of("Replace a player")
    hint = Text.of("Before their first move")
    title = Text.of("Replace {player} with {other}")


class Exclude(DirectorAct):
    """Exclude an entrant; they lose all their games that are not over."""

    entrant: int
    rule = registration.exclude
    fits: ClassVar[Fits] = lambda t, _: bool(t.active)
    label = Text.of("Exclude a player")
    hint = Text.of("They lose all games that aren't over")
    is_explained = True
    title = Text.of("Exclude {player}")
    wants_reason = True


class Redraw(DirectorAct):
    """Pair the last round again, before any player has moved in it; its matches are aborted."""

    rule = directing.redraw
    fits: ClassVar[Fits] = _has_unplayed_round
    label = Text.of("Pair again")
    hint = Text.of("The last round, before anyone has moved")
    notes: ClassVar[Notes] = lambda _act, _t, _facts: [
        Text.of(
            "The pairs follow from players and results. If neither has changed, the same pairs"
            " can come out."
        )
    ]
    wants_reason = True


class Part(DirectorAct):
    """Keep players apart in new rounds: until ``last``, or in all if that is 0."""

    entrants: tuple[int, ...]
    last: int
    rule = directing.part
    fits: ClassVar[Fits] = lambda t, _: t.setup.format.facts.keeps_apart and len(t.entrants) > 1
    label = Text.of("Keep players apart")
    hint = Text.of("A family or a club: no two of them are paired")
    title = Text.of("Keep apart {players}: {rounds}")
    notes: ClassVar[Notes] = lambda _act, _t, _facts: [
        Text.of("It holds for rounds that are paired from now on."),
        Text.of("If no other pairing of a round is possible, they meet all the same."),
    ]


class Rejoin(DirectorAct):
    """Let players who were kept apart meet again."""

    entrants: tuple[int, ...]
    rule = directing.rejoin
    fits: ClassVar[Fits] = lambda t, _: any(each.holds_in(len(t.rounds) + 1) for each in t.apart)
    label = Text.of("Let players meet again")
    hint = Text.of("Those you kept apart")
    title = Text.of("Let {players} meet again")


class Decide(DirectorAct):
    """Set the result of a game that is not over: points in the order of the game's players."""

    game: str
    points: tuple[Fraction, ...]
    rule = directing.decide
    fits: ClassVar[Fits] = lambda t, _: bool(t.pending)
    label = Text.of("Decide a game")
    hint = Text.of("Give a game its result, with a reason")
    title = Text.of("Decide {game}: {result}")
    notes: ClassVar[Notes] = _unrated
    wants_reason = True


class Extend(DirectorAct):
    """Give a round, or one ``game`` of it unless that is empty, until another day."""

    round: int
    game: str
    until: datetime
    rule = directing.extend
    fits: ClassVar[Fits] = lambda t, _: bool(
        t.pending or (t.rounds and not t.setup.format.facts.has_rounds)
    )
    label = Text.of("Give more time")
    hint = Text.of("To one game, or to all of a round")
    title = Text.of("{what}: more time, until {date}")


class Correct(DirectorAct):
    """Change the result of a game that is over."""

    game: str
    points: tuple[Fraction, ...]
    rule = directing.correct
    needs = ("moved",)
    fits: ClassVar[Fits] = lambda t, _: (
        t.status is not TournamentStatus.CANCELLED
        and any(each.is_over for each in t.games.values())
    )
    label = Text.of("Correct a result")
    hint = Text.of("Change a result, with a reason")
    title = Text.of("Correct {game}: {result}")
    notes: ClassVar[Notes] = _kept
    wants_reason = True
    is_late = True


class Pause(DirectorAct):
    """Stop draws and decisions until the event resumes. Games that have begun go on."""

    rule = directing.pause
    fits: ClassVar[Fits] = lambda t, _: t.paused_at is None
    label = Text.of("Pause")
    hint = Text.of("Nothing is paired or decided for a while")
    is_explained = True
    notes: ClassVar[Notes] = _going_on


class Resume(DirectorAct):
    """Resume; the days still to come move by the length of the pause."""

    rule = directing.resume
    fits: ClassVar[Fits] = lambda t, _: t.paused_at is not None
    label = Text.of("Resume")
    hint = Text.of("Later dates move by the length of the pause")
    is_explained = True


class Appoint(DirectorAct):
    """Make a person a director."""

    user_id: UserId
    rule = directing.appoint
    label = Text.of("Appoint a director")
    hint = Text.of("They can do everything on this page")
    title = Text.of("Appoint {player}")


class Dismiss(DirectorAct):
    """Remove a person from the directors."""

    director: UserId
    rule = directing.dismiss
    fits: ClassVar[Fits] = lambda t, _: bool(t.directors)
    label = Text.of("Dismiss a director")
    hint = Text.of("They can no longer direct it")
    title = Text.of("Dismiss {player}")


class Cancel(DirectorAct):
    """End the event without a result. Games that have begun go on as ordinary matches."""

    rule = directing.cancel
    label = Text.of("Cancel the tournament")
    hint = Text.of("It ends without a result")
    is_explained = True
    notes: ClassVar[Notes] = _going_on
    wants_reason = True


class Undo(DirectorAct):
    """Undo a director's last act, by the number of its first event, if nothing followed."""

    seq: int
    rule: ClassVar = lambda t, act, seq, *, history: undoing.undo(t, act, history, seq)
    needs = ("history",)
    fits: ClassVar[Fits] = lambda _t, _moved: False  # it has a button instead of a line in the menu
    label = Text.of("Undo an act")
    done = Text.of("Undone.")
