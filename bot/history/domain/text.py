"""The text form: headings in brackets, an empty line, then the moves, a line a round.

::

    [Game "Quax"]
    [Player1 "Ada"]
    [Player2 "Ben"]
    [Options "size=11 pie=on"]
    [Result "1-0"]

    1. d4 swap
    2. e5 f7

Numbers count rounds; ``...`` stands for a player without a turn in a round in which a later player
had one. Moves of one turn are joined by commas. Comments stand in braces or follow a semicolon,
variations in parentheses (:mod:`bot.history.domain.variations`).
Layout after the Portable Game Notation, https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.errors import UserError
from bot.history.domain.claims import FileText, RecordDraft, Variation, settings, wrong
from bot.history.domain.judging import written_scores
from bot.history.domain.plain import printable
from bot.history.domain.record import Record, Resignation, rounds, turns
from bot.history.domain.variations import MOST_TRIED, NESTED, refuse, written
from games import catalog

_MOST_HEADINGS = 64
_HEADING = re.compile(r'\[([A-Za-z][A-Za-z0-9]{0,31}) "((?:[^"\\]|\\["\\])*)"\]')
_NUMBER = re.compile(r"([0-9]{1,9})\.")
_PLAYER = re.compile(r"Player([1-9])")
_RESIGNED = re.compile(r"([1-9]) after ([0-9]{1,6})")
_SCORE = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?|1/2")
_SCORES = re.compile(rf"(?:{_SCORE.pattern})(?:-(?:{_SCORE.pattern}))*")
_SIGN = re.compile(r"[{;()]")
_MISSED = "..."


def write_text(record: Record) -> str:
    """The record as a text in lines that end in a line feed."""
    found, _ = turns(record)
    order = range(len(record.players))
    headings = [
        f'[{name} "{_escaped(value)}"]\n' for name, value in _headings(record) if value != ""
    ]
    lines, ply, plies = [], 0, len(record.moves)
    if not found and record.tried:
        lines.append(written(plies, record.tried, (), 0) + "\n")
    for number, row in enumerate(rounds(found, order), 1):
        while row and row[-1] is None:
            row.pop()
        words = []
        for turn in row:
            words.append(_MISSED if turn is None else turn.text)
            if turn is not None:
                words.append(written(plies, record.tried, turn.moves, ply))
                ply += len(turn.moves)
        lines.append(f"{number}. {' '.join(filter(None, words))}\n")
    return "".join([*headings, "\n", *lines])


def _headings(record: Record) -> Iterator[tuple[str, str]]:
    yield "Game", catalog.GAMES[record.game].info.name
    yield "Site", record.site
    yield "Event", record.event
    yield "Round", record.round
    yield "Match", record.match
    yield "Date", "" if record.started is None else f"{record.started:%Y-%m-%dT%H:%M:%SZ}"
    yield "EndDate", "" if record.ended is None else f"{record.ended:%Y-%m-%dT%H:%M:%SZ}"
    for number, person in enumerate(record.players, 1):
        yield f"Player{number}", printable(person.name) or "?"
    yield "Options", " ".join(f"{key}={value}" for key, value in record.options.items())
    yield "Rules", str(record.rules_version)
    yield "TimeControl", record.clock
    yield "Setup", record.start
    yield "Result", written_scores(record.scores)
    yield "Termination", record.conclusion.value
    yield "Reason", record.reason
    yield (
        "Resigned",
        ", ".join(f"{each.player + 1} after {each.after}" for each in record.resignations),
    )
    yield "Moves", str(len(record.moves))


def _escaped(text: str) -> str:
    return printable(text).replace("\\", "\\\\").replace('"', '\\"')


@dataclass(slots=True)
class _Reader:
    """The state of reading a text record."""

    headings: dict[str, FileText] = field(default_factory=dict)
    turns: list[FileText] = field(default_factory=list)
    rounds: int = 0
    comment: int = 0
    """The line where an open comment began, else 0."""
    variations: list[Variation] = field(default_factory=list)
    inside: list[Variation] = field(default_factory=list)
    """The open variations, each within the one before it."""
    tried: int = 0

    def line(self, number: int, line: str) -> None:
        """Take one line."""
        if not self.comment and line.startswith("["):
            self._heading(number, line.rstrip())
            return
        place = 0
        while place < len(line):
            if self.comment:
                closed = line.find("}", place)
                if closed < 0:
                    return
                self.comment, place = 0, closed + 1
                continue
            found = _SIGN.search(line, place)
            until = len(line) if found is None else found.start()
            sign = line[until : until + 1]
            self._words(number, line[place:until], is_sign=sign in ("(", ")"))
            if sign == "{":
                self.comment = number
            elif sign == "(":
                self._open(number)
            elif sign == ")":
                self._close(number)
            place = len(line) if sign == ";" else until + 1

    def _heading(self, number: int, line: str) -> None:
        found = _HEADING.fullmatch(line)
        if found is None:
            raise UserError("record_heading", line=number)
        if self.turns or self.rounds:
            raise UserError("record_second", line=number)
        name = found[1]
        if name in self.headings:
            code = "record_second" if name == "Game" else "record_twice"
            raise UserError(code, line=number, name=name)
        if len(self.headings) >= _MOST_HEADINGS:
            raise UserError("record_heading", line=number)
        self.headings[name] = FileText(re.sub(r"\\(.)", r"\1", found[2]), number)

    def _open(self, number: int) -> None:
        if len(self.inside) >= NESTED or self.tried >= MOST_TRIED:
            raise refuse(number)
        self.tried += 1
        opened = Variation(number, len(self.turns) - 1)
        if self.inside:
            self.inside[-1].parts.append(opened)
        else:
            self.variations.append(opened)
        self.inside.append(opened)

    def _close(self, number: int) -> None:
        if not self.inside:
            raise UserError("record_variation", line=number)
        self.inside.pop()

    def _words(self, number: int, text: str, *, is_sign: bool) -> None:
        """Take words up to the end of the line, a comment, or the sign of a variation."""
        if "Game" not in self.headings and (is_sign or text.strip()):
            raise UserError("record_missing", name="Game")
        for word in text.split():
            counted = _NUMBER.fullmatch(word)
            if self.inside:
                if counted is None and word != _MISSED:
                    self.inside[-1].parts.append(FileText(word, number))
                continue
            if counted is None:
                if word != _MISSED:
                    self.turns.append(FileText(word, number))
                continue
            self.rounds += 1
            if int(counted[1]) != self.rounds:
                raise UserError("record_number", line=number, expected=self.rounds)


def read_text(text: str) -> RecordDraft:
    """The claims of a text record. Raises :exc:`~bot.errors.UserError` with the line."""
    reader = _Reader()
    for number, line in enumerate(text.split("\n"), 1):
        reader.line(number, line)
    if reader.comment:
        raise UserError("record_comment", line=reader.comment)
    if reader.inside:
        raise UserError("record_variation", line=reader.inside[-1].line)
    headings = reader.headings
    game = headings.get("Game")
    if game is None:
        raise UserError("record_missing", name="Game")
    resigned = headings.get("Resigned")
    result = headings.get("Result")
    chosen = headings.get("Options", FileText("", 0))
    options = [FileText(word, chosen.line) for word in chosen.text.split()]
    return RecordDraft(
        game=game,
        options=settings("Options", options),
        people=_people(headings),
        by_seat=False,
        turns=tuple(reader.turns),
        resigned=_resigned(resigned),
        resigned_line=resigned.line if resigned is not None else 0,
        rules=headings.get("Rules"),
        start=headings.get("Setup"),
        conclusion=headings.get("Termination"),
        reason=headings.get("Reason"),
        scores=_scores(result),
        scores_line=result.line if result is not None else 0,
        count=headings.get("Moves"),
        match=_text(headings, "Match"),
        site=_text(headings, "Site"),
        started=headings.get("Date"),
        ended=headings.get("EndDate"),
        clock=headings.get("TimeControl"),
        variations=tuple(reader.variations),
    )


def _text(headings: dict[str, FileText], name: str) -> str:
    return headings[name].text if name in headings else ""


def _people(headings: dict[str, FileText]) -> tuple[tuple[FileText, str], ...]:
    found = {
        int(match[1]): claim
        for name, claim in headings.items()
        if (match := _PLAYER.fullmatch(name)) is not None
    }
    for number in range(1, len(found) + 1):
        if number not in found:
            raise UserError("record_missing", name=f"Player{number}")
    return tuple((found[number], "") for number in sorted(found))


def _resigned(claim: FileText | None) -> tuple[Resignation, ...]:
    if claim is None:
        return ()
    found = [_RESIGNED.fullmatch(part.strip()) for part in claim.text.split(",")[:16]]
    made = []
    for each in found:
        if each is None:
            raise wrong(claim.line, "Resigned", claim.text)
        made.append(Resignation(int(each[1]) - 1, int(each[2])))
    return tuple(sorted(made, key=lambda each: each.after))


def _scores(claim: FileText | None) -> tuple[float, ...] | None:
    if claim is None:
        return None
    text = claim.text.strip()
    if text == "*":
        return ()
    if len(text) > 200 or _SCORES.fullmatch(text) is None:
        raise wrong(claim.line, "Result", claim.text)
    found = re.compile(rf"({_SCORE.pattern})(?:-|$)").findall(text)
    return tuple(0.5 if each == "1/2" else float(each) for each in found)
