"""``/server settings``: a page of menus with all that can be chosen for a server, and who did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

from bot.domain.ids import ChannelId, RoleId, read_id
from bot.domain.preferences import MOST_CHANNELS, ServerSettings
from bot.errors import UserError
from bot.i18n import Language
from bot.i18n.sentences import refusal
from bot.store.lobbies import LobbyNote
from bot.store.records import AuditEntry
from bot.ui.pages import match_text
from bot.ui.pages.components import (
    CHOICES,
    Control,
    Page,
    Part,
    Reply,
    Row,
    button,
    entity_menu,
    rows,
    text,
)
from bot.ui.settings.log_page import log_line
from bot.ui.settings.setting_menus import (
    USUAL,
    SettingChoices,
    among,
    languages_menu,
    number,
    one,
    setting_menu,
    themes_menu,
)
from games import catalog
from games.view import Text
from renderers import THEMES

_RUNNING = (5, 10, 25, 50, 100, 200)
_THREADS = (0, 5, 10, 20, 30)


def server_page(
    chosen: ServerSettings,
    entries: Sequence[AuditEntry],
    shelf: SettingChoices,
    language: Language,
    *,
    lobby: LobbyNote | None = None,
    lead: str = "",
    without_threads: Mapping[ChannelId, Sequence[Text]] = MappingProxyType({}),
) -> Reply:
    """All that can be chosen for a server, as it is now, and who changed what lately.

    ``lobby`` is how its lobby fares; ``without_threads`` are channels in which threads are wanted,
    with the permissions that these need and don't have.
    """
    title = language.say("Settings of this server")
    said = [f"### {title}"]
    if lead:
        said.append(f"**{lead}**")
    if lobby is not None and lobby.is_given_up:
        error = UserError("lobby_refused", channel=f"<#{lobby.channel_id}>")
        trouble = language(refusal(error))
        said.append(f"**{trouble}**")
    elif chosen.lobby is not None:
        there = f"<#{chosen.lobby}>"
        said.append(language.say("The lobby message is in {channel}.", channel=there))
    for channel, lacking in without_threads.items():
        said.append(
            language.say(
                "⚠️ Threads can't be made in {channel}, so boards come into it side by side. Allow"
                " Parlour {permissions} there.",
                channel=f"<#{channel}>",
                permissions=language.listed(f"**{language(each)}**" for each in lacking),
            )
        )
    if chosen.puzzle is not None:
        there = f"<#{chosen.puzzle}>"
        said.append(
            language.say(
                "The puzzle of the day is posted in {channel}; see /server daily-puzzle.",
                channel=there,
            )
        )
    said.append(language.say("Every choice is saved at once and listed below with your name."))
    limits = shelf.limits
    on, off = language.say("one per match"), language.say("off")
    alone = language.say("A channel then has one match at a time")
    usual = on if shelf.threads else off
    threads = [
        (USUAL, language.say("default ({choice})", choice=usual)),
        ("on", on),
        ("off", off),
    ]
    games = [(USUAL, language.say("none")), *_games()]
    prompts = (language.say("Most matches at once"), language.say("Threads per hour"))
    items: list[Part] = [
        text("\n".join(said)),
        *_entities(
            "channels",
            language.say("Channels for offers"),
            language.say("Channels for offers: all"),
            chosen.channels,
            most=MOST_CHANNELS,
        ),
        *_entities(
            "role",
            language.say("Role that can offer"),
            language.say("Role that can offer: any"),
            [chosen.offerers],
        ),
        *_entities(
            "players",
            language.say("Role that can play"),
            language.say("Role that can play: any"),
            [chosen.players],
        ),
        *_entities(
            "arrangers",
            language.say("Role that can arrange"),
            language.say("Role that can arrange: none"),
            [chosen.arrangers],
        ),
        *_entities(
            "lobby",
            language.say("Lobby channel"),
            language.say("Lobby channel: none"),
            [chosen.lobby],
        ),
        *_entities(
            "seekers",
            language.say("Role to ping for new offers"),
            language.say("Role to ping for new offers: none"),
            [chosen.seekers],
        ),
        setting_menu(
            "serv/threads",
            language.say("Threads"),
            threads,
            USUAL if chosen.threads is None else ("on" if chosen.threads else "off"),
            language=language,
            notes={"off": alone},
        ),
        languages_menu(
            "serv/language",
            language.say("Language"),
            language.say("as in this server"),
            chosen.language,
            shelf,
            language=language,
        ),
        themes_menu(
            "serv/theme",
            language.say("Pictures"),
            chosen.theme,
            shelf,
            language,
        ),
        setting_menu(
            "serv/game",
            language.say("Default game of /play"),
            games[:CHOICES],
            chosen.game or USUAL,
            language=language,
        ),
        _limits_menu(
            "serv/running",
            prompts[0],
            chosen.running,
            _RUNNING,
            limits.running_in_server,
            language=language,
        ),
        _limits_menu(
            "serv/hourly",
            prompts[1],
            chosen.threads_an_hour,
            _THREADS,
            limits.threads_an_hour,
            language=language,
        ),
    ]
    items += rows([button(Control("sdefaults"), language.say("Defaults of /play"))])
    if entries:
        shown = "\n".join(log_line(entry, language) for entry in entries)
        items.append(text(match_text.cut(shown, 2500)))
    return Reply(lead or title, Page(*items))


def _games() -> list[tuple[str, str]]:
    return [(key, kind.info.name) for key, kind in catalog.GAMES.items()]


def _limits_menu(
    field: str,
    prompt: str,
    chosen: int | None,
    offered: Sequence[int],
    most: int,
    *,
    language: Language,
) -> Row:
    lower = {each for each in offered if each < most} | ({chosen} if chosen is not None else set())
    lines = [(USUAL, str(most)), *((str(each), str(each)) for each in sorted(lower))]
    return setting_menu(
        field, prompt, lines, USUAL if chosen is None else str(chosen), language=language
    )


def _entities(
    field: str, label: str, prompt: str, chosen: Sequence[int | None], *, most: int = 1
) -> list[Part]:
    """A menu of channels or roles; with a choice it shows no prompt, so a label says what it is."""
    kind: Literal["channel", "role"] = "channel" if field in ("channels", "lobby") else "role"
    listed = [each for each in chosen if each is not None]
    picker = entity_menu(kind, Control("serv", arg=field), prompt, listed, most=most)
    return [text(f"-# {label}"), picker] if listed else [picker]


def changed_server(
    chosen: ServerSettings,
    field: str,
    values: tuple[str, ...],
    shelf: SettingChoices,
    *,
    channels: Mapping[ChannelId, bool],
    roles: Callable[[RoleId], bool],
    postable: Callable[[ChannelId], bool] = lambda _: True,
    check_ping_role: Callable[[RoleId], None] = lambda _: None,
) -> ServerSettings:
    """What is chosen for a server after a choice in a menu of its page.

    ``channels`` says of those of the server whether matches can be played there, ``roles`` whether
    a role is one of the server's, ``postable`` whether we may post in a channel;
    ``check_ping_role`` refuses a role that players must not give themselves.
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
            channel = ChannelId(_id(one(values)))
            if not channels.get(channel):
                raise UserError("not_its_channel")
            if not postable(channel):
                raise UserError("lobby_refused", channel=f"<#{channel}>")
            return replace(chosen, lobby=channel)
        case "role":
            return replace(chosen, offerers=_role_in(values, roles))
        case "players":
            return replace(chosen, players=_role_in(values, roles))
        case "arrangers":
            return replace(chosen, arrangers=_role_in(values, roles))
        case "seekers":
            role = _role_in(values, roles)
            if role is not None:
                check_ping_role(role)
            return replace(chosen, seekers=role)
        case "threads":
            known = {USUAL: None, "on": True, "off": False}
            value = one(values)
            if value not in known:
                raise UserError("out_of_date")
            return replace(chosen, threads=known[value])
        case "language":
            return replace(chosen, language=among(one(values), shelf.languages))
        case "theme":
            return replace(chosen, theme=among(one(values), THEMES))
        case "game":
            return replace(chosen, game=among(one(values), catalog.GAMES))
        case "running":
            return replace(chosen, running=_limit(one(values), _RUNNING))
        case "hourly":
            return replace(chosen, threads_an_hour=_limit(one(values), _THREADS))
    raise UserError("out_of_date")


def _role_in(values: tuple[str, ...], roles: Callable[[RoleId], bool]) -> RoleId | None:
    if not values:
        return None
    role = RoleId(_id(one(values)))
    if not roles(role):
        raise UserError("not_its_role")
    return role


def _limit(value: str, offered: Iterable[int]) -> int | None:
    return None if value == USUAL else number(value, offered)


def _id(value: str) -> int:
    """An id as Discord writes it."""
    found = read_id(value)
    if found is None:
        raise UserError("out_of_date")
    return found
