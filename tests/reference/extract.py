"""Takes what is used from the originals, in lines that make short diffs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from playground.rest.front import ROUTES

Json = dict[str, Any]

#: What parts of events are held against, see ``discord_spec``.
EVENT_SCHEMAS = (
    "GuildChannelResponse",
    "GuildMemberResponse",
    "GuildResponse",
    "GuildRoleResponse",
    "MessageAttachmentResponse",
    "MessageResponse",
    "PrivateChannelResponse",
    "PrivateGuildMemberResponse",
    "ThreadResponse",
    "UserResponse",
)
#: What a schema demands of a value by itself.
LIMITS = (
    "type",
    "enum",
    "const",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
)
_SCHEMAS = "#/components/schemas/"
#: The patterns by which the rulings of a game are numbered in its rules.
RULINGS = {
    "quax": r"QX-\d+",
    "quux": r"Q\d+",
    "ziggurat": r"Z\d+",
    "pux": r"PX-\d+",
    "pythagoras": r"P\d+",
}
#: What no test uses of the vectors: words for readers, and counts that tests have of their own.
_UNUSED = {
    "definition",
    "diagram",
    "endgame_tables",
    "events",
    "features",
    "formats",
    "markers",
    "note",
    "page_numbers",
    "perft_start",
    "rulings",
    "source",
    "tesuji_fragment",
    "threat_after_a7",
    "title",
    "why",
}


def extract(folder: Path) -> dict[str, str]:
    """The text of each file that the originals in a folder yield, by its path."""
    made: dict[str, str] = {}
    description = folder / "discord-openapi.json"
    if description.exists():
        made["discord.json"] = lines(discord(_read(description)))
    for path in sorted(folder.glob("vectors/*.json")):
        data = _read(path)
        by_game = data if set(data) <= set(RULINGS) else {path.stem: data}
        made |= {f"vectors/{key}.json": lines(used(each)) for key, each in by_game.items()}
    for path in sorted(folder.glob("vectors/swiss/*.trf")):
        made[f"swiss/{path.name}"] = path.read_text(encoding="utf-8")
    rules = {key: folder / "rules" / f"{key}.md" for key in RULINGS}
    if all(path.exists() for path in rules.values()):
        made["rulings.json"] = lines({key: rulings(key, path) for key, path in rules.items()})
    return made


def lines(data: Mapping[str, Any]) -> str:
    """JSON with a line for each entry of an entry, so that changes of the data can be read."""
    outer = []
    for name, inner in sorted(data.items()):
        if isinstance(inner, dict):
            entries = [f"{json.dumps(key)}: {_compact(inner[key])}" for key in sorted(inner)]
            text = "{\n" + ",\n".join(entries) + "\n}"
        elif isinstance(inner, list) and any(isinstance(each, dict) for each in inner):
            text = "[\n" + ",\n".join(map(_compact, inner)) + "\n]"
        else:
            text = _compact(inner)
        outer.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(outer) + "\n}\n"


def used(vectors: Any) -> Any:
    """Vectors without what no test uses."""
    if isinstance(vectors, dict):
        return {key: used(each) for key, each in vectors.items() if key not in _UNUSED}
    return [used(each) for each in vectors] if isinstance(vectors, list) else vectors


def rulings(key: str, rules: Path) -> list[str]:
    """The numbers of the rulings that the rules of a game list."""
    found = re.findall(
        rf"^(?:\*\*|\| )({RULINGS[key]})\b", rules.read_text(encoding="utf-8"), re.MULTILINE
    )
    return sorted(set(found), key=lambda number: int(re.sub(r"\D", "", number)))


def served() -> set[str]:
    """The operations that the playground serves, as "GET /path" with empty braces."""
    routes = {f"{route.method} {route.path}" for route in ROUTES}
    return {bare(each) for each in routes | {"GET /gateway", "GET /gateway/bot"}}


def bare(path: str) -> str:
    """The path with nothing between its braces, however its arguments are called."""
    return re.sub(r"\{[^}]+\}", "{}", path)


def discord(description: Json) -> Json:
    """The operations of Discord's description that the playground serves, with their schemas."""
    operations = {
        f"{method.upper()} {path}": _operation(description, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
        if bare(f"{method.upper()} {path}") in served()
    }
    schemas: Json = {}
    wanted = [*EVENT_SCHEMAS, *_references(operations)]
    while wanted:
        name = wanted.pop()
        if name not in schemas:
            schemas[name] = _schema(description["components"]["schemas"][name])
            wanted += _references(schemas[name])
    return {"operations": operations, "schemas": schemas}


def _operation(description: Json, operation: Json) -> Json:
    """``request`` if it takes a body, and ``responses`` by status, null for those without one."""
    made: Json = {"responses": {}}
    if "requestBody" in operation:
        made["request"] = _body(operation["requestBody"])
    for status, response in operation["responses"].items():
        if "$ref" in response:
            name = response["$ref"].rpartition("/")[2]
            made["responses"][status] = _body(description["components"]["responses"][name])
        else:
            made["responses"][status] = _body(response)
    return made


def _body(of: Json) -> Json | None:
    content = of.get("content", {}).get("application/json")
    return None if content is None else _schema(content["schema"])


def _schema(schema: Json) -> Json:
    """The demands of a schema, without its prose."""
    made: Json = {key: schema[key] for key in (*LIMITS, "required") if key in schema}
    if "$ref" in schema:
        made["$ref"] = f"#/schemas/{schema['$ref'].removeprefix(_SCHEMAS)}"
    if "properties" in schema:
        made["properties"] = {key: _schema(each) for key, each in schema["properties"].items()}
    for key in ("items", "additionalProperties"):
        if key in schema:
            made[key] = _schema(schema[key]) if isinstance(schema[key], dict) else schema[key]
    for key in ("oneOf", "anyOf", "allOf"):
        if key in schema:
            made[key] = [_schema(each) for each in schema[key]]
    if all(set(each) == {"const"} for each in made.get("oneOf", [{}])):
        made["enum"] = [each["const"] for each in made.pop("oneOf")]
    return made


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rpartition("/")[2]
        for each in schema.values():
            yield from _references(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from _references(each)


def _read(path: Path) -> Json:
    found: Json = json.loads(path.read_text(encoding="utf-8"))
    return found


def _compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
