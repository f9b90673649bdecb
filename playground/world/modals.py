"""Modals: definitions by a bot, and submissions by a person.

https://docs.discord.com/developers/interactions/receiving-and-responding
"""

from __future__ import annotations

from typing import Any

from playground.errors import FormErrors, form_error
from playground.wire import Json
from playground.world.controls import SELECTS, ComponentType, EmojiKnown, Parts, number, walk

#: Discord's own description allows 40; its clients and libraries stop at five.
MAX_ROWS = 5
_LABELLED = SELECTS | {4, 19, 21, 22, 23}


class ModalReader(Parts):
    """Reads a modal that a bot wants to open."""

    def __init__(self, errors: FormErrors, *, emoji_known: EmojiKnown) -> None:
        super().__init__(errors, emoji_known=emoji_known)

    def read(self, data: Json) -> Json:
        """The modal for a client: custom_id, title, components."""
        self.errors.check_length("data.custom_id", data.get("custom_id"), 1, 100)
        self.errors.check_length("data.title", data.get("title"), 1, 45)
        made: list[Json] = []
        rows = self.as_list(data.get("components"), "data.components", 1, MAX_ROWS)
        for index, row in enumerate(rows):
            path = f"data.components.{index}"
            match row.get("type"):
                case ComponentType.ACTION_ROW:
                    made.append(self._row(row, path))
                case ComponentType.LABEL:
                    made.append(self._label(row, path))
                case ComponentType.TEXT_DISPLAY:
                    text = self.start(row, path)
                    self.errors.check_length(f"{path}.content", row.get("content"), 1, 4000)
                    text["content"] = row.get("content")
                    made.append(text)
                case _:
                    self.bad_type(path, frozenset({1, 10, 18}))
        self.errors.check()
        number(made)
        return {"custom_id": data["custom_id"], "title": data["title"], "components": made}

    def _row(self, raw: Json, path: str) -> Json:
        made = self.start(raw, path)
        inside = self.as_list(raw.get("components"), f"{path}.components", 1, 1)
        made["components"] = []
        for index, each in enumerate(inside):
            here = f"{path}.components.{index}"
            if each.get("type") != ComponentType.TEXT_INPUT:
                self.bad_type(here, frozenset({4}))
                continue
            self.errors.check_length(f"{here}.label", each.get("label"), 1, 45)
            made["components"].append(self._text_input(each, here) | {"label": each.get("label")})
        return made

    def _label(self, raw: Json, path: str) -> Json:
        made = self.start(raw, path)
        self.errors.check_length(f"{path}.label", raw.get("label"), 1, 45)
        made["label"] = raw.get("label")
        if raw.get("description") is not None:
            self.errors.check_length(f"{path}.description", raw["description"], 1, 100)
            made["description"] = raw["description"]
        inner = raw.get("component")
        here = f"{path}.component"
        if not isinstance(inner, dict):
            self.errors.required(here)
        elif inner.get("type") not in _LABELLED:
            self.bad_type(here, frozenset(_LABELLED))
        else:
            made["component"] = self._control(inner, here)
        return made

    def _control(self, raw: Json, path: str) -> Json:
        kind = raw["type"]
        required = raw.get("required")
        needed = True if required is None else bool(required)
        if kind == ComponentType.TEXT_INPUT:
            return self._text_input(raw, path)
        if kind in SELECTS:
            return self.select(raw, path) | {"required": needed}
        made = self.start(raw, path)
        self.custom_id(raw, made, path)
        if kind == ComponentType.CHECKBOX:
            return made | {"default": bool(raw.get("default"))}
        made["required"] = needed
        if kind != ComponentType.RADIO_GROUP:
            # Libraries send null for fields that their user has left open.
            for key in ("min_values", "max_values"):
                made[key] = 1 if raw.get(key) is None else raw[key]
        if kind == ComponentType.FILE_UPLOAD:
            return made
        low = 2 if kind == ComponentType.RADIO_GROUP else 1
        made["options"] = []
        for index, each in enumerate(self.as_list(raw.get("options"), f"{path}.options", low, 10)):
            here = f"{path}.options.{index}"
            self.errors.check_length(f"{here}.label", each.get("label"), 1, 100)
            self.errors.check_length(f"{here}.value", each.get("value"), 1, 100)
            made["options"].append(
                {
                    key: each[key]
                    for key in ("label", "value", "description", "default")
                    if each.get(key) is not None
                }
            )
        if kind == ComponentType.CHECKBOX_GROUP and raw.get("max_values") is None:
            made["max_values"] = len(made["options"])
        return made

    def _text_input(self, raw: Json, path: str) -> Json:
        made = self.start(raw, path)
        self.custom_id(raw, made, path)
        if raw.get("style") not in {1, 2}:
            self.errors.add(f"{path}.style", "BASE_TYPE_CHOICES", "Value must be one of {1, 2}.")
        low, high = raw.get("min_length") or 0, raw.get("max_length") or 4000
        if not 0 <= low <= 4000 or not 1 <= high <= 4000 or low > high:
            self.errors.add(
                f"{path}.max_length", "NUMBER_TYPE_MAX", "Lengths must be from 0 to 4000."
            )
        required = raw.get("required")
        made |= {
            "style": raw.get("style"),
            "min_length": low,
            "max_length": high,
            "required": True if required is None else bool(required),
        }
        for key, most in (("value", 4000), ("placeholder", 100)):
            if raw.get(key) is not None:
                self.errors.check_length(f"{path}.{key}", raw[key], 0, most)
                made[key] = raw[key]
        return made


def read_submission(modal: Json, sent: object) -> list[Json]:
    """A person's input into ``modal``, in the shape for the bot.

    Raises 50035 if a field is missing, too long, too short, or a choice was not offered.
    """
    values: dict[str, Json] = {}
    if isinstance(sent, list):
        for each in walk([row for row in sent if isinstance(row, dict)]):
            if isinstance(each.get("custom_id"), str):
                values[each["custom_id"]] = each
    answer: list[Json] = []
    for row in modal["components"]:
        if row["type"] == ComponentType.TEXT_DISPLAY:
            answer.append({"type": row["type"], "id": row["id"]})
        elif row["type"] == ComponentType.ACTION_ROW:
            inner = [_submitted(each, values) for each in row["components"]]
            answer.append({"type": row["type"], "id": row["id"], "components": inner})
        else:
            answer.append(
                {
                    "type": row["type"],
                    "id": row["id"],
                    "component": _submitted(row["component"], values),
                }
            )
    return answer


def _submitted(control: Json, values: dict[str, Json]) -> Json:
    custom_id = control["custom_id"]
    given = values.get(custom_id, {})
    made: Json = {"type": control["type"], "id": control["id"], "custom_id": custom_id}
    if control["type"] == ComponentType.TEXT_INPUT:
        made["value"] = _text(control, given.get("value"))
    elif control["type"] == ComponentType.CHECKBOX:
        made["value"] = bool(given.get("value"))
    elif control["type"] == ComponentType.RADIO_GROUP:
        value = given.get("value")
        chosen = check_choice(control, [] if value is None else [value])
        made["value"] = chosen[0] if chosen else None
    else:
        made["values"] = check_choice(control, given.get("values"))
    return made


def _text(control: Json, value: Any) -> str:
    text = value if isinstance(value, str) else ""
    if not text and not control["required"]:
        return ""
    low = max(control["min_length"], 1 if control["required"] else 0)
    if not low <= len(text) <= control["max_length"]:
        raise form_error(
            f"data.components.{control['custom_id']}.value",
            "BASE_TYPE_BAD_LENGTH",
            f"Must be between {low} and {control['max_length']} in length.",
        )
    return text


def check_choice(control: Json, given: object) -> list[str]:
    """The values chosen in a menu, if it offers them and allows their number; else 50035."""
    path = f"data.{control.get('custom_id')}.values"
    values = given if isinstance(given, list) else []
    if not all(isinstance(each, str) for each in values) or len(set(values)) != len(values):
        raise form_error(path, "COMPONENT_VALIDATION_FAILED", "Component validation failed")
    low, high = control.get("min_values", 1), control.get("max_values", 1)
    if control.get("required") is False and not values:
        return []
    if not low <= len(values) <= high:
        raise form_error(
            path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length."
        )
    if "options" in control:
        offered = {option["value"] for option in control["options"]}
        if not offered.issuperset(values):
            raise form_error(path, "COMPONENT_VALIDATION_FAILED", "Component validation failed")
    return values
