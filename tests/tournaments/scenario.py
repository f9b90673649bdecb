"""A tournament as a text: ``swiss 6 rounds=3 | 1.1 1:0 | correct 1.1 0:1 -> corrected``.

It begins with the format, how many entrants it begins with (users 101, 102 ...; with 0 it is only
announced), and choices of the set-up. Steps follow, by ``|`` or line: a game's result (``1.2 1:0
time``), or an act with what it is about. ``! code`` behind a step says that it is refused, ``->``
which facts it makes, and ``? ...`` is what holds then, of the tournament ``t``. Directors act a
minute apart. In the end the history leads to the tournament.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.tournaments.domain import (
    acts,
    challenges,
    directing,
    inviting,
    registration,
    running,
    undoing,
)
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.fold import TournamentChange, add, replay
from bot.tournaments.domain.formats.catalog import FORMATS, placings
from bot.tournaments.domain.formats.open_ended import Arena
from bot.tournaments.domain.formats.swiss import forbidden_in
from bot.tournaments.domain.setup import Decider, FormatKey, Unfinished
from bot.tournaments.domain.tournament import Invitation, Tournament
from tests.tournaments.events_made import NOW, Event, a_setup

_UNITS = {"d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
_ENUMS: Mapping[str, Callable[[str], Any]] = {"unfinished": Unfinished, "decider": Decider}


def length(text: str) -> timedelta:
    return timedelta(**{_UNITS[text[-1]]: float(text[:-1])})


def choice(text: str) -> tuple[str, Any]:
    key, _, value = text.partition("=")
    if key in _ENUMS:
        return key, _ENUMS[key](value)
    if text == "untimed":
        return "clock", None
    if not value:
        return key, True
    if value.isdigit():
        return key, int(value)
    return key, length(value) if re.fullmatch(r"[\d.]+[dhms]", value) else value


def told_event(text: str) -> tuple[FormatKey, int, dict[str, Any], list[str]]:
    """The format of a text, with how many it begins, choices of the set-up, and the steps."""
    head, *steps = (each.strip() for each in re.split(r"\n|\|", text.strip()))
    form, users, *choices = head.split()
    return FormatKey(form), int(users), dict(map(choice, choices)), [*filter(None, steps)]


def instant(text: str, now: datetime, t: Tournament) -> datetime:
    """``now+2d``, ``closes``, ``begins-1h``, ``finish``; ``round`` is the end of round 1."""
    base, sign, much = re.split(r"([+-]|$)", text, maxsplit=1)
    at = now if base == "now" else t.rounds[0].until if base == "round" else getattr(t, base)
    by = length(much) if much else timedelta()
    return at - by if sign == "-" else at + by


def points_in(text: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, text.split(":")))


def guest(text: str) -> Invitation:
    """``user:seed:rating``, each of the last two only if it is known."""
    return Invitation(*(int(x) if x else None for x in text.split(":")))  # type: ignore[arg-type]


_READERS: Mapping[str, Callable[[str], Any]] = {
    "n": int,
    "u": lambda text: UserId(int(text)),
    "p": points_in,
    "g": str,
    "*": lambda text: tuple(map(int, text.split(","))),
    "i": lambda text: tuple(map(guest, text.split(","))),
    "k": lambda text: Kind(f"{text}_bye"),
}


def read_words(kinds: str, about: Sequence[str], **more: Callable[[str], Any]) -> list[Any]:
    """Words by their kinds: a number, a user, points, a game, a group, a list, a bye."""
    assert len(about) <= len(kinds), about
    readers = {**_READERS, **more}
    return [readers[kind](each) for kind, each in zip(kinds, about, strict=False)]


_KINDS = {"UserId": "u", "int": "n", "str": "g", "datetime": "t", "tuple[Invitation, ...]": "i"}
_KINDS |= {"tuple[Fraction, ...]": "p", "tuple[int, ...]": "*"}
"""The words for the arguments of directors' acts, by their types."""


def act_of(name: str, about: Sequence[str], now: datetime, t: Tournament) -> acts.DirectorAct:
    """The act of a director with that name, about these words."""
    kinds = "".join(_KINDS[str(each.type)] for each in fields(acts.ACTS[name]))
    return acts.ACTS[name](*read_words(kinds, about, t=lambda text: instant(text, now, t)))


def words(names: str, *about: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    """For state machines: one of some steps, with what it is about."""
    return st.tuples(st.sampled_from(names.split()), *about)


class Scenario(Event):
    """A tournament that a text tells."""

    make = staticmethod(a_setup)

    def __init__(self, text: str, **choices_too: Any) -> None:
        form, users, about, steps = told_event(text)
        about |= choices_too
        setup = self.make(form)
        if "lasts" in about:
            about["finish"] = setup.begins + about.pop("lasts")
        super().__init__(self.make(setup.format, **about))
        self.marks: dict[str, Tournament] = {}
        self.free: dict[int, datetime] = {}
        if users:
            self.begin(users)
            if not setup.format.facts.has_rounds:
                self.do(add, f.Drawn(1, (), (), self.t.finish))
                self.free = dict.fromkeys(range(1, users + 1), self.at)
        for step in steps:
            self._step(step)
        assert replay(self.events) == self.t

    def _step(self, text: str) -> None:
        if text.startswith("?"):
            wanted, names = text[1:].strip(), {**_NAMES, **self.marks, "t": self.t, "event": self}
            left = wanted.partition(" == ")[0]
            assert eval(wanted, names), f"{text}: {eval(left, names)}"
            return
        act, mark, expected = (each.strip() for each in re.split(r"(!|->|$)", text, maxsplit=1))
        if mark == "!":
            before = self.t
            with pytest.raises(UserError) as refused:
                self._act(*act.split())
            assert refused.value.code == expected, text
            assert self.t == before
            return
        made = " ".join(each.event.kind for each in self._act(*act.split()))
        assert mark != "->" or made == expected.replace("nothing", ""), f"{text}: {made}"

    def _act(self, name: str, *about: str) -> Sequence[Any]:
        own = getattr(self, f"_{name}_", None)
        if own is not None:
            return list(own(*about) or ())
        if name in _BY_PLAYERS:
            rule, kinds = _BY_PLAYERS[name]
            mine = self.t.entrant(int(about[0])) if kinds[:1] == "n" else None
            by = None if mine is None else mine.user_id
            return self.do(rule, *read_words(kinds, about), by=by)
        if name in acts.ACTS:
            act = act_of(name, about, self.at, self.t)
            return self.direct(act.decide)
        return self._score(name, *about)

    def _score(
        self, game: str, points: str, how: str = "played", *late: str
    ) -> list[TournamentChange]:
        values = points_in(points)
        self.free |= dict.fromkeys(self.t.games[game].game.players, self.at)
        return self.score(game, *values, how=f.How(how), late=tuple(map(int, late)))

    # ---- steps of their own --------------------------------------------------------------------

    def _all_(self, points: str, how: str = "played") -> None:
        """All games that are not over; ``low``: the lower number wins."""
        for played in self.t.pending:
            if points == "low":
                self.lower_wins(played)
            else:
                self._score(played.game.id, points, how)

    def _wins_(self, number: str, game: str = "") -> None:
        """An entrant wins their open game."""
        mine = [x for x in self.t.pending if int(number) in x.game.players]
        played = self.t.games[game] if game else mine[0]
        self.score(played.game.id, *(int(each == int(number)) for each in played.game.players))

    def _enter_(self, *users: str) -> list[Any]:
        found = []
        for each in users:
            user, _, rating = each.partition(":")
            given = int(rating) if rating else None
            found += self.do(registration.enter, UserId(int(user)), by=int(user), rating=given)
        return found

    def _add_(self, user: str) -> Any:
        return self.direct(registration.enter, UserId(int(user)), by_director=True)

    def _invite_(self, *guests: str) -> Any:
        return self.direct(inviting.invite, [*map(guest, guests)])

    def _correct_(self, game: str, points: str, *moved: str) -> Any:
        if moved and moved[0] in f.How._value2member_map_:
            return self.direct(add, f.Corrected(game, points_in(points), f.How(moved[0])))
        return self.direct(directing.correct, game, points_in(points), moved={*moved})

    def _extend_(self, number: str, until: str, game: str = "") -> Any:
        return self.direct(directing.extend, int(number), game, instant(until, self.at, self.t))

    def _undo_(self, kind: str = "") -> Any:
        """The last act, one by number, or the first (with ``-`` the last) with a fact of a kind."""
        events = self.events[::-1] if kind.startswith("-") else self.events
        seq = next((x.seq for x in events if x.kind == kind.removeprefix("-")), len(self.events))
        seq = int(kind) if kind.isdigit() else seq
        return self.direct(undoing.undo, list(self.events), seq)

    def _start_(self) -> list[Any]:
        """All games begin that can."""
        games = running.startable(self.t)
        return [x for game in games for x in self.do(running.begin_game, game.id)]

    def _pair_(self) -> list[Any]:
        """The free players of an arena are paired."""
        drawn = Arena().pairs(self.t, self.free, self.at)
        return [] if drawn is None else self.do(running.draw_games, drawn)

    def _mark_(self, name: str) -> None:
        """The tournament as it is now has this name in what is to hold later."""
        self.marks[name] = self.t

    def _draw_(self) -> Any:
        return self.draw()

    def _play_(self) -> None:
        self.play_out()

    def _wait_(self, much: str) -> None:
        self.at += length(much)

    def _until_(self, when: str) -> None:
        self.at = instant(when, self.at, self.t)


def _days(t: Tournament) -> object:
    return t.finish, [each.until for each in t.rounds], {k: v.until for k, v in t.games.items()}


def seen(t: Tournament | None) -> object:
    """A tournament without what the log alone shows."""
    return t and replace(t, version=0, head_hash="", updated_at=NOW, climbs=())


_NAMES: Mapping[str, Any] = {
    "F": Fraction,
    "How": f.How,
    "Kind": Kind,
    "days": _days,
    "forbidden": lambda t: forbidden_in(t, 5),
    "met": lambda t, number, *pair: any({*pair} == {*x.game.players} for x in t.in_round(number)),
    "placings": placings,
    "points": lambda t, game: ":".join(map(str, t.games[game].points or ())),
    "ranks": lambda t: [each.rank for each in FORMATS[t.setup.format].places(t)],
    "seen": seen,
    "startable": running.startable,
    "timedelta": timedelta,
}
_BY_PLAYERS: Mapping[str, tuple[Callable[..., Any], str]] = {
    "leaves": (registration.withdraw, "n"),
    "quits": (registration.leave, "n"),
    "check_in": (registration.check_in, "n"),
    "bye": (registration.ask_bye, "nnk"),
    "begin": (running.begin_game, "g"),
    "no_show": (running.no_show, "g*"),
    "overdue": (running.overdue, ""),
    "end": (running.end, ""),
    "challenge": (challenges.challenge, "nn"),
    "accept": (challenges.accept, "nn"),
    "decline": (challenges.decline, "nn"),
    "unanswered": (challenges.unanswered, ""),
}
