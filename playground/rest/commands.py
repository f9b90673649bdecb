"""Routes of application commands and of the application's emojis."""

from __future__ import annotations

import base64
import binascii
import re

from playground import errors
from playground.errors import form_error
from playground.rest.call import Call, Reply, Route, ok
from playground.wire import Json
from playground.world import shapes
from playground.world.commands import shape
from playground.world.model import Command, Emoji

_APPLICATION = "/applications/{application_id}"
_EMOJI_BYTES = 256 * 1024
_EMOJI_NAME = re.compile(r"\w{2,32}", re.ASCII)
_DATA_URL = re.compile(r"data:image/(png|gif|jpeg|webp|avif);base64,(.*)", re.DOTALL)


def _place(call: Call) -> int | None:
    """The server of the address, or None for global commands."""
    call.check_application()
    if "guild_id" not in call.path:
        return None
    guild = call.world.state.guild(call.id("guild_id"))
    if (guild.id, call.me) not in call.world.state.members:
        raise errors.missing_access()
    return guild.id


def _shape(call: Call, command: Command) -> Json:
    return shape(command, call.world.state.application.id)


def _list(call: Call) -> Reply:
    return ok([_shape(call, each) for each in call.world.commands.listed(_place(call))])


def _overwrite(call: Call) -> Reply:
    made = call.world.commands.overwrite(call.content, _place(call))
    return ok([_shape(call, each) for each in made])


def _create(call: Call) -> Reply:
    made, is_new = call.world.commands.create(call.body, _place(call))
    return Reply(201 if is_new else 200, _shape(call, made))


def _read(call: Call) -> Reply:
    return ok(_shape(call, call.world.commands.find(call.id("command_id"), _place(call))))


def _edit(call: Call) -> Reply:
    made = call.world.commands.change(call.id("command_id"), _place(call), call.body)
    return ok(_shape(call, made))


def _delete(call: Call) -> Reply:
    call.world.commands.remove(call.id("command_id"), _place(call))
    return Reply()


def _emojis(call: Call) -> Reply:
    call.check_application()
    owner = call.world.state.users[call.me]
    return ok({"items": [shapes.emoji(each, owner) for each in call.world.state.emojis.values()]})


def _add_emoji(call: Call) -> Reply:
    call.check_application()
    state = call.world.state
    name, image = str(call.body.get("name")), str(call.body.get("image"))
    if not _EMOJI_NAME.fullmatch(name):
        raise form_error("name", "BASE_TYPE_BAD_LENGTH", "Must be between 2 and 32 in length.")
    if any(each.name == name for each in state.emojis.values()):
        raise form_error("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "The name is taken")
    found = _DATA_URL.fullmatch(image)
    try:
        data = base64.b64decode(found.group(2), validate=True) if found else b""
    except binascii.Error:
        data = b""
    if found is None or not data:
        raise form_error("image", "BASE_TYPE_INVALID", "Invalid image data")
    if len(data) > _EMOJI_BYTES:
        raise form_error("image", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    if len(state.emojis) >= 2000:
        raise errors.maximum(30008, "Maximum number of emojis reached (2000)")
    made = Emoji(state.ids.next(), name, animated=found.group(1) == "gif")
    state.emojis[made.id] = made
    state.journal.put("emoji", str(made.id), made)
    state.keep_file(made.id, data)
    return Reply(201, shapes.emoji(made, state.users[call.me]))


def _emoji(call: Call) -> Emoji:
    call.check_application()
    found = call.world.state.emojis.get(call.id("emoji_id"))
    if found is None:
        raise errors.unknown("Emoji")
    return found


def _read_emoji(call: Call) -> Reply:
    return ok(shapes.emoji(_emoji(call), call.world.state.users[call.me]))


def _delete_emoji(call: Call) -> Reply:
    state = call.world.state
    found = _emoji(call)
    del state.emojis[found.id]
    state.journal.drop("emoji", str(found.id))
    state.drop_file(found.id)
    return Reply()


_EMOJIS = f"{_APPLICATION}/emojis"
ROUTES = (
    *(
        route
        for base in (f"{_APPLICATION}/commands", f"{_APPLICATION}/guilds/{{guild_id}}/commands")
        for route in (
            Route("GET", base, _list),
            Route("PUT", base, _overwrite),
            Route("POST", base, _create),
            Route("GET", f"{base}/{{command_id}}", _read),
            Route("PATCH", f"{base}/{{command_id}}", _edit),
            Route("DELETE", f"{base}/{{command_id}}", _delete),
        )
    ),
    Route("GET", _EMOJIS, _emojis),
    Route("POST", _EMOJIS, _add_emoji),
    Route("GET", f"{_EMOJIS}/{{emoji_id}}", _read_emoji),
    Route("DELETE", f"{_EMOJIS}/{{emoji_id}}", _delete_emoji),
)
