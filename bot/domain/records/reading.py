"""Reading a file of either form."""

from __future__ import annotations

from bot.domain.records.apjson import read_json
from bot.domain.records.judging import Judged, judge
from bot.domain.records.plain import plain_text
from bot.domain.records.text import read_text


def read_record(data: bytes) -> Judged:
    """The record in a file, its moves played through.

    What the file is called or said to be does not count: what begins with a brace is JSON. Raises
    :exc:`~bot.errors.UserError` and nothing else, whatever the bytes.
    """
    text = plain_text(data)
    draft = read_json(text) if text.lstrip().startswith("{") else read_text(text)
    return judge(draft)
