"""The menus of a game, its presets and its options, in every form that asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from bot.ui.settings.panel import Choice, Line, Menu, S, Setting
from games import catalog
from games.api import ChoiceOption, GameInfo, IntOption, OptionValue
from games.view import Text


def game_menu(label: Text, games: Iterable[str], put: Callable[[S, str], S]) -> Menu[S]:
    """The menu of games, by their keys; ``put`` starts over with another one."""
    known = ((key, catalog.GAMES[key].info) for key in games)
    lines = [(key, info.name, info.summary) for key, info in known]
    return Menu("game", label, lines, put=lambda it, key: it if key == it.game else put(it, key))


def preset_of(info: GameInfo, values: Mapping[str, OptionValue]) -> str | None:
    """The key of the preset that has all these values, if any."""
    same = (each.key for each in info.presets if dict(info.resolve(each.options)) == values)
    return next(same, None)


def preset_lines(info: GameInfo) -> list[Line]:
    """The lines of the menu of a game's presets."""
    return [(each.key, each.label, each.reason) for each in info.presets]


def rules_menus(
    info: GameInfo,
    values: Mapping[str, OptionValue],
    put: Callable[[S, Mapping[str, OptionValue]], S],
) -> Iterator[Setting[S]]:
    """The menus of a game's presets and options, which have these values now."""
    if info.presets:
        presets = {each.key: each.options for each in info.presets}
        yield Menu(
            "preset",
            Text.of("Preset"),
            preset_lines(info),
            get=lambda _: preset_of(info, values),
            put=lambda it, key: put(it, presets[key]),
        )
    for option in info.options:
        yield _option_menu(option, values, put)


def _option_menu(
    option: IntOption | ChoiceOption,
    values: Mapping[str, OptionValue],
    put: Callable[[S, Mapping[str, OptionValue]], S],
) -> Choice[S]:
    lines: list[Line] = (
        [(str(value), str(value)) for value in option.suggested]
        if isinstance(option, IntOption)
        else [(each.key, each.label, each.note) for each in option.choices]
    )
    now = str(values[option.key])
    if all(value != now for value, *_ in lines):
        lines.append((now, now))
    return Choice(
        option.key,
        option.label,
        lines,
        id=f"option/{option.key}",
        parse=str,  # a value that it doesn't take counts as its default
        get=lambda _: now,
        put=lambda it, value: put(it, {**values, option.key: value}),
    )
