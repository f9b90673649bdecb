"""All sentences of the source, for the tests of words and catalogues.

Collecting them takes more than a second, so each process of a run does it once, and ``together``
has one process run all tests that need them.
"""

from __future__ import annotations

import copy
import functools
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from bot.i18n import Languages
from bot.i18n.extract import catalogue, forms

together = pytest.mark.xdist_group("sentences")


@functools.cache
def source_sentences() -> Catalog:
    """The template of all sentences, to be looked at only."""
    return catalogue()


def own_source_sentences() -> Catalog:
    """The same, for a test to change."""
    return copy.deepcopy(source_sentences())


@functools.cache
def _marked_german() -> bytes:
    made = own_source_sentences()
    made.locale = "de"
    for message in made:
        if message.id:
            message.string = tuple(f"¡{words}" for words in forms(message))
            if isinstance(message.id, str):
                message.string = message.string[0]
    written = BytesIO()
    write_po(written, made)
    return written.getvalue()


def marked_german(folder: Path) -> Languages:
    """A German in which every sentence begins with a mark, as long as translations may be."""
    path = folder / "de" / "parlour.po"
    path.parent.mkdir(parents=True)
    path.write_bytes(_marked_german())
    return Languages(folder)
