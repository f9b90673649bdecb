"""Discord's refusals, by its own codes.

:class:`DiscordError` is the only exception that the world raises on purpose; the servers turn it
into an answer. https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
"""

from __future__ import annotations

from collections.abc import Mapping

from playground.wire import Json


class DiscordError(Exception):
    """A refusal: an HTTP status, a JSON error code, a message, perhaps nested form errors."""

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        *,
        errors: Json | None = None,
        extra: Json | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors
        self.extra = extra or {}
        self.headers = dict(headers or {})

    def body(self) -> Json:
        """The answer's JSON."""
        body: Json = {"message": self.message, "code": self.code, **self.extra}
        if self.errors is not None:
            body["errors"] = self.errors
        return body


def _error(status: int, code: int, message: str) -> DiscordError:
    return DiscordError(status, code, message)


def unauthorized() -> DiscordError:
    """The token is wrong."""
    return _error(401, 0, "401: Unauthorized")


def not_found() -> DiscordError:
    """No such address."""
    return _error(404, 0, "404: Not Found")


def unknown(what: str) -> DiscordError:
    """``what`` does not exist, or not for this user."""
    code = {
        "Application": 10002,
        "Channel": 10003,
        "Guild": 10004,
        "Member": 10007,
        "Message": 10008,
        "Role": 10011,
        "User": 10013,
        "Emoji": 10014,
        "Webhook": 10015,
        "interaction": 10062,
        "application command": 10063,
        "Guild Scheduled Event": 10070,
    }[what]
    return _error(404, code, f"Unknown {what}")


def already_acknowledged() -> DiscordError:
    """The interaction has had its first answer."""
    return _error(400, 40060, "Interaction has already been acknowledged.")


def expired_webhook() -> DiscordError:
    """The interaction is more than fifteen minutes old."""
    return _error(401, 50027, "Invalid Webhook Token")


def missing_access() -> DiscordError:
    """The channel cannot be seen."""
    return _error(403, 50001, "Missing Access")


def missing_permissions() -> DiscordError:
    """The channel can be seen, but the action is not allowed."""
    return _error(403, 50013, "Missing Permissions")


def empty_message() -> DiscordError:
    """Nothing to send."""
    return _error(400, 50006, "Cannot send an empty message")


def another_users_message() -> DiscordError:
    """Only the author may edit."""
    return _error(403, 50005, "Cannot edit a message authored by another user")


def system_message() -> DiscordError:
    """System messages take no such action."""
    return _error(403, 50021, "Cannot execute action on a system message")


def wrong_channel_type() -> DiscordError:
    """The channel is of a kind that cannot do this."""
    return _error(400, 50024, "Cannot execute action on this channel type")


def cannot_message_user() -> DiscordError:
    """The user refuses direct messages."""
    return _error(403, 50007, "Cannot send messages to this user")


def no_mutual_guild() -> DiscordError:
    """The user shares no server with the bot."""
    return _error(403, 50278, "Cannot send messages to this user due to having no mutual guilds")


def thread_archived() -> DiscordError:
    """An archived thread takes no edits."""
    return _error(400, 50083, "Thread is archived")


def thread_exists() -> DiscordError:
    """The message has a thread already."""
    return _error(400, 160004, "A thread has already been created for this message")


def thread_locked() -> DiscordError:
    """Only moderators may write in a locked thread."""
    return _error(400, 160005, "Thread is locked")


def too_many_threads() -> DiscordError:
    """The server has its full number of active threads."""
    return _error(400, 160006, "Maximum number of active threads reached")


def too_large() -> DiscordError:
    """A file or a request is too big."""
    return _error(413, 40005, "Request entity too large")


def bad_json() -> DiscordError:
    """The body is not JSON."""
    return _error(400, 50109, "The request body contains invalid JSON.")


def bad_body() -> DiscordError:
    """The body does not have the parts that its headers announce."""
    return form_error("", "BODY_INVALID", "The body does not fit its headers.")


def bad_content_type() -> DiscordError:
    """The body has an unknown content type."""
    return form_error(
        "",
        "CONTENT_TYPE_INVALID",
        'Expected "Content-Type" header to be one of'
        " {'application/json', 'multipart/form-data'}.",
    )


def maximum(code: int, message: str) -> DiscordError:
    """One of the ``Maximum number of ... reached`` family."""
    return _error(400, code, message)


class FormErrors:
    """Collects the errors of a request's body and raises them all as one 50035."""

    def __init__(self) -> None:
        self._tree: Json = {}

    def add(self, path: str, code: str, message: str) -> None:
        """Note an error at ``path`` (dotted, for instance ``data.components.0.custom_id``)."""
        node = self._tree
        for part in filter(None, path.split(".")):
            node = node.setdefault(part, {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def required(self, path: str) -> None:
        """Note a missing field."""
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def check_length(self, path: str, text: object, low: int, high: int) -> None:
        """Note a value that is no text, or too short or too long."""
        if not isinstance(text, str):
            self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif not low <= len(text) <= high:
            if low == 0:
                self.add(
                    path,
                    "BASE_TYPE_MAX_LENGTH",
                    f"Must be {high} or fewer in length.",
                )
            else:
                self.add(
                    path,
                    "BASE_TYPE_BAD_LENGTH",
                    f"Must be between {low} and {high} in length.",
                )

    def __bool__(self) -> bool:
        return bool(self._tree)

    def check(self) -> None:
        """Raise the collected errors, if there are any."""
        if self._tree:
            raise DiscordError(400, 50035, "Invalid Form Body", errors=self._tree)


def form_error(path: str, code: str, message: str) -> DiscordError:
    """A 50035 with a single error."""
    errors = FormErrors()
    errors.add(path, code, message)
    try:
        errors.check()
    except DiscordError as error:
        return error
    raise AssertionError
