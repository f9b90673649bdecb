"""The common part of messages and modals: kinds of component, buttons, menus, ids.

https://docs.discord.com/developers/components/reference
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Any

from playground.errors import FormErrors
from playground.wire import Json, read_id


class ComponentType(IntEnum):
    """The kinds of component."""

    ACTION_ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    MEDIA_GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


SELECTS = frozenset(range(3, 9)) - {ComponentType.TEXT_INPUT}
#: Whether the application or Discord has an emoji of that id.
EmojiKnown = Callable[[int], bool]


def walk(components: list[Json]) -> Iterator[Json]:
    """Every component, each before those inside it."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))
        for key in ("accessory", "component"):
            if key in component:
                yield from walk([component[key]])


def find_custom_id(components: list[Json], custom_id: str) -> Json | None:
    """The component with that custom id, if it is there."""
    return next((each for each in walk(components) if each.get("custom_id") == custom_id), None)


def texts(components: list[Json]) -> str:
    """The text of all text displays, for mentions."""
    return "\n".join(
        each["content"] for each in walk(components) if each["type"] == ComponentType.TEXT_DISPLAY
    )


def number(components: list[Json]) -> None:
    """Give every component that has none (or 0) a numeric id, counting up from 1."""
    taken = {each["id"] for each in walk(components) if each.get("id")}
    fresh = 0
    for each in walk(components):
        if not each.get("id"):
            fresh += 1
            while fresh in taken:
                fresh += 1
            each["id"] = fresh


class Parts:
    """Reads the components that messages and modals share: controls and texts."""

    def __init__(self, errors: FormErrors, *, emoji_known: EmojiKnown) -> None:
        self.errors = errors
        self.emoji_known = emoji_known
        self.custom_ids: set[str] = set()
        self.numbers: set[int] = set()

    def bad_type(self, path: str, allowed: frozenset[int]) -> None:
        """Note a component in a place where it is not allowed."""
        listed = ", ".join(map(str, sorted(allowed)))
        self.errors.add(
            f"{path}.type", "UNION_TYPE_CHOICES", f"Value of field type must be one of ({listed})."
        )

    def as_list(self, value: object, path: str, low: int, high: int) -> list[Any]:
        """The objects in a list; notes an error unless it has ``low`` to ``high`` items."""
        if not isinstance(value, list):
            self.errors.required(path)
            return []
        if not low <= len(value) <= high:
            self.errors.add(
                path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length."
            )
        return [item for item in value if isinstance(item, dict)]

    def start(self, raw: Json, path: str) -> Json:
        """A fresh component of the same type, with its number checked."""
        made: Json = {"type": raw.get("type"), "id": 0}
        given = raw.get("id")
        if isinstance(given, int) and given > 0:
            if given in self.numbers:
                self.errors.add(
                    f"{path}.id", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated"
                )
            self.numbers.add(given)
            made["id"] = given
        return made

    def custom_id(self, raw: Json, made: Json, path: str) -> None:
        """Read the custom id: 1 to 100 characters, once in a message."""
        given = raw.get("custom_id")
        self.errors.check_length(f"{path}.custom_id", given, 1, 100)
        if isinstance(given, str):
            if given in self.custom_ids:
                self.errors.add(
                    f"{path}.custom_id",
                    "COMPONENT_CUSTOM_ID_DUPLICATED",
                    "Component custom id cannot be duplicated",
                )
            self.custom_ids.add(given)
            made["custom_id"] = given

    def emoji(self, raw: Json, made: Json, path: str) -> None:
        """Read an emoji: a Unicode one by name, or one of the application by id."""
        given = raw.get("emoji")
        if given is None:
            return
        emoji_id = read_id(given.get("id")) if isinstance(given, dict) else None
        name = given.get("name") if isinstance(given, dict) else None
        if emoji_id is not None and self.emoji_known(emoji_id):
            made["emoji"] = {"id": str(emoji_id), "name": name or "emoji"}
            if given.get("animated"):
                made["emoji"]["animated"] = True
        elif emoji_id is None and isinstance(name, str) and name and not name[:1].isalpha():
            made["emoji"] = {"name": name}
        else:
            self.errors.add(f"{path}.emoji.name", "COMPONENT_INVALID_EMOJI", "Invalid emoji")

    def button(self, raw: Json, path: str) -> Json:
        """Read a button."""
        made = self.start(raw, path)
        style = raw.get("style")
        made["style"] = style
        if raw.get("label") is not None:
            self.errors.check_length(f"{path}.label", raw["label"], 0, 80)
            if raw["label"]:
                made["label"] = raw["label"]
        self.emoji(raw, made, path)
        if raw.get("disabled"):
            made["disabled"] = True
        if style in {1, 2, 3, 4}:
            self.custom_id(raw, made, path)
            if raw.get("url") is not None:
                self.errors.add(
                    path,
                    "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    "A custom id and url cannot both be specified",
                )
        elif style == 5:
            self.errors.check_length(f"{path}.url", raw.get("url"), 1, 512)
            url = str(raw.get("url", ""))
            if not url.startswith(("http://", "https://", "discord://")):
                self.errors.add(
                    f"{path}.url",
                    "URL_TYPE_INVALID_SCHEME",
                    "Scheme must be one of ('http', 'https', 'discord').",
                )
            if raw.get("custom_id") is not None:
                self.errors.add(
                    path,
                    "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    "A custom id and url cannot both be specified",
                )
            made["url"] = url
        else:
            self.errors.add(
                f"{path}.style",
                "BASE_TYPE_CHOICES",
                "Value must be one of {1, 2, 3, 4, 5}.",
            )
        if "label" not in made and "emoji" not in made:
            self.errors.add(
                path,
                "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
                "A label or emoji is required",
            )
        return made

    def select(self, raw: Json, path: str) -> Json:
        """Read a select menu of any kind."""
        made = self.start(raw, path)
        self.custom_id(raw, made, path)
        if raw.get("placeholder") is not None:
            self.errors.check_length(f"{path}.placeholder", raw["placeholder"], 0, 150)
            made["placeholder"] = raw["placeholder"]
        low = raw["min_values"] if isinstance(raw.get("min_values"), int) else 1
        high = raw["max_values"] if isinstance(raw.get("max_values"), int) else 1
        if not 0 <= low <= 25:
            self.errors.add(
                f"{path}.min_values", "NUMBER_TYPE_MAX", "int value should be from 0 to 25."
            )
        if not max(low, 1) <= high <= 25:
            self.errors.add(
                f"{path}.max_values",
                "SELECT_COMPONENT_MAX_VALUES_TOO_SMALL" if high < low else "NUMBER_TYPE_MAX",
                "The maximum number of values must be from 1 to 25 and at least the minimum",
            )
        made |= {"min_values": low, "max_values": high}
        if raw.get("disabled"):
            made["disabled"] = True
        if made["type"] == ComponentType.STRING_SELECT:
            made["options"] = self._options(raw, path, high)
            if high > max(len(made["options"]), 1):
                self.errors.add(
                    f"{path}.max_values",
                    "SELECT_COMPONENT_MAX_VALUES_TOO_LARGE",
                    "The maximum number of values cannot exceed the number of options",
                )
        else:
            if raw.get("default_values"):
                made["default_values"] = [
                    {"id": str(each.get("id")), "type": each.get("type")}
                    for each in self.as_list(
                        raw["default_values"], f"{path}.default_values", 0, high
                    )
                ]
            if made["type"] == ComponentType.CHANNEL_SELECT and raw.get("channel_types"):
                made["channel_types"] = raw["channel_types"]
        return made

    def _options(self, raw: Json, path: str, high: int) -> list[Json]:
        options: list[Json] = []
        seen: set[str] = set()
        listed = self.as_list(raw.get("options"), f"{path}.options", 1, 25)
        for index, option in enumerate(listed):
            here = f"{path}.options.{index}"
            self.errors.check_length(f"{here}.label", option.get("label"), 1, 100)
            self.errors.check_length(f"{here}.value", option.get("value"), 1, 100)
            made: Json = {"label": option.get("label"), "value": option.get("value")}
            if option.get("description") is not None:
                self.errors.check_length(f"{here}.description", option["description"], 0, 100)
                if option["description"]:
                    made["description"] = option["description"]
            self.emoji(option, made, here)
            if option.get("default"):
                made["default"] = True
            if made["value"] in seen:
                self.errors.add(
                    f"{here}.value",
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            seen.add(str(made["value"]))
            options.append(made)
        if sum(1 for each in options if each.get("default")) > high:
            self.errors.add(
                f"{path}.options",
                "SELECT_COMPONENT_TOO_MANY_DEFAULTS",
                "More options are selected by default than the maximum allows",
            )
        return options
