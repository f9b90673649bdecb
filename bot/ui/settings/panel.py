"""Settings as declarations: a menu, the check of what it sends back and the log's line follow.

Every choice is saved at once and the page shown anew, so there is nothing to confirm and nothing
to forget; what a menu is about stands in its custom id. Whatever a client sends back is read with
suspicion: a value that no menu offers is out of date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from enum import Enum
from functools import partial
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

import discord

from bot.domain.ids import ChannelId, read_id
from bot.errors import UserError
from bot.i18n import Language
from bot.services.pairing import Limits
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click
from bot.ui.pages.components import CHOICES, Control, Option, Part, entity_menu, menu, text
from bot.ui.pages.display_names import clean
from bot.ui.pages.match_text import own_name
from bot.ui.rest import may_post
from games.view import Text
from renderers import THEMES

S = TypeVar("S", bound=Any)
"""A dataclass of settings."""
Line: TypeAlias = tuple[Any, Text | str] | tuple[Any, Text | str, Text]
"""A value, its words in the menu, and perhaps more about it."""

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
    """What can be chosen: languages by locale, the defaults of the host, what the server has."""

    languages: Sequence[str]
    theme: str
    limits: Limits
    threads: bool = True
    guild: discord.Guild | None = None
    may_post: Callable[[ChannelId], bool] = lambda _: True


def choices_of(context: InteractionContext) -> SettingChoices:
    """What can be chosen where a person asks."""
    services = context.services
    return SettingChoices(
        tuple(services.languages.known()),
        services.presenter.theme,
        services.limits,
        services.settings.threads,
        context.interaction.guild,
        partial(may_post, context.interaction.client, context.place.guild_id),
    )


@dataclass(frozen=True)
class Setting(Generic[S]):
    """A setting by its name, chosen on another page: ``label`` and ``logged`` are for the log.

    ``id`` is what it is called in custom ids if not by its name; ``when`` says whether the page
    has it; ``get`` and ``put`` are for one that is more or less than its field.
    """

    name: str
    label: Text
    _: KW_ONLY
    id: str = ""
    logged: Callable[[Any, Language], str] | None = None
    when: Callable[[S], bool] = lambda _: True
    get: Callable[[S], Any] | None = None
    put: Callable[[S, Any], S] | None = None

    def now(self, chosen: S) -> Any:
        """The value at present."""
        return getattr(chosen, self.name) if self.get is None else self.get(chosen)

    def parts(
        self, _control: Control, _chosen: S, _choices: SettingChoices, _language: Language
    ) -> list[Part]:
        """What the page shows of it."""
        return []

    def read(self, _values: tuple[str, ...], _chosen: S, _choices: SettingChoices) -> Any:
        """The value that a menu has sent back; :exc:`UserError` if it cannot be chosen."""
        raise UserError("out_of_date")

    def in_log(self, value: Any, language: Language) -> str:
        """A stored value as it can be read: nothing as a dash."""
        if value in (None, []) or self.logged is None:
            return shown(value)
        return self.logged(value, language)


def shown(value: object) -> str:
    """A stored value without a setting that knows more of it."""
    if value is None or value == []:
        return "—"
    if isinstance(value, bool):
        return "✓" if value else "✗"
    return clean(str(value), longest=200)


@dataclass(frozen=True)
class Choice(Setting[S]):
    """One of some values; each line of its menu says what it is about, unless it is ``bare``."""

    lines: Sequence[Line] | Callable[[S, SettingChoices], Iterable[Line]]
    _: KW_ONLY
    bare: bool = False
    most: int | None = None
    """Up to so many of the values, or none: a tuple, the greatest first."""

    def offered(self, chosen: S, choices: SettingChoices) -> list[Line]:
        """The lines of the menu."""
        found = self.lines(chosen, choices) if callable(self.lines) else self.lines
        return list(found)[:CHOICES]

    def parts(
        self, control: Control, chosen: S, choices: SettingChoices, language: Language
    ) -> list[Part]:
        """Its menu."""
        label, now, options = language(self.label), self.now(chosen), []
        for value, said, *notes in self.offered(chosen, choices):
            words = said if isinstance(said, str) else language(said)
            if not self.bare:
                words = language.say("{what}: {value}", what=label, value=words)
            note = language(notes[0]) if notes else None
            is_chosen = value == now if self.most is None else value in now
            options.append(Option(_key(value), words, note, chosen=is_chosen))
        least, most = (1, 1) if self.most is None else (0, self.most)
        return [menu(control, label, options, least=least, most=most)]

    def read(self, values: tuple[str, ...], chosen: S, choices: SettingChoices) -> Any:
        """The value of the line that was chosen, or the values."""
        known = {_key(value): value for value, *_ in self.offered(chosen, choices)}
        right = len(values) == 1 if self.most is None else len(values) <= self.most
        if not right or not known.keys() >= set(values):
            raise UserError("out_of_date")
        found = sorted({known[each] for each in values}, reverse=True)
        return tuple(found) if self.most is not None else found[0]


def _key(value: Any) -> str:
    """A value as a menu sends it back; ``-`` is what is left to the host, to Discord, or off."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value.value if isinstance(value, Enum) else value)


@dataclass(frozen=True)
class Entities(Setting[S]):
    """Something that Discord has in the server: one or none, or up to ``most`` of its kind.

    ``prompt`` says what it means that none is chosen; ``check`` refuses one that cannot be.
    """

    prompt: Text
    kind: ClassVar[Literal["channel", "role"]]
    link: ClassVar[str]
    _: KW_ONLY
    most: int | None = None
    check: Callable[[SettingChoices, int], None]

    def parts(
        self, control: Control, chosen: S, _choices: SettingChoices, language: Language
    ) -> list[Part]:
        """Its menu; with a choice that shows no prompt, so a label says what it is."""
        now = self.now(chosen)
        listed = now if isinstance(now, tuple) else () if now is None else (now,)
        prompt = language(self.prompt)
        picker = entity_menu(self.kind, control, prompt, listed, most=self.most or 1)
        return [text(f"-# {language(self.label)}"), picker] if listed else [picker]

    def read(self, values: tuple[str, ...], _chosen: S, choices: SettingChoices) -> Any:
        """What was chosen."""
        found = [read_id(each) for each in values]
        if None in found or len(found) > (self.most or 1):
            raise UserError("out_of_date")
        for each in found:
            self.check(choices, each or 0)
        return next(iter(found), None) if self.most is None else tuple(found)

    def in_log(self, value: Any, _language: Language) -> str:
        """Links to them."""
        listed = value if isinstance(value, list) else [value]
        return " ".join(f"<{self.link}{each}>" for each in listed) if value else shown(None)


def its_channel(choices: SettingChoices, channel_id: int) -> None:
    """Refuse a channel in which nobody of this server can play (``not_its_channel``)."""
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
    """The settings of a page, whose menus have the custom ids ``action:id``."""

    action: str
    settings: Sequence[Setting[S]]

    def parts(self, chosen: S, choices: SettingChoices, language: Language) -> list[Part]:
        """The menus of the page."""
        made: list[Part] = []
        for each in self.settings:
            if each.when(chosen):
                control = Control(self.action, arg=each.id or each.name)
                made += each.parts(control, chosen, choices, language)
        return made

    def changed(self, chosen: S, click: Click, choices: SettingChoices) -> S:
        """The settings after a choice in one of the menus. Raises :exc:`UserError`."""
        for each in self.settings:
            if (each.id or each.name) == click.arg and each.when(chosen):
                value = each.read(click.values or (), chosen, choices)
                if each.put is not None:
                    return each.put(chosen, value)
                return replace(chosen, **{each.name: value})
        raise UserError("out_of_date")


# ---- lines ---------------------------------------------------------------------------------------


def languages(usual: Text) -> Callable[[S, SettingChoices], list[Line]]:
    """Languages, each by its own name; ``usual`` says what is meant by none."""

    def lines(_chosen: S, choices: SettingChoices) -> list[Line]:
        return [(None, usual), *((locale, own_name(locale)) for locale in choices.languages)]

    return lines


def themes(_chosen: S, choices: SettingChoices) -> list[Line]:
    """The looks of pictures."""
    return [
        (None, by_default(_THEME_NAMES.get(choices.theme, choices.theme))),
        *((key, _THEME_NAMES.get(key, key)) for key in THEMES),
    ]


def theme_name(key: str, language: Language) -> str:
    """What a look of pictures is called."""
    return language(_THEME_NAMES[key]) if key in _THEME_NAMES else key


def up_to(
    limit: Callable[[Limits], int], now: Callable[[S], int | None], *numbers: int
) -> Callable[[S, SettingChoices], list[Line]]:
    """The numbers below a limit of the host, which is what is usual, and the one chosen ``now``."""

    def lines(chosen: S, choices: SettingChoices) -> list[Line]:
        most, present = limit(choices.limits), now(chosen)
        below = {each for each in (*numbers, present) if each is not None}
        kept = sorted(each for each in below if each < most or each == present)
        return [(None, str(most)), *((each, str(each)) for each in kept)]

    return lines


def by_default(choice: Text | str) -> Text:
    """What is left to the host, with what the host has."""
    return Text.of("default ({choice})", choice=(choice,))
