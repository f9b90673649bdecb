"""The settings of a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from bot.domain.clock_text import read_clock, read_duration
from bot.domain.events import JsonValue
from bot.domain.game_state import game_of
from bot.domain.ids import ChannelId, RoleId
from bot.domain.preferences import HINTS, MOST_CHANNELS, RATED, ServerSettings
from bot.domain.rating_range import parse_rating_range
from bot.errors import UserError
from bot.i18n import Language
from bot.services.pairing import Limits
from bot.ui.interaction.permissions import check_ping_role
from bot.ui.interaction.slash import Group
from bot.ui.pages import clock_text, match_text
from bot.ui.pages.display_names import clean
from bot.ui.settings.panel import (
    Channel,
    Choice,
    Panel,
    Role,
    Setting,
    SettingChoices,
    by_default,
    its_channel,
    languages,
    theme_name,
    themes,
    up_to,
)
from games import catalog
from games.view import Text

SERVER = Group("server", Text.of("Arrange Parlour in this server"), managers=True)
_RUNNING = (5, 10, 25, 50, 100, 200)
_HOURLY = (0, 5, 10, 20, 30)
_PER_MATCH, _ON, _OFF = Text.of("one per match"), Text.of("on"), Text.of("off")


def _for_lobby(choices: SettingChoices, channel_id: int) -> None:
    its_channel(choices, channel_id)
    if not choices.may_post(ChannelId(channel_id)):
        raise UserError("lobby_refused", channel=f"<#{channel_id}>")


# ---- stored values in words, for the log --------------------------------------------------------


def _options(value: Iterable[JsonValue], language: Language) -> str:
    """``Quax, Board size: 7 · Swap: no``."""
    said = []
    for each in value:
        if isinstance(each, list) and len(each) == 2 and isinstance(each[1], list):
            key = str(each[0])
            pairs = [pair for pair in each[1] if isinstance(pair, list) and len(pair) == 2]
            words = clean(", ".join(" ".join(map(str, pair)) for pair in pairs))
            if key in catalog.GAMES:
                info = catalog.GAMES[key].info
                values = match_text.sensible_values(info, {str(name): text for name, text in pairs})
                words = match_text.options(info, values, language, brief=True)
            said.append(f"{match_text.named_game(key)}, {words}")
    return "; ".join(said)


def _text(words: Callable[[str, Language], str]) -> Callable[[str, Language], str]:
    """Says what a stored text means; as it stands if another release wrote it."""

    def said(text: str, language: Language) -> str:
        try:
            return words(text, language)
        except (UserError, ValueError):
            return clean(text)

    return said


_clock = _text(lambda text, language: clock_text.clock_words(read_clock(text), language))
_band = _text(lambda text, _: str(parse_rating_range(text)))
_lasts = _text(lambda text, language: clock_text.duration(read_duration(text), language))


def _side(number: str, language: Language) -> str:
    """A side by its names in all games: a server's default is not about one of them."""
    seats = [game_of(key, kind.info.resolve({})).seats for key, kind in catalog.GAMES.items()]
    at = int(number) - 1
    return " / ".join(dict.fromkeys(language(each[at].name) for each in seats if at < len(each)))


_STAKES = {RATED: Text.of("rated"), HINTS: Text.of("hints allowed")}


def _words(known: Mapping[Any, Text]) -> Callable[[Any, Language], str]:
    def said(value: Any, language: Language) -> str:
        return language(known[value]) if value in known else clean(str(value))

    return said


def server_settings(
    chosen: ServerSettings, choices: SettingChoices
) -> Iterator[Setting[ServerSettings]]:
    """All settings of a server; the last ones are chosen elsewhere."""
    yield Channel(
        "channels",
        Text.of("Channels for offers"),
        Text.of("Channels for offers: all"),
        choices,
        most=MOST_CHANNELS,
    )
    offerers = Text.of("Role that can offer")
    yield Role("offerers", offerers, Text.of("Role that can offer: any"), choices, id="role")
    players = Text.of("Role that can play")
    yield Role("players", players, Text.of("Role that can play: any"), choices)
    arrangers = Text.of("Role that can arrange")
    yield Role("arrangers", arrangers, Text.of("Role that can arrange: none"), choices)
    none = Text.of("Lobby channel: none")
    yield Channel("lobby", Text.of("Lobby channel"), none, choices, check=_for_lobby)
    yield Role(
        "seekers",
        Text.of("Role to ping for new offers"),
        Text.of("Role to ping for new offers: none"),
        choices,
        check=lambda choices, role: check_ping_role(choices.guild, RoleId(role)),
    )
    yield Choice(
        "threads",
        Text.of("Threads"),
        [
            (None, by_default(_PER_MATCH if choices.threads else _OFF)),
            (True, _PER_MATCH),
            (False, _OFF, Text.of("A channel then has one match at a time")),
        ],
        logged=_words({True: _PER_MATCH, False: _OFF}),
    )
    usual = Text.of("as in this server")
    own_name = match_text.own_name
    yield Choice("language", Text.of("Language"), languages(usual, choices), logged=own_name)
    yield Choice("theme", Text.of("Pictures"), themes(choices), logged=theme_name)
    yield Choice(
        "game",
        Text.of("Default game of /play"),
        [(None, Text.of("none")), *((key, it.info.name) for key, it in catalog.GAMES.items())],
        logged=lambda key, _: match_text.named_game(key),
    )
    running = up_to(choices.limits.running_in_server, chosen.running, *_RUNNING)
    yield Choice("running", Text.of("Most matches at once"), running)
    hourly = up_to(choices.limits.threads_an_hour, chosen.threads_an_hour, *_HOURLY)
    yield Choice("threads_an_hour", Text.of("Threads per hour"), hourly, id="hourly")
    note = Text.of("The host may put this server's tournaments on a web site")
    yield Choice(
        "website",
        Text.of("Tournaments on the web"),
        [(False, _OFF), (True, _ON, note)],
        logged=_words({True: _ON, False: _OFF}),
    )
    # These are chosen on the page of defaults, and by /server daily-puzzle.
    yield Setting("clock", Text.of("Clock"), logged=_clock)
    yield Setting("options", Text.of("Size and rules"), logged=_options)
    yield Setting("stakes", Text.of("Rated or casual"), logged=_words(_STAKES))
    yield Setting("side", Text.of("Side"), logged=_side)
    yield Setting("takebacks", Text.of("Takebacks"), logged=_words({False: _OFF}))
    yield Setting("band", Text.of("Rating range"), logged=_band)
    yield Setting("lasts", Text.of("Expires after"), logged=_lasts)
    yield Setting("puzzle", Text.of("Puzzle of the day"), logged=lambda channel, _: f"<#{channel}>")
    yield Setting(
        "puzzle_hour", Text.of("Hour of the puzzle"), logged=lambda hour, _: f"{hour:02}:00"
    )
    yield Setting("puzzle_zone", Text.of("Time zone of the puzzle"))


def server_panel(choices: SettingChoices) -> Panel[ServerSettings]:
    """The settings on the page of a server."""
    return Panel("serv", partial(server_settings, choices=choices))


LOGGED = {
    each.name: each for each in server_settings(ServerSettings(), SettingChoices((), "", Limits()))
}
"""The settings by the names that the log has."""
