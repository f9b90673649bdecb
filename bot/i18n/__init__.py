"""English sentences into the reader's language.

The code below the user interface uses :class:`games.view.Text`, an English sentence with
``{named}`` placeholders, or codes that the user interface turns into such texts. The English
sentence is its own key in the catalogues, ``locales/<language>/parlour.po``. Catalogues are read
directly, so there is no compiled file in the tree, and each when its language is first needed. That
takes a tenth of a second, so a bot reads them all before it serves players
(:meth:`Languages.read`). An installed game may have its own catalogues, for the sentences that
Parlour's do not have.

Names of commands and of their options are single words that mean little on their own, so they are
in the catalogues under a context, :data:`COMMAND_NAME` or :data:`OPTION_NAME`.

Private answers are in the reader's language, public messages in that of the match or the server.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, partial
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_percent

from bot.logs import logger
from games import catalog
from games.view import Text

LOCALES = Path(__file__).parent / "locales"
COMMAND_NAME = "command name"
OPTION_NAME = "option name"
_AFTER_WIDE = re.compile("(?<=[。！？]) (?!·)")
_log = logger(__name__)


def closed_up(text: str) -> str:
    """Sentences in a row, without a space after a full stop that is as wide as one."""
    return _AFTER_WIDE.sub("", text)


class Language:
    """One language; calling it turns a text into a sentence."""

    def __init__(self, locale: str, read: Callable[[], NullTranslations]) -> None:
        self.locale = locale
        self._read = read
        self.babel = "en_GB" if locale == "en" else locale.replace("-", "_")
        """What Babel calls it: our English is British."""

    @cached_property
    def _translations(self) -> NullTranslations:
        return self._read()

    def read(self) -> None:
        """Read the catalogue, so that no reader waits for it."""
        self._translations.info()

    def __call__(self, text: Text) -> str:
        """The sentence with its placeholders filled in.

        A translation that does not fit its text gives the English sentence instead.
        """
        params = {
            name: self.listed(value) if isinstance(value, tuple) else value
            for name, value in text.params
        }
        if not text.many:
            translated, english = self._translations.gettext(text.message), text.message
        else:
            number = int(params.get(text.counted, 0))
            translated = self._translations.ngettext(text.message, text.many, number)
            english = text.message if number == 1 else text.many
        if not params and "{" not in translated:
            return translated
        for pattern in (translated, english):
            try:
                return pattern.format_map(params)
            except (KeyError, IndexError, ValueError, AttributeError):
                _log.warning("text does not fit its placeholders", locale=self.locale, text=pattern)
        return english

    def say(self, message: str, /, **params: str | int) -> str:
        """A sentence of the user interface."""
        return self(Text.of(message, **params))

    def plural(self, one: str, many: str, /, *, by: str = "n", **params: str | int) -> str:
        """A sentence whose words depend on a number, the parameter named ``by``."""
        return self(Text.plural(one, many, by=by, **params))

    def listed(self, things: Iterable[str | Text]) -> str:
        """Several things in a sentence: ``Anna, Ben and Cyd``."""
        said = [self(each) if isinstance(each, Text) else each for each in things]
        return format_list(said, locale=self.babel)

    def pair(self, what: str, value: str) -> str:
        """What something is called, and what it is: ``Clock: 3 days``."""
        return self.say("{what}: {value}", what=what, value=value)

    def percent(self, number: float) -> str:
        """A number of percent, as the language writes it."""
        return format_percent(number / 100, locale=self.babel)

    def name(self, context: str, word: str) -> str:
        """The name of a command or an option; the English one where there is no other."""
        return self._translations.pgettext(context, word)


class Sentences(list[str]):
    """Sentences in one language, one after another."""

    def __init__(self, language: Language, *said: str) -> None:
        super().__init__(said)
        self._language = language

    def say(self, message: str, /, **params: str | int) -> None:
        """Add a sentence, as :meth:`Language.say` has it."""
        self.append(self._language.say(message, **params))

    def plural(self, one: str, many: str, /, *, by: str = "n", **params: str | int) -> None:
        """Add a sentence whose words depend on a number."""
        self.append(self._language.plural(one, many, by=by, **params))


class Languages:
    """All languages with a catalogue, and English."""

    def __init__(self, folder: Path = LOCALES, *, default: str = "en") -> None:
        self._languages = {"en": Language("en", NullTranslations)}
        self._paths = sorted(folder.glob("*/parlour.po"))
        for path in tuple(self._paths):
            name = path.parent.name
            more = [each / name / path.name for each in catalog.LOCALES]
            found = tuple(each for each in more if each.is_file())
            self._languages[name] = Language(name, partial(_read_all, path, found))
            self._paths += found
        self.default = self.nearest(default) or self._languages["en"]

    def known(self) -> Mapping[str, Language]:
        """All languages by locale, as Discord writes it (``de``, ``pt-BR``)."""
        return dict(self._languages)

    def read(self) -> None:
        """Read all catalogues, which takes the better part of a second."""
        for each in self._languages.values():
            each.read()

    def of(self, locale: object) -> Language:
        """The language for a locale as Discord writes it, or the nearest one, or the default.

        The library makes a member of an enumeration even of what is no text.
        """
        written = getattr(locale, "value", locale)
        found = self.nearest(written) if isinstance(written, str) else None
        return found or self.default

    def chosen(self, locale: str | None, usual: Language) -> Language:
        """The language a player has chosen, if Parlour still has it, else the usual one."""
        return usual if locale is None else self._languages.get(locale, usual)

    def stamp(self) -> str:
        """A digest of all catalogues, as hexadecimal digits; it changes when a word does."""
        found = hashlib.sha256()
        for path in self._paths:
            found.update(path.parent.name.encode() + b"\0" + path.read_bytes())
        return found.hexdigest()

    def nearest(self, locale: str) -> Language | None:
        """The language for a locale, or one that differs in the region only, or None.

        So one Spanish does for both of Discord's, ``es-ES`` and ``es-419``.
        """
        language = locale.partition("-")[0]
        found = self._languages.get(locale) or self._languages.get(language)
        if found is not None:
            return found
        return next(
            (
                self._languages[name]
                for name in sorted(self._languages)
                if name.partition("-")[0] == language
            ),
            None,
        )


@cache
def _read_all(path: Path, more: tuple[Path, ...]) -> GNUTranslations:
    """The translations of a catalogue, and those of ``more`` for the sentences that it lacks."""
    first = _read(path)
    for other in more:
        try:
            first.add_fallback(_read(other))
        except Exception as error:
            _log.warning("catalogue cannot be read", path=str(other), error=repr(error))
    return first


def _read(path: Path) -> GNUTranslations:
    """The translations of a catalogue; fuzzy and empty ones are left out."""
    with path.open("rb") as source:
        catalogue = read_po(source, locale=path.parent.name.replace("-", "_"))
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)
