"""``/settings``: private pages of menus, one for a person and one for a server.

Every choice is saved at once and the page shown anew, so there is nothing to confirm and nothing
to forget; what a menu is about stands in its custom id. Whatever a client sends back is read with
suspicion: a value that no menu offers is out of date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import discord
from babel import Locale, UnknownLocaleError

from bot.domain.clock import TimeControl
from bot.domain.clock_text import NONE, PRESETS, read_clock, write_clock
from bot.domain.ids import ChannelId, RoleId, UserId
from bot.domain.preferences import (
    MOST_CHANNELS,
    MOST_REMINDERS,
    REMINDERS,
    NoticeWay,
    Preferences,
    ServerSettings,
)
from bot.domain.quiet import QuietHours
from bot.errors import UserError
from bot.i18n import Language
from bot.services.lobby import LobbyNote
from bot.services.pairing import Limits
from bot.services.people_store import AuditEntry
from bot.ui import words
from bot.ui.answers import Page, Reply
from bot.ui.clocks import clock_words
from bot.ui.controls import Control
from bot.ui.names import clean
from bot.ui.parts import Option, button, menu, rows
from bot.ui.scene import Names
from games import catalog
from games.view import Text
from renderers import THEMES

__all__ = ["Shelf", "changed", "changed_server", "person_page", "server_page"]

_USUAL = "-"
"""The value of what is left to the host, to Discord, or off."""
_FEW = 25
_RUNNING = (5, 10, 25, 50, 100, 200)
_THREADS = (0, 5, 10, 20, 30)

_CLOCKS = (NONE, *(write_clock(preset.control) for preset in PRESETS))

_THEME_NAMES = {
    "dark": Text.of("dark"),
    "light": Text.of("light"),
    "contrast": Text.of("high contrast"),
}
_WAYS = {
    NoticeWay.MENTION: (
        Text.of("Tell me of my turn: by a mention"),
        Text.of("In the thread or channel of the match"),
    ),
    NoticeWay.DIRECT: (
        Text.of("Tell me of my turn: by a direct message"),
        Text.of("By a mention where Discord lets no direct message through"),
    ),
    NoticeWay.DIGEST: (
        Text.of("Tell me of my turn: once a day"),
        Text.of("One direct message about all matches that wait for you"),
    ),
    NoticeWay.NOTHING: (
        Text.of("Tell me of my turn: not at all"),
        Text.of("No notices and no reminders; /games shows what waits for you"),
    ),
}
_ACTS = {"settings": Text.of("{player} changed the settings: {changes}")}
_NAMES = {
    "channels": Text.of("channels"),
    "offerers": Text.of("who may offer"),
    "threads": Text.of("threads"),
    "language": Text.of("language"),
    "theme": Text.of("pictures"),
    "game": Text.of("game"),
    "clock": Text.of("clock"),
    "running": Text.of("running matches"),
    "threads_an_hour": Text.of("threads an hour"),
    "lobby": Text.of("lobby"),
}


@dataclass(frozen=True, slots=True)
class Shelf:
    """What there is to choose from: languages by locale; the host's theme, limits and clock."""

    languages: Sequence[str]
    theme: str
    limits: Limits
    clock: TimeControl | None = None


def _theme_name(key: str, language: Language) -> str:
    named = _THEME_NAMES.get(key)
    return key if named is None else language(named)


def _own_name(locale: str) -> str:
    """What a language calls itself."""
    try:
        name = Locale.parse(locale, sep="-").get_display_name()
    except (UnknownLocaleError, ValueError):
        return locale
    return (name or locale).capitalize()


def _hour(hour: int) -> str:
    return f"{hour:02}:00"


def _themes(field: str, prompt: str, chosen: str | None, shelf: Shelf, language: Language) -> Any:
    usual = language.say("as usual here ({theme})", theme=_theme_name(shelf.theme, language))
    lines = [(_USUAL, usual), *((key, _theme_name(key, language)) for key in THEMES)]
    return _menu(field, prompt, lines, chosen or _USUAL)


def _languages(
    field: str, prompt: str, usual: str, chosen: str | None, shelf: Shelf
) -> discord.ui.ActionRow[Any]:
    lines = [(_USUAL, usual), *((locale, _own_name(locale)) for locale in shelf.languages)]
    return _menu(field, prompt, lines[:_FEW], chosen or _USUAL)


def _menu(
    field: str, prompt: str, lines: Iterable[tuple[str, str]], chosen: str
) -> discord.ui.ActionRow[Any]:
    """A menu whose every line says what it is about, so that the chosen one does."""
    options = [Option(value, f"{prompt}: {said}", chosen=value == chosen) for value, said in lines]
    return menu(Control(*_at(field)), prompt, options)


def _at(field: str) -> tuple[str, str, int, str]:
    """The parts of the control of a setting: ``pref/theme`` of a person, ``serv/...``."""
    action, _, name = field.partition("/")
    return action, "-", 0, name


# ---- a person ----------------------------------------------------------------------------------


async def person_page(
    chosen: Preferences,
    blocked: Sequence[UserId],
    shelf: Shelf,
    names: Names,
    language: Language,
    *,
    now: datetime,
    lead: str = "",
) -> Reply:
    """All that a person can choose, as it is now; ``lead`` says what has just happened."""
    title = language.say("Your settings")
    there = now.astimezone(ZoneInfo(chosen.zone))
    said = [f"### {title}"]
    if lead:
        said.append(f"**{lead}**")
    said.append(
        language.say(
            "Every choice is saved at once. Your time zone is {zone}, where it is {time}.",
            zone=chosen.zone.replace("_", " "),
            time=f"{there:%H:%M}",
        )
    )
    if chosen.direct_refused is not None and chosen.present_way is not chosen.way:
        said.append(
            language.say(
                "Discord let no direct message through to you {time}, so you are mentioned in the"
                " match instead. Allow direct messages from people of this server, then choose"
                " again how you want to be told.",
                time=f"<t:{int(chosen.direct_refused.timestamp())}:R>",
            )
        )
    if blocked:
        who = words.mentions(tuple(blocked[:40]))
        said.append(language.say("You have blocked {players}.", players=who))
    items: list[discord.ui.Item[Any]] = [
        discord.ui.TextDisplay(words.cut("\n".join(said), 3500)),
        _themes("pref/theme", language.say("Pictures"), chosen.theme, shelf, language),
        _languages(
            "pref/language",
            language.say("Language"),
            language.say("that of your Discord"),
            chosen.language,
            shelf,
        ),
        menu(
            Control("pref", arg="way"),
            language.say("How do you want to be told of your turn?"),
            [
                Option(way.value, language(label), language(note), chosen=way is chosen.way)
                for way, (label, note) in _WAYS.items()
            ],
        ),
    ]
    if chosen.way is NoticeWay.DIGEST:
        hours = [(str(hour), _hour(hour)) for hour in range(24)]
        prompt = language.say("Digest at")
        items.append(_menu("pref/digest", prompt, hours, str(chosen.digest_hour)))
    items += _reminders(chosen, language)
    items += _quiet(chosen.quiet, language)
    if blocked:
        options = [
            Option(
                str(user),
                language.say("Unblock {player}", player=clean(await names.name(user), longest=40)),
            )
            for user in blocked[:_FEW]
        ]
        items.append(menu(Control("pref", arg="unblock"), language.say("Unblock"), options))
    items += rows([button(Control("zone"), language.say("Time zone"))])
    return Reply(lead or title, Page(*items))


def _reminders(chosen: Preferences, language: Language) -> list[discord.ui.ActionRow[Any]]:
    options = [
        Option(
            str(hours),
            language.say("Reminder {hours} h before the deadline", hours=hours),
            chosen=hours in chosen.reminders,
        )
        for hours in REMINDERS
    ]
    prompt = language.say("No reminders before a deadline")
    return [menu(Control("pref", arg="remind"), prompt, options, least=0, most=MOST_REMINDERS)]


def _quiet(quiet: QuietHours | None, language: Language) -> list[discord.ui.ActionRow[Any]]:
    begin = [(_USUAL, language.say("never")), *((str(hour), _hour(hour)) for hour in range(24))]
    at = _USUAL if quiet is None else str(quiet.begin)
    made = [_menu("pref/quiet", language.say("Quiet from"), begin, at)]
    if quiet is not None:
        ends = [(str(hour), _hour(hour)) for hour in range(24) if hour != quiet.begin]
        made.append(_menu("pref/until", language.say("Quiet until"), ends, str(quiet.end)))
    return made


def _one(values: tuple[str, ...]) -> str:
    if len(values) != 1:
        raise UserError("out_of_date")
    return values[0]


def _among(value: str, known: Iterable[str]) -> str | None:
    """The value if it is one of these, None for the usual; everything else is out of date."""
    if value == _USUAL:
        return None
    if value not in known:
        raise UserError("out_of_date")
    return value


def _number(value: str, known: Iterable[int]) -> int:
    for each in known:
        if value == str(each):
            return each
    raise UserError("out_of_date")


def changed(chosen: Preferences, field: str, values: tuple[str, ...], shelf: Shelf) -> Preferences:
    """What a person has chosen after a choice in a menu of their page."""
    match field:
        case "theme":
            return replace(chosen, theme=_among(_one(values), THEMES))
        case "language":
            return replace(chosen, language=_among(_one(values), shelf.languages))
        case "way":
            ways = {way.value: way for way in NoticeWay}
            way = ways.get(_one(values))
            if way is None:
                raise UserError("out_of_date")
            # Whoever chooses anew has direct messages tried anew.
            return replace(chosen, way=way, direct_refused=None)
        case "digest":
            return replace(chosen, digest_hour=_number(_one(values), range(24)))
        case "remind":
            hours = {_number(value, REMINDERS) for value in values[:_FEW]}
            if len(hours) > MOST_REMINDERS:
                raise UserError("out_of_date")
            return replace(chosen, reminders=tuple(sorted(hours, reverse=True)))
        case "quiet":
            return replace(chosen, quiet=_quiet_from(chosen.quiet, _one(values)))
        case "until":
            end = _number(_one(values), range(24))
            if chosen.quiet is None or end == chosen.quiet.begin:
                raise UserError("out_of_date")
            return replace(chosen, quiet=QuietHours(chosen.quiet.begin, end))
    raise UserError("out_of_date")


def _quiet_from(quiet: QuietHours | None, value: str) -> QuietHours | None:
    """Quiet hours that begin then, and end as before, or in the morning."""
    if value == _USUAL:
        return None
    begin = _number(value, range(24))
    end = 8 if quiet is None else quiet.end
    return QuietHours(begin, end if end != begin else (begin + 8) % 24)


# ---- a server ----------------------------------------------------------------------------------


def server_page(
    chosen: ServerSettings,
    entries: Sequence[AuditEntry],
    shelf: Shelf,
    language: Language,
    *,
    lobby: LobbyNote | None = None,
    lead: str = "",
) -> Reply:
    """All that can be chosen for a server, as it is now, and who changed what lately.

    ``lobby`` is how its lobby fares.
    """
    title = language.say("Settings of this server")
    said = [f"### {title}"]
    if lead:
        said.append(f"**{lead}**")
    if lobby is not None and lobby.is_given_up:
        trouble = language.say(
            "The list of open offers cannot be shown in {channel}. Give me the permissions View"
            " Channel, Send Messages and Read Message History there, or choose another channel.",
            channel=f"<#{lobby.channel_id}>",
        )
        said.append(f"**{trouble}**")
    elif chosen.lobby is not None:
        there = f"<#{chosen.lobby}>"
        said.append(language.say("One message in {channel} lists the open offers.", channel=there))
    said.append(
        language.say("Every choice is saved at once, with your name, in the list of changes below.")
    )
    limits = shelf.limits
    usual = language.say("as usual here")
    threads = [
        (_USUAL, usual),
        ("on", language.say("one for each match")),
        ("off", language.say("none, one match a channel")),
    ]
    games = [(_USUAL, language.say("none")), *_games()]
    prompts = (language.say("Running matches"), language.say("Threads an hour"))
    items: list[discord.ui.Item[Any]] = [
        discord.ui.TextDisplay("\n".join(said)),
        _channels(chosen, language),
        _roles(chosen, language),
        _lobby(chosen, language),
        _menu(
            "serv/threads",
            language.say("Threads"),
            threads,
            _USUAL if chosen.threads is None else ("on" if chosen.threads else "off"),
        ),
        _languages(
            "serv/language",
            language.say("Language for all"),
            language.say("that of the server"),
            chosen.language,
            shelf,
        ),
        _themes(
            "serv/theme",
            language.say("Pictures for all"),
            chosen.theme,
            shelf,
            language,
        ),
        _menu("serv/game", language.say("/play begins with"), games[:_FEW], chosen.game or _USUAL),
        _clocks(chosen.clock, shelf, language),
        _limits_menu(
            "serv/running", prompts[0], chosen.running, _RUNNING, limits.running_in_server
        ),
        _limits_menu(
            "serv/hourly", prompts[1], chosen.threads_an_hour, _THREADS, limits.threads_an_hour
        ),
    ]
    if entries:
        shown = "\n".join(_entry(entry, language) for entry in entries)
        items.append(discord.ui.TextDisplay(words.cut(shown, 2500)))
    return Reply(lead or title, Page(*items))


def _clocks(chosen: str | None, shelf: Shelf, language: Language) -> discord.ui.ActionRow[Any]:
    usual = clock_words(shelf.clock, language)
    lines = [(_USUAL, language.say("as usual here ({clock})", clock=usual))]
    offered = dict.fromkeys((*_CLOCKS, chosen or NONE))
    lines += [(text, clock_words(read_clock(text), language)) for text in offered]
    return _menu("serv/clock", language.say("Clock"), lines, chosen or _USUAL)


def _games() -> list[tuple[str, str]]:
    return [(key, kind.info.name) for key, kind in catalog.GAMES.items()]


def _limits_menu(
    field: str, prompt: str, chosen: int | None, offered: Sequence[int], most: int
) -> discord.ui.ActionRow[Any]:
    lower = {each for each in offered if each < most} | ({chosen} if chosen is not None else set())
    lines = [(_USUAL, str(most)), *((str(each), str(each)) for each in sorted(lower))]
    return _menu(field, prompt, lines, _USUAL if chosen is None else str(chosen))


def _channels(chosen: ServerSettings, language: Language) -> discord.ui.ActionRow[Any]:
    select: discord.ui.ChannelSelect[Any] = discord.ui.ChannelSelect(
        custom_id=str(Control("serv", arg="channels")),
        channel_types=[discord.ChannelType.text, discord.ChannelType.news],
        placeholder=words.cut(language.say("Channels for offers: all"), 150),
        min_values=0,
        max_values=MOST_CHANNELS,
        default_values=[
            discord.SelectDefaultValue(id=channel, type=discord.SelectDefaultValueType.channel)
            for channel in chosen.channels
        ],
    )
    return discord.ui.ActionRow(select)


def _lobby(chosen: ServerSettings, language: Language) -> discord.ui.ActionRow[Any]:
    select: discord.ui.ChannelSelect[Any] = discord.ui.ChannelSelect(
        custom_id=str(Control("serv", arg="lobby")),
        channel_types=[discord.ChannelType.text, discord.ChannelType.news],
        placeholder=words.cut(language.say("Channel that lists the open offers: none"), 150),
        min_values=0,
        max_values=1,
        default_values=[]
        if chosen.lobby is None
        else [
            discord.SelectDefaultValue(id=chosen.lobby, type=discord.SelectDefaultValueType.channel)
        ],
    )
    return discord.ui.ActionRow(select)


def _roles(chosen: ServerSettings, language: Language) -> discord.ui.ActionRow[Any]:
    role = chosen.offerers
    select: discord.ui.RoleSelect[Any] = discord.ui.RoleSelect(
        custom_id=str(Control("serv", arg="role")),
        placeholder=words.cut(language.say("Role that may offer: any"), 150),
        min_values=0,
        max_values=1,
        default_values=[]
        if role is None
        else [discord.SelectDefaultValue(id=role, type=discord.SelectDefaultValueType.role)],
    )
    return discord.ui.ActionRow(select)


def _entry(entry: AuditEntry, language: Language) -> str:
    """One line of the audit log."""
    changes = ", ".join(
        f"{language(_NAMES[name]) if name in _NAMES else name}: "
        f"{_shown(name, entry.before.get(name))} → {_shown(name, entry.after.get(name))}"
        for name in entry.after
    )
    act = _ACTS.get(entry.act, Text.of("{player}: {changes}"))
    said = Text.of(act.message, player=words.mention(entry.user_id), changes=changes)
    reason = f" ({clean(entry.reason)})" if entry.reason else ""
    return f"-# <t:{int(entry.at.timestamp())}:f> {language(said)}{reason}"


def _shown(name: str, value: object) -> str:
    """A value as it can be read: ids as links, nothing as a dash."""
    if value is None or value == []:
        return "—"
    if name == "channels" and isinstance(value, list):
        return " ".join(f"<#{each}>" for each in value)
    if name == "lobby":
        return f"<#{value}>"
    if name == "offerers":
        return f"<@&{value}>"
    if isinstance(value, bool):
        return "✓" if value else "✗"
    return clean(str(value))


def changed_server(
    chosen: ServerSettings,
    field: str,
    values: tuple[str, ...],
    shelf: Shelf,
    *,
    channels: Mapping[ChannelId, bool],
    roles: Callable[[RoleId], bool],
) -> ServerSettings:
    """What is chosen for a server after a choice in a menu of its page.

    ``channels`` says of those of the server whether matches can be played there, ``roles`` whether
    a role is one of the server's.
    """
    match field:
        case "channels":
            picked = tuple(ChannelId(_id(value)) for value in values)
            if len(picked) > MOST_CHANNELS or not all(channels.get(each) for each in picked):
                raise UserError("not_its_channel")
            return replace(chosen, channels=picked)
        case "lobby":
            if not values:
                return replace(chosen, lobby=None)
            channel = ChannelId(_id(_one(values)))
            if not channels.get(channel):
                raise UserError("not_its_channel")
            return replace(chosen, lobby=channel)
        case "role":
            if not values:
                return replace(chosen, offerers=None)
            role = RoleId(_id(_one(values)))
            if not roles(role):
                raise UserError("not_its_role")
            return replace(chosen, offerers=role)
        case "threads":
            known = {_USUAL: None, "on": True, "off": False}
            value = _one(values)
            if value not in known:
                raise UserError("out_of_date")
            return replace(chosen, threads=known[value])
        case "language":
            return replace(chosen, language=_among(_one(values), shelf.languages))
        case "theme":
            return replace(chosen, theme=_among(_one(values), THEMES))
        case "game":
            return replace(chosen, game=_among(_one(values), catalog.GAMES))
        case "clock":
            return replace(chosen, clock=_among(_one(values), _CLOCKS))
        case "running":
            return replace(chosen, running=_limit(_one(values), _RUNNING))
        case "hourly":
            return replace(chosen, threads_an_hour=_limit(_one(values), _THREADS))
    raise UserError("out_of_date")


def _limit(value: str, offered: Iterable[int]) -> int | None:
    return None if value == _USUAL else _number(value, offered)


def _id(value: str) -> int:
    """An id as Discord writes it."""
    if not (value.isascii() and value.isdigit() and len(value) < 20):
        raise UserError("out_of_date")
    return int(value)
