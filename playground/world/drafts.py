"""The intended content of a message, checked and resolved before anything changes.

:func:`read_draft` takes a request's body and files and either returns a whole :class:`Draft` or
raises all errors as one 50035.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from playground import errors
from playground.errors import FormErrors
from playground.wire import Json, read_id
from playground.world import message_shapes
from playground.world.components import MessageComponents
from playground.world.controls import texts
from playground.world.embeds import read_embeds
from playground.world.media import content_type, picture_size, safe_filename
from playground.world.model import Attachment, Channel, Message, MessageFlag, Upload
from playground.world.permissions import Permission, permissions_in
from playground.world.state import State

_MAX_CONTENT = 2000
_MAX_FILES = 10
_USER = re.compile(r"<@!?(\d{1,20})>")
_ROLE = re.compile(r"<@&(\d{1,20})>")
_EVERYONE = re.compile(r"@(everyone|here)\b")
_SETTABLE = (
    MessageFlag.SUPPRESS_EMBEDS
    | MessageFlag.SUPPRESS_NOTIFICATIONS
    | MessageFlag.COMPONENTS_V2
    | MessageFlag.EPHEMERAL
)


@dataclass(frozen=True, slots=True)
class Mentions:
    """The effective mentions of a message."""

    users: list[int] = field(default_factory=list)
    roles: list[int] = field(default_factory=list)
    everyone: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A future message; ``new_files`` holds the bytes to store, by attachment id."""

    content: str
    flags: int
    embeds: list[Json]
    components: list[Json]
    attachments: list[Attachment]
    hidden_files: list[Attachment]
    mentions: Mentions
    tts: bool
    new_files: dict[int, bytes]

    @property
    def is_ephemeral(self) -> bool:
        """Whether only one person can see it."""
        return bool(self.flags & MessageFlag.EPHEMERAL)


class _Files:
    """The files that a message may refer to, old and new, and those that its parts use."""

    def __init__(self, state: State, channel: Channel) -> None:
        self._state = state
        self._channel = channel
        self.listed: list[Attachment] = []
        self.new: dict[int, bytes] = {}
        self.used: set[int] = set()

    def find(self, url: str) -> Json | None:
        """The media object behind an address; None if it names a missing file."""
        for each in self.listed:
            address = message_shapes.file_url(self._state, self._channel.id, each.id, each.filename)
            if url in {f"attachment://{each.filename}", address}:
                self.used.add(each.id)
                return {
                    "id": str(each.id),
                    "url": address,
                    "proxy_url": address,
                    "width": each.width,
                    "height": each.height,
                    "content_type": each.content_type,
                    "attachment_id": str(each.id),
                    "size": each.size,
                }
        if url.startswith("attachment://"):
            return None
        return {
            "id": str(self._state.ids.next()),
            "url": url,
            "proxy_url": url,
            "width": None,
            "height": None,
            "content_type": None,
        }


def read_draft(
    state: State,
    channel: Channel,
    author_id: int,
    body: Json,
    uploads: Sequence[Upload] = (),
    *,
    existing: Message | None = None,
    prefix: str = "",
) -> Draft:
    """Check a message's body and files; ``existing`` is the message that is being edited.

    A missing key leaves its value; null clears it. ``prefix`` goes before the paths of errors
    (``data.`` for answers to interactions).
    """
    faults = FormErrors()
    flags = _read_flags(body, existing)
    v2 = bool(flags & MessageFlag.COMPONENTS_V2)

    content = existing.content if existing else ""
    if "content" in body:
        given = body["content"]
        content = "" if given is None else given if isinstance(given, str) else str(given)
        faults.check_length(f"{prefix}content", content, 0, _MAX_CONTENT)
        content = content.strip()

    files = _Files(state, channel)
    _read_files(state, body, uploads, existing=existing, files=files, faults=faults, prefix=prefix)

    embeds = existing.embeds if existing else []
    if "embeds" in body:
        embeds = read_embeds(body["embeds"], faults, files.find, f"{prefix}embeds")
    components = existing.components if existing else []
    if body.get("components") is not None:
        reader = MessageComponents(
            faults, v2=v2, media=files.find, emoji_known=state.emojis.__contains__
        )
        components = reader.read(body["components"], f"{prefix}components")
    elif "components" in body:
        components = []
    if v2:
        _refuse_legacy(body, content, embeds, faults, prefix)
    faults.check()
    for media in _media_of(components):
        media.pop("size", None)

    if existing is not None:
        if "components" not in body:
            files.used |= {each.id for each in existing.hidden_files if v2}
        if "embeds" not in body:
            files.used |= {each.id for each in existing.hidden_files if not v2}
    draft = Draft(
        content=content,
        flags=flags,
        embeds=embeds,
        components=components,
        attachments=[] if v2 else [each for each in files.listed if each.id not in files.used],
        hidden_files=[each for each in files.listed if each.id in files.used],
        mentions=_read_mentions(state, channel, author_id, body, f"{content}\n{texts(components)}"),
        tts=bool(body.get("tts")),
        new_files=files.new,
    )
    if not (content or embeds or draft.attachments or (v2 and components)):
        raise errors.empty_message()
    return draft


def _media_of(components: list[Json]) -> list[Json]:
    found: list[Json] = []
    for each in components:
        found += [item["media"] for item in each.get("items", [])]
        found += [each[key] for key in ("media", "file") if isinstance(each.get(key), dict)]
        found += _media_of(each.get("components", []))
        if "accessory" in each:
            found += _media_of([each["accessory"]])
    return found


def _read_flags(body: Json, existing: Message | None) -> int:
    given = body.get("flags")
    asked = int(given) & int(_SETTABLE) if isinstance(given, int) else 0
    if existing is None:
        return asked
    kept = existing.flags
    if isinstance(given, int):
        kept = kept & ~MessageFlag.SUPPRESS_EMBEDS | asked & MessageFlag.SUPPRESS_EMBEDS
    # The flag for components of the second version can be set, never taken away.
    return kept | asked & MessageFlag.COMPONENTS_V2


def _refuse_legacy(
    body: Json, content: str, embeds: list[Json], faults: FormErrors, prefix: str
) -> None:
    present = {
        "content": bool(content),
        "embeds": bool(embeds),
        "sticker_ids": bool(body.get("sticker_ids")),
        "poll": bool(body.get("poll")),
    }
    for name in (key for key, there in present.items() if there):
        faults.add(
            f"{prefix}{name}",
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
        )


def _read_files(
    state: State,
    body: Json,
    uploads: Sequence[Upload],
    *,
    existing: Message | None,
    files: _Files,
    faults: FormErrors,
    prefix: str,
) -> None:
    if sum(len(each.data) for each in uploads) > state.limits.request_bytes:
        raise errors.too_large()
    if any(len(each.data) > state.limits.file_bytes for each in uploads):
        raise errors.too_large()
    old = {
        each.id: each
        for each in ([*existing.attachments, *existing.hidden_files] if existing else ())
    }
    by_index = {each.field.removeprefix("files[").removesuffix("]"): each for each in uploads}
    listed = body.get("attachments")
    entries: list[Json]
    if isinstance(listed, list):
        entries = [each for each in listed if isinstance(each, dict)]
        named = {str(each.get("id")) for each in entries}
        entries += [{"id": index} for index in by_index if index not in named]
    elif "attachments" in body:
        entries = [{"id": index} for index in by_index]
    else:
        entries = [{"id": each} for each in old] + [{"id": index} for index in by_index]
    for index, entry in enumerate(entries):
        path = f"{prefix}attachments.{index}"
        if entry.get("description") is not None:
            faults.check_length(f"{path}.description", entry["description"], 0, 1024)
        upload = by_index.get(str(entry.get("id")))
        kept = old.get(read_id(entry.get("id")) or -1)
        if upload is not None:
            files.listed.append(_new_file(state, entry, upload, files))
        elif kept is not None:
            if "description" in entry:
                kept.description = entry["description"]
            files.listed.append(kept)
        else:
            faults.add(
                f"{path}.id", "ATTACHMENT_NOT_FOUND", "The referenced attachment was not found"
            )
    if len(files.listed) > _MAX_FILES:
        faults.add(f"{prefix}attachments", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")


def _new_file(state: State, entry: Json, upload: Upload, files: _Files) -> Attachment:
    name = safe_filename(str(entry.get("filename") or upload.filename))
    size = picture_size(upload.data)
    made = Attachment(
        id=state.ids.next(),
        filename=name,
        size=len(upload.data),
        content_type=content_type(name),
        description=entry.get("description") or None,
        title=entry.get("title") or None,
        width=size[0] if size else None,
        height=size[1] if size else None,
        spoiler=bool(entry.get("is_spoiler")) or name.startswith("SPOILER_"),
    )
    files.new[made.id] = upload.data
    return made


def _read_mentions(
    state: State,
    channel: Channel,
    author_id: int,
    body: Json,
    text: str,
) -> Mentions:
    allowed = body.get("allowed_mentions")
    users = dict.fromkeys(map(int, _USER.findall(text)))
    roles = dict.fromkeys(map(int, _ROLE.findall(text)))
    everyone = bool(_EVERYONE.search(text))
    if isinstance(allowed, dict):
        faults = FormErrors()
        parse = allowed.get("parse")
        kinds = set(parse) if isinstance(parse, list) else set()
        for name in ("users", "roles"):
            chosen = allowed.get(name) or []
            if chosen and name in kinds:
                faults.add(
                    "allowed_mentions",
                    "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                    f'parse:["{name}"] and {name}: [ids...] are mutually exclusive.',
                )
            if len(chosen) > 100:
                faults.add(
                    f"allowed_mentions.{name}",
                    "BASE_TYPE_MAX_LENGTH",
                    "Must be 100 or fewer in length.",
                )
        faults.check()
        if "users" not in kinds:
            named = {read_id(each) for each in allowed.get("users") or []}
            users = {each: None for each in users if each in named}
        if "roles" not in kinds:
            named = {read_id(each) for each in allowed.get("roles") or []}
            roles = {each: None for each in roles if each in named}
        everyone = everyone and "everyone" in kinds
    granted = permissions_in(state, channel, author_id)
    return Mentions(
        users=[each for each in users if each in state.users],
        roles=[each for each in roles if each in state.roles],
        everyone=everyone and bool(granted & Permission.MENTION_EVERYONE),
    )
