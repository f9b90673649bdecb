"""Filling in commands and modals and finding controls, as a Discord client does for its user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from playground.wire import Json
from playground.world.controls import ComponentType, walk

_UNSEEN = {ord("\N{NO-BREAK SPACE}"): " ", ord("\N{WORD JOINER}"): ""}


@runtime_checkable
class HasId(Protocol):
    """A user, by their id."""

    id: int


def fill_command(
    command: Json, name: str, given: Mapping[str, object], *, focused: str | None = None
) -> Json:
    """A command's data with these options by name; ``focused`` is the one being typed."""
    path = name.split()[1:]
    definitions: list[Json] = command.get("options", [])
    levels: list[Json] = []
    for part in path:
        level = next(each for each in definitions if each["name"] == part)
        levels.append(level)
        definitions = level.get("options", [])
    kinds = {each["name"]: each["type"] for each in definitions}
    options: list[Json] = []
    for key, value in given.items():
        option: Json = {"type": kinds.get(key, 3), "name": key, "value": plain(value)}
        if option["type"] in {6, 7, 8, 9, 11}:
            option["value"] = str(option["value"])
        if key == focused:
            option["focused"] = True
        options.append(option)
    if focused is not None and focused not in given:
        kind = kinds[focused]
        options.append({"type": kind, "name": focused, "value": "", "focused": True})
    for level in reversed(levels):
        options = [{"type": level["type"], "name": level["name"], "options": options}]
    return {
        "id": command["id"],
        "version": command["version"],
        "name": command["name"],
        "type": command["type"],
        "options": options,
    }


def fill_modal(modal: Json, values: Mapping[str, object]) -> list[Json]:
    """A modal's rows with these values by custom id; other fields stay as they were."""
    rows: list[Json] = []
    for row in modal["components"]:
        if row["type"] == ComponentType.ACTION_ROW:
            inner = [_fill(each, values) for each in row["components"]]
            rows.append({"type": row["type"], "components": inner})
        elif row["type"] == ComponentType.LABEL:
            rows.append({"type": row["type"], "component": _fill(row["component"], values)})
    return rows


def find_control(message: Json, *, custom_id: str | None = None, label: str | None = None) -> Json:
    """The button or menu of a message with that custom id or label; LookupError if none."""
    for each in walk(message["components"]):
        if custom_id is not None and each.get("custom_id") == custom_id:
            return each
        if label is not None and each.get("label") == label:
            return each
    shown = [each.get("label") or each.get("custom_id") for each in walk(message["components"])]
    raise LookupError(f"no control {custom_id or label!r} among {[s for s in shown if s]}")


def all_text(message: Json) -> str:
    """The whole text of a message: content, text displays, embeds.

    Non-breaking blanks become ordinary ones, as for a reader, and joiners go.
    """
    parts = [message["content"]]
    parts += [each["content"] for each in walk(message["components"]) if each["type"] == 10]
    for embed in message["embeds"]:
        parts += [embed.get("title", ""), embed.get("description", "")]
        parts += [f"{each['name']}\n{each['value']}" for each in embed.get("fields", [])]
    return "\n".join(part for part in parts if part).translate(_UNSEEN)


def plain(value: object) -> object:
    """The id of a person, or the value itself."""
    return value.id if isinstance(value, HasId) else value


def _fill(control: Json, values: Mapping[str, object]) -> Json:
    made: Json = {"type": control["type"], "custom_id": control["custom_id"]}
    given = values.get(control["custom_id"])
    if control["type"] in {ComponentType.TEXT_INPUT, ComponentType.RADIO_GROUP}:
        made["value"] = control.get("value") if given is None else given
    elif control["type"] == ComponentType.CHECKBOX:
        made["value"] = bool(given)
    elif isinstance(given, str | int | HasId):
        made["values"] = [str(plain(given))]
    elif isinstance(given, Sequence):
        made["values"] = [str(plain(each)) for each in given]
    else:
        made["values"] = [
            each["value"] for each in control.get("options", []) if each.get("default")
        ]
    return made
