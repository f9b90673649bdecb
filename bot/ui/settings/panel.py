"""Settings as declarations: menus, checks and log lines follow from them.

So are all choices that a page collects: of an offer, a tournament, a computer, the end of a match.
The page is shown anew after every choice. The setting of a menu stands in its custom id. A value
that no menu offers is out of date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import timedelta
from enum import Enum
from functools import partial
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

import discord

from bot.domain.ids import ChannelId
from bot.errors import UserError
from bot.i18n import Language
from bot.services.pairing import Limits
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, id_in
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control
from bot.ui.pages.display_names import clean
from bot.ui.pages.match_text import own_name
from bot.ui.rest import may_post
from games.view import Text
from renderers import THEMES

S = TypeVar("S", bound=Any)
Words: TypeAlias = Text | str | Callable[[Language], str]
Line: TypeAlias = tuple[Any, Words] | tuple[Any, Words, Words | None]

_PLAYABLE = (discord.ChannelType.text, discord.ChannelType.news)
_THEME_NAMES = {
    "dark": Text.of("dark"),
    "light": Text.of("light"),
    "contrast": Text.of("high contrast"),
    "wood": Text.of("wood"),
    "sea": Text.of("sea"),
}


@dataclass(frozen=True, slots=True)
class SettingChoices:
    """The choices: languages, defaults of the host, channels and roles of the server."""

    languages: Sequence[str]
    theme: str
    limits: Limits
    threads: bool = True
    guild: discord.Guild | None = None
    may_post: Callable[[ChannelId], bool] = lambda _: True


def choices_of(context: InteractionContext) -> SettingChoices:
    """The choices where a user asks."""
    services = context.services
    return SettingChoices(
        tuple(services.languages.known()),
        services.reader.theme,
        services.limits,
        services.settings.threads,
        context.interaction.guild,
        partial(may_post, context.interaction.client, context.place.guild_id),
    )


@dataclass(frozen=True)
class Setting(Generic[S]):
    """A setting by its name; this one is set elsewhere: ``label`` and ``logged`` are for the log.

    ``id`` is its name in custom ids, if another; ``get`` and ``put`` are for one that is more or
    less than its field.
    """

    name: str
    label: Text
    _: KW_ONLY
    id: str = ""
    logged: Callable[[Any, Language], str] | None = None
    get: Callable[[S], Any] | None = None
    put: Callable[[S, Any], S] | None = None

    def now(self, chosen: S) -> Any:
        """The present value."""
        return getattr(chosen, self.name) if self.get is None else self.get(chosen)

    def parts(self, _control: Control, _chosen: S, _language: Language) -> list[ui.Part]:
        """Its parts of the page."""
        return []

    def read(self, _values: tuple[str, ...]) -> Any:
        """The value of a menu. Raises :exc:`UserError`."""
        raise UserError("out_of_date")

    def in_log(self, value: Any, language: Language) -> str:
        """A stored value in words; nothing is a dash."""
        if value in (None, []) or self.logged is None:
            return shown(value)
        return self.logged(value, language)


def shown(value: object) -> str:
    """A stored value without a setting."""
    if value is None or value == []:
        return "—"
    if isinstance(value, bool):
        return "✓" if value else "✗"
    return clean(str(value), longest=200)


@dataclass(frozen=True)
class Choice(Setting[S]):
    """One of some values; each line of its menu has the label.

    ``parse`` reads the values of a menu that may have a typed one among its lines.
    """

    bare: ClassVar[bool] = False
    lines: Sequence[Line]
    _: KW_ONLY
    parse: Callable[[str], Any] | None = None
    most: int | None = None
    """A tuple of up to so many values, the greatest first."""

    def parts(self, control: Control, chosen: S, language: Language) -> list[ui.Part]:
        """Its menu."""
        label, now, options = language(self.label), self.now(chosen), []
        for value, said, *notes in self.lines[: ui.CHOICES]:
            words = _say(said, language)
            if not self.bare:
                words = language.pair(label, words)
            note = _say(notes[0], language) if notes and notes[0] else None
            is_chosen = value == now if self.most is None else value in now
            options.append(ui.Option(_key(value), words, note, chosen=is_chosen))
        least, most = (1, 1) if self.most is None else (0, self.most)
        return [ui.menu(control, label, options, least=least, most=most)]

    def read(self, values: tuple[str, ...]) -> Any:
        """The chosen value, or the values."""
        if len(values) > self.most if self.most is not None else len(values) != 1:
            raise UserError("out_of_date")
        if self.parse is not None:
            found = {None if each == _key(None) else self.parse(each) for each in values}
        else:
            known = {_key(value): value for value, *_ in self.lines[: ui.CHOICES]}
            if not known.keys() >= set(values):
                raise UserError("out_of_date")
            found = {known[each] for each in values}
        return found.pop() if self.most is None else tuple(sorted(found, reverse=True))


@dataclass(frozen=True)
class Menu(Choice[S]):
    """The same, where each line says by itself what it is about."""

    bare = True


def _say(words: Words, language: Language) -> str:
    if isinstance(words, str):
        return words
    return language(words) if isinstance(words, Text) else words(language)


def _key(value: Any) -> str:
    """A value in a menu; ``-`` is the default, or off."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, timedelta):
        return str(int(value.total_seconds()))
    return str(value.value if isinstance(value, Enum) else value)


@dataclass(frozen=True)
class Entities(Setting[S]):
    """Channels or roles of the server: one or none, or up to ``most``.

    ``prompt`` says what none means; ``check`` refuses one that cannot be.
    """

    prompt: Text
    choices: SettingChoices
    kind: ClassVar[Literal["channel", "role"]]
    link: ClassVar[str]
    _: KW_ONLY
    most: int | None = None
    check: Callable[[SettingChoices, int], None]

    def parts(self, control: Control, chosen: S, language: Language) -> list[ui.Part]:
        """Its menu; with a choice that shows no prompt, so a label says what it is."""
        now = self.now(chosen)
        listed = now if isinstance(now, tuple) else () if now is None else (now,)
        prompt = language(self.prompt)
        picker = ui.entity_menu(self.kind, control, prompt, listed, most=self.most or 1)
        return [ui.text(f"-# {language(self.label)}"), picker] if listed else [picker]

    def read(self, values: tuple[str, ...]) -> Any:
        """The ids chosen, each checked."""
        found = [int(id_in(each)) for each in values]
        if len(found) > (self.most or 1):
            raise UserError("out_of_date")
        for each in found:
            self.check(self.choices, each)
        return next(iter(found), None) if self.most is None else tuple(found)

    def in_log(self, value: Any, _language: Language) -> str:
        """Links to them."""
        listed = value if isinstance(value, list) else [value]
        return " ".join(f"<{self.link}{each}>" for each in listed) if value else shown(None)


def its_channel(choices: SettingChoices, channel_id: int) -> None:
    """Refuse a channel in which no match can be played (``not_its_channel``)."""
    channels = () if choices.guild is None else choices.guild.channels
    if not any(each.id == channel_id and each.type in _PLAYABLE for each in channels):
        raise UserError("not_its_channel")


def its_role(choices: SettingChoices, role_id: int) -> None:
    """Refuse a role of another server (``not_its_role``)."""
    if choices.guild is None or choices.guild.get_role(role_id) is None:
        raise UserError("not_its_role")


@dataclass(frozen=True)
class Channel(Entities[S]):
    """A channel of the server, or several."""

    check: Callable[[SettingChoices, int], None] = its_channel
    kind = "channel"
    link = "#"


@dataclass(frozen=True)
class Role(Entities[S]):
    """A role of the server."""

    check: Callable[[SettingChoices, int], None] = its_role
    kind = "role"
    link = "@&"


@dataclass(frozen=True)
class Panel(Generic[S]):
    """The settings of a page, by what has been chosen; its menus have the ids ``action:id``."""

    action: str
    settings: Callable[[S], Iterable[Setting[S]]]

    def parts(self, chosen: S, language: Language) -> list[ui.Part]:
        """The menus of the page."""
        made: list[ui.Part] = []
        for each in self.settings(chosen):
            control = Control(self.action, arg=each.id or each.name)
            made += each.parts(control, chosen, language)
        return made

    def changed(self, chosen: S, click: Click) -> S:
        """The settings after a choice in one of the menus. Raises :exc:`UserError`."""
        for each in self.settings(chosen):
            if (each.id or each.name) == click.arg:
                value = each.read(click.values or ())
                if each.put is not None:
                    return each.put(chosen, value)
                return replace(chosen, **{each.name: value})
        raise UserError("out_of_date")

    def shown(self, chosen: S, parts: Iterable[Mapping[str, Any]]) -> S:
        """The settings that the menus of a page show, from its components as Discord writes them.

        Raises :exc:`UserError`, for a page without any of them, too.
        """
        found = [
            (each, values) for each, values in ui.chosen_in(parts) if each.action == self.action
        ]
        if not found:
            raise UserError("out_of_date")
        for control, values in found:
            if values:
                click = Click(self.action, arg=control.arg, values=values)
                chosen = self.changed(chosen, click)
        return chosen


# ---- lines ---------------------------------------------------------------------------------------


def either(yes: Words, no: Words) -> list[Line]:
    """Yes or no, each in its own words."""
    return [(True, yes), (False, no)]


def languages(usual: Text, choices: SettingChoices) -> list[Line]:
    """Languages, each by its own name; ``usual`` is the default."""
    return [(None, usual), *((locale, own_name(locale)) for locale in choices.languages)]


def themes(choices: SettingChoices) -> list[Line]:
    """Themes of pictures."""
    return [
        (None, by_default(_THEME_NAMES.get(choices.theme, choices.theme))),
        *((key, _THEME_NAMES.get(key, key)) for key in THEMES),
    ]


def theme_name(key: str, language: Language) -> str:
    """The name of a theme."""
    return language(_THEME_NAMES[key]) if key in _THEME_NAMES else key


def up_to(most: int, present: int | None, *numbers: int) -> list[Line]:
    """Numbers up to the host's limit, which is the default, and the present one."""
    below = {each for each in (*numbers, present) if each is not None}
    kept = sorted(each for each in below if each < most or each == present)
    return [(None, str(most)), *((each, str(each)) for each in kept)]


def by_default(choice: Text | str) -> Text:
    """The default of the host."""
    return Text.of("default ({choice})", choice=(choice,))
