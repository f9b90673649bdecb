"""Application commands: registration by a bot, and options from a person.

https://docs.discord.com/developers/interactions/application-commands
"""

from __future__ import annotations

import unicodedata
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from playground import errors
from playground.errors import FormErrors
from playground.wire import Json, read_id
from playground.world.model import Command
from playground.world.state import State

CHAT_INPUT, USER, MESSAGE, ENTRY_POINT = 1, 2, 3, 4
SUBCOMMAND, GROUP = 1, 2
_MOST = {CHAT_INPUT: 100, USER: 15, MESSAGE: 15, ENTRY_POINT: 1}
_TOTAL_TEXT = 8000
_DAY = 86_400.0
_NUMBERS = {4, 10}
_KEPT = (
    "name_localizations",
    "description_localizations",
    "default_member_permissions",
    "dm_permission",
    "contexts",
    "integration_types",
    "nsfw",
)


def is_command_name(name: object) -> bool:
    """Whether Discord takes ``name`` for a slash command or an option: lower case, 1 to 32."""
    return (
        isinstance(name, str)
        and 1 <= len(name) <= 32
        and name == name.lower()
        and all(
            each in "-_'" or unicodedata.category(each)[0] in "LN" or unicodedata.combining(each)
            for each in name
        )
    )


@dataclass(slots=True)
class Commands:
    """The commands of the application, global and of each server."""

    state: State
    _created: dict[int | None, deque[float]] = field(default_factory=dict)

    def listed(self, guild_id: int | None) -> list[Command]:
        """The commands registered globally (None) or in a server."""
        return [each for each in self.state.commands.values() if each.guild_id == guild_id]

    def find(self, command_id: int, guild_id: int | None) -> Command:
        """The command; 10063 if it is not registered there."""
        found = self.state.commands.get(command_id)
        if found is None or found.guild_id != guild_id:
            raise errors.unknown("application command")
        return found

    def overwrite(self, bodies: object, guild_id: int | None) -> list[Command]:
        """Replace all commands; one that stays the same keeps its id and version."""
        faults = FormErrors()
        if not isinstance(bodies, list):
            raise errors.form_error("", "BASE_TYPE_BAD_TYPE", "Only lists are allowed.")
        cleaned = [_read(body, faults, f"{index}.") for index, body in enumerate(bodies)]
        faults.check()
        seen: set[tuple[int, str]] = set()
        for index, body in enumerate(cleaned):
            key = (body["type"], body["name"])
            if key in seen:
                faults.add(
                    str(index),
                    "APPLICATION_COMMANDS_DUPLICATE_NAME",
                    "Application command names must be unique",
                )
            seen.add(key)
        faults.check()
        for kind, most in _MOST.items():
            if sum(1 for body in cleaned if body["type"] == kind) > most:
                raise errors.maximum(
                    30032, f"Maximum number of application commands reached ({most})"
                )
        old = {(each.kind, each.name): each for each in self.listed(guild_id)}
        fresh = [body for body in cleaned if (body["type"], body["name"]) not in old]
        self._count_creates(guild_id, len(fresh))
        for key, command in old.items():
            if key not in seen:
                self._drop(command)
        return [
            self._put(body, guild_id, old.get((body["type"], body["name"]))) for body in cleaned
        ]

    def create(self, body: Json, guild_id: int | None) -> tuple[Command, bool]:
        """Register one command, over one of the same name; also returns whether it is new."""
        faults = FormErrors()
        cleaned = _read(body, faults, "")
        faults.check()
        same = [
            each
            for each in self.listed(guild_id)
            if (each.kind, each.name) == (cleaned["type"], cleaned["name"])
        ]
        if not same:
            self._count_creates(guild_id, 1)
            most = _MOST[cleaned["type"]]
            if sum(1 for each in self.listed(guild_id) if each.kind == cleaned["type"]) >= most:
                raise errors.maximum(
                    30032, f"Maximum number of application commands reached ({most})"
                )
        return self._put(cleaned, guild_id, same[0] if same else None), not same

    def change(self, command_id: int, guild_id: int | None, body: Json) -> Command:
        """Change some fields of a command."""
        old = self.find(command_id, guild_id)
        faults = FormErrors()
        cleaned = _read({**old.body, **body, "type": old.kind}, faults, "")
        faults.check()
        return self._put(cleaned, guild_id, old)

    def remove(self, command_id: int, guild_id: int | None) -> None:
        """Remove a command."""
        self._drop(self.find(command_id, guild_id))

    def _put(self, body: Json, guild_id: int | None, old: Command | None) -> Command:
        if old is not None and old.body == body:
            return old
        made = Command(
            id=old.id if old is not None else self.state.ids.next(),
            guild_id=guild_id,
            kind=body["type"],
            name=body["name"],
            version=self.state.ids.next(),
            body=body,
        )
        self.state.commands[made.id] = made
        self.state.keep(made)
        return made

    def _drop(self, command: Command) -> None:
        del self.state.commands[command.id]
        self.state.journal.drop("command", str(command.id))

    def _count_creates(self, guild_id: int | None, number: int) -> None:
        recent = self._created.setdefault(guild_id, deque())
        now = self.state.clock.now()
        while recent and recent[0] < now - _DAY:
            recent.popleft()
        if len(recent) + number > self.state.limits.command_creates_a_day:
            raise errors.maximum(
                30034,
                "Maximum number of daily application command creates has been reached "
                f"({self.state.limits.command_creates_a_day})",
            )
        recent.extend([now] * number)


def shape(command: Command, application_id: int) -> Json:
    """A command object."""
    body = command.body | {
        "id": str(command.id),
        "application_id": str(application_id),
        "version": str(command.version),
    }
    if command.guild_id is not None:
        body["guild_id"] = str(command.guild_id)
        for key in ("contexts", "integration_types"):
            body.pop(key, None)
    return body


def _read(body: Json, faults: FormErrors, path: str) -> Json:
    """A command as stored; 50035 where a value is not of the type that its key has."""
    try:
        return _read_command(body, faults, path)
    except (AttributeError, TypeError, ValueError) as error:
        text = "Some value has a wrong type."
        raise errors.form_error(path.rstrip("."), "BASE_TYPE_BAD_TYPE", text) from error


def _read_command(body: Json, faults: FormErrors, path: str) -> Json:
    kind = body.get("type") or CHAT_INPUT
    made: Json = {
        "type": kind,
        "name": body.get("name"),
        "description": body.get("description") or "",
    }
    if kind not in _MOST:
        faults.add(f"{path}type", "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4}.")
        made["type"] = CHAT_INPUT
    for key in _KEPT:
        if body.get(key) is not None:
            made[key] = body[key]
    needed = made.get("default_member_permissions")
    made["default_member_permissions"] = None if needed is None else str(needed)
    made.setdefault("nsfw", False)
    made.setdefault("integration_types", [0])
    if "contexts" not in made:
        made["contexts"] = [0] if made.get("dm_permission") is False else [0, 1, 2]
    made["dm_permission"] = 1 in made["contexts"]
    if kind in {CHAT_INPUT, ENTRY_POINT}:
        _check_name(made["name"], faults, f"{path}name")
        for locale, name in (made.get("name_localizations") or {}).items():
            _check_name(name, faults, f"{path}name_localizations.{locale}")
        faults.check_length(f"{path}description", made["description"], 1, 100)
        for locale, text in (made.get("description_localizations") or {}).items():
            faults.check_length(f"{path}description_localizations.{locale}", text, 1, 100)
    else:
        faults.check_length(f"{path}name", made["name"], 1, 32)
        if made["description"]:
            faults.add(
                f"{path}description",
                "APPLICATION_COMMAND_INVALID_DESCRIPTION",
                "Context menu commands have no description",
            )
    options = body.get("options") or []
    if options:
        made["options"] = _read_options(options, faults, f"{path}options", depth=0)
    if _text_size(made) > _TOTAL_TEXT:
        faults.add(
            path.rstrip("."),
            "APPLICATION_COMMAND_TOO_LARGE",
            f"Command exceeds maximum size ({_TOTAL_TEXT})",
        )
    return made


def _check_name(name: object, faults: FormErrors, path: str) -> None:
    faults.check_length(path, name, 1, 32)
    if isinstance(name, str) and name and not is_command_name(name):
        faults.add(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _read_options(options: Sequence[Json], faults: FormErrors, path: str, depth: int) -> list[Json]:
    if len(options) > 25:
        faults.add(path, "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    made: list[Json] = []
    names: set[str] = set()
    optional_seen = False
    for index, raw in enumerate(options):
        here = f"{path}.{index}"
        option = _read_option(raw, faults, here, depth)
        if option["name"] in names:
            faults.add(
                f"{here}.name",
                "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED",
                "Option names must be unique",
            )
        names.add(option["name"])
        if option.get("required") and optional_seen:
            faults.add(
                here,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional_seen = optional_seen or not option.get("required")
        made.append(option)
    kinds = {option["type"] in {SUBCOMMAND, GROUP} for option in made}
    if len(kinds) > 1:
        faults.add(
            path,
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to other types",
        )
    return made


def _read_option(raw: Json, faults: FormErrors, path: str, depth: int) -> Json:
    kind = int(raw.get("type") or 0)
    made: Json = {"type": kind, "name": raw.get("name"), "description": raw.get("description")}
    _check_name(made["name"], faults, f"{path}.name")
    faults.check_length(f"{path}.description", made["description"], 1, 100)
    for key in ("name_localizations", "description_localizations", "channel_types"):
        if raw.get(key) is not None:
            made[key] = raw[key]
    if kind not in range(1, 12) or (kind == GROUP and depth > 0) or (kind == 1 and depth > 1):
        faults.add(f"{path}.type", "BASE_TYPE_CHOICES", "Value is not allowed here.")
        return made
    if kind in {SUBCOMMAND, GROUP}:
        made["options"] = _read_options(
            raw.get("options") or [], faults, f"{path}.options", depth + 1
        )
        return made
    made["required"] = bool(raw.get("required"))
    for key in ("min_value", "max_value", "min_length", "max_length"):
        if raw.get(key) is not None:
            made[key] = raw[key]
    choices = raw.get("choices") or []
    if raw.get("autocomplete"):
        made["autocomplete"] = True
        if choices:
            faults.add(
                f"{path}.choices",
                "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE",
                "Choices and autocomplete are mutually exclusive",
            )
    if choices:
        made["choices"] = choices
        check_choices(choices, kind, faults, f"{path}.choices")
    return made


def check_choices(choices: Sequence[Json], kind: int, faults: FormErrors, path: str) -> None:
    """Note errors in the choices of an option of type ``kind``, or of autocomplete."""
    if len(choices) > 25:
        faults.add(path, "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    names: set[str] = set()
    for index, choice in enumerate(choices):
        here = f"{path}.{index}"
        faults.check_length(f"{here}.name", choice.get("name"), 1, 100)
        value = choice.get("value")
        if kind == 3:
            faults.check_length(f"{here}.value", value, 1, 100)
        elif isinstance(value, bool) or not isinstance(value, int | float):
            faults.add(f"{here}.value", "NUMBER_TYPE_COERCE", f'Value "{value}" is not a number.')
        if choice.get("name") in names:
            faults.add(
                here,
                "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATE",
                "Option choice names must be unique",
            )
        names.add(str(choice.get("name")))


def _text_size(body: Json) -> int:
    size = 0
    for key in ("name", "description"):
        localised = body.get(f"{key}_localizations") or {}
        size += max([len(body.get(key) or ""), *map(len, localised.values())])
    for option in body.get("options", []):
        size += _text_size(option)
    for choice in body.get("choices", []):
        size += len(str(choice.get("name"))) + len(str(choice.get("value")))
    return size


def read_filled(definitions: Sequence[Json], sent: object, *, typing: bool) -> list[Json]:
    """The options of an interaction for the bot; 50035 where Discord would refuse.

    ``typing`` is autocomplete: required options may be missing, and exactly one has the focus.
    """
    faults = FormErrors()
    given = [each for each in sent if isinstance(each, dict)] if isinstance(sent, list) else []
    by_name = {definition["name"]: definition for definition in definitions}
    made: list[Json] = []
    for each in given:
        name = str(each.get("name"))
        definition = by_name.pop(name, None)
        if definition is None or definition["type"] != each.get("type"):
            faults.add(
                f"data.options.{name}",
                "APPLICATION_COMMAND_OPTION_UNKNOWN",
                "This command is outdated, please try again in a few minutes",
            )
            continue
        if definition["type"] in {SUBCOMMAND, GROUP}:
            inner = read_filled(definition.get("options", []), each.get("options"), typing=typing)
            made.append({"type": definition["type"], "name": name, "options": inner})
            continue
        focused = typing and bool(each.get("focused"))
        if not focused:
            _check_value(definition, each.get("value"), faults, f"data.options.{name}")
        option: Json = {"type": definition["type"], "name": name, "value": each.get("value")}
        if focused:
            option["focused"] = True
        made.append(option)
    if not typing:
        for name, definition in by_name.items():
            if definition.get("required"):
                faults.required(f"data.options.{name}")
    only_sub = definitions and definitions[0]["type"] in {SUBCOMMAND, GROUP}
    if only_sub and len(made) != 1:
        faults.add("data.options", "BASE_TYPE_BAD_LENGTH", "Must be 1 in length.")
    faults.check()
    return made


def _check_value(definition: Json, value: object, faults: FormErrors, path: str) -> None:
    kind = definition["type"]
    if kind == 3:
        if not isinstance(value, str):
            faults.add(path, "BASE_TYPE_BAD_TYPE", "Only text is allowed.")
            return
        low, high = definition.get("min_length", 0), definition.get("max_length", 6000)
        if not max(low, 1 if definition.get("required") else 0) <= len(value) <= high:
            faults.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
    elif kind in _NUMBERS:
        is_number = isinstance(value, int) or (kind == 10 and isinstance(value, float))
        if isinstance(value, bool) or not is_number:
            faults.add(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not a number.')
            return
        low = definition.get("min_value", -(2**53))
        high = definition.get("max_value", 2**53)
        if not low <= float(str(value)) <= high:
            faults.add(path, "NUMBER_TYPE_MAX", f"Value should be from {low} to {high}.")
    elif kind == 5:
        if not isinstance(value, bool):
            faults.add(path, "BASE_TYPE_BAD_TYPE", "Only true and false are allowed.")
    elif read_id(value) is None:
        faults.add(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
    choices = definition.get("choices")
    if choices and value not in [choice["value"] for choice in choices]:
        faults.add(
            path,
            "APPLICATION_COMMAND_INVALID_CHOICE",
            "The value is not one of the choices",
        )
