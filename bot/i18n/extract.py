"""Find every sentence of the project, for catalogues and for the tests that hold them complete.

``python -m bot.i18n.extract`` brings all catalogues up to date; ``python -m bot.i18n.extract de``
begins one for a new language.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from bot.i18n import LOCALES
from bot.ui.command_names import names

__all__ = ["PACKAGES", "Found", "catalogue", "sentences", "untranslated", "update"]

_PLACEHOLDER = re.compile(r"\{[a-z_]+\}")
_ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (_ROOT / "games", _ROOT / "renderers", _ROOT / "bot")


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence in the source: its file from the project's root, its line, its words.

    ``message`` is None where the words are no literal, so that no catalogue can hold them.
    """

    path: str
    line: int
    message: str | None


def _is_sentence_call(node: ast.Call) -> bool:
    """Whether a call makes a text of its first argument: ``Text``, ``Text.of``, ``say``."""
    match node.func:
        case ast.Name(id="Text" | "say"):
            return bool(node.args)
        case ast.Attribute(value=ast.Name(id="Text"), attr="of"):
            return bool(node.args)
        case ast.Attribute(attr="say"):
            return bool(node.args)
        case _:
            return False


def sentences(folders: Iterable[Path] = PACKAGES) -> Iterator[Found]:
    """Every sentence in the Python files below the folders, in the order of paths and lines.

    A text may also be made of words that stand in a table or were chosen just before. In a file
    that does so, every string that begins with a capital or has a placeholder counts.
    """
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            name = path.relative_to(folder.parent).as_posix()
            found = [
                Found(name, call.lineno, _literal(call.args[0]))
                for call in ast.walk(tree)
                if isinstance(call, ast.Call) and _is_sentence_call(call)
            ]
            if any(each.message is None for each in found):
                known = {each.message for each in found}
                found += [
                    Found(name, node.lineno, words)
                    for node in _plain_strings(tree)
                    if (words := _literal(node)) is not None
                    and (words[:1].isupper() or _PLACEHOLDER.search(words))
                    and words not in known
                ]
            yield from sorted(found, key=lambda each: each.line)


def _literal(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def _is_export(node: ast.AST) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case _:
            return False


def _plain_strings(tree: ast.Module) -> Iterator[ast.Constant]:
    """All strings of a module but docstrings, parts of formatted strings, and names it exports."""
    left_out = {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr | ast.JoinedStr) or _is_export(node)
        for child in ast.walk(node)
        if not (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant))
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in left_out:
            yield node


def catalogue() -> Catalog:
    """All sentences of the project as a template."""
    made = Catalog(project="Parlour", charset="utf-8")
    for found in sentences():
        if found.message:
            made.add(found.message, locations=[(found.path, found.line)])
    for line, (context, name) in enumerate(names()):
        made.add(name, context=context, locations=[("bot/ui/command_names.py", line)])
    return made


def update(locale: str, folder: Path = LOCALES) -> Path:
    """Bring one language's catalogue up to date, or begin it; its path.

    What is translated stays, what is new is empty (and English until it is filled), and what the
    program no longer says goes. Nothing is guessed: a sentence that was reworded is a new one.
    """
    path = folder / locale / "parlour.po"
    if path.exists():
        with path.open("rb") as source:
            current = read_po(source, locale=locale.replace("-", "_"))
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        current = Catalog(
            locale=locale.replace("-", "_"),
            project="Parlour",
            version="",
            msgid_bugs_address="",
            last_translator="",
            language_team=locale,
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


def untranslated(path: Path) -> list[str]:
    """The sentences and names of a catalogue that have no translation yet."""
    with path.open("rb") as source:
        return [str(message.id) for message in read_po(source) if message.id and not message.string]


if __name__ == "__main__":
    for wanted in sys.argv[1:] or [path.parent.name for path in LOCALES.glob("*/parlour.po")]:
        written = update(wanted)
        sys.stdout.write(f"{written}: {len(untranslated(written))} to be translated\n")
