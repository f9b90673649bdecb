"""Reports in FIDE's Tournament Report Format: what a file holds, and reading it.

TRF of 2016 and of 2026 (FIDE Handbook, TRF26.pdf) share the player section; of the records of 2026
those are understood that concern a tournament of single players: 142, 152, 162, 192, 240 (byes),
250 (accelerated rounds) and 260 (forbidden pairings). ``XXR`` is 142 in files of before. All other
lines are kept as they are. Line ends may be CR, LF or both. Writing: ``trf_writing``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from bot.domain.tournaments.crosstable import (
    DRAW,
    LOSS,
    WIN,
    Competitor,
    CrosstableLine,
    Kind,
    Side,
)

LARGEST = 4_000_000
"""Bytes of the largest file that is read: 9,999 players and 30 rounds have fewer."""
SCORING: Mapping[str, Fraction] = MappingProxyType(
    {"W": WIN, "D": DRAW, "L": LOSS, "A": LOSS, "P": WIN, "X": DRAW}
)
"""Points by result where a file does not say others (record 162)."""
RESULTS: Mapping[str, tuple[Kind, str]] = MappingProxyType(
    {
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
)
"""What the letter of a result means, and the letter of its points in record 162."""

_FIRST_ROUND = 91
"""Where the first round begins, counted from 0; every round takes ten columns."""
_SCORE = re.compile(r"([WDLAPX])\s*(\d+(?:\.\d+)?)")


class TrfError(Exception):
    """A text is no such report. ``line`` is the number of the line, 0 for the whole."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}" if self.line else self.reason


@dataclass(frozen=True, slots=True)
class Report:
    """A tournament of single players as a report tells it.

    ``planned``
        how many rounds there will be; None if the report does not say.
    ``first_side``
        which side the highest seed had, or is to have, in the first round.
    ``scoring``
        points by result, see :data:`SCORING`.
    ``byes``
        by round, who will not play in it and what that is: record 240, and what the player section
        says of a round that is not paired yet.
    ``forbidden``
        first round, last round, and the numbers of players who may not meet in these.
    ``ranks``
        the places that the report states, by number.
    ``other``
        lines that are kept as they are.
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
    byes: Mapping[int, Mapping[int, Kind]] = field(
        default_factory=lambda: MappingProxyType({}), hash=False
    )
    forbidden: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    ranks: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    other: tuple[str, ...] = ()

    @property
    def paired(self) -> int:
        """How many rounds have been paired: the last in which two players meet."""
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
    """The text of a file: UTF-8 if it is, else Latin-1; :exc:`TrfError` for what is no text."""
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
    """Gathers the records of a file; what depends on others is read when all are there."""

    def __init__(self) -> None:
        self.head: dict[str, Any] = {}
        self.player_lines: list[tuple[int, str]] = []
        self.late: list[tuple[int, str]] = []
        self.scoring = dict(SCORING)
        self.other: list[str] = []

    def take(self, number: int, line: str) -> None:
        code, words = line[:3], line[4:].strip()
        match code:
            case "001":
                self.player_lines.append((number, line))
            case "240" | "260":
                self.late.append((number, line))
            case "162":
                self._read_scoring(number, words)
            case "013" | "310":
                raise TrfError(number, "team tournaments are not supported")
            case "299":
                raise TrfError(number, "points out of the ordinary (299) are not supported")
            case "012" | "022" | "032" | "092" | "192":
                name = _WORDS[code]
                self.head[name] = words
            case "042" | "052":
                found = _date(words)
                if found is None and words:
                    raise TrfError(number, f"{words!r} is not a date like 2026/03/14")
                name = "starts" if code == "042" else "ends"
                self.head[name] = found
            case "142" | "XXR":
                rounds = _number(number, words, "a number of rounds", most=99)
                self.head["planned"] = rounds
            case "152":
                sides = {"W": Side.FIRST, "B": Side.SECOND}
                if words.upper() not in sides:
                    raise TrfError(number, f"{words!r} is not W or B")
                self.head["first_side"] = sides[words.upper()]
            case "062" | "072" | "082" | "":
                pass  # counted when it is written
            case _:
                self.other.append(line)

    def _read_scoring(self, number: int, words: str) -> None:
        found = _SCORE.findall(words.upper())
        if not found:
            raise TrfError(number, "no points by result")
        said = {key: Fraction(value) for key, value in found}
        self.scoring |= said
        if "P" not in said:
            self.scoring["P"] = self.scoring["W"]
        if "X" not in said:
            self.scoring["X"] = self.scoring["D"]

    def report(self) -> Report:
        if not self.player_lines:
            raise TrfError(0, "there are no players in it (records 001): this is no TRF")
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
            scoring=MappingProxyType(self.scoring),
            ranks=MappingProxyType(ranks),
            other=tuple(self.other),
        )
        return self._with_late(bare, players)

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
        for at, record in self.late:
            if record.startswith("240"):
                kind = {"F": Kind.FULL_BYE, "H": Kind.HALF_BYE}.get(record[4:5].upper())
                round_number = _number(at, record[6:9].strip(), "a round", most=99)
                for number in _known(at, record[9:], players):
                    found = byes.setdefault(round_number, {})
                    found[number] = kind or Kind.ZERO_BYE
            else:
                first = _number(at, record[4:7].strip() or "1", "a round", most=999)
                last = _number(at, record[8:11].strip() or str(first), "a round", most=999)
                forbidden.append((first, last, tuple(_known(at, record[11:], players))))
        frozen = {key: MappingProxyType(value) for key, value in sorted(byes.items())}
        return replace(report, byes=MappingProxyType(frozen), forbidden=tuple(forbidden))


_WORDS = {"012": "name", "022": "city", "032": "federation", "092": "system", "192": "system"}


def _check_meetings(players: Mapping[int, Competitor], at: Mapping[int, int]) -> None:
    """Both players of a game must tell the same of it."""
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


def _date(words: str) -> date | None:
    found = re.fullmatch(r"(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?:\s.*)?", words)
    if found is None:
        return None
    try:
        return date(*(int(part) for part in found.groups()))
    except ValueError:
        return None
