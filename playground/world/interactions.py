"""Interactions: from a person's action to the bot's answers, with Discord's clocks.

The life of an interaction: it is created; the bot has three seconds for a first answer (a message,
"is thinking", an edit, a modal, suggestions); for fifteen minutes from its creation the bot may
edit that answer and follow it up.
https://docs.discord.com/developers/interactions/receiving-and-responding
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from playground import errors
from playground.errors import FormErrors, form_error
from playground.wire import Json, read_id
from playground.world import message_shapes, shapes
from playground.world.commands import check_choices
from playground.world.drafts import read_draft
from playground.world.messages import Messages
from playground.world.modals import ModalReader
from playground.world.model import (
    Interaction,
    InteractionType,
    Message,
    MessageFlag,
    MessageType,
    Upload,
)
from playground.world.state import GatewayEvent, State


class Answer(IntEnum):
    """The kinds of first answer."""

    PONG = 1
    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    SUGGESTIONS = 8
    MODAL = 9


_ALLOWED = {
    InteractionType.COMMAND: {Answer.MESSAGE, Answer.DEFERRED_MESSAGE, Answer.MODAL},
    InteractionType.COMPONENT: {
        Answer.MESSAGE,
        Answer.DEFERRED_MESSAGE,
        Answer.DEFERRED_UPDATE,
        Answer.UPDATE,
        Answer.MODAL,
    },
    InteractionType.AUTOCOMPLETE: {Answer.SUGGESTIONS},
    InteractionType.MODAL: {
        Answer.MESSAGE,
        Answer.DEFERRED_MESSAGE,
        Answer.DEFERRED_UPDATE,
        Answer.UPDATE,
    },
}
_UPDATES = frozenset({Answer.DEFERRED_UPDATE, Answer.UPDATE})


@dataclass(slots=True)
class Interactions:
    """The bot's actions on an interaction."""

    state: State
    messages: Messages

    def answer(
        self, interaction_id: int, token: str, body: Json, uploads: Sequence[Upload] = ()
    ) -> Json:
        """Take the first answer; returns the callback response of ``with_response``."""
        record = self.state.interactions.get(interaction_id)
        if record is None or record.token != token:
            raise errors.unknown("interaction")
        if record.answered is not None:
            raise errors.already_acknowledged()
        if self.is_late(record):
            raise errors.unknown("interaction")
        kind = self._read_kind(record, body)
        given = body.get("data")
        data: Json = given if isinstance(given, dict) else {}
        message: Message | None = None
        match kind:
            case Answer.MESSAGE:
                message = self._make_answer(record, data, uploads)
            case Answer.DEFERRED_MESSAGE:
                message = self._make_thinking(record, data)
            case Answer.UPDATE:
                message = self._update_source(record, data, uploads)
            case Answer.DEFERRED_UPDATE:
                record.original_id = record.message_id
            case Answer.SUGGESTIONS:
                self._suggest(record, data)
            case Answer.MODAL:
                self._open_modal(record, data)
            case Answer.PONG:
                raise AssertionError
        record.answered = kind
        self._tell(record, "INTERACTION_SUCCESS", {})
        return self._callback_response(record, kind, message)

    def is_late(self, record: Interaction) -> bool:
        """Whether the time for a first answer has passed."""
        return self.state.clock.now() - record.created > self.state.limits.answer_seconds

    def fail_if_unanswered(self, record: Interaction) -> None:
        """Tell the person that the interaction failed, if no answer has come."""
        if record.answered is None and not record.failed:
            record.failed = True
            self._tell(record, "INTERACTION_FAILURE", {"reason_code": 2})

    def forget_old(self) -> None:
        """Drop interactions whose tokens have long been dead, so that memory stays flat."""
        oldest = self.state.clock.now() - 2 * self.state.limits.token_seconds
        # They are in the order of their arrival.
        while self.state.interactions:
            record = next(iter(self.state.interactions.values()))
            if record.created >= oldest:
                break
            del self.state.interactions[record.id]
            del self.state.interactions_by_token[record.token]

    # Follow-ups, by the webhook of the interaction.

    def follow_up(
        self, application_id: int, token: str, body: Json, uploads: Sequence[Upload] = ()
    ) -> Message:
        """Post another answer. The first one after "is thinking" replaces that one."""
        record = self._by_token(application_id, token)
        if record.thinking and record.original_id is not None:
            message = self.state.message(record.channel_id, record.original_id)
            self._finish(record, message, body, uploads)
            return message
        channel = self.state.channel(record.channel_id)
        draft = read_draft(self.state, channel, self.state.bot_id, body, uploads)
        only_for = record.user_id if draft.is_ephemeral else None
        message = self.messages.answer(channel, draft, only_for=only_for)
        original = record.original_id
        self._sign(record, message)
        if original is not None:
            message.kind = MessageType.REPLY
            message.reference = {
                "type": 0,
                "channel_id": str(channel.id),
                "message_id": str(original),
            }
            message.interaction_metadata = {
                **record.metadata,
                "original_response_message_id": str(original),
            }
        self.messages.post(message)
        return message

    def read(self, application_id: int, token: str, which: str) -> Message:
        """One of the answers: ``@original`` or a message id."""
        return self._answer_of(self._by_token(application_id, token), which)

    def edit(
        self,
        application_id: int,
        token: str,
        which: str,
        body: Json,
        uploads: Sequence[Upload] = (),
    ) -> Message:
        """Edit one of the answers."""
        record = self._by_token(application_id, token)
        message = self._answer_of(record, which)
        channel = self.state.channel(record.channel_id)
        self.messages.threads.refresh(channel)
        if channel.archived:
            raise errors.thread_archived()
        if record.thinking and message.id == record.original_id:
            self._finish(record, message, body, uploads)
        else:
            self.messages.change(message, body, uploads)
        return message

    def delete(self, application_id: int, token: str, which: str) -> None:
        """Delete one of the answers."""
        record = self._by_token(application_id, token)
        message = self._answer_of(record, which)
        self.messages.remove(message)
        if record.original_id == message.id:
            record.thinking = False

    # The steps of these.

    def _read_kind(self, record: Interaction, body: Json) -> Answer:
        try:
            kind = Answer(body.get("type", 0))
        except ValueError:
            raise form_error(
                "type", "BASE_TYPE_CHOICES", "Value must be one of {1, 4, 5, 6, 7, 8, 9}."
            ) from None
        allowed = kind in _ALLOWED[record.kind]
        if kind in _UPDATES and record.message_id is None:
            allowed = False
        if not allowed:
            raise form_error(
                "type",
                "INTERACTION_APPLICATION_COMMAND_INVALID_CALLBACK_TYPE",
                "This callback type cannot answer this kind of interaction",
            )
        return kind

    def _make_answer(self, record: Interaction, data: Json, uploads: Sequence[Upload]) -> Message:
        channel = self.state.channel(record.channel_id)
        draft = read_draft(self.state, channel, self.state.bot_id, data, uploads, prefix="data.")
        only_for = record.user_id if draft.is_ephemeral else None
        message = self.messages.answer(channel, draft, only_for=only_for)
        self._sign(record, message)
        record.original_id = message.id
        self.messages.post(message, nonce=record.nonce)
        return message

    def _make_thinking(self, record: Interaction, data: Json) -> Message:
        flags = data.get("flags") or 0
        ephemeral = bool(flags & MessageFlag.EPHEMERAL)
        message = Message(
            id=self.state.ids.next(),
            channel_id=record.channel_id,
            author_id=self.state.bot_id,
            flags=int(MessageFlag.LOADING | (MessageFlag.EPHEMERAL if ephemeral else 0)),
            created=self.state.clock.now(),
            only_for=record.user_id if ephemeral else None,
        )
        self._sign(record, message)
        record.original_id, record.thinking = message.id, True
        self.messages.post(message, nonce=record.nonce)
        return message

    def _update_source(self, record: Interaction, data: Json, uploads: Sequence[Upload]) -> Message:
        message = self.state.message(record.channel_id, record.message_id or 0)
        self.messages.change(message, data, uploads, prefix="data.")
        record.original_id = message.id
        return message

    def _finish(
        self, record: Interaction, message: Message, body: Json, uploads: Sequence[Upload]
    ) -> None:
        self.messages.change(message, body, uploads)
        record.thinking = False

    def _suggest(self, record: Interaction, data: Json) -> None:
        faults = FormErrors()
        choices = data.get("choices") or []
        focused = _focused(record.data.get("options", []))
        check_choices(choices, focused["type"] if focused else 3, faults, "data.choices")
        faults.check()
        shown = [{"name": each["name"], "value": each["value"]} for each in choices]
        self._tell(record, "APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE", {"choices": shown})

    def _open_modal(self, record: Interaction, data: Json) -> None:
        reader = ModalReader(FormErrors(), emoji_known=self.state.emojis.__contains__)
        record.modal = reader.read(data)
        self._tell(
            record,
            "INTERACTION_MODAL_CREATE",
            record.modal
            | {
                "channel_id": str(record.channel_id),
                "application": {
                    "id": str(self.state.application.id),
                    "name": self.state.application.name,
                },
            },
        )

    def _sign(self, record: Interaction, message: Message) -> None:
        """Add the answered interaction to a message."""
        message.interaction_id = record.id
        message.interaction_metadata = dict(record.metadata)
        if record.kind is InteractionType.COMMAND and record.command_name is not None:
            is_slash = record.data.get("type", 1) == 1
            message.kind = (
                MessageType.CHAT_INPUT_COMMAND if is_slash else MessageType.CONTEXT_MENU_COMMAND
            )
            message.interaction = {
                "id": str(record.id),
                "type": int(record.kind),
                "name": record.command_name,
                "user": shapes.user(self.state.user(record.user_id)),
            }
        elif record.message_id is not None:
            message.kind = MessageType.REPLY
            message.reference = {
                "type": 0,
                "channel_id": str(record.channel_id),
                "message_id": str(record.message_id),
            }

    def _callback_response(
        self, record: Interaction, kind: Answer, message: Message | None
    ) -> Json:
        told: Json = {
            "id": str(record.id),
            "type": int(record.kind),
            "channel_id": str(record.channel_id),
        }
        if record.guild_id is not None:
            told["guild_id"] = str(record.guild_id)
        body: Json = {"interaction": told}
        if message is not None:
            told["response_message_id"] = str(message.id)
            told["response_message_loading"] = kind is Answer.DEFERRED_MESSAGE
            told["response_message_ephemeral"] = message.only_for is not None
            body["resource"] = {
                "type": int(Answer.MESSAGE if kind is Answer.DEFERRED_MESSAGE else kind),
                "message": message_shapes.message(self.state, message),
            }
        elif record.original_id is not None:
            told["response_message_id"] = str(record.original_id)
        return body

    def _by_token(self, application_id: int, token: str) -> Interaction:
        if application_id != self.state.application.id:
            raise errors.unknown("Webhook")
        record = self.state.interactions_by_token.get(token)
        if record is None:
            raise errors.unknown("Webhook")
        if self.state.clock.now() - record.created > self.state.limits.token_seconds:
            raise errors.expired_webhook()
        if record.answered is None:
            raise errors.unknown("Webhook")
        return record

    def _answer_of(self, record: Interaction, which: str) -> Message:
        wanted = record.original_id if which == "@original" else read_id(which)
        if wanted is None:
            raise errors.unknown("Message")
        message = self.state.message(record.channel_id, wanted)
        if message.id != record.original_id and message.interaction_id != record.id:
            raise errors.unknown("Message")
        return message

    def _tell(self, record: Interaction, name: str, data: Json) -> None:
        told = {"id": str(record.id), "nonce": record.nonce, **data}
        self.state.tell(
            GatewayEvent(
                name,
                told,
                record.guild_id,
                record.channel_id,
                only_for=record.user_id,
                to_bot=False,
            )
        )


def _focused(options: Sequence[Json]) -> Json | None:
    for option in options:
        if option.get("focused"):
            return option
        inner = _focused(option.get("options", []))
        if inner is not None:
            return inner
    return None
