"""Embeds: Discord's limits and the form in which it returns them.

https://docs.discord.com/developers/resources/message#embed-object-embed-limits
"""

from __future__ import annotations

from collections.abc import Callable

from playground.errors import FormErrors
from playground.wire import Json

_TOTAL = 6000
_SCHEMES = ("http://", "https://", "attachment://")


def read_embeds(
    raw: object, errors: FormErrors, media: Callable[[str], Json | None], path: str = "embeds"
) -> list[Json]:
    """The embeds of a message, at most ten, with ``attachment://`` resolved by ``media``."""
    if not isinstance(raw, list):
        return []
    if len(raw) > 10:
        errors.add(path, "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    made = [
        _read(each, errors, media, f"{path}.{index}")
        for index, each in enumerate(raw)
        if isinstance(each, dict)
    ]
    if sum(map(_text_size, made)) > _TOTAL:
        errors.add(path, "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {_TOTAL}")
    return made


def _read(raw: Json, errors: FormErrors, media: Callable[[str], Json | None], path: str) -> Json:
    made: Json = {"type": "rich"}
    for key, most in (("title", 256), ("description", 4096)):
        if raw.get(key):
            errors.check_length(f"{path}.{key}", raw[key], 0, most)
            made[key] = raw[key]
    for key in ("url", "color", "timestamp"):
        if raw.get(key) is not None:
            made[key] = raw[key]
    if isinstance(raw.get("footer"), dict):
        errors.check_length(f"{path}.footer.text", raw["footer"].get("text"), 1, 2048)
        made["footer"] = {"text": raw["footer"].get("text")}
    if isinstance(raw.get("author"), dict):
        errors.check_length(f"{path}.author.name", raw["author"].get("name"), 1, 256)
        made["author"] = {"name": raw["author"].get("name")}
        if raw["author"].get("url"):
            made["author"]["url"] = raw["author"]["url"]
    fields = raw.get("fields") or []
    if len(fields) > 25:
        errors.add(f"{path}.fields", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    if fields:
        made["fields"] = []
    for index, field in enumerate(fields):
        here = f"{path}.fields.{index}"
        errors.check_length(f"{here}.name", field.get("name"), 1, 256)
        errors.check_length(f"{here}.value", field.get("value"), 1, 1024)
        made["fields"].append(
            {
                "name": field.get("name"),
                "value": field.get("value"),
                "inline": bool(field.get("inline")),
            }
        )
    for key in ("image", "thumbnail"):
        url = raw[key].get("url") if isinstance(raw.get(key), dict) else None
        if url is None:
            continue
        if not str(url).startswith(_SCHEMES):
            errors.add(
                f"{path}.{key}.url",
                "URL_TYPE_INVALID_SCHEME",
                "Scheme must be one of ('http', 'https').",
            )
            continue
        found = media(str(url))
        if found is not None:
            made[key] = {
                name: found[name]
                for name in ("url", "proxy_url", "width", "height", "content_type")
                if found.get(name) is not None
            }
    return made


def _text_size(embed: Json) -> int:
    size = len(embed.get("title", "")) + len(embed.get("description", ""))
    size += len(embed.get("footer", {}).get("text") or "")
    size += len(embed.get("author", {}).get("name") or "")
    return size + sum(
        len(field["name"] or "") + len(field["value"] or "") for field in embed.get("fields", [])
    )
