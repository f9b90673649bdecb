"""The JSON form: a game record as Abstract Play describes it.

The description is ``src/schemas/gamerecord.json`` of https://github.com/AbstractPlay/recranks. A
record has a ``header`` and ``moves``, a list of rounds of one entry a player, null for a player
with no turn. Players are listed by the seats that they have at the end, and ``pied`` says that a
swap has changed them. Facts that the description does not cover are added to the header, which it
permits: ``rules-version``, ``time-control``, ``ending``, ``reason``, ``resignations``, ``plies``,
and for each player ``player``, the number in the order of the first turns.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.errors import UserError
from bot.history.domain.claims import FileText, RecordDraft, settings, wrong
from bot.history.domain.lines import Lined, read_lines
from bot.history.domain.plain import printable
from bot.history.domain.record import Record, Resignation, ranks, rounds, turns, usual_start
from games import catalog


def write_json(record: Record, *, generated: datetime) -> str:
    """The record as JSON, made at ``generated`` (aware, UTC).

    A match without a result is marked as not to be rated; its end is the time of the file.
    """
    found, seats = turns(record)
    game = catalog.create(record.game, record.options)
    begun = game.seating(game.decode(record.start or usual_start(game) or ""))
    levels = ranks(record.scores, record.winners) or (0,) * len(record.players)
    players = []
    for seat, player in enumerate(seats):
        person = record.players[player]
        entry: dict[str, Any] = {"name": printable(person.name) or "?"}
        if person.id:
            entry["userid"] = person.id
        if record.scores:
            entry["score"] = record.scores[player]
        entry["result"] = levels[player]
        entry["player"] = player + 1
        entry["side"] = game.seats[seat].name.message
        players.append(entry)
    now = _written(generated)
    site = {"name": record.site}
    if record.match:
        site["gameid"] = record.match
    header: dict[str, Any] = {
        "game": {
            "name": game.info.name,
            "variants": [f"{key}={value}" for key, value in record.options.items()],
        },
        "site": site,
        "date-start": now if record.started is None else _written(record.started),
        "date-end": now if record.ended is None else _written(record.ended),
        "date-generated": now,
        "unrated": not record.scores,
        "pied": seats != begun,
        "players": players,
        "rules-version": record.rules_version,
        "ending": record.conclusion.value,
        "plies": len(record.moves),
    }
    if record.reason:
        header["reason"] = record.reason
    if record.clock:
        header["time-control"] = record.clock
    if record.start:
        header["startingPosition"] = record.start
    if record.resignations:
        header["resignations"] = [
            {"player": each.player + 1, "after": each.after} for each in record.resignations
        ]
    moves = [[None if turn is None else turn.text for turn in row] for row in rounds(found, seats)]
    return json.dumps({"header": header, "moves": moves}, ensure_ascii=False, indent=1) + "\n"


def _written(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


def read_json(text: str) -> RecordDraft:
    """The claims of a JSON record. Raises :exc:`~bot.errors.UserError` with the line."""
    whole = read_lines(text)
    header = _Fields(_object(whole, "header"), "header")
    game = _Fields(header.needed("game", dict), "header.game")
    players = [_Fields(each, "header.players") for each in header.needed("players", list).value]
    people = tuple(_person(each) for each in players)
    numbers = [each.number("player") for each in players]
    known = sorted(numbers, key=lambda number: number or 0) == list(range(1, len(players) + 1))
    if known:
        players.sort(key=lambda each: each.number("player") or 0)
        people = tuple(_person(each) for each in players)
    site = header.get("site", dict)
    resigned = header.get("resignations", list)
    scores = [each.score() for each in players]
    results = [each.number("result") for each in players]
    ending = header.claim("ending")
    variants = game.get("variants", list)
    listed = variants.value if variants is not None else ()
    options = [FileText(str(each.value), each.line) for each in listed]
    return RecordDraft(
        game=game.claim_needed("name"),
        options=settings("header.game.variants", options),
        people=people,
        by_seat=not known,
        turns=_turns(whole),
        resigned=_resigned(resigned),
        resigned_line=resigned.line if resigned is not None else 0,
        rules=header.counted("rules-version"),
        start=header.claim("startingPosition"),
        conclusion=ending,
        reason=header.claim("reason"),
        scores=_all(scores),
        ranks=_all(results),
        scores_line=header.needed("players", list).line,
        count=header.counted("plies"),
        match=_site(site, "gameid"),
        site=_site(site, "name"),
        started=header.claim("date-start"),
        ended=_end(header, ending),
        clock=header.claim("time-control"),
    )


def _all(values: list[Any]) -> tuple[Any, ...] | None:
    return None if not values or None in values else tuple(values)


def _end(header: _Fields, ending: FileText | None) -> FileText | None:
    """The end of a match that has ended; an unfinished one has only the date of the file."""
    ended = header.claim("date-end")
    return None if ending is not None and ending.text == "unfinished" else ended


def _object(whole: Lined, name: str) -> Lined:
    found = whole.value.get(name) if isinstance(whole.value, dict) else None
    if not isinstance(found, Lined):
        raise UserError("record_missing", name=name)
    return found


class _Fields:
    """The members of an object of the file, each checked when it is read."""

    def __init__(self, lined: Lined, name: str) -> None:
        if not isinstance(lined.value, dict):
            raise wrong(lined.line, name, "")
        self._members: Mapping[str, Lined] = lined.value
        self._name = name

    def get(self, key: str, kind: type) -> Lined | None:
        """A member of that kind, None if there is none."""
        found = self._members.get(key)
        if found is None or found.value is None:
            return None
        if not isinstance(found.value, kind) or (
            isinstance(found.value, bool) and kind is not bool
        ):
            value = found.value if not isinstance(found.value, dict | list) else ""
            raise wrong(found.line, f"{self._name}.{key}", value)
        return found

    def needed(self, key: str, kind: type) -> Lined:
        """A member of that kind, which must be present."""
        found = self.get(key, kind)
        if found is None:
            raise UserError("record_missing", name=f"{self._name}.{key}")
        return found

    def claim(self, key: str) -> FileText | None:
        """A text."""
        found = self.get(key, str)
        return None if found is None else FileText(found.value, found.line)

    def claim_needed(self, key: str) -> FileText:
        """A text that must be present."""
        found = self.needed(key, str)
        return FileText(found.value, found.line)

    def counted(self, key: str) -> FileText | None:
        """A whole number, as the file writes it."""
        found = self.get(key, int)
        return None if found is None else FileText(str(found.value), found.line)

    def number(self, key: str) -> int | None:
        """A whole number."""
        found = self.get(key, int)
        return None if found is None else int(found.value)

    def score(self) -> float | None:
        """The member ``score``."""
        found = self.get("score", int | float)  # type: ignore[arg-type]
        return None if found is None else float(found.value)


def _person(fields: _Fields) -> tuple[FileText, str]:
    ident = fields.claim("userid")
    return fields.claim_needed("name"), "" if ident is None else ident.text


def _site(site: Lined | None, key: str) -> str:
    found = None if site is None else site.value.get(key)
    return found.value if found is not None and isinstance(found.value, str) else ""


def _resigned(lined: Lined | None) -> tuple[Resignation, ...]:
    found = []
    for each in lined.value[:16] if lined is not None else ():
        fields = _Fields(each, "header.resignations")
        player = int(fields.needed("player", int).value)
        found.append(Resignation(player - 1, int(fields.needed("after", int).value)))
    return tuple(sorted(found, key=lambda each: each.after))


def _turns(whole: Lined) -> tuple[FileText, ...]:
    rows = _object(whole, "moves")
    if not isinstance(rows.value, list):
        raise wrong(rows.line, "moves", "")
    made: list[FileText] = []
    for row in rows.value:
        if not isinstance(row.value, list):
            raise wrong(row.line, "moves", "")
        entries = [_entry(each) for each in row.value if each.value is not None]
        made += [claim for _, claim in sorted(entries, key=lambda entry: entry[0])]
    return tuple(made)


def _entry(lined: Lined) -> tuple[int, FileText]:
    """A turn, and its place in the round where the file says one."""
    if isinstance(lined.value, dict):
        fields = _Fields(lined, "moves")
        return fields.number("sequence") or 0, fields.claim_needed("move")
    if not isinstance(lined.value, str) or not lined.value.strip():
        raise wrong(lined.line, "moves", "")
    return 0, FileText(lined.value, lined.line)
