"""The claims of a file, with their lines, before they are checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bot.errors import UserError
from bot.history.domain.record import Resignation
from games.errors import GameError

_SHOWN = 40
_SETTING = re.compile(r"([A-Za-z0-9_-]{1,40})=(\S{1,100})")


@dataclass(frozen=True, slots=True)
class FileText:
    """A text of the file and its line number, counted from 1."""

    text: str
    line: int


@dataclass(slots=True)
class Variation:
    """A text in parentheses: its line, the turn before it (-1: none), and its content."""

    line: int
    turn: int
    parts: list[FileText | Variation] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RecordDraft:
    """A record as the file has it.

    ``people`` are names and ids, by player index unless ``by_seat`` says that they are in the order
    of the seats at the end; ``scores`` (none without a result) and ``ranks`` (higher is better) are
    in the same order. ``turns`` hold one move or several joined by commas.
    """

    game: FileText
    options: Mapping[str, FileText]
    people: tuple[tuple[FileText, str], ...]
    by_seat: bool
    turns: tuple[FileText, ...]
    resigned: tuple[Resignation, ...] = ()
    resigned_line: int = 0
    rules: FileText | None = None
    start: FileText | None = None
    conclusion: FileText | None = None
    reason: FileText | None = None
    scores: tuple[float, ...] | None = None
    ranks: tuple[int, ...] | None = None
    scores_line: int = 0
    count: FileText | None = None
    match: str = ""
    site: str = ""
    started: FileText | None = None
    ended: FileText | None = None
    clock: FileText | None = None
    variations: tuple[Variation, ...] = ()


class RefusedInRecord(UserError):
    """The game itself refuses a part of the file: ``error`` is its refusal, ``game`` its key.

    ``record_move`` has ``line``, ``number`` and ``move``; ``record_refused`` has ``line``.
    """

    def __init__(
        self, code: str, error: GameError, *, game: str | None, **params: str | int
    ) -> None:
        super().__init__(code, **params)
        self.error = error
        self.game = game


def wrong(line: int, name: str, value: object) -> UserError:
    """The refusal of a value that cannot be read."""
    return UserError("record_value", line=line, name=name, value=excerpt(str(value)))


def settings(name: str, claims: Iterable[FileText]) -> dict[str, FileText]:
    """The options of a game as a file has them, each as ``key=value``, under a name."""
    found: dict[str, FileText] = {}
    for claim in claims:
        setting = _SETTING.fullmatch(claim.text)
        if setting is None:
            raise wrong(claim.line, name, claim.text)
        if setting[1] in found:
            raise UserError("record_twice", line=claim.line, name=setting[1])
        found[setting[1]] = FileText(setting[2], claim.line)
    return found


def excerpt(text: str) -> str:
    """The part of a text that a refusal quotes."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
