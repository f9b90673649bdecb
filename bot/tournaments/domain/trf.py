"""Reports in FIDE's Tournament Report Format: their content, and reading them.

TRF of 2016 and of 2026 (FIDE Handbook, TRF26.pdf) share the player section; the known records of
2026 are those of individual tournaments: 142, 152, 162, 192, 240 (byes), 250 (accelerated rounds)
and 260 (forbidden pairings). Earlier files use extensions of JaVaFo (``XXR``, ``XXC``, ``XXS``,
``XXZ``, ``XXA``, ``XXP``) and of bbpPairings (``BBW``, ``BBD``, ``BBL``, ``BBZ``, ``BBF``,
``BBU``). Records that only inform are kept unchanged; an unknown record that would change points or
pairs is refused. Line ends may be CR, LF or both. Writing: ``trf_writing``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from typing import Any

from bot.tournaments.domain.crosstable import (
    DRAW,
    LOSS,
    WIN,
    Competitor,
    CrosstableLine,
    Kind,
    Side,
)

LARGEST = 4_000_000
"""Bytes of the largest file: 9,999 players and 30 rounds have fewer."""
SCORING: Mapping[str, Fraction] = {"W": WIN, "D": DRAW, "L": LOSS, "A": LOSS, "P": WIN, "X": DRAW}
"""Points by result where a file does not set others (record 162)."""
RESULTS: Mapping[str, tuple[Kind, str]] = {
    "1": (Kind.PLAYED, "W"),
    "=": (Kind.PLAYED, "D"),
    "0": (Kind.PLAYED, "L"),
    "W": (Kind.PLAYED, "W"),
    "D": (Kind.PLAYED, "D"),
    "L": (Kind.PLAYED, "L"),
    "+": (Kind.FORFEIT, "W"),
    "-": (Kind.FORFEIT, "A"),
    "U": (Kind.PAIRING_BYE, "P"),
    "F": (Kind.FULL_BYE, "W"),
    "H": (Kind.HALF_BYE, "D"),
    "Z": (Kind.ZERO_BYE, "A"),
    "X": (Kind.PENDING, "X"),
    "?": (Kind.PENDING, "X"),
    "*": (Kind.PENDING, "X"),
}
"""The meaning of a result's letter, and the letter of its points in record 162."""

_FIRST_ROUND = 91
"""The first column of the first round, counted from 0; every round takes ten columns."""
_SCORE = re.compile(r"([WDLAPX])\s*(\S+)\s*")
_POINTS = re.compile(r"(\d{1,2})(?:[.,](\d))?")
_MOST_POINTS = Fraction(999, 10)
"""The most points in the columns of a player's points."""
_LAST = 999
"""The last round that record 260 can name."""
_INFORMS = frozenset(("102", "112", "122", "132", "172", "182", "202", "212", "222", "###"))
"""Records that change neither points nor pairs."""
_DRAFTS = frozenset(("ACC", "DFM", "FPB", "HPB", "MFO", "OOO", "PAB", "TSE", "ZPB"))
"""Records of drafts of 2026, which would."""
_CASES: Mapping[str, tuple[str, ...]] = {
    "W": ("WW", "BW", "FW", "FPB"),
    "D": ("WD", "BD", "HPB"),
    "L": ("WL", "BL"),
    "A": ("ZPB", "FL"),
    "P": ("PAB",),
    "X": ("X",),
}
"""Cases that record XXS of JaVaFo distinguishes, by the letter of record 162 for them all."""
_BBP: Mapping[str, tuple[str, ...]] = {
    "BBW": _CASES["W"],
    "BBD": _CASES["D"],
    "BBL": _CASES["L"],
    "BBZ": ("ZPB",),
    "BBF": ("FL",),
    "BBU": ("PAB",),
}
"""The same by the records of bbpPairings."""
_REQUESTED: Mapping[str, Kind] = {
    "F": Kind.FULL_BYE,
    "H": Kind.HALF_BYE,
    "Z": Kind.ZERO_BYE,
    "": Kind.ZERO_BYE,
}
_SYSTEM = re.compile(r"[A-Z0-9]+(?:_[A-Z0-9]+)+|KNOCKOUT")
_ROUND_ROBIN = re.compile(r"ROUND.?ROBIN")
_DUTCH = re.compile(r"FIDE_DUTCH(?:_202[56])?(_BAKU)?")


class TrfError(Exception):
    """An invalid report. ``line`` is the number of the line, 0 for the whole."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}" if self.line else self.reason


@dataclass(frozen=True, slots=True)
class Report:
    """A tournament of single players in the form of a report.

    ``planned``
        the number of rounds planned; None if the report does not have it.
    ``first_side``
        the side of the highest seed in the first round.
    ``scoring``
        points by result, see :data:`SCORING`.
    ``byes``
        by round, the players without a game and their kind of bye: record 240, and the player
        section of a round that is not paired yet.
    ``forbidden``
        first round, last round, and the numbers of players who may not meet in these.
    ``accelerated``
        additional points for the pairing only: their number, rounds (first, last), and players
        (first, last).
    ``ranks``
        the places that the report states, by number.
    ``other``
        lines that are kept unchanged.
    ``unpairable``
        known records with which no round can be paired here.
    ``contradictions``
        players whose stated points differ from those of their results.
    """

    players: tuple[Competitor, ...]
    name: str = ""
    city: str = ""
    federation: str = ""
    starts: date | None = None
    ends: date | None = None
    system: str = ""
    planned: int | None = None
    first_side: Side | None = None
    scoring: Mapping[str, Fraction] = field(default_factory=lambda: SCORING, hash=False)
    byes: Mapping[int, Mapping[int, Kind]] = field(default_factory=dict, hash=False)
    forbidden: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    accelerated: tuple[tuple[Fraction, int, int, int, int], ...] = ()
    ranks: Mapping[int, int] = field(default_factory=dict, hash=False)
    other: tuple[str, ...] = ()
    unpairable: tuple[TrfError, ...] = field(default=(), compare=False)
    contradictions: tuple[TrfError, ...] = field(default=(), compare=False)

    @property
    def is_round_robin(self) -> bool:
        """Whether all pairings were known from the start."""
        return _ROUND_ROBIN.search(self.system.upper()) is not None

    @property
    def paired(self) -> int:
        """The number of rounds paired: the last in which two players meet."""
        return max(
            (
                line.round
                for player in self.players
                for line in player.lines
                if line.opponent is not None or line.kind is Kind.PAIRING_BYE
            ),
            default=0,
        )


def decode(data: bytes) -> str:
    """The text of a file: UTF-8 if valid, else Latin-1; :exc:`TrfError` for anything else."""
    if len(data) > LARGEST:
        raise TrfError(0, "the file is too large for a tournament report")
    if b"\0" in data:
        raise TrfError(0, "the file is not text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_trf(text: str) -> Report:
    """The report that a text holds. Raises :exc:`TrfError`."""
    reader = _Reader()
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        reader.take(number, line.rstrip())
    return reader.report()


class _Reader:
    """Collects the records of a file; those that depend on others are read at the end."""

    def __init__(self) -> None:
        self.head: dict[str, Any] = {}
        self.player_lines: list[tuple[int, str]] = []
        self.late: list[tuple[int, str]] = []
        self.points: dict[str, tuple[int, Fraction]] = {}
        self.scoring = SCORING
        self.other: list[str] = []
        self.unpairable: list[TrfError] = []
        self.baku = 0

    def take(self, number: int, line: str) -> None:
        code, words = line[:3], line[4:].strip()
        match code:
            case "001":
                self.player_lines.append((number, line))
            case "240" | "250" | "260" | "XXA" | "XXP" | "XXZ":
                self.late.append((number, line))
            case "162":
                self._read_scoring(number, words.upper())
            case "XXS":
                self._read_cases(number, words.upper())
            case "BBW" | "BBD" | "BBL" | "BBZ" | "BBF" | "BBU":
                self._is_worth(number, _BBP[code], words)
            case "012":
                self.head["name"] = words
            case "022":
                self.head["city"] = words
            case "032":
                self.head["federation"] = words
            case "042":
                self.head["starts"] = _date(words)
            case "052":
                self.head["ends"] = _date(words)
            case "092" | "192":
                self._read_system(number, code, words)
            case "142" | "XXR":
                self.head["planned"] = _number(number, words, "a number of rounds", most=99)
            case "152":
                self._read_first_side(number, words.upper(), {"W": "W", "B": "B"})
            case "XXC":
                for word in words.lower().split():
                    if word == "rank":
                        self.unpairable.append(
                            TrfError(number, "pairing by rank (XXC rank) is not supported")
                        )
                    else:
                        self._read_first_side(number, word, {"white1": "W", "black1": "B"})
            case "062" | "072" | "082" | "":
                pass  # counted when it is written
            case _:
                _refuse_if_it_counts(number, code)
                self.other.append(line)

    def _read_system(self, at: int, code: str, words: str) -> None:
        self.head["system"] = words
        coded = words.upper()
        dutch = _DUTCH.fullmatch(coded)
        if dutch is not None:
            self.baku = at if dutch[1] else self.baku
        elif (
            # In files before 2026 the words are free.
            (code == "192" and words) or _SYSTEM.fullmatch(coded) or _ROUND_ROBIN.search(coded)
        ):
            self.unpairable.append(
                TrfError(at, f"Parlour does not pair by {words} ({code}), only by FIDE_DUTCH_2026")
            )

    def _read_first_side(self, at: int, word: str, sides: Mapping[str, str]) -> None:
        if word not in sides:
            raise TrfError(at, f"{word!r} is not {' or '.join(sides)}")
        side = Side.FIRST if sides[word] == "W" else Side.SECOND
        if self.head.setdefault("first_side", side) is not side:
            raise TrfError(at, "two records differ about the colour of the first seed")

    def _read_scoring(self, at: int, words: str) -> None:
        found = _SCORE.findall(words)
        if not found or _SCORE.sub("", words):
            raise TrfError(at, f"{words!r} is not points by result")
        for letter, value in found:
            self._is_worth(at, _CASES[letter], value)

    def _read_cases(self, at: int, words: str) -> None:
        """Record XXS: ``WW=3`` for one case, ``W=3`` for all wins."""
        known = {each for cases in _CASES.values() for each in cases} - {"X"}
        for word in re.sub(r"\s*=\s*", "=", words).split():
            case, _, value = word.partition("=")
            cases = _CASES[case] if case in ("W", "D") else (case,)
            if not known.issuperset(cases):
                raise TrfError(at, f"{word!r} is not points by result (XXS)")
            self._is_worth(at, cases, value)

    def _is_worth(self, at: int, cases: Iterable[str], words: str) -> None:
        for case in cases:
            self.points[case] = (at, _points(at, words))

    def _scoring(self) -> Mapping[str, Fraction]:
        """Points by letter. Cases of one letter that have different points are refused."""
        scoring = dict(SCORING)
        for letter, cases in _CASES.items():
            given = [self.points[case] for case in cases if case in self.points]
            if not given:
                continue
            values = {value for _, value in given}
            if len(given) < len(cases):
                values.add(SCORING[letter])
            if len(values) > 1:
                raise TrfError(
                    max(given)[0], f"different points for {', '.join(cases)} are not supported"
                )
            scoring[letter] = values.pop()
        if "PAB" not in self.points:
            scoring["P"] = scoring["W"]
        if "X" not in self.points:
            scoring["X"] = scoring["D"]
        at = max((line for line, _ in self.points.values()), default=0)
        if not scoring["W"] > scoring["D"] > scoring["L"]:
            raise TrfError(at, "a win must be worth more than a draw, and a draw than a loss")
        if scoring["A"] != LOSS:
            raise TrfError(at, "points for a forfeited game or a zero-point bye are not supported")
        return scoring

    def report(self) -> Report:
        if not self.player_lines:
            raise TrfError(0, "there are no players in it (records 001): this is no TRF")
        self.scoring = self._scoring()
        found: dict[int, tuple[int, Competitor]] = {}
        ranks: dict[int, int] = {}
        for at, line in self.player_lines:
            player, rank = self._read_player(at, line)
            if player.number in found:
                raise TrfError(at, f"player {player.number} is there twice")
            found[player.number] = (at, player)
            if rank is not None:
                ranks[player.number] = rank
        players = {number: player for number, (_, player) in sorted(found.items())}
        _check_meetings(players, {number: at for number, (at, _) in found.items()})
        bare = Report(
            tuple(players.values()),
            **self.head,
            scoring=self.scoring,
            ranks=ranks,
            other=tuple(self.other),
        )
        report = self._with_late(bare, players)
        for at, player in found.values():
            if player.points > _MOST_POINTS:
                raise TrfError(
                    at, f"player {player.number} has more than {float(_MOST_POINTS)} points"
                )
        if self.baku and not report.accelerated:
            reason = "it is accelerated, but records 250 or XXA do not say by how much"
            self.unpairable.append(TrfError(self.baku, reason))
        return replace(
            report,
            unpairable=tuple(self.unpairable),
            contradictions=tuple(self._contradictions(report)),
        )

    def _contradictions(self, report: Report) -> Iterable[TrfError]:
        """Errors for players whose stated points differ from those of their results.

        Programs differ in whether a bye of the round to come and points of an accelerated round are
        among the stated points.
        """
        by_number = {each.number: each for each in report.players}
        for at, line in self.player_lines:
            player = by_number[int(line[4:8])]
            stated = line[80:84].strip()
            if not stated or not all(each.is_over for each in player.lines):
                continue
            more = (LOSS, *_accelerations(report, player.number))
            worth = (player.points, player.until(report.paired).points)
            if not any(_is(stated, points + value) for points in worth for value in more):
                yield TrfError(
                    at,
                    f"player {player.number} has {stated} points here,"
                    f" but the results are worth {float(player.points):g}",
                )

    def _read_player(self, at: int, line: str) -> tuple[Competitor, int | None]:
        number = _number(at, line[4:8].strip(), "a player's number", most=9999)
        rating = line[48:52].strip()
        rank = line[85:89].strip()
        lines = []
        for round_number, start in enumerate(range(_FIRST_ROUND, len(line), 10), 1):
            cell = line[start : start + 8]
            if cell.strip():
                lines.append(self._read_cell(at, round_number, cell))
        player = Competitor(
            number,
            name=line[14:47].strip(),
            rating=int(rating) if rating.isdecimal() and int(rating) else None,
            lines=tuple(lines),
        )
        return player, int(rank) if rank.isdecimal() else None

    def _read_cell(self, at: int, round_number: int, cell: str) -> CrosstableLine:
        words = cell.ljust(8)
        against, side, letter = words[:4].strip() or "0", words[5].lower(), words[7].upper()
        if not against.isdecimal() or side not in "wb- ":
            raise TrfError(at, f"round {round_number} is not in its columns: {cell.strip()!r}")
        opponent = int(against)
        if letter == " ":
            letter = "X" if opponent else "Z"
        if letter not in RESULTS:
            raise TrfError(at, f"{letter!r} is no result (round {round_number})")
        kind, points = RESULTS[letter]
        if kind.is_bye == bool(opponent):
            if opponent or letter not in "-+":
                raise TrfError(at, f"{letter!r} does not go with the opponent of {round_number}")
            kind = Kind.ZERO_BYE if letter == "-" else Kind.FULL_BYE
        if kind.is_bye:
            return CrosstableLine(round_number, None, None, self.scoring[points], kind)
        if side not in "wb":
            raise TrfError(at, f"round {round_number} does not say who moved first")
        value = LOSS if kind is Kind.PENDING else self.scoring[points]
        return CrosstableLine(
            round_number, opponent, Side.FIRST if side == "w" else Side.SECOND, value, kind
        )

    def _with_late(self, report: Report, players: Mapping[int, Competitor]) -> Report:
        byes: dict[int, dict[int, Kind]] = {}
        for player in players.values():
            for line in player.lines:
                if line.kind.is_bye and line.kind is not Kind.PAIRING_BYE:
                    byes.setdefault(line.round, {})[player.number] = line.kind
        forbidden = []
        accelerated = []
        for at, record in self.late:
            match record[:3]:
                case "240":
                    kind = _REQUESTED.get(record[4:5].strip().upper())
                    if kind is None:
                        raise TrfError(at, f"{record[4:5]!r} is not F, H or Z")
                    round_number = _number(at, record[6:9].strip(), "a round", most=99)
                    for number in _known(at, record[9:], players):
                        known = players[number].in_round(round_number)
                        if known is not None and (
                            known.opponent is not None
                            or (known.kind is not kind and round_number <= report.paired)
                        ):
                            raise TrfError(
                                at, f"player {number} has something else in round {round_number}"
                            )
                        byes.setdefault(round_number, {})[number] = kind
                case "XXZ":
                    for number in _known(at, re.sub("[,/]", " ", record[4:]), players):
                        found = byes.setdefault(report.paired + 1, {})
                        found.setdefault(number, Kind.ZERO_BYE)
                case "XXP":
                    forbidden.append((1, _LAST, tuple(_known(at, record[4:], players))))
                case "260":
                    first = _number(at, record[4:7].strip() or "1", "a round", most=_LAST)
                    last = _number(at, record[8:11].strip() or str(first), "a round", most=_LAST)
                    forbidden.append((first, last, tuple(_known(at, record[11:], players))))
                case "250":  # for some rounds and neighbouring numbers
                    points = _points(at, record[9:13].strip() or "0")
                    first = _number(at, record[14:17].strip(), "a round", most=_LAST)
                    last = _number(at, record[18:21].strip() or str(first), "a round", most=_LAST)
                    (begin,) = _known(at, record[22:26].strip() or "?", players)
                    (end,) = _known(at, record[27:31].strip() or str(begin), players)
                    accelerated.append((points, first, last, begin, end))
                case _:  # XXA: for one player, by round
                    who, *values = record[4:].split() or ("",)
                    (number,) = _known(at, who or "?", players)
                    more = enumerate((_points(at, each) for each in values), 1)
                    accelerated += ((x, on, on, number, number) for on, x in more if x)
        return replace(
            report,
            players=tuple(self._with_byes(each, byes, report.paired) for each in report.players),
            byes=dict(sorted(byes.items())),
            forbidden=tuple(forbidden),
            accelerated=tuple(accelerated),
        )

    def _with_byes(
        self, player: Competitor, byes: Mapping[int, Mapping[int, Kind]], last: int
    ) -> Competitor:
        """With the byes in rounds until ``last`` that only record 240 has."""
        lines = {line.round: line for line in player.lines}
        for number, those in byes.items():
            if number <= last and number not in lines and player.number in those:
                kind = those[player.number]
                letter = {Kind.FULL_BYE: "W", Kind.HALF_BYE: "D", Kind.ZERO_BYE: "A"}[kind]
                points = self.scoring[letter]
                lines[number] = CrosstableLine(number, None, None, points, kind)
        return replace(player, lines=tuple(lines[number] for number in sorted(lines)))


def _refuse_if_it_counts(at: int, code: str) -> None:
    """Raise for an unknown record that may change points or pairs."""
    if code in ("013", "310"):
        raise TrfError(at, "team tournaments are not supported")
    if code == "299":
        raise TrfError(at, "points out of the ordinary (299) are not supported")
    if code in _INFORMS:
        return
    if code in _DRAFTS or code[:2] in ("XX", "BB") or (len(code) == 3 and code.isdecimal()):
        raise TrfError(at, f"record {code} is not supported")


def _accelerations(report: Report, number: int) -> Iterable[Fraction]:
    """Additional points of a player in the last paired round, and in the one to come."""
    for at in (report.paired, report.paired + 1):
        yield sum(
            (
                points
                for points, first, last, begin, end in report.accelerated
                if first <= at <= last and begin <= number <= end
            ),
            LOSS,
        )


def _check_meetings(players: Mapping[int, Competitor], at: Mapping[int, int]) -> None:
    """Both players of a game must agree on it."""
    for number, player in players.items():
        for line in player.lines:
            if line.opponent is None:
                continue
            other = players.get(line.opponent)
            seen = None if other is None else other.in_round(line.round)
            if seen is None or seen.opponent != number or line.opponent == number:
                raise TrfError(
                    at[number],
                    f"player {number} met {line.opponent} in round {line.round},"
                    f" but {line.opponent} did not meet {number}",
                )
            if seen.side is line.side or (seen.kind is Kind.PLAYED) != (line.kind is Kind.PLAYED):
                raise TrfError(
                    at[number],
                    f"players {number} and {line.opponent} differ about round {line.round}",
                )


def _known(at: int, words: str, players: Mapping[int, Competitor]) -> Iterable[int]:
    for word in words.split():
        number = _number(at, word, "a player's number", most=9999)
        if number not in players:
            raise TrfError(at, f"there is no player {number}")
        yield number


def _number(at: int, words: str, what: str, *, most: int) -> int:
    if not (words.isascii() and words.isdecimal() and 0 < int(words[:9]) <= most):
        raise TrfError(at, f"{words!r} is not {what}")
    return int(words)


def _points(at: int, words: str) -> Fraction:
    found = _POINTS.fullmatch(words)
    if found is None:
        raise TrfError(at, f"{words!r} is not points like 1.0 or 0.5")
    return Fraction(int(found[1])) + Fraction(int(found[2] or 0), 10)


def _is(words: str, points: Fraction) -> bool:
    found = _POINTS.fullmatch(words)
    return found is not None and _points(0, words) == points


def _date(words: str) -> date | None:
    """The day; None for an unreadable one, which does no harm."""
    found = re.fullmatch(r"(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?:\s.*)?", words)
    if found is None:
        return None
    try:
        return date(*(int(part) for part in found.groups()))
    except ValueError:
        return None
