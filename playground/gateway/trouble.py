"""What goes wrong with connections themselves, for tests: set a field and it holds until unset."""

from __future__ import annotations

from dataclasses import dataclass

from playground.wire import Json


@dataclass(slots=True)
class Trouble:
    """The faults of the gateway in force."""

    #: Refuse the handshake with this status.
    refuse_status: int | None = None
    #: Take the handshake and send nothing.
    withhold_hello: bool = False
    #: In place of HELLO.
    hello: Json | None = None
    #: After IDENTIFY nothing comes.
    withhold_ready: bool = False
    #: After RESUME nothing comes.
    withhold_resumed: bool = False
    #: Answer IDENTIFY, or RESUME, by a close with this code; 9 for op 9 that allows no resuming.
    refuse_identify: int | None = None
    refuse_resume: int | None = None
    #: Acknowledge no heartbeat.
    deaf: bool = False
