"""Records of matches: a text in the spirit of PGN, and JSON in Abstract Play's form.

A :class:`Record` has the facts of a match for a file to pass on: no server, no channel, and names
as the caller gives them. :func:`record_of` takes it from a match and its events, :func:`write_text`
and :func:`write_json` write it, :func:`read_record` reads either form back.

The content of a file is a claim until the game itself has played its moves through
(:mod:`bot.history.domain.judging`). Nothing is ever fetched, followed or stored.
"""

from __future__ import annotations

from bot.history.domain.apjson import read_json, write_json
from bot.history.domain.claims import RefusedInRecord
from bot.history.domain.judging import MOST_MOVES, Judged, judge
from bot.history.domain.plain import LARGEST, plain_text
from bot.history.domain.record import Conclusion, Person, Record, Resignation, record_of
from bot.history.domain.text import read_text, write_text

__all__ = [
    "LARGEST",
    "MOST_MOVES",
    "Conclusion",
    "Judged",
    "Person",
    "Record",
    "RefusedInRecord",
    "Resignation",
    "read_record",
    "record_of",
    "write_json",
    "write_text",
]


def read_record(data: bytes) -> Judged:
    """The record in a file, its moves played through.

    The file's name and media type do not count: text that begins with a brace is JSON. Raises
    :exc:`~bot.errors.UserError` and nothing else, for any bytes.
    """
    text = plain_text(data)
    draft = read_json(text) if text.lstrip().startswith("{") else read_text(text)
    return judge(draft)
