"""Records of matches: a text in the spirit of PGN, and JSON in Abstract Play's form.

A :class:`Record` is what can be said about a match in a file that is passed on: no server, no
channel, and names as the caller gives them. :func:`record_of` takes it from a match and its events,
:func:`write_text` and :func:`write_json` write it, :func:`read_record` reads either form back.

What is read is a claim until its moves have been played through by the game itself
(:mod:`bot.domain.records.judging`). Nothing is ever fetched, followed or kept.
"""

from bot.domain.records.apjson import write_json
from bot.domain.records.claims import RefusedInRecord
from bot.domain.records.judging import Judged
from bot.domain.records.plain import LARGEST
from bot.domain.records.reading import read_record
from bot.domain.records.record import Conclusion, Person, Record, Resignation, record_of
from bot.domain.records.text import write_text

__all__ = [
    "LARGEST",
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
