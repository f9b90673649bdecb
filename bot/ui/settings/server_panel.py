"""All that can be chosen for a server; who manages it may."""

from __future__ import annotations

from collections.abc import Iterable

from bot.domain.events import JsonValue
from bot.domain.ids import ChannelId, RoleId
from bot.domain.preferences import MOST_CHANNELS, ServerSettings
from bot.errors import UserError
from bot.ui.interaction.permissions import check_ping_role
from bot.ui.pages.display_names import clean
from bot.ui.settings.panel import (
    Channel,
    Choice,
    Line,
    Panel,
    Role,
    Setting,
    SettingChoices,
    by_default,
    its_channel,
    languages,
    own_name,
    themes,
    up_to,
)
from games import catalog
from games.view import Text

_RUNNING = (5, 10, 25, 50, 100, 200)
_HOURLY = (0, 5, 10, 20, 30)
_PER_MATCH, _OFF = Text.of("one per match"), Text.of("off")


def _for_lobby(shelf: SettingChoices, channel_id: int) -> None:
    its_channel(shelf, channel_id)
    if not shelf.may_post(ChannelId(channel_id)):
        raise UserError("lobby_refused", channel=f"<#{channel_id}>")


def _to_ping(shelf: SettingChoices, role_id: int) -> None:
    check_ping_role(shelf.guild, RoleId(role_id))


def _threads(_chosen: ServerSettings, shelf: SettingChoices) -> list[Line]:
    return [
        (None, by_default(_PER_MATCH if shelf.threads else _OFF)),
        (True, _PER_MATCH),
        (False, _OFF, Text.of("A channel then has one match at a time")),
    ]


def _games(_chosen: ServerSettings, _shelf: SettingChoices) -> list[Line]:
    return [
        (None, Text.of("none")),
        *((key, kind.info.name) for key, kind in catalog.GAMES.items()),
    ]


def _options(value: Iterable[JsonValue]) -> str:
    """``quax size 7, pie off``."""
    said = []
    for each in value:
        if isinstance(each, list) and len(each) == 2 and isinstance(each[1], list):
            pairs = (" ".join(map(str, pair)) for pair in each[1] if isinstance(pair, list))
            said.append(clean(f"{each[0]} {', '.join(pairs)}"))
    return "; ".join(said)


SERVER_PANEL = Panel[ServerSettings](
    "serv",
    (
        Channel(
            "channels",
            Text.of("Channels for offers"),
            Text.of("Channels for offers: all"),
            most=MOST_CHANNELS,
        ),
        Role(
            "offerers",
            Text.of("Role that can offer"),
            Text.of("Role that can offer: any"),
            id="role",
        ),
        Role("players", Text.of("Role that can play"), Text.of("Role that can play: any")),
        Role("arrangers", Text.of("Role that can arrange"), Text.of("Role that can arrange: none")),
        Channel(
            "lobby", Text.of("Lobby channel"), Text.of("Lobby channel: none"), check=_for_lobby
        ),
        Role(
            "seekers",
            Text.of("Role to ping for new offers"),
            Text.of("Role to ping for new offers: none"),
            check=_to_ping,
        ),
        Choice("threads", Text.of("Threads"), _threads),
        Choice(
            "language",
            Text.of("Language"),
            languages(Text.of("as in this server")),
            logged=own_name,
        ),
        Choice("theme", Text.of("Pictures"), themes),
        Choice("game", Text.of("Default game of /play"), _games),
        Choice(
            "running",
            Text.of("Most matches at once"),
            up_to(lambda host: host.running_in_server, lambda it: it.running, *_RUNNING),
        ),
        Choice(
            "threads_an_hour",
            Text.of("Threads per hour"),
            up_to(lambda host: host.threads_an_hour, lambda it: it.threads_an_hour, *_HOURLY),
            id="hourly",
        ),
        # These are chosen on the page of defaults, and by /server daily-puzzle.
        Setting("clock", Text.of("Clock")),
        Setting("options", Text.of("Size and rules"), logged=_options),
        Setting("stakes", Text.of("Rated or casual")),
        Setting("side", Text.of("Side")),
        Setting("takebacks", Text.of("Takebacks")),
        Setting("band", Text.of("Rating range")),
        Setting("lasts", Text.of("Expires after")),
        Setting("puzzle", Text.of("Puzzle of the day"), logged="<#{}>".format),
        Setting("puzzle_hour", Text.of("Hour of the puzzle")),
        Setting("puzzle_zone", Text.of("Time zone of the puzzle")),
    ),
)
