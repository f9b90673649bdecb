"""Every sentence of the source into the catalogues, by Babel's extractor.

``python -m bot.i18n.extract`` brings all catalogues up to date; ``python -m bot.i18n.extract nl``
begins one for a new language. ``make words`` does both.
"""

from __future__ import annotations

import sys
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot.i18n import LOCALES

_ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (_ROOT / "games", _ROOT / "renderers", _ROOT / "bot")
KEYWORDS = {"of": None, "say": None, "plural": (1, 2)}
"""The functions whose first argument is a sentence, and those with a singular and a plural."""
_ALL = KEYWORDS | {"pgettext": ((1, "c"), 2)}
_METHODS = [
    # The names of commands and options are arguments of decorators: a function lists those of all
    # rooms, which features.py imports.
    ("ui/command_sync.py", "bot.features:names_for_babel"),
    ("**.py", "python"),
]


def catalogue() -> Catalog:
    """All sentences of the project, and the names of commands and options, as a template."""
    made = Catalog(project="Parlour", charset="utf-8")
    for package in PACKAGES:
        for file, line, message, comments, context in extract_from_dir(
            package, _METHODS, keywords=_ALL
        ):
            place = (f"{package.name}/{file}", line)
            made.add(message, locations=[place], auto_comments=comments, context=context)
    return made


def forms(message: Message) -> tuple[str, ...]:
    """The English of an entry: its sentence, or the singular and the plural."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def update(locale: str, folder: Path = LOCALES) -> Path:
    """Bring one language's catalogue up to date, or begin it; its path.

    Translations stay, a new sentence is empty (and English until it is filled), and a sentence that
    is no longer used goes. Nothing is guessed: a reworded sentence is a new one.
    """
    path = folder / locale / "parlour.po"
    name = locale.replace("-", "_")
    if path.exists():
        with path.open("rb") as source:
            current = read_po(source, locale=name)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        current = Catalog(
            locale=name,
            project="Parlour",
            version="1.0",
            charset="utf-8",
            fuzzy=False,
            header_comment=f"# The words of Parlour: {locale}",
        )
    begun = current.creation_date
    current.update(catalogue(), no_fuzzy_matching=True)
    current.creation_date = begun
    current.obsolete.clear()
    with path.open("wb") as target:
        # Without line numbers, so that a catalogue changes only where a sentence does.
        write_po(target, current, width=100, include_lineno=False, sort_by_file=True)
    return path


def is_translated(message: Message) -> bool:
    """Whether a sentence or name is translated, in all plural forms where it has them."""
    said = message.string or ""
    return bool(said) if isinstance(said, str) else all(said)


def untranslated(path: Path) -> list[str]:
    """The sentences and names of a catalogue that have no translation yet."""
    with path.open("rb") as source:
        return [
            forms(message)[0]
            for message in read_po(source)
            if message.id and not is_translated(message)
        ]


if __name__ == "__main__":
    for wanted in sys.argv[1:] or [path.parent.name for path in LOCALES.glob("*/parlour.po")]:
        written = update(wanted)
        sys.stdout.write(f"{written}: {len(untranslated(written))} to be translated\n")
