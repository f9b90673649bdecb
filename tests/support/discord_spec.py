"""Checks what goes to and from a bot against Discord's own OpenAPI description.

What of it is needed is kept in ``reference/discord.json``.

:class:`SpecObserver` is what a playground takes as its observer: every request of the bot, every
answer and every event is checked, and what does not fit is collected in ``problems`` in words that
name the place. jsonschema-rs decides whether a body fits; :class:`_Walk` then says where it does
not, since "not valid under any of the schemas" helps nobody, and finds keys that the description
does not know (in requests only, where they are misspellings).

Two relaxations: ids in requests may be numbers, and commands may carry ``nsfw``. The keys that
discord.py sends although the description lacks them are named in ``_EXTRA_KEYS``.
"""

from __future__ import annotations

import copy
import functools
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import jsonschema_rs

from playground.wire import Json, without
from tests.reference import reference
from tests.reference.extract import LIMITS

#: What may stand in a request although the description does not list it: (method, place, key).
_EXTRA_KEYS = (
    ("PATCH", re.compile(r""), "tts"),
    # An edit too, when it is the answer to a click.
    ("POST", re.compile(r"data"), "tts"),
    (None, re.compile(r"(data\.)?embeds\.\d+"), "flags"),
)
_COMMAND_REQUESTS = ("CreateRequest", "UpdateRequest", "PatchRequestPartial")
_CHANNELS = ("GuildChannelResponse", "ThreadResponse", "PrivateChannelResponse")


@dataclass(slots=True, repr=False)
class DiscordSpec:
    """The description, with validators made when they are first needed."""

    #: ``operations`` by method and templated path, and ``schemas`` by name.
    document: Json
    _requests: Json = field(init=False)
    _patterns: list[tuple[re.Pattern[str], str]] = field(init=False)
    _validators: dict[tuple[str, bool], Any] = field(default_factory=dict)
    _registries: dict[bool, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # The description nests deeply enough that requests get a copy of their own.
        self._requests = copy.deepcopy(self.document)
        schemas = self._requests["schemas"]
        schemas["SnowflakeType"] = {"anyOf": [schemas["SnowflakeType"], {"type": "integer"}]}
        for name, schema in schemas.items():
            properties = schema.get("properties", {})
            if name.endswith(_COMMAND_REQUESTS) and "default_member_permissions" in properties:
                properties["nsfw"] = {"type": ["boolean", "null"]}
        names = sorted(self.document["operations"], key=lambda name: (name.count("{"), name))
        self._patterns = [(re.compile(re.sub(r"\{[^}]+\}", "[^/]+", name)), name) for name in names]

    def operation(self, method: str, path: str) -> tuple[str, Json] | None:
        """The name of the operation, as in "GET /users/{user_id}", and what it takes and answers.

        Of several that fit, the one with the most literal path.
        """
        for pattern, name in self._patterns:
            if pattern.fullmatch(f"{method} {path}"):
                return name, self.document["operations"][name]
        return None

    def resolve(self, schema: Json, *, request: bool) -> Json:
        """The schema behind a reference."""
        while "$ref" in schema:
            found: Any = self._requests if request else self.document
            for part in schema["$ref"].removeprefix("#/").split("/"):
                found = found[part.replace("~1", "/").replace("~0", "~")]
            schema = found
        return schema

    def check(
        self, pointer: str, body: Any, *, request: bool, method: str = "", strict: bool = True
    ) -> list[str]:
        """The errors in ``body``, by the schema at ``pointer`` ("/schemas/...")."""
        walk = _Walk(self, request=request, method=method)
        schema = {"$ref": f"#{pointer}"}
        if request and strict:
            walk.unknown_keys([schema], body, "")
        if not self._validator(pointer, request=request).is_valid(body):
            before = len(walk.found)
            walk.explain(schema, body, "")
            if len(walk.found) == before:
                walk.found.append("does not fit, though no place was found")
        return walk.found

    def _validator(self, pointer: str, *, request: bool) -> Any:
        key = (pointer, request)
        if key not in self._validators:
            document = self._requests if request else self.document
            if request not in self._registries:
                self._registries[request] = jsonschema_rs.Registry([("urn:discord", document)])
            self._validators[key] = jsonschema_rs.Draft202012Validator(
                {"$ref": f"urn:discord#{quote(pointer, safe='/~')}"},
                registry=self._registries[request],
            )
        return self._validators[key]


@functools.cache
def discord_spec() -> DiscordSpec:
    """The stored part of the description."""
    return DiscordSpec(reference("discord"))


@dataclass(slots=True)
class _Walk:
    """Goes through a body and its schema side by side."""

    spec: DiscordSpec
    request: bool
    method: str
    found: list[str] = field(default_factory=list)

    def explain(self, schema: Json, body: Any, path: str) -> None:
        """Note where ``body`` does not fit ``schema``."""
        schema = self.spec.resolve(schema, request=self.request)
        for part in schema.get("allOf", []):
            self.explain(part, body, path)
        for key in ("oneOf", "anyOf"):
            if key in schema:
                self._explain_choice(schema[key], body, path)
        leaf = {key: schema[key] for key in LIMITS if key in schema}
        for error in jsonschema_rs.Draft202012Validator(leaf).iter_errors(body):
            self.found.append(f"{path or 'body'}: {error.message[:200]}")
        if isinstance(body, dict):
            for key in schema.get("required", []):
                if key not in body:
                    self.found.append(f"{path or 'body'}: lacks {key}")
            for key, value in body.items():
                inner = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
                if isinstance(inner, dict):
                    self.explain(inner, value, _join(path, key))
        elif isinstance(body, list) and isinstance(schema.get("items"), dict):
            for index, value in enumerate(body):
                self.explain(schema["items"], value, _join(path, index))

    def _explain_choice(self, choices: list[Json], body: Any, path: str) -> None:
        likely = self._likely(choices, body)
        attempts: list[list[str]] = []
        for choice in likely:
            attempt = _Walk(self.spec, request=self.request, method=self.method)
            attempt.explain(choice, body, path)
            if not attempt.found:
                return
            attempts.append(attempt.found)
        here = f"{path or 'body'}: "
        attempts = attempts or [[f"{here}fits no alternative"]]

        # The branch that fails deepest inside is the one that was meant.
        meant: list[str] = min(
            attempts,
            key=lambda found: (sum(each.startswith(here) for each in found), len(found)),
        )
        self.found += meant

    def _likely(self, choices: list[Json], body: Any) -> list[Json]:
        if not isinstance(body, dict) or "type" not in body:
            return choices
        fitting = []
        for choice in choices:
            kind = self._properties(choice).get("type", {})
            kind = self.spec.resolve(kind, request=self.request)
            if body["type"] in kind.get("enum", [kind.get("const", body["type"])]):
                fitting.append(choice)
        return fitting or choices

    def _properties(self, schema: Json) -> Json:
        schema = self.spec.resolve(schema, request=self.request)
        found: Json = dict(schema.get("properties", {}))
        for part in schema.get("allOf", []):
            found |= self._properties(part)
        return found

    def unknown_keys(self, schemas: list[Json], body: Any, path: str) -> None:
        """Note keys of ``body`` that none of ``schemas`` knows."""
        flat = [each for schema in schemas for each in self._alternatives(schema, body)]
        if isinstance(body, dict):
            objects = [
                each for each in flat if each.get("properties") or each.get("type") != "null"
            ]
            if any("additionalProperties" in each for each in objects):
                return
            known: dict[str, list[Json]] = {}
            for each in objects:
                for key, inner in each.get("properties", {}).items():
                    known.setdefault(key, []).append(inner)
            if not known:
                return
            for key, value in body.items():
                if key in known:
                    self.unknown_keys(known[key], value, _join(path, key))
                elif not self._is_extra(path, key):
                    self.found.append(f"{path or 'body'}: Discord knows no key {key!r}")
        elif isinstance(body, list):
            items = [each["items"] for each in flat if isinstance(each.get("items"), dict)]
            for index, value in enumerate(body if items else ()):
                self.unknown_keys(items, value, _join(path, index))

    def _alternatives(self, schema: Json, body: Any) -> list[Json]:
        schema = self.spec.resolve(schema, request=self.request)
        found = [schema]
        for part in schema.get("allOf", []):
            found += self._alternatives(part, body)
        for key in ("oneOf", "anyOf"):
            for part in self._likely(schema.get(key, []), body):
                found += self._alternatives(part, body)
        return found

    def _is_extra(self, path: str, key: str) -> bool:
        return any(
            key == extra and method in {None, self.method} and place.fullmatch(path)
            for method, place, extra in _EXTRA_KEYS
        )


def _pointer(operation: str) -> str:
    return f"/operations/{operation.replace('/', '~1')}"


def _join(path: str, part: object) -> str:
    return f"{path}.{part}" if path else str(part)


@dataclass(slots=True)
class SpecObserver:
    """Collects everything that does not fit. Give it to a playground as its observer."""

    spec: DiscordSpec = field(default_factory=discord_spec)
    #: Whether the bot's requests are checked; off where a test sends nonsense on purpose. Then the
    #: nested errors of the answers are not checked either: their codes are names, as Discord's
    #: reference shows and its servers send, while the description says that they are numbers.
    check_requests: bool = True
    #: Whether keys that the description does not know are faults in requests.
    strict: bool = True
    problems: list[str] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)

    def request(self, method: str, path: str, content: Any) -> None:
        """Check what the bot asks."""
        found = self.spec.operation(method, path)
        if found is None:
            self.problems.append(f"{method} {path}: Discord has no such operation")
            return
        name, operation = found
        if content is None or not self.check_requests:
            return
        if operation.get("request") is None:
            self.problems.append(f"{name}: takes no body")
            return
        self._check(name, f"{_pointer(name)}/request", content, request=True, method=method)

    def response(self, method: str, path: str, status: int, content: Any) -> None:
        """Check what the playground answers."""
        found = self.spec.operation(method, path)
        if found is None:
            return
        name, operation = found
        place = f"{name} -> {status}"
        if not self.check_requests and isinstance(content, dict) and status >= 400:
            content = without(content, ("errors",))
        responses = operation["responses"]
        key = next(
            (each for each in (str(status), f"{status // 100}XX") if each in responses), None
        )
        if key is None:
            self.problems.append(f"{place}: Discord never answers so")
        elif responses[key] is not None:
            self._check(place, f"{_pointer(name)}/responses/{key}", content)
        elif content is not None:
            self.problems.append(f"{place}: should have no body")

    def event(self, name: str, data: Json) -> None:
        """Check those parts of an event that the description knows."""
        match name:
            case "MESSAGE_CREATE" | "MESSAGE_UPDATE":
                self._part(name, "MessageResponse", without(data, ("guild_id", "member")))
            case "INTERACTION_CREATE":
                self._interaction(data)
            case "GUILD_CREATE":
                self._part(name, "GuildResponse", data)
                for key, schema in (
                    ("channels", "GuildChannelResponse"),
                    ("threads", "ThreadResponse"),
                    ("members", "GuildMemberResponse"),
                ):
                    for each in data[key]:
                        self._part(f"{name} {key}", schema, each)
            case "READY":
                self._part(name, "UserPIIResponse", data["user"])
            case "CHANNEL_CREATE" | "CHANNEL_UPDATE" | "CHANNEL_DELETE":
                self._channel(name, data)
            case "THREAD_CREATE" | "THREAD_UPDATE":
                self._part(name, "ThreadResponse", data)
            case "GUILD_MEMBER_ADD":
                self._part(name, "GuildMemberResponse", data)
            case "GUILD_ROLE_CREATE" | "GUILD_ROLE_UPDATE":
                self._part(name, "GuildRoleResponse", data["role"])

    def _interaction(self, data: Json) -> None:
        name = "INTERACTION_CREATE"
        if "message" in data:
            self._part(f"{name} message", "MessageResponse", data["message"])
        if "member" in data:
            self._part(f"{name} member", "PrivateGuildMemberResponse", data["member"])
        if "user" in data:
            self._part(f"{name} user", "UserResponse", data["user"])
        self._channel(f"{name} channel", data["channel"])
        resolved = data["data"].get("resolved", {})
        for key, schema in (
            ("users", "UserResponse"),
            ("roles", "GuildRoleResponse"),
            ("messages", "MessageResponse"),
            ("attachments", "MessageAttachmentResponse"),
        ):
            for each in resolved.get(key, {}).values():
                self._part(f"{name} resolved {key}", schema, each)
        for each in resolved.get("channels", {}).values():
            self._channel(f"{name} resolved channels", each)

    def _channel(self, place: str, data: Json) -> None:
        schema = _CHANNELS[2 if data["type"] == 1 else 1 if data["type"] in {10, 11, 12} else 0]
        self._part(place, schema, data)

    def _part(self, place: str, schema: str, body: Any) -> None:
        self._check(place, f"/schemas/{schema}", body)

    def _check(
        self, place: str, pointer: str, body: Any, *, request: bool = False, method: str = ""
    ) -> None:
        self.checked[place] += 1
        found = self.spec.check(pointer, body, request=request, method=method, strict=self.strict)
        self.problems += [f"{place}: {each}" for each in found]
