"""Faults of the connections themselves, for tests: a field holds until it is unset."""

from __future__ import annotations

from dataclasses import dataclass

from playground.wire import Json


@dataclass(slots=True)
class Trouble:
    """The faults of the gateway in force."""

    #: Refuse the handshake with this status.
    refuse_status: int | None = None
    #: Accept the handshake and send nothing.
    withhold_hello: bool = False
    #: Replaces HELLO.
    hello: Json | None = None
    #: Send nothing after IDENTIFY.
    withhold_ready: bool = False
    #: Send nothing after RESUME.
    withhold_resumed: bool = False
    #: Answer IDENTIFY, or RESUME, with a close with this code; 9 for op 9 without resuming.
    refuse_identify: int | None = None
    refuse_resume: int | None = None
    #: Acknowledge no heartbeat.
    deaf: bool = False
